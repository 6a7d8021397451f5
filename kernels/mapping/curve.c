/* curve: processes along a space-filling curve through the mesh onto processors as a walk of the
 * spanning tree meets them: what is close on the curve is close in the mesh, and what is close on
 * the walk is close in the tree. O(n + switches). */
#include <stdlib.h>

#include "base/allocate.h"
#include "mapping/placement.h"

/* The k-th process of the curve to the k-th processor of the walk; processors of a switch by
 * number. */
static nuce_status curve_place(const struct nuce_placement_input *input, int *processor,
                               struct nuce_error *error)
{
    const struct nuce_processors *processors = input->processors;
    int switches = processors->routing->topology->switches, count = 0;
    int *order = nuce_allocate(input->processes->ranks, sizeof *order);
    int *where = nuce_allocate(switches, sizeof *where);
    int *walk = nuce_allocate(switches, sizeof *walk);

    (void)error;
    nuce_routing_walk(processors->routing, where);
    nuce_processes_curve(input->processes, order);
    for (int s = 0; s < switches; s++)
        walk[where[s]] = s;
    for (int i = 0; i < switches; i++) {
        for (int k = processors->start[walk[i]]; k < processors->start[walk[i] + 1]; k++)
            processor[order[count++]] = processors->member[k];
    }
    free(order);
    free(where);
    free(walk);
    return NUCE_OK;
}

const struct nuce_placement_ops nuce_placement_curve = {
    .name = "curve",
    .summary = "a space-filling curve of processes onto a walk of the tree of switches",
    .source = "Hilbert's curve; the tree of up and down routing",
    .place = curve_place,
};
