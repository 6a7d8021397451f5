/* Delivered bytes are right, and any wrong byte is seen: messages, and distributed arrays there and
 * back, all ranks in one process, without MPI. */
#include "base/rng.h"
#include "deliver.h"
#include "run/array_peers.h"

#define RANKS_MOST 6

struct all {
    struct nuce_redistribution redistribution;
    struct nuce_pattern pattern;
    int ranks;
    struct nuce_arrays arrays[RANKS_MOST], back[RANKS_MOST];
    struct nuce_payload payload[RANKS_MOST];
};

static struct nuce_cyclic dimension(struct nuce_rng *rng, int64_t elements, int ranks)
{
    return (struct nuce_cyclic){elements, 1 + (int64_t)nuce_rng_below(rng, 7), ranks};
}

/* Any two layouts of a small array, on grids of up to six ranks. */
static struct nuce_redistribution draw(struct nuce_rng *rng)
{
    static const int grids[][2] = {{6, 1}, {1, 6}, {2, 3}, {3, 2}, {5, 1}, {2, 2}, {1, 1}};
    const int *from = grids[nuce_rng_below(rng, 7)], *to = grids[nuce_rng_below(rng, 7)];
    int64_t rows = 1 + (int64_t)nuce_rng_below(rng, 40);
    int64_t columns = 1 + (int64_t)nuce_rng_below(rng, 12);

    return (struct nuce_redistribution){
        .from = {dimension(rng, rows, from[0]), dimension(rng, columns, from[1])},
        .to = {dimension(rng, rows, to[0]), dimension(rng, columns, to[1])},
        .element_bytes = 1 + (int64_t)nuce_rng_below(rng, 12)};
}

static void all_init(struct all *all, const struct nuce_redistribution *redistribution)
{
    all->redistribution = *redistribution;
    all->ranks = nuce_redistribution_ranks(redistribution);
    assert_ok(nuce_redistribution_pattern(redistribution, &all->pattern, ANY_ERROR));
    for (int rank = 0; rank < all->ranks; rank++) {
        struct nuce_own_copy own = {nuce_arrays_copy_own, &all->arrays[rank]};

        nuce_arrays_init(redistribution, rank, &all->arrays[rank]);
        assert_ok(nuce_arrays_allocate(&all->arrays[rank], NULL, ANY_ERROR));
        all->back[rank] = nuce_arrays_reverse(&all->arrays[rank]);
        assert_ok(
            nuce_payload_init(&all->pattern, rank, &own, NULL, &all->payload[rank], ANY_ERROR));
    }
}

static void all_fini(struct all *all)
{
    for (int rank = 0; rank < all->ranks; rank++) {
        nuce_payload_fini(&all->payload[rank]);
        nuce_arrays_fini(&all->arrays[rank]);
    }
    nuce_pattern_fini(&all->pattern);
}

/* Each rank that holds anything finds it wrong before the exchange and right after it, under its
 * own salt alone. */
static void check_there(struct all *all)
{
    struct nuce_error error;

    for (int rank = 0; rank < all->ranks; rank++) {
        nuce_arrays_fill(&all->arrays[rank], 4);
        assert_int_equal(nuce_arrays_check(&all->arrays[rank], 4, &error),
                         all->arrays[rank].to_bytes > 0 ? NUCE_CORRUPT : NUCE_OK);
    }
    for (int rank = 0; rank < all->ranks; rank++)
        nuce_arrays_pack(&all->arrays[rank], &all->payload[rank]);
    deliver(all->payload, all->ranks, 0);
    for (int rank = 0; rank < all->ranks; rank++) {
        nuce_arrays_unpack(&all->arrays[rank], &all->payload[rank]);
        nuce_payload_copy_own(&all->payload[rank]);
    }
    for (int rank = 0; rank < all->ranks; rank++) {
        assert_ok(nuce_arrays_check(&all->arrays[rank], 4, &error));
        if (all->arrays[rank].to_bytes >= 8)
            assert_int_equal(nuce_arrays_check(&all->arrays[rank], 5, &error), NUCE_CORRUPT);
    }
}

static void check_back(struct all *all)
{
    struct nuce_error error;

    for (int rank = 0; rank < all->ranks; rank++) {
        nuce_arrays_fill(&all->back[rank], 6);
        assert_int_equal(nuce_arrays_check(&all->back[rank], 6, &error),
                         all->arrays[rank].from_bytes > 0 ? NUCE_CORRUPT : NUCE_OK);
    }
    for (int rank = 0; rank < all->ranks; rank++) {
        struct nuce_payload back = nuce_payload_reverse(&all->payload[rank]);

        nuce_arrays_pack(&all->back[rank], &back);
    }
    deliver(all->payload, all->ranks, 1);
    for (int rank = 0; rank < all->ranks; rank++) {
        struct nuce_payload back = nuce_payload_reverse(&all->payload[rank]);

        nuce_arrays_unpack(&all->back[rank], &back);
        nuce_arrays_copy_own(&all->back[rank]);
    }
    for (int rank = 0; rank < all->ranks; rank++)
        assert_ok(nuce_arrays_check(&all->back[rank], 6, &error));
}

static void test_there_and_back(void **state)
{
    struct nuce_rng rng = nuce_rng_create(17, 0);

    for (int i = 0; i < 200; i++) {
        struct nuce_redistribution redistribution = draw(&rng);
        struct all all;

        all_init(&all, &redistribution);
        check_there(&all);
        check_back(&all);
        all_fini(&all);
    }
}

/* One bit of one element: its place in the whole array is reported. Eight elements of two columns,
 * by blocks of two on two ranks, then all on rank 0: byte 27 there is the fourth byte of the
 * element at local place 6 of the first column. */
static void test_wrong(void **state)
{
    struct nuce_redistribution r = {
        .from = {{8, 2, 2}, {2, 1, 1}}, .to = {{8, 8, 1}, {2, 2, 1}}, .element_bytes = 4};
    struct all all;
    struct nuce_error error;

    all_init(&all, &r);
    check_there(&all);
    all.arrays[0].to[27] ^= 0x10;
    all.arrays[0].to[40] ^= 0x10;
    assert_int_equal(nuce_arrays_check(&all.arrays[0], 4, &error), NUCE_CORRUPT);
    assert_says(&error, "after the redistribution: 2 bytes of rank 0 are wrong, "
                        "the first is byte 3 of the element at row 6, column 0");
    check_back(&all);
    all.arrays[1].from[4] ^= 1;
    assert_int_equal(nuce_arrays_check(&all.back[1], 6, &error), NUCE_CORRUPT);
    /* Rank 1's second row is the fourth of the array. */
    assert_says(&error, "after the way back: 1 bytes of rank 1 are wrong, the "
                        "first is byte 0 of the element at row 3, column 0");
    all_fini(&all);
}

/* Two elements that change places are both wrong, neighbours in a row or in a column. */
static void check_swapped(int64_t a, int64_t b)
{
    struct nuce_redistribution r = {
        .from = {{4, 4, 1}, {4, 4, 1}}, .to = {{4, 1, 1}, {4, 1, 1}}, .element_bytes = 8};
    struct all all;
    struct nuce_error error;
    unsigned char kept[8];

    all_init(&all, &r);
    check_there(&all);
    memcpy(kept, all.arrays[0].to + 8 * a, 8);
    memcpy(all.arrays[0].to + 8 * a, all.arrays[0].to + 8 * b, 8);
    memcpy(all.arrays[0].to + 8 * b, kept, 8);
    assert_int_equal(nuce_arrays_check(&all.arrays[0], 4, &error), NUCE_CORRUPT);
    all_fini(&all);
}

static void test_swapped(void **state)
{
    check_swapped(0, 1);
    check_swapped(0, 4);
    check_swapped(5, 15);
    check_swapped(1, 4); /* (1, 0) and (0, 1) */
}

#define SIX 6

static struct nuce_pattern pattern_of(const struct nuce_message *messages, int64_t count)
{
    struct nuce_pattern pattern;

    assert_ok(nuce_pattern_init(SIX, messages, count, &pattern, ANY_ERROR));
    return pattern;
}

static struct nuce_payload payload_of(const struct nuce_pattern *pattern, int rank)
{
    struct nuce_payload payload;

    assert_ok(nuce_payload_init(pattern, rank, NULL, NULL, &payload, ANY_ERROR));
    return payload;
}

/* All ranks' payloads, and the exchange between them by copying. */
struct six {
    struct nuce_pattern pattern;
    struct nuce_payload of[SIX];
};

static struct six six_drawn(struct nuce_rng *rng)
{
    struct nuce_message messages[SIX * SIX];
    struct six all;

    for (int k = 0; k < SIX * SIX; k++)
        messages[k] = (struct nuce_message){
            k / SIX, k % SIX, (int64_t)nuce_rng_below(rng, 3) * (int64_t)nuce_rng_below(rng, 40)};
    all.pattern = pattern_of(messages, SIX * SIX);
    for (int rank = 0; rank < SIX; rank++)
        all.of[rank] = payload_of(&all.pattern, rank);
    return all;
}

static void six_free(struct six *all)
{
    for (int rank = 0; rank < SIX; rank++)
        nuce_payload_fini(&all->of[rank]);
    nuce_pattern_fini(&all->pattern);
}

/* Delivered bytes are right under their own salt; those that stay behind are wrong, each of them.
 */
static void test_delivered(void **state)
{
    struct nuce_rng rng = nuce_rng_create(6, 0);
    char says[64];
    struct nuce_error error;

    for (uint64_t draw = 0; draw < 50; draw++) {
        struct six all = six_drawn(&rng);

        for (int rank = 0; rank < SIX; rank++)
            nuce_payload_fill(&all.of[rank], draw);
        for (int rank = 0; rank < SIX; rank++) {
            long long bytes = (long long)nuce_payload_bytes(&all.of[rank].receive);

            if (bytes == 0)
                continue;
            assert_int_equal(nuce_payload_check(&all.of[rank], draw, &error), NUCE_CORRUPT);
            snprintf(says, sizeof says, "%lld of %lld received bytes are wrong", bytes, bytes);
            assert_says(&error, says);
        }
        deliver(all.of, SIX, 0);
        for (int rank = 0; rank < SIX; rank++) {
            assert_ok(nuce_payload_check(&all.of[rank], draw, &error));
            if (nuce_payload_bytes(&all.of[rank].receive) >= 8)
                assert_int_equal(nuce_payload_check(&all.of[rank], draw + 1, &error), NUCE_CORRUPT);
        }
        six_free(&all);
    }
}

/* One wrong bit of any byte is found, and its place reported. */
static void test_one_bit(void **state)
{
    struct nuce_rng rng = nuce_rng_create(6, 1);
    struct nuce_error error;

    for (int draw = 0; draw < 200; draw++) {
        struct six all = six_drawn(&rng);
        int rank = (int)nuce_rng_below(&rng, SIX), message = 0;
        const struct nuce_payload *payload = &all.of[rank];
        int64_t bytes = nuce_payload_bytes(&payload->receive), at;
        char says[128];

        for (int i = 0; i < SIX; i++)
            nuce_payload_fill(&all.of[i], 9);
        deliver(all.of, SIX, 0);
        if (bytes > 0) {
            at = (int64_t)nuce_rng_below(&rng, (uint64_t)bytes);
            while (payload->receive.at[message + 1] <= at)
                message++;
            payload->receive.data[at] ^= (unsigned char)(1U << nuce_rng_below(&rng, 8));
            assert_int_equal(nuce_payload_check(payload, 9, &error), NUCE_CORRUPT);
            snprintf(says, sizeof says,
                     "1 of %lld received bytes are wrong, the first is byte %lld of the "
                     "message from rank %d to rank %d",
                     (long long)bytes, (long long)(at - payload->receive.at[message]),
                     payload->receive.peer[message], rank);
            assert_says(&error, says);
        }
        six_free(&all);
    }
}

/* Byte k of a message is byte k mod 8, from the lowest, of the mixed word k / 8 of its key: worked
 * out byte by byte, and compared piece by piece, wherever a piece begins and ends. */
static void test_pieces(void **state)
{
    static const struct nuce_message one[] = {{3, 4, 43}};
    OWNED(pattern) pattern = pattern_of(one, 1);
    OWNED(payload) from = payload_of(&pattern, 3);
    uint64_t key = nuce_rng_mix(nuce_rng_mix(UINT64_C(3) << 32 | 4) + 8);
    int64_t first;

    nuce_payload_fill(&from, 8);
    for (int k = 0; k < 43; k++)
        assert_int_equal(from.send.data[k],
                         nuce_rng_mix(key + (uint64_t)k / 8) >> (8 * (k % 8)) & 0xff);
    for (int64_t begin = 0; begin < 43; begin++) {
        for (int64_t end = begin + 1; end <= 43; end++) {
            int64_t wrong = begin + (end - begin) / 2, bytes = end - begin;

            assert_int_equal(
                nuce_payload_compare(from.send.data + begin, begin, bytes, 3, 4, 8, &first), 0);
            from.send.data[wrong] ^= 0x10;
            assert_int_equal(
                nuce_payload_compare(from.send.data + begin, begin, bytes, 3, 4, 8, &first), 1);
            assert_int_equal(first, wrong);
            from.send.data[wrong] ^= 0x10;
        }
    }
}

RUN(test_there_and_back, test_wrong, test_swapped, test_delivered, test_one_bit, test_pieces)
