/* From each rank's own row of COM to what has to be known: on each rank the messages that say what
 * it does, where these are all that its schedule needs; else all messages, once a node. */
#ifndef NUCE_GATHERING_H
#define NUCE_GATHERING_H

#include "base/hash.h"
#include "run/world.h"
#include "schedules/pattern.h"
#include "schedules/schedule.h"
#include "schedules/schedule_results.h"

/* Which ranks get all rows. */
enum nuce_gatherers {
    NUCE_GATHER_LEADERS, /* the first rank of each node; on a simulated machine, whose ranks are one
                            process, rank 0 alone */
    NUCE_GATHER_FIRST,   /* rank 0 */
};

/* Whether this rank is one of NUCE_GATHER_LEADERS. Local. */
int nuce_gathering_leads(const struct nuce_world *world);

/* *ranks: *count numbers in the world, in the order of the group: those for which the leader of
 * this rank gathers. Freed by the caller. Local. */
void nuce_gathering_members(const struct nuce_world *world, int **ranks, int *count);

/* *out: of the rows of all ranks those messages that come by this rank, as own_radix (not -1) says
 * (nuce_schedule_own_radix): each rank tells those whom its messages concern. rows has the row of
 * this rank; others' are not looked at. O(ranks + messages that concern it). Freed with
 * nuce_pattern_fini. Collective; the same status on all ranks. */
nuce_status nuce_gathering_concern(struct nuce_world *world, const struct nuce_pattern *rows,
                                   int64_t own_radix, struct nuce_pattern *out,
                                   struct nuce_error *error);

/* *out: the rows of all, on the ranks that gatherers says; elsewhere it stays empty. NUCE_FAILED:
 * more than INT_MAX / 3 messages. Freed with nuce_pattern_fini. Collective; the same status on all
 * ranks.
 */
nuce_status nuce_gathering_whole(struct nuce_world *world, const struct nuce_pattern *rows,
                                 enum nuce_gatherers gatherers, struct nuce_pattern *out,
                                 struct nuce_error *error);

/* Leaders (nuce_gathering_leads) hand each rank of their group the messages of whole, which is
 * empty elsewhere, that it sends or receives, and its share of the schedule, which is of ops: freed
 * with nuce_pattern_fini and nuce_schedule_fini. schedule NULL, on all ranks, and share: messages
 * alone. Meanwhile a leader has all that it hands out once more. NUCE_FAILED: more than 16 GiB of
 * it. Collective; the same status on all ranks. */
nuce_status nuce_gathering_hand_out(struct nuce_world *world, const struct nuce_pattern *whole,
                                    const struct nuce_schedule *schedule,
                                    const struct nuce_schedule_ops *ops, struct nuce_pattern *out,
                                    struct nuce_schedule *share, struct nuce_error *error);

/* What is said of all messages, and of the schedule of all, where each rank knows its own. Each is
 * collective over the world. */

/* own: at least what this rank sends and receives. *out is that of all messages, on all ranks;
 * smallest, most_messages and least_messages stay 0. NUCE_BAD_INPUT, on all: more bytes than an
 * int64_t counts. */
nuce_status nuce_census_summary(struct nuce_world *world, const struct nuce_pattern *own,
                                struct nuce_pattern_summary *out, struct nuce_error *error);

/* hex, on rank 0: what nuce_pattern_hash says of all messages. Rows come by rank 0, which never has
 * many. Each rank has a status of its own. */
nuce_status nuce_census_hash(struct nuce_world *world, const struct nuce_pattern *own,
                             char hex[NUCE_HASH_BYTES], struct nuce_error *error);

/* Over all ranks, on all of them. */
struct nuce_schedule_totals nuce_census_totals(struct nuce_world *world,
                                               const struct nuce_schedule *own);

/* NUCE_CORRUPT, on all, unless every piece that any rank sends is one that its peer receives, and
 * the reverse: same phase, offset and bytes. That is seen by sums of hashes, so two errors can hide
 * each other once in 2^64 times. */
nuce_status nuce_census_match(struct nuce_world *world, const struct nuce_schedule *own,
                              struct nuce_error *error);

#endif
