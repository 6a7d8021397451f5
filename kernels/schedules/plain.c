/* Schedules that need no search: all messages posted at once, or a phase for each step of a
 * permutation. */
#include "schedules/plain.h"

/* A schedule without an order: that of ac, and a placeholder for exchanges whose order the MPI
 * library or one of nuce's protocols finds at run time. The pattern's own order has ascending
 * phases, so the lists are filled without being sorted. */

void nuce_schedule_all_at_once(const struct nuce_schedule_input *input,
                               struct nuce_schedule_builder *builder)
{
    const struct nuce_pattern *pattern = input->pattern;

    nuce_schedule_expect(builder, pattern);
    NUCE_EACH_MESSAGE (pattern, i, k)
        nuce_schedule_add(builder, i, pattern->destination[k], 0, 0, pattern->bytes[k]);
}

nuce_status nuce_schedule_as_ac(const struct nuce_schedule_input *input,
                                struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    struct nuce_schedule_input part = *input;
    struct nuce_pattern pattern;

    builder->discipline = NUCE_POST_ALL;
    if (input->wanted == NULL) {
        nuce_schedule_all_at_once(input, builder);
        return NUCE_OK;
    }
    if (nuce_schedule_wanted(input, &pattern, error) != NUCE_OK)
        return error->status;
    part.pattern = &pattern;
    nuce_schedule_all_at_once(&part, builder);
    nuce_pattern_fini(&pattern);
    return NUCE_OK;
}

/* Linear permutations: a phase for each step, for any messages.
 *
 * Steps without a message stay in the schedule as empty phases, as in the paper's permutations.
 * O(messages) for either step function. */

/* The step in which source and destination are partners: both messages of a pair share it. */
static int xor_step(int source, int destination, int ranks)
{
    (void)ranks;
    return source ^ destination;
}

/* The step of the shift from source to destination. */
static int cyclic_step(int source, int destination, int ranks)
{
    return destination >= source ? destination - source : destination - source + ranks;
}

/* Puts each message into the phase of its step; `steps` includes the identity. */
static void linear_build(const struct nuce_schedule_input *input, int steps,
                         int (*step)(int source, int destination, int ranks),
                         struct nuce_schedule_builder *builder)
{
    const struct nuce_pattern *pattern = input->pattern;

    nuce_schedule_add_own(builder, pattern);
    NUCE_EACH_MESSAGE (pattern, i, k) {
        int j = pattern->destination[k];
        int phase = step(i, j, pattern->ranks) - 1;

        if (j != i)
            nuce_schedule_add(builder, i, j, phase, 0, pattern->bytes[k]);
    }
    if (builder->phases < steps - 1)
        builder->phases = steps - 1;
}

/* The number of steps is the ranks rounded up to a power of two, as i xor s may be anything below
 * that. */
void nuce_schedule_linear_xor(const struct nuce_schedule_input *input,
                              struct nuce_schedule_builder *builder)
{
    int steps = 1;

    while (steps < input->pattern->ranks)
        steps *= 2;
    linear_build(input, steps, xor_step, builder);
}

void nuce_schedule_linear_cyclic(const struct nuce_schedule_input *input,
                                 struct nuce_schedule_builder *builder)
{
    linear_build(input, input->pattern->ranks, cyclic_step, builder);
}
