#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/statistics.h"

/* Equal within tolerance; NaN is near nothing. */
#define assert_near(actual, expected, tolerance)                                                   \
    assert_true(fabs((actual) - (expected)) <= (tolerance))

static void test_sort(void **state)
{
    double values[] = {3, -1, 2.5, -INFINITY, 3, 0};
    const double expected[] = {-INFINITY, -1, 0, 2.5, 3, 3};

    (void)state;
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

    (void)state;
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

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
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

    (void)state;
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

/* Of printed tables: two-sided 95 %, and what Bonferroni's correction asks for. */
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

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        double found = nuce_statistics_student(table[i].degrees, table[i].confidence);

        assert_true(fabs(found / table[i].quantile - 1) < 1e-5);
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

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_true(
            fabs(nuce_statistics_student_beyond(table[i].t, table[i].degrees) - table[i].p) < 5e-6);
    for (int64_t degrees = 1; degrees < 40; degrees++)
        assert_true(
            fabs(nuce_statistics_student_beyond(nuce_statistics_student(degrees, 0.99), degrees) -
                 0.01) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_student_beyond), cmocka_unit_test(test_student),
        cmocka_unit_test(test_sort),           cmocka_unit_test(test_quantile),
        cmocka_unit_test(test_interval_known), cmocka_unit_test(test_interval_largest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
