/* nuce-redistribute: measures the workload `redistribute`. */
#include "programs/runs.h"
#include "run/program.h"

int main(int argc, char **argv)
{
    static const struct nuce_workload_run *const runs[] = {&nuce_redistribute_run, NULL};

    return nuce_program_main(argc, argv, runs);
}
