#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/statistics.h"
#include "bench.h"

#define LEAST_TURNS 5  /* unless the bench says so */
#define MOST_TURNS 201 /* enough for the interval; short benches end by this, long ones by time */

void nuce_bench_samples_fini(struct nuce_bench_samples *samples)
{
    free(samples->ours);
    free(samples->reference);
    *samples = (struct nuce_bench_samples){.count = 0};
}

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Makes VmHWM start again from what is resident now (proc(5): clear_refs, 5). Where that is not
 * allowed the peak covers the whole process so far: too much, never too little. */
static void reset_peak(void)
{
    int descriptor;

    malloc_trim(0);
    descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (descriptor >= 0) {
        (void)!write(descriptor, "5", 1);
        close(descriptor);
    }
}

/* The most memory that was resident, from VmHWM; 0 where there is no /proc. */
static int64_t peak_bytes(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    long long kilobytes = 0;
    char line[256];

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "VmHWM: %lld kB", &kilobytes) == 1)
            break;
    }
    if (file != NULL)
        fclose(file);
    return 1024 * (int64_t)kilobytes;
}

static nuce_status time_one(nuce_status (*run)(void *, struct nuce_error *),
                            const struct nuce_bench_case *what, double units, double *out,
                            struct nuce_error *error)
{
    double start = now_s();
    nuce_status status = run(what->self, error);

    *out = now_s() - start;
    if (what->excluded_s != NULL)
        *out -= *what->excluded_s;
    *out /= units;
    return status;
}

static nuce_status take_turn(const struct nuce_bench *bench, const struct nuce_bench_case *what,
                             struct nuce_bench_samples *out, struct nuce_error *error)
{
    if (time_one(bench->run_ours, what, what->ours_units, &out->ours[out->count], error) !=
            NUCE_OK ||
        time_one(bench->run_reference, what, what->reference_units, &out->reference[out->count],
                 error) != NUCE_OK)
        return error->status;
    out->count++;
    return NUCE_OK;
}

static nuce_status warm_up(const struct nuce_bench *bench, const struct nuce_bench_case *what,
                           struct nuce_bench_samples *out, struct nuce_error *error)
{
    double ignored;

    reset_peak();
    if (time_one(bench->run_ours, what, 1, &ignored, error) != NUCE_OK)
        return error->status;
    out->peak_bytes = what->held_bytes != NULL ? *what->held_bytes
                      : bench->is_command      ? 0
                                               : peak_bytes();
    if (what->reference_bytes != NULL)
        out->reference_bytes = *what->reference_bytes;
    return time_one(bench->run_reference, what, 1, &ignored, error);
}

static nuce_status take_turns(const struct nuce_bench *bench, const struct nuce_bench_case *what,
                              double limit_s, struct nuce_bench_samples *out,
                              struct nuce_error *error)
{
    int64_t least = bench->least_turns > 0 ? bench->least_turns : LEAST_TURNS;
    double start;

    if (bench->is_single)
        return take_turn(bench, what, out, error);
    if (warm_up(bench, what, out, error) != NUCE_OK)
        return error->status;
    start = now_s();
    while (out->count < least || (out->count < MOST_TURNS && now_s() - start < limit_s)) {
        if (take_turn(bench, what, out, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

nuce_status nuce_bench_measure(const struct nuce_bench *bench, double limit_s,
                               struct nuce_bench_samples *out, struct nuce_error *error)
{
    struct nuce_bench_case what = {.self = NULL, .ours_units = 1, .reference_units = 1};
    struct nuce_bench_samples samples = {.count = 0};
    nuce_status status = bench->create(&what, error);

    if (status != NUCE_OK)
        return status;
    samples.ours = nuce_allocate(MOST_TURNS, sizeof *samples.ours);
    samples.reference = nuce_allocate(MOST_TURNS, sizeof *samples.reference);
    status = take_turns(bench, &what, limit_s, &samples, error);
    bench->destroy(what.self);
    if (status == NUCE_OK)
        *out = samples;
    else
        nuce_bench_samples_fini(&samples);
    return status;
}

static struct nuce_bench_estimate estimate(double *values, int64_t count)
{
    struct nuce_bench_estimate result;
    struct nuce_interval interval;

    nuce_statistics_sort(values, count);
    interval = nuce_statistics_median_interval(values, count, 0.95);
    result.median = nuce_statistics_median(values, count);
    result.low = interval.low;
    result.high = interval.high;
    return result;
}

void nuce_bench_evaluate(const struct nuce_bench *bench, const struct nuce_bench_samples *samples,
                         struct nuce_bench_result *out)
{
    double *values = nuce_allocate(samples->count, sizeof *values);

    *out = (struct nuce_bench_result){.bench = bench, .turns = samples->count};
    for (int64_t i = 0; i < samples->count; i++)
        values[i] = samples->ours[i] / samples->reference[i];
    out->ratio = estimate(values, samples->count);
    memcpy(values, samples->ours, (size_t)samples->count * sizeof *values);
    out->ours = estimate(values, samples->count);
    memcpy(values, samples->reference, (size_t)samples->count * sizeof *values);
    out->reference = estimate(values, samples->count);
    out->peak_bytes = samples->peak_bytes;
    out->reference_bytes = samples->reference_bytes;
    out->met = (bench->budget_s <= 0 || out->ours.median <= bench->budget_s) &&
               (bench->budget_ratio <= 0 || out->ratio.median <= bench->budget_ratio) &&
               (bench->budget_bytes == 0 || out->peak_bytes <= bench->budget_bytes);
    free(values);
}
