/* The nodes of a schedule's ranks, and the groups of these nodes. */
#ifndef NUCE_GROUPS_H
#define NUCE_GROUPS_H

#include "schedules/schedule.h"

struct nuce_groups {
    int count, largest, smallest; /* nodes; ranks of the largest and smallest */
    int *group_of, *number;       /* ranks: the node, and the place on it, from 0 */
    int *start, *rank;            /* node n has rank[start[n]] .., by number */
    int *is_wanted;               /* nodes: true if the input wants a rank of it */
};

/* Nodes as given (node_ranks), else those of the network, else those that the ranks run on. If none
 * is known each rank is on a node of its own. NUCE_BAD_INPUT: more node_ranks than ranks. Freed
 * with nuce_groups_fini, also after failure. */
nuce_status nuce_groups_init(const struct nuce_schedule_input *input, struct nuce_groups *out,
                             struct nuce_error *error);
void nuce_groups_fini(struct nuce_groups *groups);

/* The same for groups of nodes, such as those under one switch: as given (group_ranks), else
 * group_of of the input, else those of the network. NUCE_BAD_INPUT: more group_ranks than ranks, or
 * no groups are known; the message is about group-ranks. */
nuce_status nuce_groups_init_above(const struct nuce_schedule_input *input, struct nuce_groups *out,
                                   struct nuce_error *error);

/* *out: the number of leading ranks of a node for the option `leaders`; 0 means all of the largest
 * node. NUCE_BAD_INPUT: more than that node has. */
nuce_status nuce_groups_leaders(const struct nuce_groups *groups, int64_t leaders, int *out,
                                struct nuce_error *error);

/* True if no message can pass another rank: there is one node, or each rank is one. Schedules that
 * forward between nodes then post messages as ac does, because two names of one thing should take
 * the same time. It depends on the nodes alone: a schedule of a few messages, as a repair adds
 * them, is executed as that of all. */
int nuce_groups_are_flat(const struct nuce_groups *groups);

/* True if messages between these two nodes are in the schedule. All are, unless the input wants
 * only some ranks (schedule.h) and none of them is on either node. */
int nuce_groups_make(const struct nuce_groups *groups, int from, int to);

/* The number of ranks of a node, or group. */
int nuce_groups_size(const struct nuce_groups *groups, int node);

#endif
