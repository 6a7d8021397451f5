/* nuce-model schedule: schedules of a pattern that is read, generated or of a mesh. */
#include "model/model.h"
#include "model/schedule_command.h"

static int run(int argc, char **argv)
{
    return nuce_schedule_command(&nuce_workload_exchange, argc, argv);
}

const struct nuce_model_command nuce_model_schedule_command = {
    .name = "schedule",
    .summary = "schedules of a communication pattern",
    .run = run,
};
