/* What nuce doctor looks at: groups of checks, one file and one row of groups.def each. */
#ifndef NUCE_DOCTOR_CHECK_H
#define NUCE_DOCTOR_CHECK_H

#include <stddef.h>

#include "campaigns/local.h"

/* What a check found. */
struct nuce_doctor_finding {
    const char *state; /* "ok" (as before the check), "missing" or "wrong" */
    char what[256];
    const char *advice; /* what to do unless ok: the check's, where it sets no other */
};

struct nuce_doctor_check {
    const char *name;
    int required; /* nuce cannot do without, or cannot be believed */
    const char *advice;
    void (*look)(const struct nuce_local *local, struct nuce_doctor_finding *finding);
};

/* One after another, each ended by a check without a name; NULL-ended, in the order of groups.def.
 */
extern const struct nuce_doctor_check *const nuce_doctor_groups[];

/* Sets state and text; what follows a line's end is cut off. */
void nuce_doctor_finding_set(struct nuce_doctor_finding *finding, const char *state,
                             const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Runs argv; returns its exit status, -1 if it cannot be started or does not end. What it prints
 * (both streams) goes to text of size bytes. */
int nuce_doctor_capture(const char *const *argv, char *text, size_t size);

/* Runs the smallest exchange there is, by the real program, on so many ranks; event: what PAPI is
 * to count meanwhile, NULL: nothing. As nuce_doctor_capture. */
int nuce_doctor_exchange(const struct nuce_local *local, const char *ranks, const char *event,
                         char *text, size_t size);

/* The first line of the file at path, without its end; 0: there is none. */
int nuce_doctor_read_line(const char *path, char *text, size_t size);

#endif
