/* Hot spots: a few ranks receive from all others, over a background in which every rank receives
 * from one.
 *
 * degree ranks, drawn at random, are hot. Every other rank sends to each of them. The ranks also
 * form a random cycle on which each sends to the next, so that every rank receives something; if
 * the next is hot that is one message, not two. So a rank sends to the hot ranks other than itself,
 * and to one more unless its next is hot. A hot rank receives ranks - 1 messages, any other rank
 * one. */
#include <stdlib.h>

#include "base/allocate.h"
#include "schedules/generator.h"

static nuce_status hotspot_check(const struct nuce_generator_input *input, struct nuce_error *error)
{
    if (input->degree > input->ranks)
        return nuce_error_refuse(error, "degree",
                                 "'%d': hot ranks, expected at most the number of ranks, %d",
                                 input->degree, input->ranks);
    return NUCE_OK;
}

/* Draws the hot ranks and the cycle. */
static void hotspot_generate(const struct nuce_generator_input *input, struct nuce_rng *rng,
                             struct nuce_generator_row *out)
{
    int ranks = input->ranks;
    /* The first degree of them are the hot ranks. */
    int *hot = nuce_allocate(3 * (int64_t)ranks, sizeof *hot);
    int *is_hot = hot + ranks, *cycle = is_hot + ranks;

    for (int i = 0; i < ranks; i++)
        hot[i] = cycle[i] = i;
    nuce_rng_shuffle(rng, hot, ranks);
    nuce_rng_shuffle(rng, cycle, ranks);
    for (int k = 0; k < input->degree; k++)
        is_hot[hot[k]] = 1;
    for (int k = 0; k < ranks; k++) {
        int source = cycle[k], next = cycle[(k + 1) % ranks];

        for (int h = 0; h < input->degree; h++) {
            if (hot[h] != source)
                nuce_generator_row_add(out, source, hot[h], nuce_generator_units(rng));
        }
        if (next != source && !is_hot[next])
            nuce_generator_row_add(out, source, next, nuce_generator_units(rng));
    }
    free(hot);
}

const struct nuce_generator_ops nuce_generator_pattern_hotspot = {
    .name = "hotspot",
    .summary = "degree random ranks receive from all others, every other rank from one; sizes 1 "
               "to 32 items",
    .source = "Pfister and Norton: Hot Spot Contention, IEEE Trans. Computers C-34(10), 1985",
    .options = nuce_generator_degree,
    .is_random = 1,
    .check = hotspot_check,
    .generate = hotspot_generate,
};
