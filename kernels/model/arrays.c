/* nuce-model arrays: decompositions of an array and what they cost, of given weights or in the mean
 * over random ones. */
#include <math.h>
#include <stdlib.h>

#include "model/arrays_arguments.h"
#include "model/model.h"
#include "support/allocate.h"
#include "support/clock.h"
#include "tables/rows.h"

/* Of one decomposition: sums over samples. */
struct row {
    const struct nuce_decomposition_ops *ops;
    struct nuce_decomposition_cost cost;
    double edges, seconds;
    double imbalance;  /* the largest of a part's share of the array to its weight's; no sum */
    double area_error; /* the largest of any part, cells; no sum */
    int is_settled;
    json_t *rectangles; /* of the last sample, owned; NULL: the weights are drawn */
};

struct run {
    struct nuce_arrays_arguments arguments;
    struct row *rows; /* one a decomposition */
    double *weights;  /* of the sample */
    double *areas;    /* of its parts before rounding */
};

static void finish(struct run *run)
{
    for (int i = 0; run->rows != NULL && i < run->arguments.decomposition_count; i++)
        json_decref(run->rows[i].rectangles);
    free(run->rows);
    free(run->weights);
    free(run->areas);
    nuce_arrays_arguments_fini(&run->arguments);
}

static nuce_status prepare(struct run *run, struct nuce_error *error)
{
    int parts = run->arguments.array.parts;

    run->rows = nuce_allocate(run->arguments.decomposition_count, sizeof *run->rows, error);
    run->weights = nuce_allocate(parts, sizeof *run->weights, error);
    run->areas = nuce_allocate(parts, sizeof *run->areas, error);
    if (run->rows == NULL || run->weights == NULL || run->areas == NULL)
        return error->status;
    for (int i = 0; i < run->arguments.decomposition_count; i++)
        run->rows[i] = (struct row){.ops = run->arguments.decompositions[i], .is_settled = 1};
    return NUCE_OK;
}

static json_t *number(const struct run *run, double value)
{
    return run->arguments.is_integer ? json_integer((json_int_t)value) : json_real(value);
}

static json_t *rectangles_json(const struct run *run, const struct nuce_decomposition *made)
{
    json_t *all = json_array();

    for (int i = 0; i < made->parts; i++) {
        const struct nuce_rectangle *part = &made->rectangles[i];

        (void)json_array_append_new(
            all, json_pack("{s:i, s:o, s:o, s:o, s:o}", "owner", part->owner, "row",
                           number(run, part->row), "column", number(run, part->column), "rows",
                           number(run, part->rows), "columns", number(run, part->columns)));
    }
    return all;
}

/* Rounds made if that is asked for. */
static nuce_status round_parts(struct run *run, struct row *row, struct nuce_decomposition *made,
                               struct nuce_error *error)
{
    if (!run->arguments.is_integer)
        return NUCE_OK;
    for (int i = 0; i < made->parts; i++)
        run->areas[i] = made->rectangles[i].rows * made->rectangles[i].columns;
    if (nuce_decomposition_round(made, run->arguments.allows_empty, error) != NUCE_OK)
        return nuce_error_prefix(error, "--integer: %s", row->ops->name);
    for (int i = 0; i < made->parts; i++)
        row->area_error =
            fmax(row->area_error,
                 fabs(made->rectangles[i].rows * made->rectangles[i].columns - run->areas[i]));
    return NUCE_OK;
}

static void add_imbalance(const struct nuce_array *array, const struct nuce_decomposition *made,
                          struct row *row)
{
    double total = 0, cells = array->rows * array->columns;

    for (int i = 0; i < array->parts; i++)
        total += array->weights[i];
    for (int i = 0; i < array->parts; i++)
        row->imbalance =
            fmax(row->imbalance, made->rectangles[i].rows * made->rectangles[i].columns / cells /
                                     (array->weights[i] / total));
}

static nuce_status add_sample(struct run *run, const struct nuce_array *array, struct row *row,
                              struct nuce_error *error)
{
    struct nuce_decomposition made;
    struct nuce_decomposition_cost cost = {0};
    double began = nuce_processor_clock();
    nuce_status status = nuce_decomposition_compute(row->ops, array, &made, error);

    if (status != NUCE_OK)
        return status;
    row->seconds += nuce_processor_clock() - began;
    status = round_parts(run, row, &made, error);
    if (status == NUCE_OK)
        status = nuce_decomposition_measure(&made, array->latency, array->edges, &cost, error);
    if (status == NUCE_OK) {
        add_imbalance(array, &made, row);
        row->cost.acost += cost.acost;
        row->cost.bcost += cost.bcost;
        row->cost.cost += cost.cost;
        row->edges += (double)cost.internal_edges;
        row->is_settled &= made.is_settled;
        if (run->arguments.array.weights != NULL)
            row->rectangles = rectangles_json(run, &made);
    }
    nuce_decomposition_fini(&made);
    return status;
}

static nuce_status run_samples(struct run *run, struct nuce_error *error)
{
    const struct nuce_arrays_arguments *arguments = &run->arguments;
    struct nuce_array array = arguments->array;
    nuce_status status = NUCE_OK;

    for (int64_t k = 0; status == NUCE_OK && k < arguments->samples; k++) {
        if (arguments->array.weights == NULL) {
            struct nuce_rng rng = nuce_rng_create((uint64_t)arguments->seed, (uint64_t)k);

            nuce_decomposition_draw_weights(&rng, arguments->ratio, array.parts, run->weights);
            array.weights = run->weights;
        }
        for (int i = 0; status == NUCE_OK && i < arguments->decomposition_count; i++)
            status = add_sample(run, &array, &run->rows[i], error);
    }
    return status;
}

static json_t *row_json(const struct run *run, const struct row *row)
{
    const struct nuce_arrays_arguments *arguments = &run->arguments;
    double n = (double)arguments->samples;
    json_t *json = json_pack(
        "{s:s, s:I, s:I, s:i, s:f, s:I, s:f, s:f, s:o, s:f, s:f, s:f, s:b}", "decomposition",
        row->ops->name, "array_rows", (json_int_t)arguments->array.rows, "array_columns",
        (json_int_t)arguments->array.columns, "processors", arguments->array.parts, "latency",
        arguments->array.latency, "samples", (json_int_t)arguments->samples, "acost",
        row->cost.acost / n, "bcost", row->cost.bcost / n, "internal_edges",
        arguments->samples == 1 ? json_integer((json_int_t)row->edges) : json_real(row->edges / n),
        "cost", row->cost.cost / n, "imbalance", row->imbalance, "seconds", row->seconds / n,
        "settled", row->is_settled);

    if (json != NULL && arguments->is_integer)
        (void)json_object_set_new(json, "area_error", json_real(row->area_error));
    if (json != NULL && row->rectangles != NULL)
        (void)json_object_set(json, "rectangles", row->rectangles);
    return json;
}

/* What rounding leaves of positions: 4500, not 4499.9999999999982. */
#define DIGITS 15

static const struct nuce_row_column columns[] = {
    {"decomposition", NULL, "decomposition", NUCE_LOOK_PLAIN, 0},
    {"array_rows", NULL, "array_rows", NUCE_LOOK_PLAIN, 0},
    {"array_columns", NULL, "array_columns", NUCE_LOOK_PLAIN, 0},
    {"processors", NULL, "processors", NUCE_LOOK_PLAIN, 0},
    {"latency", NULL, "latency", NUCE_LOOK_PLAIN, 0},
    {"samples", NULL, "samples", NUCE_LOOK_PLAIN, 0},
    {"acost", NULL, "acost", NUCE_LOOK_PLAIN, 0},
    {"bcost", NULL, "bcost", NUCE_LOOK_PLAIN, 0},
    {"internal_edges", NULL, "internal_edges", NUCE_LOOK_PLAIN, 0},
    {"cost", NULL, "cost", NUCE_LOOK_PLAIN, 0},
    {"imbalance", NULL, "imbalance", NUCE_LOOK_PLAIN, 0},
    {"seconds", NULL, "seconds", NUCE_LOOK_SECONDS, 0},
    {"settled", NULL, "settled", NUCE_LOOK_PLAIN, 0},
};

static nuce_status print(const struct run *run, struct nuce_error *error)
{
    json_t *rows = json_array();
    const struct nuce_row_layout layout = {
        .columns = columns, .count = sizeof columns / sizeof *columns, .digits = DIGITS};
    nuce_status status = NUCE_OK;

    for (int i = 0; status == NUCE_OK && i < run->arguments.decomposition_count; i++) {
        json_t *row = row_json(run, &run->rows[i]);

        if (row == NULL || json_array_append_new(rows, row) != 0)
            status = nuce_error_set(error, NUCE_FAILED, "out of memory for the results");
    }
    if (status == NUCE_OK)
        status = nuce_rows_print(rows, &layout, run->arguments.format, stdout, error);
    json_decref(rows);
    return status;
}

static int run_arrays(int argc, char **argv)
{
    struct run run = {0};
    struct nuce_error error = {0};
    nuce_status status = nuce_arrays_arguments_parse(argc, argv, &run.arguments, &error);

    if (status == NUCE_OK)
        status = prepare(&run, &error);
    if (status == NUCE_OK)
        status = run_samples(&run, &error);
    if (status == NUCE_OK)
        status = print(&run, &error);
    if (status != NUCE_OK)
        nuce_error_print(&error, "nuce-model");
    finish(&run);
    return nuce_error_exit_status(status);
}

const struct nuce_model_command nuce_model_arrays_command = {
    .name = "arrays",
    .summary = "decompositions of an array among processors of unlike speeds",
    .run = run_arrays,
};
