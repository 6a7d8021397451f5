/* sm: switch-based mapping: neighbouring processes onto one switch, regardless of the distances
 * between switches.
 *
 * The largest switch first (of equals the lowest number). The smallest free buddy that can hold its
 * |S| processors is halved as long as a half can. |S| of its processes go to the switch, and the
 * rest of the buddy returns as smaller free buddies. A buddy is a block of the mesh; halves are cut
 * across the longest side. If no buddy is large enough: the largest free buddy, then the free
 * buddies nearest to it. Read literally, the paper would use up a buddy of 2^ceil(log2 |S|)
 * processes for |S|, and the mesh would be full before all processes were placed.
 * Cost: O(n log n) and, for the search of a buddy, O(switches x free buddies).
 * Source: Moh et al., section 4.1. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/int.h"
#include "mapping/placement.h"

/* The state of the mapping: the free buddies, and the current switch's remaining processors. */
struct sm_work {
    const struct nuce_processes *processes;
    struct nuce_block *free; /* buddies, in no order; there are never more than processes */
    int frees;
    int *rank;         /* scratch: a block's processes */
    const int *member; /* the next processors of the current switch */
    int *processor;
};

static void sm_release(struct sm_work *work, struct nuce_block block)
{
    work->free[work->frees++] = block;
}

/* A place in row-major order, which selects the same of equal buddies for any order of the list. */
static int sm_corner(const struct sm_work *work, const struct nuce_block *block)
{
    const int *side = work->processes->side;

    return (block->low[0] * side[1] + block->low[1]) * side[2] + block->low[2];
}

/* Removes a buddy from the list, which keeps no order. */
static struct nuce_block take_free(struct sm_work *work, int place)
{
    struct nuce_block block = work->free[place];

    work->free[place] = work->free[--work->frees];
    return block;
}

/* Gives count processes of block to the current switch, whole halves first; the rest of block
 * becomes free as smaller buddies. */
static void sm_fill(struct sm_work *work, struct nuce_block block, int count)
{
    struct nuce_block half[2];
    int first;

    if (count == 0) {
        sm_release(work, block);
        return;
    }
    if (count == nuce_block_volume(&block)) {
        nuce_block_ranks(work->processes, &block, work->rank);
        for (int i = 0; i < count; i++)
            work->processor[work->rank[i]] = *work->member++;
        return;
    }
    nuce_block_halve(&block, half);
    first = nuce_block_volume(&half[0]);
    if (count >= first) {
        sm_fill(work, half[0], first);
        sm_fill(work, half[1], count - first);
    } else {
        sm_release(work, half[1]);
        sm_fill(work, half[0], count);
    }
}

/* The smallest free buddy of at least count processes, or -1. */
static int find_smallest(const struct sm_work *work, int count)
{
    int best = -1, best_volume = 0;

    for (int i = 0; i < work->frees; i++) {
        int volume = nuce_block_volume(&work->free[i]);

        if (volume < count || (best >= 0 && volume > best_volume))
            continue;
        if (best < 0 || volume < best_volume ||
            sm_corner(work, &work->free[i]) < sm_corner(work, &work->free[best])) {
            best = i;
            best_volume = volume;
        }
    }
    return best;
}

/* Twice the steps along the sides between the middles of two blocks. */
static int sm_distance(const struct nuce_block *a, const struct nuce_block *b)
{
    int sum = 0;

    for (int k = 0; k < NUCE_SIDES; k++)
        sum += abs(2 * a->low[k] + a->size[k] - 2 * b->low[k] - b->size[k]);
    return sum;
}

/* The largest free buddy, or, if there is a centre, the one nearest to it; of several the first in
 * row-major order. */
static int find_next(const struct sm_work *work, const struct nuce_block *centre)
{
    int best = 0, least = 0;

    for (int i = 0; i < work->frees; i++) {
        const struct nuce_block *block = &work->free[i];
        int key = centre != NULL ? sm_distance(block, centre) : -nuce_block_volume(block);

        if (i > 0 && (key > least || (key == least && sm_corner(work, block) >=
                                                          sm_corner(work, &work->free[best]))))
            continue;
        best = i;
        least = key;
    }
    return best;
}

/* Assigns count processes to the switch from several buddies, none of which is large enough. */
static void fill_scattered(struct sm_work *work, int count)
{
    struct nuce_block centre = take_free(work, find_next(work, NULL)), next = centre;

    for (;;) {
        int volume = nuce_block_volume(&next), filled = volume < count ? volume : count;

        sm_fill(work, next, filled);
        count -= filled;
        if (count == 0)
            return;
        next = take_free(work, find_next(work, &centre));
    }
}

/* Takes the smallest buddy that can hold count, halved as long as a half can hold it; of an odd one
 * the smaller half, if that is enough. */
static void place_switch(struct sm_work *work, int count)
{
    int place = find_smallest(work, count);
    struct nuce_block block;

    if (place < 0) {
        fill_scattered(work, count);
        return;
    }
    block = take_free(work, place);
    while (nuce_block_volume(&block) > count) {
        struct nuce_block half[2];
        int first, second, is_second;

        nuce_block_halve(&block, half);
        first = nuce_block_volume(&half[0]);
        second = nuce_block_volume(&half[1]);
        if (first < count)
            break;
        is_second = second >= count && second < first;
        sm_release(work, half[!is_second]);
        block = half[is_second];
    }
    sm_fill(work, block, count);
}

/* The number of processors of switch s. */
static int sm_members(const struct nuce_processors *processors, int s)
{
    return processors->start[s + 1] - processors->start[s];
}

/* qsort_r: the switch with more processors first, then the lower number. */
static int sm_compare(const void *left, const void *right, void *context)
{
    const struct nuce_processors *processors = context;
    int a = *(const int *)left, b = *(const int *)right;

    return NUCE_INT_ORDER({sm_members(processors, b), sm_members(processors, a)}, {a, b});
}

/* Switches without processors are last in the order, so the loop ends at the first of them. */
static nuce_status sm_place(const struct nuce_placement_input *input, int *processor,
                            struct nuce_error *error)
{
    const struct nuce_processors *processors = input->processors;
    int switches = processors->routing->topology->switches, ranks = input->processes->ranks;
    struct sm_work work = {.processes = input->processes, .processor = processor};
    int *order = nuce_allocate(switches, sizeof *order);

    (void)error;
    work.free = nuce_allocate(ranks, sizeof *work.free);
    work.rank = nuce_allocate(ranks, sizeof *work.rank);
    for (int s = 0; s < switches; s++)
        order[s] = s;
    qsort_r(order, (size_t)switches, sizeof *order, sm_compare, (void *)processors);
    sm_release(&work, nuce_processes_whole(input->processes));
    for (int i = 0; i < switches && sm_members(processors, order[i]) > 0; i++) {
        work.member = processors->member + processors->start[order[i]];
        place_switch(&work, sm_members(processors, order[i]));
    }
    free(order);
    free(work.free);
    free(work.rank);
    return NUCE_OK;
}

const struct nuce_placement_ops nuce_placement_sm = {
    .name = "sm",
    .label = "switch by switch",
    .summary = "switch-based mapping: buddies of processes to switches, the largest first",
    .source = "Moh et al., section 4.1",
    .place = sm_place,
};
