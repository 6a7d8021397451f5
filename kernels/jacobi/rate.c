#include "rate.h"

#include <math.h>

#include "clock.h"
#include "plane.h"
#include "statistics.h"

#define SAMPLES_LEAST 5
#define SAMPLES_MOST 1000
#define CONFIDENCE 0.95

static double sweep_once(struct nuce_plane *plane, double extra)
{
    double begin = nuce_clock();

    nuce_plane_sweep_slowly(plane, nuce_plane_own(plane), extra);
    nuce_plane_turn(plane);
    return nuce_clock() - begin;
}

/* The interval of the median of sorted rates. */
static struct nuce_rate summarise(const double *rates, int64_t count)
{
    struct nuce_interval interval = nuce_median_interval(rates, count, CONFIDENCE);
    int is_known = interval.confidence >= CONFIDENCE;

    return (struct nuce_rate){.median = nuce_median(rates, count),
                              .low = is_known ? interval.low : NAN,
                              .high = is_known ? interval.high : NAN,
                              .samples = count};
}

nuce_status nuce_rate_measure(const struct nuce_jacobi_ops *jacobi, int64_t side, double extra,
                              double seconds, struct nuce_rate *out, struct nuce_error *error)
{
    double rates[SAMPLES_MOST], begin;
    struct nuce_plane plane;
    int64_t count = 0;

    if (nuce_plane_init(jacobi, side, side, 1, &plane, error) != NUCE_OK)
        return error->status;
    (void)sweep_once(&plane, extra);
    begin = nuce_clock();
    while (count < SAMPLES_LEAST || (count < SAMPLES_MOST && nuce_clock() - begin < seconds)) {
        double took = sweep_once(&plane, extra);

        rates[count++] = (double)side * (double)side / took;
    }
    nuce_plane_fini(&plane);
    nuce_sort(rates, count);
    *out = summarise(rates, count);
    return NUCE_OK;
}
