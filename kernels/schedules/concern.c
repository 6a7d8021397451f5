/* What a rank has to know of a pattern: a schedule whose pieces follow from their own messages and
 * the number of ranks alone has the same lists of a rank whether it is made of all messages or of
 * those that come by that rank. */
#include "schedules/store_forward.h"

struct concern {
    int rank, ranks;
    int64_t radix; /* 0: nothing is forwarded */
};

static int concern_keeps(const void *context, int source, int destination)
{
    const struct concern *concern = context;

    if (concern->radix == 0)
        return source == concern->rank || destination == concern->rank;
    return nuce_store_forward_passes(concern->ranks, concern->radix, source, destination,
                                     concern->rank);
}

nuce_status nuce_schedule_concern(const struct nuce_schedule_ops *ops,
                                  const struct nuce_schedule_input *input, int rank,
                                  struct nuce_pattern *out, struct nuce_error *error)
{
    const struct nuce_pattern *pattern = input->pattern;
    struct concern concern = {.rank = rank, .ranks = pattern->ranks};

    NUCE_ASSERT(rank >= 0 && rank < pattern->ranks);
    if (ops->concern == NUCE_CONCERN_PASSING)
        concern.radix = input->tuning == NULL ? 0 : input->tuning->radix;
    if (ops->concern == NUCE_CONCERN_ALL ||
        (ops->concern == NUCE_CONCERN_PASSING && concern.radix == 0))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s%s: what a rank does follows from the messages of all", ops->name,
                              ops->concern == NUCE_CONCERN_ALL ? "" : " of no given radix");
    if (ops->concern == NUCE_CONCERN_PASSING &&
        nuce_store_forward_check(concern.radix, pattern->ranks, error) != NUCE_OK)
        return error->status;
    return nuce_pattern_filter(pattern, concern_keeps, &concern, out, error);
}
