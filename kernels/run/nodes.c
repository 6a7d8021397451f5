/* Ranks grouped by the names of their hosts. */
#include "run/nodes.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"
#include "run/control.h"
#include "run/placed_world.h"
#include "run/simulation.h"
#include "run/world.h"

#define NAME_BYTES 65 /* HOST_NAME_MAX of Linux, and the end */

/* Searches backwards, because most ranks follow one of their own node: O(ranks x nodes). */
void nuce_nodes_group(const char *names, int width, int ranks, int *node_of)
{
    int nodes = 0;

    for (int i = 0; i < ranks; i++) {
        const char *name = names + (size_t)i * (size_t)width;
        int j = i - 1;

        while (j >= 0 && strcmp(names + (size_t)j * (size_t)width, name) != 0)
            j--;
        node_of[i] = j >= 0 ? node_of[j] : nodes++;
    }
}

/* The names of the hosts of all ranks, zero-ended; rank i's is at i x NAME_BYTES. Freed by the
 * caller. Collective over the world. */
static char *host_names(struct nuce_world *world)
{
    char name[NAME_BYTES] = "", *names = nuce_allocate(world->size, NAME_BYTES);

    nuce_simulation_host(name, NAME_BYTES - 1);
    nuce_control_allgather(world, name, NAME_BYTES, MPI_CHAR, names, world->control);
    return names;
}

void nuce_nodes_by_host(struct nuce_world *world, int **node_of)
{
    char *names = host_names(world);

    *node_of = nuce_allocate(world->size, sizeof **node_of);
    nuce_nodes_group(names, NAME_BYTES, world->size, *node_of);
    free(names);
}

/* Rank 0 reads the topology, finds the ranks' hosts in it, and sends the groups to all. */
nuce_status nuce_nodes_groups(struct nuce_world *world, const char *topology, int **group_of,
                              struct nuce_error *error)
{
    struct nuce_world named = *world;
    struct nuce_placing placing = {.topology = ""}; /* by name */
    struct nuce_topology file;
    int *groups, is_known;
    char *names = host_names(world), *path = NULL;
    json_t *hosts;
    nuce_status status = NUCE_OK;

    *group_of = NULL;
    nuce_text_copy(placing.topology, sizeof placing.topology, topology);
    named.hosts = hosts = json_array();
    for (int i = 0; i < world->size; i++)
        json_array_append_new(hosts, json_string(names + (size_t)i * NAME_BYTES));
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
