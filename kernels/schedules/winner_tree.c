/* The matches are played without branches, since who wins one cannot be foretold.
 *
 * A complete binary tree, in an array, over the ranks' times: the root, entry 1, is the rank of the
 * least time. Setting one is O(log ranks), reading the root O(1); 16 bytes for each of the 2 x
 * leaves entries. */
#include "schedules/winner_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* Times are at least 0, of which the bits, read as an integer, are in the order of the values (IEEE
 * 754): integers are compared without branches. */
static int64_t winner_tree_key_of(double time)
{
    int64_t key;

    memcpy(&key, &time, sizeof key);
    return key;
}

/* Leaves beyond the ranks stay at infinity, like ranks that are not set yet; of equals the lowest
 * rank wins. */
void nuce_winner_tree_init(int ranks, struct nuce_winner_tree *out)
{
    int leaves = 1;

    while (leaves < ranks)
        leaves *= 2;
    out->entries = nuce_allocate(2 * (int64_t)leaves, sizeof *out->entries);
    out->leaves = leaves;
    for (int k = 2 * leaves - 1; k > 0; k--) {
        int rank = k >= leaves ? k - leaves : out->entries[2 * k].rank;

        out->entries[k] = (struct nuce_winner_tree_entry){winner_tree_key_of(INFINITY), rank};
    }
}

void nuce_winner_tree_fini(struct nuce_winner_tree *tree)
{
    free(tree->entries);
    memset(tree, 0, sizeof *tree);
}

void nuce_winner_tree_set(struct nuce_winner_tree *tree, int rank, double time)
{
    struct nuce_winner_tree_entry *entries = tree->entries;
    int64_t key = winner_tree_key_of(time);
    int place = tree->leaves + rank;

    entries[place] = (struct nuce_winner_tree_entry){key, rank};
    for (; place > 1; place /= 2) {
        const struct nuce_winner_tree_entry *other = &entries[place ^ 1];
        /* Of equal times the left one wins, whose ranks are lower; places on the right are odd. */
        int loses = other->key < key + (place & 1);

        rank ^= (rank ^ other->rank) & -loses; /* the other, if it has won */
        key = other->key < key ? other->key : key;
        entries[place / 2] = (struct nuce_winner_tree_entry){key, rank};
    }
}
