/* The speed of a processor for decompositions: cells per second of the same sweep that will run. It
 * is the median of samples that are long enough to include both phases of a throttled processor's
 * period. */
#include "instances/rate.h"

#include <math.h>

#include "base/clock.h"
#include "base/statistics.h"
#include "instances/plane.h"

/* Least and largest number of samples. A 95 % interval of a median requires six; with five it is
 * NaN. */
#define SAMPLES_LEAST 5
#define SAMPLES_MOST 1000
#define CONFIDENCE 0.95

/* The default period after which Linux renews the quota of a process that is limited to a part of a
 * processor (cpu.max, cpu.cfs_period_us). Most sweeps of a node that is slowed so are as fast as
 * those of any other: it is slow between them. */
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

/* The first sample warms up the caches and the clock, and is dropped. */
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
