#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rank_correlation.h"
#include "base/rng.h"

static struct nuce_rank_correlation correlate(const double *x, const double *y, int64_t count)
{
    struct nuce_rank_correlation found;

    nuce_rank_correlation(x, y, count, &found);
    return found;
}

static void is_near(double value, double expected, double apart)
{
    if (!(fabs(value - expected) <= apart))
        fail_msg("%.12g, expected %.12g within %g", value, expected, apart);
}

/* 1 - 6 sum of d^2 / (n (n^2 - 1)) where nothing is equal, worked by hand; with equal values the
 * correlation of 1, 2.5, 2.5, 4 with 1 .. 4 is 4.5 / sqrt(4.5 x 5). */
static void test_known(void **state)
{
    static const double iq[] = {106, 100, 86, 101, 99, 103, 97, 113, 112, 110};
    static const double hours[] = {7, 27, 2, 50, 28, 29, 20, 12, 6, 17};
    static const double ties[] = {10, 20, 20, 30}, rising[] = {1, 2, 3, 4},
                        falling[] = {4, 3, 2, 1};

    (void)state;
    is_near(correlate(iq, hours, 10).rho, -29.0 / 165, 1e-14);
    is_near(correlate(ties, rising, 4).rho, sqrt(0.9), 1e-14);
    is_near(correlate(falling, ties, 4).rho, -sqrt(0.9), 1e-14);
    is_near(correlate(rising, falling, 4).rho, -1, 1e-14);
}

static void test_unknown(void **state)
{
    static const double equal[] = {5, 5, 5, 5, 5, 5, 5}, rising[] = {1, 2, 3, 4, 5, 6, 7};
    struct nuce_rank_correlation found;

    (void)state;
    assert_true(isnan(correlate(rising, rising, 0).rho));
    assert_true(isnan(correlate(rising, rising, 1).rho));
    found = correlate(equal, rising, 7);
    assert_true(isnan(found.rho) && isnan(found.low) && isnan(found.high));
    found = correlate(rising, rising, NUCE_RANK_CORRELATION_LEAST - 1);
    is_near(found.rho, 1, 1e-14);
    assert_true(isnan(found.low) && isnan(found.high));
    found = correlate(rising, rising, NUCE_RANK_CORRELATION_LEAST);
    is_near(found.low, 1, 1e-14);
    is_near(found.high, 1, 1e-14);
}

/* A value that differs in one of seven pairs is in none of a third of the resamples: whatever its
 * y, the interval reaches 0; three of seven are missing from a fiftieth alone. */
static void test_few_differ(void **state)
{
    static const double one[] = {1, 1, 1, 1, 1, 1, 2}, y[] = {1, 2, 3, 4, 5, 6, 7};
    static const double three[] = {1, 1, 1, 1, 2, 3, 4};
    struct nuce_rank_correlation found = correlate(one, y, 7);

    (void)state;
    assert_true(found.rho > 0.5 && found.low <= 0 && found.high > 0.5);
    found = correlate(three, y, 7);
    assert_true(found.low > 0 && found.low < found.rho);
}

/* The order of the pairs changes nothing but the resamples; the same pairs give the same. */
static void test_repeats(void **state)
{
    struct nuce_rng rng = nuce_rng_create(7, 0);
    double x[40], y[40];
    struct nuce_rank_correlation first, second;

    (void)state;
    for (int i = 0; i < 40; i++) {
        x[i] = nuce_rng_uniform(&rng);
        y[i] = x[i] + nuce_rng_uniform(&rng);
    }
    first = correlate(x, y, 40);
    second = correlate(x, y, 40);
    assert_true(first.rho == second.rho && first.low == second.low && first.high == second.high);
    assert_true(first.low < first.rho && first.rho < first.high);
}

/* Of pairs with a correlation that is known, about 95 % of the intervals hold it: x and y with
 * x = y of half of the pairs and independent in the others have 1/2. */
static void test_coverage(void **state)
{
    enum { TIMES = 200, PAIRS = 40 };
    struct nuce_rng rng = nuce_rng_create(11, 0);
    int held = 0;

    (void)state;
    for (int k = 0; k < TIMES; k++) {
        double x[PAIRS], y[PAIRS];
        struct nuce_rank_correlation found;

        for (int i = 0; i < PAIRS; i++) {
            x[i] = nuce_rng_uniform(&rng);
            y[i] = nuce_rng_below(&rng, 2) == 0 ? x[i] : nuce_rng_uniform(&rng);
        }
        found = correlate(x, y, PAIRS);
        held += found.low <= 0.5 && 0.5 <= found.high;
    }
    if (held < TIMES * 88 / 100 || held > TIMES * 99 / 100)
        fail_msg("%d of %d intervals hold the correlation", held, TIMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),      cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_few_differ), cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_coverage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
