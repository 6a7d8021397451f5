/* nuce-model mapping: placements of processes on networks of switches (Moh, Yu, Youn, Lee, Han).
 * Results are the weighted cardinality, latency with 0, 10 and 20 % of distant partners, and the
 * gain over rm (row-major) in the same network and on the same nodes. */
#include <math.h>

#include "mapping/placement.h"
#include "programs/model_command.h"

static void list_placements(FILE *file)
{
    fprintf(file, "Placements:\n");
    for (size_t i = 0; nuce_placements[i] != NULL; i++)
        fprintf(file, "  %-11s%s\n", nuce_placements[i]->name, nuce_placements[i]->summary);
    fprintf(file, "\nRoutings:\n");
    for (size_t i = 0; nuce_routings[i] != NULL; i++)
        fprintf(file, "  %-11s%s\n", nuce_routings[i]->name, nuce_routings[i]->summary);
    fprintf(file, "\nIn JSON, one sample has processors, the node of each process, by "
                  "number in the order of the\n"
                  "topology; and node_names, if a file names the nodes.\n");
}

/* Relative to rm in the same network and on the same nodes. */
/* clang-format off */
static const struct nuce_result beside_results[] = {
    {"cardinality_percent", NUCE_REAL, "%", "cardinality / cardinality of rm", NULL, 0},
    {"gain_0_percent", NUCE_REAL, "%", "saving of latency_0_s, relative to rm", NULL, 0},
    {"gain_10_percent", NUCE_REAL, "%", "saving of latency_10_s, relative to rm", NULL, 0},
    {"gain_20_percent", NUCE_REAL, "%", "saving of latency_20_s, relative to rm", NULL, 0},
    {.name = NULL},
};

enum {
    WHOLE = NUCE_COLUMN_WHOLE,
    WIDE = NUCE_COLUMN_WHOLE | NUCE_COLUMN_WIDE,
    SD = NUCE_COLUMN_WHOLE | NUCE_COLUMN_IF_SEVERAL | NUCE_COLUMN_WIDE,
    BESIDE = NUCE_COLUMN_WHOLE | NUCE_COLUMN_IF_BESIDE,
    BESIDE_SD = BESIDE | NUCE_COLUMN_IF_SEVERAL,
    LIST = NUCE_COLUMN_JSON | NUCE_COLUMN_IF_KNOWN | NUCE_COLUMN_IF_SINGLE,
};

/* "latency_us" occurs twice: JSON has it before the percentages. */
static const struct nuce_model_column columns[] = {
    {"placement", NULL, NUCE_FROM_OPTION, "placement", 0, 0, 0},
    {"routing", NULL, NUCE_FROM_OPTION, "routing", 0, NUCE_COLUMN_WIDE, 0},
    {"ranks", NULL, NUCE_FROM_RANKS, NULL, 0, 0, 0},
    {"nodes", NULL, NUCE_FROM_MEAN, "network_nodes", 0, WIDE, 0},
    {"switches", NULL, NUCE_FROM_MEAN, "network_switches", 0, WIDE, 0},
    {"links", NULL, NUCE_FROM_MEAN, "network_links", 0, WIDE, 0},
    {"samples", NULL, NUCE_FROM_SAMPLES, NULL, 0, 0, 0},
    {"cardinality", NULL, NUCE_FROM_MEAN, "cardinality", 0, WHOLE, 0},
    {"cardinality_sd", NULL, NUCE_FROM_DEVIATION, "cardinality", 0, SD, 0},
    {"latency_us", "0", NUCE_FROM_MEAN, "latency_0_s", 1e6, WHOLE | NUCE_COLUMN_JSON, 0},
    {"cardinality_percent", NULL, NUCE_FROM_MEAN, "cardinality_percent", 0, BESIDE, 0},
    {"cardinality_percent_sd", NULL, NUCE_FROM_DEVIATION, "cardinality_percent", 0, SD | BESIDE, 0},
    {"latency_us", "0", NUCE_FROM_MEAN, "latency_0_s", 1e6, WHOLE, 0},
    {"latency_us", "10", NUCE_FROM_MEAN, "latency_10_s", 1e6, WHOLE, 0},
    {"latency_us", "20", NUCE_FROM_MEAN, "latency_20_s", 1e6, WHOLE, 0},
    {"latency_us_sd", "0", NUCE_FROM_DEVIATION, "latency_0_s", 1e6, SD, 0},
    {"latency_us_sd", "10", NUCE_FROM_DEVIATION, "latency_10_s", 1e6, SD, 0},
    {"latency_us_sd", "20", NUCE_FROM_DEVIATION, "latency_20_s", 1e6, SD, 0},
    {"gain_percent", "0", NUCE_FROM_MEAN, "gain_0_percent", 0, BESIDE, 0},
    {"gain_percent", "10", NUCE_FROM_MEAN, "gain_10_percent", 0, BESIDE, 0},
    {"gain_percent", "20", NUCE_FROM_MEAN, "gain_20_percent", 0, BESIDE, 0},
    {"gain_percent_sd", "0", NUCE_FROM_DEVIATION, "gain_0_percent", 0, BESIDE_SD, 0},
    {"gain_percent_sd", "10", NUCE_FROM_DEVIATION, "gain_10_percent", 0, SD | BESIDE, 0},
    {"gain_percent_sd", "20", NUCE_FROM_DEVIATION, "gain_20_percent", 0, SD | BESIDE, 0},
    {"seconds", NULL, NUCE_FROM_MEAN, "place_s", 0, 0, NUCE_LOOK_SECONDS},
    {"processors", NULL, NUCE_FROM_LIST, "processors", 0, LIST, 0},
    {"node_names", NULL, NUCE_FROM_LIST, "node_names", 0, LIST, 0},
    {.key = NULL},
};
/* clang-format on */

/* Options for drawing a topology are refused if one is read. */
static nuce_status arrange_mapping(json_t *given, const struct nuce_model_wish *wish,
                                   struct nuce_error *error)
{
    const char *topology = json_string_value(json_object_get(given, "topology"));

    (void)wish;
    for (const struct nuce_option *row = nuce_workload_mapping.options;
         row->name != NULL && topology != NULL; row++) {
        if (row->flags & NUCE_OPTION_DRAWN && json_object_get(given, row->name) != NULL)
            return nuce_error_refuse(error, row->name,
                                     "expected only without --topology, which has '%s'", topology);
    }
    return NUCE_OK;
}

/* NaN if it was not found. */
static double value_of(const struct nuce_metrics *found, const char *name)
{
    const json_t *value = json_object_get(found->values, name);

    return value == NULL ? NAN : json_number_value(value);
}

/* rm is compared with itself as well: 100 % of its cardinality, gains of 0. */
static void set_beside(struct nuce_metrics *found, const struct nuce_metrics *rm)
{
    static const char *const latencies[] = {"latency_0_s", "latency_10_s", "latency_20_s"};
    static const char *const gains[] = {"gain_0_percent", "gain_10_percent", "gain_20_percent"};

    nuce_metrics_real(found, "cardinality_percent",
                      100 * value_of(found, "cardinality") / value_of(rm, "cardinality"));
    for (size_t i = 0; i < sizeof gains / sizeof *gains; i++)
        nuce_metrics_real(found, gains[i],
                          100 * (1 - value_of(found, latencies[i]) / value_of(rm, latencies[i])));
}

static int run(int argc, char **argv)
{
    static const struct nuce_example examples[] = {
        {"nuce-model mapping --placement rm,sm,bm --mesh 16x16",
         "place a mesh of processes on a network that is drawn"},
        {"nuce-model mapping --placement linear,bm --mesh 2x4 --topology topology.conf",
         "place it on the switches of a cluster"},
        {NULL, NULL}};
    static const struct nuce_model_view view = {
        .about = "Places processes on the nodes of a network of switches, and computes how far "
                 "apart communicating processes are.",
        .list = list_placements,
        .examples = examples,
        .workload = &nuce_workload_mapping,
        .ranks = "ranks",
        .most_ranks = NUCE_PROCESSES_MAX,
        .contenders = "rm,sm,bm",
        .reference = "rm",
        .own_results = beside_results,
        .of_workload = 1,
        .columns = columns,
        .arrange = arrange_mapping,
        .beside = set_beside,
    };

    return nuce_model_run(&view, argc, argv);
}

const struct nuce_model_command nuce_model_mapping_command = {
    .name = "mapping",
    .summary = "placements of processes on networks of switches",
    .run = run,
};
