/* What is said of all messages, and of the schedule of all, where each rank knows its own. Each is
 * collective over the world. */
#ifndef NUCE_CENSUS_H
#define NUCE_CENSUS_H

#include "base/hash.h"
#include "run/world.h"
#include "schedules/pattern.h"
#include "schedules/schedule.h"
#include "schedules/schedule_results.h"

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
