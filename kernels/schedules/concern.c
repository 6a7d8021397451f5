/* What a rank has to know of a pattern: a schedule whose pieces follow from their own messages and
 * the number of ranks alone has the same lists of a rank whether it is made of all messages or of
 * those that come by that rank. */
#include "schedules/groups.h"
#include "schedules/store_forward.h"

int64_t nuce_schedule_own_radix(const struct nuce_schedule_ops *ops,
                                const struct nuce_tuning *tuning)
{
    if (ops->concern == NUCE_CONCERN_OWN)
        return 0;
    if (ops->concern == NUCE_CONCERN_PASSING && tuning->radix > 0)
        return tuning->radix;
    return -1;
}

int nuce_schedule_stops(int ranks, int64_t own_radix, int source, int destination,
                        int stops[NUCE_STORE_FORWARD_MOST_STOPS])
{
    if (own_radix > 0)
        return nuce_store_forward_way(ranks, own_radix, source, destination, stops);
    stops[0] = source;
    stops[1] = destination;
    return source == destination ? 1 : 2;
}

struct concern {
    int rank, ranks;
    int64_t own_radix;
};

static int concern_keeps(const void *context, int source, int destination)
{
    const struct concern *concern = context;
    int stops[NUCE_STORE_FORWARD_MOST_STOPS];
    int count = nuce_schedule_stops(concern->ranks, concern->own_radix, source, destination, stops);

    while (count > 0 && stops[count - 1] != concern->rank)
        count--;
    return count > 0;
}

nuce_status nuce_schedule_concern(const struct nuce_schedule_ops *ops,
                                  const struct nuce_schedule_input *input, int rank,
                                  struct nuce_pattern *out, struct nuce_error *error)
{
    const struct nuce_pattern *pattern = input->pattern;
    const struct nuce_tuning *tuning = input->tuning == NULL ? &nuce_tuning_preset : input->tuning;
    struct concern concern = {
        .rank = rank, .ranks = pattern->ranks, .own_radix = nuce_schedule_own_radix(ops, tuning)};

    NUCE_ASSERT(rank >= 0 && rank < pattern->ranks);
    if (concern.own_radix < 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s%s: what a rank does follows from the messages of all", ops->name,
                              ops->concern == NUCE_CONCERN_PASSING ? " of no given radix" : "");
    if (nuce_store_forward_check(concern.own_radix, pattern->ranks, error) != NUCE_OK)
        return error->status;
    return nuce_pattern_filter(pattern, concern_keeps, &concern, out, error);
}

static int wanted_keeps(const void *context, int source, int destination)
{
    const struct nuce_groups *nodes = context;

    return source == destination ||
           nuce_groups_make(nodes, nodes->group_of[source], nodes->group_of[destination]);
}

nuce_status nuce_schedule_wanted(const struct nuce_schedule_input *input, struct nuce_pattern *out,
                                 struct nuce_error *error)
{
    struct nuce_schedule_given given;
    struct nuce_groups nodes;
    nuce_status status;

    if (nuce_schedule_given(input, &given, error) != NUCE_OK)
        return error->status;
    status = nuce_groups_init(&given.input, &nodes, error);
    if (status == NUCE_OK)
        status = nuce_pattern_filter(input->pattern, wanted_keeps, &nodes, out, error);
    nuce_groups_fini(&nodes);
    return status;
}
