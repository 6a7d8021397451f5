/* nuce-model redistribute: schedules of a block-cyclic redistribution. */
#include "programs/model_command.h"

static int run(int argc, char **argv)
{
    return nuce_model_run_schedules(&nuce_workload_redistribute, argc, argv);
}

const struct nuce_model_command nuce_model_redistribute_command = {
    .name = "redistribute",
    .summary = "schedules of a block-cyclic redistribution",
    .run = run,
};
