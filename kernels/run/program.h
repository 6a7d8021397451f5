/* The main of every measuring program: options, points, the loop, the results. */
#ifndef NUCE_PROGRAM_H
#define NUCE_PROGRAM_H

#include "run/workload_run.h"

/* runs lists the workloads of the program, NULL-ended; with several of them the first argument
 * selects one. Runs the points of the options (comma lists are combined) and prints one table,
 * or runs those of --points FILE and records them in --records FILE. Returns the exit status.
 * Calls MPI_Init and MPI_Finalize. */
int nuce_program_main(int argc, char **argv, const struct nuce_workload_run *const *runs);

#endif
