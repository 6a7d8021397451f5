/* Ranks by node, from the first source that knows it.
 *
 * The sources of a rank's node are, in this order: the option (a number of ranks per node), the
 * network, and MPI, which knows where the ranks run. The first that knows the nodes is used. Each
 * source numbers groups from 0 without a gap. O(ranks) time and memory. */
#include "schedules/groups.h"

#include <stdlib.h>

#include "base/allocate.h"

void nuce_groups_fini(struct nuce_groups *groups)
{
    free(groups->group_of); /* the block of all arrays */
    *groups = (struct nuce_groups){0};
}

/* Fills *out by where, which returns the group of a rank; told: ranks of each group, 0: not
 * given. */
static nuce_status groups_fill(const struct nuce_schedule_input *input, int64_t told,
                               const char *option,
                               int (*where)(const struct nuce_schedule_input *input, int rank),
                               struct nuce_groups *out, struct nuce_error *error)
{
    int ranks = input->pattern->ranks;

    *out = (struct nuce_groups){0};
    if (told > ranks)
        return nuce_error_refuse(error, option, "'%lld': expected 1 to the number of ranks, %d",
                                 (long long)told, ranks);
    out->group_of = nuce_allocate(5 * (int64_t)ranks + 2, sizeof *out->group_of);
    out->number = out->group_of + ranks;
    out->rank = out->number + ranks;
    out->is_wanted = out->rank + ranks;
    out->start = out->is_wanted + ranks;
    for (int i = 0; i < ranks; i++)
        out->group_of[i] = told > 0 ? (int)(i / told) : where(input, i);
    for (int i = 0; i < ranks; i++)
        out->is_wanted[out->group_of[i]] |= input->wanted == NULL || input->wanted[i];
    /* Sorts the ranks by group_of, which is filled. */
    out->smallest = ranks;
    for (int i = 0; i < ranks; i++) {
        int group = out->group_of[i];

        out->count = group >= out->count ? group + 1 : out->count;
        out->start[group + 2]++;
    }
    for (int n = 0; n < out->count; n++) {
        int size = out->start[n + 2];

        out->largest = size > out->largest ? size : out->largest;
        out->smallest = size < out->smallest ? size : out->smallest;
        out->start[n + 2] += out->start[n + 1];
    }
    /* start[n + 1] is the beginning of group n and moves to its end as it is filled. */
    for (int i = 0; i < ranks; i++)
        out->rank[out->start[out->group_of[i] + 1]++] = i;
    for (int k = 0; k < ranks; k++)
        out->number[out->rank[k]] = k - out->start[out->group_of[out->rank[k]]];
    return NUCE_OK;
}

/* If no source knows the nodes, every rank is a node of its own. */
static int groups_node(const struct nuce_schedule_input *input, int rank)
{
    if (input->network->tiers.nodes > 0)
        return input->network->tiers.node_of[rank];
    return input->node_of != NULL ? input->node_of[rank] : rank;
}

nuce_status nuce_groups_init(const struct nuce_schedule_input *input, struct nuce_groups *out,
                             struct nuce_error *error)
{
    return groups_fill(input, input->tuning->node_ranks, "node-ranks", groups_node, out, error);
}

/* A given topology (schedule.h) has precedence over the network. */
static int groups_above(const struct nuce_schedule_input *input, int rank)
{
    return input->group_of != NULL ? input->group_of[rank]
                                   : nuce_network_group(input->network, rank);
}

nuce_status nuce_groups_init_above(const struct nuce_schedule_input *input, struct nuce_groups *out,
                                   struct nuce_error *error)
{
    *out = (struct nuce_groups){0};
    if (input->tuning->group_ranks == 0 && input->network->tiers.groups == 0 &&
        input->group_of == NULL)
        return nuce_error_refuse(error, "group-ranks",
                                 "not given, and neither network nor topology says which nodes "
                                 "are under one switch: expected the ranks of each group, a "
                                 "network with groups, or a topology of several switches");
    return groups_fill(input, input->tuning->group_ranks, "group-ranks", groups_above, out, error);
}

/* 0: all ranks of the largest node. */
nuce_status nuce_groups_leaders(const struct nuce_groups *groups, int64_t leaders, int *out,
                                struct nuce_error *error)
{
    if (leaders < 0 || leaders > groups->largest)
        return nuce_error_refuse(error, "leaders",
                                 "'%lld': expected 1 to the ranks of the largest node, %d",
                                 (long long)leaders, groups->largest);
    *out = leaders == 0 ? groups->largest : (int)leaders;
    return NUCE_OK;
}

int nuce_groups_are_flat(const struct nuce_groups *groups)
{
    return groups->count == 1 || groups->largest == 1;
}

int nuce_groups_size(const struct nuce_groups *groups, int node)
{
    return groups->start[node + 1] - groups->start[node];
}

int nuce_groups_make(const struct nuce_groups *groups, int from, int to)
{
    return groups->is_wanted[from] || groups->is_wanted[to];
}
