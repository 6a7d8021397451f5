/* Padded Bruck: store and forward in blocks that are all as long as the longest message.
 *
 * Problem: an all-to-all of equal blocks in log2 P rounds needs no sizes; padding makes the blocks
 * of a non-uniform one equal.
 * Steps: store_forward.h in radix 2 (or the given one). In each round every rank sends P / 2 slots
 * of the longest message of all, filled or not.
 * Cost: log2 P startups, and P / 2 log2 P longest messages through each port, for any number of
 * bytes.
 * Limits: for comparison. If sizes differ by much, or messages are few, most bytes are padding. A
 * transfer's padding follows its last message, so only the messages are copied.
 * Source: Fan, Domke, Ba and Kumar, "Configurable non-uniform all-to-all algorithms", 2024 (arXiv
 * 2411.02581), section II; Fan, Gilray, Pascucci, Huang, Micinski and Kumar, "Optimizing the Bruck
 * algorithm for non-uniform all-to-all communication", HPDC 2022, 3.1 (padded Bruck). */
#include "schedules/store_forward.h"

static nuce_status bruck_padded_build(const struct nuce_schedule_input *input,
                                      struct nuce_schedule_builder *builder,
                                      struct nuce_error *error)
{
    const struct nuce_pattern *pattern = input->pattern;
    int64_t radix = input->tuning->radix, longest = 0, slots;

    if (nuce_store_forward_check(radix, pattern->ranks, error) != NUCE_OK)
        return error->status;
    NUCE_EACH_MESSAGE (pattern, i, k) {
        if (pattern->destination[k] != i && pattern->bytes[k] > longest)
            longest = pattern->bytes[k];
    }
    /* A transfer has fewer slots than there are ranks, so if this fits all of them do. */
    if (__builtin_mul_overflow(longest, pattern->ranks, &slots))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "bruck-padded: %d messages padded to %lld bytes are more than 2^63",
                              pattern->ranks, (long long)longest);
    nuce_store_forward_add(pattern, radix == 0 ? 2 : radix, longest, builder);
    return NUCE_OK;
}

const struct nuce_schedule_ops nuce_schedule_bruck_padded = {
    .name = "bruck-padded",
    .label = "store and forward, padded",
    .summary = "store and forward in log2 P rounds, every message padded to the longest",
    .source = "Fan et al., HPDC 2022, 3.1",
    .discipline = NUCE_FORWARD,
    .uses = NUCE_USES_RADIX,
    .build = bruck_padded_build,
};
