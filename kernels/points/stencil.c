/* The workload `stencil`: sweeps over an array with an exchange of halos (Kaddoura, Ranka and
 * Wang). The array is cut into a rectangle for each rank, in proportion to the rank's speed. Its
 * points are compared by decomposition; any schedule can do the exchange. Weights represent speeds:
 * drawn, listed, measured, or by default the emulated ones. All lists are rewritten in their
 * shortest form, since the canonical form is a point's identity. The array itself is cut only to
 * check it and when its parts are needed (stencil_instance.c). */
#include "points/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/clock.h"
#include "base/text.h"
#include "points/results.h"
#include "points/stencil_instance.h"
#include "points/stencil_periods.h"
#include "schedules/schedule_results.h"

#define AT(member) offsetof(struct nuce_stencil_params, member)

static const char *decomposition_name(size_t index)
{
    return nuce_decompositions[index] == NULL ? NULL : nuce_decompositions[index]->name;
}

static const struct nuce_option options[] = {
    NUCE_OPTION(CHOICE, "decomposition", AT(decomposition), "xy2", "NAME",
                "decomposition of the array into parts (nuce list decompositions)",
                .flags = NUCE_OPTION_COMPARED, .choices = decomposition_name),
    NUCE_OPTION(COUNT, "rows", AT(rows), "1000", "M", "rows of the array, in cells", .minimum = 1),
    NUCE_OPTION(COUNT, "columns", AT(columns), "1000", "N", "columns of the array, in cells",
                .minimum = 1),
    NUCE_OPTION(
        LIST, "weights", AT(weights), NULL, "LIST",
        "relative speeds of the ranks, such as 0.5,0.3,0.2; equal; or measured (sweep rates); "
        "default: random with a ratio, else the emulated speeds, else equal",
        .flags = NUCE_OPTION_IF_SET,
        .words = (const char *const[]){NUCE_WEIGHTS_EQUAL, NUCE_WEIGHTS_MEASURED, NULL},
        .room = NUCE_WEIGHTS_BYTES),
    NUCE_OPTION(REAL, "ratio", AT(ratio), NULL, "R",
                "largest random weight: each is uniform in 1 .. R, by seed and instance",
                .flags = NUCE_OPTION_IF_SET, .minimum = 1),
    NUCE_OPTION(REAL, "latency", AT(latency), "0", "L",
                "fixed cost of a border between two parts, in cells, added to its length in the "
                "model and by decompositions that weigh it",
                .flags = NUCE_OPTION_IF_SET, .minimum = 0),
    NUCE_OPTION(CHOICE, "edges", AT(edges), "exact", "HOW",
                "count of borders: exact, or naive (one too many where four parts meet)",
                .flags = NUCE_OPTION_IF_SET,
                .words = (const char *const[]){"exact", "naive", NULL}),
    NUCE_OPTION(COUNT, "stencil", AT(points), "5", "5|9",
                "cells that a mean covers, including the cell itself",
                .flags = NUCE_OPTION_EXCHANGE, .minimum = 5),
    NUCE_OPTION(CHOICE, "element", AT(element), "double", "TYPE", "type of a cell: double or float",
                .flags = NUCE_OPTION_EXCHANGE,
                .words = (const char *const[]){"double", "float", NULL}),
    NUCE_OPTION(CHOICE, "border", AT(border), "fixed", "HOW",
                "border of the array: fixed (the values around it stay) or periodic (it wraps "
                "around)",
                .flags = NUCE_OPTION_EXCHANGE,
                .words = (const char *const[]){"fixed", "periodic", NULL}),
    NUCE_OPTION(COUNT, "halo-depth", AT(halo_depth), "1", "K",
                "layers of ghost cells; one exchange serves K sweeps",
                .flags = NUCE_OPTION_EXCHANGE | NUCE_OPTION_RACED, .minimum = 1),
    NUCE_OPTION(COUNT, "iterations", AT(iterations), "1", "N", "sweeps per sample",
                .flags = NUCE_OPTION_RUN, .minimum = 1),
    NUCE_OPTION(FLAG, "overlap", AT(overlap), "false", NULL,
                "sweep over the interior of a part during the exchange",
                .flags = NUCE_OPTION_RUN | NUCE_OPTION_RACED),
    NUCE_OPTION(LIST, "emulate-speeds", AT(emulate_speeds), NULL, "LIST",
                "relative speeds of the ranks, such as 1,2,4,8, emulated by extra work",
                .flags = NUCE_OPTION_RUN | NUCE_OPTION_IF_SET),
    NUCE_OPTION(LIST, "speeds-after", AT(speeds_after), NULL, "N:LIST",
                "emulated speeds LIST after iteration N of a sample; several changes: "
                "100:8,4,2,1/200:1,1,1,1",
                .flags = NUCE_OPTION_RUN | NUCE_OPTION_IF_SET),
    NUCE_OPTION(
        CHOICE, "rebalance", AT(rebalance), NUCE_REBALANCE_NEVER, "WHEN",
        "cuts of the array by observed rates, with cells moved: never, after-change (once for "
        "each), every-look, or when-it-pays (saving exceeds cost of moving)",
        .flags = NUCE_OPTION_RUN | NUCE_OPTION_RACED | NUCE_OPTION_IF_SET,
        .words =
            (const char *const[]){NUCE_REBALANCE_NEVER, NUCE_REBALANCE_AFTER_CHANGE,
                                  NUCE_REBALANCE_EVERY_LOOK, NUCE_REBALANCE_WHEN_IT_PAYS, NULL}),
    NUCE_OPTION(COUNT, "look-every", AT(look_every), "10", "N",
                "sweeps between two checks of the ranks' rates, with rebalance",
                .flags = NUCE_OPTION_RUN | NUCE_OPTION_RACED, .minimum = 1),
    NUCE_OPTION(FLAG, "allow-empty", AT(allow_empty), "false", NULL,
                "permission for parts without a cell", .flags = NUCE_OPTION_IF_SET),
    NUCE_OPTION(FLAG, "integer", AT(integer), "false", NULL,
                "model with every border rounded to the nearest cell, as in a run",
                .flags = NUCE_OPTION_MODEL | NUCE_OPTION_IF_SET),
#define NUCE_SCHEDULING_AT(member) AT(scheduling.member)
#define NUCE_SCHEDULING_PRESET "ac"
#include "points/scheduling_options.inc"
#undef NUCE_SCHEDULING_AT
#define NUCE_PLACING_AT(member) AT(placing.member)
#include "points/placing_options.inc"
#undef NUCE_PLACING_AT
    {.name = NULL},
};

static int stencil_is_random(const void *params)
{
    const struct nuce_stencil_params *p = params;

    return nuce_stencil_draws(p) || nuce_scheduling_draws(&p->scheduling);
}

/* A mean over arrays has no instance. */
static int stencil_applies(const struct nuce_option *option, const void *params)
{
    const struct nuce_stencil_params *p = params;

    if (strcmp(option->name, "instance") == 0)
        return stencil_is_random(p) && !nuce_stencil_is_mean(p);
    if (strcmp(option->name, "samples") == 0)
        return nuce_stencil_draws(p);
    return strcmp(option->name, "look-every") != 0 ||
           strcmp(p->rebalance, NUCE_REBALANCE_NEVER) != 0;
}

/* After the speeds, which may be the default of the weights. An emulated network would change the
 * messages, which here are the halo itself. */
static nuce_status stencil_complete(void *params, int ranks, struct nuce_error *error)
{
    struct nuce_stencil_params *p = params;

    if (nuce_scheduling_complete(&p->scheduling, 0, error) != NUCE_OK ||
        nuce_placing_complete(&p->placing, p->scheduling.network, error) != NUCE_OK ||
        nuce_stencil_periods_complete(p, ranks, error) != NUCE_OK)
        return error->status;
    /* The kind of the weights: drawn (a ratio), listed, or by default the emulated speeds, else
     * equal. */
    if (p->ratio > 0 && p->weights[0] != '\0')
        return nuce_error_refuse(error, "ratio", "'%g': expected no weights: it draws them",
                                 p->ratio);
    if (p->ratio <= 0 && p->weights[0] == '\0')
        nuce_text_copy(p->weights, sizeof p->weights,
                       p->emulate_speeds[0] != '\0' ? p->emulate_speeds : NUCE_WEIGHTS_EQUAL);
    if (p->weights[0] != '\0' && strcmp(p->weights, NUCE_WEIGHTS_EQUAL) != 0 &&
        strcmp(p->weights, NUCE_WEIGHTS_MEASURED) != 0 &&
        nuce_stencil_list_normalise("weights", p->weights, sizeof p->weights, error) != NUCE_OK)
        return error->status;
    if (nuce_scheduling_emulates(&p->scheduling))
        return nuce_error_refuse(error, "network",
                                 "'emulated': changes the messages, and those of a halo are "
                                 "its cells: expected another network");
    return nuce_stencil_check(p, ranks, error);
}

static nuce_status stencil_inspect(const void *params, int ranks, struct nuce_facts *facts,
                                   struct nuce_error *error)
{
    const struct nuce_stencil_params *p = params;

    if (nuce_scheduling_inspect(&p->scheduling, ranks, facts, error) != NUCE_OK)
        return error->status;
    return nuce_placing_inspect(&p->placing, ranks, facts, error);
}

/* As many ranks as listed weights; no answer without a list. It only counts commas; complete checks
 * the numbers. */
static nuce_status stencil_ranks(const void *params, struct nuce_facts *facts, int *out,
                                 struct nuce_error *error)
{
    const struct nuce_stencil_params *p = params;
    int count = 1;

    (void)facts;
    (void)error;
    if (p->weights[0] == '\0' || strcmp(p->weights, NUCE_WEIGHTS_EQUAL) == 0 ||
        strcmp(p->weights, NUCE_WEIGHTS_MEASURED) == 0)
        return NUCE_OK;
    for (const char *at = p->weights; *at != '\0'; at++)
        count += *at == ',';
    *out = count;
    return NUCE_OK;
}

static const struct nuce_placing *stencil_placing(const void *params)
{
    return &((const struct nuce_stencil_params *)params)->placing;
}

static const struct nuce_scheduling *stencil_scheduling(const void *params)
{
    return &((const struct nuce_stencil_params *)params)->scheduling;
}

/* The item of COM is a cell. */
static struct nuce_tuning stencil_tuning(const void *params)
{
    const struct nuce_stencil_params *p = params;

    return nuce_scheduling_tuning(&p->scheduling, (double)nuce_stencil_cell_bytes(p));
}

static nuce_status stencil_pattern(const void *params, int ranks, struct nuce_pattern *out,
                                   struct nuce_error *error)
{
    struct nuce_stencil_instance instance;
    nuce_status status = nuce_stencil_instance_init(params, ranks, NULL, &instance, error);

    if (status != NUCE_OK)
        return status;
    status = nuce_stencil_halo_pattern(params, &instance.halo, out, error);
    nuce_stencil_instance_fini(&instance);
    return status;
}

/* The sides of the grid of parts, for placements that use one, if the parts form one; the depth is
 * 1. */
static nuce_status stencil_sides(const void *params, int ranks, int side[NUCE_SIDES],
                                 struct nuce_error *error)
{
    struct nuce_stencil_instance instance;
    nuce_status status = nuce_stencil_instance_init(params, ranks, NULL, &instance, error);

    if (status != NUCE_OK)
        return status;
    nuce_decomposition_grid_sides(&instance.tiling, side);
    side[2] = 1;
    nuce_stencil_instance_fini(&instance);
    return NUCE_OK;
}

/* The largest ratio of a part's share of the array to its share of the weights. For real parts it
 * is 1; for whole cells somewhat more. */
static double imbalance(const struct nuce_array *array, const struct nuce_decomposition *made)
{
    double total = 0, cells = array->rows * array->columns, worst = 0;

    for (int i = 0; i < array->parts; i++)
        total += array->weights[i];
    for (int i = 0; i < array->parts; i++)
        worst = fmax(worst, made->rectangles[i].rows * made->rectangles[i].columns / cells /
                                (array->weights[i] / total));
    return worst;
}

/* The model (Kaddoura, Ranka, Wang): the cost of cutting the array, by the decomposition alone,
 * which is timed as processor time; area_error if it is cut in whole cells. Each contender cuts the
 * array again. */
static nuce_status stencil_model(const void *params, int ranks, struct nuce_model_memory *memory,
                                 struct nuce_metrics *found, json_t *lists,
                                 struct nuce_error *error)
{
    const struct nuce_stencil_params *p = params;
    double *weights = nuce_allocate(ranks, sizeof *weights);
    struct nuce_array array = nuce_stencil_array(p, ranks, weights);
    struct nuce_decomposition made = {0};
    struct nuce_decomposition_cost cost;
    double seconds = 0, area_error = NAN;
    nuce_status status;

    (void)memory;
    status = nuce_stencil_weights(p, ranks, p->scheduling.instance, NULL, weights, error);
    if (status == NUCE_OK) {
        double began = nuce_processor_clock();

        status = nuce_decomposition_compute(nuce_stencil_decomposition(p), &array, &made, error);
        seconds = nuce_processor_clock() - began;
    }
    if (status == NUCE_OK && p->integer) {
        double *areas = nuce_allocate(made.parts, sizeof *areas);

        for (int i = 0; i < made.parts; i++)
            areas[i] = made.rectangles[i].rows * made.rectangles[i].columns;
        status = nuce_decomposition_round(&made, p->allow_empty, error);
        area_error = 0;
        for (int i = 0; status == NUCE_OK && i < made.parts; i++)
            area_error = fmax(
                area_error, fabs(made.rectangles[i].rows * made.rectangles[i].columns - areas[i]));
        free(areas);
        if (status != NUCE_OK) {
            nuce_error_prefix(error, "%s", p->decomposition);
            status = nuce_error_about(error, "integer");
        }
    }
    if (status == NUCE_OK) {
        nuce_decomposition_measure(&made, array.latency, array.edges, &cost);
        nuce_metrics_real(found, "acost", cost.acost);
        nuce_metrics_real(found, "bcost", cost.bcost);
        nuce_metrics_real(found, "internal_edges", (double)cost.internal_edges);
        nuce_metrics_real(found, "cost", cost.cost);
        nuce_metrics_real(found, "decompose_s", seconds);
        nuce_metrics_integer(found, "settled", made.is_settled);
        nuce_metrics_real(found, "imbalance", imbalance(&array, &made));
        nuce_metrics_real(found, "area_error", area_error);
        json_object_set_new(lists, "rectangles", nuce_stencil_rectangles(&made));
    }
    nuce_decomposition_fini(&made);
    free(weights);
    return status;
}

/* clang-format off */
static const struct nuce_result own_results[] = {
    {"load_balance", NUCE_REAL, NUCE_UNIT_RATIO,
     "computation time: maximum over ranks / mean", "max / mean", 0},
    {"rebalances", NUCE_REAL, "", "new cuts of the array per sample", "new cuts", 0},
    {"moved_bytes", NUCE_REAL, NUCE_UNIT_BYTES,
     "bytes of cells that changed owners, per sample", "bytes moved", 0},
    {"iteration_before_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "time of a sweep before speeds changed", "before", 0},
    {"iteration_changed_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "time of a sweep after the change, under the old cut", "changed", 0},
    {"iteration_after_s", NUCE_REAL, NUCE_UNIT_SECONDS, "time of a sweep under the new cut", "after", 0},
    {"saving_predicted_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "predicted saving per sweep by a new cut", NULL, 0},
    {"cut_predicted_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "predicted time of cutting and moving", NULL, 0},
    {"iteration_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "time of a sweep: a step / its iterations", "iteration", NUCE_RESULT_DERIVED | NUCE_RESULT_INTERVAL},
    {"weights_taken", NUCE_TEXT, "",
     "weights that were measured for the run", "measured weights", 0},
    {.name = NULL},
};
/* clang-format on */

static const struct nuce_result *const results[] = {
    nuce_schedule_results,      nuce_pattern_results, nuce_results_placing,
    nuce_results_decomposition, nuce_results_part,    own_results,
    nuce_results_scheduling,    nuce_results_run,     NULL,
};

const struct nuce_workload_ops nuce_workload_stencil = {
    .name = "stencil",
    .summary = "sweeps over an array cut for ranks of different speeds, with an exchange of halos",
    .source = "Kaddoura, Ranka, Wang: Array Decompositions for Nonuniform Computational "
              "Environments",
    .program = "nuce-stencil",
    .model_command = "arrays",
    .examples = NUCE_EXAMPLES(
        {"mpiexec -n 4 nuce-stencil --decomposition grid,rb2,xy2", "race three decompositions"},
        {"mpiexec -n 4 nuce-stencil --decomposition grid,xy2 --emulate-speeds 1,2,4,8",
         "race two on ranks whose speeds are emulated"}),
    .options = options,
    .results = results,
    .params_size = sizeof(struct nuce_stencil_params),
    .complete = stencil_complete,
    .applies = stencil_applies,
    .inspect = stencil_inspect,
    .scheduling = stencil_scheduling,
    .tuning = stencil_tuning,
    .pattern = stencil_pattern,
    .is_random = stencil_is_random,
    .placing = stencil_placing,
    .sides = stencil_sides,
    .ranks = stencil_ranks,
    .model = stencil_model,
};
