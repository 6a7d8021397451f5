/* The measured loop. A sample is sync -> stamp -> step -> stamp on each rank by itself, and the
 * longest of these durations over the ranks: each rank's clock starts when it leaves the barrier,
 * so how far apart the ranks leave it is not part of the sample, and no clocks are compared between
 * ranks. Ranks agree on maxima and on going on after batches of rounds, never within one. */
#include "measure/sampling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/fault.h"
#include "support/allocate.h"
#include "support/int.h"
#include "support/rng.h"
#include "support/statistics.h"
#include "support/text.h"

#define CONFIDENCE 0.95

/* Ranks talk about going on after a batch of rounds, not after each: no batch is to last longer
 * than this (seconds, estimated), so that a signal is answered soon. */
#define BATCH_S 1.0
#define BATCH_MOST 256 /* samples, if there are not more entrants */

/* Rounds of the pilot, and the part of the time for sampling that it may take. */
#define PILOT_ROUNDS 10
#define PILOT_LEAST 3
#define PILOT_SHARE 0.2

void nuce_samples_fini(struct nuce_samples *samples)
{
    free(samples->seconds);
    free(samples->place);
    free(samples->of_rank);
    memset(samples, 0, sizeof *samples);
}

/* What one call of nuce_sampling_run works on. */
struct sampler {
    const struct nuce_sampling *sampling;
    struct nuce_entrant *entrants;
    int count;
    struct nuce_rng rng; /* of the order, in step on all ranks */
    int *order;          /* count: whose turn it is in which place */
    double *batch;       /* batch_most() rounds x count x NUCE_SAMPLE_PARTS, and 3 */
    int *place;          /* batch_most() rounds x count */
    double *scratch;     /* as many values as samples of one entrant or of one batch, at most */
    int64_t rounds;      /* that the pilot has asked for; the measure's max where there is none */
    double estimate_s;   /* of a round, barriers included */
    double begun;        /* this rank's clock at the first sample */
};

/* One sample of this rank: its own duration from its exit from the barrier to the end of its step,
 * and the parts of it that step filled. */
static void take_sample(struct nuce_world *world, const struct nuce_entrant *entrant,
                        double parts[NUCE_SAMPLE_PARTS])
{
    double begin;

    if (entrant->run->prepare != NULL)
        entrant->run->prepare(entrant->self);
    nuce_world_barrier(world);
    begin = nuce_clock();
    entrant->run->step(entrant->self, parts);
    nuce_fault_after_step(begin, parts);
    parts[NUCE_PART_STEP] = nuce_clock() - begin;
}

static nuce_status sampling_check(const struct nuce_sampling *sampling,
                                  const struct nuce_entrant *entrant, uint64_t salt,
                                  struct nuce_error *error)
{
    nuce_status mine = entrant->run->verify(entrant->self, salt, error);

    return nuce_world_agree(sampling->world, mine, error);
}

nuce_status nuce_sampling_verify(const struct nuce_sampling *sampling,
                                 const struct nuce_entrant *entrant, struct nuce_error *error)
{
    return sampling_check(sampling, entrant, 2, error);
}

nuce_status nuce_sampling_warm_up(const struct nuce_sampling *sampling,
                                  struct nuce_entrant *entrant, struct nuce_error *error)
{
    int64_t steps = sampling->measure.warmup > 1 ? sampling->measure.warmup : 1;

    entrant->samples.first_s = NAN;
    for (int64_t i = 0; i < steps; i++) {
        double parts[NUCE_SAMPLE_PARTS] = {0};
        double begin = nuce_clock();
        double agreed[3];

        take_sample(sampling->world, entrant, parts);
        agreed[0] = parts[NUCE_PART_STEP];
        agreed[1] = nuce_clock() - begin;
        agreed[2] = atomic_load(sampling->interrupted);
        nuce_world_maximum(sampling->world, agreed, 3);
        if (i == 0)
            entrant->samples.first_s = agreed[0];
        entrant->step_s = agreed[1];
        if (agreed[2] > 0)
            return nuce_error_set(error, NUCE_INTERRUPTED,
                                  "interrupted by a signal while warming up");
    }
    return sampling_check(sampling, entrant, 1, error);
}

static int64_t sampling_smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t sampling_larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Rounds of the largest batch. */
static int64_t batch_most(const struct sampler *sampler)
{
    return sampling_larger(BATCH_MOST / sampler->count, 1);
}

/* How many of wanted rounds to take before the ranks talk again; the same on all ranks. */
static int64_t batch_size(const struct sampler *sampler, int64_t wanted, double elapsed_s)
{
    double room_s = fmin(BATCH_S, sampler->sampling->measure.limit - elapsed_s);
    double fit = sampler->estimate_s > 0 ? room_s / sampler->estimate_s : BATCH_MOST;

    wanted = sampling_smaller(wanted, batch_most(sampler));
    return fit < 1 ? 1 : sampling_smaller(wanted, (int64_t)fmin(fit, BATCH_MOST));
}

/* Gives rank 0 what every rank took for the steps of one entrant in a batch of rounds. */
static nuce_status keep_ranks(struct sampler *sampler, int number, int64_t rounds,
                              struct nuce_error *error)
{
    struct nuce_world *world = sampler->sampling->world;
    struct nuce_samples *samples = &sampler->entrants[number].samples;
    nuce_status status = NUCE_OK;

    for (int64_t i = 0; i < rounds; i++)
        sampler->scratch[i] =
            sampler->batch[(i * sampler->count + number) * NUCE_SAMPLE_PARTS + NUCE_PART_STEP];
    if (world->rank == 0)
        status = nuce_allocate_more((void **)&samples->of_rank, &samples->of_rank_capacity,
                                    (samples->count + rounds) * world->size, sizeof(double), error);
    if (nuce_world_agree(world, status, error) != NUCE_OK)
        return error->status;
    nuce_world_gather(world, sampler->scratch, nuce_int(rounds),
                      world->rank == 0 ? samples->of_rank + samples->count * world->size : NULL);
    return NUCE_OK;
}

static void take_round(struct sampler *sampler, int64_t round)
{
    double *row = sampler->batch + round * sampler->count * NUCE_SAMPLE_PARTS;

    nuce_rng_shuffle(&sampler->rng, sampler->order, sampler->count);
    for (int place = 0; place < sampler->count; place++) {
        int number = sampler->order[place];

        if (sampler->sampling->turn != NULL)
            sampler->sampling->turn(sampler->sampling->context, number);
        take_sample(sampler->sampling->world, &sampler->entrants[number],
                    row + (int64_t)number * NUCE_SAMPLE_PARTS);
        sampler->place[round * sampler->count + number] = place;
    }
}

/* Moves a batch, whose times are maxima over ranks by now, to the entrants' samples. */
static void keep_batch(struct sampler *sampler, int64_t rounds)
{
    for (int number = 0; number < sampler->count; number++) {
        struct nuce_samples *samples = &sampler->entrants[number].samples;

        for (int64_t i = 0; i < rounds; i++) {
            int64_t at = i * sampler->count + number;

            memcpy(samples->seconds + (samples->count + i) * NUCE_SAMPLE_PARTS,
                   sampler->batch + at * NUCE_SAMPLE_PARTS, NUCE_SAMPLE_PARTS * sizeof(double));
            samples->place[samples->count + i] = sampler->place[at];
        }
        samples->count += rounds;
    }
}

struct batch_end {
    double elapsed_s;
    int interrupted;
};

static nuce_status take_batch(struct sampler *sampler, int64_t rounds, struct batch_end *end,
                              struct nuce_error *error)
{
    const struct nuce_sampling *sampling = sampler->sampling;
    int64_t values = rounds * sampler->count * NUCE_SAMPLE_PARTS;
    double *tail = sampler->batch + values;
    double begin = nuce_clock();

    memset(sampler->batch, 0, (size_t)values * sizeof(double));
    for (int64_t i = 0; i < rounds; i++)
        take_round(sampler, i);
    for (int k = 0; sampling->measure.per_rank && k < sampler->count; k++) {
        if (keep_ranks(sampler, k, rounds, error) != NUCE_OK)
            return error->status;
    }
    tail[0] = (nuce_clock() - begin) / (double)rounds;
    tail[1] = nuce_clock() - sampler->begun;
    tail[2] = atomic_load(sampling->interrupted);
    nuce_world_maximum(sampling->world, sampler->batch, nuce_int(values + 3));
    keep_batch(sampler, rounds);
    sampler->estimate_s = tail[0];
    *end = (struct batch_end){.elapsed_s = tail[1], .interrupted = tail[2] > 0};
    return NUCE_OK;
}

static double criterion(const struct nuce_entrant *entrant, int64_t sample)
{
    return entrant->samples.seconds[sample * NUCE_SAMPLE_PARTS + entrant->info->criterion];
}

/* Whether both ends of the median's interval are within ci of it. */
static int is_known_well(struct sampler *sampler)
{
    const struct nuce_entrant *entrant = &sampler->entrants[0];
    int64_t count = entrant->samples.count;
    struct nuce_interval interval;
    double median, reach;

    for (int64_t i = 0; i < count; i++)
        sampler->scratch[i] = criterion(entrant, i);
    nuce_statistics_sort(sampler->scratch, count);
    median = nuce_statistics_median(sampler->scratch, count);
    interval = nuce_statistics_median_interval(sampler->scratch, count, CONFIDENCE);
    reach = fmax(interval.high - median, median - interval.low);
    return interval.confidence >= CONFIDENCE && reach <= sampler->sampling->measure.ci * median;
}

/* Standard deviation over median absolute deviation, of normal values. */
#define MAD_SCALE 1.4826
/* Half the width of the 95 % interval of a median, in standard deviations over sqrt(n), of normal
 * values: 1.96 sqrt(pi / 2). */
#define MEDIAN_REACH 2.4565

/* The spread of log(entrant / reference), robust: one round in which the machine was elsewhere says
 * nothing of the others. NaN where a time is 0. */
static double spread_of(const struct nuce_entrant *entrant, const struct nuce_entrant *reference,
                        double *scratch)
{
    int64_t count = entrant->samples.count;
    double median;

    for (int64_t i = 0; i < count; i++) {
        scratch[i] = log(criterion(entrant, i) / criterion(reference, i));
        if (!isfinite(scratch[i]))
            return NAN;
    }
    nuce_statistics_sort(scratch, count);
    median = nuce_statistics_median(scratch, count);
    for (int64_t i = 0; i < count; i++)
        scratch[i] = fabs(scratch[i] - median);
    nuce_statistics_sort(scratch, count);
    return MAD_SCALE * nuce_statistics_median(scratch, count);
}

int64_t nuce_sampling_rounds_wanted(const struct nuce_entrant *entrants, int count, double fraction,
                                    double *scratch)
{
    double most = 1;

    for (int k = 1; k < count; k++) {
        double spread = spread_of(&entrants[k], &entrants[0], scratch);
        double rounds = pow(MEDIAN_REACH * spread / log1p(fraction), 2);

        if (!(rounds < (double)INT64_MAX)) /* also where nothing is known */
            return INT64_MAX;
        most = fmax(most, ceil(rounds));
    }
    return (int64_t)most;
}

static nuce_status say_interrupted(const struct sampler *sampler, struct nuce_error *error)
{
    int64_t count = sampler->entrants[0].samples.count;

    return nuce_error_set(error, NUCE_INTERRUPTED, "interrupted by a signal after %lld sample%s",
                          (long long)count, nuce_text_plural(count));
}

static void forget_samples(struct sampler *sampler)
{
    for (int k = 0; k < sampler->count; k++)
        sampler->entrants[k].samples.count = 0;
}

/* Rounds that show how many are wanted, and are thrown away. Several entrants. */
static nuce_status take_pilot(struct sampler *sampler, struct nuce_error *error)
{
    const struct nuce_measure *measure = &sampler->sampling->measure;
    struct batch_end end = {0};
    int64_t taken = 0;

    if (measure->min == measure->max)
        return NUCE_OK;
    while (taken < PILOT_ROUNDS &&
           (taken < PILOT_LEAST || end.elapsed_s < PILOT_SHARE * measure->limit)) {
        int64_t left = taken < PILOT_LEAST ? PILOT_LEAST - taken : PILOT_ROUNDS - taken;
        int64_t rounds =
            batch_size(sampler, sampling_smaller(left, measure->max - taken), end.elapsed_s);

        if (measure->max == taken)
            break;
        if (take_batch(sampler, rounds, &end, error) != NUCE_OK)
            return error->status;
        if (end.interrupted)
            return say_interrupted(sampler, error);
        taken += rounds;
    }
    sampler->rounds = nuce_sampling_rounds_wanted(sampler->entrants, sampler->count, measure->ci,
                                                  sampler->scratch);
    sampler->rounds =
        sampling_smaller(sampling_larger(sampler->rounds, measure->min), measure->max);
    forget_samples(sampler);
    return NUCE_OK;
}

/* Why it is enough; NULL: it is not yet. */
static const char *sampling_verdict(struct sampler *sampler, double elapsed_s)
{
    const struct nuce_measure *measure = &sampler->sampling->measure;
    int64_t count = sampler->entrants[0].samples.count;

    if (sampler->count == 1 && count >= measure->min && is_known_well(sampler))
        return "ci";
    if (count >= sampler->rounds)
        return sampler->rounds < measure->max ? "ci" : "max";
    return elapsed_s >= measure->limit ? "limit" : NULL;
}

/* How many more would be taken if there were time. */
static int64_t rounds_left(const struct sampler *sampler)
{
    const struct nuce_measure *measure = &sampler->sampling->measure;
    int64_t count = sampler->entrants[0].samples.count;

    if (sampler->count == 1 && count < sampler->rounds)
        return count < measure->min ? measure->min - count
                                    : sampling_smaller(count / 2 + 1, measure->max - count);
    return sampler->rounds - count;
}

static nuce_status take_samples(struct sampler *sampler, struct nuce_error *error)
{
    struct batch_end end = {0};
    const char *stopped = NULL;

    sampler->begun = nuce_clock();
    if (sampler->count > 1 && take_pilot(sampler, error) != NUCE_OK)
        return error->status;
    sampler->begun = nuce_clock();
    while (stopped == NULL) {
        int64_t rounds = batch_size(sampler, rounds_left(sampler), end.elapsed_s);

        if (take_batch(sampler, rounds, &end, error) != NUCE_OK)
            return error->status;
        if (end.interrupted)
            return say_interrupted(sampler, error);
        stopped = sampling_verdict(sampler, end.elapsed_s);
    }
    for (int k = 0; k < sampler->count; k++)
        sampler->entrants[k].samples.stopped = stopped;
    return NUCE_OK;
}

static nuce_status reserve_samples(struct nuce_samples *samples, int64_t most,
                                   struct nuce_error *error)
{
    if (nuce_allocate_more((void **)&samples->seconds, &samples->capacity, most * NUCE_SAMPLE_PARTS,
                           sizeof(double), error) != NUCE_OK)
        return error->status;
    return nuce_allocate_more((void **)&samples->place, &samples->place_capacity, most, sizeof(int),
                              error);
}

static nuce_status sampling_reserve(struct sampler *sampler, struct nuce_error *error)
{
    int64_t most = sampler->sampling->measure.max;
    int64_t turns = batch_most(sampler) * sampler->count;
    nuce_status status = NUCE_OK;

    for (int k = 0; status == NUCE_OK && k < sampler->count; k++)
        status = reserve_samples(&sampler->entrants[k].samples, most, error);
    sampler->order = nuce_allocate(sampler->count, sizeof *sampler->order, error);
    sampler->batch = nuce_allocate(turns * NUCE_SAMPLE_PARTS + 3, sizeof *sampler->batch, error);
    sampler->place = nuce_allocate(turns, sizeof *sampler->place, error);
    sampler->scratch = nuce_allocate(sampling_larger(most, turns), sizeof *sampler->scratch, error);
    if (status == NUCE_OK && (sampler->order == NULL || sampler->batch == NULL ||
                              sampler->place == NULL || sampler->scratch == NULL))
        status = nuce_error_set(error, NUCE_FAILED, "out of memory for samples");
    return nuce_world_agree(sampler->sampling->world, status, error);
}

nuce_status nuce_sampling_run(const struct nuce_sampling *sampling, struct nuce_entrant *entrants,
                              int count, struct nuce_error *error)
{
    struct sampler sampler = {.sampling = sampling,
                              .entrants = entrants,
                              .count = count,
                              .rng = nuce_rng_create(sampling->seed, 0),
                              .rounds = sampling->measure.max};
    nuce_status status = sampling_reserve(&sampler, error);

    if (status == NUCE_OK) {
        for (int k = 0; k < count; k++) {
            sampler.order[k] = k;
            sampler.estimate_s += entrants[k].step_s;
        }
        status = take_samples(&sampler, error);
    }
    free(sampler.order);
    free(sampler.batch);
    free(sampler.place);
    free(sampler.scratch);
    return status;
}
