/* Least squares, weighted, with what is known of clocks beforehand.
 *
 * Of a point the offset is wrong by what the way there and the way back differ. What they always
 * differ by shifts all points alike and leaves the slope as it is; what a round trip took longer
 * than the shortest is what the points scatter by, so that is their standard error here.
 *
 * The slope of a line through a few milliseconds says nothing of the seconds after: an error of
 * 1 us in 10 ms is one of 100 us in a second. Clocks of quartz are known to within DRIFT_BEFORE
 * before anything is measured, so the slope is the most probable one given that (a normal prior:
 * ridge regression). It is nearly none as long as the points lie close together, and that of least
 * squares once they do not. */
#include "run/clock_fit.h"

#include <math.h>

/* Standard deviation of the rates of clocks, of quartz, disciplined or not: 20 to 100 ppm is what
 * their makers promise. */
#define DRIFT_BEFORE 50e-6

/* A point is no better than this part of the shortest round trip, nor than the clock is fine (s).
 */
#define TRIP_SHARE 0.05
#define CLOCK_GRAIN_S 20e-9

/* One standard error of the drift may come to this part of half the shortest round trip: four of
 * them, which hardly ever happens, to all of it. */
#define HOLD_SHARE 0.125

/* So many times as long as the points lie apart a line holds, however little is known. */
#define HOLD_SPANS 0.5

/* And no longer than that (s): rates change, with temperature, and where they are disciplined. */
#define HOLD_MOST_S 2.0

/* Of the shortest round trip. */
static double least_error(const struct nuce_clock_fit *fit)
{
    double least = INFINITY;

    for (int i = 0; i < fit->count; i++)
        least = fmin(least, fit->points[i].error_s);
    return least;
}

/* One over the variance of a point. */
static double point_weight(const struct nuce_clock_point *point, double least_s)
{
    double deviation = point->error_s - least_s + TRIP_SHARE * least_s + CLOCK_GRAIN_S;

    return 1 / (deviation * deviation);
}

/* Sums are of differences from the first point: the local time may be months, and what is sought
 * nanoseconds. */
static void draw_line(struct nuce_clock_fit *fit)
{
    const struct nuce_clock_point *first = &fit->points[0];
    double least_s = least_error(fit);
    double weights = 0, local = 0, ahead = 0, square = 0, product = 0;

    for (int i = 0; i < fit->count; i++) {
        double weight = point_weight(&fit->points[i], least_s);

        weights += weight;
        local += weight * (fit->points[i].local_s - first->local_s);
        ahead += weight * (fit->points[i].ahead_s - first->ahead_s);
    }
    local /= weights;
    ahead /= weights;
    for (int i = 0; i < fit->count; i++) {
        double weight = point_weight(&fit->points[i], least_s);
        double x = fit->points[i].local_s - first->local_s - local;

        square += weight * x * x;
        product += weight * x * (fit->points[i].ahead_s - first->ahead_s - ahead);
    }
    fit->middle_s = first->local_s + local;
    fit->ahead_s = first->ahead_s + ahead;
    square += 1 / (DRIFT_BEFORE * DRIFT_BEFORE);
    fit->drift = product / square;
    fit->drift_error = 1 / sqrt(square);
}

void nuce_clock_fit_add(struct nuce_clock_fit *fit, const struct nuce_clock_point *point)
{
    fit->residual_s =
        fit->count == 0 ? 0 : point->ahead_s - nuce_clock_fit_ahead(fit, point->local_s);
    fit->points[fit->next] = *point;
    fit->next = (fit->next + 1) % NUCE_CLOCK_POINTS;
    if (fit->count < NUCE_CLOCK_POINTS)
        fit->count++;
    draw_line(fit);
}

double nuce_clock_fit_holds(const struct nuce_clock_fit *fit)
{
    const struct nuce_clock_point *first, *last;

    if (fit->count == 0)
        return INFINITY;
    last = nuce_clock_fit_last(fit);
    first = &fit->points[fit->count < NUCE_CLOCK_POINTS ? 0 : fit->next];
    return fmin(HOLD_MOST_S, fmax(HOLD_SHARE * least_error(fit) / fit->drift_error,
                                  HOLD_SPANS * (last->local_s - first->local_s)));
}

/* The shortest of some round trips is the one whose middle is known best, and it is the shortest
 * for good once others have come out alike: what keeps a trip waiting is never twice the same. On
 * an idle network that is so after three or four; where each waits for a processor or for others'
 * messages it may never be so, and time ends it. */

/* So many trips that take no longer than this many times the shortest are alike. */
#define ALIKE_ENOUGH 3
#define ALIKE_RATIO 1.1

/* No more trips after so many seconds, but at least so many: one of them may have waited. The first
 * one does not count, since the other rank may be busy with others for long before. */
#define ENOUGH_S 0.01
#define LEAST 3

static double shortest(const struct nuce_clock_trips *trips)
{
    double least = INFINITY;

    for (int i = 0; i < trips->count; i++)
        least = fmin(least, trips->seconds[i]);
    return least;
}

int nuce_clock_trips_add(struct nuce_clock_trips *trips, double seconds)
{
    double before = shortest(trips);

    trips->seconds[trips->count++] = seconds;
    return seconds < before;
}

int nuce_clock_trips_suffice(const struct nuce_clock_trips *trips)
{
    double least = shortest(trips), spent_s = 0;
    int alike = 0;

    for (int i = 0; i < trips->count; i++) {
        alike += trips->seconds[i] <= ALIKE_RATIO * least;
        spent_s += i == 0 ? 0 : trips->seconds[i];
    }
    return trips->count >= NUCE_CLOCK_TRIPS || alike >= ALIKE_ENOUGH ||
           (trips->count >= LEAST && spent_s >= ENOUGH_S);
}
