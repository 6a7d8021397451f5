/* Local search over placements. A process can only gain by moving nearer to its neighbours. So only
 * their switches and those linked to these are tried, some degree x (links of a switch + 1) of
 * them. After a swap only the two and their neighbours are tried again. The search ends, since each
 * swap lowers the cardinality by more than rounding.
 * Memory: two ints per process besides the placement, and a mark per process and switch for the
 * search.
 * Limits: the result need not be the best of all. */
#include "mapping/swaps.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* Gains below this share of the swapped weight are rounding errors. */
#define ROUNDING 1e-12

/* A placement with its inverse and the switches of its processes, and the state of the search. */
struct swaps {
    const struct nuce_processes *processes;
    const struct nuce_processors *processors;
    int *processor;   /* rank -> processor; the caller's */
    int *rank;        /* processor -> rank */
    int *home;        /* rank -> switch */
    char *is_waiting; /* ranks still to try */
    int *last_tried;  /* switches: number of the last try that visited each */
    int tries;
    int best;    /* best rank to swap with in this try; or -1 */
    double gain; /* of that swap */
};

/* The decrease of the cost of a's edges if a is on switch s and the others stay; negative for an
 * increase. In weight x links. It reads two rows of the table of distances, O(degree of a). */
static double move_gain(const struct swaps *swaps, int a, int s)
{
    const struct nuce_processes *processes = swaps->processes;
    const struct nuce_routing *routing = swaps->processors->routing;
    int64_t switches = routing->topology->switches;
    const uint16_t *from = routing->distance + swaps->home[a] * switches;
    const uint16_t *to = routing->distance + s * switches;
    double gain = 0;

    for (int64_t k = processes->start[a]; k < processes->start[a + 1]; k++) {
        int other = swaps->home[processes->neighbor[k]];

        gain += processes->weight[k] * (from[other] - to[other]);
    }
    return gain;
}

/* The weight of the edge between a and b, 0 if there is none. */
static double weight_between(const struct nuce_processes *processes, int a, int b)
{
    for (int64_t k = processes->start[a]; k < processes->start[a + 1]; k++) {
        if (processes->neighbor[k] == b)
            return processes->weight[k];
    }
    return 0;
}

/* Tries a against the processes on switch s, once in this try. */
static void try_switch(struct swaps *swaps, int a, int s)
{
    const struct nuce_processors *processors = swaps->processors;
    double a_gain;

    if (swaps->last_tried[s] == swaps->tries)
        return;
    swaps->last_tried[s] = swaps->tries;
    if (s == swaps->home[a] || processors->start[s] == processors->start[s + 1])
        return;
    a_gain = move_gain(swaps, a, s);
    /* If a gains nothing, only the other may gain: it is tried itself. */
    if (!(a_gain > 0))
        return;
    for (int k = processors->start[s]; k < processors->start[s + 1]; k++) {
        int b = swaps->rank[processors->member[k]];
        /* The gain of the swap when a's move alone gains a_gain. An edge between the two keeps its
         * length, but each move alone would count it as 0. */
        int hops = nuce_routing_hops(processors->routing, swaps->home[a], swaps->home[b]);
        double gain = a_gain + move_gain(swaps, b, swaps->home[a]) -
                      2 * hops * weight_between(swaps->processes, a, b);

        if (gain > swaps->gain && gain > ROUNDING * a_gain) {
            swaps->gain = gain;
            swaps->best = b;
        }
    }
}

/* Puts a on that processor; it and its neighbours will be tried again. */
static void move_to(struct swaps *swaps, int a, int processor)
{
    const struct nuce_processes *processes = swaps->processes;

    swaps->processor[a] = processor;
    swaps->rank[processor] = a;
    swaps->home[a] = swaps->processors->home[processor];
    swaps->is_waiting[a] = 1;
    for (int64_t k = processes->start[a]; k < processes->start[a + 1]; k++)
        swaps->is_waiting[processes->neighbor[k]] = 1;
}

/* Makes the best swap of a, if one gains; returns true if it did. */
static int try_rank(struct swaps *swaps, int a)
{
    const struct nuce_processes *processes = swaps->processes;
    const struct nuce_topology *topology = swaps->processors->routing->topology;
    int b, processor = swaps->processor[a];

    swaps->tries++;
    swaps->best = -1;
    swaps->gain = 0;
    for (int64_t k = processes->start[a]; k < processes->start[a + 1]; k++) {
        int s = swaps->home[processes->neighbor[k]];

        try_switch(swaps, a, s);
        for (int64_t m = topology->start[s]; m < topology->start[s + 1]; m++)
            try_switch(swaps, a, topology->neighbor[m]);
    }
    b = swaps->best;
    if (b < 0)
        return 0;
    move_to(swaps, a, swaps->processor[b]);
    move_to(swaps, b, processor);
    return 1;
}

/* Rounds over the waiting processes, and whole rounds over all until one makes no swap: only these
 * find new gains farther away. Marks of tries are ascending numbers; before they overflow all are
 * reset. */
void nuce_swaps_search(const struct nuce_placement_input *input, int *processor)
{
    int ranks = input->processes->ranks, swapped = 1;
    int switches = input->processors->routing->topology->switches;
    struct swaps swaps = {
        .processes = input->processes, .processors = input->processors, .processor = processor};

    swaps.rank = nuce_allocate(ranks, sizeof *swaps.rank);
    swaps.home = nuce_allocate(ranks, sizeof *swaps.home);
    swaps.is_waiting = nuce_allocate(ranks, 1);
    swaps.last_tried = nuce_allocate(switches, sizeof *swaps.last_tried);
    for (int i = 0; i < ranks; i++) {
        swaps.rank[processor[i]] = i;
        swaps.home[i] = input->processors->home[processor[i]];
    }
    while (swapped) {
        int is_any = 1;

        swapped = 0;
        memset(swaps.is_waiting, 1, (size_t)ranks);
        while (is_any) {
            is_any = 0;
            for (int a = 0; a < ranks; a++) {
                if (!swaps.is_waiting[a])
                    continue;
                swaps.is_waiting[a] = 0;
                if (swaps.tries == INT32_MAX) {
                    memset(swaps.last_tried, 0, (size_t)switches * sizeof *swaps.last_tried);
                    swaps.tries = 0;
                }
                if (try_rank(&swaps, a))
                    is_any = swapped = 1;
            }
        }
    }
    free(swaps.is_waiting);
    free(swaps.last_tried);
    free(swaps.rank);
    free(swaps.home);
}
