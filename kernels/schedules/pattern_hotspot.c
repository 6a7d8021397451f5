/* Hot spots: a few ranks receive from all others, over a background in which everybody receives
 * from one.
 *
 * density ranks, drawn at random, are hot. Every other rank sends to each of them. Besides, the
 * ranks form a random cycle on which each sends to the next, so that no rank receives nothing;
 * where the next is hot that is one message, not two. A rank thus sends to the hot ranks but
 * itself, and to one more unless its next is hot; a hot rank receives ranks - 1 messages, any other
 * one. */
#include <stdlib.h>

#include "base/allocate.h"
#include "schedules/generator.h"

/* What a pattern is drawn with, each of as many entries as there are ranks. */
struct draw {
    int *hot;    /* the first density of them are the hot ranks */
    int *is_hot; /* by rank */
    int *cycle;
};

static nuce_status hotspot_check(const struct nuce_generator_input *input, struct nuce_error *error)
{
    if (input->density > input->ranks)
        return nuce_error_refuse(error, "density",
                                 "'%d': hot ranks, expected at most the number of ranks, %d",
                                 input->density, input->ranks);
    return NUCE_OK;
}

/* A rank has at most one message for each hot rank and one for its next on the cycle. Whatever
 * failed before is freed at the end: the arrays of `drawn` are NULL until they are made. */
static nuce_status hotspot_generate(const struct nuce_generator_input *input, struct nuce_rng *rng,
                                    struct nuce_pattern *out, struct nuce_error *error)
{
    struct draw drawn = {0};
    struct nuce_message *messages = NULL;
    int ranks = input->ranks;
    int64_t count = 0;
    nuce_status status;

    /* Draws the hot ranks and the cycle. */
    drawn.hot = nuce_allocate(ranks, sizeof *drawn.hot);
    drawn.is_hot = nuce_allocate(ranks, sizeof *drawn.is_hot);
    drawn.cycle = nuce_allocate(ranks, sizeof *drawn.cycle);
    for (int i = 0; i < ranks; i++)
        drawn.hot[i] = drawn.cycle[i] = i;
    nuce_rng_shuffle(rng, drawn.hot, ranks);
    nuce_rng_shuffle(rng, drawn.cycle, ranks);
    for (int k = 0; k < input->density; k++)
        drawn.is_hot[drawn.hot[k]] = 1;
    messages = nuce_allocate(ranks * ((int64_t)input->density + 1), sizeof *messages);
    for (int k = 0; k < input->ranks; k++) {
        int source = drawn.cycle[k], next = drawn.cycle[(k + 1) % input->ranks];

        for (int h = 0; h < input->density; h++) {
            if (drawn.hot[h] != source)
                messages[count++] =
                    (struct nuce_message){source, drawn.hot[h], nuce_generator_units(rng)};
        }
        if (next != source && !drawn.is_hot[next])
            messages[count++] = (struct nuce_message){source, next, nuce_generator_units(rng)};
    }
    status = nuce_pattern_init(input->ranks, messages, count, out, error);
    free(messages);
    free(drawn.hot);
    free(drawn.is_hot);
    free(drawn.cycle);
    return status;
}

const struct nuce_generator_ops nuce_generator_pattern_hotspot = {
    .name = "hotspot",
    .summary = "density random ranks receive from all others, every other rank from one; sizes 1 "
               "to 32 units",
    .source = "Pfister and Norton: Hot Spot Contention, IEEE Trans. Computers C-34(10), 1985",
    .options = nuce_generator_density,
    .is_random = 1,
    .check = hotspot_check,
    .generate = hotspot_generate,
};
