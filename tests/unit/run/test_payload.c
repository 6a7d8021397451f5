/* What is delivered is right, and any wrong byte is seen. No MPI is started. */
#include "base/rng.h"
#include "deliver.h"

#define RANKS 6

static struct nuce_pattern pattern_of(const struct nuce_message *messages, int64_t count)
{
    struct nuce_pattern pattern;
    struct nuce_error error;

    assert_ok(nuce_pattern_init(RANKS, messages, count, &pattern, &error));
    return pattern;
}

static struct nuce_payload payload_of(const struct nuce_pattern *pattern, int rank)
{
    struct nuce_payload payload;
    struct nuce_error error;

    assert_ok(nuce_payload_init(pattern, rank, NULL, NULL, &payload, &error));
    return payload;
}

/* All ranks' payloads, and the exchange between them by copying. */
struct all {
    struct nuce_pattern pattern;
    struct nuce_payload of[RANKS];
};

static struct all all_drawn(struct nuce_rng *rng)
{
    struct nuce_message messages[RANKS * RANKS];
    struct all all;

    for (int k = 0; k < RANKS * RANKS; k++)
        messages[k] = (struct nuce_message){k / RANKS, k % RANKS,
                                            (int64_t)nuce_rng_below(rng, 3) *
                                                (int64_t)nuce_rng_below(rng, 40)};
    all.pattern = pattern_of(messages, RANKS * RANKS);
    for (int rank = 0; rank < RANKS; rank++)
        all.of[rank] = payload_of(&all.pattern, rank);
    return all;
}

static void all_free(struct all *all)
{
    for (int rank = 0; rank < RANKS; rank++)
        nuce_payload_fini(&all->of[rank]);
    nuce_pattern_fini(&all->pattern);
}

/* What is delivered is right, under its own salt; what stays behind is wrong in every byte. */
static void test_delivered(void **state)
{
    struct nuce_rng rng = nuce_rng_create(6, 0);
    char says[64];
    struct nuce_error error;

    for (uint64_t draw = 0; draw < 50; draw++) {
        struct all all = all_drawn(&rng);

        for (int rank = 0; rank < RANKS; rank++)
            nuce_payload_fill(&all.of[rank], draw);
        for (int rank = 0; rank < RANKS; rank++) {
            long long bytes = (long long)all.of[rank].receive_at[all.of[rank].receives];

            if (bytes == 0)
                continue;
            assert_int_equal(nuce_payload_check(&all.of[rank], draw, &error), NUCE_CORRUPT);
            snprintf(says, sizeof says, "%lld of %lld received bytes are wrong", bytes, bytes);
            assert_says(&error, says);
        }
        deliver(all.of, RANKS, 0);
        for (int rank = 0; rank < RANKS; rank++) {
            assert_ok(nuce_payload_check(&all.of[rank], draw, &error));
            if (all.of[rank].receive_at[all.of[rank].receives] >= 8)
                assert_int_equal(nuce_payload_check(&all.of[rank], draw + 1, &error), NUCE_CORRUPT);
        }
        all_free(&all);
    }
}

/* One bit of one byte, anywhere: seen, and said where it is. */
static void test_one_bit(void **state)
{
    struct nuce_rng rng = nuce_rng_create(6, 1);
    struct nuce_error error;

    for (int draw = 0; draw < 200; draw++) {
        struct all all = all_drawn(&rng);
        int rank = (int)nuce_rng_below(&rng, RANKS), message = 0;
        const struct nuce_payload *payload = &all.of[rank];
        int64_t bytes = payload->receive_at[payload->receives], at;
        char says[128];

        for (int i = 0; i < RANKS; i++)
            nuce_payload_fill(&all.of[i], 9);
        deliver(all.of, RANKS, 0);
        if (bytes > 0) {
            at = (int64_t)nuce_rng_below(&rng, (uint64_t)bytes);
            while (payload->receive_at[message + 1] <= at)
                message++;
            payload->receive[at] ^= (unsigned char)(1U << nuce_rng_below(&rng, 8));
            assert_int_equal(nuce_payload_check(payload, 9, &error), NUCE_CORRUPT);
            snprintf(says, sizeof says,
                     "1 of %lld received bytes are wrong, the first is byte %lld of the "
                     "message from rank %d to rank %d",
                     (long long)bytes, (long long)(at - payload->receive_at[message]),
                     payload->source[message], rank);
            assert_says(&error, says);
        }
        all_free(&all);
    }
}

/* Byte k of a message is byte k mod 8, from the lowest, of the mixed word k / 8 of its key: worked
 * out byte by byte, and compared piece by piece, wherever a piece begins and ends. */
static void test_pieces(void **state)
{
    static const struct nuce_message one[] = {{3, 4, 43}};
    struct nuce_pattern pattern = pattern_of(one, 1);
    struct nuce_payload from = payload_of(&pattern, 3);
    uint64_t key = nuce_rng_mix(nuce_rng_mix(UINT64_C(3) << 32 | 4) + 8);
    int64_t first;

    nuce_payload_fill(&from, 8);
    for (int k = 0; k < 43; k++)
        assert_int_equal(from.send[k], nuce_rng_mix(key + (uint64_t)k / 8) >> (8 * (k % 8)) & 0xff);
    for (int64_t begin = 0; begin < 43; begin++) {
        for (int64_t end = begin + 1; end <= 43; end++) {
            int64_t wrong = begin + (end - begin) / 2, bytes = end - begin;

            assert_int_equal(nuce_payload_compare(from.send + begin, begin, bytes, 3, 4, 8, &first),
                             0);
            from.send[wrong] ^= 0x10;
            assert_int_equal(nuce_payload_compare(from.send + begin, begin, bytes, 3, 4, 8, &first),
                             1);
            assert_int_equal(first, wrong);
            from.send[wrong] ^= 0x10;
        }
    }
    nuce_payload_fini(&from);
    nuce_pattern_fini(&pattern);
}

RUN_TESTS(NULL, NULL, CASE(test_delivered), CASE(test_one_bit), CASE(test_pieces))
