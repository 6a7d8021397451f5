/* The computations of the calibration: fans of ports and fits of links. */
#include <math.h>

#include "base/statistics.h"
#include "schedules/fan.h"
#include "schedules/link_fit.h"

/* A fan distinguishes a port from its paths. One rank exchanges with d partners at once, with
 * messages so long that on independent paths all would end together. A port that cannot carry their
 * sum makes the fan take longer. */

/* Duration of a fan of one partner, in seconds. A fan of d partners takes sqrt(d) times that if the
 * port is the limit and all pairs are alike, 1 / sqrt(d) times if paths are independent. It is far
 * above a clock's resolution and a startup, which are microseconds. */
#define FAN_S 0.06

/* Largest ratio of the bandwidths of a fan's pairs. Beyond it the messages of the slowest would get
 * too short to measure, so those of the fastest are cut instead. */
#define SPREAD 16

/* Independent paths would give at least this share of their summed bandwidths. With less, the port
 * is known to be the limit. */
#define INDEPENDENT 0.9

/* Degrees double: log2(ranks) fans, instead of ranks, find the degree at which a port fills up to a
 * factor of 2. */
int nuce_fan_degrees(int ranks, int degrees[NUCE_FAN_DEGREES_MOST])
{
    int count = 0;

    for (int degree = 1; degree < ranks - 1; degree *= 2)
        degrees[count++] = degree;
    degrees[count++] = ranks - 1;
    return count;
}

int nuce_fan_partner(const struct nuce_fan *fan, int index, int ranks)
{
    int64_t distance = 1 + (int64_t)index * (ranks - 1) / fan->degree;

    return (int)((fan->centre + distance) % ranks);
}

/* Bandwidth of the pair of the centre and partner number index. */
static double fan_bandwidth(const struct nuce_network *network, const struct nuce_fan *fan,
                            int index)
{
    int partner = nuce_fan_partner(fan, index, network->ranks);

    return fan->is_out ? nuce_network_bandwidth(network, fan->centre, partner)
                       : nuce_network_bandwidth(network, partner, fan->centre);
}

/* Sizes are in proportion to bandwidths first. Then one factor shrinks them all if their sum
 * exceeds NUCE_FAN_TOTAL x largest. Each message has at least a byte. */
void nuce_fan_sizes(const struct nuce_network *network, const struct nuce_fan *fan, int64_t largest,
                    int64_t *bytes)
{
    double least = INFINITY, most = 0, seconds, total = 0, share;

    /* Seconds for each message by itself: FAN_S / sqrt(degree), reduced so that the longest one is
     * at most `largest`, unless the shortest were then less than 1 / SPREAD of it. */
    for (int k = 0; k < fan->degree; k++) {
        double rate = fan_bandwidth(network, fan, k);

        least = fmin(least, rate);
        most = fmax(most, rate);
    }
    seconds = fmin(FAN_S / sqrt(fan->degree),
                   fmax((double)largest / most, (double)largest / SPREAD / least));
    for (int k = 0; k < fan->degree; k++)
        total += fmin(fan_bandwidth(network, fan, k) * seconds, (double)largest);
    share = fmin(1, NUCE_FAN_TOTAL * (double)largest / total);
    for (int k = 0; k < fan->degree; k++)
        bytes[k] = (int64_t)fmax(
            1, share * fmin(fan_bandwidth(network, fan, k) * seconds, (double)largest));
}

/* A trip is there and back: twice the startup, as the empty answer has one too. The least startup
 * is subtracted for the rate, since no byte can have passed the port before. */
struct nuce_fan_result nuce_fan_judge(const struct nuce_network *network,
                                      const struct nuce_fan *fan, const int64_t *bytes,
                                      double seconds)
{
    double one_by_one = 0, longest = 0, empty = INFINITY, total = 0;

    for (int k = 0; k < fan->degree; k++) {
        int partner = nuce_fan_partner(fan, k, network->ranks);
        double empty_trip = 2 * (fan->is_out ? nuce_network_startup(network, fan->centre, partner)
                                             : nuce_network_startup(network, partner, fan->centre));
        double trip = empty_trip + (double)bytes[k] / fan_bandwidth(network, fan, k);

        one_by_one += trip;
        longest = fmax(longest, trip);
        empty = fmin(empty, empty_trip);
        total += (double)bytes[k];
    }
    return (struct nuce_fan_result){.degree = fan->degree,
                                    .gain = one_by_one / seconds,
                                    .free = one_by_one / longest,
                                    .rate = seconds > empty ? total / (seconds - empty) : INFINITY};
}

/* A fan of degree 1 compares a pair with itself and shows nothing. The best rate of all fans
 * counts: one that takes too long (a lost packet, a neighbour's traffic) is not a limit of the
 * port. */
double nuce_fan_port(const struct nuce_fan_result *results, int count, double pair)
{
    const struct nuce_fan_result *all = &results[count - 1];
    double best = pair;

    if (all->degree < 2 || !(all->gain < INDEPENDENT * all->free))
        return INFINITY;
    for (int k = 0; k < count; k++)
        best = fmax(best, results[k].rate);
    return best;
}

/* Weighted least squares, y = a + b x, each y with the standard error s and the weight 1 / s^2. The
 * standard errors of a and b follow from s (Press, Teukolsky, Vetterling and Flannery: "Numerical
 * Recipes", 3rd ed., 15.2). The error of B = 1 / b is, to first order, B^2 times that of b.
 *
 * Points may lie further from the line than s explains. A shaper may let the first packets through
 * at once, a protocol may change with the size, or another process may use the processor for a
 * while. Such a deviation is much the same time at all sizes, and the slope should be that of the
 * largest. So all points get an additional common error t, s^2 + t^2. t is the least at which chi^2
 * is at most the degrees of freedom (Paule and Mandel: "Consensus values and weighting factors", J.
 * of Research of the National Bureau of Standards 87(5), 1982). */

/* A time that the clock cannot resolve is 0, which has no relative error. */
#define LEAST_S 1e-9

/* The least standard error of a median of round trips, as a share of it. */
#define LEAST_RELATIVE_ERROR 0.02

/* For a normal distribution: standard deviation / median absolute deviation, and standard error of
 * a median / that of a mean, sqrt(pi / 2). */
#define DEVIATIONS 1.4826
#define MEDIAN_TO_MEAN 1.2533

struct nuce_trip nuce_trip_summarise(int64_t bytes, double *seconds, int count)
{
    double median, error;

    nuce_statistics_sort(seconds, count);
    median = fmax(nuce_statistics_median(seconds, count), LEAST_S);
    for (int k = 0; k < count; k++)
        seconds[k] = fabs(seconds[k] - median);
    nuce_statistics_sort(seconds, count);
    error = MEDIAN_TO_MEAN * DEVIATIONS * nuce_statistics_median(seconds, count) / sqrt(count);
    return (struct nuce_trip){bytes, median, fmax(error, LEAST_RELATIVE_ERROR * median)};
}

/* seconds = intercept + slope x bytes. */
struct fit_line {
    double intercept, slope;
    double intercept_error, slope_error; /* NaN: unknown */
};

/* An intercept that is given instead of fitted. */
struct fit_given {
    double intercept, error;
};

/* common: t^2, the square of the error that all trips share. */
static double link_fit_weight(const struct nuce_trip *trip, double common)
{
    return 1 / (trip->error_s * trip->error_s + common);
}

/* The chi^2 of the trips about the line. It equals the degrees of freedom if the errors explain the
 * scatter. */
static double chi_square(const struct nuce_trip *trips, int count, const struct fit_line *line,
                         double common)
{
    double sum = 0;

    for (int k = 0; k < count; k++) {
        double residual = trips[k].seconds - line->intercept - line->slope * (double)trips[k].bytes;

        sum += link_fit_weight(&trips[k], common) * residual * residual;
    }
    return sum;
}

/* Weighted least squares about the weighted mean of the sizes, to reduce rounding errors. given not
 * NULL: the slope alone, through that intercept. */
static struct fit_line fit_with(const struct nuce_trip *trips, int count,
                                const struct fit_given *given, double common)
{
    double weights = 0, mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    struct fit_line line;

    for (int k = 0; given == NULL && k < count; k++) {
        weights += link_fit_weight(&trips[k], common);
        mean_x += link_fit_weight(&trips[k], common) * (double)trips[k].bytes;
        mean_y += link_fit_weight(&trips[k], common) * trips[k].seconds;
    }
    mean_x = given == NULL ? mean_x / weights : 0;
    mean_y = given == NULL ? mean_y / weights : given->intercept;
    for (int k = 0; k < count; k++) {
        double x = (double)trips[k].bytes - mean_x;

        xx += link_fit_weight(&trips[k], common) * x * x;
        xy += link_fit_weight(&trips[k], common) * x * (trips[k].seconds - mean_y);
    }
    line.slope = xy / xx;
    line.slope_error = sqrt(1 / xx);
    line.intercept = given == NULL ? mean_y - line.slope * mean_x : given->intercept;
    line.intercept_error = given == NULL ? sqrt(1 / weights + mean_x * mean_x / xx) : given->error;
    return line;
}

/* Halvings of the interval of the common error's square. */
#define HALVINGS 60

/* The line and the least common error at which chi^2 is at most the degrees of freedom, by
 * bisection. given: NULL, or the intercept of the line. */
static struct fit_line link_fit_line(const struct nuce_trip *trips, int count,
                                     const struct fit_given *given)
{
    struct fit_line line = fit_with(trips, count, given, 0);
    int freedom = count - (given == NULL ? 2 : 1);
    double low = 0, high = 0;

    if (freedom < 1 || chi_square(trips, count, &line, 0) <= freedom)
        return line;
    for (int k = 0; k < count; k++)
        high = fmax(high, trips[k].seconds * trips[k].seconds);
    high *= count;
    for (int k = 0; k < HALVINGS; k++) {
        double middle = (low + high) / 2;

        line = fit_with(trips, count, given, middle);
        if (chi_square(trips, count, &line, middle) <= freedom)
            high = middle;
        else
            low = middle;
    }
    return fit_with(trips, count, given, high);
}

struct nuce_link nuce_link_fit(const struct nuce_trip *trips, int count)
{
    const struct fit_given none = {0, NAN}, smallest = {trips[0].seconds, trips[0].error_s};
    const struct nuce_trip *last = &trips[count - 1];
    struct fit_line line = link_fit_line(trips, count, NULL);

    if (line.intercept < 0)
        line = link_fit_line(trips, count, &none);
    else if (line.intercept > smallest.intercept)
        line = link_fit_line(trips, count, &smallest);
    if (!(line.slope > line.slope_error))
        return (struct nuce_link){.startup_s = trips[0].seconds / 2,
                                  .startup_error_s = NAN,
                                  .bandwidth = (double)last->bytes / last->seconds,
                                  .bandwidth_error = NAN};
    return (struct nuce_link){.startup_s = line.intercept / 2,
                              .startup_error_s = line.intercept_error / 2,
                              .bandwidth = 1 / line.slope,
                              .bandwidth_error = line.slope_error / line.slope / line.slope};
}
