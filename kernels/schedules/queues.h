/* The look-ups of list schedules for each message: a heap, and the pairs that are left. */
#ifndef NUCE_QUEUES_H
#define NUCE_QUEUES_H

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "schedules/pattern.h"

/* A binary heap: the least entry first. */

/* Entries are ordered by key, then tie, then value. Their meaning is the caller's. Neither key nor
 * tie may be NaN, which has no order. */
struct nuce_heap_entry {
    double key, tie;
    int64_t value;
};

struct nuce_heap {
    struct nuce_heap_entry *entries; /* entries[0] is the least */
    int64_t count, capacity;
};

/* *heap is all zero before its first use. */
void nuce_heap_fini(struct nuce_heap *heap);

void nuce_heap_push(struct nuce_heap *heap, struct nuce_heap_entry entry);

/* Removes the least entry; there is one. */
void nuce_heap_pop(struct nuce_heap *heap);

/* Pop and push in one: entry replaces the least entry, which must exist; half the work of both. */
void nuce_heap_replace(struct nuce_heap *heap, struct nuce_heap_entry entry);

/* The remaining messages of a dense pattern, a bit for every pair of ranks: the most frequent
 * look-up of list schedules. */

/* 64 destinations of one source. */
struct nuce_pair_word {
    uint64_t all;   /* those that have a message in the pattern */
    int64_t before; /* the entry in the pattern of the first message of the word */
};

/* Arrays are owned. Removing a message changes only `left`; `pairs` keeps the whole pattern, so
 * that entries can be counted. */
struct nuce_pair_set {
    int words;      /* words per source */
    uint64_t *left; /* ranks x words: bit j % 64 of word j / 64: the message to j is left */
    struct nuce_pair_word *pairs; /* ranks x words */
};

/* True if at least one in 16 pairs of ranks has a message. The set then takes at most 6 bytes a
 * message, and checking the pairs one by one takes not much longer than checking the messages. */
int nuce_pair_set_fits(const struct nuce_pattern *pattern);

/* All messages are left except those of ranks to themselves. Freed with nuce_pair_set_fini. */
void nuce_pair_set_init(const struct nuce_pattern *pattern, struct nuce_pair_set *out);
void nuce_pair_set_fini(struct nuce_pair_set *set);

/* True if the message from source to destination is left. */
static inline int nuce_pair_set_has(const struct nuce_pair_set *set, int source, int destination)
{
    return set->left[(int64_t)source * set->words + destination / 64] >> destination % 64 & 1;
}

/* Removes the message; it may have been removed before. */
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

#endif
