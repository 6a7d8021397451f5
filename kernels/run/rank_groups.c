/* Rank 0 reads the topology, finds the ranks' hosts in it, and tells all. */
#include "run/rank_groups.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/text.h"
#include "run/machine_topology.h"
#include "run/nodes.h"

/* The names of the ranks' hosts as machine_topology.h wants them: a new array. */
static json_t *rank_hosts(const char *names, int width, int ranks)
{
    json_t *hosts = json_array();

    for (int i = 0; i < ranks; i++)
        json_array_append_new(hosts, json_string(names + (size_t)i * (size_t)width));
    return hosts;
}

/* Fills group_of by the topology at path. Rank 0. */
static nuce_status read_groups(const struct nuce_world *world, const struct nuce_placing *placing,
                               const char *path, int *group_of, struct nuce_error *error)
{
    struct nuce_topology topology;

    if (nuce_machine_topology(world, placing, path, &topology, group_of, error) != NUCE_OK)
        return error->status;
    if (nuce_topology_groups(&topology, group_of, world->size, group_of, error) != NUCE_OK)
        nuce_error_prefix(error, "topology: %s", path);
    else
        error->status = NUCE_OK;
    nuce_topology_fini(&topology);
    return error->status;
}

/* Fills group_of; *is_known: 0 where no file tells, which is no error. Rank 0. */
static nuce_status find_groups(const struct nuce_world *world, const struct nuce_placing *placing,
                               int *group_of, int *is_known, struct nuce_error *error)
{
    char *path = nuce_machine_topology_path(placing, error);
    nuce_status status;

    *is_known = path != NULL;
    if (path == NULL)
        return error->status == NUCE_BAD_INPUT ? NUCE_OK : error->status;
    status = read_groups(world, placing, path, group_of, error);
    free(path);
    return status;
}

nuce_status nuce_rank_groups(struct nuce_world *world, const char *topology, int **group_of,
                             struct nuce_error *error)
{
    struct nuce_world named = *world;
    struct nuce_placing placing = {.topology = ""}; /* by name */
    int *groups, width, is_known = 0;
    char *names;
    json_t *hosts;
    nuce_status status = NUCE_OK;

    nuce_nodes_names(world, &names, &width);
    *group_of = NULL;
    nuce_text_copy(placing.topology, sizeof placing.topology, topology);
    named.hosts = hosts = rank_hosts(names, width, world->size);
    groups = nuce_allocate(world->size, sizeof *groups);
    if (world->rank == 0)
        status = find_groups(&named, &placing, groups, &is_known, error);
    free(names);
    json_decref(hosts);
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK) {
        nuce_world_broadcast(world, &is_known, (int64_t)sizeof is_known);
        nuce_world_broadcast(world, groups, world->size * (int64_t)sizeof *groups);
    }
    if (status == NUCE_OK && is_known)
        *group_of = groups;
    else
        free(groups);
    return status;
}
