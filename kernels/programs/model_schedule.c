/* nuce-model schedule: schedules of a pattern that is read, generated or from a mesh, by the
 * papers' cost model; and the parts that it shares with redistribute. */

#include <stddef.h>

#include "programs/model_command.h"
#include "schedules/pattern.h"

static const struct nuce_option own_options[] = {
    NUCE_OPTION(TEXT, "execution", offsetof(struct nuce_model_wish, execution), NULL,
                "loose|ports|barrier|fifo|fluid",
                "model of execution; default: the one of the schedule's discipline"),
    NUCE_OPTION(FLAG, "emit-schedule", offsetof(struct nuce_model_wish, emit), NULL, NULL,
                "start, end, ranks and bytes of every transfer, with --format json"),
    {.name = NULL},
};

/* clang-format off */
static const struct nuce_model_column columns[] = {
    {.key = "schedule", .from = NUCE_FROM_OPTION, .of = "schedule"},
    {.key = "ranks", .from = NUCE_FROM_RANKS},
    {.key = "samples", .from = NUCE_FROM_SAMPLES},
    {.key = "execution", .from = NUCE_FROM_TEXT, .of = "execution"},
    {.key = "messages", .from = NUCE_FROM_MEAN, .of = "messages", .flags = NUCE_COLUMN_COUNT},
    {.key = "bytes", .from = NUCE_FROM_MEAN, .of = "bytes", .flags = NUCE_COLUMN_COUNT},
    {.key = "phases", .from = NUCE_FROM_MEAN, .of = "phases", .flags = NUCE_COLUMN_COUNT},
    {.key = "pieces", .from = NUCE_FROM_MEAN, .of = "pieces", .flags = NUCE_COLUMN_COUNT},
    {.key = "makespan", .from = NUCE_FROM_MEAN, .of = "makespan_s", .look = NUCE_LOOK_SECONDS},
    {.key = "lower_bound_s", .from = NUCE_FROM_MEAN, .of = "lower_bound_s", .look = NUCE_LOOK_SECONDS},
    {.key = "single_port_lower_bound_s", .from = NUCE_FROM_MEAN, .of = "single_port_lower_bound_s",
     .look = NUCE_LOOK_SECONDS},
    /* The same two under the names that scripts have relied on from the first. */
    {.key = "lower_bound", .from = NUCE_FROM_MEAN, .of = "single_port_lower_bound_s", .flags = NUCE_COLUMN_JSON},
    {.key = "port_bound", .from = NUCE_FROM_MEAN, .of = "lower_bound_s", .flags = NUCE_COLUMN_JSON},
    {.key = "ratio", .from = NUCE_FROM_MEAN, .of = "makespan_ratio"},
    {.key = "worst_ratio", .from = NUCE_FROM_LARGEST, .of = "makespan_ratio"},
    {.key = "seconds", .from = NUCE_FROM_MEAN, .of = "schedule_s", .look = NUCE_LOOK_SECONDS},
    {.key = "heap_operations", .from = NUCE_FROM_MEAN, .of = "heap_operations",
     .flags = NUCE_COLUMN_COUNT | NUCE_COLUMN_IF_KNOWN | NUCE_COLUMN_JSON},
    {.key = "candidates", .from = NUCE_FROM_LIST, .of = "candidates",
     .flags = NUCE_COLUMN_IF_KNOWN | NUCE_COLUMN_JSON},
    {.key = NULL},
};
/* clang-format on */

/* Values of candidates that are summed over instances. The last, the number of times that each
 * was chosen, stays a sum. */
static const char *const sums[] = {"phases", "pieces", "makespan", "chosen"};
enum { SUMS = sizeof sums / sizeof *sums };

/* Adds the numbers of candidates to the previous sums; candidates have the same order in every
 * instance. Keeps the last instance's transfers. */
static void keep(json_t *kept, json_t *lists)
{
    json_t *old = json_object_get(kept, "candidates"), *candidate;
    const json_t *now = json_object_get(lists, "candidates");
    size_t index;

    json_array_foreach(now, index, candidate)
    {
        const json_t *sum = json_array_get(old, index);

        for (size_t i = 0; sum != NULL && i < SUMS; i++) {
            double value = json_number_value(json_object_get(sum, sums[i])) +
                           json_number_value(json_object_get(candidate, sums[i]));

            json_object_set_new(candidate, sums[i], json_real(value));
        }
    }
    json_object_update(kept, lists);
}

/* Turns candidates' sums into means, except the number of times that each was chosen. With
 * --emit, "schedule" becomes the array of transfers, and "name" replaces the old "schedule" (the
 * contract of nuce-model). */
static void finish(json_t *row, const struct nuce_model_row *of)
{
    json_t *kept = of->kept;
    json_t *transfers = json_object_get(kept, "transfers"), *candidate;
    size_t index;

    json_array_foreach(json_object_get(kept, "candidates"), index, candidate)
    {
        for (size_t i = 0; i < SUMS - 1; i++)
            json_object_set_new(candidate, sums[i],
                                json_real(json_number_value(json_object_get(candidate, sums[i])) /
                                          (double)of->samples));
        json_object_set_new(
            candidate, "chosen",
            json_integer((json_int_t)json_number_value(json_object_get(candidate, "chosen"))));
    }
    if (transfers == NULL)
        return;
    json_object_set(row, "name", json_object_get(row, "schedule"));
    json_object_set(row, "schedule", transfers);
}

int nuce_model_run_schedules(const struct nuce_workload_ops *workload,
                             const struct nuce_example *examples, int argc, char **argv)
{
    const struct nuce_model_view view = {
        .about =
            "Applies the papers' cost model to schedules: phases, makespan and lower bounds on a "
            "pattern, without MPI.",
        .examples = examples,
        .workload = workload,
        .ranks = "ranks",
        .most_ranks = NUCE_PATTERN_MAX_RANKS,
        .own = own_options,
        .of_schedule = 1,
        .columns = columns,
        .keep = keep,
        .finish = finish,
    };

    return nuce_model_run(&view, argc, argv);
}

static int run(int argc, char **argv)
{
    static const struct nuce_example examples[] = {
        {"nuce-model schedule --schedule ac,rs-n --pattern uniform --ranks 32",
         "predict two schedules of a random pattern on the CM-5"},
        {"nuce-model schedule --schedule lp --com my.com --network my.network",
         "predict one of a COM file on a NETWORK FILE"},
        {NULL, NULL}};

    return nuce_model_run_schedules(&nuce_workload_exchange, examples, argc, argv);
}

const struct nuce_model_command nuce_model_schedule_command = {
    .name = "schedule",
    .summary = "schedules of a communication pattern",
    .run = run,
};
