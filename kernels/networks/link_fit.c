/* Weighted least squares, y = a + b x, each y with the standard error s: weights 1 / s^2, and the
 * standard errors of a and b that follow from s (Press, Teukolsky, Vetterling and Flannery:
 * "Numerical Recipes", 3rd ed., 15.2). Where the points lie further from the line than s says, by
 * chi^2 / (degrees of freedom) above 1, the errors grow by its root (as the Particle Data Group
 * does: "Review of Particle Physics", 5.2.2). That of B = 1 / b is b's, to first order: B^2 times
 * it. */
#include "link_fit.h"

#include <math.h>

#include "statistics.h"

/* A clock that stands still gives 0, which has no relative error. */
#define LEAST_S 1e-9

#define LEAST_RELATIVE_ERROR 0.02

/* Of a normal distribution: standard deviation / median absolute deviation, and standard error of a
 * median / that of a mean, sqrt(pi / 2). */
#define DEVIATIONS 1.4826
#define MEDIAN_TO_MEAN 1.2533

struct nuce_trip nuce_trip_summarise(int64_t bytes, double *seconds, int count)
{
    double median, error;

    nuce_sort(seconds, count);
    median = fmax(nuce_median(seconds, count), LEAST_S);
    for (int k = 0; k < count; k++)
        seconds[k] = fabs(seconds[k] - median);
    nuce_sort(seconds, count);
    error = MEDIAN_TO_MEAN * DEVIATIONS * nuce_median(seconds, count) / sqrt(count);
    return (struct nuce_trip){bytes, median, fmax(error, LEAST_RELATIVE_ERROR * median)};
}

struct line {
    double intercept, slope;
    double intercept_error, slope_error; /* NaN: unknown */
};

static double weight(const struct nuce_trip *trip)
{
    return 1 / (trip->error_s * trip->error_s);
}

/* By how much the scatter about the line makes errors grow. */
static double growth(const struct nuce_trip *trips, int count, const struct line *line,
                     int parameters)
{
    double sum = 0;

    for (int k = 0; k < count; k++) {
        double residual = trips[k].seconds - line->intercept - line->slope * (double)trips[k].bytes;

        sum += weight(&trips[k]) * residual * residual;
    }
    return count > parameters ? fmax(1, sqrt(sum / (count - parameters))) : 1;
}

static struct line fit(const struct nuce_trip *trips, int count)
{
    double weights = 0, mean_x = 0, mean_y = 0, xx = 0, xy = 0, more;
    struct line line;

    for (int k = 0; k < count; k++) {
        weights += weight(&trips[k]);
        mean_x += weight(&trips[k]) * (double)trips[k].bytes;
        mean_y += weight(&trips[k]) * trips[k].seconds;
    }
    mean_x /= weights;
    mean_y /= weights;
    for (int k = 0; k < count; k++) {
        double x = (double)trips[k].bytes - mean_x;

        xx += weight(&trips[k]) * x * x;
        xy += weight(&trips[k]) * x * (trips[k].seconds - mean_y);
    }
    line.slope = xy / xx;
    line.intercept = mean_y - line.slope * mean_x;
    more = growth(trips, count, &line, 2);
    line.slope_error = more * sqrt(1 / xx);
    line.intercept_error = more * sqrt(1 / weights + mean_x * mean_x / xx);
    return line;
}

/* The best line without a startup. */
static struct line fit_through_origin(const struct nuce_trip *trips, int count)
{
    double xx = 0, xy = 0;
    struct line line = {.intercept_error = NAN};

    for (int k = 0; k < count; k++) {
        double x = (double)trips[k].bytes;

        xx += weight(&trips[k]) * x * x;
        xy += weight(&trips[k]) * x * trips[k].seconds;
    }
    line.slope = xy / xx;
    line.slope_error = growth(trips, count, &line, 1) * sqrt(1 / xx);
    return line;
}

struct nuce_link nuce_link_fit(const struct nuce_trip *trips, int count)
{
    struct line line = fit(trips, count);
    const struct nuce_trip *last = &trips[count - 1];

    if (!(line.slope > line.slope_error))
        return (struct nuce_link){.startup_s = trips[0].seconds / 2,
                                  .startup_error_s = NAN,
                                  .bandwidth = (double)last->bytes / last->seconds,
                                  .bandwidth_error = NAN};
    if (line.intercept < 0)
        line = fit_through_origin(trips, count);
    return (struct nuce_link){.startup_s = line.intercept / 2,
                              .startup_error_s = line.intercept_error / 2,
                              .bandwidth = 1 / line.slope,
                              .bandwidth_error = line.slope_error / line.slope / line.slope};
}
