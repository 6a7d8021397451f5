/* direct: the contention-free steps of a block-cyclic redistribution.
 *
 * Problem: cyclic(x) -> cyclic(Kx) on P ranks, or the reverse, where all messages are alike.
 * Steps: of each K P blocks, block b goes from rank b mod P to rank (b div K) mod P, in step (b + b
 * div lcm(P, K)) mod K. For K <= P no two blocks have both ranks in common, so the ranks determine
 * the block: of the K that the receiver gets, d K .. d K + K - 1, the one that is s modulo P. For K
 * > P every rank sends to every rank, several blocks in one message, in step (d - s) mod P. Each
 * step is a cyclic shift, and the messages to oneself, which need no wire, share one. A message of
 * the reverse redistribution takes the step of the message in the opposite direction. A rank need
 * not have a message in each of its steps, because arrays may end before the period does.
 * Cost: to build, O(m). To run, K steps (P for K > P) of at most one message in and one out. On an
 * even network each step takes as long as its longest message; on an uneven one a slow pair delays
 * it further.
 * Limits: other patterns, which colouring schedules in as few steps.
 * Source: Bhat, Prasanna and Raghavendra, the direct schedule; papers/ALGORITHMS.md,
 * redistribution, for the formula. K > P is ours. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/int.h"
#include "schedules/schedule.h"

/* A redistribution and its direction. */
struct shape {
    int64_t ranks, factor;
    int64_t period; /* lcm(ranks, factor) */
    int is_reverse;
};

/* The step of a message, from the block that it carries in the first period. -1: the redistribution
 * has no message between those ranks. */
static int64_t direct_step_of(const struct shape *shape, int source, int destination)
{
    int64_t from = shape->is_reverse ? destination : source;
    int64_t to = shape->is_reverse ? source : destination;
    int64_t first, offset, block;

    if (shape->factor > shape->ranks)
        return (to - from + shape->ranks) % shape->ranks;
    first = to * shape->factor;
    offset = (from - first % shape->ranks + shape->ranks) % shape->ranks;
    if (offset >= shape->factor)
        return -1;
    block = first + offset;
    return (block + block / shape->period) % shape->factor;
}

/* True if all messages have a step; else *source and *destination are the first that has none. */
static int direct_fits(const struct shape *shape, const struct nuce_pattern *pattern, int *source,
                       int *destination)
{
    NUCE_EACH_MESSAGE (pattern, i, k) {
        if (direct_step_of(shape, i, pattern->destination[k]) < 0) {
            *source = i;
            *destination = pattern->destination[k];
            return 0;
        }
    }
    return 1;
}

/* The pattern is tried as cyclic(x) to cyclic(Kx), then as the reverse. */
static nuce_status direct_build(const struct nuce_schedule_input *input,
                                struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    const struct nuce_pattern *pattern = input->pattern;
    struct shape shape = {.ranks = pattern->ranks, .factor = input->tuning->factor};
    int source, destination, other;

    if (shape.factor == 0) {
        /* K if it is not given: the most messages that a rank sends or receives, its own included;
         * 0: there are none. */
        int64_t *received = nuce_allocate(pattern->ranks, sizeof *received);

        for (int64_t k = 0; k < pattern->messages; k++)
            received[pattern->destination[k]]++;
        for (int i = 0; i < pattern->ranks; i++) {
            int64_t sent = pattern->row[i + 1] - pattern->row[i];
            int64_t more = sent > received[i] ? sent : received[i];

            shape.factor = more > shape.factor ? more : shape.factor;
        }
        free(received);
    }
    if (shape.factor > 0 && shape.factor <= shape.ranks)
        shape.period =
            shape.ranks / nuce_int_common_divisor(shape.ranks, shape.factor) * shape.factor;
    if (!direct_fits(&shape, pattern, &source, &destination)) {
        shape.is_reverse = 1;
        if (!direct_fits(&shape, pattern, &other, &other))
            return nuce_error_set(
                error, NUCE_BAD_INPUT,
                "direct: this pattern is not a cyclic(x) to cyclic(Kx) redistribution on %d ranks "
                "with K = %lld, nor the reverse of one: those have no message from rank %d to rank "
                "%d; expected one of them (colouring makes contention-free phases of any pattern)",
                pattern->ranks, (long long)shape.factor, source, destination);
    }
    NUCE_EACH_MESSAGE (pattern, i, k) {
        int j = pattern->destination[k], step = nuce_int(direct_step_of(&shape, i, j));

        nuce_schedule_add(builder, i, j, step, 0, pattern->bytes[k]);
    }
    /* All steps of the period, also those without any message. */
    builder->phases = nuce_int(shape.factor < shape.ranks ? shape.factor : shape.ranks);
    return NUCE_OK;
}

const struct nuce_schedule_ops nuce_schedule_direct = {
    .name = "direct",
    .label = "contention-free steps",
    .summary = "the contention-free steps of a redistribution from cyclic(x) to cyclic(Kx) or back",
    .source = "Bhat, Prasanna and Raghavendra, direct schedule",
    .discipline = NUCE_LOCKSTEP,
    .needs = NUCE_NEEDS_REDISTRIBUTION,
    .build = direct_build,
};
