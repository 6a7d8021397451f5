/* The table of placements, made from placements.def, and the check that each is a permutation.
 *
 * A placement is one file and one row of placements.def; placement.h has its requirements. No other
 * place lists them. */
#include "mapping/placement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "base/text.h"

#define NUCE_REGISTRY placement
#define NUCE_REGISTRY_ROWS "mapping/placements.def"
#define NUCE_REGISTRY_FIND
#include "base/registry.inc"

/* The check adds O(n) to any placement. */
int *nuce_placement_create(const struct nuce_placement_ops *ops,
                           const struct nuce_placement_input *input, struct nuce_error *error)
{
    int count = input->processes->ranks;
    int *processor = nuce_allocate(count, sizeof *processor);
    char *is_taken = nuce_allocate(count, 1);

    NUCE_ASSERT(count == input->processors->count);
    if ((ops->base != NULL ? ops->base : ops)->place(input, processor, error) != NUCE_OK) {
        free(processor);
        processor = NULL;
    } else if (ops->improve != NULL) {
        ops->improve(input, processor);
    }
    /* A bug in a placement must not give one rank to two processes. */
    for (int rank = 0; processor != NULL && rank < count; rank++) {
        NUCE_ASSERT(processor[rank] >= 0 && processor[rank] < count && !is_taken[processor[rank]]);
        is_taken[processor[rank]] = 1;
    }
    free(is_taken);
    return processor;
}

/* The cost of a placement: the weighted cardinality, and the latency model of Moh et al., section
 * 5.1. The startup must be in the model: without it the paper's gains are far from reproduced.
 * Cost: O(edges) for the cardinality and for messages to neighbours, O(switches^2) for messages to
 * any process. Seconds for a header alone: the paper's messages have no length. */

/* Unit: links times weight. That is bytes x links for a pattern, and links for a mesh, whose edges
 * weigh 1. */
double nuce_placement_cardinality(const struct nuce_processes *processes,
                                  const struct nuce_processors *processors, const int *processor)
{
    double sum = 0;

    for (int i = 0; i < processes->ranks; i++) {
        for (int64_t k = processes->start[i]; k < processes->start[i + 1]; k++) {
            /* Each edge is in two rows, and counts once. */
            if (processes->neighbor[k] > i)
                sum +=
                    processes->weight[k] * nuce_processors_hops(processors, processor[i],
                                                                processor[processes->neighbor[k]]);
        }
    }
    return sum;
}

double nuce_placement_delay(int hops)
{
    return NUCE_DELAY_STARTUP_S + 2 * NUCE_DELAY_INTERFACE_S + (hops + 1) * NUCE_DELAY_SWITCH_S +
           (hops + 2) * NUCE_DELAY_LINK_S;
}

/* The mean latency between any two processes, which no placement changes. Switch by switch,
 * O(switches^2) instead of O(processes^2). */
static double distant_latency(const struct nuce_processors *processors)
{
    int switches = processors->routing->topology->switches, used = 0;
    int *list = nuce_allocate(switches, sizeof *list);
    double n = processors->count, near = 0, sum = 0;
    int first = 0;

    /* Ordered pairs of processes on one node. */
    for (int p = 1; p <= processors->count; p++) {
        if (p < processors->count && processors->node[p] == processors->node[first])
            continue;
        near += (double)(p - first) * (p - first - 1);
        first = p;
    }
    for (int s = 0; s < switches; s++) {
        if (processors->start[s] < processors->start[s + 1])
            list[used++] = s;
    }
    for (int i = 0; i < used; i++) {
        double count = processors->start[list[i] + 1] - processors->start[list[i]], hops = 0;

        for (int k = 0; k < used; k++)
            hops += (double)(processors->start[list[k] + 1] - processors->start[list[k]]) *
                    nuce_routing_hops(processors->routing, list[i], list[k]);
        sum += count * hops;
    }
    free(list);
    sum = sum * (NUCE_DELAY_SWITCH_S + NUCE_DELAY_LINK_S) +
          (n * (n - 1) - near) * nuce_placement_delay(0) + near * NUCE_DELAY_STARTUP_S;
    return n > 1 ? sum / (n * (n - 1)) : NAN;
}

/* Latency to neighbours: the mean over the processes that exchange, of the mean over their
 * messages, weighted by bytes. Within a node there is no interface, switch or link. */
void nuce_placement_latency(const struct nuce_processes *processes,
                            const struct nuce_processors *processors, const int *processor,
                            double distant, double *out)
{
    double sum = 0;
    int talking = 0;

    for (int i = 0; i < processes->ranks; i++) {
        double seconds = 0, weight = 0;
        int a = processor[i];

        for (int64_t k = processes->start[i]; k < processes->start[i + 1]; k++) {
            int b = processor[processes->neighbor[k]];

            seconds += processes->weight[k] *
                       (processors->node[a] == processors->node[b]
                            ? NUCE_DELAY_STARTUP_S
                            : nuce_placement_delay(nuce_processors_hops(processors, a, b)));
            weight += processes->weight[k];
        }
        sum += weight > 0 ? seconds / weight : 0;
        talking += weight > 0;
    }
    *out = (1 - distant) * (talking == 0 ? NAN : sum / talking) +
           (distant > 0 ? distant * distant_latency(processors) : 0);
}

/* The processors of a program, drawn for a model or taken from the nodes of its ranks, and the
 * switch of each.
 *
 * O(processors log processors + switches). Numbers of processors ascend with those of their nodes,
 * and a launcher's ranks with them: `linear` is then MPI's own placement. */

void nuce_processors_fini(struct nuce_processors *processors)
{
    free(processors->node); /* the block of all arrays */
    memset(processors, 0, sizeof *processors);
}

static void processors_init(const struct nuce_routing *routing, int count, int per_node,
                            struct nuce_processors *out)
{
    int64_t switches = routing->topology->switches;

    *out = (struct nuce_processors){.routing = routing, .count = count, .per_node = per_node};
    out->node = nuce_allocate(3 * (int64_t)count + switches + 1, sizeof *out->node);
    out->home = out->node + count;
    out->member = out->home + count;
    out->start = out->member + count;
}

/* Derives switches and members from the node of each processor: a counting sort by switch. Going
 * down keeps those of one switch ascending. */
static void processors_settle(struct nuce_processors *processors)
{
    const struct nuce_topology *topology = processors->routing->topology;
    int *start = processors->start;

    for (int p = 0; p < processors->count; p++)
        start[processors->home[p] = topology->home[processors->node[p]]]++;
    for (int s = 1; s <= topology->switches; s++)
        start[s] += start[s - 1];
    for (int p = processors->count - 1; p >= 0; p--)
        processors->member[--start[processors->home[p]]] = p;
}

/* Chooses a random subset of the nodes, as in the paper for meshes smaller than the cluster.
 * Nothing is drawn if all are taken. Nodes are filled one after the other, the last with the
 * rest. */
nuce_status nuce_processors_choose(const struct nuce_routing *routing, int count, int per_node,
                                   struct nuce_rng *rng, struct nuce_processors *out,
                                   struct nuce_error *error)
{
    const struct nuce_topology *topology = routing->topology;
    int wanted = (count + per_node - 1) / per_node, *nodes;

    if ((int64_t)topology->nodes * per_node < count)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%d processes on %d nodes of %d processor%s: expected at most %lld",
                              count, topology->nodes, per_node, nuce_text_plural(per_node),
                              (long long)topology->nodes * per_node);
    nodes = nuce_allocate(topology->nodes, sizeof *nodes);
    for (int i = 0; i < topology->nodes; i++)
        nodes[i] = i;
    if (wanted < topology->nodes) {
        nuce_rng_shuffle(rng, nodes, topology->nodes);
        qsort(nodes, (size_t)wanted, sizeof *nodes, nuce_int_compare);
    }
    processors_init(routing, count, per_node, out);
    for (int p = 0; p < count; p++)
        out->node[p] = nodes[p / per_node];
    free(nodes);
    processors_settle(out);
    return NUCE_OK;
}

/* qsort_r: ranks by their nodes, those of one node ascending. */
static int processors_compare_nodes(const void *left, const void *right, void *context)
{
    const int *node = context;
    int a = *(const int *)left, b = *(const int *)right;

    return NUCE_INT_ORDER({node[a], node[b]}, {a, b});
}

/* per_node becomes the most ranks of any node, because nodes may have different numbers of them. */
void nuce_processors_take(const struct nuce_routing *routing, const int *node, int count, int *rank,
                          struct nuce_processors *out)
{
    struct nuce_processors processors;
    int on_node = 0;

    processors_init(routing, count, 0, &processors);
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
