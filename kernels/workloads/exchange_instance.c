#include "exchange_instance.h"

#include <string.h>

#include "generator.h"
#include "memory.h"

static struct nuce_generator_input generator_input(const struct nuce_exchange_params *params,
                                                   int ranks)
{
    int density = params->density > NUCE_PATTERN_MAX_RANKS ? NUCE_PATTERN_MAX_RANKS
                                                           : nuce_int(params->density);

    return (struct nuce_generator_input){.ranks = ranks, .density = density};
}

nuce_status nuce_exchange_check_pattern(const struct nuce_exchange_params *params, int ranks,
                                        struct nuce_error *error)
{
    struct nuce_generator_input input = generator_input(params, ranks);

    return nuce_generator_check(nuce_generator_find(params->pattern), &input, error);
}

nuce_status nuce_exchange_pattern(const struct nuce_exchange_params *params, int ranks,
                                  struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_generator_input input = generator_input(params, ranks);
    struct nuce_rng rng = nuce_rng_create((uint64_t)params->seed, (uint64_t)params->instance);

    if (strcmp(params->pattern, "com") == 0)
        return nuce_pattern_read(params->com, ranks, out, error);
    return nuce_generate(nuce_generator_find(params->pattern), &input, &rng, out, error);
}

nuce_status nuce_exchange_scale(const struct nuce_exchange_params *params,
                                struct nuce_pattern *pattern, struct nuce_error *error)
{
    if (strcmp(params->pattern, "com") == 0)
        return NUCE_OK;
    return nuce_pattern_scale(pattern, params->unit, error);
}

nuce_status nuce_exchange_network(const struct nuce_exchange_params *params, int ranks,
                                  struct nuce_network *out, struct nuce_error *error)
{
    if (params->network[0] == '\0') {
        *out = (struct nuce_network){0};
        return NUCE_OK;
    }
    return nuce_network_named(params->network, ranks, out, error);
}

struct nuce_tuning nuce_exchange_tuning(const struct nuce_exchange_params *params)
{
    struct nuce_tuning tuning = nuce_tuning_preset;

    if (strcmp(params->pattern, "com") != 0)
        tuning.unit = (double)params->unit;
    if (params->phi > 0)
        tuning.startup_units = params->tau / params->phi / tuning.unit;
    tuning.lambda = params->lambda;
    tuning.depth = nuce_int(params->depth);
    tuning.choices = params->choices;
    return tuning;
}

struct nuce_rng nuce_exchange_rng(const struct nuce_exchange_params *params)
{
    return nuce_rng_create((uint64_t)params->seed, UINT64_MAX);
}
