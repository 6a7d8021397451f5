/* Shared by the MPI programs behind benches: turns of ours and the reference, and the line of JSON
 * that nuce_bench_run_command reads. */
#ifndef NUCE_MPI_TURNS_H
#define NUCE_MPI_TURNS_H

#include "points/point.h"
#include "run/world.h"

/* Runs ours and the reference in turns, repeats times each between two time stamps after a barrier,
 * and prints seconds per repetition, maximum over ranks, as {"ours":[...],"reference":[...]} on
 * rank 0. The first turn is not counted. Collective. */
void nuce_mpi_turns(struct nuce_world *world, int turns, int repeats, void (*ours)(void *context),
                    void (*reference)(void *context), void *context);

/* Ends the program where any rank has not succeeded. Collective. */
void nuce_mpi_must(struct nuce_world *world, nuce_status status, struct nuce_error *error);

/* A point of these settings, which are freed, to be freed with nuce_point_fini. Collective. */
struct nuce_point nuce_mpi_point(struct nuce_world *world, const struct nuce_workload_ops *workload,
                                 json_t *settings);

#endif
