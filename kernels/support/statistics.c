/* Order statistics: median, quantiles, and the median's interval from the binomial distribution,
 * which asks nothing of how samples are distributed. */
#include "support/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocate.h"

static int statistics_compare(const void *left, const void *right)
{
    double a, b;

    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    return (a > b) - (a < b);
}

void nuce_statistics_sort(double *values, int64_t count)
{
    NUCE_ASSERT(count >= 0);
    if (count > 1)
        qsort(values, (size_t)count, sizeof *values, statistics_compare);
}

double nuce_statistics_quantile(const double *sorted, int64_t count, double q)
{
    double position;
    int64_t index;

    NUCE_ASSERT(count > 0 && q >= 0 && q <= 1);
    position = (double)(count - 1) * q;
    index = (int64_t)position;
    if (index + 1 >= count)
        return sorted[count - 1];
    return sorted[index] + (position - (double)index) * (sorted[index + 1] - sorted[index]);
}

double nuce_statistics_median(const double *sorted, int64_t count)
{
    return nuce_statistics_quantile(sorted, count, 0.5);
}

/* Terms of the binomial distribution below this fraction of the middle one are left out: far less
 * than the rounding of a confidence level. */
#define NEGLIGIBLE 1e-40

/* The largest r for which 1 - 2 P(B(count, 1/2) < r) is at least confidence, at least 1; *reached
 * is that probability. The terms are taken relative to the middle one, each from its neighbour,
 * and divided by their sum: no factorial, no logarithm, no overflow, about 7 sqrt(count) terms. */
static int64_t interval_rank(int64_t count, double confidence, double *reached)
{
    int64_t k = count / 2;
    double term = 1, total = count % 2 == 0 ? -1 : 0; /* an even count has one middle term */
    double tail, below;
    int64_t rank;

    for (;;) {
        double next = term * (double)k / (double)(count - k + 1);

        total += 2 * term;
        if (k == 0 || next < NEGLIGIBLE)
            break;
        term = next;
        k--;
    }
    /* Back towards the middle: tail = P(B <= k), below = P(B < rank). */
    tail = below = term / total;
    rank = k + 1;
    while (rank <= (count - 1) / 2) {
        k++;
        term *= (double)(count - k + 1) / (double)k;
        tail += term / total;
        if (1 - 2 * tail < confidence)
            break;
        below = tail;
        rank = k + 1;
    }
    *reached = 1 - 2 * below;
    return rank;
}

struct nuce_interval nuce_statistics_median_interval(const double *sorted, int64_t count,
                                                     double confidence)
{
    struct nuce_interval interval;
    int64_t rank;

    NUCE_ASSERT(count > 0 && confidence >= 0 && confidence < 1);
    rank = interval_rank(count, confidence, &interval.confidence);
    interval.low = sorted[rank - 1];
    interval.high = sorted[count - rank];
    return interval;
}

/* Hill's Algorithm 396 ("Student's t-quantiles", Communications of the ACM 13(10), 1970) for a
 * two-tailed probability of 0.05; its expansion is good to six figures and more from 3 degrees of
 * freedom on, and 1 and 2 have closed forms. */
double nuce_statistics_student_95(int64_t degrees)
{
    static const double p = 0.05, pi = 3.14159265358979323846, normal = -1.959963984540054;
    double n = (double)degrees, a, b, c, d, x = normal, y;

    NUCE_ASSERT(degrees > 0);
    if (degrees == 1)
        return 1 / tan(p * pi / 2);
    if (degrees == 2)
        return sqrt(2 / (p * (2 - p)) - 2);
    a = 1 / (n - 0.5);
    b = 48 / (a * a);
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36;
    d = ((94.5 / (b + c) - 3) / b + 1) * sqrt(a * pi / 2) * n;
    y = pow(d * p, 2 / n);
    if (y > 0.05 + a) {
        y = x * x;
        if (degrees < 5)
            c += 0.3 * (n - 4.5) * (x + 0.6);
        c += (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b;
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
        y = expm1(a * y * y);
    } else {
        y = ((1 / (((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)) * y -
             1) *
                (n + 1) / (n + 2) +
            1 / y;
    }
    return sqrt(n * y);
}
