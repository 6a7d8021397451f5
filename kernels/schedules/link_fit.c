/* Weighted least squares, y = a + b x, each y with the standard error s: weights 1 / s^2, and the
 * standard errors of a and b that follow from s (Press, Teukolsky, Vetterling and Flannery:
 * "Numerical Recipes", 3rd ed., 15.2). That of B = 1 / b is b's, to first order: B^2 times it.
 *
 * Where the points lie further from the line than s says - a shaper lets the first packets through
 * at once, a protocol changes with the size, the processor is somebody else's for a while - what
 * pushes them off is much the same time at all sizes, and the slope is to be that of the largest:
 * all get a common error t besides, s^2 + t^2, with the least t at which chi^2 is no more than the
 * degrees of freedom (Paule and Mandel: "Consensus values and weighting factors", J. of Research of
 * the National Bureau of Standards 87(5), 1982). */
#include "schedules/link_fit.h"

#include <math.h>

#include "base/statistics.h"

/* A clock that stands still gives 0, which has no relative error. */
#define LEAST_S 1e-9

/* The least standard error of a median of round trips, as a share of it. */
#define LEAST_RELATIVE_ERROR 0.02

/* Of a normal distribution: standard deviation / median absolute deviation, and standard error of a
 * median / that of a mean, sqrt(pi / 2). */
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

/* Where the intercept is not to be fitted. */
struct fit_given {
    double intercept, error;
};

/* common: t^2, the square of the error that all trips share. */
static double link_fit_weight(const struct nuce_trip *trip, double common)
{
    return 1 / (trip->error_s * trip->error_s + common);
}

/* Of the trips about the line: as many as degrees of freedom where errors explain the scatter. */
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

/* Both parameters by weighted least squares, about the weighted mean of the sizes for rounding's
 * sake. */
static struct fit_line fit_both(const struct nuce_trip *trips, int count, double common)
{
    double weights = 0, mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    struct fit_line line;

    for (int k = 0; k < count; k++) {
        weights += link_fit_weight(&trips[k], common);
        mean_x += link_fit_weight(&trips[k], common) * (double)trips[k].bytes;
        mean_y += link_fit_weight(&trips[k], common) * trips[k].seconds;
    }
    mean_x /= weights;
    mean_y /= weights;
    for (int k = 0; k < count; k++) {
        double x = (double)trips[k].bytes - mean_x;

        xx += link_fit_weight(&trips[k], common) * x * x;
        xy += link_fit_weight(&trips[k], common) * x * (trips[k].seconds - mean_y);
    }
    line.slope = xy / xx;
    line.intercept = mean_y - line.slope * mean_x;
    line.slope_error = sqrt(1 / xx);
    line.intercept_error = sqrt(1 / weights + mean_x * mean_x / xx);
    return line;
}

/* The slope alone, through a given intercept. */
static struct fit_line fit_slope(const struct nuce_trip *trips, int count,
                                 const struct fit_given *given, double common)
{
    struct fit_line line = {.intercept = given->intercept, .intercept_error = given->error};
    double xx = 0, xy = 0;

    for (int k = 0; k < count; k++) {
        double x = (double)trips[k].bytes;

        xx += link_fit_weight(&trips[k], common) * x * x;
        xy += link_fit_weight(&trips[k], common) * x * (trips[k].seconds - given->intercept);
    }
    line.slope = xy / xx;
    line.slope_error = sqrt(1 / xx);
    return line;
}

static struct fit_line fit_with(const struct nuce_trip *trips, int count,
                                const struct fit_given *given, double common)
{
    return given == NULL ? fit_both(trips, count, common) : fit_slope(trips, count, given, common);
}

/* Halvings of the interval that the common error's square lies in. */
#define HALVINGS 60

/* The line and the least common error at which chi^2 is no more than the degrees of freedom, by
 * bisection. given: NULL, or the intercept that the line must have. */
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
