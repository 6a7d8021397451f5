#include "cardinality_bound.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"

/* Sets of switches within so many links of one are looked at in networks of up to so many. */
#define MOST_FOR_BALLS 256

/* How finely shares are dealt out: the packing is within about twice that of the best. */
#define STEP 0.1

struct cut {
    int64_t first, count; /* its links: entries of link[] */
    double value;         /* what crosses it at least */
    double share;
};

struct packing {
    const struct nuce_processors *processors;
    const double *least; /* of nuce_processes_least_cuts */
    int *link_at;        /* of each entry of the topology's neighbours: its link, -1: none that
                            routes may take */
    int links;
    struct cut *cut;
    int64_t cuts, cut_capacity;
    int *link;
    int64_t crossed, link_capacity;
    int *member; /* switches: the set that is looked at */
    int members;
    unsigned char *is_in;  /* switches: whether each is in it */
    double *load, *length; /* links */
};

static void packing_fini(struct packing *packing)
{
    free(packing->link_at);
    free(packing->cut);
    free(packing->link);
    free(packing->member);
    free(packing->is_in);
    free(packing->load);
    free(packing->length);
}

/* Numbers the links that routes may take, the same in the entries of both ends. */
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

static nuce_status packing_init(const struct nuce_processors *processors, const double *least,
                                struct packing *packing, struct nuce_error *error)
{
    const struct nuce_topology *topology = processors->routing->topology;

    *packing = (struct packing){.processors = processors, .least = least};
    packing->link_at = nuce_allocate(2 * (int64_t)topology->links, sizeof(int), error);
    packing->member = nuce_allocate(topology->switches, sizeof(int), error);
    packing->is_in = nuce_allocate(topology->switches, 1, error);
    packing->load = nuce_allocate(topology->links, sizeof(double), error);
    packing->length = nuce_allocate(topology->links, sizeof(double), error);
    if (packing->link_at == NULL || packing->member == NULL || packing->is_in == NULL ||
        packing->load == NULL || packing->length == NULL)
        return error->status;
    number_links(packing);
    for (int e = 0; e < packing->links; e++)
        packing->length[e] = 1;
    return NUCE_OK;
}

/* The links that leave the set; room for all of them is there. */
static void cross(struct packing *packing)
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

/* Adds the set of members, if anything crosses it at all. */
static nuce_status add_cut(struct packing *packing, struct nuce_error *error)
{
    const int *start = packing->processors->start;
    struct cut cut = {.first = packing->crossed};
    int processors = 0;

    for (int i = 0; i < packing->members; i++)
        processors += start[packing->member[i] + 1] - start[packing->member[i]];
    cut.value = packing->least[processors];
    if (!(cut.value > 0))
        return NUCE_OK;
    if (nuce_grow((void **)&packing->link, &packing->link_capacity,
                  packing->crossed + packing->links, sizeof *packing->link, error) != NUCE_OK ||
        nuce_grow((void **)&packing->cut, &packing->cut_capacity, packing->cuts + 1,
                  sizeof *packing->cut, error) != NUCE_OK)
        return error->status;
    cross(packing);
    cut.count = packing->crossed - cut.first;
    packing->cut[packing->cuts++] = cut;
    return NUCE_OK;
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
    int radii = switches <= MOST_FOR_BALLS ? 2 * routing->height : 0;

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

static double cut_length(const struct packing *packing, const struct cut *cut)
{
    double sum = 0;

    for (int64_t k = cut->first; k < cut->first + cut->count; k++)
        sum += packing->length[packing->link[k]];
    return sum;
}

/* Gives cuts shares, one after another to those that are short for their value; links become the
 * longer the more shares they bear. Stops when one bears enough for the packing to be good. */
static void deal(struct packing *packing)
{
    double enough = log((double)packing->links + 1) / (STEP * STEP), most = 0, ratio = INFINITY;

    for (int64_t c = 0; c < packing->cuts; c++)
        ratio = fmin(ratio, cut_length(packing, &packing->cut[c]) / packing->cut[c].value);
    for (; most < enough; ratio *= 1 + STEP) {
        for (int64_t c = 0; c < packing->cuts && most < enough; c++) {
            struct cut *cut = &packing->cut[c];

            while (most < enough && cut_length(packing, cut) <= (1 + STEP) * ratio * cut->value) {
                cut->share++;
                for (int64_t k = cut->first; k < cut->first + cut->count; k++) {
                    int e = packing->link[k];

                    packing->length[e] *= 1 + STEP;
                    most = fmax(most, ++packing->load[e]);
                }
            }
        }
    }
    for (int64_t c = 0; c < packing->cuts; c++)
        packing->cut[c].share /= most;
    for (int e = 0; e < packing->links; e++)
        packing->load[e] /= most;
}

/* Gives cuts what their links have left. */
static void fill(struct packing *packing)
{
    for (int64_t c = 0; c < packing->cuts; c++) {
        struct cut *cut = &packing->cut[c];
        double left = INFINITY;

        for (int64_t k = cut->first; k < cut->first + cut->count; k++)
            left = fmin(left, 1 - packing->load[packing->link[k]]);
        left = fmax(left, 0);
        cut->share += left;
        for (int64_t k = cut->first; k < cut->first + cut->count; k++)
            packing->load[packing->link[k]] += left;
    }
}

nuce_status nuce_cardinality_bound(const struct nuce_processes *processes,
                                   const struct nuce_processors *processors, double *out,
                                   struct nuce_error *error)
{
    double *least = nuce_processes_least_cuts(processes, error), sum = 0;
    struct packing packing = {0};
    nuce_status status = least == NULL ? error->status : NUCE_OK;

    if (status == NUCE_OK)
        status = packing_init(processors, least, &packing, error);
    if (status == NUCE_OK)
        status = add_branches(&packing, error);
    if (status == NUCE_OK)
        status = add_balls(&packing, error);
    if (status == NUCE_OK && packing.cuts > 0) {
        deal(&packing);
        fill(&packing);
        for (int64_t c = 0; c < packing.cuts; c++)
            sum += packing.cut[c].share * packing.cut[c].value;
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
