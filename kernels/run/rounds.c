/* All ranks begin a turn together. A turn is one step, or several if one is so short that the
 * clock would dominate the result. Another step precedes it, also begun together, that does not
 * count. Caches and queues are then as the same contender left them, as in a program without
 * other contenders. Without that step, a contender that posts everything at once slows down the
 * next one, and itself least.
 *
 * Ranks agree on the times of turns after a stretch of rounds, never within one. Each rank keeps
 * its own times of a stretch, and then one reduction gives all of them
 *   - for each part, including the own time of the whole turn, the maximum over ranks;
 *   - the start of the first rank and the end of the last, on the common clock. The sample is
 *     from the common start to the last end. The start is the first rank's exit from the
 *     barrier, or the time that the turn was given;
 *   - the start of the last rank, which gives their distance; and the time when the last was
 *     ready for it.
 *
 * A round in which a rank was not ready in time is dropped for all contenders: ratios are of
 * turns of one round. */
#include "run/rounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "base/record.h"
#include "base/statistics.h"
#include "run/fault.h"
#include "run/simulation.h"

/* Limits of a stretch: estimated seconds, so that a signal is answered soon, and turns, unless
 * there are more entrants. */
#define STRETCH_S 1.0
#define STRETCH_TURNS 256

/* Rounds of the first stretch in windows, and the share of late rounds that shortens the next
 * stretch. A rank that is late once, because it was interrupted, stays late for many windows.
 * All are in time again after the ranks communicate. */
#define FIRST_WINDOWS 16
#define LATE_SHARE 0.2

/* Length of a turn in grains of the clock, so that the uncertainty of its two readings is below
 * a thousandth. The number of steps is capped: a user who asks for one step does not expect
 * thousands. */
#define GRAINS_OF_TURN 1000
#define STEPS_MOST 1000
#define GRAIN_READINGS 1000

/* For a longer step (seconds) the preceding step is omitted: too little of the previous state
 * would remain for too long. */
#define LEAD_IN_MOST_S 0.05

/* A step is too short for a result if its turn is below this multiple of the uncertainty of its
 * start. That uncertainty is the distance between the ranks' starts, and the error of their
 * clocks. */
#define STARTS_OF_TURN 1.0

/* The quantile of the skews for skew_high_s. The latest of thousands of starts is a single event
 * of the system, not typical of the starts. */
#define SKEW_HIGH 0.95

/* Values of a turn after its parts, maxima over ranks. */
enum {
    TURN_NOT_BEGUN = NUCE_SAMPLE_PARTS, /* minus the start: its maximum is the first */
    TURN_BEGUN,
    TURN_ENDED,
    TURN_ARRIVED,
    TURN_VALUES
};

/* Values of the rank that ended last, after its parts: size minus its rank, so that the lowest
 * of several has the maximum. */
enum { LAST_FROM = NUCE_SAMPLE_PARTS, LAST_VALUES };

/* Values after all turns. */
enum { STRETCH_ROUND, STRETCH_ELAPSED, STRETCH_INTERRUPTED, STRETCH_VALUES };

/* Rounds of the longest stretch. */
static int64_t rounds_most(const struct nuce_rounds *rounds)
{
    return rounds->count > STRETCH_TURNS ? 1 : STRETCH_TURNS / rounds->count;
}

/* The least step of this rank's clock between two readings, or the time of a reading. */
static double clock_grain(void)
{
    double least = INFINITY, last = nuce_clock();

    for (int i = 0; i < GRAIN_READINGS; i++) {
        double now = nuce_clock();

        if (now > last)
            least = fmin(least, now - last);
        last = now;
    }
    return isfinite(least) ? least : 0;
}

/* Steps of a turn, the same for all entrants and ranks. Steps are taken singly if they differ
 * from one another, if they need preparation in between, or if events are counted. They are also
 * taken singly in a simulator, which has an exact clock. */
static int64_t steps_of_turn(const struct nuce_rounds *rounds)
{
    const struct nuce_measure *measure = &rounds->sampling->measure;
    double shortest_s = INFINITY, grain_s;
    int single = nuce_simulation_is_on();

    for (int k = 0; k < rounds->count; k++) {
        const struct nuce_run_info *info = rounds->entrants[k].info;

        single |= info->samples > 0 || info->prepares || info->is_counting;
        shortest_s = fmin(shortest_s, rounds->entrants[k].own_s);
    }
    if (single)
        return 1;
    if (measure->batch > 0)
        return measure->batch;
    grain_s = clock_grain();
    nuce_world_maximum(rounds->sampling->world, &grain_s, 1);
    return (int64_t)fmin(fmax(ceil(GRAINS_OF_TURN * grain_s / shortest_s), 1), STEPS_MOST);
}

/* Room for most samples: 8 bytes a part, twice, and 8 more each. */
static void reserve_samples(struct nuce_samples *samples, int64_t most)
{
    nuce_allocate_more((void **)&samples->seconds, &samples->capacity, most * NUCE_SAMPLE_PARTS,
                       sizeof(double));
    nuce_allocate_more((void **)&samples->last, &samples->last_capacity, most * NUCE_SAMPLE_PARTS,
                       sizeof(double));
    nuce_allocate_more((void **)&samples->last_rank, &samples->last_rank_capacity, most,
                       sizeof(int));
    nuce_allocate_more((void **)&samples->place, &samples->place_capacity, most, sizeof(int));
}

/* All room is made here, for the longest possible stretch: nothing is allocated between two
 * turns. After a failure nuce_rounds_fini frees the rest. */
nuce_status nuce_rounds_init(const struct nuce_sampling *sampling, struct nuce_entrant *entrants,
                             int count, struct nuce_rounds *out, struct nuce_error *error)
{
    int64_t most = sampling->measure.max_samples, turns;
    double share = 1; /* of the looks */
    nuce_status status;

    *out = (struct nuce_rounds){.sampling = sampling,
                                .entrants = entrants,
                                .count = count,
                                .rng = nuce_rng_create(sampling->seed, 0),
                                .look_rng = nuce_rng_create(sampling->seed, 1)};
    status =
        nuce_allocate_check(most, (size_t)count * 2 * NUCE_SAMPLE_PARTS * sizeof(double), error);
    if (nuce_world_agree(sampling->world, status, error) != NUCE_OK)
        return error->status;
    for (int k = 0; k < count; k++)
        reserve_samples(&entrants[k].samples, most);
    turns = rounds_most(out) * count;
    out->order = nuce_allocate(count, sizeof *out->order);
    out->place = nuce_allocate(turns, sizeof *out->place);
    out->values = nuce_allocate(turns * TURN_VALUES + STRETCH_VALUES, sizeof(double));
    out->mine = nuce_allocate(turns * TURN_VALUES, sizeof(double));
    out->last = nuce_allocate(turns * LAST_VALUES, sizeof(double));
    out->own = nuce_allocate(turns, sizeof *out->own);
    out->given = nuce_allocate(turns, sizeof *out->given);
    out->paused = nuce_allocate(turns, sizeof *out->paused);
    out->taken = nuce_allocate(turns, sizeof *out->taken);
    out->kept = nuce_allocate(turns, sizeof *out->kept);
    out->scratch = nuce_allocate(most > turns ? most : turns, sizeof(double));
    out->skew = nuce_allocate(most * count, sizeof *out->skew);
    out->steps = steps_of_turn(out);
    /* A step precedes each turn if there is another contender. It is omitted for long steps, for
     * a fixed number of steps, and in a simulator, which has no caches to change. */
    out->leads_in = count > 1 && !nuce_simulation_is_on();
    for (int k = 0; k < count; k++)
        out->leads_in &= entrants[k].info->samples <= 0 && entrants[k].own_s <= LEAD_IN_MOST_S;
    for (int k = 0; k < count; k++) {
        out->order[k] = k;
        out->scratch[k] =
            (1 + out->leads_in) * entrants[k].step_s + (double)(out->steps - 1) * entrants[k].own_s;
        out->round_s += out->scratch[k];
        nuce_glance_begin(sampling->world, entrants[k].run, entrants[k].self,
                          entrants[k].info->prepares, (double)out->steps * entrants[k].own_s,
                          &entrants[k].look);
        if (entrants[k].look.share > 0)
            share = fmin(share, entrants[k].look.share);
    }
    /* The turn after a look finds other caches than a turn after none. With different shares of
     * looks, lp was 3 to 4 % slower than itself (8 ranks on 2 processors, 1 MiB), so all get the
     * least share. */
    for (int k = 0; k < count; k++) {
        if (entrants[k].look.share > 0)
            entrants[k].look.share = share;
    }
    nuce_meeting_init(sampling->clocks, sampling->measure.sync, count, out->scratch, &out->meeting);
    out->most = rounds_most(out);
    if (out->meeting.is_window && out->most > FIRST_WINDOWS)
        out->most = FIRST_WINDOWS;
    return NUCE_OK;
}

void nuce_rounds_fini(struct nuce_rounds *rounds)
{
    nuce_meeting_fini(&rounds->meeting);
    free(rounds->order);
    free(rounds->place);
    free(rounds->values);
    free(rounds->mine);
    free(rounds->last);
    free(rounds->own);
    free(rounds->given);
    free(rounds->paused);
    free(rounds->taken);
    free(rounds->kept);
    free(rounds->scratch);
    free(rounds->skew);
}

/* The longest stretch that the clocks allow, and the time from one pass over them to the next.
 * Together these must not exceed the validity of the clocks. */
static double between_passes(const struct nuce_rounds *rounds)
{
    return rounds->meeting.clocks->holds_s / 2;
}

int64_t nuce_rounds_fitting(const struct nuce_rounds *rounds, int64_t wanted, double left_s)
{
    int64_t most = rounds->most;
    double room_s = fmin(fmin(STRETCH_S, between_passes(rounds)), left_s);
    double fit = rounds->round_s > 0 ? room_s / rounds->round_s : (double)most;

    most = wanted < most ? wanted : most;
    return fit < 1 ? 1 : (int64_t)fmin(fit, (double)most);
}

static void prepare_step(const struct nuce_entrant *entrant)
{
    if (entrant->run->prepare != NULL)
        entrant->run->prepare(entrant->self);
}

/* Runs the turn of one entrant on this rank: its values, and its own time of a step. The
 * preceding step begins with a barrier even if turns have windows. */
static void take_turn(struct nuce_rounds *rounds, int number, int64_t at)
{
    struct nuce_entrant *entrant = &rounds->entrants[number];
    double *values = rounds->values + at * TURN_VALUES;
    double steps = (double)rounds->steps, ended;
    int is_looked_at = nuce_glance_is_due(&entrant->look, rounds->look_drawn);
    struct nuce_begun begun;

    if (rounds->leads_in) {
        double ignored[NUCE_SAMPLE_PARTS] = {0};

        prepare_step(entrant);
        nuce_world_barrier(rounds->sampling->world);
        entrant->run->step(entrant->self, ignored);
    }
    prepare_step(entrant);
    if (is_looked_at && entrant->run->spoil != NULL)
        entrant->run->spoil(entrant->self);
    begun = nuce_meeting_wait(&rounds->meeting, number);
    for (int64_t i = 0; i < rounds->steps; i++) {
        double parts[NUCE_SAMPLE_PARTS] = {0};

        entrant->run->step(entrant->self, parts);
        for (int part = 0; part < NUCE_SAMPLE_PARTS; part++)
            values[part] += parts[part] / steps;
    }
    ended = nuce_fault_ended(nuce_clock_sync_local(rounds->meeting.clocks, begun.begun_s), values,
                             number);
    values[TURN_ENDED] = nuce_clock_sync_common(rounds->meeting.clocks, ended);
    values[TURN_NOT_BEGUN] = -begun.begun_s;
    values[TURN_BEGUN] = begun.begun_s;
    values[TURN_ARRIVED] = begun.arrived_s;
    rounds->own[at] = values[NUCE_PART_OWN] = (values[TURN_ENDED] - begun.begun_s) / steps;
    rounds->given[at] = begun.given_s;
    rounds->paused[at] = 0;
    if (is_looked_at) {
        rounds->paused[at] = nuce_meeting_pause(&rounds->meeting, entrant->look.mark_s);
        nuce_glance_take(&entrant->look, entrant->run, entrant->self);
    }
}

/* From here on the values are maxima over ranks. */

/* One turn of an entrant becomes its sample. */
static void keep_turn(struct nuce_rounds *rounds, int64_t at, struct nuce_samples *samples)
{
    const double *values = rounds->values + at * TURN_VALUES;
    double *seconds = samples->seconds + samples->count * NUCE_SAMPLE_PARTS;
    /* for all: the given time, or the first exit from the barrier */
    double start_s = rounds->meeting.is_window ? rounds->given[at] : -values[TURN_NOT_BEGUN];

    memcpy(seconds, values, NUCE_SAMPLE_PARTS * sizeof *seconds);
    seconds[NUCE_PART_STEP] = (values[TURN_ENDED] - start_s) / (double)rounds->steps;
    memcpy(samples->last + samples->count * NUCE_SAMPLE_PARTS, rounds->last + at * LAST_VALUES,
           NUCE_SAMPLE_PARTS * sizeof(double));
    samples->last_rank[samples->count] =
        rounds->sampling->world->size - (int)rounds->last[at * LAST_VALUES + LAST_FROM];
    rounds->skew[rounds->skews++] = values[TURN_BEGUN] - start_s;
    samples->place[samples->count++] = rounds->place[at];
}

/* Gives rank 0 every rank's times for the steps of one entrant in the rounds that count. */
static void keep_ranks(struct nuce_rounds *rounds, int number, int64_t kept)
{
    struct nuce_world *world = rounds->sampling->world;
    struct nuce_samples *samples = &rounds->entrants[number].samples;

    for (int64_t i = 0; i < kept; i++)
        rounds->scratch[i] = rounds->own[rounds->kept[i] * rounds->count + number];
    if (world->rank == 0)
        nuce_allocate_more((void **)&samples->of_rank, &samples->of_rank_capacity,
                           (samples->count + kept) * world->size, sizeof(double));
    nuce_world_gather(world, rounds->scratch, nuce_int(kept),
                      world->rank == 0 ? samples->of_rank + samples->count * world->size : NULL);
}

/* Moves the rounds that count, without a late rank, to the entrants' samples, and learns from
 * all rounds. */
static void keep_rounds(struct nuce_rounds *rounds, int64_t count)
{
    int64_t kept = 0, late;

    for (int64_t round = 0; round < count; round++) {
        int is_late = 0;

        for (int64_t at = round * rounds->count; at < (round + 1) * rounds->count; at++)
            is_late |= rounds->meeting.is_window &&
                       rounds->values[at * TURN_VALUES + TURN_ARRIVED] > rounds->given[at];
        if (!is_late)
            rounds->kept[kept++] = round;
    }
    for (int number = 0; number < rounds->count; number++) {
        if (rounds->sampling->measure.per_rank)
            keep_ranks(rounds, number, kept);
        for (int64_t i = 0; i < kept; i++)
            keep_turn(rounds, rounds->kept[i] * rounds->count + number,
                      &rounds->entrants[number].samples);
    }
    late = count - kept;
    rounds->late += late;
    if (rounds->meeting.is_window && (double)late > LATE_SHARE * (double)count)
        rounds->most = count > 1 ? count / 2 : 1;
    else if (rounds->meeting.is_window && count == rounds->most)
        rounds->most = 2 * count < rounds_most(rounds) ? 2 * count : rounds_most(rounds);
    for (int64_t at = 0; at < count * rounds->count; at++)
        rounds->taken[at / rounds->count * rounds->count + rounds->place[at]] =
            (struct nuce_taken){.number = (int)(at % rounds->count),
                                .given_s = rounds->given[at],
                                .paused_s = rounds->paused[at],
                                .arrived_s = rounds->values[at * TURN_VALUES + TURN_ARRIVED]};
    nuce_meeting_adapt(&rounds->meeting, rounds->taken, count * rounds->count, rounds->scratch);
}

/* Finds the rank that ended last, from the agreed end times, and its parts. */
static void find_last(struct nuce_rounds *rounds, int64_t turns)
{
    struct nuce_world *world = rounds->sampling->world;
    double *from = rounds->scratch; /* turns */

    for (int64_t at = 0; at < turns; at++) {
        int64_t ended = at * TURN_VALUES + TURN_ENDED;

        from[at] = rounds->mine[ended] >= rounds->values[ended] ? world->size - world->rank : 0;
    }
    nuce_world_maximum(world, from, nuce_int(turns));
    memset(rounds->last, 0, (size_t)(turns * LAST_VALUES) * sizeof(double));
    for (int64_t at = 0; at < turns; at++) {
        if ((int)from[at] != world->size - world->rank)
            continue;
        memcpy(rounds->last + at * LAST_VALUES, rounds->mine + at * TURN_VALUES,
               NUCE_SAMPLE_PARTS * sizeof(double));
        rounds->last[at * LAST_VALUES + LAST_FROM] = from[at];
    }
    nuce_world_maximum(world, rounds->last, nuce_int(turns * LAST_VALUES));
}

void nuce_rounds_take(struct nuce_rounds *rounds, int64_t count, struct nuce_stretch *out)
{
    struct nuce_world *world = rounds->sampling->world;
    int64_t values = count * rounds->count * TURN_VALUES;
    double *tail = rounds->values + values;
    double begin;

    if (out->elapsed_s - rounds->looked_s > between_passes(rounds)) {
        nuce_clock_sync_pass(rounds->meeting.clocks);
        rounds->looked_s = out->elapsed_s;
    }
    memset(rounds->values, 0, (size_t)values * sizeof(double));
    nuce_meeting_turns(&rounds->meeting);
    begin = nuce_clock();
    for (int64_t round = 0; round < count; round++) {
        nuce_rng_shuffle(&rounds->rng, rounds->order, rounds->count);
        rounds->look_drawn = nuce_rng_uniform(&rounds->look_rng);
        for (int place = 0; place < rounds->count; place++) {
            int number = rounds->order[place];
            int64_t at = round * rounds->count + number;

            if (rounds->sampling->turn != NULL)
                rounds->sampling->turn(rounds->sampling->context, number);
            take_turn(rounds, number, at);
            rounds->place[at] = place;
        }
    }
    tail[STRETCH_ROUND] = (nuce_clock() - begin) / (double)count;
    tail[STRETCH_ELAPSED] = nuce_clock() - rounds->begun_s;
    tail[STRETCH_INTERRUPTED] = atomic_load(rounds->sampling->interrupted);
    /* Saved before the reduction: find_last compares this rank's values with the maximum over
     * all. */
    memcpy(rounds->mine, rounds->values, (size_t)values * sizeof(double));
    nuce_world_maximum(world, rounds->values, nuce_int(values + STRETCH_VALUES));
    find_last(rounds, count * rounds->count);
    rounds->round_s = tail[STRETCH_ROUND];
    *out = (struct nuce_stretch){.elapsed_s = tail[STRETCH_ELAPSED],
                                 .interrupted = tail[STRETCH_INTERRUPTED] > 0};
    keep_rounds(rounds, count);
}

void nuce_rounds_forget(struct nuce_rounds *rounds)
{
    for (int k = 0; k < rounds->count; k++)
        rounds->entrants[k].samples.count = 0;
    rounds->skews = rounds->late = 0;
}

void nuce_rounds_begin(struct nuce_rounds *rounds)
{
    nuce_rounds_forget(rounds);
    rounds->looked_s = -INFINITY;
    rounds->begun_s = nuce_clock();
}

void nuce_rounds_describe(struct nuce_rounds *rounds, struct nuce_sampling_facts *out)
{
    struct nuce_clock_quality clocks;
    double unknown_s;

    nuce_clock_sync_pass(rounds->meeting.clocks);
    clocks = nuce_clock_sync_quality(rounds->meeting.clocks);
    *out = (struct nuce_sampling_facts){.sync = rounds->meeting.is_window ? "window" : "barrier",
                                        .batch = rounds->steps,
                                        .late_rounds = rounds->late,
                                        .skew_s = NAN,
                                        .skew_high_s = NAN,
                                        .residual_s = clocks.residual_s,
                                        .error_s = clocks.error_s};
    if (rounds->skews == 0)
        return;
    /* In place: from here on skew is not in the order of turns. */
    nuce_statistics_sort(rounds->skew, rounds->skews);
    out->skew_s = nuce_statistics_median(rounds->skew, rounds->skews);
    out->skew_high_s = nuce_statistics_quantile(rounds->skew, rounds->skews, SKEW_HIGH);
    /* An entrant's turns are too short if they do not exceed the uncertainty of their start. */
    unknown_s = out->skew_s + clocks.residual_s + clocks.error_s;
    for (int k = 0; k < rounds->count; k++) {
        struct nuce_samples *samples = &rounds->entrants[k].samples;

        for (int64_t i = 0; i < samples->count; i++)
            rounds->scratch[i] = samples->seconds[i * NUCE_SAMPLE_PARTS + NUCE_PART_OWN];
        nuce_statistics_sort(rounds->scratch, samples->count);
        samples->too_short =
            samples->count > 0 &&
            nuce_statistics_median(rounds->scratch, samples->count) * (double)rounds->steps <
                STARTS_OF_TURN * unknown_s;
    }
}

void nuce_samples_fini(struct nuce_samples *samples)
{
    free(samples->seconds);
    free(samples->last);
    free(samples->last_rank);
    free(samples->place);
    free(samples->of_rank);
    memset(samples, 0, sizeof *samples);
}

/* Means over the middle half of the samples.
 *
 * The quarters with the shortest and the longest steps are excluded: an outlier would dominate a
 * mean. O(samples log samples), 24 bytes per sample. */

/* A sample, its sort key, and the rank that ended last in it. */
struct last_sample {
    double step_s;
    int64_t number;
    int rank;
};

/* By step, then by number: the order does not depend on qsort. */
static int by_step(const void *a, const void *b)
{
    const struct last_sample *one = a, *other = b;

    if (one->step_s != other->step_s)
        return one->step_s < other->step_s ? -1 : 1;
    return one->number < other->number ? -1 : one->number > other->number;
}

/* Ranks are not negative: the difference does not overflow. */
static int by_rank(const void *a, const void *b)
{
    return ((const struct last_sample *)a)->rank - ((const struct last_sample *)b)->rank;
}

/* The most frequent rank; the lowest of equals. Sorts. */
static int last_most_often(struct last_sample *middle, int64_t count, int64_t *times)
{
    int64_t same = 0;
    int rank = 0;

    *times = 0;
    qsort(middle, (size_t)count, sizeof *middle, by_rank);
    for (int64_t i = 0; i < count; i++) {
        same = i > 0 && middle[i].rank == middle[i - 1].rank ? same + 1 : 1;
        if (same > *times) {
            *times = same;
            rank = middle[i].rank;
        }
    }
    return rank;
}

/* last_PART_s of each timed part of a step, and the remainder. */
void nuce_samples_describe_last(const struct nuce_samples *samples, unsigned timed,
                                struct nuce_metrics *found)
{
    int64_t count = samples->count, first = count / 4, middle = count - 2 * first, times;
    struct last_sample *all = nuce_allocate(count + 1, sizeof *all);
    const unsigned wholes = 1U << NUCE_PART_STEP | 1U << NUCE_PART_OWN;
    double mean[NUCE_SAMPLE_PARTS] = {0}, other_s;
    char name[32];

    for (int64_t i = 0; i < count; i++)
        all[i] = (struct last_sample){samples->seconds[i * NUCE_SAMPLE_PARTS + NUCE_PART_STEP], i,
                                      samples->last_rank[i]};
    if (count > 0) {
        qsort(all, (size_t)count, sizeof *all, by_step);
        for (int64_t i = first; i < first + middle; i++) {
            for (int part = 0; part < NUCE_SAMPLE_PARTS; part++)
                mean[part] +=
                    samples->last[all[i].number * NUCE_SAMPLE_PARTS + part] / (double)middle;
            mean[NUCE_PART_STEP] += all[i].step_s / (double)middle;
        }
        nuce_metrics_integer(found, "last_rank", last_most_often(all + first, middle, &times));
        nuce_metrics_real(found, "last_share", (double)times / (double)middle);
        other_s = mean[NUCE_PART_OWN];
        for (int part = 0; part < NUCE_SAMPLE_PARTS; part++) {
            if (!(timed & ~wholes & 1U << part))
                continue;
            snprintf(name, sizeof name, "last_%s_s", nuce_record_sample_parts[part]);
            nuce_metrics_real(found, name, mean[part]);
            other_s -= mean[part];
        }
        nuce_metrics_real(found, "last_late_s", mean[NUCE_PART_STEP] - mean[NUCE_PART_OWN]);
        nuce_metrics_real(found, "last_other_s", other_s);
        nuce_metrics_real(found, "last_step_s", mean[NUCE_PART_STEP]);
    }
    free(all);
}
