/* The measured loop. A sample is sync -> stamp -> step -> stamp on each rank by itself, and the
 * longest of these durations over the ranks: each rank's clock starts when it leaves the barrier,
 * so how far apart the ranks leave it is not part of the sample, and no clocks are compared between
 * ranks. Ranks agree on maxima and on going on after batches, never within one. */
#include "measure/sampling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/fault.h"
#include "support/allocate.h"
#include "support/statistics.h"
#include "support/text.h"

#define CONFIDENCE 0.95

/* Ranks talk about going on after a batch of samples, not after each: no batch is to last longer
 * than this (seconds, estimated), so that a signal is answered soon. */
#define BATCH_S 1.0
#define BATCH_MOST 256

void nuce_samples_fini(struct nuce_samples *samples)
{
    free(samples->seconds);
    free(samples->of_rank);
    memset(samples, 0, sizeof *samples);
}

/* What one call of nuce_sampling_run works on. */
struct sampler {
    struct nuce_world *world;
    const struct nuce_workload_run *run;
    void *self;
    const struct nuce_measure *measure;
    const struct nuce_run_info *info;
    const _Atomic int *interrupted;
    struct nuce_samples *samples;
    double estimate_s; /* of a step with its barrier */
    double begun;      /* this rank's clock at the first sample */
    double *sorted;    /* scratch: measure->max values */
};

/* One sample of this rank: its own duration from its exit from the barrier to the end of its step,
 * and the parts of it that step filled. */
static void take_sample(struct sampler *sampler, double parts[NUCE_SAMPLE_PARTS])
{
    double begin;

    if (sampler->run->prepare != NULL)
        sampler->run->prepare(sampler->self);
    nuce_world_barrier(sampler->world);
    begin = nuce_clock();
    sampler->run->step(sampler->self, parts);
    nuce_fault_after_step(begin, parts);
    parts[NUCE_PART_STEP] = nuce_clock() - begin;
}

static nuce_status warm_up(struct sampler *sampler)
{
    int64_t steps = sampler->measure->warmup > 1 ? sampler->measure->warmup : 1;

    for (int64_t i = 0; i < steps; i++) {
        double parts[NUCE_SAMPLE_PARTS] = {0};
        double begin = nuce_clock();
        double agreed[3];

        take_sample(sampler, parts);
        agreed[0] = parts[NUCE_PART_STEP];
        agreed[1] = nuce_clock() - begin;
        agreed[2] = atomic_load(sampler->interrupted);
        nuce_world_maximum(sampler->world, agreed, 3);
        if (i == 0)
            sampler->samples->first_s = agreed[0];
        sampler->estimate_s = agreed[1];
        if (agreed[2] > 0)
            return NUCE_INTERRUPTED;
    }
    return NUCE_OK;
}

static int64_t sampling_smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* How many samples to take before the ranks talk again; the same on all ranks. */
static int64_t batch_size(const struct sampler *sampler, double elapsed_s)
{
    const struct nuce_measure *measure = sampler->measure;
    int64_t count = sampler->samples->count;
    int64_t wanted = count < measure->min ? measure->min - count : count / 2 + 1;
    double room_s = fmin(BATCH_S, measure->limit - elapsed_s);
    double fit = sampler->estimate_s > 0 ? room_s / sampler->estimate_s : BATCH_MOST;

    wanted = sampling_smaller(sampling_smaller(wanted, BATCH_MOST), measure->max - count);
    return fit < 1 ? 1 : sampling_smaller(wanted, (int64_t)fmin(fit, BATCH_MOST));
}

static nuce_status keep_ranks(struct sampler *sampler, const double *batch, int64_t count,
                              struct nuce_error *error)
{
    struct nuce_samples *samples = sampler->samples;
    int size = sampler->world->size;
    double steps[BATCH_MOST];
    nuce_status status = NUCE_OK;

    for (int64_t i = 0; i < count; i++)
        steps[i] = batch[i * NUCE_SAMPLE_PARTS + NUCE_PART_STEP];
    if (sampler->world->rank == 0)
        status = nuce_allocate_more((void **)&samples->of_rank, &samples->of_rank_capacity,
                                    (samples->count + count) * size, sizeof(double), error);
    if (nuce_world_agree(sampler->world, status, error) != NUCE_OK)
        return error->status;
    nuce_world_gather(sampler->world, steps, (int)count,
                      sampler->world->rank == 0 ? samples->of_rank + samples->count * size : NULL);
    return NUCE_OK;
}

struct batch_end {
    double elapsed_s;
    int interrupted;
};

static nuce_status take_batch(struct sampler *sampler, int64_t count, struct batch_end *end,
                              struct nuce_error *error)
{
    struct nuce_samples *samples = sampler->samples;
    double batch[BATCH_MOST * NUCE_SAMPLE_PARTS + 3];
    double *tail = batch + count * NUCE_SAMPLE_PARTS;
    double begin = nuce_clock();

    memset(batch, 0, sizeof batch);
    for (int64_t i = 0; i < count; i++)
        take_sample(sampler, batch + i * NUCE_SAMPLE_PARTS);
    if (sampler->measure->per_rank && keep_ranks(sampler, batch, count, error) != NUCE_OK)
        return error->status;
    tail[0] = (nuce_clock() - begin) / (double)count;
    tail[1] = nuce_clock() - sampler->begun;
    tail[2] = atomic_load(sampler->interrupted);
    nuce_world_maximum(sampler->world, batch, (int)(count * NUCE_SAMPLE_PARTS + 3));
    memcpy(samples->seconds + samples->count * NUCE_SAMPLE_PARTS, batch,
           (size_t)(count * NUCE_SAMPLE_PARTS) * sizeof(double));
    samples->count += count;
    sampler->estimate_s = tail[0];
    *end = (struct batch_end){.elapsed_s = tail[1], .interrupted = tail[2] > 0};
    return NUCE_OK;
}

/* Whether both ends of the median's interval are within ci of it. */
static int is_known_well(struct sampler *sampler)
{
    const struct nuce_samples *samples = sampler->samples;
    struct nuce_interval interval;
    double median, reach;

    for (int64_t i = 0; i < samples->count; i++)
        sampler->sorted[i] = samples->seconds[i * NUCE_SAMPLE_PARTS + sampler->info->criterion];
    nuce_statistics_sort(sampler->sorted, samples->count);
    median = nuce_statistics_median(sampler->sorted, samples->count);
    interval = nuce_statistics_median_interval(sampler->sorted, samples->count, CONFIDENCE);
    reach = fmax(interval.high - median, median - interval.low);
    return interval.confidence >= CONFIDENCE && reach <= sampler->measure->ci * median;
}

static const char *sampling_verdict(struct sampler *sampler, double elapsed_s)
{
    const struct nuce_measure *measure = sampler->measure;
    int64_t count = sampler->samples->count;

    if (count >= measure->min && is_known_well(sampler))
        return "ci";
    if (count >= measure->max)
        return "max";
    return elapsed_s >= measure->limit ? "limit" : NULL;
}

static nuce_status take_samples(struct sampler *sampler, struct nuce_error *error)
{
    struct batch_end end = {0};

    sampler->begun = nuce_clock();
    while (sampler->samples->stopped == NULL) {
        if (take_batch(sampler, batch_size(sampler, end.elapsed_s), &end, error) != NUCE_OK)
            return error->status;
        if (end.interrupted)
            return nuce_error_set(
                error, NUCE_INTERRUPTED, "interrupted by a signal after %lld sample%s",
                (long long)sampler->samples->count, nuce_text_plural(sampler->samples->count));
        sampler->samples->stopped = sampling_verdict(sampler, end.elapsed_s);
    }
    return NUCE_OK;
}

static nuce_status sampling_check(struct sampler *sampler, uint64_t salt, struct nuce_error *error)
{
    nuce_status mine = sampler->run->verify(sampler->self, salt, error);

    return nuce_world_agree(sampler->world, mine, error);
}

static nuce_status sampling_reserve(struct sampler *sampler, struct nuce_error *error)
{
    int64_t most = sampler->measure->max;
    nuce_status status =
        nuce_allocate_more((void **)&sampler->samples->seconds, &sampler->samples->capacity,
                           most * NUCE_SAMPLE_PARTS, sizeof(double), error);

    sampler->sorted = NULL;
    if (status == NUCE_OK) {
        sampler->sorted = nuce_allocate(most, sizeof(double), error);
        status = sampler->sorted == NULL ? error->status : NUCE_OK;
    }
    return nuce_world_agree(sampler->world, status, error);
}

nuce_status nuce_sampling_run(struct nuce_world *world, const struct nuce_workload_run *run,
                              void *self, const struct nuce_measure *measure,
                              const struct nuce_run_info *info, struct nuce_counters *counters,
                              const _Atomic int *interrupted, struct nuce_samples *samples,
                              struct nuce_error *error)
{
    struct sampler sampler = {.world = world,
                              .run = run,
                              .self = self,
                              .measure = measure,
                              .info = info,
                              .interrupted = interrupted,
                              .samples = samples};
    nuce_status status;

    samples->first_s = NAN;
    status = sampling_reserve(&sampler, error);
    if (status == NUCE_OK) {
        status = warm_up(&sampler);
        if (status == NUCE_INTERRUPTED)
            (void)nuce_error_set(error, status, "interrupted by a signal while warming up");
    }
    if (status == NUCE_OK)
        status = sampling_check(&sampler, 1, error);
    nuce_counters_reset(counters);
    if (status == NUCE_OK)
        status = take_samples(&sampler, error);
    nuce_counters_sum(counters, world);
    if (status == NUCE_OK)
        status = sampling_check(&sampler, 2, error);
    free(sampler.sorted);
    return status;
}
