/* The processors of a program, drawn for a model or taken from where its ranks run, and which
 * switch has which of them.
 *
 * O(processors log processors + switches). Numbers of processors go up with those of their nodes,
 * and a launcher's ranks with them: `linear` is then what MPI does. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"
#include "mapping/placement.h"

void nuce_processors_fini(struct nuce_processors *processors)
{
    free(processors->node);
    free(processors->home);
    free(processors->start);
    free(processors->member);
    memset(processors, 0, sizeof *processors);
}

static int processors_compare_ints(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;

    return (a > b) - (a < b);
}

/* A random subset of count nodes, ascending, as the paper takes for meshes smaller than the
 * cluster. The caller frees it. Nothing is drawn where all nodes are taken. */
static int *choose_nodes(const struct nuce_topology *topology, int count, struct nuce_rng *rng)
{
    int *nodes = nuce_allocate(topology->nodes, sizeof *nodes);

    for (int i = 0; i < topology->nodes; i++)
        nodes[i] = i;
    if (count < topology->nodes) {
        nuce_rng_shuffle(rng, nodes, topology->nodes);
        qsort(nodes, (size_t)count, sizeof *nodes, processors_compare_ints);
    }
    return nodes;
}

/* Counting sort of the processors by switch; going down keeps those of one switch ascending. */
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

/* Frees what it got on failure. */
static void processors_allocate(struct nuce_processors *processors)
{
    int count = processors->count, switches = processors->routing->topology->switches;

    processors->node = nuce_allocate(count, sizeof *processors->node);
    processors->home = nuce_allocate(count, sizeof *processors->home);
    processors->start = nuce_allocate((int64_t)switches + 1, sizeof *processors->start);
    processors->member = nuce_allocate(count, sizeof *processors->member);
    return;
}

/* Switches and members follow from the node of each processor. */
static void processors_settle(struct nuce_processors *processors)
{
    const struct nuce_topology *topology = processors->routing->topology;

    for (int p = 0; p < processors->count; p++)
        processors->home[p] = topology->home[processors->node[p]];
    sort_members(processors, topology->switches);
}

/* Nodes are filled one after the other, the last one with what is left. */
nuce_status nuce_processors_choose(const struct nuce_routing *routing, int count, int per_node,
                                   struct nuce_rng *rng, struct nuce_processors *out,
                                   struct nuce_error *error)
{
    const struct nuce_topology *topology = routing->topology;
    struct nuce_processors processors = {.routing = routing, .count = count, .per_node = per_node};
    int *nodes;

    if ((int64_t)topology->nodes * per_node < count)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%d processes on %d nodes of %d processor%s: expected at most %lld",
                              count, topology->nodes, per_node, nuce_text_plural(per_node),
                              (long long)topology->nodes * per_node);
    nodes = choose_nodes(topology, (count + per_node - 1) / per_node, rng);
    processors_allocate(&processors);
    for (int p = 0; p < count; p++)
        processors.node[p] = nodes[p / per_node];
    free(nodes);
    processors_settle(&processors);
    *out = processors;
    return NUCE_OK;
}

/* qsort_r: ranks by their nodes, those of one node ascending. */
static int processors_compare_nodes(const void *left, const void *right, void *context)
{
    const int *node = context;
    int a = *(const int *)left, b = *(const int *)right;

    return node[a] == node[b] ? (a > b) - (a < b) : (node[a] > node[b]) - (node[a] < node[b]);
}

/* per_node becomes the most ranks that any node has: nodes may have different numbers of them. */
void nuce_processors_take(const struct nuce_routing *routing, const int *node, int count, int *rank,
                          struct nuce_processors *out)
{
    struct nuce_processors processors = {.routing = routing, .count = count};
    int on_node = 0;

    processors_allocate(&processors);
    for (int i = 0; i < count; i++)
        rank[i] = i;
    qsort_r(rank, (size_t)count, sizeof *rank, processors_compare_nodes, (void *)node);
    for (int p = 0; p < count; p++) {
        processors.node[p] = node[rank[p]];
        on_node = p > 0 && processors.node[p] == processors.node[p - 1] ? on_node + 1 : 1;
        processors.per_node = on_node > processors.per_node ? on_node : processors.per_node;
    }
    processors_settle(&processors);
    *out = processors;
}
