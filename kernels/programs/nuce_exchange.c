/* nuce-exchange: ghost values of a partitioned mesh, or a random pattern, under any schedule. */
#include "programs/runs.h"
#include "run/program.h"

int main(int argc, char **argv)
{
    static const struct nuce_workload_run *const runs[] = {&nuce_exchange_run, NULL};

    return nuce_program_main(argc, argv, runs);
}
