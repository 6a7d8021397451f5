/* What benches of planning and submitting work on: two sweeps, one with ten times the points of the
 * other, and programs that stand in for those of Slurm. */
#ifndef NUCE_BENCH_POINTS_CASE_H
#define NUCE_BENCH_POINTS_CASE_H

#include <stdint.h>

#include "bench.h"
#include "scratch.h"

struct nuce_points_case {
    struct nuce_scratch scratch; /* other: the folder of the stand-ins, and of their state */
    char *larger, *smaller;      /* paths of the sweeps, whose campaigns have these names */
    char *profile;
    char *path, *state; /* VARIABLE=VALUE for the environment of what is run */
};

/* Writes the sweeps, of points and of points / 10; measure and unit are what their keys are. Also
 * after failure released with nuce_points_case_fini. */
nuce_status nuce_points_case_init(int64_t points, const char *unit, const char *measure,
                                  struct nuce_points_case *out, struct nuce_error *error);
void nuce_points_case_fini(struct nuce_points_case *points);

/* create and destroy of a bench whose self is such a case of 10 000 points, and which takes the
 * smaller sweep, times ten, as reference. */
nuce_status nuce_points_case_create(struct nuce_bench_case *out, struct nuce_error *error);
void nuce_points_case_destroy(void *self);

/* Runs program, which is beside nuce-bench, with Slurm's programs replaced; the last of rest is
 * NULL. */
nuce_status nuce_points_case_run(const struct nuce_points_case *points, const char *program,
                                 const char *const *rest, struct nuce_error *error);

/* Submits both sweeps: scratch.campaigns/larger.1 and smaller.1. */
nuce_status nuce_points_case_submit(const struct nuce_points_case *points,
                                    struct nuce_error *error);

#endif
