/* twill: every rank sends to all groups of nodes at once, to each in proportion to what it has for
 * it, so that the links between groups are loaded evenly from the first message to the last.
 *
 * Problem: groups of nodes (those under one leaf switch, or of a dragonfly) are joined by less than
 * their nodes together can send. Who sends by the number of the destination sends to one group
 * after the other, and all ranks to the same: then some of these links carry nothing while others
 * are the limit, and what stays inside the groups does not overlap with what leaves them. Steps:
 *   1. Relabel: a rank is number n of group g, whatever its rank.
 *   2. To a group h its messages go by number, from n + 1 on, so that the ranks of a group send to
 * different ones.
 *   3. Weighted round robin: h weighs what the rank has for it. Groups have their turns from group
 * g + n + 1 on, so that the ranks of a group begin with different ones. All that goes to a group is
 * a row of bytes, and a message stands at one of its own: near its first for the first group, near
 * its last for the last. Messages are sent by the part of their row that lies before that byte.
 *   4. Window: every receive is posted at once, and up to `window` sends are under way.
 * After any number of sends the parts that are done of what goes to two groups differ by no more
 * than a message of each. Cost: each message once, none forwarded; O(m log m) for a rank of m
 * messages, which needs no others' (and O(ranks) for the labels). Limits: it does not slow down who
 * sends into a group that others fill as well; it knows groups of one level, and no routes. Source:
 * a description alone, "TWILL: interleaving over tapered links: relabel by groups, weighted round
 * robin over groups, window"; the paper was not at hand. The round robin by parts is stride
 * scheduling: Waldspurger and Weihl, MIT/LCS/TM-528, 1995. The shifts of steps 2 and 3, and what
 * weighs, are ours. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/int.h"
#include "schedules/groups.h"

/* A message of the rank whose turn it is. */
struct twill_entry {
    double part;    /* of what goes to its group: before where it stands */
    int group_turn; /* of the group, from the first one on */
    int rank_turn;  /* of the destination in it */
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

/* Which comes how many places behind first on a ring of count. */
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

        /* What rank i sends itself, which needs no link, comes before the others. */
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
    builder->depth = nuce_int(input->tuning->window);
    nuce_groups_fini(&of);
    free(entry);
    return NUCE_OK;
}

const struct nuce_schedule_ops nuce_schedule_twill = {
    .name = "twill",
    .summary = "to all groups of nodes in turn, by what each gets, up to window sends at a time",
    .source = "TWILL, by a description; Waldspurger and Weihl, MIT/LCS/TM-528, 1995",
    .discipline = NUCE_BLOCKING,
    .uses = NUCE_USES_GROUPS | NUCE_USES_WINDOW,
    .needs = NUCE_NEEDS_GROUPS,
    .concern = NUCE_CONCERN_OWN,
    .build = twill_build,
};
