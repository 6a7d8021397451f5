/* Closed forms of cyclic(block), all by the division global = (turn * ranks + rank) * block +
 * place. */
#include "instances/cyclic.h"

#include "base/int.h"

int64_t nuce_cyclic_owned_below(const struct nuce_cyclic *cyclic, int rank, int64_t end)
{
    int64_t blocks = end / cyclic->block; /* whole ones */
    int64_t turns = blocks / cyclic->ranks, next = blocks % cyclic->ranks;

    if (rank < next)
        return (turns + 1) * cyclic->block;
    return turns * cyclic->block + (rank == next ? end % cyclic->block : 0);
}

int64_t nuce_cyclic_owned(const struct nuce_cyclic *cyclic, int rank)
{
    return nuce_cyclic_owned_below(cyclic, rank, cyclic->elements);
}

int64_t nuce_cyclic_global(const struct nuce_cyclic *cyclic, int rank, int64_t local)
{
    int64_t block = local / cyclic->block * cyclic->ranks + rank;

    return block * cyclic->block + local % cyclic->block;
}

/* The elements of one turn over all ranks, block x ranks, or `elements` if that is less. Compared
 * by division, because block * ranks may exceed an int64_t. */
static int64_t cyclic_turn(const struct nuce_cyclic *cyclic)
{
    return cyclic->block > cyclic->elements / cyclic->ranks ? cyclic->elements
                                                            : cyclic->block * cyclic->ranks;
}

/* The walk is a merge of two sequences of blocks. Its cost depends on the sequence that it steps
 * through. If a block of theirs holds a whole turn of ours, it steps through their blocks.
 * Otherwise it steps through ours, each cut by theirs; many whole turns of theirs within one block
 * of ours are one strided line per rank.
 * Cost: at most O(blocks of ours + blocks of theirs) below the limit, less if turns make lines; no
 * memory. Places are in the rank's local part, in elements. */

int64_t nuce_cyclic_period(const struct nuce_cyclic *one, const struct nuce_cyclic *other)
{
    int64_t turn = cyclic_turn(one), other_turn = cyclic_turn(other);
    int64_t period;

    return __builtin_mul_overflow(turn / nuce_int_common_divisor(turn, other_turn), other_turn,
                                  &period) ||
                   period > one->elements
               ? one->elements
               : period;
}

/* The constants of a walk. */
struct overlap_walk {
    const struct nuce_cyclic *mine, *theirs;
    int64_t their_turn;
    int rank;
    int64_t limit; /* elements: only those below it are visited */
    nuce_overlap_visit *visit;
    void *context;
};

/* A single run, as a line. */
static void visit_run(const struct overlap_walk *walk, int peer, int64_t start, int64_t length)
{
    const struct nuce_line line = {.start = start, .length = length, .repeats = 1};

    walk->visit(walk->context, peer, &line);
}

/* Cuts the own elements begin .. end - 1, which are at place start, by blocks of theirs. block_end
 * may lie beyond `end`, by less than a block. Neither is more than 2^53 elements, so it cannot
 * overflow. */
static void walk_own_block(const struct overlap_walk *walk, int64_t begin, int64_t end,
                           int64_t start)
{
    const struct nuce_cyclic *theirs = walk->theirs;
    int64_t block = begin / theirs->block, block_end = (block + 1) * theirs->block;
    int peer = (int)(block % theirs->ranks);

    for (int64_t at = begin; at < end;) {
        int64_t stop = block_end < end ? block_end : end;

        if (peer == 0 && at + theirs->block == block_end && end - at >= 2 * walk->their_turn) {
            int64_t turns = (end - at) / walk->their_turn;
            struct nuce_line line = {.start = start + at - begin,
                                     .length = theirs->block,
                                     .stride = walk->their_turn,
                                     .repeats = turns};

            /* Whole turns over their ranks: each rank's blocks make one line. */
            for (int each = 0; each < theirs->ranks; each++, line.start += line.length)
                walk->visit(walk->context, each, &line);
            at += turns * walk->their_turn;
            block_end += turns * walk->their_turn;
            continue;
        }
        visit_run(walk, peer, start + at - begin, stop - at);
        at = stop;
        block_end += theirs->block;
        peer = peer + 1 < theirs->ranks ? peer + 1 : 0;
    }
}

void nuce_cyclic_walk(const struct nuce_cyclic *mine, const struct nuce_cyclic *theirs, int rank,
                      int64_t limit, nuce_overlap_visit *visit, void *context)
{
    const struct overlap_walk walk = {mine,  theirs, cyclic_turn(theirs), rank, limit,
                                      visit, context};
    int64_t turn = cyclic_turn(mine), start = 0;
    int peer = 0;

    NUCE_ASSERT(mine->elements == theirs->elements && limit <= mine->elements);
    /* Blocks of theirs one after another: this rank's elements of one are adjacent in its local
     * part, at places that nuce_cyclic_owned_below gives. */
    if (theirs->block >= turn) {
        for (int64_t left = limit; left > 0; peer = peer + 1 < theirs->ranks ? peer + 1 : 0) {
            int64_t end;

            left -= left < theirs->block ? left : theirs->block;
            end = nuce_cyclic_owned_below(mine, rank, limit - left);
            if (end > start)
                visit_run(&walk, peer, start, end - start);
            start = end;
        }
        return;
    }
    if (nuce_cyclic_owned_below(mine, rank, limit) == 0)
        return; /* rank * block may exceed an int64_t */
    /* Blocks of this rank one after another, each a turn further. */
    for (int64_t begin = rank * mine->block; begin < limit; begin += turn) {
        int64_t end = mine->block < limit - begin ? begin + mine->block : limit;

        walk_own_block(&walk, begin, end, start);
        start += end - begin;
    }
}
