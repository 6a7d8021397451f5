/* LP, linear permutation, for any rank count: the paper's choice for each count that it covers.
 *
 * Problem: avoid that two ranks send to one at the same time, without using the pattern.
 * Steps: in step k = 1 .. n - 1 rank i exchanges with rank i xor k if n is a power of two; else it
 * sends to (i + k) mod n and receives from (i - k) mod n. Steps of a rank without a message are
 * skipped.
 * Cost: to build, O(messages). To run, (n - 1) tau + sum over the steps of phi times the largest
 * message, for any degree: on sparse patterns most steps are empty for most ranks.
 * Limits: n - 1 phases, though D (most messages of a rank) would suffice.
 * Source: Ranka, Wang and Kumar, section 5.1, figure 7; the cyclic variant is theirs too. */
#include "schedules/plain.h"

static void lp_fill(const struct nuce_schedule_input *input, struct nuce_schedule_builder *builder)
{
    int n = input->pattern->ranks;

    if ((n & (n - 1)) == 0)
        nuce_schedule_linear_xor(input, builder);
    else
        nuce_schedule_linear_cyclic(input, builder);
}

const struct nuce_schedule_ops nuce_schedule_lp = {
    .name = "lp",
    .label = "pairwise phases",
    .summary = "linear permutation: xor where ranks is a power of two, else cyclic",
    .source = "Ranka, Wang and Kumar, section 5.1",
    .discipline = NUCE_LOCKSTEP,
    .concern = NUCE_CONCERN_OWN,
    .fill = lp_fill,
};
