#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/mann_whitney.h"
#include "support/rng.h"

/* Equal within tolerance; NaN is near nothing. */
#define assert_near(actual, expected, tolerance)                                                   \
    assert_true(fabs((actual) - (expected)) <= (tolerance))

static struct nuce_mann_whitney test_of(const double *a, int64_t n, const double *b, int64_t m)
{
    struct nuce_mann_whitney result;
    struct nuce_error error;

    assert_int_equal(nuce_mann_whitney(a, n, b, m, &result, &error), NUCE_OK);
    return result;
}

/* Hollander and Wolfe, permeability of membranes; R's help of wilcox.test: W = 35, one-sided p
 * 0.1272, difference in location 0.305. */
static void test_exact_known(void **state)
{
    const double x[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
    const double y[] = {1.15, 0.88, 0.90, 0.74, 1.21};
    struct nuce_mann_whitney result = test_of(y, 5, x, 10);

    (void)state;
    assert_near(result.u, 35, 0);
    assert_near(result.p, 2 * 0.127206127206, 1e-11);
    assert_near(result.effect, 2 * 35.0 / 50 - 1, 1e-12);
    assert_near(result.shift, 0.305, 1e-12);
}

/* Ozone in New York in May and August 1973, with ties; R: wilcox.test(Ozone ~ Month, airquality,
 * subset = Month %in% c(5, 8)): W = 127.5, p = 0.0001208. */
static void test_normal_known(void **state)
{
    const double may[] = {41, 36, 12, 18, 28, 23, 19, 8, 7,  16, 11, 14,  18,
                          14, 34, 6,  30, 11, 1,  11, 4, 32, 23, 45, 115, 37};
    const double august[] = {39, 9,  16, 78, 35, 66, 122, 89,  110, 44, 28,  65, 22,
                             59, 23, 31, 44, 21, 9,  45,  168, 73,  76, 118, 84, 85};
    struct nuce_mann_whitney result = test_of(may, 26, august, 26);

    (void)state;
    assert_near(result.u, 26 * 26 - 127.5, 0);
    assert_near(result.p, 0.00012080783076877435, 1e-15);
    assert_near(result.shift, 32, 0);
    result = test_of(august, 26, may, 26);
    assert_near(result.u, 127.5, 0);
    assert_near(result.p, 0.00012080783076877435, 1e-15);
    assert_near(result.shift, -32, 0);
}

/* The two-sided p of U = u by trying every way to choose which of n + m ranks belong to b. */
static double brute_p(int n, int m, double u)
{
    double extreme = 0, all = 0, middle = 0.5 * n * m;

    for (unsigned chosen = 0; chosen < 1U << (n + m); chosen++) {
        int in_a = 0, pairs = 0;

        if (__builtin_popcount(chosen) != m)
            continue;
        for (int i = 0; i < n + m; i++) {
            if ((chosen >> i & 1) != 0)
                pairs += in_a;
            else
                in_a++;
        }
        all++;
        if (fabs(pairs - middle) >= fabs(u - middle))
            extreme++;
    }
    return extreme / all;
}

/* All sizes up to 6 x 6, values in random order: U, p and effect against pairs and permutations. */
static void test_exact_brute_force(void **state)
{
    struct nuce_rng rng = nuce_rng_create(7, 0);
    double values[12];

    (void)state;
    for (int n = 1; n <= 6; n++) {
        for (int m = 1; m <= 6; m++) {
            struct nuce_mann_whitney result;
            double u = 0;

            for (int i = 0; i < n + m; i++)
                values[i] = nuce_rng_uniform(&rng);
            for (int i = 0; i < n * m; i++)
                u += values[i / m] < values[n + i % m];
            result = test_of(values, n, values + n, m);
            assert_near(result.u, u, 0);
            assert_near(result.p, brute_p(n, m, u), 1e-12);
            assert_near(result.effect, 2 * u / (n * m) - 1, 1e-12);
        }
    }
}

/* Arrangements of n and m values with U = u by the recurrence of Mann and Whitney: the largest
 * value is one of b, above all n, or one of a. Filled from small to large. */
static double recurrence_p(int n, int m, int u)
{
    static const size_t side = 22, depth = 442;
    double *ways = calloc(side * side * depth, sizeof *ways);
    double tail = 0, all = 0;

    assert_non_null(ways);
    for (size_t i = 0; i <= (size_t)n; i++) {
        for (size_t j = 0; j <= (size_t)m; j++) {
            double *here = ways + (i * side + j) * depth;

            here[0] = 1;
            for (size_t k = 1; k <= i * j; k++)
                here[k] = *(here - depth * side + k) + (k >= i ? *(here - depth + (k - i)) : 0);
        }
    }
    for (int k = 0; k <= n * m; k++) {
        double count = ways[((size_t)n * side + (size_t)m) * depth + (size_t)k];

        all += count;
        if (k <= (u < n * m - u ? u : n * m - u))
            tail += count;
    }
    free(ways);
    return fmin(1, 2 * tail / all);
}

/* The largest exact sizes; just beyond them the approximation takes over, and is close. */
static void test_exact_largest(void **state)
{
    double a[21], b[21];
    double normal;

    (void)state;
    for (int i = 0; i < 21; i++) {
        a[i] = i;
        b[i] = i + 4.5;
    }
    assert_near(test_of(a, 20, b, 7).p, recurrence_p(20, 7, (int)test_of(a, 20, b, 7).u), 1e-12);
    assert_near(test_of(a, 20, b, 20).p, recurrence_p(20, 20, 280), 1e-12);
    normal = test_of(a, 21, b, 21).p;
    assert_near(normal, recurrence_p(21, 21, (int)test_of(a, 21, b, 21).u), 0.05 * normal);
}

/* The median of all differences, with ties and both parities, by writing them all down. */
static void test_shift_brute_force(void **state)
{
    struct nuce_rng rng = nuce_rng_create(8, 0);
    double a[9], b[9], differences[81];

    (void)state;
    for (int round = 0; round < 500; round++) {
        int n = 1 + (int)nuce_rng_below(&rng, 9), m = 1 + (int)nuce_rng_below(&rng, 9);

        for (int i = 0; i < n; i++)
            a[i] = (double)nuce_rng_below(&rng, 12) / 7 - 1;
        for (int i = 0; i < m; i++)
            b[i] = round % 2 == 0 ? nuce_rng_uniform(&rng) - 0.5
                                  : (double)nuce_rng_below(&rng, 12) / 7;
        for (int i = 0; i < n * m; i++)
            differences[i] = b[i % m] - a[i / m];
        nuce_statistics_sort(differences, n * m);
        assert_near(test_of(a, n, b, m).shift, nuce_statistics_median(differences, n * m), 1e-15);
    }
}

static void test_degenerate(void **state)
{
    const double same[] = {2, 2, 2, 2}, low[] = {1, 2, 3}, high[] = {4, 5, 6, 7};
    struct nuce_mann_whitney result = test_of(same, 4, same, 3);

    (void)state;
    assert_near(result.p, 1, 0);
    assert_near(result.effect, 0, 0);
    assert_near(result.shift, 0, 0);
    result = test_of(low, 3, high, 4);
    assert_near(result.effect, 1, 0);
    assert_near(result.p, 2.0 / 35, 1e-15);
    assert_near(test_of(high, 4, low, 3).effect, -1, 0);
    assert_near(test_of(low, 1, high, 1).p, 1, 0);
}

/* SciPy 1.10: mannwhitneyu(a, b, method="exact" or "asymptotic"). */
static void test_scipy(void **state)
{
    const double a[] = {10.2, 9.8, 11.1, 10.5, 9.9, 10.7};
    const double b[] = {11.4, 10.9, 12.0, 11.8, 10.6, 11.2, 12.3};
    const double tied_a[] = {1, 2, 2, 3, 3, 3, 4, 5, 5, 6};
    const double tied_b[] = {2, 3, 4, 4, 5, 5, 6, 6, 7, 8, 8, 9};
    double many_a[30], many_b[25];

    (void)state;
    assert_near(test_of(a, 6, b, 7).u, 6 * 7 - 3, 0);
    assert_near(test_of(a, 6, b, 7).p, 0.008158508158508158, 1e-15);
    assert_near(test_of(a, 6, b, 7).shift, 1.1, 1e-14);
    assert_near(test_of(tied_a, 10, tied_b, 12).u, 10 * 12 - 25.5, 0);
    assert_near(test_of(tied_a, 10, tied_b, 12).p, 0.023630922950472734, 1e-15);
    for (int i = 1; i <= 30; i++)
        many_a[i - 1] = fmod(i * 0.37, 7.3);
    for (int i = 1; i <= 25; i++)
        many_b[i - 1] = fmod(i * 0.53, 8.1) + 0.011;
    assert_near(test_of(many_a, 30, many_b, 25).u, 30 * 25 - 316, 0);
    assert_near(test_of(many_a, 30, many_b, 25).p, 0.3227460897170271, 1e-14);
}

static struct nuce_interval shift_of(const double *a, int64_t n, const double *b, int64_t m,
                                     double confidence)
{
    struct nuce_interval interval;
    struct nuce_error error;

    assert_int_equal(nuce_mann_whitney_shift_interval(a, n, b, m, confidence, &interval, &error),
                     NUCE_OK);
    return interval;
}

/* Ends and coverage from all 42 differences and the exact distribution, by NumPy. */
static void test_interval_known(void **state)
{
    const double a[] = {10.2, 9.8, 11.1, 10.5, 9.9, 10.7};
    const double b[] = {11.4, 10.9, 12.0, 11.8, 10.6, 11.2, 12.3};
    static const struct {
        double confidence, low, high, reached;
    } known[] = {
        {0.90, 0.4, 1.8, 0.9265734265734266},
        {0.95, 0.3, 1.9, 0.965034965034965},
        {0.99, 0.1, 2.1, 0.9918414918414918},
    };

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct nuce_interval interval = shift_of(a, 6, b, 7, known[i].confidence);

        assert_near(interval.low, known[i].low, 1e-12);
        assert_near(interval.high, known[i].high, 1e-12);
        assert_near(interval.confidence, known[i].reached, 1e-12);
    }
}

/* Of any sizes and levels: what the interval leaves out, the test rejects, and nothing else. */
static void test_interval_inverts(void **state)
{
    struct nuce_rng rng = nuce_rng_create(9, 0);
    double a[30], b[30], moved[30];

    (void)state;
    for (int round = 0; round < 300; round++) {
        int n = 3 + (int)nuce_rng_below(&rng, 28), m = 3 + (int)nuce_rng_below(&rng, 28);
        double level = round % 2 == 0 ? 0.1 : 0.01;
        struct nuce_interval interval;

        for (int i = 0; i < n; i++)
            a[i] = nuce_rng_uniform(&rng);
        for (int i = 0; i < m; i++)
            b[i] = nuce_rng_uniform(&rng) + 0.3;
        interval = shift_of(a, n, b, m, 1 - level);
        assert_true(isfinite(interval.low) ==
                    (nuce_mann_whitney_least_p(n, m) <= level * (1 + 1e-12)));
        if (!isfinite(interval.low))
            continue;
        for (int side = -1; side <= 1; side += 2) {
            for (int i = 0; i < m; i++)
                moved[i] = b[i] - (interval.low + side * 1e-9);
            assert_true((test_of(a, n, moved, m).p <= level * (1 + 1e-9)) == (side < 0));
            for (int i = 0; i < m; i++)
                moved[i] = b[i] - (interval.high + side * 1e-9);
            assert_true((test_of(a, n, moved, m).p <= level * (1 + 1e-9)) == (side > 0));
        }
    }
}

static void test_least(void **state)
{
    const double low[] = {1, 2, 3}, high[] = {4, 5, 6};

    (void)state;
    assert_near(nuce_mann_whitney_least_p(3, 3), 0.1, 1e-15);
    assert_near(nuce_mann_whitney_least_p(10, 2), 1.0 / 33, 1e-15);
    assert_near(nuce_mann_whitney_least_p(7, 7), 0.0005827505827505828, 1e-16);
    assert_near(nuce_mann_whitney_least_p(1, 1), 1, 0);
    assert_near(nuce_mann_whitney_least_p(100000, 100000), 0, 1e-300);
    assert_near(test_of(low, 3, high, 3).p, 0.1, 1e-15);
    assert_near(shift_of(low, 3, high, 3, 0.9).low, 1, 0);
    assert_true(isinf(shift_of(low, 3, high, 3, 0.95).low));
    assert_true(isinf(shift_of(low, 3, high, 3, 0.95).high));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_known),
        cmocka_unit_test(test_normal_known),
        cmocka_unit_test(test_scipy),
        cmocka_unit_test(test_exact_brute_force),
        cmocka_unit_test(test_exact_largest),
        cmocka_unit_test(test_shift_brute_force),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_interval_known),
        cmocka_unit_test(test_interval_inverts),
        cmocka_unit_test(test_least),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
