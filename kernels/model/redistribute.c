/* nuce-model redistribute: schedules of a block-cyclic redistribution. */
#include "model/model.h"
#include "model/schedule_command.h"

static int run(int argc, char **argv)
{
    return nuce_schedule_command(&nuce_workload_redistribute, argc, argv);
}

const struct nuce_model_command nuce_model_redistribute_command = {
    .name = "redistribute",
    .summary = "schedules of a block-cyclic redistribution",
    .run = run,
};
