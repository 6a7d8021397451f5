/* A rank's lists are two orders, and a builder takes one. A message to itself is in both lists, so
 * its sends and receives before it come first, then it, and so on. Pieces are stably sorted by
 * phase when they are assembled, as they were in the whole schedule. */
#include "schedules/share.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "schedules/groups.h"
#include "schedules/store_forward.h"

/* The beginning of a share. Its pieces follow, in an order that a builder can take. */
struct share_head {
    int64_t pieces;
    int64_t discipline, phases, depth; /* of the whole schedule */
};

/* A piece; in a schedule that forwards its parcels follow. */
struct share_piece {
    int source, destination;
    int phase, parcels;
    int64_t offset, bytes;
};

#define NUMBERS(type) ((int64_t)(sizeof(type) / sizeof(int64_t)))

_Static_assert(sizeof(struct share_piece) % sizeof(int64_t) == 0, "pieces are numbers");
_Static_assert(sizeof(struct nuce_parcel) % sizeof(int64_t) == 0, "parcels are numbers");

int64_t *nuce_share_more(struct nuce_shares *share, int64_t numbers)
{
    int64_t at = share->count;

    share->count += numbers;
    nuce_allocate_more((void **)&share->number, &share->capacity, share->count,
                       sizeof *share->number);
    return share->number + at;
}

void nuce_share_index(const struct nuce_schedule *schedule, int64_t **send_of)
{
    int64_t *index = nuce_allocate(schedule->pieces, sizeof *index);

    for (int64_t k = 0; k < schedule->pieces; k++)
        index[schedule->receive_of[k]] = k;
    *send_of = index;
}

/* Adds send number k, a send of rank source. */
static void share_add_piece(const struct nuce_schedule *schedule, int source, int64_t k,
                            struct nuce_shares *share)
{
    const struct nuce_transfer *send = &schedule->sends[k];
    struct nuce_load load = {0, 0};
    struct share_piece piece = {.source = source,
                                .destination = send->peer,
                                .phase = send->phase,
                                .offset = send->offset,
                                .bytes = send->bytes};

    if (schedule->loads != NULL)
        load = schedule->loads[k];
    piece.parcels = nuce_int(load.count);
    memcpy(nuce_share_more(share, NUMBERS(piece)), &piece, sizeof piece);
    if (load.count > 0)
        memcpy(nuce_share_more(share, load.count * NUMBERS(struct nuce_parcel)),
               schedule->parcels + load.first, (size_t)load.count * sizeof *schedule->parcels);
}

/* The head goes first and is filled last, because the memory may move until then. */
void nuce_share_add(const struct nuce_schedule *schedule, const int64_t *send_of, int rank,
                    struct nuce_shares *share)
{
    struct share_head head = {.discipline = (int64_t)schedule->discipline,
                              .phases = schedule->phases,
                              .depth = schedule->depth};
    int64_t begin = share->count;
    int64_t send = schedule->send_start[rank], sends = schedule->send_start[rank + 1];
    int64_t receive = schedule->receive_start[rank], receives = schedule->receive_start[rank + 1];

    nuce_share_more(share, NUMBERS(head));
    while (1) {
        for (; send < sends && schedule->sends[send].peer != rank; send++, head.pieces++)
            share_add_piece(schedule, rank, send, share);
        for (; receive < receives && schedule->receives[receive].peer != rank;
             receive++, head.pieces++)
            share_add_piece(schedule, schedule->receives[receive].peer, send_of[receive], share);
        if (send == sends)
            break;
        /* Both lists have reached the same piece, the rank's message to itself. */
        share_add_piece(schedule, rank, send, share);
        send++;
        receive++;
        head.pieces++;
    }
    memcpy(share->number + begin, &head, sizeof head);
}

void nuce_share_assemble(const int64_t *number, const struct nuce_schedule_ops *ops, int ranks,
                         struct nuce_schedule *out)
{
    const struct share_head *head = (const struct share_head *)number;
    struct nuce_schedule_builder builder;

    nuce_schedule_builder_init(&builder, ranks, (enum nuce_discipline)head->discipline);
    builder.depth = (int)head->depth;
    builder.phases = (int)head->phases;
    number += NUMBERS(*head);
    for (int64_t k = 0; k < head->pieces; k++) {
        const struct share_piece *p = (const struct share_piece *)number;
        const struct nuce_parcel *parcel =
            (const struct nuce_parcel *)(number + NUMBERS(struct share_piece));

        if (builder.discipline == NUCE_FORWARD)
            nuce_schedule_add_load(&builder, p->source, p->destination, p->phase, p->bytes, parcel,
                                   p->parcels);
        else
            nuce_schedule_add(&builder, p->source, p->destination, p->phase, p->offset, p->bytes);
        number += NUMBERS(*p) + p->parcels * NUMBERS(*parcel);
    }
    nuce_schedule_build_end(&builder, out);
    out->executor = ops->executor;
}

/* The messages of a pattern that a rank has to know. If the pieces follow only from their own
 * messages and the number of ranks, a rank's lists are the same in the schedule of all messages and
 * in that of the messages that pass that rank. */

int64_t nuce_schedule_own_radix(const struct nuce_schedule_ops *ops,
                                const struct nuce_tuning *tuning)
{
    if (ops->concern == NUCE_CONCERN_OWN)
        return 0;
    if (ops->concern == NUCE_CONCERN_PASSING && tuning->radix > 0)
        return tuning->radix;
    return -1;
}

int nuce_schedule_stops(int ranks, int64_t own_radix, int source, int destination,
                        int stops[NUCE_STORE_FORWARD_MOST_STOPS])
{
    if (own_radix > 0)
        return nuce_store_forward_way(ranks, own_radix, source, destination, stops);
    stops[0] = source;
    stops[1] = destination;
    return source == destination ? 1 : 2;
}

struct concern {
    int rank, ranks;
    int64_t own_radix;
};

static int concern_keeps(const void *context, int source, int destination)
{
    const struct concern *concern = context;
    int stops[NUCE_STORE_FORWARD_MOST_STOPS];
    int count = nuce_schedule_stops(concern->ranks, concern->own_radix, source, destination, stops);

    while (count > 0 && stops[count - 1] != concern->rank)
        count--;
    return count > 0;
}

nuce_status nuce_schedule_concern(const struct nuce_schedule_ops *ops,
                                  const struct nuce_schedule_input *input, int rank,
                                  struct nuce_pattern *out, struct nuce_error *error)
{
    const struct nuce_pattern *pattern = input->pattern;
    const struct nuce_tuning *tuning = input->tuning == NULL ? &nuce_tuning_preset : input->tuning;
    struct concern concern = {
        .rank = rank, .ranks = pattern->ranks, .own_radix = nuce_schedule_own_radix(ops, tuning)};

    NUCE_ASSERT(rank >= 0 && rank < pattern->ranks);
    if (concern.own_radix < 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s%s: the steps of a rank depend on the messages of all", ops->name,
                              ops->concern == NUCE_CONCERN_PASSING ? " of no given radix" : "");
    if (nuce_store_forward_check(concern.own_radix, pattern->ranks, error) != NUCE_OK)
        return error->status;
    return nuce_pattern_filter(pattern, concern_keeps, &concern, out, error);
}

static int wanted_keeps(const void *context, int source, int destination)
{
    const struct nuce_groups *nodes = context;

    return source == destination ||
           nuce_groups_make(nodes, nodes->group_of[source], nodes->group_of[destination]);
}

nuce_status nuce_schedule_wanted(const struct nuce_schedule_input *input, struct nuce_pattern *out,
                                 struct nuce_error *error)
{
    struct nuce_schedule_given given;
    struct nuce_groups nodes;
    nuce_status status;

    nuce_schedule_given(input, &given);
    status = nuce_groups_init(&given.input, &nodes, error);
    if (status == NUCE_OK)
        status = nuce_pattern_filter(input->pattern, wanted_keeps, &nodes, out, error);
    nuce_groups_fini(&nodes);
    return status;
}
