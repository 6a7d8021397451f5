#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"

/* Bounded numbers stay in range and reach every value; streams of one seed differ. */
static void test_below(void **state)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    int seen[7] = {0};

    (void)state;
    for (int i = 0; i < 7000; i++) {
        uint64_t value = nuce_rng_below(&rng, 7);

        assert_in_range(value, 0, 6);
        seen[value]++;
    }
    for (int i = 0; i < 7; i++)
        assert_in_range(seen[i], 800, 1200);
}

static void test_streams(void **state)
{
    struct nuce_rng a = nuce_rng_create(1, 0), b = nuce_rng_create(1, 1), c = nuce_rng_create(1, 0);
    uint64_t first = nuce_rng_next(&a);

    (void)state;
    assert_true(first != nuce_rng_next(&b));
    assert_true(first == nuce_rng_next(&c));
}

/* The authors' reference implementation from the state 1, 2, 3, 4. */
static void test_reference(void **state)
{
    static const uint64_t expected[] = {11520, 0, 1509978240, 1215971899390074240};
    struct nuce_rng rng = {{1, 2, 3, 4}};

    (void)state;
    for (int i = 0; i < 4; i++)
        assert_true(nuce_rng_next(&rng) == expected[i]);
}

/* Streams of an independent implementation in whole numbers of any size. That of seed 0 is also
 * what other libraries give that seed xoshiro256** by splitmix64. A change would silently change
 * every random instance. */
static void test_golden_streams(void **state)
{
    static const struct {
        uint64_t seed, stream, expected[3];
    } golden[] = {
        {0, 0, {0x99ec5f36cb75f2b4, 0xbf6e1f784956452a, 0x1a5f849d4933e6e0}},
        {42, 0, {0x15780b2e0c2ec716, 0x6104d9866d113a7e, 0xae17533239e499a1}},
        {42, 3, {0x49576b0202755018, 0x10a763ec689421b7, 0x9297ce58025496ec}},
        {UINT64_MAX, UINT64_MAX, {0x699ab771ac2a7b60, 0x88577171e3e34d16, 0x92a1bb7794042a52}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        struct nuce_rng rng = nuce_rng_create(golden[i].seed, golden[i].stream);

        for (int j = 0; j < 3; j++)
            assert_true(nuce_rng_next(&rng) == golden[i].expected[j]);
    }
}

/* With a bound of three quarters of 2^64 every fourth draw is thrown away; with bound 1 none. */
static void test_golden_below(void **state)
{
    static const uint64_t expected[] = {13413505819879425361U, 5180627860550911898U,
                                        5875833711509107324U, 7522924714612229229U};
    struct nuce_rng rng = nuce_rng_create(5, 1);

    (void)state;
    for (int i = 0; i < 4; i++)
        assert_true(nuce_rng_below(&rng, UINT64_C(3) << 62) == expected[i]);
    assert_true(nuce_rng_below(&rng, 1) == 0);
}

static void test_uniform(void **state)
{
    struct nuce_rng rng = nuce_rng_create(5, 1);
    double least = 1, most = 0, sum = 0;

    (void)state;
    assert_true(fabs(nuce_rng_uniform(&rng) - 0x1.f066414486cb6p-1) < 1e-17);
    assert_true(fabs(nuce_rng_uniform(&rng) - 0x1.e702a1dc59698p-4) < 1e-17);
    for (int i = 0; i < 100000; i++) {
        double value = nuce_rng_uniform(&rng);

        assert_true(value >= 0 && value < 1);
        least = fmin(least, value);
        most = fmax(most, value);
        sum += value;
    }
    assert_true(least < 1e-3 && most > 1 - 1e-3);
    assert_true(fabs(sum / 100000 - 0.5) < 0.01);
}

/* Each of the six orders of three values, 60 000 times: 10 000 times, give or take five standard
 * deviations. */
static void test_shuffle(void **state)
{
    struct nuce_rng rng = nuce_rng_create(1, 2);
    int found[3][3][3] = {{{0}}};

    (void)state;
    nuce_rng_shuffle(&rng, NULL, 0);
    for (int i = 0; i < 60000; i++) {
        int values[] = {0, 1, 2};

        nuce_rng_shuffle(&rng, values, 3);
        found[values[0]][values[1]][values[2]]++;
    }
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            if (b != a)
                assert_in_range(found[a][b][3 - a - b], 9500, 10500);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_below),        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_reference),    cmocka_unit_test(test_golden_streams),
        cmocka_unit_test(test_golden_below), cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_shuffle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
