/* What nuce doctor looks at: groups of checks. */
#ifndef NUCE_DOCTOR_H
#define NUCE_DOCTOR_H

#include <stddef.h>

#include "commands/run_local.h"

/* What a check found: what is printed of it. */
struct nuce_doctor_finding {
    const struct nuce_local *local; /* what the command line says; borrowed */
    const char *name;               /* of the check */
    const char *state;              /* "ok" (as before the check), "missing" or "wrong" */
    char what[256];
    const char *advice; /* what to do where it is not ok; "": the finding says it all */
};

/* A check: nuce does not start without looking at it only if `required`. look finds out, writes
 * nothing but files that it removes again, and takes at most some seconds, or 30 for a program that
 * hangs. advice is given where the finding has set no other. */
struct nuce_doctor_check {
    const char *name; /* shown, and unique: scripts look for it */
    int required;     /* nuce cannot do without, or cannot be believed */
    const char *advice;
    void (*look)(struct nuce_doctor_finding *finding);
};

/* The groups, in the order in which they are looked at, each ended by a check without a name. */
extern const struct nuce_doctor_check nuce_doctor_mpi[], nuce_doctor_machine[],
    nuce_doctor_others[];

/* Sets state and text; what follows a line's end is cut off. */
void nuce_doctor_find(struct nuce_doctor_finding *finding, const char *state, const char *format,
                      ...) __attribute__((format(printf, 3, 4)));

/* What nuce_doctor_capture returns for a program that does not end within 30 s. */
#define NUCE_DOCTOR_HANGS (-2)

/* Runs argv (NULL-ended); returns its exit status, -1 if it cannot be started or dies by a signal,
 * NUCE_DOCTOR_HANGS. What it prints (both streams) goes to text of size bytes, cut where it is
 * longer. */
int nuce_doctor_capture(const char *const *argv, char *text, size_t size);

/* Runs the smallest exchange there is, by the real program, on so many ranks; event: what PAPI is
 * to count meanwhile, NULL: nothing. As nuce_doctor_capture. */
int nuce_doctor_exchange(const struct nuce_local *local, const char *ranks, const char *event,
                         char *text, size_t size);

/* The first line of the file at path, without its end; 0: there is none. */
int nuce_doctor_read_line(const char *path, char *text, size_t size);

#endif
