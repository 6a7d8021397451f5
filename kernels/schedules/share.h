/* A rank's share of a schedule that another rank made of all messages: what has to be sent to it so
 * that it has the same lists of its own, without those of the others. */
#ifndef NUCE_SHARE_H
#define NUCE_SHARE_H

#include "schedules/schedule.h"

/* A piece on its way; its parcels are the next so many of the share's. */
struct nuce_share_piece {
    int source, destination;
    int phase;
    int parcels;    /* of a schedule that forwards */
    int64_t offset; /* bytes */
    int64_t bytes;
};

/* Plain arrays, to be sent as they are between processes of one program. Both arrays are owned. The
 * name of the executor is not among them: who assembles a share has the ops. */
struct nuce_schedule_share {
    enum nuce_discipline discipline; /* these three: of the whole schedule */
    int phases;
    int depth;
    int64_t pieces, piece_capacity;
    struct nuce_share_piece *piece; /* in an order in which a builder can take them */
    int64_t parcels, parcel_capacity;
    struct nuce_parcel *parcel;
};

void nuce_share_fini(struct nuce_schedule_share *share);

/* *send_of: pieces: the index of the send that belongs to each receive, the reverse of receive_of.
 * Freed by the caller. */
void nuce_share_index(const struct nuce_schedule *schedule, int64_t **send_of);

/* What rank sends and receives. O(its pieces and parcels). Freed with nuce_share_fini. */
void nuce_share_take(const struct nuce_schedule *schedule, const int64_t *send_of, int rank,
                     struct nuce_schedule_share *out);

/* A schedule of so many ranks under ops, as share has it: the lists of the share's rank are those
 * of the whole schedule, of other ranks only what they have with it. Costs and candidates stay with
 * the whole. Freed with nuce_schedule_fini. */
void nuce_share_assemble(const struct nuce_schedule_share *share,
                         const struct nuce_schedule_ops *ops, int ranks, struct nuce_schedule *out);

#endif
