/* A tournament of ranks by time: who is first is known at once, and a change of one rank's time
 * costs a match against an opponent known beforehand on each of log2(ranks) levels (Knuth, "The Art
 * of Computer Programming" 3, 5.4.1: a tree of winners). */
#ifndef NUCE_WINNER_TREE_H
#define NUCE_WINNER_TREE_H

#include <stdint.h>
#include <string.h>

#include "base/error.h"

struct nuce_winner_tree_entry {
    int64_t key; /* the bits of the time, which for times >= 0 are ordered as the times are: whole
                    numbers are compared, and chosen from, in fewer steps */
    int rank;
};

struct nuce_winner_tree {
    int leaves; /* a power of two, at least as many as ranks */
    /* 2 leaves: the leaf of rank i is leaves + i; entry k holds the winner of entries 2 k and
     * 2 k + 1, and so entry 1 that of all. */
    struct nuce_winner_tree_entry *entries;
};

/* Of ranks that take no part yet. Freed with nuce_winner_tree_fini. */
void nuce_winner_tree_init(int ranks, struct nuce_winner_tree *out);
void nuce_winner_tree_fini(struct nuce_winner_tree *tree);

/* Sets the time of a rank in seconds, >= 0, INFINITY to take no part, and plays its matches. */
void nuce_winner_tree_set(struct nuce_winner_tree *tree, int rank, double time);

/* The rank with the least time, the lowest of several, and that time in *time. */
static inline int nuce_winner_tree_first(const struct nuce_winner_tree *tree, double *time)
{
    memcpy(time, &tree->entries[1].key, sizeof *time);
    return tree->entries[1].rank;
}

#endif
