/* Linear permutations: a phase for each step, whichever messages there are.
 *
 * Steps without a message stay in the schedule as empty phases: they are what the paper's
 * permutations have. O(messages) whichever step function. */
#include "schedules/linear.h"

/* The step in which source and destination are partners: both messages of a pair share it. */
static int xor_step(int source, int destination, int ranks)
{
    (void)ranks;
    return source ^ destination;
}

/* The step of the shift that takes source to destination. */
static int cyclic_step(int source, int destination, int ranks)
{
    return destination >= source ? destination - source : destination - source + ranks;
}

/* Each message in the phase of its step; `steps` includes the identity. */
static void linear_build(const struct nuce_schedule_input *input, int steps,
                         int (*step)(int source, int destination, int ranks),
                         struct nuce_schedule_builder *builder)
{
    const struct nuce_pattern *pattern = input->pattern;

    nuce_schedule_reserve(builder, pattern->messages);
    nuce_schedule_add_own(builder, pattern);
    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            int j = pattern->destination[k];
            int phase = step(i, j, pattern->ranks) - 1;

            if (j != i)
                nuce_schedule_add(builder, i, j, phase, 0, pattern->bytes[k]);
        }
    }
    if (builder->phases < steps - 1)
        builder->phases = steps - 1;
}

/* Steps: the ranks rounded up to a power of two, as i xor s may be anything below that. */
nuce_status nuce_schedule_linear_xor(const struct nuce_schedule_input *input,
                                     struct nuce_schedule_builder *builder,
                                     struct nuce_error *error)
{
    int steps = 1;

    (void)error;
    while (steps < input->pattern->ranks)
        steps *= 2;
    linear_build(input, steps, xor_step, builder);
    return NUCE_OK;
}

nuce_status nuce_schedule_linear_cyclic(const struct nuce_schedule_input *input,
                                        struct nuce_schedule_builder *builder,
                                        struct nuce_error *error)
{
    (void)error;
    linear_build(input, input->pattern->ranks, cyclic_step, builder);
    return NUCE_OK;
}
