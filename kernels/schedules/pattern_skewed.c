/* Test set 2 of Ranka, Wang and Kumar (7.2, skewed): few ranks send few large messages, many send
 * many small ones, and all send the same amount.
 *
 * Cost: O(ranks x 16).
 * Limits: if ranks is not a multiple of 32, the last class has the rest. With fewer than 17 ranks a
 * row of 16 messages has only ranks - 1 of them. */
#include <stdlib.h>

#include "base/allocate.h"
#include "schedules/generator.h"

/* Groups of rows for 32 ranks; each row sends 16 items in all. */
struct skewed_group {
    int rows;
    int messages;
    int64_t items; /* of each message */
};

static const struct skewed_group groups[] = {
    {1, 1, 16}, {2, 2, 8}, {4, 4, 4}, {8, 8, 2}, {17, 16, 1},
};

#define GROUPS ((int)(sizeof groups / sizeof *groups))
#define GROUPED_RANKS 32
#define MOST_MESSAGES 16

static nuce_status skewed_check(const struct nuce_generator_input *input, struct nuce_error *error)
{
    if (input->ranks < GROUPS)
        return nuce_error_refuse(error, "ranks",
                                 "'%d': a skewed pattern has %d classes of ranks, expected as "
                                 "many ranks or more",
                                 input->ranks, GROUPS);
    return NUCE_OK;
}

static void skewed_generate(const struct nuce_generator_input *input, struct nuce_rng *rng,
                            struct nuce_generator_row *out)
{
    int ranks = input->ranks, placed = 0;
    int *kind = nuce_allocate(ranks, sizeof *kind);

    /* kind[i] = the group of row i: all groups in a random order of the rows. The last group has
     * the rest. With fewer ranks than the paper's each group keeps its share, at least one row. */
    for (int g = 0; g < GROUPS - 1; g++) {
        int rows = ranks >= GROUPED_RANKS ? ranks / GROUPED_RANKS * groups[g].rows
                                          : ranks * groups[g].rows / GROUPED_RANKS;

        for (int k = 0; k < (rows > 0 ? rows : 1); k++)
            kind[placed++] = g;
    }
    while (placed < ranks)
        kind[placed++] = GROUPS - 1;
    nuce_rng_shuffle(rng, kind, ranks);
    /* The messages of a row have different random receivers other than itself; there are fewer if
     * there are not enough ranks. They are count different numbers of 0 .. ranks - 2; all sets are
     * equally likely (Floyd: Bentley, "Programming Pearls: a sample of brilliance", CACM 30(9),
     * 1987). */
    for (int i = 0; i < ranks; i++) {
        const struct skewed_group *group = &groups[kind[i]];
        int count = group->messages < ranks - 1 ? group->messages : ranks - 1;
        int numbers[MOST_MESSAGES];

        for (int k = 0; k < count; k++) {
            int largest = ranks - 1 - count + k, same = 0;

            numbers[k] = (int)nuce_rng_below(rng, (uint64_t)largest + 1);
            while (numbers[same] != numbers[k])
                same++;
            if (same < k)
                numbers[k] = largest;
            nuce_generator_row_add(out, i, numbers[k] < i ? numbers[k] : numbers[k] + 1,
                                   group->items);
        }
    }
    free(kind);
}

const struct nuce_generator_ops nuce_generator_pattern_skewed = {
    .name = "skewed",
    .summary = "five classes of ranks that all send the same amount, in 1 message of 16 items to "
               "16 of 1",
    .source = "Ranka, Wang and Kumar, 7.2, test set 2",
    .is_random = 1,
    .check = skewed_check,
    .generate = skewed_generate,
};
