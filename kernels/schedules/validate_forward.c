/* Where each message is, phase after phase, from the parcels alone. */
#include "schedules/validate_forward.h"

#include <stdlib.h>

#include "support/allocate.h"

/* A message under way. */
struct forward_place {
    int rank;  /* where it is */
    int phase; /* since which phase; -1: from the start */
};

/* Sends in the order of their phases, and who sends each. */
struct forward_order {
    int64_t *sends; /* pieces */
    int *source;    /* pieces */
};

static void forward_order_fini(struct forward_order *order)
{
    free(order->sends);
    free(order->source);
}

/* qsort_r: by phase, then as they stand. */
static int forward_compare(const void *left, const void *right, void *context)
{
    const struct nuce_schedule *schedule = context;
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    if (schedule->sends[a].phase != schedule->sends[b].phase)
        return schedule->sends[a].phase < schedule->sends[b].phase ? -1 : 1;
    return (a > b) - (a < b);
}

/* Freed with forward_order_fini, also after failure. */
static nuce_status forward_order_init(const struct nuce_schedule *schedule,
                                      struct forward_order *out, struct nuce_error *error)
{
    out->sends = nuce_allocate(schedule->pieces, sizeof *out->sends, error);
    out->source = nuce_allocate(schedule->pieces, sizeof *out->source, error);
    if (out->sends == NULL || out->source == NULL)
        return error->status;
    for (int i = 0; i < schedule->ranks; i++) {
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++) {
            out->sends[k] = k;
            out->source[k] = i;
        }
    }
    qsort_r(out->sends, (size_t)schedule->pieces, sizeof *out->sends, forward_compare,
            (void *)schedule);
    return NUCE_OK;
}

/* One parcel goes from rank to send's receiver. */
static nuce_status move_parcel(const struct nuce_pattern *pattern, int rank,
                               const struct nuce_transfer *send, const struct nuce_parcel *parcel,
                               struct forward_place *places, struct nuce_error *error)
{
    int64_t k = -1;

    if (parcel->source >= 0 && parcel->source < pattern->ranks)
        k = nuce_pattern_find(pattern, parcel->source, parcel->destination);
    if (k < 0 || pattern->bytes[k] != parcel->bytes)
        return nuce_error_set(error, NUCE_CORRUPT,
                              "rank %d sends rank %d in phase %d %lld bytes from rank %d for rank "
                              "%d: there is no such message",
                              rank, send->peer, send->phase, (long long)parcel->bytes,
                              parcel->source, parcel->destination);
    if (places[k].rank != rank || places[k].phase >= send->phase)
        return nuce_error_set(error, NUCE_CORRUPT,
                              "rank %d sends rank %d in phase %d the message from rank %d to rank "
                              "%d, which is with rank %d since phase %d",
                              rank, send->peer, send->phase, parcel->source, parcel->destination,
                              places[k].rank, places[k].phase);
    places[k] = (struct forward_place){send->peer, send->phase};
    return NUCE_OK;
}

/* All that one send carries; what is not of a message is padding. */
static nuce_status move_load(const struct nuce_schedule *schedule,
                             const struct nuce_pattern *pattern, int rank, int64_t index,
                             struct forward_place *places, struct nuce_error *error)
{
    const struct nuce_transfer *send = &schedule->sends[index];
    const struct nuce_load *load = &schedule->loads[index];
    int64_t left = send->bytes;

    for (int64_t k = load->first; k < load->first + load->count; k++) {
        const struct nuce_parcel *parcel = &schedule->parcels[k];

        if (move_parcel(pattern, rank, send, parcel, places, error) != NUCE_OK)
            return error->status;
        if (parcel->bytes > left)
            return nuce_error_set(error, NUCE_CORRUPT,
                                  "rank %d sends rank %d in phase %d %lld bytes: its parcels are "
                                  "more",
                                  rank, send->peer, send->phase, (long long)send->bytes);
        left -= parcel->bytes;
    }
    return NUCE_OK;
}

/* Where every message has come to in the end. */
static nuce_status check_arrivals(const struct nuce_pattern *pattern,
                                  const struct forward_place *places, struct nuce_error *error)
{
    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            if (places[k].phase < 0 || places[k].rank != pattern->destination[k])
                return nuce_error_set(error, NUCE_CORRUPT,
                                      "rank %d to rank %d: the message ends at rank %d%s", i,
                                      pattern->destination[k], places[k].rank,
                                      places[k].phase < 0 ? ", which never sends it" : "");
        }
    }
    return NUCE_OK;
}

nuce_status nuce_validate_forwarding(const struct nuce_schedule *schedule,
                                     const struct nuce_pattern *pattern, struct nuce_error *error)
{
    struct forward_place *places = nuce_allocate(pattern->messages, sizeof *places, error);
    struct forward_order order = {0};
    nuce_status status =
        places == NULL ? error->status : forward_order_init(schedule, &order, error);

    for (int i = 0; status == NUCE_OK && i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++)
            places[k] = (struct forward_place){i, -1};
    }
    for (int64_t n = 0; status == NUCE_OK && n < schedule->pieces; n++)
        status = move_load(schedule, pattern, order.source[order.sends[n]], order.sends[n], places,
                           error);
    if (status == NUCE_OK)
        status = check_arrivals(pattern, places, error);
    forward_order_fini(&order);
    free(places);
    return status;
}
