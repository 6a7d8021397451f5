/* From each rank's own row of COM to what it has to know: the messages that say what it does, where
 * these are all that its schedule needs; else all messages, once a node, where the schedule is then
 * made, and of which every rank is handed its share. */
#ifndef NUCE_GATHERING_H
#define NUCE_GATHERING_H

#include "schedules/pattern.h"
#include "schedules/schedule.h"
#include "world/world.h"

/* What all have to know at one place: the pattern, and the schedule of it. */
struct nuce_whole {
    struct nuce_pattern pattern;
    struct nuce_schedule schedule;
};

/* Accepts an empty (all zero) one. */
void nuce_whole_fini(struct nuce_whole *whole);

/* Which ranks get all rows. */
enum nuce_gatherers {
    NUCE_GATHER_LEADERS, /* the first rank of each node; on a simulated machine, whose ranks are one
                            process, rank 0 alone */
    NUCE_GATHER_FIRST,   /* rank 0 */
};

/* Whether this rank is one of NUCE_GATHER_LEADERS. Local. */
int nuce_gathering_leads(const struct nuce_world *world);

/* *out: of the rows of all ranks those messages that come by this rank, as own_radix (not -1) says
 * (nuce_schedule_own_radix): each rank tells those whom its messages concern. rows has the row of
 * this rank; others' are not looked at. O(ranks + messages that concern it). Freed with
 * nuce_pattern_fini. Collective; the same status on all ranks. */
nuce_status nuce_gathering_concern(struct nuce_world *world, const struct nuce_pattern *rows,
                                   int64_t own_radix, struct nuce_pattern *out,
                                   struct nuce_error *error);

/* *out: the rows of all, on the ranks that gatherers says; elsewhere it stays empty. NUCE_FAILED:
 * more than 2^30 messages. Freed with nuce_pattern_fini. Collective; the same status on all ranks.
 */
nuce_status nuce_gathering_whole(struct nuce_world *world, const struct nuce_pattern *rows,
                                 enum nuce_gatherers gatherers, struct nuce_pattern *out,
                                 struct nuce_error *error);

/* Leaders hand each rank of their node the messages of whole, which is empty elsewhere, that it
 * sends or receives. Freed with nuce_pattern_fini. Collective; the same status on all ranks. */
nuce_status nuce_gathering_hand_out_messages(struct nuce_world *world,
                                             const struct nuce_pattern *whole,
                                             struct nuce_pattern *out, struct nuce_error *error);

/* Leaders hand each rank of their node the messages that it sends or receives, and its share of the
 * schedule of ops: whole is empty elsewhere. node_of: ranks, of a schedule that needs what any rank
 * of its node has (NUCE_CONCERN_NODE), else not looked at. Both are freed by their _fini.
 * Collective; the same status on all ranks. */
nuce_status nuce_gathering_hand_out(struct nuce_world *world, const struct nuce_whole *whole,
                                    const struct nuce_schedule_ops *ops, const int *node_of,
                                    struct nuce_pattern *pattern, struct nuce_schedule *schedule,
                                    struct nuce_error *error);

#endif
