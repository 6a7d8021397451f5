/* A schedule that is kept while the pattern changes: what of a later pattern it has room for, and
 * what becomes of the rest. The room of a schedule is the pattern that it was made for: it delivers
 * the first bytes of each message, as many as the room has. */
#ifndef NUCE_STALE_H
#define NUCE_STALE_H

#include "schedules/pattern.h"
#include "schedules/schedule.h"
#include "support/error.h"

/* What of pattern is in room, and what is not: the first and the last bytes of each message. Freed
 * with nuce_pattern_fini. Of all functions here that return a status: NUCE_FAILED: no memory, and
 * *out is as it was. */
nuce_status nuce_stale_within(const struct nuce_pattern *room, const struct nuce_pattern *pattern,
                              struct nuce_pattern *out, struct nuce_error *error);
nuce_status nuce_stale_beyond(const struct nuce_pattern *room, const struct nuce_pattern *pattern,
                              struct nuce_pattern *out, struct nuce_error *error);

/* What there is room for after that: of each message the longer one. NUCE_BAD_INPUT where these
 * amount to more than an int64_t. */
nuce_status nuce_stale_widen(const struct nuce_pattern *room, const struct nuce_pattern *pattern,
                             struct nuce_pattern *out, struct nuce_error *error);

/* *out: schedule for what of pattern there is room for: its pieces, or parcels, in their order,
 * each cut to what there is of it; those of which nothing is left are gone. It can be executed as
 * schedule can, and by the same discipline. Of padding that much is kept as schedule has, unless
 * nothing else is left. Freed with nuce_schedule_fini. O(pieces log messages). */
nuce_status nuce_stale_limit(const struct nuce_schedule *schedule,
                             const struct nuce_pattern *pattern, struct nuce_schedule *out,
                             struct nuce_error *error);

/* Moves the pieces of schedule, which is of what is beyond room, to where they lie in the whole
 * messages. Offsets in bytes grow by what room has of the same message. In place; O(pieces log
 * messages), or parcels where it forwards. */
void nuce_stale_move(struct nuce_schedule *schedule, const struct nuce_pattern *room);

/* *out: all that is beyond room, posted at once: the round behind a schedule that is kept. In one
 * phase, each message whole. Freed with nuce_schedule_fini. */
nuce_status nuce_stale_fallback(const struct nuce_pattern *beyond, struct nuce_schedule *out,
                                struct nuce_error *error);

/* *out: schedule, and behind its last phase further, of the same discipline and depth. Other ranks,
 * discipline or depth are a bug. Freed with nuce_schedule_fini; both arguments stay as they are.
 * O(pieces + parcels of both). */
nuce_status nuce_stale_append(const struct nuce_schedule *schedule,
                              const struct nuce_schedule *further, struct nuce_schedule *out,
                              struct nuce_error *error);

#endif
