/* nuce-calibrate: workloads that measure the machine. */
#include "programs/calibrate.h"
#include "run/program.h"

int main(int argc, char **argv)
{
    static const struct nuce_workload_run *const runs[] = {
        &nuce_contention_run, &nuce_permutations_run, &nuce_links_run, &nuce_speeds_run, NULL};

    return nuce_program_main(argc, argv, runs);
}
