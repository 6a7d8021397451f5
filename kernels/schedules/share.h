/* A rank's share of a schedule that another rank made of all messages. With it the rank has the
 * same lists of its own, without those of the others. */
#ifndef NUCE_SHARE_H
#define NUCE_SHARE_H

#include "schedules/schedule.h"

/* Shares one after the other, as numbers of 8 bytes that processes of one program exchange
 * unchanged. All zero: none yet. Freed with free(number). */
struct nuce_shares {
    int64_t count, capacity;
    int64_t *number;
};

/* Makes room for that many more numbers, which the caller fills. */
int64_t *nuce_share_more(struct nuce_shares *share, int64_t numbers);

/* *send_of: pieces: the index of the send of each receive, the reverse of receive_of. Freed by the
 * caller. */
void nuce_share_index(const struct nuce_schedule *schedule, int64_t **send_of);

/* Adds the sends and receives of rank. The name of the executor is not included: the process that
 * assembles a share has the ops. O(its pieces and parcels). */
void nuce_share_add(const struct nuce_schedule *schedule, const int64_t *send_of, int rank,
                    struct nuce_shares *share);

/* Makes a schedule of that many ranks under ops from the share at number. The lists of the share's
 * rank are those of the whole schedule; other ranks have only their pieces with it. Costs and
 * candidates stay with the whole. Freed with nuce_schedule_fini. */
void nuce_share_assemble(const int64_t *number, const struct nuce_schedule_ops *ops, int ranks,
                         struct nuce_schedule *out);

#endif
