/* Random numbers, and statistics of samples. */
#include "../test.h"

#include <stdlib.h>

#include "base/race_ratio.h"
#include "base/rank_correlation.h"
#include "base/rng.h"
#include "base/statistics.h"

/* The authors' reference implementation from the state 1, 2, 3, 4. */
static void test_reference(void **state)
{
    static const uint64_t expected[] = {11520, 0, 1509978240, 1215971899390074240};
    struct nuce_rng rng = {{1, 2, 3, 4}};

    for (int i = 0; i < 4; i++)
        assert_true(nuce_rng_next(&rng) == expected[i]);
}

/* Streams of an independent implementation in whole numbers of any size. That of seed 0 is also the
 * stream of other libraries that seed xoshiro256** by splitmix64. A change would silently change
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

    for (size_t i = 0; i < COUNT(golden); i++) {
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

    for (int i = 0; i < 4; i++)
        assert_true(nuce_rng_below(&rng, UINT64_C(3) << 62) == expected[i]);
    assert_true(nuce_rng_below(&rng, 1) == 0);
}

static void test_rng_uniform(void **state)
{
    struct nuce_rng rng = nuce_rng_create(5, 1);
    double least = 1, most = 0, sum = 0;

    assert_near(nuce_rng_uniform(&rng), 0x1.f066414486cb6p-1, 1e-17);
    assert_near(nuce_rng_uniform(&rng), 0x1.e702a1dc59698p-4, 1e-17);
    for (int i = 0; i < 100000; i++) {
        double value = nuce_rng_uniform(&rng);

        assert_true(value >= 0 && value < 1);
        least = fmin(least, value);
        most = fmax(most, value);
        sum += value;
    }
    assert_true(least < 1e-3 && most > 1 - 1e-3);
    assert_near(sum / 100000, 0.5, 0.01);
}

/* Each of the six orders of three values, 60 000 times: 10 000 times, give or take five standard
 * deviations. */
static void test_shuffle(void **state)
{
    struct nuce_rng rng = nuce_rng_create(1, 2);
    int found[3][3][3] = {{{0}}};

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

static void test_sort(void **state)
{
    double values[] = {3, -1, 2.5, -INFINITY, 3, 0};
    const double expected[] = {-INFINITY, -1, 0, 2.5, 3, 3};

    nuce_statistics_sort(values, 6);
    for (int i = 0; i < 6; i++)
        assert_true(values[i] >= expected[i] && values[i] <= expected[i]);
    nuce_statistics_sort(values, 0);
}

/* R: quantile(c(1, 2, 4, 8), c(0, .1, .25, .5, .75, .9, 1), type = 7). */
static void test_quantile(void **state)
{
    const double values[] = {1, 2, 4, 8};
    const double q[] = {0, 0.1, 0.25, 0.5, 0.75, 0.9, 1};
    const double expected[] = {1, 1.3, 1.75, 3, 5, 6.8, 8};

    for (int i = 0; i < 7; i++)
        assert_near(nuce_statistics_quantile(values, 4, q[i]), expected[i], 1e-12);
    assert_near(nuce_statistics_quantile(values, 1, 0.3), 1, 0);
    assert_near(nuce_statistics_median(values, 3), 2, 0);
    assert_near(nuce_statistics_median(values, 4), 3, 0);
}

/* The interval of 1 .. count: its ends are the ranks themselves. */
static struct nuce_interval interval_of(int64_t count, double confidence)
{
    double *values = calloc((size_t)count, sizeof *values);
    struct nuce_interval interval;

    assert_non_null(values);
    for (int64_t i = 0; i < count; i++)
        values[i] = (double)(i + 1);
    interval = nuce_statistics_median_interval(values, count, confidence);
    free(values);
    return interval;
}

/* Ranks and coverage from sums of binomial coefficients in whole numbers of any size; those up to
 * 50 are also in the tables of Conover and of Le Boudec. */
static void test_interval_known(void **state)
{
    static const struct {
        int64_t count;
        double confidence, low, high, reached;
    } known[] = {
        {1, 0.95, 1, 1, 0},
        {2, 0.95, 1, 2, 0.5},
        {5, 0.95, 1, 5, 0.9375},
        {6, 0.95, 1, 6, 0.96875},
        {10, 0.95, 2, 9, 0.978515625},
        {20, 0.95, 6, 15, 0.958610534668},
        {50, 0.95, 18, 33, 0.967160862436},
        {50, 0.99, 16, 35, 0.993399552033},
        {101, 0.95, 41, 61, 0.953955933071},
        {1000, 0.95, 469, 532, 0.953708802640},
        {10001, 0.99, 4872, 5130, 0.990119757266},
        {999999, 0.99, 498712, 501288, 0.990005007572219},
        {1000000, 0.95, 499020, 500981, 0.950121031347632},
    };

    for (size_t i = 0; i < COUNT(known); i++) {
        struct nuce_interval interval = interval_of(known[i].count, known[i].confidence);

        assert_near(interval.low, known[i].low, 0);
        assert_near(interval.high, known[i].high, 0);
        assert_near(interval.confidence, known[i].reached, 1e-11);
    }
}

/* 1 - 2 P(B(count, 1/2) < rank) by adding up coefficients: exact up to count 50. */
static double coverage(int count, int rank)
{
    double ways = 1, tail = 0;

    for (int k = 0; k < rank; k++) {
        tail += ways;
        ways = ways * (count - k) / (k + 1);
    }
    return 1 - 2 * ldexp(tail, -count);
}

/* The rank is the largest that covers enough, for every small count. */
static void test_interval_largest(void **state)
{
    static const double levels[] = {0.3, 0.5, 0.9, 0.95, 0.99, 0.999};

    for (int count = 1; count <= 50; count++) {
        for (int i = 0; i < 6; i++) {
            struct nuce_interval interval = interval_of(count, levels[i]);
            int rank = (int)interval.low;

            assert_near(interval.high, count + 1 - rank, 0);
            assert_near(interval.confidence, coverage(count, rank), 1e-13);
            assert_true(rank == 1 || interval.confidence >= levels[i]);
            if (2 * (rank + 1) <= count + 1)
                assert_true(coverage(count, rank + 1) < levels[i]);
        }
    }
}

/* From printed tables: two-sided 95 %, and levels of Bonferroni's correction. */
static void test_student(void **state)
{
    static const struct {
        int64_t degrees;
        double confidence, quantile;
    } table[] = {
        {1, 0.95, 12.7062047362},    {2, 0.95, 4.3026527297},  {3, 0.95, 3.1824463053},
        {4, 0.95, 2.7764451052},     {5, 0.95, 2.5705818356},  {10, 0.95, 2.2281388520},
        {30, 0.95, 2.0422724563},    {49, 0.95, 2.0095752371}, {1000, 0.95, 1.9623390808},
        {3, 0.99, 5.8409093097},     {4, 0.9, 2.1318467863},   {9, 0.999, 4.7809125859},
        {1000000000, 0.95, 1.95998},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        double found = nuce_statistics_student(table[i].degrees, table[i].confidence);

        assert_near(found / table[i].quantile, 1, 1e-5);
    }
    assert_true(nuce_statistics_student(3, 0) == 0 || nuce_statistics_student(3, 0) < 1e-300);
}

/* R: 2 * pt(-t, degrees). */
static void test_student_beyond(void **state)
{
    static const struct {
        double t;
        int64_t degrees;
        double p;
    } table[] = {
        {0, 3, 1},
        {1, 1, 0.5},
        {-4.3026527297, 2, 0.05},
        {2, 7, 0.0856193286},
        {5.5, 10, 0.0002617884},
        {1.959963985, 1000000000, 0.05},
        {INFINITY, 4, 0},
    };

    for (size_t i = 0; i < COUNT(table); i++)
        assert_true(
            fabs(nuce_statistics_student_beyond(table[i].t, table[i].degrees) - table[i].p) < 5e-6);
    for (int64_t degrees = 1; degrees < 40; degrees++)
        assert_true(
            fabs(nuce_statistics_student_beyond(nuce_statistics_student(degrees, 0.99), degrees) -
                 0.01) < 1e-12);
}

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
static void test_correlation(void **state)
{
    static const double iq[] = {106, 100, 86, 101, 99, 103, 97, 113, 112, 110};
    static const double hours[] = {7, 27, 2, 50, 28, 29, 20, 12, 6, 17};
    static const double ties[] = {10, 20, 20, 30}, rising[] = {1, 2, 3, 4},
                        falling[] = {4, 3, 2, 1};

    is_near(correlate(iq, hours, 10).rho, -29.0 / 165, 1e-14);
    is_near(correlate(ties, rising, 4).rho, sqrt(0.9), 1e-14);
    is_near(correlate(falling, ties, 4).rho, -sqrt(0.9), 1e-14);
    is_near(correlate(rising, falling, 4).rho, -1, 1e-14);
}

static void test_no_correlation(void **state)
{
    static const double equal[] = {5, 5, 5, 5, 5, 5, 5}, rising[] = {1, 2, 3, 4, 5, 6, 7};
    struct nuce_rank_correlation found;

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

    for (int i = 0; i < 40; i++) {
        x[i] = nuce_rng_uniform(&rng);
        y[i] = x[i] + nuce_rng_uniform(&rng);
    }
    first = correlate(x, y, 40);
    second = correlate(x, y, 40);
    assert_true(first.rho == second.rho && first.low == second.low && first.high == second.high);
    assert_true(first.low < first.rho && first.rho < first.high);
}

/* About 95 % of the intervals hold the correlation of pairs where it is known: x and y with x = y
 * of half of the pairs and independent in the others have 1/2. */
static void test_coverage(void **state)
{
    enum { TIMES = 200, PAIRS = 40 };
    struct nuce_rng rng = nuce_rng_create(11, 0);
    int held = 0;

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

static void test_launches(void **state)
{
    static const double logarithms[] = {0.1, 0.2, 0.4};
    struct nuce_launches_mean found = nuce_race_over_launches(logarithms, 3);
    double error = sqrt(0.14 / 3 / 2 / 3);

    assert_true(fabs(found.mean - 0.7 / 3) < 1e-12);
    assert_near(found.error, error, 1e-12);
    assert_true(fabs(found.reach - 4.30265273 * error) < 1e-7);
}

static void test_one_launch(void **state)
{
    static const double logarithm = 0.25;
    struct nuce_launches_mean found = nuce_race_over_launches(&logarithm, 1);

    assert_true(found.mean == 0.25 && isnan(found.error) && isnan(found.reach));
}

/* Rounds without a time on one side, or with none, do not count. */
static void test_rounds(void **state)
{
    static const double reference[] = {1, 0, 2, 4, 5};
    double own[] = {2, 1, 6, NAN, 5};
    struct nuce_race_ratio found = nuce_race_ratio(own, reference, 5);

    assert_int_equal(found.rounds, 3);
    assert_true(found.ratio == 2 && isnan(found.low));
}

/* Its whole interval to one side, and further off than the noise reaches. */
static void test_side(void **state)
{
    assert_int_equal(nuce_race_side(0.1, 0.09, 0), 1);
    assert_int_equal(nuce_race_side(-0.1, 0.09, 0), -1);
    assert_int_equal(nuce_race_side(0.1, 0.1, 0), 0);
    assert_int_equal(nuce_race_side(0.1, 0.02, 0.11), 0);
    assert_int_equal(nuce_race_side(-0.1, 0.02, 0.09), -1);
    assert_int_equal(nuce_race_side(0, 0, 0), 0);
}

/* 2.776 standard errors with one rival, 4.604 (99 %) with five. */
static void test_slower(void **state)
{
    assert_true(nuce_race_is_slower(5, 0.278, 0.1, 1, 0));
    assert_false(nuce_race_is_slower(5, 0.277, 0.1, 1, 0));
    assert_true(nuce_race_is_slower(5, 0.461, 0.1, 5, 0));
    assert_false(nuce_race_is_slower(5, 0.460, 0.1, 5, 0));
    assert_false(nuce_race_is_slower(5, -0.9, 0.1, 1, 0));
    assert_false(nuce_race_is_slower(5, 0, 0, 1, 0));
    /* Beyond its own error, but not beyond the noise's. */
    assert_true(nuce_race_is_slower(5, 0.03, 0.001, 1, 0.029));
    assert_false(nuce_race_is_slower(5, 0.03, 0.001, 1, 0.031));
}

/* As tables of the paired t test have it: an effect of 0.894 deviations takes 12 for a power of
 * 0.8. With less of a difference than the noise reaches it takes until that has shrunk. */
static void test_needed(void **state)
{
    assert_int_equal(nuce_race_launches_needed(5, 0.2, 0.1, 1, 0), 12);
    assert_int_equal(nuce_race_launches_needed(5, 2, 0.1, 1, 0), 5);
    assert_int_equal(nuce_race_launches_needed(5, 0.2, 0.001, 1, 0.4), 21);
    assert_true(nuce_race_launches_needed(5, 0.2, 0.1, 6, 0) > 12);
    assert_int_equal(nuce_race_launches_needed(5, 0.001, 0.1, 1, 0), 0);
    assert_int_equal(nuce_race_launches_needed(5, -0.2, 0.1, 1, 0), 0);
}

RUN(test_reference, test_golden_streams, test_golden_below, test_rng_uniform, test_shuffle,
    test_student_beyond, test_student, test_sort, test_quantile, test_interval_known,
    test_interval_largest, test_correlation, test_no_correlation, test_few_differ, test_repeats,
    test_coverage, test_launches, test_one_launch, test_rounds, test_slower, test_needed, test_side)
