#include "scheduling.h"

#include <limits.h>
#include <string.h>

#include "memory.h"

const char *nuce_scheduling_algorithm(size_t index)
{
    return nuce_schedules[index] == NULL ? NULL : nuce_schedules[index]->name;
}

/* Of the tuning: whether the algorithm looks at it. */
static int is_used(const char *name, const struct nuce_scheduling *s)
{
    const struct nuce_schedule_ops *algorithm = nuce_schedule_find(s->algorithm);
    unsigned uses = algorithm == NULL ? 0 : algorithm->uses;

    if (strcmp(name, "tau") == 0 || strcmp(name, "phi") == 0)
        return s->tau > 0 && (uses & NUCE_USES_STARTUP);
    if (strcmp(name, "lambda") == 0)
        return s->lambda > 0 && (uses & NUCE_USES_LAMBDA);
    if (strcmp(name, "choices") == 0)
        return s->choices[0] != '\0' && (uses & NUCE_USES_CHOICES);
    return (uses & NUCE_USES_DEPTH) != 0;
}

int nuce_scheduling_applies(const struct nuce_option *option,
                            const struct nuce_scheduling *scheduling, int *applies)
{
    if (option->flags & NUCE_OPTION_TUNING)
        *applies = is_used(option->name, scheduling);
    else if (option->flags & NUCE_OPTION_NETWORK)
        *applies = scheduling->network[0] != '\0';
    else
        return 0;
    return 1;
}

nuce_status nuce_scheduling_check(const struct nuce_scheduling *scheduling,
                                  struct nuce_error *error)
{
    if (scheduling->algorithm[0] == '\0')
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "algorithm: not given: expected one of 'nuce list algorithms'");
    if (scheduling->lambda < 0 || scheduling->lambda > 1)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "lambda: '%g': expected more than 0 and at most 1",
                              scheduling->lambda);
    if ((scheduling->tau > 0) != (scheduling->phi > 0))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: '0' or not given: tau and phi go together, both more than 0",
                              scheduling->tau > 0 ? "phi" : "tau");
    if (scheduling->choices[0] != '\0' &&
        nuce_schedule_check_choices(scheduling->choices, error) != NUCE_OK)
        return error->status;
    if (scheduling->depth > INT_MAX)
        return nuce_error_set(error, NUCE_BAD_INPUT, "depth: '%lld': expected at most %d",
                              (long long)scheduling->depth, INT_MAX);
    return NUCE_OK;
}

nuce_status nuce_scheduling_inspect(const struct nuce_scheduling *scheduling, int ranks,
                                    struct nuce_facts *facts, struct nuce_error *error)
{
    int network_ranks;

    if (scheduling->network[0] == '\0')
        return NUCE_OK;
    if (nuce_facts_network_ranks(facts, scheduling->network, &network_ranks, error) != NUCE_OK)
        return nuce_error_prefix(error, "network");
    if (network_ranks != 0 && network_ranks != ranks)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "ranks: '%d': %s is for %d ranks, expected as many", ranks,
                              scheduling->network, network_ranks);
    return NUCE_OK;
}

struct nuce_tuning nuce_scheduling_tuning(const struct nuce_scheduling *scheduling, double unit)
{
    struct nuce_tuning tuning = nuce_tuning_preset;

    tuning.unit = unit;
    if (scheduling->phi > 0)
        tuning.startup_units = scheduling->tau / scheduling->phi / unit;
    tuning.lambda = scheduling->lambda;
    tuning.depth = nuce_int(scheduling->depth);
    tuning.choices = scheduling->choices;
    return tuning;
}

struct nuce_rng nuce_scheduling_rng(const struct nuce_scheduling *scheduling)
{
    return nuce_rng_create((uint64_t)scheduling->seed, UINT64_MAX);
}

nuce_status nuce_scheduling_network(const struct nuce_scheduling *scheduling, int ranks,
                                    struct nuce_network *out, struct nuce_error *error)
{
    if (scheduling->network[0] == '\0') {
        *out = (struct nuce_network){0};
        return NUCE_OK;
    }
    return nuce_network_named(scheduling->network, ranks, out, error);
}
