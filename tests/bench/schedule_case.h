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

/* A uniform pattern (test set 1) of ranks and density. A new one, freed with
 * nuce_schedule_case_destroy; NULL with *error. */
struct nuce_schedule_case *nuce_schedule_case_create(int ranks, int density,
                                                     struct nuce_error *error);
void nuce_schedule_case_destroy(void *self);

/* Builds the schedule of pattern by the algorithm called name and frees it. */
nuce_status nuce_schedule_case_build(const struct nuce_pattern *pattern, const char *name,
                                     struct nuce_error *error);

/* For bench rows: rs-n and ac of self's pattern. */
nuce_status nuce_schedule_case_rs_n(void *self, struct nuce_error *error);
nuce_status nuce_schedule_case_ac(void *self, struct nuce_error *error);

/* For bench rows: the schedule by self->algorithm, of self's pattern and of the smaller one; create
 * sets that. */
nuce_status nuce_schedule_case_ours(void *self, struct nuce_error *error);
nuce_status nuce_schedule_case_smaller(void *self, struct nuce_error *error);

/* create of a bench: nuce_schedule_case_create for algorithm. */
nuce_status nuce_schedule_case_prepare(const char *algorithm, int ranks, int density,
                                       struct nuce_bench_case *out, struct nuce_error *error);

/* The same with a smaller uniform pattern beside it; both sides are told by message. */
nuce_status nuce_schedule_case_prepare_growth(const char *algorithm, int ranks, int density,
                                              int smaller_ranks, int smaller_density,
                                              struct nuce_bench_case *out,
                                              struct nuce_error *error);

/* RS_N as the paper's Appendix A writes it: COM as a matrix of ranks x ranks, made from the pattern
 * first, compressed into rows of the same size. */
nuce_status nuce_schedule_case_matrix(void *self, struct nuce_error *error);

#endif
