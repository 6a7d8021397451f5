/* Schedules are cut and joined by their lists: what is left of a list has the order that it had, on
 * both sides of each piece, so that ranks which could work off the whole can work off the rest. A
 * list that was made in one order of all pieces stays so, also with the pieces of another behind
 * it. */
#include "schedules/stale.h"

#include <stdlib.h>
#include <string.h>

#include "support/allocate.h"

static int64_t stale_smaller(int64_t room, int64_t bytes)
{
    return bytes < room ? bytes : room;
}

static int64_t stale_larger(int64_t room, int64_t bytes)
{
    return bytes > room ? bytes : room;
}

static int64_t stale_excess(int64_t room, int64_t bytes)
{
    return bytes > room ? bytes - room : 0;
}

nuce_status nuce_stale_within(const struct nuce_pattern *room, const struct nuce_pattern *pattern,
                              struct nuce_pattern *out, struct nuce_error *error)
{
    return nuce_pattern_combine(room, pattern, stale_smaller, out, error);
}

nuce_status nuce_stale_beyond(const struct nuce_pattern *room, const struct nuce_pattern *pattern,
                              struct nuce_pattern *out, struct nuce_error *error)
{
    return nuce_pattern_combine(room, pattern, stale_excess, out, error);
}

nuce_status nuce_stale_widen(const struct nuce_pattern *room, const struct nuce_pattern *pattern,
                             struct nuce_pattern *out, struct nuce_error *error)
{
    return nuce_pattern_combine(room, pattern, stale_larger, out, error);
}

/* Bytes of a message; 0: there is none. */
static int64_t message_bytes(const struct nuce_pattern *pattern, int source, int destination)
{
    int64_t k = nuce_pattern_find(pattern, source, destination);

    return k < 0 ? 0 : pattern->bytes[k];
}

/* How many of so many bytes from offset on the message of pattern has. */
static int64_t left_of_piece(const struct nuce_pattern *pattern, int source, int destination,
                             int64_t offset, int64_t bytes)
{
    int64_t there = message_bytes(pattern, source, destination) - offset;

    return there < 0 ? 0 : stale_smaller(there, bytes);
}

/* The same of what a send of a schedule that forwards carries, with its padding. */
static int64_t left_of_load(const struct nuce_schedule *schedule, int64_t send,
                            const struct nuce_pattern *pattern)
{
    const struct nuce_load *load = &schedule->loads[send];
    int64_t left = 0, padding = schedule->sends[send].bytes;

    for (int64_t k = load->first; k < load->first + load->count; k++) {
        const struct nuce_parcel *parcel = &schedule->parcels[k];

        left += left_of_piece(pattern, parcel->source, parcel->destination, parcel->offset,
                              parcel->bytes);
        padding -= parcel->bytes;
    }
    return left > 0 ? left + padding : 0;
}

/* What is left of a schedule, by the places of its sends and of its receives. */
struct stale_left {
    int64_t *sent, *received;
    int64_t pieces; /* of which anything is */
    int64_t *place; /* of each receive in the new lists */
};

static void stale_left_fini(struct stale_left *left)
{
    free(left->sent);
    free(left->received);
    free(left->place);
}

/* *out is freed also after failure. */
static nuce_status find_left(const struct nuce_schedule *schedule,
                             const struct nuce_pattern *pattern, struct stale_left *out,
                             struct nuce_error *error)
{
    out->sent = nuce_allocate(schedule->pieces, sizeof *out->sent, error);
    out->received = nuce_allocate(schedule->pieces, sizeof *out->received, error);
    out->place = nuce_allocate(schedule->pieces, sizeof *out->place, error);
    if (out->sent == NULL || out->received == NULL || out->place == NULL)
        return error->status;
    for (int i = 0; i < schedule->ranks; i++) {
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++) {
            const struct nuce_transfer *send = &schedule->sends[k];
            int64_t left = schedule->loads != NULL
                               ? left_of_load(schedule, k, pattern)
                               : left_of_piece(pattern, i, send->peer, send->offset, send->bytes);

            out->sent[k] = out->received[schedule->receive_of[k]] = left;
            out->pieces += left > 0;
        }
    }
    return NUCE_OK;
}

/* Fills a list of `to` with what is left of that of `from`; place, unless NULL, with where it went.
 */
static void limit_list(int ranks, const int64_t *left, const int64_t *from_start,
                       const struct nuce_transfer *from, int64_t *to_start,
                       struct nuce_transfer *to, int64_t *place)
{
    int64_t count = 0;

    for (int i = 0; i < ranks; i++) {
        for (int64_t k = from_start[i]; k < from_start[i + 1]; k++) {
            if (left[k] == 0)
                continue;
            if (place != NULL)
                place[k] = count;
            to[count] = from[k];
            to[count++].bytes = left[k];
        }
        to_start[i + 1] = count;
    }
}

/* The loads of what is left, with the parcels cut. */
static nuce_status limit_loads(const struct nuce_schedule *schedule, const int64_t *left,
                               const struct nuce_pattern *pattern, struct nuce_schedule *out,
                               struct nuce_error *error)
{
    int64_t most = 0, sends = 0, parcels = 0;

    for (int64_t k = 0; k < schedule->pieces; k++)
        most += schedule->loads[k].count;
    out->loads = nuce_allocate(out->pieces, sizeof *out->loads, error);
    out->parcels = nuce_allocate(most, sizeof *out->parcels, error);
    if (out->loads == NULL || out->parcels == NULL)
        return error->status;
    for (int64_t k = 0; k < schedule->pieces; k++) {
        const struct nuce_load *load = &schedule->loads[k];
        int64_t first = parcels;

        if (left[k] == 0)
            continue;
        for (int64_t n = load->first; n < load->first + load->count; n++) {
            struct nuce_parcel parcel = schedule->parcels[n];

            parcel.bytes = left_of_piece(pattern, parcel.source, parcel.destination, parcel.offset,
                                         parcel.bytes);
            if (parcel.bytes > 0)
                out->parcels[parcels++] = parcel;
        }
        out->loads[sends++] = (struct nuce_load){first, parcels - first};
    }
    return NUCE_OK;
}

/* What does not depend on the lists. */
static void stale_take_kind(const struct nuce_schedule *schedule, struct nuce_schedule *out)
{
    out->phases = schedule->phases;
    out->discipline = schedule->discipline;
    out->executor = schedule->executor;
    out->depth = schedule->depth;
    out->costs = schedule->costs;
}

/* Receives come first: receive_of is made of the places that they go to. After a failure left and
 * *out are half-made, and the caller frees both. */
static nuce_status limit_lists(const struct nuce_schedule *schedule,
                               const struct nuce_pattern *pattern, struct stale_left *left,
                               struct nuce_schedule *out, struct nuce_error *error)
{
    int64_t count = 0;

    if (find_left(schedule, pattern, left, error) != NUCE_OK ||
        nuce_schedule_make_room(schedule->ranks, left->pieces, out, error) != NUCE_OK)
        return error->status;
    stale_take_kind(schedule, out);
    limit_list(schedule->ranks, left->received, schedule->receive_start, schedule->receives,
               out->receive_start, out->receives, left->place);
    limit_list(schedule->ranks, left->sent, schedule->send_start, schedule->sends, out->send_start,
               out->sends, NULL);
    for (int64_t k = 0; k < schedule->pieces; k++) {
        if (left->sent[k] > 0)
            out->receive_of[count++] = left->place[schedule->receive_of[k]];
    }
    return schedule->loads == NULL ? NUCE_OK
                                   : limit_loads(schedule, left->sent, pattern, out, error);
}

nuce_status nuce_stale_limit(const struct nuce_schedule *schedule,
                             const struct nuce_pattern *pattern, struct nuce_schedule *out,
                             struct nuce_error *error)
{
    struct stale_left left = {.sent = NULL};
    struct nuce_schedule limited = {0};
    nuce_status status = limit_lists(schedule, pattern, &left, &limited, error);

    stale_left_fini(&left);
    if (status == NUCE_OK)
        *out = limited;
    else
        nuce_schedule_fini(&limited);
    return status;
}

void nuce_stale_move(struct nuce_schedule *schedule, const struct nuce_pattern *room)
{
    if (schedule->loads != NULL) {
        for (int64_t k = 0; k < schedule->pieces; k++) {
            const struct nuce_load *load = &schedule->loads[k];

            for (int64_t n = load->first; n < load->first + load->count; n++) {
                struct nuce_parcel *parcel = &schedule->parcels[n];

                parcel->offset += message_bytes(room, parcel->source, parcel->destination);
            }
        }
        return;
    }
    for (int i = 0; i < schedule->ranks; i++) {
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++) {
            int64_t behind = message_bytes(room, i, schedule->sends[k].peer);

            schedule->sends[k].offset += behind;
            schedule->receives[schedule->receive_of[k]].offset += behind;
        }
    }
}

nuce_status nuce_stale_fallback(const struct nuce_pattern *beyond, struct nuce_schedule *out,
                                struct nuce_error *error)
{
    struct nuce_schedule_builder builder;

    nuce_schedule_builder_init(&builder, beyond->ranks, NUCE_POST_ALL);
    if (nuce_schedule_expect(&builder, beyond, error) != NUCE_OK) {
        nuce_schedule_builder_fini(&builder);
        return error->status;
    }
    for (int i = 0; i < beyond->ranks; i++) {
        for (int64_t k = beyond->row[i]; k < beyond->row[i + 1]; k++)
            /* Cannot fail: the lists were promised, and with them came their memory. */
            (void)nuce_schedule_add(&builder, i, beyond->destination[k], 0, 0, beyond->bytes[k],
                                    error);
    }
    return nuce_schedule_build_end(&builder, out, error);
}

/* Each rank's list of a, then its of b, whose phases are those behind. */
static void append_list(int ranks, int behind, const int64_t *a_start,
                        const struct nuce_transfer *a, const int64_t *b_start,
                        const struct nuce_transfer *b, int64_t *start, struct nuce_transfer *list)
{
    int64_t count = 0;

    for (int i = 0; i < ranks; i++) {
        for (int64_t k = a_start[i]; k < a_start[i + 1]; k++)
            list[count++] = a[k];
        for (int64_t k = b_start[i]; k < b_start[i + 1]; k++) {
            list[count] = b[k];
            list[count++].phase += behind;
        }
        start[i + 1] = count;
    }
}

/* A schedule does not say how many parcels it has: where the last load ends. */
static int64_t parcel_count(const struct nuce_schedule *schedule)
{
    int64_t end = 0;

    for (int64_t k = 0; k < schedule->pieces; k++)
        end = stale_larger(end, schedule->loads[k].first + schedule->loads[k].count);
    return end;
}

/* The parcels of both, one behind the other; loads are for the caller to fill. */
static nuce_status append_parcels(const struct nuce_schedule *a, const struct nuce_schedule *b,
                                  struct nuce_schedule *out, struct nuce_error *error)
{
    int64_t first = parcel_count(a), second = parcel_count(b);

    out->loads = nuce_allocate(out->pieces, sizeof *out->loads, error);
    out->parcels = nuce_allocate(first + second, sizeof *out->parcels, error);
    if (out->loads == NULL || out->parcels == NULL)
        return error->status;
    if (first > 0)
        memcpy(out->parcels, a->parcels, (size_t)first * sizeof *out->parcels);
    if (second > 0)
        memcpy(out->parcels + first, b->parcels, (size_t)second * sizeof *out->parcels);
    return NUCE_OK;
}

/* Which receive belongs to each send, and its load. A receive of a is behind those that lower ranks
 * have of b, one of b behind those that its own and lower ranks have of a. */
static void append_ties(const struct nuce_schedule *a, const struct nuce_schedule *b,
                        struct nuce_schedule *out)
{
    int64_t count = 0, parcels = a->loads != NULL ? parcel_count(a) : 0;

    for (int i = 0; i < a->ranks; i++) {
        for (int64_t k = a->send_start[i]; k < a->send_start[i + 1]; k++, count++) {
            out->receive_of[count] = a->receive_of[k] + b->receive_start[a->sends[k].peer];
            if (out->loads != NULL)
                out->loads[count] = a->loads[k];
        }
        for (int64_t k = b->send_start[i]; k < b->send_start[i + 1]; k++, count++) {
            out->receive_of[count] = b->receive_of[k] + a->receive_start[b->sends[k].peer + 1];
            if (out->loads != NULL)
                out->loads[count] =
                    (struct nuce_load){b->loads[k].first + parcels, b->loads[k].count};
        }
    }
}

nuce_status nuce_stale_append(const struct nuce_schedule *schedule,
                              const struct nuce_schedule *further, struct nuce_schedule *out,
                              struct nuce_error *error)
{
    const struct nuce_schedule *a = schedule, *b = further;
    struct nuce_schedule both = {0};

    NUCE_ASSERT(a->ranks == b->ranks && a->discipline == b->discipline && a->depth == b->depth);
    if (nuce_schedule_make_room(a->ranks, a->pieces + b->pieces, &both, error) != NUCE_OK)
        return error->status;
    if (a->loads != NULL && append_parcels(a, b, &both, error) != NUCE_OK) {
        nuce_schedule_fini(&both);
        return error->status;
    }
    stale_take_kind(a, &both);
    both.phases = a->phases + b->phases;
    append_list(a->ranks, a->phases, a->send_start, a->sends, b->send_start, b->sends,
                both.send_start, both.sends);
    append_list(a->ranks, a->phases, a->receive_start, a->receives, b->receive_start, b->receives,
                both.receive_start, both.receives);
    append_ties(a, b, &both);
    *out = both;
    return NUCE_OK;
}
