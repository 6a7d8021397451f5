/* The pattern of an exchange: drawn by a generator, read from a COM file, or what a mesh that is
 * cut into parts has to exchange. Each rank makes the whole of it from the same numbers. A program
 * reads a mesh once for all its points, which is why nuce_exchange_pattern knows nothing of meshes,
 * and nuce_exchange_whole_pattern does. */
#include "workloads/exchange_instance.h"

#include <stdlib.h>
#include <string.h>

#include "meshes/partition.h"
#include "schedules/generator.h"
#include "support/int.h"

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
    struct nuce_rng rng =
        nuce_rng_create((uint64_t)params->scheduling.seed, (uint64_t)params->scheduling.instance);

    if (strcmp(params->pattern, "com") == 0)
        return nuce_pattern_read(params->com, ranks, out, error);
    return nuce_generators_draw(nuce_generator_find(params->pattern), &input, &rng, out, error);
}

nuce_status nuce_exchange_scale(const struct nuce_exchange_params *params,
                                struct nuce_pattern *pattern, struct nuce_error *error)
{
    if (strcmp(params->pattern, "com") == 0)
        return NUCE_OK;
    return nuce_pattern_scale(pattern, params->unit, error);
}

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
                                       params->scheduling.seed, &partition, error);
    if (status == NUCE_OK)
        status = nuce_partition_pattern(&mesh, &partition, out, error);
    free(path);
    nuce_mesh_fini(&mesh);
    nuce_partition_fini(&partition);
    return status;
}

nuce_status nuce_exchange_whole_pattern(const void *params, int ranks, struct nuce_pattern *out,
                                        struct nuce_error *error)
{
    const struct nuce_exchange_params *p = params;
    struct nuce_pattern pattern = {0};
    nuce_status status = strcmp(p->pattern, "mesh") == 0
                             ? mesh_pattern(p, ranks, &pattern, error)
                             : nuce_exchange_pattern(p, ranks, &pattern, error);

    if (status == NUCE_OK)
        status = nuce_exchange_scale(p, &pattern, error);
    if (status == NUCE_OK)
        *out = pattern;
    else
        nuce_pattern_fini(&pattern);
    return status;
}
