/* Ratios round by round.
 *
 * For one launch: the median of the ratios of its rounds, with an interval for how well this launch
 * knows its own median. Over launches: the mean of their logarithms, by Student's t. O(n log n) in
 * rounds for the sorting, O(1) memory: the ratios overwrite the contender's times. */
#include "base/race_ratio.h"

#include <math.h>

#include "base/statistics.h"

/* Confidence of all intervals. 1 - it is the size of tests before their correction for the number
 * of rivals. */
#define CONFIDENCE 0.95

/* Quantile of the normal distribution: a mean is below this many standard errors four times in
 * five. */
#define FOUR_IN_FIVE 0.8416

/* With too few rounds for 95 % (fewer than 6) the range of all ratios would be an interval of less
 * confidence. It is not given. */
struct nuce_race_ratio nuce_race_ratio(double *own, const double *reference, int64_t count)
{
    struct nuce_race_ratio found = {.ratio = NAN, .low = NAN, .high = NAN};
    struct nuce_interval interval;

    for (int64_t i = 0; i < count; i++) {
        double ratio = own[i] / reference[i];

        if (isfinite(ratio) && ratio > 0)
            own[found.rounds++] = ratio;
    }
    if (found.rounds == 0)
        return found;
    nuce_statistics_sort(own, found.rounds);
    found.ratio = nuce_statistics_median(own, found.rounds);
    interval = nuce_statistics_median_interval(own, found.rounds, CONFIDENCE);
    if (interval.confidence >= CONFIDENCE) {
        found.low = interval.low;
        found.high = interval.high;
    }
    return found;
}

struct nuce_launches_mean nuce_race_over_launches(const double *logarithms, int64_t count)
{
    struct nuce_launches_mean found = {.error = NAN, .reach = NAN};
    double squares = 0;

    for (int64_t i = 0; i < count; i++)
        found.mean += logarithms[i] / (double)count;
    for (int64_t i = 0; i < count; i++)
        squares += (logarithms[i] - found.mean) * (logarithms[i] - found.mean);
    if (count < 2)
        return found;
    found.error = sqrt(squares / (double)(count - 1) / (double)count);
    found.reach = nuce_statistics_student(count - 1, CONFIDENCE) * found.error;
    return found;
}

int nuce_race_side(double mean, double reach, double noise)
{
    if (fabs(mean) <= reach || fabs(mean) <= noise)
        return 0;
    return mean > 0 ? 1 : -1;
}

/* Critical value of a test with that many rivals, in standard errors of the mean of that many
 * launches. */
static double needed_errors(int64_t launches, int64_t rivals)
{
    return nuce_statistics_student(launches - 1, 1 - (1 - CONFIDENCE) / (double)rivals);
}

int nuce_race_is_slower(int64_t launches, double mean, double error, int64_t rivals, double noise)
{
    return mean > needed_errors(launches, rivals) * error && mean > noise;
}

/* Tries one number after another, at most NUCE_RACE_MOST_LAUNCHES: the required t falls with more
 * launches, so there is no closed form. */
int64_t nuce_race_launches_needed(int64_t launches, double mean, double error, int64_t rivals,
                                  double noise)
{
    for (int64_t n = launches; n <= NUCE_RACE_MOST_LAUNCHES; n++) {
        double shrunk = sqrt((double)launches / (double)n);

        if (mean > (needed_errors(n, rivals) + FOUR_IN_FIVE) * error * shrunk &&
            mean > noise * shrunk)
            return n;
    }
    return 0;
}
