#include "workloads/stencil_model.h"

#include <stdlib.h>

#include "support/allocate.h"
#include "support/clock.h"
#include "workloads/stencil_instance.h"

/* Sums over samples. */
struct sums {
    struct nuce_decomposition_cost cost;
    double edges, seconds;
    int is_settled;
};

/* Cuts the array with these weights and adds what that costs. *made is freed by the caller. */
static nuce_status stencil_model_add_sample(const struct nuce_stencil_params *params, int ranks,
                                            const double *weights, struct sums *sums,
                                            struct nuce_decomposition *made,
                                            struct nuce_error *error)
{
    struct nuce_array array = nuce_stencil_array(params, ranks, weights);
    struct nuce_decomposition_cost cost;
    double began = nuce_processor_clock();

    if (nuce_decomposition_compute(nuce_stencil_decomposition(params), &array, made, error) !=
        NUCE_OK)
        return error->status;
    sums->seconds += nuce_processor_clock() - began;
    if (nuce_decomposition_measure(made, array.latency, array.edges, &cost, error) != NUCE_OK)
        return error->status;
    sums->cost.acost += cost.acost;
    sums->cost.bcost += cost.bcost;
    sums->cost.cost += cost.cost;
    sums->edges += (double)cost.internal_edges;
    sums->is_settled &= made->is_settled;
    return NUCE_OK;
}

static nuce_status stencil_model_add_samples(const struct nuce_stencil_params *params, int ranks,
                                             double *weights, int64_t samples, struct sums *sums,
                                             json_t *lists, struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    for (int64_t k = 0; status == NUCE_OK && k < samples; k++) {
        int64_t number = nuce_stencil_is_mean(params) ? k : params->scheduling.instance;
        struct nuce_decomposition made = {0};

        status = nuce_stencil_weights(params, ranks, number, NULL, weights, error);
        if (status == NUCE_OK)
            status = stencil_model_add_sample(params, ranks, weights, sums, &made, error);
        if (status == NUCE_OK && !nuce_stencil_is_mean(params))
            (void)json_object_set_new(lists, "rectangles", nuce_stencil_rectangles(&made));
        nuce_decomposition_fini(&made);
    }
    return status;
}

nuce_status nuce_stencil_model(const void *params, int ranks, struct nuce_found *found,
                               json_t *lists, struct nuce_error *error)
{
    const struct nuce_stencil_params *p = params;
    int64_t samples = nuce_stencil_is_mean(p) ? p->samples : 1;
    double *weights = nuce_allocate(ranks, sizeof *weights, error), n = (double)samples;
    struct sums sums = {.is_settled = 1};
    nuce_status status;

    if (weights == NULL)
        return error->status;
    status = stencil_model_add_samples(p, ranks, weights, samples, &sums, lists, error);
    free(weights);
    if (status != NUCE_OK)
        return status;
    nuce_found_real(found, "acost", sums.cost.acost / n);
    nuce_found_real(found, "bcost", sums.cost.bcost / n);
    nuce_found_real(found, "internal_edges", sums.edges / n);
    nuce_found_real(found, "cost", sums.cost.cost / n);
    nuce_found_real(found, "decompose_s", sums.seconds / n);
    nuce_found_integer(found, "settled", sums.is_settled);
    return NUCE_OK;
}
