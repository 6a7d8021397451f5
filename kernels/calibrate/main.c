/* nuce-calibrate: workloads that measure the machine. */
#include "calibrate/calibrate.h"
#include "program/program.h"

int main(int argc, char **argv)
{
    static const struct nuce_workload_run *const runs[] = {
        &nuce_run_contention, &nuce_run_permutations, &nuce_run_links, &nuce_run_speeds, NULL};

    return nuce_program_main(argc, argv, runs);
}
