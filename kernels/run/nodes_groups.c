/* The groups of the ranks' nodes, by the machine's topology. */
#include <jansson.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/text.h"
#include "run/nodes.h"
#include "run/placed_world.h"

/* Rank 0 reads the topology, finds the ranks' hosts in it, and sends the groups to all. */
nuce_status nuce_nodes_groups(struct nuce_world *world, const char *topology, int **group_of,
                              struct nuce_error *error)
{
    struct nuce_world named = *world;
    struct nuce_placing placing = {.topology = ""}; /* by name */
    struct nuce_topology file;
    int *groups, is_known;
    char *names = nuce_nodes_names(world), *path = NULL;
    json_t *hosts;
    nuce_status status = NUCE_OK;

    *group_of = NULL;
    nuce_text_copy(placing.topology, sizeof placing.topology, topology);
    named.hosts = hosts = json_array();
    for (int i = 0; i < world->size; i++)
        json_array_append_new(hosts, json_string(names + (size_t)i * NUCE_NODE_NAME_BYTES));
    groups = nuce_allocate(world->size, sizeof *groups);
    if (world->rank == 0)
        path = nuce_placed_world_topology_path(&placing, error);
    is_known = path != NULL; /* no file is not an error here */
    if (world->rank == 0 && path == NULL && error->status != NUCE_BAD_INPUT)
        status = error->status;
    if (path != NULL)
        status = nuce_placed_world_topology(&named, &placing, path, &file, groups, error);
    if (path != NULL && status == NUCE_OK) {
        status = nuce_topology_groups(&file, groups, world->size, groups, error);
        if (status != NUCE_OK)
            nuce_error_prefix(error, "topology: %s", path);
        nuce_topology_fini(&file);
    }
    free(path);
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
