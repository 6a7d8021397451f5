/* Records of redistributions for tests of what is drawn and printed of them. */
#ifndef NUCE_TEST_REDISTRIBUTION_RECORDS_H
#define NUCE_TEST_REDISTRIBUTION_RECORDS_H

#include <jansson.h>

/* What a record is of, beside its campaign a; NULL and 0: the point does not say. */
struct redistribution {
    const char *job, *schedule;
    int ranks, factor;
    const char *network;
    const char *depth; /* a number, or auto */
    const char *bandwidth;
    int number; /* of the millisecond at which it started; others run in the order of their numbers
                 */
};

/* A run whose communication took s seconds: six samples, their median s, 0.75 s to 1.25 s. */
json_t *measured_redistribution(const struct redistribution *what, double s);

/* What the model says: s seconds, on a network whose single-port bound is bound_s. */
json_t *modelled_redistribution(const struct redistribution *what, double s, double bound_s);

/* A traced run of direct on R_x(3, 4): each of its messages takes a millisecond in the plan and
 * half of one in the trace. */
json_t *traced_redistribution(const struct redistribution *what);

/* At least one run for every plot of redistributions, of job, which is described elsewhere. */
void write_redistributions(const char *folder, const char *job);

#endif
