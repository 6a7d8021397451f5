/* What the benches of schedule algorithms share: patterns, and both ways to schedule them. */
#ifndef NUCE_BENCH_SCHEDULE_CASE_H
#define NUCE_BENCH_SCHEDULE_CASE_H

#include "bench.h"
#include "schedules/pattern.h"

struct nuce_schedule_case {
    struct nuce_pattern pattern;
    struct nuce_pattern smaller; /* growth only, else empty */
    const char *algorithm;       /* what nuce_schedule_case_ours builds; NULL until it is set */
};

/* A uniform pattern (test set 1) of ranks and density, and another of smaller_ranks unless that is
 * 0. A new one, freed with nuce_schedule_case_destroy; NULL with *error. */
struct nuce_schedule_case *nuce_schedule_case_create(int ranks, int smaller_ranks, int density,
                                                     struct nuce_error *error);
void nuce_schedule_case_destroy(void *self);

/* Builds the schedule of pattern by the algorithm called name and frees it. */
nuce_status nuce_schedule_case_build(const struct nuce_pattern *pattern, const char *name,
                                     struct nuce_error *error);

/* For bench rows: rs-n, rs-nh and ac of self's pattern. */
nuce_status nuce_schedule_case_rs_n(void *self, struct nuce_error *error);
nuce_status nuce_schedule_case_rs_nh(void *self, struct nuce_error *error);
nuce_status nuce_schedule_case_ac(void *self, struct nuce_error *error);

/* For bench rows: the schedule by self->algorithm; create sets that. */
nuce_status nuce_schedule_case_ours(void *self, struct nuce_error *error);

/* create of a bench: nuce_schedule_case_create without a smaller pattern, for algorithm. */
nuce_status nuce_schedule_case_prepare(const char *algorithm, int ranks, int density,
                                       struct nuce_bench_case *out, struct nuce_error *error);

/* RS_N as the paper's Appendix A writes it: COM as a matrix of ranks x ranks, made from the pattern
 * first, compressed into rows of the same size. */
nuce_status nuce_schedule_case_matrix(void *self, struct nuce_error *error);

#endif
