#include "heap.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

nuce_status nuce_heap_reserve(struct nuce_heap *heap, int64_t count, struct nuce_error *error)
{
    return nuce_grow((void **)&heap->entries, &heap->capacity, count, sizeof *heap->entries, error);
}

void nuce_heap_fini(struct nuce_heap *heap)
{
    free(heap->entries);
    memset(heap, 0, sizeof *heap);
}

/* Without branches: which of two children comes first cannot be foretold. */
static int before(const struct nuce_heap_entry *a, const struct nuce_heap_entry *b)
{
    return (a->key < b->key) | ((a->key <= b->key) &
                                ((a->tie < b->tie) | ((a->tie <= b->tie) & (a->value < b->value))));
}

nuce_status nuce_heap_push(struct nuce_heap *heap, struct nuce_heap_entry entry,
                           struct nuce_error *error)
{
    int64_t place = heap->count;

    if (nuce_heap_reserve(heap, heap->count + 1, error) != NUCE_OK)
        return error->status;
    heap->count++;
    while (place > 0 && before(&entry, &heap->entries[(place - 1) / 2])) {
        heap->entries[place] = heap->entries[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap->entries[place] = entry;
    return NUCE_OK;
}

void nuce_heap_replace(struct nuce_heap *heap, struct nuce_heap_entry entry)
{
    struct nuce_heap_entry *entries = heap->entries;
    int64_t place = 0, child;

    for (; (child = 2 * place + 1) < heap->count; place = child) {
        if (child + 1 < heap->count)
            child += before(&entries[child + 1], &entries[child]);
        if (!before(&entries[child], &entry))
            break;
        entries[place] = entries[child];
    }
    entries[place] = entry;
}

void nuce_heap_pop(struct nuce_heap *heap)
{
    struct nuce_heap_entry last = heap->entries[--heap->count];

    if (heap->count > 0)
        nuce_heap_replace(heap, last);
}
