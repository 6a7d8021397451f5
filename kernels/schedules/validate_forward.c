/* Where each part of a message is, phase after phase, from the parcels alone: all of its hops in a
 * row must be a way from its source to its destination.
 *
 * O(parcels log parcels), 32 bytes a parcel. NUCE_CORRUPT says which rank, phase and message: a
 * schedule that is wrong is a bug of its algorithm, and the message is for who looks for it. */
#include "schedules/validate_forward.h"

#include <stdlib.h>

#include "base/allocate.h"

/* One parcel of one send. */
struct forward_hop {
    int64_t message; /* of the pattern */
    const struct nuce_parcel *parcel;
    int from, to, phase;
};

struct forward_hops {
    int64_t count;
    struct forward_hop *hop;
};

/* Less, equal or more than 0, as qsort wants it. */
static int order_integers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* By message, place in it and phase. */
static int compare_hops(const void *left, const void *right)
{
    const struct forward_hop *a = left, *b = right;
    int result = order_integers(a->message, b->message);

    if (result == 0)
        result = order_integers(a->parcel->offset, b->parcel->offset);
    return result == 0 ? order_integers(a->phase, b->phase) : result;
}

/* The next hop: one parcel that goes from rank to send's receiver. */
static nuce_status add_forward_hop(const struct nuce_pattern *pattern, int rank,
                                   const struct nuce_transfer *send,
                                   const struct nuce_parcel *parcel, struct forward_hops *hops,
                                   struct nuce_error *error)
{
    int64_t k = -1;

    if (parcel->source >= 0 && parcel->source < pattern->ranks)
        k = nuce_pattern_find(pattern, parcel->source, parcel->destination);
    if (k < 0 || parcel->bytes <= 0 || parcel->offset < 0 ||
        parcel->bytes > pattern->bytes[k] - parcel->offset)
        return nuce_error_set(error, NUCE_CORRUPT,
                              "rank %d sends rank %d in phase %d %lld bytes from rank %d for rank "
                              "%d: there is no such message",
                              rank, send->peer, send->phase, (long long)parcel->bytes,
                              parcel->source, parcel->destination);
    hops->hop[hops->count++] = (struct forward_hop){k, parcel, rank, send->peer, send->phase};
    return NUCE_OK;
}

/* All that one send carries; what is not of a message is padding. */
static nuce_status add_forward_load(const struct nuce_schedule *schedule,
                                    const struct nuce_pattern *pattern, int rank, int64_t index,
                                    struct forward_hops *hops, struct nuce_error *error)
{
    const struct nuce_transfer *send = &schedule->sends[index];
    const struct nuce_load *load = &schedule->loads[index];
    int64_t left = send->bytes;

    for (int64_t k = load->first; k < load->first + load->count; k++) {
        const struct nuce_parcel *parcel = &schedule->parcels[k];

        if (add_forward_hop(pattern, rank, send, parcel, hops, error) != NUCE_OK)
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

/* The hop must leave from where the part has come to by the one before; NULL: it is the first. */
static nuce_status check_hop(const struct forward_hop *hop, const struct forward_hop *before,
                             struct nuce_error *error)
{
    int at = before == NULL ? hop->parcel->source : before->to;
    int since = before == NULL ? -1 : before->phase;

    if (hop->from != at || hop->phase <= since)
        return nuce_error_set(error, NUCE_CORRUPT,
                              "rank %d sends rank %d in phase %d the message from rank %d to rank "
                              "%d, which is with rank %d since phase %d",
                              hop->from, hop->to, hop->phase, hop->parcel->source,
                              hop->parcel->destination, at, since);
    if (before != NULL && hop->parcel->bytes != before->parcel->bytes)
        return nuce_error_set(error, NUCE_CORRUPT,
                              "rank %d sends rank %d in phase %d %lld bytes of the message from "
                              "rank %d to rank %d, which came to it as %lld",
                              hop->from, hop->to, hop->phase, (long long)hop->parcel->bytes,
                              hop->parcel->source, hop->parcel->destination,
                              (long long)before->parcel->bytes);
    return NUCE_OK;
}

/* Each message of the pattern, in the order of both lists. */
static nuce_status check_ways(const struct nuce_pattern *pattern, const struct forward_hops *hops,
                              struct nuce_error *error)
{
    int64_t at = 0;

    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            int64_t end = 0;

            while (at < hops->count && hops->hop[at].message == k) {
                const struct forward_hop *hop = &hops->hop[at], *before = NULL;
                const struct nuce_parcel *part = hop->parcel;
                int64_t message = hop->message;

                /* The way of a part, which begins where the parts before it end. */
                if (part->offset != end)
                    return nuce_error_set(
                        error, NUCE_CORRUPT,
                        "rank %d to rank %d: a part of the message begins with byte %lld: "
                        "expected %lld",
                        part->source, part->destination, (long long)part->offset, (long long)end);
                for (; at < hops->count && hops->hop[at].message == message &&
                       hops->hop[at].parcel->offset == part->offset;
                     ++at) {
                    hop = &hops->hop[at];
                    if (check_hop(hop, before, error) != NUCE_OK)
                        return error->status;
                    before = hop;
                }
                if (hop->to != part->destination)
                    return nuce_error_set(error, NUCE_CORRUPT,
                                          "rank %d to rank %d: the message ends at rank %d",
                                          part->source, part->destination, hop->to);
                end += part->bytes;
            }
            if (end == 0)
                return nuce_error_set(error, NUCE_CORRUPT,
                                      "rank %d to rank %d: the message ends at rank %d, which "
                                      "never sends it",
                                      i, pattern->destination[k], i);
            if (end != pattern->bytes[k])
                return nuce_error_set(error, NUCE_CORRUPT,
                                      "rank %d to rank %d: the parts of the message end with byte "
                                      "%lld: expected %lld",
                                      i, pattern->destination[k], (long long)end,
                                      (long long)pattern->bytes[k]);
        }
    }
    return NUCE_OK;
}

nuce_status nuce_validate_forwarding(const struct nuce_schedule *schedule,
                                     const struct nuce_pattern *pattern, struct nuce_error *error)
{
    struct forward_hops hops = {0};
    nuce_status status = NUCE_OK;
    int64_t most = 0;

    for (int64_t k = 0; k < schedule->pieces; k++)
        most += schedule->loads[k].count;
    hops.hop = nuce_allocate(most, sizeof *hops.hop);
    for (int i = 0; i < schedule->ranks; i++) {
        for (int64_t k = schedule->send_start[i];
             status == NUCE_OK && k < schedule->send_start[i + 1]; k++)
            status = add_forward_load(schedule, pattern, i, k, &hops, error);
    }
    if (status == NUCE_OK) {
        qsort(hops.hop, (size_t)hops.count, sizeof *hops.hop, compare_hops);
        status = check_ways(pattern, &hops, error);
    }
    free(hops.hop);
    return status;
}
