#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "placement.h"

void nuce_processors_fini(struct nuce_processors *processors)
{
    free(processors->node);
    free(processors->home);
    free(processors->start);
    free(processors->member);
    memset(processors, 0, sizeof *processors);
}

static int compare_ints(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;

    return (a > b) - (a < b);
}

/* A random subset of the nodes, ascending. The caller frees it. */
static int *choose_nodes(const struct nuce_topology *topology, int count, struct nuce_rng *rng,
                         struct nuce_error *error)
{
    int *nodes = nuce_allocate(topology->nodes, sizeof *nodes, error);

    if (nodes == NULL)
        return NULL;
    for (int i = 0; i < topology->nodes; i++)
        nodes[i] = i;
    if (count < topology->nodes) {
        nuce_rng_shuffle(rng, nodes, topology->nodes);
        qsort(nodes, (size_t)count, sizeof *nodes, compare_ints);
    }
    return nodes;
}

static void sort_members(struct nuce_processors *processors, int switches)
{
    int *start = processors->start;

    for (int p = 0; p < processors->count; p++)
        start[processors->home[p]]++;
    for (int s = 1; s <= switches; s++)
        start[s] += start[s - 1];
    for (int p = processors->count - 1; p >= 0; p--)
        processors->member[--start[processors->home[p]]] = p;
}

nuce_status nuce_processors_choose(const struct nuce_routing *routing, int count, int per_node,
                                   struct nuce_rng *rng, struct nuce_processors *out,
                                   struct nuce_error *error)
{
    const struct nuce_topology *topology = routing->topology;
    struct nuce_processors processors = {.routing = routing, .count = count, .per_node = per_node};
    int *nodes;

    if ((int64_t)topology->nodes * per_node < count)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%d processes on %d nodes of %d processors: expected at most %lld",
                              count, topology->nodes, per_node,
                              (long long)topology->nodes * per_node);
    nodes = choose_nodes(topology, (count + per_node - 1) / per_node, rng, error);
    processors.node = nuce_allocate(count, sizeof *processors.node, error);
    processors.home = nuce_allocate(count, sizeof *processors.home, error);
    processors.start =
        nuce_allocate((int64_t)topology->switches + 1, sizeof *processors.start, error);
    processors.member = nuce_allocate(count, sizeof *processors.member, error);
    if (nodes == NULL || processors.node == NULL || processors.home == NULL ||
        processors.start == NULL || processors.member == NULL) {
        free(nodes);
        nuce_processors_fini(&processors);
        return error->status;
    }
    for (int p = 0; p < count; p++) {
        processors.node[p] = nodes[p / per_node];
        processors.home[p] = topology->home[processors.node[p]];
    }
    free(nodes);
    sort_members(&processors, topology->switches);
    *out = processors;
    return NUCE_OK;
}
