/* Messages of a pattern that stand for several: what an application sends one behind the other from
 * one rank to another is one entry of COM, of their sum, and its schedule is made of that. Sent are
 * the messages that there were. */
#ifndef NUCE_SPLIT_H
#define NUCE_SPLIT_H

#include <stdint.h>

#include "base/error.h"
#include "schedules/pattern.h"
#include "schedules/schedule.h"

/* What one rank sends another, in its order. */
struct nuce_split {
    int source, destination;
    int64_t first, count; /* of struct nuce_splits' bytes */
};

/* The pairs of ranks of which a pattern's entry is not one message: several, or none with bytes.
 * By source, then by destination. */
struct nuce_splits {
    int64_t count;
    struct nuce_split *split; /* count */
    int64_t *bytes;           /* of each message, >= 0 */
};

/* *out: those pairs among count messages, of which those of a pair stand side by side in their
 * order. What ranks send to themselves is left out: it needs no wire. Freed with
 * nuce_splits_fini. */
void nuce_splits_init(const struct nuce_message *messages, int64_t count, struct nuce_splits *out);
void nuce_splits_fini(struct nuce_splits *splits);

/* Whether the schedule sends a rank's pieces as they are: not one that forwards, nor one that an
 * executor finds as it runs. */
int nuce_splits_apply(const struct nuce_schedule *schedule);

/* Cuts the pieces of schedule, to which nuce_splits_apply, where one message ends and the next
 * begins: they stay in their phases, one behind the other, in the order in which they were sent. A
 * message without bytes goes with the piece that begins or, at the end of all, ends where it lies;
 * where a pair has no others, in phases behind all. `phases` grows by these. O(pieces log splits).
 * On failure schedule is as it was. */
void nuce_schedule_split(struct nuce_schedule *schedule, const struct nuce_splits *splits);

#endif
