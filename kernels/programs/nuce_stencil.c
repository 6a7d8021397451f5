/* nuce-stencil: measures the workload `stencil`.
 *
 * A program of one workload: command line, plan, heats and records are of kernels/run; what is
 * particular is in stencil.c. */
#include "programs/runs.h"
#include "run/program.h"

int main(int argc, char **argv)
{
    static const struct nuce_workload_run *const runs[] = {&nuce_stencil_run, NULL};

    return nuce_program_main(argc, argv, runs);
}
