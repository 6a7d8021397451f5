/* A packing of cuts (the header says why it is a bound): the sets are listed with the links that
 * leave them, the best shares found as a linear program where it is small enough, and what rounding
 * or an early end made infeasible is scaled back; then every set gets what its links have left. So
 * the result is a bound whatever the linear program returned. */
#include "mapping/cardinality_bound.h"

#include <math.h>
#include <stdlib.h>

#include "mapping/cut_packing.h"
#include "support/allocate.h"

/* The best shares are found in networks of up to so many rows; the time grows with their cube. */
#define MOST_FOR_BEST 512

/* The sets and what crosses them. Rows of the linear program: the links, and, where perimeters
 * count, two for each switch, which bound what the border takes off. */
struct packing {
    const struct nuce_processes *processes;
    const struct nuce_processors *processors;
    int is_best, has_border; /* whether shares are the best; whether perimeters count */
    const double *least;     /* of nuce_processes_least_cuts, by number of processes */
    int *link_at;            /* of each entry of the topology's neighbours: its link, -1: none that
                                routes may take */
    int links;
    struct nuce_cut *cut;
    int64_t cuts, cut_capacity;
    int *link; /* of each cut those that leave the set, then, where its value is a perimeter, the
                  switches of it: links + s, and once more links + switches + s */
    int64_t crossed, link_capacity;
    int *member; /* switches: the set that is looked at */
    int members;
    unsigned char *is_in; /* switches: whether each is in it */
    double *load;         /* links */
};

static void packing_fini(struct packing *packing)
{
    free(packing->link_at);
    free(packing->cut);
    free(packing->link);
    free(packing->member);
    free(packing->is_in);
    free(packing->load);
}

/* Numbers the links that routes may take in one direction at least, the same in the entries of both
 * ends: others carry nothing and can be crossed by no route. */
static void number_links(struct packing *packing)
{
    const struct nuce_routing *routing = packing->processors->routing;
    const struct nuce_topology *topology = routing->topology;

    for (int s = 0; s < topology->switches; s++) {
        for (int64_t k = topology->start[s]; k < topology->start[s + 1]; k++) {
            int other = topology->neighbor[k];

            packing->link_at[k] = -1;
            if (!routing->ops->may_go(routing, s, other, 0) &&
                !routing->ops->may_go(routing, other, s, 0))
                continue;
            if (other > s) {
                packing->link_at[k] = packing->links++;
                continue;
            }
            for (int64_t back = topology->start[other]; back < topology->start[other + 1]; back++) {
                if (topology->neighbor[back] == s)
                    packing->link_at[k] = packing->link_at[back];
            }
        }
    }
}

static nuce_status packing_init(const struct nuce_processes *processes,
                                const struct nuce_processors *processors, const double *least,
                                struct packing *packing, struct nuce_error *error)
{
    const struct nuce_topology *topology = processors->routing->topology;

    *packing = (struct packing){.processes = processes, .processors = processors, .least = least};
    packing->link_at = nuce_allocate(2 * (int64_t)topology->links, sizeof(int), error);
    packing->member = nuce_allocate(topology->switches, sizeof(int), error);
    packing->is_in = nuce_allocate(topology->switches, 1, error);
    packing->load = nuce_allocate(topology->links, sizeof(double), error);
    if (packing->link_at == NULL || packing->member == NULL || packing->is_in == NULL ||
        packing->load == NULL)
        return error->status;
    number_links(packing);
    packing->is_best = packing->links + 2 * topology->switches <= MOST_FOR_BEST;
    packing->has_border = packing->is_best && nuce_processes_border(processes) > 0;
    return NUCE_OK;
}

/* Appends the links that leave the set of members to packing->link; room for all of them is
 * there. */
static void cardinality_cross(struct packing *packing)
{
    const struct nuce_topology *topology = packing->processors->routing->topology;

    for (int i = 0; i < packing->members; i++)
        packing->is_in[packing->member[i]] = 1;
    for (int i = 0; i < packing->members; i++) {
        int s = packing->member[i];

        for (int64_t k = topology->start[s]; k < topology->start[s + 1]; k++) {
            if (packing->link_at[k] >= 0 && !packing->is_in[topology->neighbor[k]])
                packing->link[packing->crossed++] = packing->link_at[k];
        }
    }
    for (int i = 0; i < packing->members; i++)
        packing->is_in[packing->member[i]] = 0;
}

/* How many of the program's processors are on switch s. */
static int on_switch(const struct packing *packing, int s)
{
    return packing->processors->start[s + 1] - packing->processors->start[s];
}

/* Room for a cut of one set more. */
static nuce_status cardinality_make_room(struct packing *packing, struct nuce_error *error)
{
    int64_t most = packing->links + 2 * (int64_t)packing->processors->routing->topology->switches;

    if (nuce_allocate_more((void **)&packing->link, &packing->link_capacity,
                           packing->crossed + most, sizeof *packing->link, error) != NUCE_OK ||
        nuce_allocate_more((void **)&packing->cut, &packing->cut_capacity, packing->cuts + 1,
                           sizeof *packing->cut, error) != NUCE_OK)
        return error->status;
    return NUCE_OK;
}

/* The last cut once more, by the perimeter of members or of the others, whichever are fewer. */
static nuce_status add_perimeter(struct packing *packing, int processors, struct nuce_error *error)
{
    struct nuce_cut cut = packing->cut[packing->cuts - 1];
    int switches = packing->processors->routing->topology->switches;
    int is_inside = 2 * processors <= packing->processors->count;

    if (cardinality_make_room(packing, error) != NUCE_OK)
        return error->status;
    for (int64_t k = 0; k < cut.count; k++)
        packing->link[packing->crossed + k] = packing->link[cut.first + k];
    cut.first = packing->crossed;
    packing->crossed += cut.count;
    for (int i = 0; i < packing->members; i++)
        packing->is_in[packing->member[i]] = 1;
    for (int s = 0; s < switches; s++) {
        if (packing->is_in[s] == is_inside && on_switch(packing, s) > 0) {
            packing->link[packing->crossed++] = packing->links + s;
            packing->link[packing->crossed++] = packing->links + switches + s;
        }
        packing->is_in[s] = 0;
    }
    cut.count = packing->crossed - cut.first;
    cut.value = nuce_processes_least_perimeter(
        packing->processes, is_inside ? processors : packing->processors->count - processors);
    packing->cut[packing->cuts++] = cut;
    return NUCE_OK;
}

/* Adds the set of members, if anything must cross it at all. */
static nuce_status add_cut(struct packing *packing, struct nuce_error *error)
{
    struct nuce_cut cut = {.first = packing->crossed};
    int processors = 0;

    for (int i = 0; i < packing->members; i++)
        processors += on_switch(packing, packing->member[i]);
    cut.value = packing->least[processors];
    if (!(cut.value > 0))
        return NUCE_OK;
    if (cardinality_make_room(packing, error) != NUCE_OK)
        return error->status;
    cardinality_cross(packing);
    cut.count = packing->crossed - cut.first;
    packing->cut[packing->cuts++] = cut;
    return packing->has_border ? add_perimeter(packing, processors, error) : NUCE_OK;
}

/* What is below each switch in the tree: switches that follow one another in a walk of it. */
static nuce_status add_branches(struct packing *packing, struct nuce_error *error)
{
    const struct nuce_routing *routing = packing->processors->routing;
    int switches = routing->topology->switches;
    int *place = nuce_allocate(switches, sizeof *place, error);
    int *walk = nuce_allocate(switches, sizeof *walk, error);
    nuce_status status = place == NULL || walk == NULL ? error->status : NUCE_OK;

    if (status == NUCE_OK)
        status = nuce_routing_walk(routing, place, error);
    for (int s = 0; status == NUCE_OK && s < switches; s++)
        walk[place[s]] = s;
    for (int s = 0; status == NUCE_OK && s < switches; s++) {
        int k = place[s];

        packing->members = 0;
        do
            packing->member[packing->members++] = walk[k++];
        while (k < switches && routing->level[walk[k]] > routing->level[s]);
        status = add_cut(packing, error);
    }
    free(place);
    free(walk);
    return status;
}

/* What is within so many links of each switch, itself alone at first. */
static nuce_status add_balls(struct packing *packing, struct nuce_error *error)
{
    const struct nuce_routing *routing = packing->processors->routing;
    int switches = routing->topology->switches;
    int radii = packing->is_best ? 2 * routing->height : 0;

    for (int s = 0; s < switches; s++) {
        packing->members = 1;
        packing->member[0] = s;
        if (add_cut(packing, error) != NUCE_OK)
            return error->status;
        for (int radius = 1; radius < radii; radius++) {
            packing->members = 0;
            for (int k = 0; k < switches; k++) {
                if (nuce_routing_hops(routing, s, k) <= radius)
                    packing->member[packing->members++] = k;
            }
            if (add_cut(packing, error) != NUCE_OK)
                return error->status;
        }
    }
    return NUCE_OK;
}

/* The columns of the border. The processes in the corners, and all at the border, come to a count
 * each; the shares around these are at most threshold x count + what exceeds it, summed. */
static nuce_status add_border(struct packing *packing, struct nuce_error *error)
{
    int switches = packing->processors->routing->topology->switches;
    int corners = nuce_processes_corners(packing->processes);
    int count[2] = {corners, nuce_processes_border(packing->processes) - corners};

    for (int group = 0; group < 2; group++) {
        int row = packing->links + group * switches;

        if (cardinality_make_room(packing, error) != NUCE_OK)
            return error->status;
        packing->cut[packing->cuts++] =
            (struct nuce_cut){packing->crossed, switches, -count[group], 0};
        for (int s = 0; s < switches; s++)
            packing->link[packing->crossed++] = -1 - (row + s);
        for (int s = 0; s < switches; s++) {
            if (cardinality_make_room(packing, error) != NUCE_OK)
                return error->status;
            packing->cut[packing->cuts++] =
                (struct nuce_cut){packing->crossed, 1, -on_switch(packing, s), 0};
            packing->link[packing->crossed++] = -1 - (row + s);
        }
    }
    return NUCE_OK;
}

/* Shares of the linear program; columns of the border are dropped afterwards, as only cuts
 * count. */
static nuce_status find_best(struct packing *packing, struct nuce_error *error)
{
    int64_t cuts = packing->cuts;
    int rows = packing->links;
    double *room;
    nuce_status status = NUCE_OK;

    if (packing->has_border) {
        rows += 2 * packing->processors->routing->topology->switches;
        status = add_border(packing, error);
    }
    room = nuce_allocate(rows, sizeof *room, error);
    if (room == NULL)
        status = error->status;
    for (int e = 0; status == NUCE_OK && e < packing->links; e++)
        room[e] = 1;
    if (status == NUCE_OK)
        status = nuce_cut_packing(rows, room, packing->link, packing->cut, packing->cuts, error);
    free(room);
    packing->cuts = cuts;
    return status;
}

/* Sums the loads that shares make on links; where one is above 1, all shares are scaled down to
 * that. */
static void cardinality_settle(struct packing *packing)
{
    double most = 1;

    for (int64_t c = 0; c < packing->cuts; c++) {
        const struct nuce_cut *cut = &packing->cut[c];

        for (int64_t k = cut->first; k < cut->first + cut->count; k++) {
            int e = packing->link[k];

            if (e < packing->links)
                most = fmax(most, packing->load[e] += cut->share);
        }
    }
    for (int64_t c = 0; c < packing->cuts; c++)
        packing->cut[c].share /= most;
    for (int e = 0; e < packing->links; e++)
        packing->load[e] /= most;
}

/* Gives cuts, one after another, what their links have left. Perimeters get nothing: their price at
 * the border is not a link's. */
static void cardinality_fill(struct packing *packing)
{
    for (int64_t c = 0; c < packing->cuts; c++) {
        struct nuce_cut *cut = &packing->cut[c];
        double left = INFINITY;

        for (int64_t k = cut->first; k < cut->first + cut->count; k++)
            left = fmin(
                left, packing->link[k] < packing->links ? 1 - packing->load[packing->link[k]] : 0);
        left = fmax(left, 0);
        cut->share += left;
        for (int64_t k = cut->first; left > 0 && k < cut->first + cut->count; k++)
            packing->load[packing->link[k]] += left;
    }
}

/* Descending, for qsort. */
static int compare_capacities(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a < b) - (a > b);
}

/* What the shares come to, the border taken off: of the processors around which perimeters have the
 * largest shares those of corners count twice. */
static nuce_status sum_up(const struct packing *packing, double *out, struct nuce_error *error)
{
    const struct nuce_processors *processors = packing->processors;
    int switches = processors->routing->topology->switches;
    int corners = nuce_processes_corners(packing->processes);
    int border = packing->has_border ? nuce_processes_border(packing->processes) - corners : 0;
    double *around = nuce_allocate(switches, sizeof *around, error);
    double *shares = nuce_allocate(processors->count, sizeof *shares, error);
    nuce_status status = around == NULL || shares == NULL ? error->status : NUCE_OK;

    *out = 0;
    for (int64_t c = 0; status == NUCE_OK && c < packing->cuts; c++) {
        const struct nuce_cut *cut = &packing->cut[c];

        *out += cut->share * cut->value;
        for (int64_t k = cut->first; k < cut->first + cut->count; k++) {
            int s = packing->link[k] - packing->links;

            if (s >= 0 && s < switches)
                around[s] += cut->share;
        }
    }
    for (int p = 0; status == NUCE_OK && p < processors->count; p++)
        shares[p] = around[processors->home[p]];
    if (status == NUCE_OK)
        qsort(shares, (size_t)processors->count, sizeof *shares, compare_capacities);
    for (int p = 0; status == NUCE_OK && p < border && p < processors->count; p++)
        *out -= (p < corners ? 2 : 1) * shares[p];
    free(around);
    free(shares);
    return status;
}

nuce_status nuce_cardinality_bound(const struct nuce_processes *processes,
                                   const struct nuce_processors *processors, double *out,
                                   struct nuce_error *error)
{
    double *least = nuce_processes_least_cuts(processes, error), sum = 0;
    struct packing packing = {0};
    nuce_status status = least == NULL ? error->status : NUCE_OK;

    if (status == NUCE_OK)
        status = packing_init(processes, processors, least, &packing, error);
    if (status == NUCE_OK)
        status = add_branches(&packing, error);
    if (status == NUCE_OK)
        status = add_balls(&packing, error);
    if (status == NUCE_OK && packing.is_best && packing.cuts > 0)
        status = find_best(&packing, error);
    if (status == NUCE_OK) {
        cardinality_settle(&packing);
        cardinality_fill(&packing);
        status = sum_up(&packing, &sum, error);
    }
    if (status == NUCE_OK) {
        /* Shares are rounded: a little less is certain. */
        sum *= 1 - 1e-9;
        *out = processes->at == NULL ? ceil(sum) : sum;
    }
    packing_fini(&packing);
    free(least);
    return status;
}
