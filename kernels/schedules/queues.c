/* The search structures of list schedules. */
#include "schedules/queues.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* A binary heap tuned for schedules, where it is the inner loop: comparisons without branches, and
 * a pop with one comparison per level. */

void nuce_heap_fini(struct nuce_heap *heap)
{
    free(heap->entries);
    memset(heap, 0, sizeof *heap);
}

/* No branches, because the order of two children cannot be predicted. */
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
    if (heap->count == heap->capacity)
        nuce_allocate_more((void **)&heap->entries, &heap->capacity, heap->count + 1,
                           sizeof *heap->entries);
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

/* The last entry belongs near the bottom. So the hole goes all the way down, one comparison per
 * level, and the entry rises from there (Knuth, "The Art of Computer Programming" 3, 5.2.3,
 * exercise 18). */
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

/* Bits instead of a search in the pattern's rows: on dense patterns list schedules look up a pair
 * far more often than there are messages.
 *
 * Memory: a bit per pair for the messages left, and 16 bytes per 64 pairs for the whole pattern, in
 * which nuce_pair_set_entry counts bits: ranks^2 / 64 x 24 bytes in all. Used only if the pattern
 * itself is about as large (nuce_pair_set_fits). */

/* A pattern is dense if at least one in this many pairs of ranks has a message. */
#define DENSE_SHARE 16

int nuce_pair_set_fits(const struct nuce_pattern *pattern)
{
    return pattern->messages >= (int64_t)pattern->ranks * pattern->ranks / DENSE_SHARE;
}

void nuce_pair_set_fini(struct nuce_pair_set *set)
{
    free(set->left);
    free(set->pairs);
    memset(set, 0, sizeof *set);
}

/* Destinations ascend in a row, so one pass along it fills its words in turn. A rank's message to
 * itself is removed from `left`, but stays in `all`, with which the entries after it are
 * counted. */
void nuce_pair_set_init(const struct nuce_pattern *pattern, struct nuce_pair_set *out)
{
    struct nuce_pair_set set = {.words = (pattern->ranks + 63) / 64};
    int64_t words = (int64_t)pattern->ranks * set.words;

    set.left = nuce_allocate(words, sizeof *set.left);
    set.pairs = nuce_allocate(words, sizeof *set.pairs);
    for (int i = 0; i < pattern->ranks; i++) {
        int64_t k = pattern->row[i];

        for (int64_t word = (int64_t)i * set.words; word < (int64_t)(i + 1) * set.words; word++) {
            int64_t end = (word - (int64_t)i * set.words + 1) * 64;

            set.pairs[word].before = k;
            for (; k < pattern->row[i + 1] && pattern->destination[k] < end; k++)
                set.pairs[word].all |= UINT64_C(1) << pattern->destination[k] % 64;
            set.left[word] = set.pairs[word].all;
        }
        nuce_pair_set_remove(&set, i, i);
    }
    *out = set;
}
