#include "model/schedule_model.h"

#include <stdlib.h>
#include <string.h>

#include "support/text.h"

void nuce_model_instance_fini(struct nuce_model_instance *instance)
{
    nuce_pattern_fini(&instance->pattern);
    nuce_network_fini(&instance->network);
    free(instance->network_name);
    memset(instance, 0, sizeof *instance);
}

static nuce_status make_network(const struct nuce_scheduling *scheduling, int ranks,
                                const char *otherwise, struct nuce_model_instance *instance,
                                struct nuce_error *error)
{
    struct nuce_scheduling named = *scheduling;

    if (named.network[0] == '\0' && !nuce_text_copy(named.network, sizeof named.network, otherwise))
        return nuce_error_refuse(error, "network", "longer than %zu bytes: '%.60s...'",
                                 sizeof named.network - 1, otherwise);
    return nuce_scheduling_network(&named, ranks, NULL, &instance->network, &instance->network_name,
                                   error);
}

nuce_status nuce_model_instance(const struct nuce_workload_ops *workload, const void *params,
                                int ranks, const char *otherwise, struct nuce_model_instance *out,
                                struct nuce_error *error)
{
    const struct nuce_scheduling *scheduling = workload->scheduling(params);
    struct nuce_model_instance instance = {0};
    nuce_status status = workload->pattern(params, ranks, &instance.pattern, error);

    if (status == NUCE_OK)
        status = make_network(scheduling, ranks, otherwise, &instance, error);
    if (status == NUCE_OK)
        status = nuce_scheduling_emulate(scheduling, &instance.pattern, &instance.network, error);
    if (status == NUCE_OK)
        *out = instance;
    else
        nuce_model_instance_fini(&instance);
    return status;
}

void nuce_model_schedule_fini(struct nuce_model_schedule *model)
{
    nuce_schedule_fini(&model->schedule);
    nuce_timing_fini(&model->timing);
}

nuce_status nuce_model_schedule(const struct nuce_workload_ops *workload, const void *params,
                                const struct nuce_model_instance *instance,
                                const enum nuce_execution *execution,
                                struct nuce_model_schedule *out, struct nuce_error *error)
{
    const struct nuce_scheduling *scheduling = workload->scheduling(params);
    struct nuce_tuning tuning = workload->tuning(params);
    const struct nuce_pattern *pattern = &instance->pattern;
    const struct nuce_network *network = &instance->network;
    struct nuce_schedule_input input = {.pattern = pattern,
                                        .network = network,
                                        .tuning = &tuning,
                                        .rng = nuce_scheduling_rng(scheduling)};
    struct nuce_model_schedule model = {0};
    nuce_status status = nuce_schedule_create_timed(nuce_schedule_find(scheduling->schedule),
                                                    &input, &model.schedule, &model.seconds, error);

    if (status == NUCE_OK)
        status = nuce_schedule_validate(&model.schedule, pattern, error);
    if (status == NUCE_OK)
        status = nuce_bounds_compute(pattern, network, &model.bounds, error);
    if (status == NUCE_OK && nuce_execution_is_modelled(&model.schedule, network)) {
        model.is_timed = 1;
        model.execution =
            execution != NULL ? *execution : nuce_execution_of(&model.schedule, network);
        status =
            nuce_execution_run(&model.schedule, network, model.execution, &model.timing, error);
    }
    if (status == NUCE_OK)
        *out = model;
    else
        nuce_model_schedule_fini(&model);
    return status;
}
