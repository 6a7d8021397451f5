/* The hops of all messages, sorted by round and then by the rank that they leave: each run of equal
 * ones is what that rank sends in that round. */
#include "schedules/store_forward.h"

#include <stdlib.h>

#include "support/allocate.h"
#include "support/int.h"

/* A message leaves rank from in round. */
struct store_forward_hop {
    int round, from;
    struct nuce_parcel parcel;
};

nuce_status nuce_store_forward_check(int64_t radix, int ranks, struct nuce_error *error)
{
    if (radix != 0 && (radix < 2 || radix > ranks))
        return nuce_error_refuse(error, "radix", "'%lld': expected 2 to the number of ranks, %d",
                                 (long long)radix, ranks);
    return NUCE_OK;
}

int nuce_store_forward_rounds(int ranks, int64_t radix)
{
    int rounds = 0;

    for (int64_t place = 1; place < ranks; place *= radix) {
        int64_t values = (ranks - 1) / place;

        rounds += (int)(values < radix - 1 ? values : radix - 1);
    }
    return rounds;
}

/* The value of the digit at place of round number round, and the place: all places before the last
 * have radix - 1 values. */
static int64_t digit_of_round(int64_t radix, int round, int64_t *place)
{
    *place = 1;
    for (; round >= radix - 1; round -= (int)radix - 1)
        *place *= radix;
    return round + 1;
}

int nuce_store_forward_step(int ranks, int64_t radix, int round)
{
    int64_t place, value = digit_of_round(radix, round, &place);

    NUCE_ASSERT(value * place < ranks);
    return (int)(value * place);
}

/* The distances of 1 .. ranks - 1 that have the digit of the round at its place. */
static int64_t count_distances(int ranks, int64_t radix, int round)
{
    int64_t place, value = digit_of_round(radix, round, &place), period = place * radix;
    int64_t whole = ranks / period, rest = ranks % period - value * place;

    return whole * place + (rest <= 0 ? 0 : rest < place ? rest : place);
}

int nuce_store_forward_passes(int ranks, int64_t radix, int source, int destination, int rank)
{
    int64_t distance = (destination - source + ranks) % ranks;
    int64_t wanted = (rank - source + ranks) % ranks, place = 1;

    /* After each digit it is as far from its source as the digits so far say. */
    for (; distance % place != wanted && place <= distance; place *= radix)
        ;
    return distance % place == wanted;
}

/* The hops of one message, appended. */
static nuce_status add_hops(int ranks, int64_t radix, const struct nuce_parcel *parcel,
                            struct store_forward_hop **hops, int64_t *count, int64_t *capacity,
                            struct nuce_error *error)
{
    int64_t distance = parcel->destination - parcel->source, place = 1, from = parcel->source;
    int first = 0; /* round of value 1 at this place */

    for (distance += distance < 0 ? ranks : 0; distance > 0; distance /= radix) {
        int64_t value = distance % radix;

        if (value > 0) {
            if (nuce_allocate_more((void **)hops, capacity, *count + 1, sizeof **hops, error) !=
                NUCE_OK)
                return error->status;
            (*hops)[(*count)++] =
                (struct store_forward_hop){first + (int)value - 1, (int)from, *parcel};
            from = (from + value * place) % ranks;
        }
        place *= radix;
        first += (int)radix - 1;
    }
    return NUCE_OK;
}

static int hop_key(const struct store_forward_hop *hop, int by_round)
{
    return by_round ? hop->round : hop->from;
}

/* A stable counting sort by the one key or the other; next: keys + 1, scratch. */
static void sort_hops(const struct store_forward_hop *from, struct store_forward_hop *to,
                      int64_t count, int by_round, int keys, int64_t *next)
{
    for (int key = 0; key <= keys; key++)
        next[key] = 0;
    for (int64_t k = 0; k < count; k++)
        next[hop_key(&from[k], by_round) + 1]++;
    for (int key = 0; key < keys; key++)
        next[key + 1] += next[key];
    for (int64_t k = 0; k < count; k++)
        to[next[hop_key(&from[k], by_round)]++] = from[k];
}

/* *hops becomes sorted by round, then by rank, then by message. */
static nuce_status order_hops(int ranks, int rounds, struct store_forward_hop **hops, int64_t count,
                              struct nuce_error *error)
{
    int most = ranks > rounds ? ranks : rounds;
    struct store_forward_hop *spare = nuce_allocate(count, sizeof *spare, error);
    int64_t *next = nuce_allocate((int64_t)most + 1, sizeof *next, error);

    if (spare != NULL && next != NULL) {
        sort_hops(*hops, spare, count, 0, ranks, next);
        sort_hops(spare, *hops, count, 1, rounds, next);
    }
    error->status = spare == NULL || next == NULL ? NUCE_FAILED : NUCE_OK;
    free(spare);
    free(next);
    return error->status;
}

/* What rank from sends in round: the hops from *at on that are its. */
static nuce_status add_round_of_rank(int ranks, int64_t radix, int round, int from,
                                     int64_t slot_bytes, const struct store_forward_hop *hops,
                                     int64_t count, int64_t *at, struct nuce_parcel *parcels,
                                     struct nuce_schedule_builder *builder,
                                     struct nuce_error *error)
{
    int to = (from + nuce_store_forward_step(ranks, radix, round)) % ranks;
    int64_t carried = 0, bytes = slot_bytes * count_distances(ranks, radix, round);

    for (; *at < count && hops[*at].round == round && hops[*at].from == from; ++*at) {
        parcels[carried++] = hops[*at].parcel;
        bytes += slot_bytes == 0 ? hops[*at].parcel.bytes : 0;
    }
    return nuce_schedule_add_load(builder, from, to, round, bytes, parcels, carried, error);
}

/* All transfers, from the sorted hops; parcels: scratch, count. */
static nuce_status add_rounds(int ranks, int64_t radix, int64_t slot_bytes,
                              const struct store_forward_hop *hops, int64_t count,
                              struct nuce_parcel *parcels, struct nuce_schedule_builder *builder,
                              struct nuce_error *error)
{
    int rounds = nuce_store_forward_rounds(ranks, radix);
    int64_t at = 0;

    for (int round = 0; slot_bytes > 0 && round < rounds; round++) {
        for (int from = 0; from < ranks; from++) {
            if (add_round_of_rank(ranks, radix, round, from, slot_bytes, hops, count, &at, parcels,
                                  builder, error) != NUCE_OK)
                return error->status;
        }
    }
    while (at < count) {
        if (add_round_of_rank(ranks, radix, hops[at].round, hops[at].from, 0, hops, count, &at,
                              parcels, builder, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* What every rank sends to itself is a load of its own, which no other rank sees. */
static nuce_status add_own_loads(const struct nuce_pattern *pattern,
                                 struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    for (int i = 0; i < pattern->ranks; i++) {
        int64_t k = nuce_pattern_find(pattern, i, i);
        struct nuce_parcel own = {i, i, k < 0 ? 0 : pattern->bytes[k]};

        if (k >= 0 &&
            nuce_schedule_add_load(builder, i, i, 0, own.bytes, &own, 1, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* All hops in the order of the messages; *hops is freed by the caller, also after failure. */
static nuce_status collect_hops(const struct nuce_pattern *pattern, int64_t radix,
                                struct store_forward_hop **hops, int64_t *count,
                                struct nuce_error *error)
{
    int64_t capacity = 0;

    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            struct nuce_parcel parcel = {i, pattern->destination[k], pattern->bytes[k]};

            if (add_hops(pattern->ranks, radix, &parcel, hops, count, &capacity, error) != NUCE_OK)
                return error->status;
        }
    }
    return NUCE_OK;
}

nuce_status nuce_store_forward_add(const struct nuce_pattern *pattern, int64_t radix,
                                   int64_t slot_bytes, struct nuce_schedule_builder *builder,
                                   struct nuce_error *error)
{
    int ranks = pattern->ranks, rounds = nuce_store_forward_rounds(ranks, radix);
    struct store_forward_hop *hops = NULL;
    struct nuce_parcel *parcels = NULL;
    int64_t count = 0;
    nuce_status status = add_own_loads(pattern, builder, error);

    if (status == NUCE_OK)
        status = collect_hops(pattern, radix, &hops, &count, error);
    if (status == NUCE_OK)
        status = order_hops(ranks, rounds, &hops, count, error);
    if (status == NUCE_OK) {
        parcels = nuce_allocate(count, sizeof *parcels, error);
        status = parcels == NULL
                     ? error->status
                     : add_rounds(ranks, radix, slot_bytes, hops, count, parcels, builder, error);
    }
    free(parcels);
    free(hops);
    return status;
}
