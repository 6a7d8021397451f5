/* Entries of a pattern for several messages. An application may send several messages one after the
 * other from one rank to another. They are one entry of COM, with their sum, and the schedule is
 * made from that. The original messages are sent. */
#ifndef NUCE_SPLIT_H
#define NUCE_SPLIT_H

#include <stdint.h>

#include "base/error.h"
#include "schedules/pattern.h"
#include "schedules/schedule.h"

/* The messages of one rank to another, in its order. */
struct nuce_split {
    int source, destination;
    int64_t first, count; /* of struct nuce_splits' bytes */
};

/* The pairs of ranks for which a pattern's entry is not one message: there are several, or only
 * messages without bytes. By source, then by destination. */
struct nuce_splits {
    int64_t count;
    struct nuce_split *split; /* count */
    int64_t *bytes;           /* of each message, >= 0 */
};

/* *out: those pairs among count messages; the messages of a pair are adjacent and in order.
 * Messages of ranks to themselves, which need no wire, are excluded. Freed with
 * nuce_splits_fini. */
void nuce_splits_init(const struct nuce_message *messages, int64_t count, struct nuce_splits *out);
void nuce_splits_fini(struct nuce_splits *splits);

/* True if the schedule sends a rank's pieces unchanged. It does not if it forwards, or if an
 * executor finds the order at run time. */
int nuce_splits_apply(const struct nuce_schedule *schedule);

/* Cuts the pieces of schedule, for which nuce_splits_apply is true, where one message ends and the
 * next begins. The parts stay in their phases, one after the other, in the order in which they were
 * sent. A message without bytes goes with the piece that begins, or at the end of all ends, at its
 * place. If a pair has no other messages, it goes in phases after all others, and `phases` grows by
 * these. O(pieces log splits). On failure schedule is unchanged. */
void nuce_schedule_split(struct nuce_schedule *schedule, const struct nuce_splits *splits);

#endif
