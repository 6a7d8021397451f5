/* The instance of a stencil's parameters for a rank count: weights, the array cut by them, its
 * parts in whole cells, and their messages. Pure: the MPI program, the model and the checks of a
 * sweep get the same from the same parameters.
 *
 * Steps: weights (drawn, listed, equal or measured); rectangles of proportional areas (arrays/);
 * every border rounded to a whole cell; the halo of the rounded rectangles (instances/halo.h); one
 * message for all pieces from one part to another.
 * Cost: that of the decomposition, then O(parts log parts) for the lines, and that of the halo. */
#include "points/stencil_instance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/units.h"

/* Lists of numbers, one for each rank, in the text of an option: "1,2,4,8". In the canonical form
 * they have the fewest digits that give the number back, so that 1.0 and 1 are the same point. */

/* The number of entries of list. */
static int count_entries(const char *list)
{
    int count = 1;

    for (; *list != '\0'; list++)
        count += *list == ',';
    return count;
}

/* Takes the next entry, number index of count, from *rest: a finite number above 0. */
static nuce_status next_number(const char *option, char **rest, int index, int count, double *out,
                               struct nuce_error *error)
{
    const char *word = strsep(rest, ",");

    if (nuce_units_parse_real(word, out, error) != NUCE_OK) {
        nuce_error_prefix(error, "number %d of %d", index + 1, count);
        return nuce_error_about(error, option);
    }
    if (!(*out > 0) || !isfinite(*out))
        return nuce_error_refuse(error, option, "number %d of %d: '%s': expected a number above 0",
                                 index + 1, count, word);
    return NUCE_OK;
}

nuce_status nuce_stencil_list_read(const char *option, const char *list, int count, double *numbers,
                                   struct nuce_error *error)
{
    char copy[NUCE_WEIGHTS_BYTES], *rest = copy;
    int entries = count_entries(list);

    snprintf(copy, sizeof copy, "%s", list);
    for (int i = 0; i < entries; i++) {
        double number;

        if (next_number(option, &rest, i, entries, &number, error) != NUCE_OK)
            return error->status;
        if (numbers != NULL && i < count)
            numbers[i] = number;
    }
    if (entries != count)
        return nuce_error_refuse(
            error, option,
            "'%s': %d number%s: expected one for each of %d ranks, such as "
            "1,2,4,8; in a sweep in quotes, as brackets hold several such lists",
            list, entries, entries == 1 ? "" : "s", count);
    return NUCE_OK;
}

/* 15 digits give back a number that a user wrote with at most 15; 17 give back any double. */
nuce_status nuce_stencil_list_normalise(const char *option, char *list, size_t room,
                                        struct nuce_error *error)
{
    char copy[NUCE_WEIGHTS_BYTES], again[NUCE_WEIGHTS_BYTES] = "", *rest = copy;
    int entries = count_entries(list);
    size_t length = 0;

    snprintf(copy, sizeof copy, "%s", list);
    for (int i = 0; i < entries; i++) {
        char text[32];
        double number;

        if (next_number(option, &rest, i, entries, &number, error) != NUCE_OK)
            return error->status;
        snprintf(text, sizeof text, "%.15g", number);
        if (strtod(text, NULL) != number)
            snprintf(text, sizeof text, "%.17g", number);
        length += (size_t)snprintf(again + length, room - length, "%s%s", i == 0 ? "" : ",", text);
        if (length >= room)
            return nuce_error_refuse(error, option, "longer than %zu bytes: '%.60s...'", room - 1,
                                     list);
    }
    snprintf(list, room, "%s", again);
    return NUCE_OK;
}

#define MOST_BYTES 9007199254740992.0 /* of an array: the range in which a double is exact */

int nuce_stencil_draws(const struct nuce_stencil_params *params)
{
    return params->weights[0] == '\0' && params->ratio > 1;
}

int nuce_stencil_is_mean(const struct nuce_stencil_params *params)
{
    return nuce_stencil_draws(params) && params->scheduling.samples > 1;
}

int64_t nuce_stencil_cell_bytes(const struct nuce_stencil_params *params)
{
    return strcmp(params->element, "float") == 0 ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
}

const struct nuce_decomposition_ops *
nuce_stencil_decomposition(const struct nuce_stencil_params *params)
{
    const struct nuce_decomposition_ops *ops = NULL;
    struct nuce_error error;

    NUCE_ASSERT(nuce_decomposition_find(params->decomposition, &ops, &error) == NUCE_OK);
    return ops;
}

struct nuce_array nuce_stencil_array(const struct nuce_stencil_params *params, int ranks,
                                     const double *weights)
{
    return (struct nuce_array){
        .rows = (double)params->rows,
        .columns = (double)params->columns,
        .parts = ranks,
        .weights = weights,
        .latency = params->latency,
        .edges = strcmp(params->edges, "naive") == 0 ? NUCE_EDGES_NAIVE : NUCE_EDGES_EXACT,
    };
}

static void stencil_fill_instance(double value, int count, double *out)
{
    for (int i = 0; i < count; i++)
        out[i] = value;
}

nuce_status nuce_stencil_weights(const struct nuce_stencil_params *params, int ranks,
                                 int64_t instance, const double *measured, double *weights,
                                 struct nuce_error *error)
{
    if (params->weights[0] == '\0') {
        struct nuce_rng rng =
            nuce_rng_create((uint64_t)params->scheduling.seed, (uint64_t)instance);

        nuce_decomposition_draw_weights(&rng, params->ratio, ranks, weights);
        return NUCE_OK;
    }
    if (strcmp(params->weights, NUCE_WEIGHTS_EQUAL) == 0) {
        stencil_fill_instance(1, ranks, weights);
        return NUCE_OK;
    }
    if (strcmp(params->weights, NUCE_WEIGHTS_MEASURED) != 0)
        return nuce_stencil_list_read("weights", params->weights, ranks, weights, error);
    if (measured == NULL)
        return nuce_error_refuse(error, "weights",
                                 "'measured': known only where the ranks run: expected a "
                                 "list, such as 1,2,4, or equal");
    memcpy(weights, measured, (size_t)ranks * sizeof *weights);
    return NUCE_OK;
}

nuce_status nuce_stencil_speeds(const struct nuce_stencil_params *params, int ranks, double *speeds,
                                struct nuce_error *error)
{
    if (params->emulate_speeds[0] != '\0')
        return nuce_stencil_list_read("emulate-speeds", params->emulate_speeds, ranks, speeds,
                                      error);
    stencil_fill_instance(1, ranks, speeds);
    return NUCE_OK;
}

nuce_status nuce_stencil_check(const struct nuce_stencil_params *params, int ranks,
                               struct nuce_error *error)
{
    const struct nuce_decomposition_ops *ops = nuce_stencil_decomposition(params);
    double bytes =
        (double)params->rows * (double)params->columns * (double)nuce_stencil_cell_bytes(params);
    struct nuce_array array;
    double *weights;

    if (ops->most_parts > 0 && ranks > ops->most_parts)
        return nuce_error_refuse(error, "ranks", "'%d': the decomposition %s is for at most %d",
                                 ranks, ops->name, ops->most_parts);
    if (!(bytes < MOST_BYTES))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "rows and columns: %lld x %lld cells: expected less than 2^53 bytes",
                              (long long)params->rows, (long long)params->columns);
    if (params->points != 5 && params->points != 9)
        return nuce_error_refuse(error, "stencil", "'%lld': expected 5 or 9",
                                 (long long)params->points);
    /* The array, with its speeds in place of weights that are not known yet. */
    weights = nuce_allocate(ranks, sizeof *weights);
    array = nuce_stencil_array(params, ranks, weights);
    error->status = nuce_stencil_speeds(params, ranks, weights, error);
    if (error->status == NUCE_OK && strcmp(params->weights, NUCE_WEIGHTS_MEASURED) != 0)
        error->status =
            nuce_stencil_weights(params, ranks, params->scheduling.instance, NULL, weights, error);
    if (error->status == NUCE_OK)
        error->status = nuce_array_check(&array, error);
    free(weights);
    return error->status;
}

void nuce_stencil_instance_fini(struct nuce_stencil_instance *instance)
{
    free(instance->weights);
    nuce_decomposition_fini(&instance->parts);
    nuce_decomposition_fini(&instance->tiling);
    nuce_halo_fini(&instance->halo);
    memset(instance, 0, sizeof *instance);
}

nuce_status nuce_stencil_instance_cut(const struct nuce_stencil_params *params, int ranks,
                                      const double *weights, struct nuce_stencil_instance *out,
                                      struct nuce_error *error)
{
    struct nuce_stencil_instance made = {.weights = nuce_allocate(ranks, sizeof *made.weights)};
    /* Borrows the copy of the weights, which is filled below, before it is read. */
    struct nuce_array array = nuce_stencil_array(params, ranks, made.weights);
    /* With depth above 1 the sweeps between two exchanges use diagonal cells too, so that these are
     * needed even for 5 points. */
    struct nuce_halo_shape shape = {
        .depth = params->halo_depth,
        .corners = params->points == 9 || params->halo_depth > 1,
        .is_wrapped = strcmp(params->border, "periodic") == 0,
    };
    nuce_status status;

    memcpy(made.weights, weights, (size_t)ranks * sizeof *weights);
    status =
        nuce_decomposition_compute(nuce_stencil_decomposition(params), &array, &made.parts, error);
    if (status == NUCE_OK) {
        size_t bytes = (size_t)made.parts.parts * sizeof *made.parts.rectangles;

        made.tiling = made.parts;
        made.tiling.rectangles = nuce_allocate(1, bytes);
        memcpy(made.tiling.rectangles, made.parts.rectangles, bytes);
        status = nuce_decomposition_round(&made.tiling, params->allow_empty, error);
    }
    if (status == NUCE_OK)
        status = nuce_halo_init(&made.tiling, &shape, &made.halo, error);
    if (status != NUCE_OK)
        nuce_stencil_instance_fini(&made);
    else
        *out = made;
    return status;
}

nuce_status nuce_stencil_instance_init(const struct nuce_stencil_params *params, int ranks,
                                       const double *measured, struct nuce_stencil_instance *out,
                                       struct nuce_error *error)
{
    double *weights = nuce_allocate(ranks, sizeof *weights);
    nuce_status status = NUCE_OK;

    if (nuce_stencil_is_mean(params))
        status = nuce_error_refuse(error, "samples",
                                   "'%lld': expected 1 for a run; 'nuce run --modelled' "
                                   "computes means over several arrays",
                                   (long long)params->scheduling.samples);
    if (status == NUCE_OK)
        status = nuce_stencil_weights(params, ranks, params->scheduling.instance, measured, weights,
                                      error);
    if (status == NUCE_OK)
        status = nuce_stencil_instance_cut(params, ranks, weights, out, error);
    free(weights);
    return status;
}

nuce_status nuce_stencil_halo_pattern(const struct nuce_stencil_params *params,
                                      const struct nuce_halo *halo, struct nuce_pattern *out,
                                      struct nuce_error *error)
{
    struct nuce_message *messages = nuce_allocate(halo->count, sizeof *messages);
    int64_t bytes = nuce_stencil_cell_bytes(params), count = 0;
    nuce_status status;

    for (int64_t k = 0; k < halo->count; k++) {
        const struct nuce_halo_piece *piece = &halo->pieces[k];

        /* All pieces from one part to another are one message. */
        if (k == 0 || piece->source != piece[-1].source ||
            piece->destination != piece[-1].destination)
            messages[count++] = (struct nuce_message){piece->source, piece->destination, 0};
        messages[count - 1].bytes += nuce_region_cells(piece->from) * bytes;
    }
    status = nuce_pattern_init(halo->parts, messages, count, out, error);
    free(messages);
    return status;
}

/* A row is [owner, row, column, rows, columns], in cells, by part. A new reference. */
json_t *nuce_stencil_rectangles(const struct nuce_decomposition *decomposition)
{
    json_t *all = json_array();

    for (int i = 0; i < decomposition->parts; i++) {
        const struct nuce_rectangle *part = &decomposition->rectangles[i];

        json_array_append_new(all, json_pack("[i, f, f, f, f]", part->owner, part->row,
                                             part->column, part->rows, part->columns));
    }
    return all;
}
