/* The places of a point's processes, computed on one rank: processes of the whole pattern, the
 * processors under the ranks, a placement, and its cost by the model. Processes are numbered 0 ..
 * ranks - 1, and so are processors, the places that ranks run on. placed->on has the rank on each
 * processor, placed->rank the new rank of each process. */
#include "points/placed_ranks.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "points/placing.h"

const struct nuce_placing *nuce_placed_ranks_wanted(const struct nuce_point *point)
{
    const struct nuce_placing *placing =
        point->workload->placing == NULL ? NULL : point->workload->placing(point->params);

    return placing != NULL && placing->placement[0] != '\0' ? placing : NULL;
}

void nuce_placed_ranks_init(const struct nuce_point *point, struct nuce_placed_ranks *out)
{
    *out = (struct nuce_placed_ranks){.point = point};
    out->rank = nuce_allocate(point->ranks, sizeof *out->rank);
}

void nuce_placed_ranks_fini(struct nuce_placed_ranks *placed)
{
    nuce_processes_fini(&placed->processes);
    nuce_processors_fini(&placed->processors);
    nuce_routing_fini(&placed->routing);
    nuce_topology_fini(&placed->topology);
    free(placed->node);
    free(placed->on);
    free(placed->rank);
}

nuce_status nuce_placed_ranks_find_processes(struct nuce_placed_ranks *placed,
                                             struct nuce_error *error)
{
    const struct nuce_point *point = placed->point;
    const struct nuce_workload_ops *workload = point->workload;
    struct nuce_pattern pattern;
    int side[NUCE_SIDES] = {0};
    nuce_status status = workload->pattern(point->params, point->ranks, &pattern, error);

    if (status != NUCE_OK)
        return nuce_error_about(error, "placement");
    status = nuce_processes_pattern(&pattern, &placed->processes, error);
    nuce_pattern_fini(&pattern);
    if (status == NUCE_OK && workload->sides != NULL)
        status = workload->sides(point->params, point->ranks, side, error);
    if (status == NUCE_OK && side[0] > 0)
        nuce_processes_lay(&placed->processes, side);
    return status;
}

void nuce_placed_ranks_set_machine(struct nuce_placed_ranks *placed, struct nuce_topology *topology,
                                   int *node)
{
    int ranks = placed->point->ranks;

    placed->topology = *topology;
    placed->node = node;
    placed->on = nuce_allocate(ranks, sizeof *placed->on);
    nuce_routing_create(nuce_routings[0], &placed->topology, &placed->routing);
    nuce_processors_take(&placed->routing, placed->node, ranks, placed->on, &placed->processors);
}

nuce_status nuce_placed_ranks_place(struct nuce_placed_ranks *placed, struct nuce_error *error)
{
    const struct nuce_point *point = placed->point;
    struct nuce_placement_input input = {
        .processes = &placed->processes,
        .processors = &placed->processors,
        .rng = nuce_placing_rng(point->workload->scheduling(point->params)->seed)};
    const char *placement = nuce_placed_ranks_wanted(point)->placement;
    int *processor = nuce_placement_create(nuce_placement_find(placement), &input, error);

    if (processor == NULL)
        return error->status;
    for (int i = 0; i < point->ranks; i++)
        placed->rank[i] = placed->on[processor[i]];
    free(processor);
    return NUCE_OK;
}

void nuce_placed_ranks_weigh(const struct nuce_placed_ranks *placed, double *cardinality,
                             double *latency_s)
{
    int ranks = placed->point->ranks;
    int *processor = nuce_allocate(ranks, sizeof *processor);
    int *of_rank = nuce_allocate(ranks, sizeof *of_rank);

    for (int p = 0; p < ranks; p++)
        of_rank[placed->on[p]] = p;
    for (int i = 0; i < ranks; i++)
        processor[i] = of_rank[placed->rank[i]];
    *cardinality = nuce_placement_cardinality(&placed->processes, &placed->processors, processor);
    nuce_placement_latency(&placed->processes, &placed->processors, processor, 0, latency_s);
    free(processor);
    free(of_rank);
}

int64_t nuce_placed_ranks_moved(const struct nuce_placed_ranks *placed)
{
    int64_t moved = 0;

    for (int i = 0; i < placed->point->ranks; i++)
        moved += placed->node == NULL ? placed->rank[i] != i
                                      : placed->node[placed->rank[i]] != placed->node[i];
    return moved;
}
