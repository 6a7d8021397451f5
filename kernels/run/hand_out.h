/* What one rank of a node has made for all, the others are given their part of. */
#ifndef NUCE_HAND_OUT_H
#define NUCE_HAND_OUT_H

#include "run/world.h"
#include "schedules/pattern.h"
#include "schedules/schedule.h"

/* A pattern and the schedule of it, whole. Both are owned. */
struct nuce_whole {
    struct nuce_pattern pattern;
    struct nuce_schedule schedule;
};

/* Accepts an empty (all zero) one. */
void nuce_whole_fini(struct nuce_whole *whole);

/* Leaders (nuce_gathering_leads) hand each rank of their group the messages of whole, which is
 * empty elsewhere, that it sends or receives. Freed with nuce_pattern_fini. Collective; the same
 * status on all ranks. */
nuce_status nuce_hand_out_messages(struct nuce_world *world, const struct nuce_pattern *whole,
                                   struct nuce_pattern *out, struct nuce_error *error);

/* The same, and its share of the schedule of ops, which is freed with nuce_schedule_fini. Meanwhile
 * a leader has all that it hands out once more. NUCE_FAILED: more than 16 GiB of it. Collective;
 * the same status on all ranks. */
nuce_status nuce_hand_out_shares(struct nuce_world *world, const struct nuce_whole *whole,
                                 const struct nuce_schedule_ops *ops, struct nuce_pattern *pattern,
                                 struct nuce_schedule *schedule, struct nuce_error *error);

#endif
