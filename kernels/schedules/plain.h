/* The common part of schedules that need no search: all messages posted at once, or a phase for
 * each step of a linear permutation. */
#ifndef NUCE_PLAIN_H
#define NUCE_PLAIN_H

#include "schedules/schedule.h"

/* For algorithms that leave the order to the machine or the library. */

/* Every message whole, in one phase, in the order of the pattern: by source, then destination. */
void nuce_schedule_all_at_once(const struct nuce_schedule_input *input,
                               struct nuce_schedule_builder *builder);

/* The same for the wanted messages (schedule.h), posted as ac posts them: for an algorithm of
 * another discipline that has nothing to do on these nodes. */
nuce_status nuce_schedule_as_ac(const struct nuce_schedule_input *input,
                                struct nuce_schedule_builder *builder, struct nuce_error *error);

/* The common part of the linear permutations: the phase of a message follows from its two ranks
 * alone, so the schedule needs neither search nor exchange of the pattern.
 *
 * Step k = 1, 2, ... of the permutation is phase k - 1. The identity, step 0, is omitted, as in the
 * paper: the messages of ranks to themselves are in the first phase, with those over a wire. Empty
 * phases count, as in the paper. */

/* Step i xor j; 2^ceil(log2 ranks) - 1 phases. If the rank count is not a power of two, ranks whose
 * partner does not exist idle. */
void nuce_schedule_linear_xor(const struct nuce_schedule_input *input,
                              struct nuce_schedule_builder *builder);

/* Step (j - i) mod ranks; ranks - 1 phases. */
void nuce_schedule_linear_cyclic(const struct nuce_schedule_input *input,
                                 struct nuce_schedule_builder *builder);

#endif
