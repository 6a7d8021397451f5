/* From each rank's own row of COM to the messages that a rank must know. On each rank these are
 * the messages that determine its part, if its schedule needs no others; else all messages, once
 * a node. */
#ifndef NUCE_GATHERING_H
#define NUCE_GATHERING_H

#include "base/hash.h"
#include "run/world.h"
#include "schedules/pattern.h"
#include "schedules/schedule.h"
#include "schedules/schedule_results.h"

/* The ranks that get all rows. */
enum nuce_gatherers {
    NUCE_GATHER_LEADERS, /* the first rank of each node; on a simulated machine, where all ranks
                          * are one process, only rank 0 */
    NUCE_GATHER_FIRST,   /* rank 0 */
};

/* True if this rank is one of NUCE_GATHER_LEADERS. Local. */
int nuce_gathering_leads(const struct nuce_world *world);

/* Returns the ranks for which this rank's leader gathers: *ranks has *count numbers in the
 * world, in the order of the group. Freed by the caller. Local. */
void nuce_gathering_members(const struct nuce_world *world, int **ranks, int *count);

/* Makes *out, the messages of all ranks that come by this rank under own_radix, which is not -1
 * (nuce_schedule_own_radix). Each rank sends its messages to the ranks that they concern. rows
 * has the row of this rank; others' rows are not read. O(ranks + messages that concern it).
 * Freed with nuce_pattern_fini. Collective; the same status on all ranks. */
nuce_status nuce_gathering_concern(struct nuce_world *world, const struct nuce_pattern *rows,
                                   int64_t own_radix, struct nuce_pattern *out,
                                   struct nuce_error *error);

/* Makes *out, the rows of all ranks, on the ranks of gatherers; elsewhere it stays empty.
 * NUCE_FAILED: more than INT_MAX / 3 messages. Freed with nuce_pattern_fini. Collective; the
 * same status on all ranks. */
nuce_status nuce_gathering_whole(struct nuce_world *world, const struct nuce_pattern *rows,
                                 enum nuce_gatherers gatherers, struct nuce_pattern *out,
                                 struct nuce_error *error);

/* Leaders (nuce_gathering_leads) distribute whole, which is empty on other ranks. Each rank of
 * their group gets the messages that it sends or receives, and its share of the schedule, which
 * is of ops. These are freed with nuce_pattern_fini and nuce_schedule_fini. schedule and share
 * NULL, on all ranks: only messages. Meanwhile a leader holds a second copy of all that it
 * sends. NUCE_FAILED: more than 16 GiB of it. Collective; the same status on all ranks. */
nuce_status nuce_gathering_hand_out(struct nuce_world *world, const struct nuce_pattern *whole,
                                    const struct nuce_schedule *schedule,
                                    const struct nuce_schedule_ops *ops, struct nuce_pattern *out,
                                    struct nuce_schedule *share, struct nuce_error *error);

/* Facts of all messages, and of the schedule of all ranks, if each rank knows only its own. Each
 * is collective over the world. */

/* own has at least this rank's messages. *out is the summary of all messages, on all ranks.
 * NUCE_BAD_INPUT, on all: more bytes than an int64_t counts. */
nuce_status nuce_census_summary(struct nuce_world *world, const struct nuce_pattern *own,
                                struct nuce_pattern_summary *out, struct nuce_error *error);

/* Writes nuce_pattern_hash of all messages to hex, on rank 0. Rank 0 receives the rows in turn
 * and never has many. */
void nuce_census_hash(struct nuce_world *world, const struct nuce_pattern *own,
                      char hex[NUCE_HASH_BYTES]);

/* The totals over all ranks, on all of them. */
struct nuce_schedule_totals nuce_census_totals(struct nuce_world *world,
                                               const struct nuce_schedule *own);

/* NUCE_CORRUPT, on all, unless each sent piece is a piece that its peer receives, and the
 * reverse: same phase, offset and bytes. The check compares sums of hashes, so two errors hide
 * each other once in 2^64 times. */
nuce_status nuce_census_match(struct nuce_world *world, const struct nuce_schedule *own,
                              struct nuce_error *error);

#endif
