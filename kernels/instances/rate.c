/* The speed of a processor as decompositions want it: cells a second of the very sweep that is to
 * be run, median of samples long enough to hold both sides of a throttled processor's period. */
#include "instances/rate.h"

#include <math.h>

#include "base/clock.h"
#include "base/statistics.h"
#include "instances/plane.h"

/* Samples at least and at most. A 95 % interval of a median takes six; of five it is NaN. */
#define SAMPLES_LEAST 5
#define SAMPLES_MOST 1000
#define CONFIDENCE 0.95

/* The period after which Linux gives a process that may use a part of a processor its quota anew
 * (cpu.max, cpu.cfs_period_us), as it is set where nobody sets it. Most sweeps of a slow node that
 * is made so are as fast as those of any other: it is slow between them. */
#define SAMPLE_S 0.1

int64_t nuce_rate_sample(struct nuce_plane *plane, double extra)
{
    double begin = nuce_clock();
    int64_t sweeps = 0;

    do {
        nuce_plane_sweep_slowly(plane, nuce_plane_own(plane), extra);
        nuce_plane_turn(plane);
        sweeps++;
    } while (nuce_clock() - begin < SAMPLE_S);
    return sweeps;
}

/* The first sample warms the caches and the clock up, and is dropped. */
nuce_status nuce_rate_measure(const struct nuce_jacobi_ops *jacobi, int64_t side, double extra,
                              double seconds, struct nuce_rate *out, struct nuce_error *error)
{
    double rates[SAMPLES_MOST], begin, now;
    struct nuce_interval interval;
    struct nuce_plane plane;
    int64_t count = 0;
    int is_known;

    if (nuce_plane_init(jacobi, side, side, 1, &plane, error) != NUCE_OK)
        return error->status;
    nuce_rate_sample(&plane, extra);
    begin = now = nuce_clock();
    while (count < SAMPLES_LEAST || (count < SAMPLES_MOST && now - begin < seconds)) {
        double before = now, sweeps = (double)nuce_rate_sample(&plane, extra);

        now = nuce_clock();
        rates[count++] = sweeps * (double)side * (double)side / (now - before);
    }
    nuce_plane_fini(&plane);
    nuce_statistics_sort(rates, count);
    interval = nuce_statistics_median_interval(rates, count, CONFIDENCE);
    is_known = interval.confidence >= CONFIDENCE;
    *out = (struct nuce_rate){.median = nuce_statistics_median(rates, count),
                              .low = is_known ? interval.low : NAN,
                              .high = is_known ? interval.high : NAN,
                              .samples = count};
    return NUCE_OK;
}
