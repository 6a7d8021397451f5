/* A binary heap: the least entry first. */
#ifndef NUCE_HEAP_H
#define NUCE_HEAP_H

#include <stdint.h>

#include "base/error.h"

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

#endif
