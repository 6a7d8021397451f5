/* A binary heap tuned for schedules, where it is the inner loop: comparisons without branches, and
 * a pop that compares once a level. */
#include "schedules/heap.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

void nuce_heap_reserve(struct nuce_heap *heap, int64_t count)
{
    nuce_allocate_more((void **)&heap->entries, &heap->capacity, count, sizeof *heap->entries);
}

void nuce_heap_fini(struct nuce_heap *heap)
{
    free(heap->entries);
    memset(heap, 0, sizeof *heap);
}

/* Without branches: which of two children comes first cannot be foretold. */
static int heap_before(const struct nuce_heap_entry *a, const struct nuce_heap_entry *b)
{
    return (a->key < b->key) | ((a->key <= b->key) &
                                ((a->tie < b->tie) | ((a->tie <= b->tie) & (a->value < b->value))));
}

/* Puts entry into the hole at place, or above it. */
static void sift_up(struct nuce_heap_entry *entries, int64_t place, struct nuce_heap_entry entry)
{
    while (place > 0 && heap_before(&entry, &entries[(place - 1) / 2])) {
        entries[place] = entries[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    entries[place] = entry;
}

void nuce_heap_push(struct nuce_heap *heap, struct nuce_heap_entry entry)
{
    nuce_heap_reserve(heap, heap->count + 1);
    sift_up(heap->entries, heap->count++, entry);
}

void nuce_heap_replace(struct nuce_heap *heap, struct nuce_heap_entry entry)
{
    struct nuce_heap_entry *entries = heap->entries;
    int64_t place = 0, child;

    for (; (child = 2 * place + 1) < heap->count; place = child) {
        if (child + 1 < heap->count)
            child += heap_before(&entries[child + 1], &entries[child]);
        if (!heap_before(&entries[child], &entry))
            break;
        entries[place] = entries[child];
    }
    entries[place] = entry;
}

/* The last entry belongs near the bottom: the hole goes all the way down, one comparison a level,
 * and the entry up from there (Knuth, "The Art of Computer Programming" 3, 5.2.3, exercise 18). */
void nuce_heap_pop(struct nuce_heap *heap)
{
    struct nuce_heap_entry *entries = heap->entries;
    int64_t place = 0, child, count = --heap->count;

    for (; (child = 2 * place + 1) + 1 < count; place = child) {
        child += heap_before(&entries[child + 1], &entries[child]);
        entries[place] = entries[child];
    }
    if (child < count) {
        entries[place] = entries[child];
        place = child;
    }
    sift_up(entries, place, entries[count]);
}
