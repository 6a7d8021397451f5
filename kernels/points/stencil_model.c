/* The model of the workload stencil (Kaddoura, Ranka, Wang): what cutting an array costs. Cost:
 * that of the decomposition (kernels/instances). */
#include "points/stencil_model.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/clock.h"
#include "points/stencil_instance.h"

/* The largest share of the array that a part has, as a multiple of its weight's share. Of real
 * parts it is 1; of whole cells somewhat more. */
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

/* Rounds the parts to whole cells; *area_error: the most cells that one gains or loses. */
static nuce_status round_parts(struct nuce_decomposition *made, int allow_empty, double *area_error,
                               struct nuce_error *error)
{
    double *areas = nuce_allocate(made->parts, sizeof *areas);
    nuce_status status;

    for (int i = 0; i < made->parts; i++)
        areas[i] = made->rectangles[i].rows * made->rectangles[i].columns;
    status = nuce_decomposition_round(made, allow_empty, error);
    *area_error = 0;
    for (int i = 0; status == NUCE_OK && i < made->parts; i++)
        *area_error = fmax(*area_error,
                           fabs(made->rectangles[i].rows * made->rectangles[i].columns - areas[i]));
    free(areas);
    return status;
}

static void describe(const struct nuce_decomposition_cost *cost, double seconds, int is_settled,
                     struct nuce_found *found)
{
    nuce_found_real(found, "acost", cost->acost);
    nuce_found_real(found, "bcost", cost->bcost);
    nuce_found_real(found, "internal_edges", (double)cost->internal_edges);
    nuce_found_real(found, "cost", cost->cost);
    nuce_found_real(found, "decompose_s", seconds);
    nuce_found_integer(found, "settled", is_settled);
}

/* Only the decomposition is timed, as processor time. */
static nuce_status cut(const struct nuce_stencil_params *params, const struct nuce_array *array,
                       struct nuce_decomposition *made, struct nuce_found *found, json_t *lists,
                       struct nuce_error *error)
{
    struct nuce_decomposition_cost cost;
    double began = nuce_processor_clock(), seconds, area_error = NAN;

    if (nuce_decomposition_compute(nuce_stencil_decomposition(params), array, made, error) !=
        NUCE_OK)
        return error->status;
    seconds = nuce_processor_clock() - began;
    if (params->integer && round_parts(made, params->allow_empty, &area_error, error) != NUCE_OK) {
        nuce_error_prefix(error, "%s", params->decomposition);
        return nuce_error_about(error, "integer");
    }
    nuce_decomposition_measure(made, array->latency, array->edges, &cost);
    describe(&cost, seconds, made->is_settled, found);
    nuce_found_real(found, "imbalance", imbalance(array, made));
    nuce_found_real(found, "area_error", area_error);
    json_object_set_new(lists, "rectangles", nuce_stencil_rectangles(made));
    return NUCE_OK;
}

nuce_status nuce_stencil_model(const void *params, int ranks, struct nuce_model_memory *memory,
                               struct nuce_found *found, json_t *lists, struct nuce_error *error)
{
    const struct nuce_stencil_params *p = params;
    double *weights = nuce_allocate(ranks, sizeof *weights);
    struct nuce_array array = nuce_stencil_array(p, ranks, weights);
    struct nuce_decomposition made = {0};
    nuce_status status;

    (void)memory; /* each contender cuts anew */
    status = nuce_stencil_weights(p, ranks, p->scheduling.instance, NULL, weights, error);
    if (status == NUCE_OK)
        status = cut(p, &array, &made, found, lists, error);
    nuce_decomposition_fini(&made);
    free(weights);
    return status;
}
