/* The walk is a merge of two sequences of blocks. Which of the two is stepped through decides the
 * cost: where a block of theirs holds a whole turn of ours, their blocks; else ours, each cut by
 * theirs, and many whole turns of theirs within one block of ours as one strided line a rank. Cost:
 * O(blocks of ours + blocks of theirs) below the limit at most, less where turns make lines; no
 * memory. Places are of the rank's local part, in elements. */
#include "instances/overlap.h"

int64_t nuce_overlap_period(const struct nuce_cyclic *one, const struct nuce_cyclic *other)
{
    int64_t turn = nuce_cyclic_turn(one), other_turn = nuce_cyclic_turn(other);
    int64_t divisor = turn, rest = other_turn, period;

    while (rest != 0) {
        int64_t next = divisor % rest;

        divisor = rest;
        rest = next;
    }
    if (__builtin_mul_overflow(turn / divisor, other_turn, &period) || period > one->elements)
        return one->elements;
    return period;
}

/* What stays the same during a walk. */
struct overlap_walk {
    const struct nuce_cyclic *mine, *theirs;
    int64_t their_turn;
    int rank;
    int64_t limit; /* elements: only those below are walked */
    nuce_overlap_visit *visit;
    void *context;
};

/* A single run, as a line. */
static nuce_status visit_run(const struct overlap_walk *walk, int peer, int64_t start,
                             int64_t length, struct nuce_error *error)
{
    const struct nuce_line line = {.start = start, .length = length, .repeats = 1};

    return walk->visit(walk->context, peer, &line, error);
}

/* Blocks of theirs one after another: what this rank holds of one lies together in its local part,
 * at places that nuce_cyclic_owned_below gives. */
static nuce_status walk_their_blocks(const struct overlap_walk *walk, struct nuce_error *error)
{
    const struct nuce_cyclic *theirs = walk->theirs;
    int64_t start = 0, left = walk->limit;
    int peer = 0;

    while (left > 0) {
        int64_t end;

        left -= left < theirs->block ? left : theirs->block;
        end = nuce_cyclic_owned_below(walk->mine, walk->rank, walk->limit - left);
        if (end > start && visit_run(walk, peer, start, end - start, error) != NUCE_OK)
            return error->status;
        start = end;
        peer = peer + 1 < theirs->ranks ? peer + 1 : 0;
    }
    return NUCE_OK;
}

/* Whole turns over their ranks, the first at place start: each rank's blocks make one line. */
static nuce_status visit_turns(const struct overlap_walk *walk, int64_t start, int64_t turns,
                               struct nuce_error *error)
{
    struct nuce_line line = {.start = start,
                             .length = walk->theirs->block,
                             .stride = walk->their_turn,
                             .repeats = turns};

    for (int peer = 0; peer < walk->theirs->ranks; peer++) {
        if (walk->visit(walk->context, peer, &line, error) != NUCE_OK)
            return error->status;
        line.start += line.length;
    }
    return NUCE_OK;
}

/* Cuts the own elements begin .. end - 1, which are at place start, by blocks of theirs. block_end
 * may lie beyond `end`, by less than a block. Neither is more than 2^53 elements, so it cannot
 * overflow. */
static nuce_status walk_own_block(const struct overlap_walk *walk, int64_t begin, int64_t end,
                                  int64_t start, struct nuce_error *error)
{
    const struct nuce_cyclic *theirs = walk->theirs;
    int64_t block = begin / theirs->block, block_end = (block + 1) * theirs->block;
    int peer = (int)(block % theirs->ranks);

    for (int64_t at = begin; at < end;) {
        int64_t stop = block_end < end ? block_end : end;

        if (peer == 0 && at + theirs->block == block_end && end - at >= 2 * walk->their_turn) {
            int64_t turns = (end - at) / walk->their_turn;

            if (visit_turns(walk, start + at - begin, turns, error) != NUCE_OK)
                return error->status;
            at += turns * walk->their_turn;
            block_end += turns * walk->their_turn;
            continue;
        }
        if (visit_run(walk, peer, start + at - begin, stop - at, error) != NUCE_OK)
            return error->status;
        at = stop;
        block_end += theirs->block;
        peer = peer + 1 < theirs->ranks ? peer + 1 : 0;
    }
    return NUCE_OK;
}

/* Blocks of this rank one after another, the next one a turn on. */
static nuce_status walk_own_blocks(const struct overlap_walk *walk, struct nuce_error *error)
{
    int64_t block = walk->mine->block, turn = nuce_cyclic_turn(walk->mine), start = 0;

    if (nuce_cyclic_owned_below(walk->mine, walk->rank, walk->limit) == 0)
        return NUCE_OK; /* rank * block may not even be an int64_t */
    for (int64_t begin = walk->rank * block; begin < walk->limit; begin += turn) {
        int64_t end = block < walk->limit - begin ? begin + block : walk->limit;

        if (walk_own_block(walk, begin, end, start, error) != NUCE_OK)
            return error->status;
        start += end - begin;
    }
    return NUCE_OK;
}

nuce_status nuce_overlap_walk(const struct nuce_cyclic *mine, const struct nuce_cyclic *theirs,
                              int rank, int64_t limit, nuce_overlap_visit *visit, void *context,
                              struct nuce_error *error)
{
    const struct overlap_walk walk = {mine,  theirs, nuce_cyclic_turn(theirs), rank, limit,
                                      visit, context};

    NUCE_ASSERT(mine->elements == theirs->elements && limit <= mine->elements);
    if (theirs->block >= nuce_cyclic_turn(mine))
        return walk_their_blocks(&walk, error);
    return walk_own_blocks(&walk, error);
}
