/* The checks of nuce doctor, in groups. */
#ifndef NUCE_DOCTOR_H
#define NUCE_DOCTOR_H

#include <stddef.h>

#include "commands/run_local.h"

/* The result of a check, for printing. */
struct nuce_doctor_finding {
    const struct nuce_local *local; /* the options of the command line; borrowed */
    const char *name;               /* of the check */
    const char *state; /* "ok" (as before the check), "missing", "wrong" or "warning" */
    char what[256];
    const char *advice; /* the remedy if it is not ok; "": the finding is clear without one */
};

/* A check. look examines one thing, writes nothing except files that it removes again, and takes at
 * most some seconds, or 30 for a program that hangs. advice is printed if the finding has set no
 * other. */
struct nuce_doctor_check {
    const char *name; /* shown, and unique: scripts search for it */
    int required;     /* without it nuce does not work, or its results are unreliable */
    const char *advice;
    void (*look)(struct nuce_doctor_finding *finding);
};

/* The groups, in the order in which they run, each ended by a check without a name. */
extern const struct nuce_doctor_check nuce_doctor_mpi[], nuce_doctor_machine[],
    nuce_doctor_others[];

/* Sets state and text; cuts the text at its first line end. */
void nuce_doctor_find(struct nuce_doctor_finding *finding, const char *state, const char *format,
                      ...) __attribute__((format(printf, 3, 4)));

/* The status of a program that does not end within 30 s. */
#define NUCE_DOCTOR_HANGS (-2)

/* Runs the smallest possible exchange, by the real program, on that number of ranks. event: counted
 * by PAPI meanwhile, NULL: none. Returns
 * its exit status, -1 if it cannot be started or dies by a signal, NUCE_DOCTOR_HANGS. */
int nuce_doctor_exchange(const struct nuce_local *local, const char *ranks, const char *event,
                         char *text, size_t size);

/* Reads the first line of the file at path, without its end; 0: there is none. */
int nuce_doctor_read_line(const char *path, char *text, size_t size);

#endif
