/* twill: every rank sends to all groups of nodes at once, in proportion to its bytes for each. So
 * the links between groups are loaded evenly from the first message to the last.
 *
 * Problem: the links between groups of nodes (those under one leaf switch, or of a dragonfly) carry
 * less than their nodes together can send. Ranks that send by the number of the destination all
 * send to one group after the other. Then some of these links carry nothing while others are the
 * limit, and transfers inside the groups do not overlap with those between them.
 * Steps:
 *   1. Relabel: a rank is number n of group g, for any numbering of the ranks.
 *   2. A rank's messages to a group h go by number, from n + 1 on, so that the ranks of a group
 *      send to different ones.
 *   3. Weighted round robin: the weight of h is the rank's bytes for it. Groups have their turns
 *      from group g + n + 1 on, so that the ranks of a group begin with different ones. All
 *      messages to a group form a row of bytes, and each message is placed at one of its own bytes.
 *      That is near its first for the first group, near its last for the last. Messages are sent by
 *      the part of their row that lies before that byte.
 *   4. Window: every receive is posted at once, and up to `window` sends are in flight.
 * After any number of sends the finished parts of the rows to two groups differ by no more than a
 * message of each.
 * Cost: each message once, none forwarded; O(m log m) for a rank of m messages, which needs no
 * others' (and O(ranks) for the labels).
 * Limits: a rank does not slow down when others fill the group that it sends to. The schedule knows
 * one level of groups, and no routes.
 * Source: only a description, "TWILL: interleaving over tapered links: relabel by groups, weighted
 * round robin over groups, window"; the paper was not available. The round robin by parts is stride
 * scheduling: Waldspurger and Weihl, MIT/LCS/TM-528, 1995. The shifts of steps 2 and 3, and the
 * weights, are ours. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/int.h"
#include "schedules/groups.h"

/* Sends in flight of MPICH 4.3's all-to-all of long messages (MPIR_CVAR_ALLTOALL_THROTTLE). */
enum { THROTTLE = 32 };

/* A message of the rank whose turn it is. */
struct twill_entry {
    double part;    /* share of its group's row that lies before its place */
    int group_turn; /* turn of the group, counted from the first one */
    int rank_turn;  /* turn of the destination in its group */
    int64_t message;
};

static int twill_by_group(const void *a, const void *b)
{
    const struct twill_entry *x = a, *y = b;

    return NUCE_INT_ORDER({x->group_turn, y->group_turn}, {x->rank_turn, y->rank_turn});
}

static int twill_by_part(const void *a, const void *b)
{
    const struct twill_entry *x = a, *y = b;

    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return twill_by_group(a, b);
}

/* The distance of which from first on a ring of count places. */
static int turn_on_ring(int which, int first, int count)
{
    return ((which - first) % count + count) % count;
}

static nuce_status twill_build(const struct nuce_schedule_input *input,
                               struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    const struct nuce_pattern *pattern = input->pattern;
    struct nuce_groups of;
    struct twill_entry *entry;

    if (nuce_groups_init_above(input, &of, error) != NUCE_OK)
        return error->status;
    entry = nuce_allocate(pattern->ranks, sizeof *entry);
    nuce_schedule_expect(builder, pattern);
    for (int i = 0; i < pattern->ranks; i++) {
        const struct nuce_groups *groups = &of;
        int group = groups->group_of[i], number = groups->number[i];
        int64_t count = 0;

        /* Rank i's message to itself, which needs no link, comes before the others. */
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            int to = pattern->destination[k], other = groups->group_of[to];

            if (to == i)
                nuce_schedule_add(builder, i, i, 0, 0, pattern->bytes[k]);
            else
                entry[count++] = (struct twill_entry){
                    .group_turn =
                        turn_on_ring(other, group + number % groups->count + 1, groups->count),
                    .rank_turn = turn_on_ring(groups->number[to], number + 1,
                                              nuce_groups_size(groups, other)),
                    .message = k};
        }
        qsort(entry, (size_t)count, sizeof *entry, twill_by_group);
        /* The parts of the messages to one group, in the order of their turns. */
        for (int64_t first = 0, end; first < count; first = end) {
            double total = 0, before = 0;

            for (end = first; end < count && entry[end].group_turn == entry[first].group_turn;
                 end++)
                total += (double)pattern->bytes[entry[end].message];
            for (int64_t k = first; k < end; k++) {
                double bytes = (double)pattern->bytes[entry[k].message];
                double place = (entry[k].group_turn + 0.5) / groups->count;

                entry[k].part = (before + bytes * place) / total;
                before += bytes;
            }
        }
        qsort(entry, (size_t)count, sizeof *entry, twill_by_part);
        for (int64_t k = 0; k < count; k++) {
            int64_t message = entry[k].message;

            nuce_schedule_add(builder, i, pattern->destination[message], 0, 0,
                              pattern->bytes[message]);
        }
    }
    builder->depth = nuce_int(input->tuning->in_flight);
    nuce_groups_fini(&of);
    free(entry);
    return NUCE_OK;
}

const struct nuce_schedule_ops nuce_schedule_twill = {
    .name = "twill",
    .label = "few sends in flight",
    .summary =
        "to all groups of nodes in turn, by the bytes of each, up to in-flight sends at a time",
    .source = "TWILL, by a description; Waldspurger and Weihl, MIT/LCS/TM-528, 1995",
    .discipline = NUCE_BLOCKING,
    .uses = NUCE_USES_GROUPS | NUCE_USES_IN_FLIGHT,
    .in_flight = THROTTLE,
    .needs = NUCE_NEEDS_GROUPS,
    .concern = NUCE_CONCERN_OWN,
    .build = twill_build,
};
