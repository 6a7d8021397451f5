/* The measured loop: warm-up, pilot, and the decision to stop. rounds.c takes the samples.
 *
 * One entrant alone is sampled until the interval of its median is narrow enough. Several are
 * compared by their ratios in each round. A pilot measures the scatter of these, which gives the
 * number of rounds before the counted samples are taken. The decision uses only the number of these
 * samples, not their times. max and limit end sampling in any case. Every decision uses numbers
 * that are the same on all ranks, so all stop together. */
#include "run/sampling.h"

#include <math.h>

#include "base/statistics.h"
#include "base/text.h"
#include "run/fault.h"

/* Confidence of the interval of a median by which sampling stops. */
#define CONFIDENCE 0.95

/* Steps of the warm-up even if they exceed the time for sampling. The first step also sets
 * connections up, so its time is not typical. */
#define WARM_LEAST 2

/* Rounds of the pilot: preferred, and at least. Also the limits of the pilot as a part of the
 * rounds that it may save, and of the time for sampling, which includes it. */
#define PILOT_ROUNDS 10
#define PILOT_LEAST 3
#define PILOT_SAVES 0.25
#define PILOT_SHARE 0.2

/* After this many rounds with a late rank, and none without, windows cannot work. */
#define LATE_MOST 1000

/* The state of one call of nuce_sampling_run. */
struct sampler {
    const struct nuce_sampling *sampling;
    struct nuce_entrant *entrants;
    int count;
    struct nuce_rounds taken;
    int64_t rounds; /* result of the pilot; the measure's max without one */
};

/* Collective: all ranks return the worst of their statuses. */
static nuce_status sampling_check(const struct nuce_sampling *sampling,
                                  const struct nuce_entrant *entrant, uint64_t salt,
                                  struct nuce_error *error)
{
    nuce_status mine = entrant->run->verify(entrant->self, salt, error);

    return nuce_world_agree(sampling->world, mine, error);
}

double nuce_sampling_looked(const struct nuce_sampling *sampling,
                            const struct nuce_entrant *entrant, int64_t batch)
{
    const struct nuce_glance *look = &entrant->look;
    int64_t exchanges =
        entrant->run->exchanges != NULL ? entrant->run->exchanges(entrant->self) : 1;
    double all = (double)(look->turns * batch * exchanges);
    double missed = all > 0 ? 1 - (double)look->looks / all : 1;

    nuce_world_maximum(sampling->world, &missed, 1);
    return 1 - missed;
}

nuce_status nuce_sampling_verify(const struct nuce_sampling *sampling,
                                 const struct nuce_entrant *entrant, struct nuce_error *error)
{
    if (nuce_glance_verify(sampling->world, &entrant->look, error) != NUCE_OK)
        return error->status;
    return sampling_check(sampling, entrant, 2, error);
}

/* own_s is the shortest step except the first, which also sets connections up. */
nuce_status nuce_sampling_warm_up(const struct nuce_sampling *sampling,
                                  struct nuce_entrant *entrant, struct nuce_error *error)
{
    int64_t steps = sampling->measure.warmup > 1 ? sampling->measure.warmup : 1;
    double warm_s = 0;

    entrant->samples.first_s = NAN;
    for (int64_t i = 0; i < steps && (i < WARM_LEAST || warm_s < sampling->measure.time_limit);
         i++) {
        double begin = nuce_clock(), step_begin, agreed[3], parts[NUCE_SAMPLE_PARTS] = {0};

        if (entrant->run->prepare != NULL)
            entrant->run->prepare(entrant->self);
        nuce_world_barrier(sampling->world);
        step_begin = nuce_clock();
        entrant->run->step(entrant->self, parts);
        agreed[0] = nuce_fault_ended(step_begin, parts, -1) - step_begin;
        agreed[1] = nuce_clock() - begin;
        agreed[2] = atomic_load(sampling->interrupted);
        nuce_world_maximum(sampling->world, agreed, 3);
        if (i == 0)
            entrant->samples.first_s = agreed[0];
        entrant->own_s = i < 2 ? agreed[0] : fmin(entrant->own_s, agreed[0]);
        entrant->step_s = agreed[1];
        warm_s += agreed[1];
        if (agreed[2] > 0)
            return nuce_error_set(error, NUCE_INTERRUPTED,
                                  "interrupted by a signal while warming up");
    }
    return sampling_check(sampling, entrant, 1, error);
}

/* Seconds of the part that contenders are compared by. */
static double criterion(const struct nuce_entrant *entrant, int64_t sample)
{
    return entrant->samples.seconds[sample * NUCE_SAMPLE_PARTS + entrant->info->criterion];
}

/* True if both ends of the median's interval are within ci of it. For one entrant alone, where
 * the median itself is the result, not a ratio. */
static int is_known_well(struct sampler *sampler)
{
    const struct nuce_entrant *entrant = &sampler->entrants[0];
    int64_t count = entrant->samples.count;
    struct nuce_interval interval;
    double median, reach;

    for (int64_t i = 0; i < count; i++)
        sampler->taken.scratch[i] = criterion(entrant, i);
    nuce_statistics_sort(sampler->taken.scratch, count);
    median = nuce_statistics_median(sampler->taken.scratch, count);
    interval = nuce_statistics_median_interval(sampler->taken.scratch, count, CONFIDENCE);
    reach = fmax(interval.high - median, median - interval.low);
    return interval.confidence >= CONFIDENCE &&
           reach <= sampler->sampling->measure.target_ci * median;
}

/* Standard deviation over median absolute deviation, of normal values. */
#define MAD_SCALE 1.4826
/* Half the width of the 95 % interval of a median, in standard deviations over sqrt(n), of normal
 * values: 1.96 sqrt(pi / 2). */
#define MEDIAN_REACH 2.4565

/* The robust spread of log(entrant / reference): one disturbed round has no effect on it. NaN if
 * a time is 0. */
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

/* rounds = (MEDIAN_REACH x spread / log(1 + fraction))^2. Half of the interval of the median
 * ratio is then about log(1 + fraction). */
int64_t nuce_sampling_rounds_wanted(const struct nuce_entrant *entrants, int count, double fraction,
                                    double *scratch)
{
    double most = 1;

    for (int k = 1; k < count; k++) {
        double spread = spread_of(&entrants[k], &entrants[0], scratch);
        double rounds = pow(MEDIAN_REACH * spread / log1p(fraction), 2);

        if (!(rounds < (double)INT64_MAX)) /* also if nothing is known */
            return INT64_MAX;
        most = fmax(most, ceil(rounds));
    }
    return (int64_t)most;
}

/* Takes as many wanted rounds as fit before the ranks communicate again; reports an error if
 * sampling cannot continue. */
static nuce_status take_stretch(struct sampler *sampler, int64_t wanted, struct nuce_stretch *end,
                                struct nuce_error *error)
{
    const int64_t *count = &sampler->entrants[0].samples.count;
    double left_s = sampler->sampling->measure.time_limit - end->elapsed_s;
    int64_t rounds = nuce_rounds_fitting(&sampler->taken, wanted, left_s);

    nuce_rounds_take(&sampler->taken, rounds, end);
    if (end->interrupted)
        return nuce_error_set(error, NUCE_INTERRUPTED,
                              "interrupted by a signal after %lld sample%s", (long long)*count,
                              nuce_text_plural(*count));
    if (*count == 0 && sampler->taken.late >= LATE_MOST)
        return nuce_error_set(error, NUCE_FAILED,
                              "in each of %lld rounds some rank was not ready when its turn began: "
                              "expected sync: barrier on this machine",
                              (long long)sampler->taken.late);
    return NUCE_OK;
}

int64_t nuce_sampling_pilot_rounds(const struct nuce_measure *measure, double round_s)
{
    double fitting = measure->time_limit / round_s;
    double saved = fmin((double)measure->max_samples, fitting) - (double)measure->min_samples;
    int64_t rounds = (int64_t)(PILOT_SAVES * fmax(saved, 0));

    return rounds < PILOT_LEAST ? 0 : rounds < PILOT_ROUNDS ? rounds : PILOT_ROUNDS;
}

/* Rounds that estimate the number of rounds, and are dropped. Several entrants. */
static nuce_status take_pilot(struct sampler *sampler, struct nuce_stretch *end,
                              struct nuce_error *error)
{
    const struct nuce_measure *measure = &sampler->sampling->measure;
    const int64_t *taken = &sampler->entrants[0].samples.count;
    int64_t rounds = nuce_sampling_pilot_rounds(measure, sampler->taken.round_s);

    if (rounds == 0)
        return NUCE_OK;
    while (*taken < rounds &&
           (*taken < PILOT_LEAST || end->elapsed_s < PILOT_SHARE * measure->time_limit)) {
        int64_t left = *taken < PILOT_LEAST ? PILOT_LEAST - *taken : rounds - *taken;

        if (take_stretch(sampler, left, end, error) != NUCE_OK)
            return error->status;
    }
    sampler->rounds = nuce_sampling_rounds_wanted(sampler->entrants, sampler->count,
                                                  measure->target_ci, sampler->taken.scratch);
    if (sampler->rounds < measure->min_samples)
        sampler->rounds = measure->min_samples;
    if (sampler->rounds > measure->max_samples)
        sampler->rounds = measure->max_samples;
    nuce_rounds_forget(&sampler->taken);
    return NUCE_OK;
}

/* For one entrant, takes half as many more at a time, so its interval is computed O(log samples)
 * times. */
static nuce_status take_samples(struct sampler *sampler, struct nuce_error *error)
{
    const struct nuce_measure *measure = &sampler->sampling->measure;
    struct nuce_stretch end = {0};
    const char *stopped = NULL; /* reason to stop */

    nuce_rounds_begin(&sampler->taken);
    if (sampler->count > 1 && take_pilot(sampler, &end, error) != NUCE_OK)
        return error->status;
    while (stopped == NULL) {
        int64_t count = sampler->entrants[0].samples.count, left = sampler->rounds - count;

        if (sampler->count == 1 && left > 0 && count < measure->min_samples)
            left = measure->min_samples - count;
        else if (sampler->count == 1 && left > count / 2 + 1)
            left = count / 2 + 1;
        if (take_stretch(sampler, left, &end, error) != NUCE_OK)
            return error->status;
        count = sampler->entrants[0].samples.count;
        if (sampler->count == 1 && count >= measure->min_samples && is_known_well(sampler))
            stopped = "target-ci";
        else if (count >= sampler->rounds)
            stopped = sampler->rounds < measure->max_samples ? "target-ci" : "max-samples";
        else if (end.elapsed_s >= measure->time_limit && count > 0)
            stopped = "time-limit";
    }
    for (int k = 0; k < sampler->count; k++)
        sampler->entrants[k].samples.stopped = stopped;
    return NUCE_OK;
}

/* Collective; samples stay with the entrants, including those before a failure. */
nuce_status nuce_sampling_run(const struct nuce_sampling *sampling, struct nuce_entrant *entrants,
                              int count, struct nuce_sampling_facts *facts,
                              struct nuce_error *error)
{
    struct sampler sampler = {.sampling = sampling,
                              .entrants = entrants,
                              .count = count,
                              .rounds = sampling->measure.max_samples};
    nuce_status status = nuce_rounds_init(sampling, entrants, count, &sampler.taken, error);

    if (status == NUCE_OK) {
        status = take_samples(&sampler, error);
        nuce_rounds_describe(&sampler.taken, facts);
    }
    nuce_rounds_fini(&sampler.taken);
    return status;
}
