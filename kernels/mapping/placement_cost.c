/* What a placement costs: the weighted cardinality, and the latency model of Moh et al., section
 * 5.1. The startup must be in the model: without it the paper's gains come nowhere near. Cost:
 * O(edges) for the cardinality and for what goes to neighbours, O(switches^2) for what goes
 * anywhere. Seconds of a header alone: the paper's messages have no length. */
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "mapping/placement.h"

/* In links times weight: bytes x links for a pattern, links for a mesh, whose edges weigh 1. */
double nuce_placement_cardinality(const struct nuce_processes *processes,
                                  const struct nuce_processors *processors, const int *processor)
{
    double sum = 0;

    for (int i = 0; i < processes->ranks; i++) {
        for (int64_t k = processes->start[i]; k < processes->start[i + 1]; k++) {
            /* Each edge stands in two rows, and counts once. */
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

/* Seconds from processor a to b; on one node no interface, switch or link is in the way. */
static double placement_cost_between(const struct nuce_processors *processors, int a, int b)
{
    if (processors->node[a] == processors->node[b])
        return NUCE_DELAY_STARTUP_S;
    return nuce_placement_delay(nuce_processors_hops(processors, a, b));
}

/* Case (i): the mean over the processes that talk of the mean over their messages, weighted by
 * bytes. */
static double adjacent_latency(const struct nuce_processes *processes,
                               const struct nuce_processors *processors, const int *processor)
{
    double sum = 0;
    int talking = 0;

    for (int i = 0; i < processes->ranks; i++) {
        double seconds = 0, weight = 0;

        for (int64_t k = processes->start[i]; k < processes->start[i + 1]; k++) {
            seconds +=
                processes->weight[k] *
                placement_cost_between(processors, processor[i], processor[processes->neighbor[k]]);
            weight += processes->weight[k];
        }
        if (weight > 0) {
            sum += seconds / weight;
            talking++;
        }
    }
    return talking == 0 ? NAN : sum / talking;
}

/* The mean between any two processes: no placement changes it. Switch by switch, O(switches^2) and
 * not O(processes^2). */
static void distant_latency(const struct nuce_processors *processors, double *out)
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
    *out = n > 1 ? sum / (n * (n - 1)) : NAN;
}

void nuce_placement_latency(const struct nuce_processes *processes,
                            const struct nuce_processors *processors, const int *processor,
                            double distant, double *out)
{
    double near = adjacent_latency(processes, processors, processor), far = 0;

    if (distant > 0)
        distant_latency(processors, &far);
    *out = (1 - distant) * near + distant * far;
}
