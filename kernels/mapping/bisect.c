/* Recursive bisection of processes and processors at once. A part is a block of the mesh and its
 * processors, as shares of switches. Bisecting it halves the block along its longest side and
 * divides the shares so that the halves are far apart. Parts are bisected breadth first. So every
 * other part is known to about the same resolution, and processes can be pulled towards the parts
 * that they exchange with. A part on one switch is done. */
#include "mapping/bisect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"

/* Kernighan and Lin's heuristic with numbers of processors per switch instead of single processors.
 * It increases the sum of distances between the halves; the papers' "minimise the cut" holds for
 * affinities. Moving a processor from switch i to the second half gains gain[i]. Swapping one of i
 * for one of k gains gain[i] - gain[k], and 2 x scale x the hops between them, which both gains had
 * counted as lost. */

/* Smaller gains are rounding errors, with which passes would never end. A few passes find nearly
 * all gains. */
#define ROUNDING 1e-9
#define MOST_PASSES 50

double nuce_halves_value(const struct nuce_halves *halves)
{
    double value = 0;

    for (int i = 0; i < halves->shares; i++) {
        const struct nuce_share *a = &halves->share[i];
        double sum = 0;

        if (a->first == 0)
            continue;
        for (int k = 0; k < halves->shares; k++)
            sum += (double)(halves->share[k].count - halves->share[k].first) *
                   nuce_routing_hops(halves->routing, a->home, halves->share[k].home);
        value += a->first * (halves->scale * sum - a->pull);
    }
    return value;
}

/* The state of a pass; arrays over shares. */
struct pass {
    const struct nuce_halves *halves;
    double *gain; /* of moving one from the first half to the second; its negative, of moving one
                     back */
    double *first, *other; /* processors in each half that have not been swapped */
    double farthest;       /* most hops between two shares */
};

struct pair {
    int out, in; /* shares: one leaves the first half, one enters it */
    double gain;
};

/* Computes the gains from scratch; later they are updated by differences. */
static void start_pass(struct pass *pass)
{
    const struct nuce_halves *halves = pass->halves;

    pass->farthest = 0;
    for (int i = 0; i < halves->shares; i++) {
        const struct nuce_share *a = &halves->share[i];
        double sum = 0;

        for (int k = 0; k < halves->shares; k++) {
            const struct nuce_share *b = &halves->share[k];
            int hops = nuce_routing_hops(halves->routing, a->home, b->home);

            sum += (double)(2 * b->first - b->count) * hops;
            pass->farthest = hops > pass->farthest ? hops : pass->farthest;
        }
        pass->gain[i] = halves->scale * sum + a->pull;
        pass->first[i] = a->first;
        pass->other[i] = a->count - a->first;
    }
}

/* Finds the pair of the largest gain in *best, the lowest numbers of several; 0 if one half has
 * none left. A share is skipped if its own gain, the best gain of all partners and the farthest
 * distance together do not exceed the best so far. That skips most. */
static int find_pair(const struct pass *pass, struct pair *best)
{
    const struct nuce_halves *halves = pass->halves;
    double twice = 2 * halves->scale, most = 0;
    int is_any = 0, is_found = 0;

    for (int k = 0; k < halves->shares; k++) {
        if (pass->other[k] > 0 && (!is_any || -pass->gain[k] > most)) {
            most = -pass->gain[k];
            is_any = 1;
        }
    }
    for (int i = 0; is_any && i < halves->shares; i++) {
        if (!(pass->first[i] > 0) ||
            (is_found && pass->gain[i] + most + twice * pass->farthest <= best->gain))
            continue;
        for (int k = 0; k < halves->shares; k++) {
            double gain;

            if (k == i || !(pass->other[k] > 0))
                continue;
            gain = pass->gain[i] - pass->gain[k] +
                   twice * nuce_routing_hops(halves->routing, halves->share[i].home,
                                             halves->share[k].home);
            if (!is_found || gain > best->gain) {
                *best = (struct pair){i, k, gain};
                is_found = 1;
            }
        }
    }
    return is_found;
}

/* Swaps one processor, marks both as done for this pass, and updates the gains, O(shares). */
static void swap_pair(const struct pass *pass, const struct pair *pair)
{
    const struct nuce_halves *halves = pass->halves;
    int out = halves->share[pair->out].home, in = halves->share[pair->in].home;

    halves->share[pair->out].first--;
    halves->share[pair->in].first++;
    pass->first[pair->out]--;
    pass->other[pair->in]--;
    for (int k = 0; k < halves->shares; k++)
        pass->gain[k] += 2 * halves->scale *
                         (nuce_routing_hops(halves->routing, in, halves->share[k].home) -
                          nuce_routing_hops(halves->routing, out, halves->share[k].home));
}

/* Swaps to the end, even at a loss, then goes back to the best beginning, stored as numbers in
 * kept. Returns its gain, 0 or more. */
static double run_pass(struct pass *pass, double *kept)
{
    const struct nuce_halves *halves = pass->halves;
    double sum = 0, best = 0;
    struct pair pair = {0};

    start_pass(pass);
    for (int i = 0; i < halves->shares; i++)
        kept[i] = halves->share[i].first;
    while (find_pair(pass, &pair)) {
        swap_pair(pass, &pair);
        sum += pair.gain;
        if (!(sum > best))
            continue;
        best = sum;
        for (int i = 0; i < halves->shares; i++)
            kept[i] = halves->share[i].first;
    }
    for (int i = 0; i < halves->shares; i++)
        halves->share[i].first = (int)kept[i];
    return best;
}

void nuce_halves_improve(const struct nuce_halves *halves, double *scratch)
{
    struct pass pass = {.halves = halves,
                        .gain = scratch,
                        .first = scratch + halves->shares,
                        .other = scratch + 2 * (int64_t)halves->shares};
    double *kept = scratch + 3 * (int64_t)halves->shares;

    for (int i = 0; i < MOST_PASSES && run_pass(&pass, kept) > ROUNDING * halves->scale; i++)
        ;
}

/* Processes for the same number of processors. Parts are bisected in the order in which they were
 * made, so all large ones before the small. */
struct bisect_part {
    struct nuce_block block;
    int64_t first_share; /* in the pool */
    int shares;
    int met;    /* 1 + the last part that exchanges with it, */
    double net; /* and the weight of that exchange, first half less second */
};

/* A share with its key for the order at a start. */
struct bisect_order {
    int key, share;
};

struct bisect_work {
    const struct nuce_processes *processes;
    const struct nuce_processors *processors;
    const struct nuce_bisect_options *options;
    struct nuce_rng *rng;
    struct bisect_part *part; /* up to 2 x ranks, as each bisection replaces one by two */
    int parts;
    int *part_of;            /* ranks */
    struct nuce_share *pool; /* shares of all parts; grows */
    int64_t pooled, capacity;
    int *next;                  /* switches: the next member to assign */
    int *place;                 /* switches: place on a walk of the tree */
    int *met;                   /* parts that exchange with the current one */
    int *rank;                  /* scratch: the part's processes, those of the first half first */
    char *is_second;            /* scratch, by rank: it is in the second half of the current part */
    struct nuce_share *share;   /* scratch: shares of the current part */
    struct bisect_order *order; /* scratch, shares */
    int *best;                  /* scratch, shares */
    double *scratch;            /* 4 x shares */
};

static void add_share(struct bisect_work *work, int home, int count)
{
    nuce_allocate_more((void **)&work->pool, &work->capacity, work->pooled + 1, sizeof *work->pool);
    work->pool[work->pooled++] = (struct nuce_share){.home = home, .count = count};
}

/* Adds a part: the processes rank[0 .. volume - 1] of block, and the shares in the pool from
 * first_share on. */
static void bisect_add_part(struct bisect_work *work, const struct nuce_block *block,
                            const int *rank, int64_t first_share)
{
    int volume = nuce_block_volume(block);

    for (int i = 0; i < volume; i++)
        work->part_of[rank[i]] = work->parts;
    work->part[work->parts++] =
        (struct bisect_part){.block = *block,
                             .first_share = first_share,
                             .shares = nuce_int(work->pooled - first_share)};
}

/* The mean distance from switch home to a processor of part. */
static double mean_hops(const struct bisect_work *work, int home, const struct bisect_part *part)
{
    const struct nuce_share *share = work->pool + part->first_share;
    double sum = 0;

    for (int k = 0; k < part->shares; k++)
        sum += (double)share[k].count *
               nuce_routing_hops(work->processors->routing, home, share[k].home);
    return sum / nuce_block_volume(&part->block);
}

/* Sets the weights of the halves of part number own (see struct nuce_halves). scale is the mean
 * weight between two processes of one half less that between two in different halves. So it is the
 * extra cost of a link between two processors of one half over one between halves. A pull is the
 * cost of a process in the first half for each link to the other parts. Without options->pull only
 * distances count, as in the paper. */
static void bisect_weigh(struct bisect_work *work, int own, const int size[2],
                         struct nuce_halves *halves)
{
    const struct nuce_processes *processes = work->processes;
    double square = (double)size[0] * size[0] + (double)size[1] * size[1];
    double within = 0, between = 0; /* weight of the part's edges, each once */
    int count = 0;                  /* number of other parts in met */

    halves->scale = 1;
    for (int i = 0; i < halves->shares; i++)
        halves->share[i].pull = 0;
    if (!(work->options->pull > 0))
        return;
    /* The exchange of the mean process of the first half with each other part, less that of the
     * second half. */
    for (int i = 0; i < size[0] + size[1]; i++) {
        int rank = work->rank[i], is_second = work->is_second[rank];

        for (int64_t k = processes->start[rank]; k < processes->start[rank + 1]; k++) {
            int other = processes->neighbor[k], part = work->part_of[other];
            struct bisect_part *with = &work->part[part];
            double weight = processes->weight[k];

            if (part == own) {
                *(work->is_second[other] == is_second ? &within : &between) += weight / 2;
                continue;
            }
            if (with->met != own + 1) {
                work->met[count++] = part;
                with->net = 0;
            }
            with->met = own + 1;
            with->net += is_second ? -weight / size[1] : weight / size[0];
        }
    }
    halves->scale = fmax(2 * within / square - between / ((double)size[0] * size[1]), 0);
    for (int m = 0; m < count; m++) {
        const struct bisect_part *other = &work->part[work->met[m]];

        for (int i = 0; i < halves->shares; i++)
            halves->share[i].pull +=
                work->options->pull * other->net * mean_hops(work, halves->share[i].home, other);
    }
}

/* By key, then by number, so that all ranks have the same order. */
static int bisect_compare(const void *left, const void *right)
{
    const struct bisect_order *a = left, *b = right;

    return NUCE_INT_ORDER({a->key, b->key}, {a->share, b->share});
}

/* The first half of start number `start`, of size processors. It is the beginning (even starts) or
 * the end of an order of the shares, until it is full; the switch that is too large for the rest is
 * divided. Orders: 0, 1 by size, 2, 3 on the walk of the tree, further ones around a random
 * switch. */
static void start_halves(struct bisect_work *work, const struct nuce_halves *halves, int start,
                         int size)
{
    int kind = start / 2, centre = 0;

    if (kind >= 2)
        centre = halves->share[nuce_rng_below(work->rng, (uint64_t)halves->shares)].home;
    for (int i = 0; i < halves->shares; i++) {
        const struct nuce_share *share = &halves->share[i];

        work->order[i] = (struct bisect_order){
            kind == 0   ? -share->count
            : kind == 1 ? work->place[share->home]
                        : nuce_routing_hops(halves->routing, centre, share->home),
            i};
    }
    qsort(work->order, (size_t)halves->shares, sizeof *work->order, bisect_compare);
    for (int i = 0; i < halves->shares; i++) {
        int place = start % 2 == 0 ? i : halves->shares - 1 - i;
        struct nuce_share *share = &halves->share[work->order[place].share];

        share->first = share->count < size ? share->count : size;
        size -= share->first;
    }
}

/* Puts the best halves of all starts, each improved by Kernighan and Lin's heuristic, into the
 * shares' first. */
static void choose_halves(struct bisect_work *work, const struct nuce_halves *halves, int size)
{
    double best = 0;

    for (int start = 0; start < work->options->starts; start++) {
        double value;

        start_halves(work, halves, start, size);
        nuce_halves_improve(halves, work->scratch);
        if (work->options->starts == 1)
            return;
        value = nuce_halves_value(halves);
        if (start > 0 && !(value > best))
            continue;
        best = value;
        for (int i = 0; i < halves->shares; i++)
            work->best[i] = halves->share[i].first;
    }
    for (int i = 0; i < halves->shares; i++)
        halves->share[i].first = work->best[i];
}

/* Makes two new parts from part number own, which stays in the list without processes. */
static void bisect_part(struct bisect_work *work, int own)
{
    struct bisect_part part = work->part[own];
    struct nuce_halves halves = {
        .routing = work->processors->routing, .share = work->share, .shares = part.shares};
    struct nuce_block half[2];
    int size[2];
    int *rank = work->rank;

    nuce_block_halve(&part.block, half);
    for (int h = 0; h < 2; h++) {
        size[h] = nuce_block_volume(&half[h]);
        nuce_block_ranks(work->processes, &half[h], h == 0 ? rank : rank + size[0]);
    }
    for (int i = 0; i < size[0] + size[1]; i++)
        work->is_second[rank[i]] = i >= size[0];
    memcpy(work->share, work->pool + part.first_share, (size_t)part.shares * sizeof *work->share);
    bisect_weigh(work, own, size, &halves);
    choose_halves(work, &halves, size[0]);
    for (int h = 0; h < 2; h++) {
        int64_t first_share = work->pooled;

        for (int i = 0; i < part.shares; i++) {
            const struct nuce_share *share = &work->share[i];
            int count = h == 0 ? share->first : share->count - share->first;

            if (count > 0)
                add_share(work, share->home, count);
        }
        bisect_add_part(work, &half[h], h == 0 ? rank : rank + size[0], first_share);
    }
}

void nuce_bisect(const struct nuce_placement_input *input,
                 const struct nuce_bisect_options *options, struct nuce_rng *rng, int *processor)
{
    struct bisect_work work = {.processes = input->processes,
                               .processors = input->processors,
                               .options = options,
                               .rng = rng};
    int64_t ranks = input->processes->ranks;
    int64_t switches = work.processors->routing->topology->switches;
    struct nuce_block whole = nuce_processes_whole(work.processes);

    work.part = nuce_allocate(2 * ranks, sizeof *work.part);
    work.part_of = nuce_allocate(4 * ranks, sizeof *work.part_of);
    work.rank = work.part_of + ranks;
    work.met = work.rank + ranks; /* up to 2 x ranks */
    work.next = nuce_allocate(3 * switches, sizeof *work.next);
    work.place = work.next + switches;
    work.best = work.place + switches;
    work.is_second = nuce_allocate(ranks, 1);
    work.share = nuce_allocate(switches, sizeof *work.share);
    work.order = nuce_allocate(switches, sizeof *work.order);
    work.scratch = nuce_allocate(4 * switches, sizeof *work.scratch);
    nuce_routing_walk(work.processors->routing, work.place);
    for (int s = 0; s < switches; s++) {
        int count = work.processors->start[s + 1] - work.processors->start[s];

        work.next[s] = work.processors->start[s];
        if (count > 0)
            add_share(&work, s, count);
    }
    for (int i = 0; i < ranks; i++)
        work.rank[i] = i;
    bisect_add_part(&work, &whole, work.rank, 0);
    /* The list grows during the loop. */
    for (int own = 0; own < work.parts; own++) {
        const struct bisect_part *part = &work.part[own];
        int home = work.pool[part->first_share].home;

        if (part->shares > 1) {
            bisect_part(&work, own);
            continue;
        }
        /* Assigns all processes to the part's only switch, each to its next processor. */
        nuce_block_ranks(work.processes, &part->block, work.rank);
        for (int i = 0; i < nuce_block_volume(&part->block); i++)
            processor[work.rank[i]] = work.processors->member[work.next[home]++];
    }
    free(work.part);
    free(work.part_of);
    free(work.pool);
    free(work.next);
    free(work.is_second);
    free(work.share);
    free(work.order);
    free(work.scratch);
}
