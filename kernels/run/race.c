/* The race: set up, warm up and verify each contender by itself, then rounds, then verify each
 * once more and record it. The duplicate is set up like a contender, after its original, with its
 * own requests, arrays and generators. With two turns a round, the reference would have its data in
 * the caches twice as often as others, and run through differing steps twice as fast. "begin" is
 * written before any set-up of a contender, and "run" at the end, for any outcome. In the
 * rounds, RECORDS.turn shows where a job died. The line that a race has begun, and at the end
 * all of its runs, are synced to disk.
 *
 * A contender that a node's memory does not hold besides the reference and others is dropped
 * from the launch of a campaign, without a record. It lacks a run, so the harness starts it
 * again with the reference and other incomplete contenders (harness/campaigns/start.h). The race
 * is thus split into launches that share the reference. All ranks know what one contender's
 * ranks agree on, so all take the same path here. Each function without "Local" or "Rank 0" is
 * collective over the loop's world. */
#include "run/race.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/int.h"
#include "run/attempt.h"
#include "run/graphs.h"
#include "run/node_memory.h"
#include "run/payload.h"
#include "run/point_loop.h"
#include "run/print.h"
#include "run/run_record.h"
#include "run/sampling.h"
#include "run/simulation.h"

/* A race in progress. */
struct race {
    struct nuce_point_loop *loop;
    struct nuce_error *worst; /* of the launch: the first run with the worst status */
    struct nuce_attempt *contenders;
    int count;    /* number of begun contenders */
    int capacity; /* room in contenders */
    struct nuce_race_facts facts;
    struct nuce_buffers buffers;
    struct nuce_sampling sampling;
    struct nuce_attempt duplicate; /* of the first warm contender; never recorded */
    int duplicate_of;              /* index of that contender; -1: none yet */
    struct nuce_entrant *entrants; /* of the rounds: the remaining contenders, then the duplicate */
    int *contender_of;             /* index of each entrant's contender */
    _Atomic int in_flight;         /* the contender that has the turn; for the watchdog */
};

/* Announces the turn of a contender: to the watchdog and, if the processes die, to the harness.
 * Local. */
static void give_turn(struct race *race, int number)
{
    atomic_store_explicit(&race->in_flight, number, memory_order_relaxed);
    nuce_turn_set(race->loop->turn, race->contenders[number].point.id);
}

/* Callback of the sampling: entrants may be fewer than contenders, and one is the duplicate. Local.
 */
static void turn_of_entrant(void *context, int entrant)
{
    struct race *race = context;

    give_turn(race, race->contender_of[entrant]);
}

/* Keeps the rows in the order of the contenders, each with its ratio to the reference, which is
 * the first that succeeded. Rank 0. */
static void keep_rows(struct race *race)
{
    const struct nuce_attempt *reference = NULL;

    for (int k = 0; k < race->count; k++) {
        struct nuce_attempt *attempt = &race->contenders[k];

        if (attempt->row == NULL)
            continue;
        if (attempt->outcome == NUCE_OK && reference == NULL)
            reference = attempt;
        if (attempt->outcome == NUCE_OK && reference->duplicate.count > 0)
            nuce_attempt_race(attempt, reference, attempt->row);
        json_array_append(race->loop->rows, attempt->row);
    }
}

/* Callback of the watchdog, on its thread: records the contender that had the turn, and prints
 * all rows so far, of earlier races too. Rank 0. */
static void time_out(void *context, const char *message)
{
    struct race *race = context;
    struct nuce_point_loop *loop = race->loop;
    struct nuce_attempt *attempt = &race->contenders[atomic_load(&race->in_flight)];
    struct nuce_error error;

    if (!attempt->is_over)
        nuce_attempt_time_out(attempt, &race->facts, message);
    if (loop->writer.descriptor >= 0)
        return;
    keep_rows(race);
    if (nuce_print_rows(loop->rows, attempt->point.workload, loop->format, stdout, &error) !=
        NUCE_OK)
        nuce_error_print(&error, "nuce");
    fflush(stdout);
}

/* Records a contender, which then leaves the race; status is of the record, not of its run. */
static nuce_status end_contender(struct race *race, struct nuce_attempt *attempt,
                                 struct nuce_error *error)
{
    nuce_status status = nuce_attempt_end(attempt, &race->facts, error);

    if (attempt->outcome != NUCE_OK && attempt->outcome > race->worst->status) {
        *race->worst = attempt->reason;
        race->worst->status = attempt->outcome;
    }
    return status;
}

/* Gives the following part that many seconds. Only rank 0's watchdog records. Local. */
static void race_arm(struct race *race, double allowed_s)
{
    nuce_watchdog_arm(race->loop->watchdog, allowed_s,
                      race->loop->world->rank == 0 ? time_out : NULL, race);
}

/* Prepares the steps of a contender, or of its duplicate, until it is warm and has delivered every
 * byte. A failure is the contender's. */
static nuce_status make_ready(struct race *race, struct nuce_attempt *attempt,
                              struct nuce_error *reason)
{
    if (nuce_attempt_set_up(attempt, reason) != NUCE_OK)
        return reason->status;
    race->sampling.measure = nuce_attempt_measure(attempt);
    return nuce_sampling_warm_up(&race->sampling, &attempt->entrant, reason);
}

/* Takes a plan's line to a contender that is warm and has delivered every byte, or to one that
 * is recorded as failed, which is not a failure here. The first contender sets the wait policy for
 * all, the race's identity (on rank 0), and the seed of its order. The seed differs in each
 * launch, except on a simulated machine, whose times have no noise to average. The first
 * contender that is ready gets a duplicate if others follow. A contender may fail in set-up because
 * others hold the memory. It then leaves the race and frees its allocations, because it may fit
 * with the reference alone. A run by hand (no campaign) has no harness to start it again. */
static nuce_status race_enter(struct race *race, const json_t *line, struct nuce_error *error)
{
    struct nuce_world *world = race->loop->world;
    struct nuce_attempt *attempt = &race->contenders[race->count++];
    struct nuce_error *reason = &attempt->reason;
    double begin = nuce_clock();
    int others = 0; /* earlier contenders that are not over */

    if (nuce_attempt_init(race->loop, line, attempt, error) != NUCE_OK) {
        attempt->is_over = 1;
        return error->status;
    }
    give_turn(race, race->count - 1);
    nuce_point_loop_remark(race->loop, &attempt->point);
    if (race->count == 1) {
        nuce_status status = NUCE_OK;

        world->wait = nuce_wait_under(&world->machine, attempt->point.measure.wait);
        if (world->rank == 0) {
            status = nuce_point_race(&attempt->point, race->facts.id, error);
            race->facts.seed = nuce_simulation_is_on() ? 1 : (uint32_t)nuce_record_time_ms();
        }
        nuce_world_broadcast(world, &race->facts.seed, sizeof race->facts.seed);
        race->sampling.seed = race->facts.seed;
        if (nuce_world_agree(world, status, error) != NUCE_OK)
            return error->status;
    }
    if (nuce_attempt_begin(attempt, error) != NUCE_OK ||
        (race->count == 1 && nuce_point_loop_keep(race->loop, error) != NUCE_OK))
        return error->status;
    race_arm(race, attempt->point.measure.timeout);
    attempt->outcome = make_ready(race, attempt, reason);
    if (attempt->outcome == NUCE_OK && race->duplicate_of < 0 && race->count < race->capacity) {
        race->duplicate_of = race->count - 1;
        attempt->outcome = nuce_attempt_init(race->loop, line, &race->duplicate, reason);
        if (attempt->outcome == NUCE_OK)
            attempt->outcome = make_ready(race, &race->duplicate, reason);
    }
    attempt->spent_s = nuce_clock() - begin;
    if (attempt->outcome == NUCE_OK)
        return NUCE_OK;
    for (int k = 0; k < race->count - 1; k++)
        others += !race->contenders[k].is_over;
    if (!attempt->created && others > 1 && *race->loop->campaign != '\0' &&
        attempt->world->lacks_memory) {
        if (world->rank == 0)
            fprintf(stderr,
                    "nuce: a race is split: this node's memory does not hold all contenders, and "
                    "one races with the reference in a launch of its own (%s)\n",
                    reason->message);
        nuce_attempt_fini(attempt);
        *attempt = (struct nuce_attempt){.outcome = NUCE_OK};
        give_turn(race, --race->count - 1);
        return NUCE_OK;
    }
    if (end_contender(race, attempt, error) != NUCE_OK)
        return error->status;
    return nuce_point_loop_keep(race->loop, error);
}

/* Runs the rounds. Their outcome is that of all remaining contenders and, if the reference has a
 * competitor, of the duplicate, the race's noise, which is last. The limit of the measure is for
 * one contender, so the rounds get a multiple of it. */
static void race_race(struct race *race)
{
    int contenders = 0, entrants;
    double begin = nuce_clock(), left_s = 0, spent_s, others;
    double processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
    struct nuce_others_cpu stand;
    struct nuce_error reason = {0};
    nuce_status outcome;

    for (int k = 0; k < race->count; k++) {
        const struct nuce_attempt *attempt = &race->contenders[k];

        if (attempt->is_over)
            continue;
        left_s += fmax(attempt->point.measure.timeout - attempt->spent_s, 0);
        race->entrants[contenders] = attempt->entrant;
        race->contender_of[contenders++] = k;
    }
    if (contenders == 0)
        return;
    entrants = contenders;
    if (contenders > 1) {
        race->duplicate.info.criterion = race->contenders[race->duplicate_of].info.criterion;
        race->entrants[entrants] = race->duplicate.entrant;
        race->contender_of[entrants++] = race->duplicate_of;
    }
    race->sampling.measure.time_limit *= contenders;
    race_arm(race, left_s);
    nuce_others_cpu_look(&stand);
    outcome = nuce_sampling_run(&race->sampling, race->entrants, entrants, &race->facts.sampling,
                                &reason);
    spent_s = nuce_clock() - begin;
    others = nuce_others_cpu_since(race->loop->world, &stand);
    /* Printed once per launch: other processes affect the times on this machine. */
    if (race->loop->world->rank == 0 && !race->loop->said_busy &&
        others > NUCE_OTHERS_CPU_BUSY * processors) {
        fprintf(stderr,
                "BUSY: other load kept %.1f of %.0f processors busy during a race, and may have "
                "changed its times.\n",
                others, processors);
        race->loop->said_busy = 1;
    }
    for (int e = 0; e < entrants; e++)
        race->contenders[race->contender_of[e]].spent_s += spent_s / entrants;
    for (int e = 0; e < contenders; e++) {
        struct nuce_attempt *attempt = &race->contenders[race->contender_of[e]];

        attempt->entrant = race->entrants[e];
        attempt->others_cpus = others;
        attempt->outcome = outcome;
        attempt->reason = reason;
    }
    if (entrants > contenders) { /* the duplicate's samples are recorded with its contender */
        race->duplicate.entrant = race->entrants[contenders];
        race->contenders[race->duplicate_of].duplicate = race->duplicate.entrant.samples;
        race->duplicate.entrant.samples = (struct nuce_samples){.first_s = NAN};
    }
}

/* Called after the rounds: checks a contender once more, and concludes from its samples. A
 * failure is its outcome. */
static void race_check(struct race *race, int number)
{
    struct nuce_attempt *attempt = &race->contenders[number];
    double begin = nuce_clock();

    give_turn(race, number);
    if (attempt->outcome != NUCE_OK)
        return;
    /* Before the check, whose steps would be counted too. */
    nuce_counters_sum(attempt->counters, race->loop->world);
    nuce_metrics_real(
        &attempt->info.found, "looked",
        nuce_sampling_looked(&race->sampling, &attempt->entrant, race->facts.sampling.batch));
    nuce_samples_describe_last(&attempt->entrant.samples, attempt->info.parts,
                               &attempt->info.found);
    attempt->outcome = nuce_sampling_verify(&race->sampling, &attempt->entrant, &attempt->reason);
    if (attempt->outcome == NUCE_OK && attempt->duplicate.count > 0)
        attempt->outcome =
            nuce_sampling_verify(&race->sampling, &race->duplicate.entrant, &attempt->reason);
    if (attempt->outcome == NUCE_OK)
        attempt->outcome = nuce_attempt_conclude(attempt, &attempt->reason);
    attempt->spent_s += nuce_clock() - begin;
}

/* NUCE_INTERRUPTED if any contender was: an interrupt is for the launch, not one contender.
 * Local. */
static nuce_status find_interrupted(const struct race *race, struct nuce_error *error)
{
    for (int k = 0; k < race->count; k++) {
        if (race->contenders[k].outcome == NUCE_INTERRUPTED)
            return nuce_error_set(error, NUCE_INTERRUPTED, "%s",
                                  race->contenders[k].reason.message);
    }
    return NUCE_OK;
}

/* Runs a whole race. The returned status ends the launch; an error of a contender is its
 * outcome. */
static nuce_status race_run_all(struct race *race, const json_t *lines, size_t first,
                                struct nuce_error *error)
{
    const struct nuce_attempt *reference = NULL;
    int differs = 0;

    for (int k = 0; k < race->capacity; k++) {
        if (race_enter(race, json_array_get(lines, first + (size_t)k), error) != NUCE_OK ||
            find_interrupted(race, error) != NUCE_OK)
            return error->status;
    }
    for (int k = 0; k < race->count; k++) {
        struct nuce_attempt *attempt = &race->contenders[k];

        if (attempt->is_over)
            continue;
        nuce_counters_reset(attempt->counters);
        reference = reference == NULL ? attempt : reference;
        differs |= attempt->info.criterion != reference->info.criterion;
    }
    /* Contenders are compared by one part of a step. If they differ in that part, the whole step
     * is used. */
    for (int k = 0; differs && k < race->count; k++)
        race->contenders[k].info.criterion = NUCE_PART_STEP;
    race_race(race);
    for (int k = 0; k < race->count; k++) {
        if (!race->contenders[k].is_over)
            race_check(race, k);
    }
    nuce_watchdog_disarm(race->loop->watchdog);
    for (int k = 0; k < race->count; k++) {
        if (!race->contenders[k].is_over &&
            end_contender(race, &race->contenders[k], error) != NUCE_OK)
            return error->status;
    }
    if (nuce_point_loop_keep(race->loop, error) != NUCE_OK)
        return error->status;
    return find_interrupted(race, error);
}

/* Runs lines first .. first + count - 1. NUCE_INTERRUPTED or an unwritable record ends the
 * launch; other errors are a point's own and go into worst. */
static nuce_status run_race(struct nuce_point_loop *loop, const json_t *lines, size_t first,
                            size_t count, struct nuce_error *worst, struct nuce_error *error)
{
    struct race race = {
        .loop = loop, .worst = worst, .capacity = nuce_int((int64_t)count), .duplicate_of = -1};
    nuce_status status;

    race.sampling = (struct nuce_sampling){.world = loop->world,
                                           .clocks = loop->clocks,
                                           .interrupted = &loop->watchdog->interrupted,
                                           .turn = turn_of_entrant,
                                           .context = &race};
    race.contenders = nuce_allocate(race.capacity, sizeof *race.contenders);
    race.entrants = nuce_allocate(race.capacity + 1, sizeof *race.entrants);
    race.contender_of = nuce_allocate(race.capacity + 1, sizeof *race.contender_of);
    loop->world->buffers = &race.buffers;
    status = race_run_all(&race, lines, first, error);
    nuce_watchdog_disarm(loop->watchdog);
    if (loop->world->rank == 0)
        keep_rows(&race);
    for (int k = 0; k < race.count; k++)
        nuce_attempt_fini(&race.contenders[k]);
    if (race.duplicate_of >= 0)
        nuce_attempt_fini(&race.duplicate);
    nuce_buffers_fini(&race.buffers);
    free(race.contenders);
    free(race.entrants);
    free(race.contender_of);
    loop->world->buffers = NULL;
    return status;
}

/* An instance may have more contenders than a race. Further ones have a reference of their own,
 * which is reported once per launch. The harness never asks for so many at a time. */
nuce_status nuce_race_run_all(struct nuce_point_loop *loop, const json_t *lines,
                              struct nuce_error *error)
{
    struct nuce_graphs graphs = {.next = 0};
    struct nuce_error worst = {.status = NUCE_OK};
    nuce_status status = NUCE_OK;
    size_t first = 0;

    loop->world->graphs = &graphs;
    while (status == NUCE_OK && first < json_array_size(lines)) {
        const json_t *line = json_array_get(lines, first);
        size_t next = first + 1;

        /* The contenders of one race are consecutive lines. Each is alone if contenders would
         * disturb each other's findings: on a simulated machine, which has no common noise. */
        while (!nuce_simulation_is_on() && next - first < NUCE_RACE_CONTENDERS_MOST &&
               next < json_array_size(lines) &&
               nuce_point_is_of_race(line, json_array_get(lines, next)))
            next++;
        if (loop->world->rank == 0 && !loop->said_many &&
            next - first == NUCE_RACE_CONTENDERS_MOST && next < json_array_size(lines) &&
            nuce_point_is_of_race(line, json_array_get(lines, next))) {
            fprintf(
                stderr,
                "nuce: more than %d contenders: every %d form a race, with ratios to its first\n",
                NUCE_RACE_CONTENDERS_MOST, NUCE_RACE_CONTENDERS_MOST);
            loop->said_many = 1;
        }
        status = run_race(loop, lines, first, next - first, &worst, error);
        first = next;
    }
    if (status == NUCE_OK && worst.status != NUCE_OK) {
        *error = worst;
        status = worst.status;
    }
    loop->world->graphs = NULL;
    nuce_graphs_fini(&graphs);
    return status;
}
