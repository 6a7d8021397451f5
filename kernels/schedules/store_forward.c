/* The hops of all messages, sorted by round and then by the rank that they leave: each run of equal
 * ones is the transfer of that rank in that round.
 *
 * Memory: two hops of 16 bytes for each nonzero digit of each message's distance. Sorting is by
 * counting, by round first and then each round by itself, O(hops + ranks + rounds), so schedules of
 * many messages stay linear in their hops. A round whose number of hops h is small compared with
 * the ranks is sorted by comparisons, O(h log h). */
#include "schedules/store_forward.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "schedules/execution.h"

void nuce_hops_fini(struct nuce_hops *hops)
{
    free(hops->hop);
    free(hops->parcel);
    *hops = (struct nuce_hops){0};
}

void nuce_hops_reserve(struct nuce_hops *hops, int64_t count, int64_t parcels)
{
    NUCE_ASSERT(hops->hop == NULL && hops->parcel == NULL);
    hops->hop = nuce_allocate_unset(count * (int64_t)sizeof *hops->hop);
    hops->parcel = nuce_allocate_unset(parcels * (int64_t)sizeof *hops->parcel);
    hops->capacity = count;
    hops->parcel_capacity = parcels;
}

void nuce_hops_add(struct nuce_hops *hops, int round, int from, int to,
                   const struct nuce_parcel *parcel)
{
    if (hops->count == hops->capacity)
        nuce_allocate_more((void **)&hops->hop, &hops->capacity, hops->count + 1,
                           sizeof *hops->hop);
    if (!(hops->parcels > 0 &&
          memcmp(&hops->parcel[hops->parcels - 1], parcel, sizeof *parcel) == 0)) {
        if (hops->parcels == INT_MAX)
            nuce_allocate_failed(hops->parcels + 1, sizeof *hops->parcel);
        if (hops->parcels == hops->parcel_capacity)
            nuce_allocate_more((void **)&hops->parcel, &hops->parcel_capacity, hops->parcels + 1,
                               sizeof *hops->parcel);
        hops->parcel[hops->parcels++] = *parcel;
    }
    hops->hop[hops->count++] = (struct nuce_hop){round, from, to, (int)hops->parcels - 1};
}

/* radix 0: the schedule chooses it (nuce_store_forward_choose). */
nuce_status nuce_store_forward_check(int64_t radix, int ranks, struct nuce_error *error)
{
    if (radix != 0 && (radix < 2 || radix > ranks))
        return nuce_error_refuse(error, "radix", "'%lld': expected 2 to the number of ranks, %d",
                                 (long long)radix, ranks);
    return NUCE_OK;
}

/* Each place has radix - 1 rounds. The last one has only as many as the largest distance has values
 * there. */
int nuce_store_forward_rounds(int ranks, int64_t radix)
{
    int rounds = 0;

    for (int64_t place = 1; place < ranks; place *= radix) {
        int64_t values = (ranks - 1) / place;

        rounds += (int)(values < radix - 1 ? values : radix - 1);
    }
    return rounds;
}

/* The value of the digit of round number round, and its place. All places before the last have
 * radix - 1 values. */
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

int nuce_store_forward_way(int ranks, int64_t radix, int source, int destination,
                           int stops[NUCE_STORE_FORWARD_MOST_STOPS])
{
    int64_t distance = (destination - source + ranks) % ranks, place = 1;
    int count = 0;

    stops[count++] = source;
    /* After each digit the message is at the distance of the digits so far. */
    for (; distance >= place; place *= radix) {
        if (distance / place % radix != 0)
            stops[count++] = (int)((source + distance % (place * radix)) % ranks);
    }
    return count;
}

/* Digits from the least place on, so that the rounds of a message ascend. */
void nuce_hops_add_digits(struct nuce_hops *hops, int places, const int *rank, int64_t radix,
                          int from, int to, const struct nuce_parcel *parcel)
{
    int64_t distance = (to - from + places) % places, place = 1;
    int first = 0; /* round of value 1 at this place */

    for (; distance > 0; distance /= radix) {
        int64_t value = distance % radix;
        int next = (int)((from + value * place) % places);

        if (value > 0)
            nuce_hops_add(hops, first + (int)value - 1, rank == NULL ? from : rank[from],
                          rank == NULL ? next : rank[next], parcel);
        from = next;
        place *= radix;
        first += (int)radix - 1;
    }
}

void nuce_hops_add_relayed(struct nuce_hops *hops, int via, int to,
                           const struct nuce_parcel *parcel)
{
    if (parcel->source != via)
        nuce_hops_add(hops, NUCE_RELAY_GATHER, parcel->source, via, parcel);
    nuce_hops_add(hops, NUCE_RELAY_BETWEEN, via, to, parcel);
    if (parcel->destination != to)
        nuce_hops_add(hops, NUCE_RELAY_SPREAD, to, parcel->destination, parcel);
}

enum hop_key { HOP_TO, HOP_FROM, HOP_ROUND };

/* The key as an int from 0 on: a rank or a round. */
static int hop_key(const struct nuce_hop *hop, enum hop_key key)
{
    return key == HOP_ROUND ? hop->round : key == HOP_FROM ? hop->from : hop->to;
}

/* A stable counting sort by one key; next: keys + 1, scratch. */
static void sort_hops(const struct nuce_hop *from, struct nuce_hop *to, int64_t count,
                      enum hop_key by, int keys, int64_t *next)
{
    for (int key = 0; key <= keys; key++)
        next[key] = 0;
    for (int64_t k = 0; k < count; k++)
        next[hop_key(&from[k], by) + 1]++;
    for (int key = 0; key < keys; key++)
        next[key + 1] += next[key];
    for (int64_t k = 0; k < count; k++)
        to[next[hop_key(&from[k], by)]++] = from[k];
}

/* Parcels are numbered in the order of their addition, so this is the order of the stable sorts. */
static int compare_in_round(const void *a, const void *b)
{
    const struct nuce_hop *one = a, *other = b;

    return NUCE_INT_ORDER({one->from, other->from}, {one->to, other->to},
                          {one->parcel, other->parcel});
}

/* Sorts the hops by round, and each round by itself, which usually fits a cache. */
static void order_hops(int ranks, int rounds, struct nuce_hops *hops)
{
    int most = ranks > rounds ? ranks : rounds;
    struct nuce_hop *ordered = nuce_allocate_unset(hops->count * (int64_t)sizeof *ordered);
    struct nuce_hop *spare = hops->hop;
    int64_t *next = nuce_allocate((int64_t)most + 1, sizeof *next);

    sort_hops(spare, ordered, hops->count, HOP_ROUND, rounds, next);
    for (int64_t begin = 0, end; begin < hops->count; begin = end) {
        for (end = begin + 1; end < hops->count && ordered[end].round == ordered[begin].round;)
            end++;
        /* Sorts by the ranks that the hops leave and reach, then in their order of addition; by
         * counting, unless there are far fewer hops than counters. */
        if (end - begin < ranks / 8) {
            qsort(ordered + begin, (size_t)(end - begin), sizeof *ordered, compare_in_round);
        } else {
            sort_hops(ordered + begin, spare, end - begin, HOP_TO, ranks, next);
            sort_hops(spare, ordered + begin, end - begin, HOP_FROM, ranks, next);
        }
    }
    hops->hop = ordered;
    hops->capacity = hops->count;
    free(spare);
    free(next);
}

/* Adds the transfer of rank from to rank to in round: its hops from *at on. parcels: scratch.
 * bytes: its size, 0: as many as the messages have. */
static void add_round_of_rank(const struct nuce_hops *hops, int64_t *at, int round, int from,
                              int to, int64_t bytes, struct nuce_parcel *parcels,
                              struct nuce_schedule_builder *builder)
{
    int64_t carried = 0, sum = 0;

    for (; *at < hops->count && hops->hop[*at].round == round && hops->hop[*at].from == from &&
           hops->hop[*at].to == to;
         ++*at) {
        parcels[carried] = hops->parcel[hops->hop[*at].parcel];
        sum += parcels[carried++].bytes;
    }
    nuce_schedule_add_load(builder, from, to, round, bytes > 0 ? bytes : sum, parcels, carried);
}

void nuce_hops_schedule(const struct nuce_pattern *pattern, int rounds, struct nuce_hops *hops,
                        struct nuce_schedule_builder *builder)
{
    struct nuce_parcel *parcels;
    int64_t *sends = nuce_allocate(2 * (int64_t)pattern->ranks, sizeof *sends);
    int64_t *receives = sends + pattern->ranks, own = 0, at = 0;

    order_hops(pattern->ranks, rounds, hops);
    /* Counts the sends and receives of each rank. */
    for (int i = 0; i < pattern->ranks; i++) {
        int has_own = nuce_pattern_find(pattern, i, i) >= 0;

        sends[i] = receives[i] = has_own;
        own += has_own;
    }
    for (int64_t k = 0; k < hops->count; k++) {
        const struct nuce_hop *hop = &hops->hop[k];

        if (k == 0 || hop->to != hop[-1].to || hop->from != hop[-1].from ||
            hop->round != hop[-1].round) {
            sends[hop->from]++;
            receives[hop->to]++;
        }
    }
    nuce_schedule_expect_loads(builder, sends, receives, own + hops->count);
    free(sends);
    nuce_schedule_add_own(builder, pattern);
    parcels = nuce_allocate_unset(hops->count * (int64_t)sizeof *parcels);
    while (at < hops->count) {
        const struct nuce_hop *hop = &hops->hop[at];

        add_round_of_rank(hops, &at, hop->round, hop->from, hop->to, 0, parcels, builder);
    }
    free(parcels);
}

void nuce_store_forward_add(const struct nuce_pattern *pattern, int64_t radix, int64_t slot_bytes,
                            struct nuce_schedule_builder *builder)
{
    int ranks = pattern->ranks, rounds = nuce_store_forward_rounds(ranks, radix);
    struct nuce_hops hops = {0};
    struct nuce_parcel *parcels;
    int64_t at = 0;

    NUCE_EACH_MESSAGE (pattern, i, k) {
        struct nuce_parcel parcel = {i, pattern->destination[k], pattern->bytes[k], 0};

        nuce_hops_add_digits(&hops, ranks, NULL, radix, i, parcel.destination, &parcel);
    }
    if (slot_bytes == 0) {
        nuce_hops_schedule(pattern, rounds, &hops, builder);
        nuce_hops_fini(&hops);
        return;
    }
    /* Every rank sends in every round, a slot for each distance. */
    nuce_schedule_add_own(builder, pattern);
    order_hops(ranks, rounds, &hops);
    parcels = nuce_allocate_unset(hops.count * (int64_t)sizeof *parcels);
    for (int round = 0; round < rounds; round++) {
        /* The distances of 1 .. ranks - 1 that have the digit of the round at its place. */
        int64_t place, value = digit_of_round(radix, round, &place), period = place * radix;
        int64_t whole = ranks / period, rest = ranks % period - value * place;
        int64_t distances = whole * place + (rest <= 0 ? 0 : rest < place ? rest : place);
        int step = nuce_store_forward_step(ranks, radix, round);

        for (int from = 0; from < ranks; from++)
            add_round_of_rank(&hops, &at, round, from, (from + step) % ranks,
                              slot_bytes * distances, parcels, builder);
    }
    free(parcels);
    nuce_hops_fini(&hops);
}

/* The least radix with which places - 1 has at most that many digits: places^(1 / digits), rounded
 * up. It is found by trying, which is exact; a root of doubles might be one off. */
static int64_t least_radix(int places, int digits)
{
    int64_t radix = 2;

    for (;; radix++) {
        int64_t numbers = 1;

        for (int k = 0; k < digits && numbers < places; k++)
            numbers *= radix;
        if (numbers >= places)
            return radix;
    }
}

/* Ends with radix 2, beyond which more digits change nothing. Consecutive radices are often the
 * same: each is tried once.
 * Cost: a schedule and its simulation by the model for each, some log2(places) of them. */
int64_t nuce_store_forward_choose(const struct nuce_schedule_input *input, int places,
                                  void (*add)(const struct nuce_schedule_input *input,
                                              int64_t radix, const void *context,
                                              struct nuce_schedule_builder *builder),
                                  const void *context, struct nuce_schedule_builder *builder)
{
    int64_t tried = 0, radix = 0;
    double least = 0;

    for (int digits = 1; tried != 2; digits++) {
        struct nuce_schedule_builder trial;
        struct nuce_schedule schedule;
        char name[NUCE_NAME_BYTES];
        double makespan;
        int64_t next = least_radix(places, digits);

        if (next == tried)
            continue;
        tried = next;
        nuce_schedule_builder_init(&trial, input->pattern->ranks, NUCE_FORWARD);
        add(input, tried, context, &trial);
        nuce_schedule_build_end(&trial, &schedule);
        makespan = nuce_execution_makespan(&schedule, input->network,
                                           nuce_execution_to_compare(&schedule, input->network));
        snprintf(name, sizeof name, "radix %lld", (long long)tried);
        nuce_schedule_add_candidate(builder, name, &schedule, makespan);
        nuce_schedule_fini(&schedule);
        if (builder->candidates > 1 && makespan >= least)
            continue;
        least = makespan;
        radix = tried;
        builder->chosen = (int)builder->candidates - 1;
    }
    return radix;
}
