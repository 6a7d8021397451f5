/* Ranks grouped by the names of their hosts. */
#include "world/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "support/allocate.h"
#include "world/check.h"
#include "world/control.h"
#include "world/simulation.h"

#define NAME_BYTES 65 /* HOST_NAME_MAX of Linux, and the end */

/* Backwards, since most ranks follow one of their own node: O(ranks x nodes). */
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

nuce_status nuce_nodes_init(const int *node_of, int ranks, struct nuce_nodes *out,
                            struct nuce_error *error)
{
    struct nuce_nodes nodes = {0};

    for (int i = 0; i < ranks; i++)
        nodes.nodes = node_of[i] >= nodes.nodes ? node_of[i] + 1 : nodes.nodes;
    nodes.node_of = nuce_allocate(ranks, sizeof(int), error);
    nodes.start = nuce_allocate((int64_t)nodes.nodes + 1, sizeof(int), error);
    nodes.rank = nuce_allocate(ranks, sizeof(int), error);
    if (nodes.node_of == NULL || nodes.start == NULL || nodes.rank == NULL) {
        nuce_nodes_fini(&nodes);
        return error->status;
    }
    memcpy(nodes.node_of, node_of, (size_t)ranks * sizeof(int));
    for (int i = 0; i < ranks; i++)
        nodes.start[node_of[i] + 1]++;
    for (int n = 0; n < nodes.nodes; n++)
        nodes.start[n + 1] += nodes.start[n];
    for (int i = 0; i < ranks; i++)
        nodes.rank[nodes.start[node_of[i]]++] = i;
    for (int n = nodes.nodes; n > 0; n--) /* each start has moved on to the next one's */
        nodes.start[n] = nodes.start[n - 1];
    nodes.start[0] = 0;
    *out = nodes;
    return NUCE_OK;
}

void nuce_nodes_fini(struct nuce_nodes *nodes)
{
    free(nodes->node_of);
    free(nodes->start);
    free(nodes->rank);
    memset(nodes, 0, sizeof *nodes);
}

nuce_status nuce_nodes_names(struct nuce_world *world, char **names, int *width,
                             struct nuce_error *error)
{
    char name[NAME_BYTES] = "";

    *width = (int)sizeof name;
    *names = nuce_allocate(world->size, sizeof name, error);
    if (nuce_world_agree(world, *names == NULL ? error->status : NUCE_OK, error) != NUCE_OK) {
        free(*names);
        return error->status;
    }
    nuce_simulation_host(name, sizeof name - 1);
    nuce_control_allgather(world, name, (int)sizeof name, MPI_CHAR, *names, world->control);
    return NUCE_OK;
}

nuce_status nuce_nodes_by_host(struct nuce_world *world, struct nuce_nodes *out,
                               struct nuce_error *error)
{
    char *names;
    int *node_of, width;
    nuce_status status = nuce_nodes_names(world, &names, &width, error);

    if (status != NUCE_OK)
        return status;
    node_of = nuce_allocate(world->size, sizeof *node_of, error);
    if (node_of == NULL)
        status = error->status;
    if (status == NUCE_OK) {
        nuce_nodes_group(names, width, world->size, node_of);
        status = nuce_nodes_init(node_of, world->size, out, error);
    }
    free(names);
    free(node_of);
    return nuce_world_agree(world, status, error);
}

int nuce_nodes_agent(const struct nuce_nodes *nodes, int node, int other)
{
    int distance = (other - node + nodes->nodes) % nodes->nodes;
    int size = nodes->start[node + 1] - nodes->start[node];

    NUCE_ASSERT(distance > 0 && size > 0);
    return nodes->rank[nodes->start[node] + (distance - 1) % size];
}
