/* Bits instead of a search in the pattern's rows: on dense patterns list schedules ask for a pair
 * far more often than there are messages.
 *
 * Memory: a bit a pair for what is left, and 16 bytes for each 64 pairs of what there was, which
 * nuce_pair_set_entry counts bits in: ranks^2 / 64 x 24 bytes in all. Used only where the pattern
 * itself is about as large (nuce_pair_set_fits). */
#include "schedules/pair_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* One in so many pairs of ranks makes a pattern dense. */
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

/* Destinations ascend in a row, so one walk along it fills its words in turn. What ranks send to
 * themselves is taken out of what is left, but stays in `all`: entries behind it are counted by
 * it. */
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
