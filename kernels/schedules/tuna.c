/* TuNA: store and forward with a radix that trades startups for bytes, for messages of any sizes.
 *
 * Problem: P - 1 small messages per rank pay for P - 1 startups; messages that pass other ranks can
 * share them.
 * Steps: store_forward.h: in each round a rank sends all messages with one digit of the distance,
 * its own and others', as one transfer. Receivers know the sizes, since every rank knows the
 * pattern; in the paper they are sent ahead.
 * Cost: at most (radix - 1) ceil(log_radix P) rounds of one startup each; a message is moved once
 * for each nonzero digit of its distance. Radix 2 has log2 P rounds and moves a byte log2 P / 2
 * times in the mean; radix P has a round for each distance, and moves each message once. To build,
 * O(hops + P), for each radix tried.
 * Radix: as given, or (auto) the one with the least makespan by the loose model, among the least
 * radices that have 1, 2, .. digits: any other has as many digits and no fewer rounds. All tried
 * ones are its candidates.
 * Limits: above some size a byte moved twice costs more than a startup; forwarded messages need
 * memory. A rank without messages for a round sends nothing.
 * Source: Fan, Domke, Ba and Kumar, "Configurable non-uniform all-to-all algorithms", 2024 (arXiv
 * 2411.02581), section III; after Bruck, Ho, Kipnis, Upfal and Weathersby, IEEE Transactions on
 * Parallel and Distributed Systems 8(11), 1997. */
#include "schedules/store_forward.h"

static void tuna_add(const struct nuce_schedule_input *input, int64_t radix, const void *context,
                     struct nuce_schedule_builder *builder)
{
    (void)context;
    nuce_store_forward_add(input->pattern, radix, 0, builder);
}

static nuce_status tuna_build(const struct nuce_schedule_input *input,
                              struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    int64_t radix = input->tuning->radix;

    if (nuce_store_forward_check(radix, input->pattern->ranks, error) != NUCE_OK)
        return error->status;
    if (radix == 0)
        radix = nuce_store_forward_choose(input, input->pattern->ranks, tuna_add, NULL, builder);
    tuna_add(input, radix, NULL, builder);
    return NUCE_OK;
}

const struct nuce_schedule_ops nuce_schedule_tuna = {
    .name = "tuna",
    .label = "store and forward",
    .summary = "store and forward: one transfer for each digit of the distance, in a radix from 2 "
               "(fewest startups) to the number of ranks (fewest bytes)",
    .source = "Fan, Domke, Ba and Kumar, arXiv 2411.02581, 2024",
    .discipline = NUCE_FORWARD,
    .uses = NUCE_USES_RADIX,
    .concern = NUCE_CONCERN_PASSING,
    .build = tuna_build,
};
