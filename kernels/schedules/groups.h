/* The nodes of a schedule's ranks, and the groups of these: who is where. */
#ifndef NUCE_GROUPS_H
#define NUCE_GROUPS_H

#include "schedules/schedule.h"

struct nuce_groups {
    int count, largest, smallest; /* nodes; ranks of one */
    int *group_of, *number;       /* ranks: the node, and the place there, from 0 */
    int *start, *rank;            /* node n has rank[start[n]] .., by number */
    int *is_wanted;               /* nodes: some rank of it is, as the input says */
};

/* As told (node_ranks), else those of the network, else those that the ranks run on; where none is
 * known each rank is on a node of its own. NUCE_BAD_INPUT: more node_ranks than ranks. Freed with
 * nuce_groups_fini, also after failure. */
nuce_status nuce_groups_init(const struct nuce_schedule_input *input, struct nuce_groups *out,
                             struct nuce_error *error);
void nuce_groups_fini(struct nuce_groups *groups);

/* The same of groups of nodes, such as those under one switch: as told (group_ranks), else
 * group_of of the input, else those of the network. NUCE_BAD_INPUT: more group_ranks than ranks, or
 * none is known; the message is about group-ranks. */
nuce_status nuce_groups_init_above(const struct nuce_schedule_input *input, struct nuce_groups *out,
                                   struct nuce_error *error);

/* *out: how many ranks of a node lead where `leaders` are asked for, 0 being all of the largest.
 * NUCE_BAD_INPUT: more than that has. */
nuce_status nuce_groups_leaders(const struct nuce_groups *groups, int64_t leaders, int *out,
                                struct nuce_error *error);

/* Whether no message has anybody to go by: there is one node, or each rank is one. What goes by way
 * of nodes is posted then as ac posts it, as two names of one thing are to take the same time. This
 * is told by the nodes alone: a schedule of a few messages, as a repair adds them, is executed as
 * that of all. */
int nuce_groups_are_flat(const struct nuce_groups *groups);

/* Whether messages between these two nodes are in the schedule that is made: all are, unless ranks
 * are wanted (schedule.h) and none of them is on either. */
int nuce_groups_make(const struct nuce_groups *groups, int from, int to);

/* The ranks of a node, or group. */
int nuce_groups_size(const struct nuce_groups *groups, int node);

#endif
