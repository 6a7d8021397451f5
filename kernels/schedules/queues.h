/* What list schedules look up for each message: a heap, a tree of winners, the pairs that are left,
 * and the receivers of each sender by when they are available. */
#ifndef NUCE_QUEUES_H
#define NUCE_QUEUES_H

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "schedules/pattern.h"

/* A binary heap: the least entry first. */

/* Entries are ordered by key, then tie, then value. What they mean is the caller's; neither key nor
 * tie may be NaN, which nothing comes before or after. */
struct nuce_heap_entry {
    double key, tie;
    int64_t value;
};

struct nuce_heap {
    struct nuce_heap_entry *entries; /* entries[0] is the least */
    int64_t count, capacity;
};

/* Makes room for count entries, so that pushing as many cannot fail; *heap is all zero before its
 * first use and freed with nuce_heap_fini. */
void nuce_heap_reserve(struct nuce_heap *heap, int64_t count);
void nuce_heap_fini(struct nuce_heap *heap);

void nuce_heap_push(struct nuce_heap *heap, struct nuce_heap_entry entry);

/* Removes the least entry; there is one. */
void nuce_heap_pop(struct nuce_heap *heap);

/* Pop and push in one: the least entry, which is there, is replaced by entry; half the work of
 * both. */
void nuce_heap_replace(struct nuce_heap *heap, struct nuce_heap_entry entry);

/* The messages of a dense pattern that are left, a bit for every pair of ranks: what list schedules
 * look up most. */

/* 64 destinations of one source. */
struct nuce_pair_word {
    uint64_t all;   /* which of them have a message in the pattern */
    int64_t before; /* the entry in the pattern of the first message of the word */
};

/* Arrays are owned. A message that is taken out is taken out of `left` alone; `pairs` stays what
 * the pattern has, so that entries can be counted. */
struct nuce_pair_set {
    int words;      /* of a source */
    uint64_t *left; /* ranks x words: bit j % 64 of word j / 64: the message to j is left */
    struct nuce_pair_word *pairs; /* ranks x words */
};

/* Whether at least one in 16 pairs of ranks has a message: the set then takes at most 6 bytes a
 * message, and looking at the pairs one by one is not much longer than looking at the messages. */
int nuce_pair_set_fits(const struct nuce_pattern *pattern);

/* All messages left but those of ranks to themselves. Freed with nuce_pair_set_fini. */
void nuce_pair_set_init(const struct nuce_pattern *pattern, struct nuce_pair_set *out);
void nuce_pair_set_fini(struct nuce_pair_set *set);

/* Whether the message from source to destination is left. */
static inline int nuce_pair_set_has(const struct nuce_pair_set *set, int source, int destination)
{
    return set->left[(int64_t)source * set->words + destination / 64] >> destination % 64 & 1;
}

/* The message is left no more; it need not have been. */
static inline void nuce_pair_set_remove(struct nuce_pair_set *set, int source, int destination)
{
    set->left[(int64_t)source * set->words + destination / 64] &=
        ~(UINT64_C(1) << destination % 64);
}

/* The entry in the pattern of a pair that has a message, left or not. */
static inline int64_t nuce_pair_set_entry(const struct nuce_pair_set *set, int source,
                                          int destination)
{
    const struct nuce_pair_word *word =
        &set->pairs[(int64_t)source * set->words + destination / 64];

    return word->before + __builtin_popcountll(word->all & ((UINT64_C(1) << destination % 64) - 1));
}

/* A tournament of ranks by time: who is first is known at once, and a change of one rank's time
 * costs a match against an opponent known beforehand on each of log2(ranks) levels (Knuth, "The Art
 * of Computer Programming" 3, 5.4.1: a tree of winners). */

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

/* The receivers of a pattern by when they are available, and which of them each sender still has a
 * message for: the structure behind list schedules that ask "which of the receivers of this sender
 * is available first?" once a message.
 *
 * Where the pattern is dense, the receivers are kept in the order of their availability, and the
 * first that the sender's bit set still has is taken: on average ranks / (messages left) looks, at
 * most as many as receivers still get a message. Where it is sparse, the messages that the sender
 * has left are looked at one by one. */

struct nuce_receivers_entry {
    double time; /* seconds: when the receiver is available */
    int rank;
};

/* The receivers that a sender may choose from, by when they are free. Arrays are owned. */
struct nuce_receivers {
    const struct nuce_pattern *pattern; /* borrowed */
    double *available;                  /* ranks, seconds: when the receiver is */
    int *left;                          /* ranks: messages that the sender has left */
    int *wanted;                        /* ranks: messages that the receiver still gets */
    int64_t messages;                   /* left in all */
    int is_dense;
    /* Sparse patterns only. */
    int *rest; /* messages: the first left[i] from row[i] on are those that sender i has left, as
                  places in its row */
    /* Dense patterns only. */
    struct nuce_pair_set pairs;         /* those left */
    struct nuce_receivers_entry *order; /* order[first] .. order[end - 1]: the receivers that still
                                           get a message, by time, then rank */
    int first, end, room;
};

/* All available at 0, all messages left but those of ranks to themselves. Freed with
 * nuce_receivers_fini. */
void nuce_receivers_init(const struct nuce_pattern *pattern, struct nuce_receivers *out);
void nuce_receivers_fini(struct nuce_receivers *receivers);

/* A message that has been taken. */
struct nuce_receivers_message {
    int receiver;
    int64_t k; /* its entry in the pattern */
};

/* Takes, of the messages that sender has left (at least one), that whose receiver is available
 * first, of several the one of the lowest rank. No other may be taken before the receiver is
 * released. */
struct nuce_receivers_message nuce_receivers_take(struct nuce_receivers *receivers, int sender);

/* The receiver just taken is available again at time, which is not before it was last. */
void nuce_receivers_release(struct nuce_receivers *receivers, int receiver, double time);

#endif
