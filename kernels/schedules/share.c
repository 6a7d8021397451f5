/* A rank's lists are two orders, and a builder takes one: what a rank sends to itself is in both,
 * so that its sends and receives before it come first, then it, and so on. Pieces are stably sorted
 * by phase when they are assembled, as they were in the whole schedule. */
#include "schedules/share.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"

void nuce_share_fini(struct nuce_schedule_share *share)
{
    free(share->piece);
    free(share->parcel);
    memset(share, 0, sizeof *share);
}

void nuce_share_index(const struct nuce_schedule *schedule, int64_t **send_of)
{
    int64_t *index = nuce_allocate(schedule->pieces, sizeof *index);

    for (int64_t k = 0; k < schedule->pieces; k++)
        index[schedule->receive_of[k]] = k;
    *send_of = index;
}

/* The send number k, which is of rank source. */
static void share_add(const struct nuce_schedule *schedule, int source, int64_t k,
                      struct nuce_schedule_share *share)
{
    const struct nuce_transfer *send = &schedule->sends[k];
    struct nuce_load load = {0, 0};

    if (schedule->loads != NULL)
        load = schedule->loads[k];
    nuce_allocate_more((void **)&share->piece, &share->piece_capacity, share->pieces + 1,
                       sizeof *share->piece);
    nuce_allocate_more((void **)&share->parcel, &share->parcel_capacity,
                       share->parcels + load.count, sizeof *share->parcel);
    if (load.count > 0)
        memcpy(share->parcel + share->parcels, schedule->parcels + load.first,
               (size_t)load.count * sizeof *share->parcel);
    share->parcels += load.count;
    share->piece[share->pieces++] = (struct nuce_share_piece){.source = source,
                                                              .destination = send->peer,
                                                              .phase = send->phase,
                                                              .parcels = nuce_int(load.count),
                                                              .offset = send->offset,
                                                              .bytes = send->bytes};
}

/* The same of receives. */
static void share_add_receives(const struct nuce_schedule *schedule, const int64_t *send_of,
                               int rank, int64_t *receive, struct nuce_schedule_share *share)
{
    int64_t end = schedule->receive_start[rank + 1];

    for (; *receive < end && schedule->receives[*receive].peer != rank; (*receive)++)
        share_add(schedule, schedule->receives[*receive].peer, send_of[*receive], share);
}

nuce_status nuce_share_take(const struct nuce_schedule *schedule, const int64_t *send_of, int rank,
                            struct nuce_schedule_share *out, struct nuce_error *error)
{
    struct nuce_schedule_share share = {
        .discipline = schedule->discipline, .phases = schedule->phases, .depth = schedule->depth};
    int64_t send = schedule->send_start[rank], receive = schedule->receive_start[rank];

    (void)error;
    while (1) {
        int64_t end = schedule->send_start[rank + 1];

        /* Up to the next send to rank itself. */
        for (; send < end && schedule->sends[send].peer != rank; send++)
            share_add(schedule, rank, send, &share);
        share_add_receives(schedule, send_of, rank, &receive, &share);
        if (send == schedule->send_start[rank + 1])
            break;
        /* Both stand before the same piece, which the rank sends to itself. */
        share_add(schedule, rank, send, &share);
        send++;
        receive++;
    }
    *out = share;
    return NUCE_OK;
}

nuce_status nuce_share_assemble(const struct nuce_schedule_share *share,
                                const struct nuce_schedule_ops *ops, int ranks,
                                struct nuce_schedule *out, struct nuce_error *error)
{
    struct nuce_schedule_builder builder;
    int64_t parcel = 0;

    (void)error;
    nuce_schedule_builder_init(&builder, ranks, share->discipline);
    builder.depth = share->depth;
    builder.phases = share->phases;
    nuce_schedule_reserve(&builder, share->pieces);
    for (int64_t k = 0; k < share->pieces; k++) {
        const struct nuce_share_piece *p = &share->piece[k];

        if (share->discipline == NUCE_FORWARD)
            nuce_schedule_add_load(&builder, p->source, p->destination, p->phase, p->bytes,
                                   &share->parcel[parcel], p->parcels);
        else
            nuce_schedule_add(&builder, p->source, p->destination, p->phase, p->offset, p->bytes);
        parcel += p->parcels;
    }
    nuce_schedule_build_end(&builder, out);
    out->executor = ops->executor;
    return NUCE_OK;
}
