/* Order statistics: median, quantiles, and the median's interval from the binomial distribution,
 * which asks nothing of how samples are distributed. */
#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* No NaN is asked for by the header: with one this would be no order, and qsort may do anything. */
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

/* P(|T| <= t) of Student's distribution: the finite series of Abramowitz and Stegun, "Handbook of
 * Mathematical Functions", 26.7.3 and 26.7.4, whose terms fall by more than cos^2 each. */
static double student_within(double t, int64_t degrees)
{
    static const double pi = 3.14159265358979323846;
    double angle = atan(t / sqrt((double)degrees)), cosine = cos(angle);
    int odd = degrees % 2 == 1;
    double term = odd ? cosine : 1, sum = degrees > 1 ? term : 0;

    for (int64_t k = odd ? 3 : 2; k < degrees && term > 0; k += 2) {
        term *= (double)(k - 1) / (double)k * cosine * cosine;
        sum += term;
    }
    sum *= sin(angle);
    return odd ? 2 / pi * (angle + sum) : sum;
}

/* Of so many degrees of freedom the quantiles differ from those of infinitely many by less than
 * 1e-5 of themselves, and the series gets long. */
#define STUDENT_MOST 100000

/* Bisection on student_within, which grows with t, until no double is left between the ends: some
 * 55 steps for usual confidences, some 1 100 for 0, of at most STUDENT_MOST / 2 terms each. The
 * first loop also ends where confidence is out of reach in doubles. */
double nuce_statistics_student(int64_t degrees, double confidence)
{
    int64_t taken = degrees < STUDENT_MOST ? degrees : STUDENT_MOST;
    double low = 0, high = 1;

    NUCE_ASSERT(degrees > 0 && confidence >= 0 && confidence < 1);
    while (student_within(high, taken) < confidence && high < 1e300)
        high *= 2;
    while ((low + high) / 2 > low && (low + high) / 2 < high) {
        double middle = (low + high) / 2;

        if (student_within(middle, taken) < confidence)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double nuce_statistics_student_beyond(double t, int64_t degrees)
{
    int64_t taken = degrees < STUDENT_MOST ? degrees : STUDENT_MOST;

    NUCE_ASSERT(degrees > 0 && !isnan(t));
    return fmax(0, 1 - student_within(fabs(t), taken));
}
