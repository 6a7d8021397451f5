/* nuce-stencil: measures the workload `stencil`.
 *
 * A program of one workload: kernels/run has command line, plan, races and records; stencil.c
 * has the rest. */
#include "programs/runs.h"
#include "run/program.h"

int main(int argc, char **argv)
{
    static const struct nuce_workload_run *const runs[] = {&nuce_stencil_run, NULL};

    return nuce_program_main(argc, argv, runs);
}
