/* A rank's share of a schedule that another rank made of all messages: what has to be sent to it so
 * that it has the same lists of its own, without those of the others. */
#ifndef NUCE_SHARE_H
#define NUCE_SHARE_H

#include "schedules/schedule.h"

/* Shares one behind the other, as numbers of 8 bytes that are sent as they are between processes of
 * one program. All zero: none yet. Freed with free(number). */
struct nuce_shares {
    int64_t count, capacity;
    int64_t *number;
};

/* Room for so many numbers more, which the caller fills. */
int64_t *nuce_share_more(struct nuce_shares *share, int64_t numbers);

/* *send_of: pieces: the index of the send that belongs to each receive, the reverse of receive_of.
 * Freed by the caller. */
void nuce_share_index(const struct nuce_schedule *schedule, int64_t **send_of);

/* Adds what rank sends and receives. The name of the executor is not in it: who assembles a share
 * has the ops. O(its pieces and parcels). */
void nuce_share_add(const struct nuce_schedule *schedule, const int64_t *send_of, int rank,
                    struct nuce_shares *share);

/* A schedule of so many ranks under ops, as the share at number has it: the lists of the share's
 * rank are those of the whole schedule, of other ranks only what they have with it. Costs and
 * candidates stay with the whole. Freed with nuce_schedule_fini. */
void nuce_share_assemble(const int64_t *number, const struct nuce_schedule_ops *ops, int ranks,
                         struct nuce_schedule *out);

#endif
