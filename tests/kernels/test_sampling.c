/* The end of sampling, which is the same on all ranks. The workload's communication times are
 * synthetic, so nothing here depends on how fast the machine is. */
#include "expect.h"

#include <time.h>

#include "run/sampling.h"

enum behaviour {
    STEADY,      /* every step takes the same */
    WILD,        /* every other step takes a hundred times as long */
    SLOW,        /* a step really takes 50 ms */
    CORRUPT,     /* the last rank sees a wrong payload in the second check */
    INTERRUPTED, /* wild, and the last rank gets a signal in its 20th step */
};

struct fake {
    struct nuce_world *world;
    enum behaviour behaviour;
    int steps;
    _Atomic int interrupted;
};

static void step(void *self, double parts[NUCE_SAMPLE_PARTS])
{
    struct fake *fake = self;
    int is_last = fake->world->rank == fake->world->size - 1;

    fake->steps++;
    /* Only the last rank is this slow: the maximum over ranks must show it. */
    parts[NUCE_PART_COMMUNICATION] = is_last ? 1e-3 : 1e-6;
    if ((fake->behaviour == WILD || fake->behaviour == INTERRUPTED) && fake->steps % 2 == 0)
        parts[NUCE_PART_COMMUNICATION] *= 100;
    if (fake->behaviour == SLOW)
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    if (fake->behaviour == INTERRUPTED && is_last && fake->steps == 20)
        atomic_store(&fake->interrupted, 1);
}

static nuce_status verify(void *self, uint64_t salt, struct nuce_error *error)
{
    struct fake *fake = self;

    if (fake->behaviour == CORRUPT && salt == 2 && fake->world->rank == fake->world->size - 1)
        return nuce_error_set(error, NUCE_CORRUPT, "a wrong byte");
    return NUCE_OK;
}

static const struct nuce_run_info communicating = {.parts = 1U << NUCE_PART_COMMUNICATION,
                                                   .criterion = NUCE_PART_COMMUNICATION};

static const struct nuce_workload_run run = {.name = "fake", .step = step, .verify = verify};

/* All that happens to a contender that is alone in its race. */
static nuce_status sample(const struct nuce_sampling *sampling, struct nuce_entrant *entrant,
                          struct nuce_error *error)
{
    struct nuce_sampling_facts facts;
    nuce_status status = nuce_sampling_warm_up(sampling, entrant, error);

    if (status == NUCE_OK)
        status = nuce_sampling_run(sampling, entrant, 1, &facts, error);
    return status == NUCE_OK ? nuce_sampling_verify(sampling, entrant, error) : status;
}

struct expected {
    enum behaviour behaviour;
    int64_t warmup, min, max;
    double ci, limit;
    int per_rank;
    nuce_status status;
    const char *stopped;
    int64_t least, most; /* samples */
    const char *message;
};

static const struct expected cases[] = {
    {STEADY, 2, 10, 100, 0.05, 60, 0, NUCE_OK, "target-ci", 10, 10, ""},
    {WILD, 2, 10, 100, 0.05, 60, 0, NUCE_OK, "max-samples", 100, 100, ""},
    {STEADY, 0, 1, 5, 0.05, 60, 0, NUCE_OK, "max-samples", 5, 5, ""},
    {SLOW, 1, 10, 100, 0, 0.2, 0, NUCE_OK, "time-limit", 1, 9, ""},
    {CORRUPT, 1, 10, 10, 0.05, 60, 0, NUCE_CORRUPT, "target-ci", 10, 10, "a wrong byte"},
    {INTERRUPTED, 1, 10, 1000000, 0, 60, 1, NUCE_INTERRUPTED, NULL, 19, 500,
     "interrupted by a signal"},
};

static int same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* The slowest rank's time, not the own, whatever the rank. */
static int check_values(const struct nuce_samples *samples)
{
    for (int64_t i = 0; i < samples->count; i++) {
        double seconds = samples->seconds[i * NUCE_SAMPLE_PARTS + NUCE_PART_COMMUNICATION];

        if (seconds < 0.9e-3)
            return 0;
    }
    return isfinite(samples->first_s) != 0;
}

/* The parts of one rank, of whichever ended last, and no longer than the sample. */
static int check_last(const struct nuce_samples *samples, int ranks)
{
    for (int64_t i = 0; i < samples->count; i++) {
        const double *last = samples->last + i * NUCE_SAMPLE_PARTS;
        const double *most = samples->seconds + i * NUCE_SAMPLE_PARTS;
        int rank = samples->last_rank[i];
        double made_up = fmod(last[NUCE_PART_COMMUNICATION], 1e-3); /* 0 or 1e-6, 1e-4 */

        if (rank < 0 || rank >= ranks || last[NUCE_PART_OWN] <= 0 ||
            last[NUCE_PART_OWN] > most[NUCE_PART_OWN] ||
            last[NUCE_PART_OWN] > most[NUCE_PART_STEP] + 1e-12)
            return 0;
        if ((rank == ranks - 1) != (fmin(made_up, 1e-3 - made_up) < 1e-9))
            return 0;
    }
    return 1;
}

static int run_case(struct nuce_clock_sync *clocks, const struct expected *expected)
{
    struct nuce_world *world = clocks->world;
    struct fake fake = {.world = world, .behaviour = expected->behaviour};
    struct nuce_sampling sampling = {.world = world,
                                     .clocks = clocks,
                                     .measure = {.warmup = expected->warmup,
                                                 .min_samples = expected->min,
                                                 .max_samples = expected->max,
                                                 .target_ci = expected->ci,
                                                 .time_limit = expected->limit,
                                                 .per_rank = expected->per_rank,
                                                 .batch = 1},
                                     .interrupted = &fake.interrupted};
    struct nuce_entrant entrant = {.run = &run, .self = &fake, .info = &communicating};
    const struct nuce_samples *samples = &entrant.samples;
    struct nuce_error error = {0};
    nuce_status status;
    int right;

    status = sample(&sampling, &entrant, &error);
    right = status == expected->status && same_text(samples->stopped, expected->stopped) &&
            samples->count >= expected->least && samples->count <= expected->most &&
            check_values(samples) && check_last(samples, world->size) &&
            strstr(error.message, expected->message) != NULL;
    if (expected->per_rank)
        right = right && (samples->of_rank != NULL) == (world->rank == 0);
    if (!right)
        fprintf(stderr, "case %d, rank %d: status %d, stopped by %s, %lld samples: %s\n",
                (int)(expected - cases), world->rank, (int)status,
                samples->stopped == NULL ? "nothing" : samples->stopped, (long long)samples->count,
                error.message);
    nuce_samples_fini(&entrant.samples);
    return !right;
}

/* One of several in a race: its times are synthetic: factor times those of the round, which go from
 * 1 to 9 ms and back. Each contender's times vary much, their ratios little; this holds only for a
 * step that follows one of the same contender. */
struct racer {
    struct nuce_world *world;
    double factor;
    int steps;
    const struct racer **before; /* whose step was the last one */
};

static void race_step(void *self, double parts[NUCE_SAMPLE_PARTS])
{
    struct racer *racer = self;
    int is_last = racer->world->rank == racer->world->size - 1;

    parts[NUCE_PART_COMMUNICATION] =
        racer->factor * (is_last ? 1e-3 : 1e-6) * (1 + racer->steps++ % 9);
    if (*racer->before != racer)
        parts[NUCE_PART_COMMUNICATION] *= 1 + racer->factor;
    *racer->before = racer;
}

static nuce_status race_verify(void *self, uint64_t salt, struct nuce_error *error)
{
    (void)self;
    (void)salt;
    (void)error;
    return NUCE_OK;
}

#define RACERS 3

/* Every round has each contender once, in varying orders, and the ratios are right. */
static int check_rounds(const struct nuce_entrant *entrants)
{
    int orders = 0;

    for (int64_t i = 0; i < entrants[0].samples.count; i++) {
        unsigned places = 0;

        for (int k = 0; k < RACERS; k++) {
            double ratio =
                entrants[k].samples.seconds[i * NUCE_SAMPLE_PARTS + NUCE_PART_COMMUNICATION] /
                entrants[0].samples.seconds[i * NUCE_SAMPLE_PARTS + NUCE_PART_COMMUNICATION];

            places |= 1U << entrants[k].samples.place[i];
            if (fabs(ratio - (1 + 0.5 * k)) > 1e-9)
                return 0;
        }
        if (places != (1U << RACERS) - 1)
            return 0;
        orders |= 1 << (3 * entrants[0].samples.place[i] + entrants[1].samples.place[i]);
    }
    return (orders & (orders - 1)) != 0;
}

/* Two times of every sample agree, and so do the beginnings of the turns. */
static int check_times(const struct nuce_entrant *entrants, const struct nuce_sampling_facts *facts,
                       const struct nuce_measure *measure)
{
    int is_right = strcmp(facts->sync, measure->sync) == 0 && facts->batch == measure->batch &&
                   facts->skew_s >= 0 && facts->skew_high_s >= facts->skew_s &&
                   (facts->late_rounds == 0 || strcmp(facts->sync, "window") == 0) &&
                   isfinite(facts->residual_s) && facts->error_s >= 0;

    for (int k = 0; k < RACERS; k++) {
        for (int64_t i = 0; i < entrants[k].samples.count; i++) {
            const double *seconds = entrants[k].samples.seconds + i * NUCE_SAMPLE_PARTS;

            /* The time that the ranks' clocks leave unknown is in a step, and not in an own time.
             */
            is_right = is_right && seconds[NUCE_PART_OWN] > 0 &&
                       seconds[NUCE_PART_STEP] + facts->residual_s + 2 * facts->error_s >=
                           seconds[NUCE_PART_OWN] * (1 - 1e-9);
        }
    }
    return is_right;
}

/* Turns of `batch` steps, begun as sync says. */
static int check_race(struct nuce_clock_sync *clocks, const char *sync, int batch)
{
    static const struct nuce_workload_run racing = {
        .name = "racing", .step = race_step, .verify = race_verify};
    _Atomic int interrupted = 0;
    struct nuce_sampling sampling = {.world = clocks->world,
                                     .clocks = clocks,
                                     .measure = {.warmup = 1,
                                                 .min_samples = 20,
                                                 .max_samples = 100,
                                                 .target_ci = 0.05,
                                                 .time_limit = 60,
                                                 .batch = batch},
                                     .interrupted = &interrupted,
                                     .seed = 7};
    const struct racer *before = NULL;
    struct racer racers[RACERS];
    struct nuce_entrant entrants[RACERS];
    struct nuce_sampling_facts facts = {0};
    struct nuce_error error = {0};
    int steps = batch + 1; /* of a turn and the barrier before it */
    int right = 1;

    strcpy(sampling.measure.sync, sync);
    for (int k = 0; k < RACERS; k++) {
        racers[k] =
            (struct racer){.world = clocks->world, .factor = 1 + 0.5 * k, .before = &before};
        entrants[k] =
            (struct nuce_entrant){.run = &racing, .self = &racers[k], .info = &communicating};
        right = right && nuce_sampling_warm_up(&sampling, &entrants[k], &error) == NUCE_OK;
    }
    right = right && nuce_sampling_run(&sampling, entrants, RACERS, &facts, &error) == NUCE_OK;
    for (int k = 0; k < RACERS; k++)
        right = right && entrants[k].samples.count == 20 &&
                same_text(entrants[k].samples.stopped, "target-ci") &&
                racers[k].steps >= 1 + (10 + 20 + facts.late_rounds) * steps &&
                (racers[k].steps - 1) % steps == 0 &&
                (facts.sync[0] == 'w' || racers[k].steps == 1 + (10 + 20) * steps);
    right = right && check_rounds(entrants) && check_times(entrants, &facts, &sampling.measure);
    if (!right)
        fprintf(stderr, "race, %s, batch %d, rank %d: %lld rounds, %lld late, %s: %s\n", sync,
                batch, clocks->world->rank, (long long)entrants[0].samples.count,
                (long long)facts.late_rounds,
                entrants[0].samples.stopped == NULL ? "nothing" : entrants[0].samples.stopped,
                error.message);
    for (int k = 0; k < RACERS; k++)
        nuce_samples_fini(&entrants[k].samples);
    return !right;
}

#define FAKES 2

/* Two contenders that follow `fakes`, warmed up. */
static nuce_status line_up(const struct nuce_sampling *sampling,
                           const struct nuce_workload_run *fake_run, struct fake fakes[FAKES],
                           struct nuce_entrant entrants[FAKES], struct nuce_error *error)
{
    for (int k = 0; k < FAKES; k++) {
        entrants[k] =
            (struct nuce_entrant){.run = fake_run, .self = &fakes[k], .info = &communicating};
        if (nuce_sampling_warm_up(sampling, &entrants[k], error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* Steps that are long beside the limit: the warm-up ends early, and nothing is thrown away. */
static int check_slow_race(struct nuce_clock_sync *clocks)
{
    _Atomic int interrupted = 0;
    struct nuce_sampling sampling = {.world = clocks->world,
                                     .clocks = clocks,
                                     .measure = {.warmup = 5,
                                                 .min_samples = 10,
                                                 .max_samples = 100,
                                                 .target_ci = 0.05,
                                                 .time_limit = 0.2,
                                                 .batch = 1},
                                     .interrupted = &interrupted,
                                     .seed = 7};
    struct fake fakes[FAKES] = {{.world = clocks->world, .behaviour = SLOW},
                                {.world = clocks->world, .behaviour = SLOW}};
    struct nuce_entrant entrants[FAKES] = {0};
    struct nuce_sampling_facts facts = {0};
    struct nuce_error error = {0};
    int warm[FAKES], right = line_up(&sampling, &run, fakes, entrants, &error) == NUCE_OK;

    for (int k = 0; k < FAKES; k++) {
        warm[k] = fakes[k].steps;
        right = right && warm[k] >= 2 && warm[k] < sampling.measure.warmup;
    }
    right = right && nuce_sampling_run(&sampling, entrants, FAKES, &facts, &error) == NUCE_OK;
    for (int k = 0; k < FAKES; k++) {
        right = right && same_text(entrants[k].samples.stopped, "time-limit") &&
                fakes[k].steps == warm[k] + entrants[k].samples.count;
        if (!right)
            fprintf(stderr, "slow race, rank %d: %d and %d steps, %lld rounds: %s\n",
                    clocks->world->rank, warm[k], fakes[k].steps,
                    (long long)entrants[k].samples.count, error.message);
        nuce_samples_fini(&entrants[k].samples);
    }
    return !right;
}

static void step_of_millisecond(void *self, double parts[NUCE_SAMPLE_PARTS])
{
    step(self, parts);
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* The wild one's received bytes take so long to look at that only some turns can have a look, on a
 * busy machine too, where a turn takes several times as long as its step. */
static uint64_t mark(void *self)
{
    const struct fake *fake = self;

    if (fake->behaviour == WILD)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    return 1;
}

/* All contenders are checked in the same rounds, and only in some: a check changes the next turn.
 */
static int check_looked_race(struct nuce_clock_sync *clocks)
{
    static const struct nuce_workload_run looking = {
        .name = "looking", .step = step_of_millisecond, .verify = verify, .mark = mark};
    _Atomic int interrupted = 0;
    struct nuce_sampling sampling = {.world = clocks->world,
                                     .clocks = clocks,
                                     .measure = {.warmup = 3,
                                                 .min_samples = 200,
                                                 .max_samples = 200,
                                                 .target_ci = 0,
                                                 .time_limit = 60,
                                                 .batch = 1},
                                     .interrupted = &interrupted,
                                     .seed = 7};
    struct fake fakes[FAKES] = {{.world = clocks->world, .behaviour = STEADY},
                                {.world = clocks->world, .behaviour = WILD}};
    struct nuce_entrant entrants[FAKES] = {0};
    struct nuce_sampling_facts facts = {0};
    struct nuce_error error = {0};
    int right = line_up(&sampling, &looking, fakes, entrants, &error) == NUCE_OK &&
                nuce_sampling_run(&sampling, entrants, FAKES, &facts, &error) == NUCE_OK &&
                entrants[0].look.share < 0.9 && entrants[0].look.share == entrants[1].look.share &&
                entrants[0].look.looks > 0 && entrants[0].look.looks == entrants[1].look.looks;

    if (!right)
        fprintf(stderr, "looked race, rank %d: shares %g and %g, %lld and %lld looks: %s\n",
                clocks->world->rank, entrants[0].look.share, entrants[1].look.share,
                (long long)entrants[0].look.looks, (long long)entrants[1].look.looks,
                error.message);
    for (int k = 0; k < FAKES; k++)
        nuce_samples_fini(&entrants[k].samples);
    return !right;
}

int main(int argc, char **argv)
{
    struct nuce_world world;
    struct nuce_clock_sync clocks;

    ranks_begin(&argc, &argv, &world);
    nuce_clock_sync_init(&world, &clocks);
    for (size_t i = 0; i < COUNT(cases); i++)
        failed += run_case(&clocks, &cases[i]);
    failed += check_race(&clocks, "barrier", 1) + check_race(&clocks, "barrier", 9);
    failed += check_race(&clocks, "window", 1) + check_race(&clocks, "window", 9);
    failed += check_slow_race(&clocks) + check_looked_race(&clocks);
    nuce_clock_sync_fini(&clocks);
    return ranks_end(&world);
}
