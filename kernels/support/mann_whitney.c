/* The rank test of Mann and Whitney, exact for small samples without ties, and the shift between
 * two samples with its interval (Hodges and Lehmann), found by bisection over the doubles instead
 * of listing all pairs. */
#include "support/mann_whitney.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocate.h"

/* U and the ties of two sorted samples: the values of both in ascending order, in groups of equal
 * ones. *ties is the sum of t^3 - t over the sizes t of the groups. */
static double count_pairs(const double *a, int64_t a_count, const double *b, int64_t b_count,
                          double *ties)
{
    int64_t i = 0, j = 0;
    double u = 0;

    *ties = 0;
    while (i < a_count || j < b_count) {
        double value = j == b_count || (i < a_count && a[i] < b[j]) ? a[i] : b[j];
        int64_t a_first = i, b_first = j;
        double size;

        while (i < a_count && a[i] == value)
            i++;
        while (j < b_count && b[j] == value)
            j++;
        u += (double)(j - b_first) * ((double)a_first + 0.5 * (double)(i - a_first));
        size = (double)(i - a_first + j - b_first);
        *ties += size * size * size - size;
    }
    return u;
}

#define EXACT_COUNT 20

/* Two-sided: twice the smaller tail of the null distribution of U, without ties. The number of
 * arrangements of n and m values that have U = u is the coefficient of q^u in the Gaussian binomial
 * (n + m over n) = product over i = 1 .. n of (1 - q^(m+i)) / (1 - q^i); at most (40 over 20), so
 * exact. (Andrews: "The Theory of Partitions", 3.2 and 3.3; the same numbers as the recurrence of
 * Mann and Whitney.) */
static double exact_p(double u, int n, int m)
{
    int64_t ways[EXACT_COUNT * EXACT_COUNT + 1] = {1};
    int degree = n * m;
    int smaller = (int)(u < degree - u ? u : degree - u);
    double tail = 0, all = 0;

    for (int i = 1; i <= n; i++) {
        for (int j = degree; j >= m + i; j--)
            ways[j] -= ways[j - m - i];
        for (int j = i; j <= degree; j++)
            ways[j] += ways[j - i];
    }
    for (int j = 0; j <= degree; j++) {
        all += (double)ways[j];
        if (j <= smaller)
            tail += (double)ways[j];
    }
    return fmin(1, 2 * tail / all);
}

/* Two-sided, by the normal approximation with continuity and tie correction (Lehmann:
 * "Nonparametrics: Statistical Methods Based on Ranks", 1.2, 1.4). */
static double normal_p(double u, double n, double m, double ties)
{
    double all = n + m;
    double variance = n * m / 12 * (all + 1 - ties / (all * (all - 1)));
    double distance = fmax(0, fabs(u - n * m / 2) - 0.5);

    /* Every value is the same. (Rounding may leave a little.) */
    if (!(variance > 1e-9 * n * m))
        return 1;
    return fmin(1, erfc(distance / sqrt(2 * variance)));
}

double nuce_mann_whitney_least_p(int64_t a_count, int64_t b_count)
{
    int64_t fewer = a_count < b_count ? a_count : b_count;
    int64_t more = a_count < b_count ? b_count : a_count;
    double p = 2;

    NUCE_ASSERT(fewer > 0);
    for (int64_t i = 1; i <= fewer && p > 0; i++)
        p *= (double)i / (double)(more + i);
    return fmin(1, p);
}

/* The p of U = u. The approximation's tail can be thinner than any arrangement is likely. */
static double two_sided_p(double u, int64_t n, int64_t m, double ties)
{
    if (!(ties > 0) && n <= EXACT_COUNT && m <= EXACT_COUNT)
        return exact_p(u, (int)n, (int)m);
    return fmax(normal_p(u, (double)n, (double)m, ties), nuce_mann_whitney_least_p(n, m));
}

/* Doubles (no NaN) as integers in the same order, and back: two of them have as many doubles in
 * between as their integers say. */
static int64_t to_order(double value)
{
    int64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits >= 0 ? bits : INT64_MIN - bits;
}

static double from_order(int64_t order)
{
    int64_t bits = order >= 0 ? order : INT64_MIN - order;
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The number of pairs of sorted values with b - a <= limit. Rounded subtraction is monotone, so one
 * walk along both arrays is enough. */
static int64_t count_differences(const double *a, int64_t a_count, const double *b, int64_t b_count,
                                 double limit)
{
    int64_t pairs = 0, j = 0;

    for (int64_t i = 0; i < a_count; i++) {
        while (j < b_count && b[j] - a[i] <= limit)
            j++;
        pairs += j;
    }
    return pairs;
}

/* The k-th smallest (from 1) of all b - a, exactly, by bisection over the doubles: at most 64 walks
 * and no memory for the differences. */
static double select_difference(const double *a, int64_t a_count, const double *b, int64_t b_count,
                                int64_t k)
{
    int64_t low = to_order(b[0] - a[a_count - 1]);
    int64_t high = to_order(b[b_count - 1] - a[0]);

    while (low < high) {
        int64_t middle = (low & high) + ((low ^ high) >> 1); /* floor of the mean, no overflow */

        if (count_differences(a, a_count, b, b_count, from_order(middle)) >= k)
            high = middle;
        else
            low = middle + 1;
    }
    return from_order(low);
}

/* The median of all b - a of sorted samples. */
static double hodges_lehmann(const double *a, int64_t a_count, const double *b, int64_t b_count)
{
    int64_t pairs = a_count * b_count;
    double upper = select_difference(a, a_count, b, b_count, pairs / 2 + 1);

    if (pairs % 2 == 1)
        return upper;
    return 0.5 * (select_difference(a, a_count, b, b_count, pairs / 2) + upper);
}

/* A sorted copy of both, *sorted_b behind the values of a; freed by the caller with free. NULL when
 * out of memory. */
static double *sort_both(const double *a, int64_t a_count, const double *b, int64_t b_count,
                         double **sorted_b, struct nuce_error *error)
{
    double *sorted;

    NUCE_ASSERT(a_count > 0 && b_count > 0 && a_count <= INT64_MAX / b_count);
    sorted = nuce_allocate(a_count + b_count, sizeof *sorted, error);
    if (sorted == NULL)
        return NULL;
    *sorted_b = sorted + a_count;
    memcpy(sorted, a, (size_t)a_count * sizeof *a);
    memcpy(*sorted_b, b, (size_t)b_count * sizeof *b);
    nuce_statistics_sort(sorted, a_count);
    nuce_statistics_sort(*sorted_b, b_count);
    return sorted;
}

nuce_status nuce_mann_whitney(const double *a, int64_t a_count, const double *b, int64_t b_count,
                              struct nuce_mann_whitney *out, struct nuce_error *error)
{
    double *sorted_b, *sorted_a = sort_both(a, a_count, b, b_count, &sorted_b, error);
    double ties;

    if (sorted_a == NULL)
        return error->status;
    out->u = count_pairs(sorted_a, a_count, sorted_b, b_count, &ties);
    out->p = two_sided_p(out->u, a_count, b_count, ties);
    out->effect = 2 * out->u / ((double)a_count * (double)b_count) - 1;
    out->shift = hodges_lehmann(sorted_a, a_count, sorted_b, b_count);
    free(sorted_a);
    return NUCE_OK;
}

/* The largest r with p(U = r - 1) <= level, 0 if there is none: p grows with U up to the middle. */
static int64_t shift_rank(int64_t n, int64_t m, double level)
{
    int64_t low = 0, high = n * m / 2;

    while (low < high) {
        int64_t middle = high - (high - low) / 2;

        if (two_sided_p((double)(middle - 1), n, m, 0) <= level)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

nuce_status nuce_mann_whitney_shift_interval(const double *a, int64_t a_count, const double *b,
                                             int64_t b_count, double confidence,
                                             struct nuce_interval *out, struct nuce_error *error)
{
    double *sorted_b, *sorted_a = sort_both(a, a_count, b, b_count, &sorted_b, error);
    int64_t rank;

    if (sorted_a == NULL)
        return error->status;
    NUCE_ASSERT(confidence >= 0 && confidence < 1);
    rank = shift_rank(a_count, b_count, (1 - confidence) * (1 + 1e-12)); /* 1 - 0.9 < 0.1 */
    *out = (struct nuce_interval){.low = -INFINITY, .high = INFINITY, .confidence = 1};
    if (rank > 0) {
        out->low = select_difference(sorted_a, a_count, sorted_b, b_count, rank);
        out->high =
            select_difference(sorted_a, a_count, sorted_b, b_count, a_count * b_count + 1 - rank);
        out->confidence = 1 - two_sided_p((double)(rank - 1), a_count, b_count, 0);
    }
    free(sorted_a);
    return NUCE_OK;
}
