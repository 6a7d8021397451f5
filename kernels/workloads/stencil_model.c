#include "workloads/stencil_model.h"

#include <stdlib.h>

#include "support/clock.h"
#include "support/memory.h"
#include "workloads/stencil_instance.h"

/* Sums over samples. */
struct sums {
    struct nuce_decomposition_cost cost;
    double edges, seconds;
    int is_settled;
};

/* Cuts the array with these weights and adds what that costs. *made is freed by the caller. */
static nuce_status add_sample(const struct nuce_stencil_params *params, int ranks,
                              const double *weights, struct sums *sums,
                              struct nuce_decomposition *made, struct nuce_error *error)
{
    struct nuce_array array = nuce_stencil_array(params, ranks, weights);
    struct nuce_decomposition_cost cost;
    double began = nuce_processor_clock();

    if (nuce_decompose(nuce_stencil_decomposition(params), &array, made, error) != NUCE_OK)
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

static nuce_status add_samples(const struct nuce_stencil_params *params, int ranks, double *weights,
                               int64_t samples, struct sums *sums, json_t *record,
                               struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    for (int64_t k = 0; status == NUCE_OK && k < samples; k++) {
        int64_t number = nuce_stencil_is_mean(params) ? k : params->scheduling.instance;
        struct nuce_decomposition made = {0};

        status = nuce_stencil_weights(params, ranks, number, NULL, weights, error);
        if (status == NUCE_OK)
            status = add_sample(params, ranks, weights, sums, &made, error);
        if (status == NUCE_OK && !nuce_stencil_is_mean(params))
            (void)json_object_set_new(record, "rectangles", nuce_stencil_rectangles(&made));
        nuce_decomposition_fini(&made);
    }
    return status;
}

nuce_status nuce_stencil_model(const void *params, int ranks, json_t *record,
                               struct nuce_error *error)
{
    const struct nuce_stencil_params *p = params;
    int64_t samples = nuce_stencil_is_mean(p) ? p->samples : 1;
    double *weights = nuce_allocate(ranks, sizeof *weights, error), n = (double)samples;
    struct sums sums = {.is_settled = 1};
    nuce_status status;

    if (weights == NULL)
        return error->status;
    status = add_samples(p, ranks, weights, samples, &sums, record, error);
    free(weights);
    if (status != NUCE_OK)
        return status;
    (void)json_object_set_new(record, "acost", json_real(sums.cost.acost / n));
    (void)json_object_set_new(record, "bcost", json_real(sums.cost.bcost / n));
    (void)json_object_set_new(record, "internal_edges", json_real(sums.edges / n));
    (void)json_object_set_new(record, "cost", json_real(sums.cost.cost / n));
    (void)json_object_set_new(record, "decompose_s", json_real(sums.seconds / n));
    (void)json_object_set_new(record, "settled", json_integer(sums.is_settled));
    return NUCE_OK;
}
