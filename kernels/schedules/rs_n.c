/* RS_N, random scheduling: phases in which no rank sends or receives twice, found greedily.
 *
 * Problem: cover the pattern by few partial permutations, quickly.
 * Steps:
 *   1. Shuffle the entries of each row once.
 *   2. Start a phase at a random row and go through all rows in cyclic order; each takes the first
 *      of its remaining entries whose receiver is still free in this phase. The row's last entry
 *      moves into the place of an entry that is taken.
 *   3. Repeat until no row has entries left.
 * Cost: to build, O(messages) expected: finished rows are no longer visited, and a mark per rank
 * shows the receivers that are taken. To run, about 1.2 D phases on random patterns, D being the
 * most messages of a rank: (number of phases) tau + sum over the phases of phi times the largest.
 * Limits: sizes play no part, so a phase can hold messages of very different sizes. The whole
 * pattern must be known on every rank, and all must draw the same random numbers.
 * Source: Ranka, Wang and Kumar, section 5.2 and figure 9 without the heaps and the splitting;
 * shuffling: their appendix A. */
#include "schedules/rs_phases.h"

static void rs_n_fill(const struct nuce_schedule_input *input,
                      struct nuce_schedule_builder *builder)
{
    struct nuce_rs_phases phases;

    nuce_rs_phases_init(input, &phases);
    nuce_rs_phases_first_free(&phases, builder);
    nuce_rs_phases_fini(&phases);
}

const struct nuce_schedule_ops nuce_schedule_rs_n = {
    .name = "rs-n",
    .label = "random phases",
    .summary = "random scheduling: greedy phases without two senders to one receiver",
    .source = "Ranka, Wang and Kumar, section 5.2",
    .discipline = NUCE_LOCKSTEP,
    .fill = rs_n_fill,
};
