#include "schedule_model.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "exchange_instance.h"
#include "partition.h"
#include "statistics.h"

static nuce_status mesh_pattern(const struct nuce_exchange_params *params, int ranks,
                                struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_mesh mesh = {0};
    struct nuce_partition partition = {0};
    char *path = NULL;
    int shipped = 0;
    nuce_status status = nuce_mesh_locate(params->mesh, &path, &shipped, error);

    if (status == NUCE_OK)
        status = nuce_mesh_read(path, &mesh, error);
    if (status == NUCE_OK)
        status = nuce_partition_create(nuce_partition_find(params->partition), &mesh, ranks,
                                       params->seed, &partition, error);
    if (status == NUCE_OK)
        status = nuce_partition_pattern(&mesh, &partition, out, error);
    free(path);
    nuce_mesh_fini(&mesh);
    nuce_partition_fini(&partition);
    return status;
}

nuce_status nuce_model_pattern(const struct nuce_exchange_params *params, int ranks,
                               struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_pattern pattern = {0};
    nuce_status status = strcmp(params->pattern, "mesh") == 0
                             ? mesh_pattern(params, ranks, &pattern, error)
                             : nuce_exchange_pattern(params, ranks, &pattern, error);

    if (status == NUCE_OK)
        status = nuce_exchange_scale(params, &pattern, error);
    if (status == NUCE_OK)
        *out = pattern;
    else
        nuce_pattern_fini(&pattern);
    return status;
}

void nuce_model_schedule_fini(struct nuce_model_schedule *model)
{
    nuce_schedule_fini(&model->schedule);
    nuce_timing_fini(&model->timing);
}

/* A schedule takes microseconds to compute: timed again while that is cheap, the median kept. */
#define REPEATS 5
#define REPEAT_S 0.02

static nuce_status compute(const struct nuce_schedule_ops *algorithm,
                           const struct nuce_schedule_input *input, struct nuce_schedule *schedule,
                           double *seconds, struct nuce_error *error)
{
    double times[REPEATS], total = 0;
    int count = 0;

    while (count < REPEATS && total < REPEAT_S) {
        double begin = nuce_processor_clock();

        nuce_schedule_fini(schedule);
        if (nuce_schedule_create(algorithm, input, schedule, error) != NUCE_OK)
            return error->status;
        times[count] = nuce_processor_clock() - begin;
        total += times[count++];
    }
    nuce_sort(times, count);
    *seconds = nuce_median(times, count);
    return NUCE_OK;
}

nuce_status nuce_model_schedule(const struct nuce_exchange_params *params,
                                const struct nuce_pattern *pattern,
                                const struct nuce_network *network,
                                const enum nuce_execution *execution,
                                struct nuce_model_schedule *out, struct nuce_error *error)
{
    struct nuce_tuning tuning = nuce_exchange_tuning(params);
    struct nuce_schedule_input input = {.pattern = pattern,
                                        .network = network,
                                        .tuning = &tuning,
                                        .rng = nuce_exchange_rng(params)};
    struct nuce_model_schedule model = {0};
    nuce_status status = compute(nuce_schedule_find(params->algorithm), &input, &model.schedule,
                                 &model.seconds, error);

    if (status == NUCE_OK)
        status = nuce_schedule_validate(&model.schedule, pattern, error);
    if (status == NUCE_OK)
        status = nuce_bounds_compute(pattern, network, &model.bounds, error);
    if (status == NUCE_OK && nuce_execution_is_modelled(&model.schedule)) {
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
