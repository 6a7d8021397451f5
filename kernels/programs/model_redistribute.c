/* nuce-model redistribute: schedules of a block-cyclic redistribution. */
#include "programs/model_command.h"

static int run(int argc, char **argv)
{
    static const struct nuce_example examples[] = {
        {"nuce-model redistribute --ranks 8 --elements 4M --block 64 --factor 3 \\\n    --schedule "
         "ac,greedy",
         "predict two schedules on the CM-5"},
        {"nuce-model redistribute --ranks 8 --elements 4M --block 64 --to-block 100 \\\n    "
         "--schedule ac,greedy",
         "predict them between blocks of other sizes"},
        {NULL, NULL}};

    return nuce_model_run_schedules(&nuce_workload_redistribute, examples, argc, argv);
}

const struct nuce_model_command nuce_model_redistribute_command = {
    .name = "redistribute",
    .summary = "schedules of a block-cyclic redistribution",
    .run = run,
};
