/* The heat: set up, warm up and verify each contender by itself, then rounds, then verify each
 * once more and record it. The twin is set up like a contender, after its original, with its own
 * requests, arrays and generators. With two turns a round, the reference would have its data in
 * the caches twice as often as others, and run through differing steps twice as fast. "begin" is
 * written before any set-up of a contender, and "run" at the end, for any outcome. In the
 * rounds, RECORDS.turn shows where a job died. The line that a heat has begun, and at the end
 * all of its runs, are synced to disk.
 *
 * A contender that a node's memory does not hold besides the reference and others is dropped
 * from the launch of a campaign, without a record. It lacks a run, so the harness starts it
 * again with the reference and other incomplete contenders (harness/campaigns/start.h). The heat
 * is thus split into launches that share the reference. All ranks know what one contender's
 * ranks agree on, so all take the same path here. Each function without "Local" or "Rank 0" is
 * collective over the loop's world. */
#include "run/heat.h"

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

/* A heat in progress. */
struct heat {
    struct nuce_point_loop *loop;
    struct nuce_error *worst; /* of the launch: the first run with the worst status */
    struct nuce_attempt *contenders;
    int count;    /* number of begun contenders */
    int capacity; /* room in contenders */
    struct nuce_heat_facts facts;
    struct nuce_buffers buffers;
    struct nuce_sampling sampling;
    struct nuce_attempt twin;      /* of the first warm contender; never recorded */
    int twin_of;                   /* index of that contender; -1: none yet */
    struct nuce_entrant *entrants; /* of the rounds: the remaining contenders, then the twin */
    int *contender_of;             /* index of each entrant's contender */
    _Atomic int in_flight;         /* the contender that has the turn; for the watchdog */
};

size_t nuce_heat_size(const json_t *lines, size_t first)
{
    const json_t *line = json_array_get(lines, first);
    size_t count = 1;

    while (!nuce_simulation_is_on() && count < NUCE_HEAT_CONTENDERS_MOST &&
           first + count < json_array_size(lines) &&
           nuce_point_is_of_heat(line, json_array_get(lines, first + count)))
        count++;
    return count;
}

/* Announces the turn of a contender: to the watchdog and, if the processes die, to the harness.
 * Local. */
static void give_turn(struct heat *heat, int number)
{
    atomic_store_explicit(&heat->in_flight, number, memory_order_relaxed);
    nuce_turn_set(heat->loop->turn, heat->contenders[number].point.id);
}

/* Callback of the sampling: entrants may be fewer than contenders, and one is the twin. Local. */
static void turn_of_entrant(void *context, int entrant)
{
    struct heat *heat = context;

    give_turn(heat, heat->contender_of[entrant]);
}

/* Keeps the rows in the order of the contenders, each with its ratio to the reference, which is
 * the first that succeeded. Rank 0. */
static void keep_rows(struct heat *heat)
{
    const struct nuce_attempt *reference = NULL;

    for (int k = 0; k < heat->count; k++) {
        struct nuce_attempt *attempt = &heat->contenders[k];

        if (attempt->row == NULL)
            continue;
        if (attempt->outcome == NUCE_OK && reference == NULL)
            reference = attempt;
        if (attempt->outcome == NUCE_OK && reference->twin.count > 0)
            nuce_attempt_race(attempt, reference, attempt->row);
        json_array_append(heat->loop->rows, attempt->row);
    }
}

/* Callback of the watchdog, on its thread: records the contender that had the turn, and prints
 * all rows so far, of earlier heats too. Rank 0. */
static void time_out(void *context, const char *message)
{
    struct heat *heat = context;
    struct nuce_point_loop *loop = heat->loop;
    struct nuce_attempt *attempt = &heat->contenders[atomic_load(&heat->in_flight)];
    struct nuce_error error;

    if (!attempt->is_over)
        nuce_attempt_time_out(attempt, &heat->facts, message);
    if (loop->writer.descriptor >= 0)
        return;
    keep_rows(heat);
    if (nuce_print_rows(loop->rows, attempt->point.workload, loop->format, stdout, &error) !=
        NUCE_OK)
        nuce_error_print(&error, "nuce");
    fflush(stdout);
}

/* Records a contender, which then leaves the heat; status is of the record, not of its run. */
static nuce_status end_contender(struct heat *heat, struct nuce_attempt *attempt,
                                 struct nuce_error *error)
{
    nuce_status status = nuce_attempt_end(attempt, &heat->facts, error);

    if (attempt->outcome != NUCE_OK && attempt->outcome > heat->worst->status) {
        *heat->worst = attempt->reason;
        heat->worst->status = attempt->outcome;
    }
    return status;
}

/* Gives the following part that many seconds. Only rank 0's watchdog records. Local. */
static void heat_arm(struct heat *heat, double allowed_s)
{
    nuce_watchdog_arm(heat->loop->watchdog, allowed_s,
                      heat->loop->world->rank == 0 ? time_out : NULL, heat);
}

/* Prepares the steps of a contender, or of its twin, until it is warm and has delivered every
 * byte. A failure is the contender's. */
static nuce_status make_ready(struct heat *heat, struct nuce_attempt *attempt,
                              struct nuce_error *reason)
{
    if (nuce_attempt_set_up(attempt, reason) != NUCE_OK)
        return reason->status;
    heat->sampling.measure = nuce_attempt_measure(attempt);
    return nuce_sampling_warm_up(&heat->sampling, &attempt->entrant, reason);
}

/* Takes a plan's line to a contender that is warm and has delivered every byte, or to one that
 * is recorded as failed, which is no failure here. The first contender sets the wait policy for
 * all, the heat's identity (on rank 0), and the seed of its order. The seed differs in each
 * launch, except on a simulated machine, whose times have no noise to average. The first
 * contender that is ready gets a twin if others follow. A contender may fail in set-up because
 * others hold the memory. It then leaves the heat and frees its allocations, because it may fit
 * with the reference alone. A run by hand (no campaign) has no harness to start it again. */
static nuce_status heat_enter(struct heat *heat, const json_t *line, struct nuce_error *error)
{
    struct nuce_world *world = heat->loop->world;
    struct nuce_attempt *attempt = &heat->contenders[heat->count++];
    struct nuce_error *reason = &attempt->reason;
    double begin = nuce_clock();
    int others = 0; /* earlier contenders that are not over */

    if (nuce_attempt_init(heat->loop, line, attempt, error) != NUCE_OK) {
        attempt->is_over = 1;
        return error->status;
    }
    give_turn(heat, heat->count - 1);
    nuce_point_loop_remark(heat->loop, &attempt->point);
    if (heat->count == 1) {
        nuce_status status = NUCE_OK;

        world->wait = nuce_wait_under(&world->machine, attempt->point.measure.wait);
        if (world->rank == 0) {
            status = nuce_point_heat(&attempt->point, heat->facts.id, error);
            heat->facts.seed = nuce_simulation_is_on() ? 1 : (uint32_t)nuce_record_time_ms();
        }
        nuce_world_broadcast(world, &heat->facts.seed, sizeof heat->facts.seed);
        heat->sampling.seed = heat->facts.seed;
        if (nuce_world_agree(world, status, error) != NUCE_OK)
            return error->status;
    }
    if (nuce_attempt_begin(attempt, error) != NUCE_OK ||
        (heat->count == 1 && nuce_point_loop_keep(heat->loop, error) != NUCE_OK))
        return error->status;
    heat_arm(heat, attempt->point.measure.timeout);
    attempt->outcome = make_ready(heat, attempt, reason);
    if (attempt->outcome == NUCE_OK && heat->twin_of < 0 && heat->count < heat->capacity) {
        heat->twin_of = heat->count - 1;
        attempt->outcome = nuce_attempt_init(heat->loop, line, &heat->twin, reason);
        if (attempt->outcome == NUCE_OK)
            attempt->outcome = make_ready(heat, &heat->twin, reason);
    }
    attempt->spent_s = nuce_clock() - begin;
    if (attempt->outcome == NUCE_OK)
        return NUCE_OK;
    for (int k = 0; k < heat->count - 1; k++)
        others += !heat->contenders[k].is_over;
    if (!attempt->created && others > 1 && *heat->loop->campaign != '\0' &&
        attempt->world->lacks_memory) {
        if (world->rank == 0)
            fprintf(stderr,
                    "nuce: a heat is split: this node's memory does not hold a contender beside "
                    "those that are there, and it races with the reference in a launch of its "
                    "own (%s)\n",
                    reason->message);
        nuce_attempt_fini(attempt);
        *attempt = (struct nuce_attempt){.outcome = NUCE_OK};
        give_turn(heat, --heat->count - 1);
        return NUCE_OK;
    }
    if (end_contender(heat, attempt, error) != NUCE_OK)
        return error->status;
    return nuce_point_loop_keep(heat->loop, error);
}

/* Runs the rounds. Their outcome is that of all remaining contenders and, if the reference has a
 * competitor, of the twin, the heat's control, which is last. The limit of the measure is for
 * one contender, so the rounds get a multiple of it. */
static void heat_race(struct heat *heat)
{
    int contenders = 0, entrants;
    double begin = nuce_clock(), left_s = 0, spent_s, others;
    double processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
    struct nuce_others_cpu stand;
    struct nuce_error reason = {0};
    nuce_status outcome;

    for (int k = 0; k < heat->count; k++) {
        const struct nuce_attempt *attempt = &heat->contenders[k];

        if (attempt->is_over)
            continue;
        left_s += fmax(attempt->point.measure.timeout - attempt->spent_s, 0);
        heat->entrants[contenders] = attempt->entrant;
        heat->contender_of[contenders++] = k;
    }
    if (contenders == 0)
        return;
    entrants = contenders;
    if (contenders > 1) {
        heat->twin.info.criterion = heat->contenders[heat->twin_of].info.criterion;
        heat->entrants[entrants] = heat->twin.entrant;
        heat->contender_of[entrants++] = heat->twin_of;
    }
    heat->sampling.measure.limit *= contenders;
    heat_arm(heat, left_s);
    nuce_others_cpu_look(&stand);
    outcome = nuce_sampling_run(&heat->sampling, heat->entrants, entrants, &heat->facts.sampling,
                                &reason);
    spent_s = nuce_clock() - begin;
    others = nuce_others_cpu_since(heat->loop->world, &stand);
    /* Printed once a launch: other processes affect the times on this machine. */
    if (heat->loop->world->rank == 0 && !heat->loop->said_busy &&
        others > NUCE_OTHERS_CPU_BUSY * processors) {
        fprintf(stderr,
                "BUSY: others kept %.1f of %.0f processors busy while a heat ran: times may be "
                "their doing.\n",
                others, processors);
        heat->loop->said_busy = 1;
    }
    for (int e = 0; e < entrants; e++)
        heat->contenders[heat->contender_of[e]].spent_s += spent_s / entrants;
    for (int e = 0; e < contenders; e++) {
        struct nuce_attempt *attempt = &heat->contenders[heat->contender_of[e]];

        attempt->entrant = heat->entrants[e];
        attempt->others_cpus = others;
        attempt->outcome = outcome;
        attempt->reason = reason;
    }
    if (entrants > contenders) { /* the twin's samples are recorded with its contender */
        heat->twin.entrant = heat->entrants[contenders];
        heat->contenders[heat->twin_of].twin = heat->twin.entrant.samples;
        heat->twin.entrant.samples = (struct nuce_samples){.first_s = NAN};
    }
}

/* Called after the rounds: checks a contender once more, and concludes from its samples. A
 * failure is its outcome. */
static void heat_check(struct heat *heat, int number)
{
    struct nuce_attempt *attempt = &heat->contenders[number];
    double begin = nuce_clock();

    give_turn(heat, number);
    if (attempt->outcome != NUCE_OK)
        return;
    /* Before the check, whose steps would be counted too. */
    nuce_counters_sum(attempt->counters, heat->loop->world);
    nuce_found_real(
        &attempt->info.found, "looked",
        nuce_sampling_looked(&heat->sampling, &attempt->entrant, heat->facts.sampling.batch));
    nuce_samples_describe_last(&attempt->entrant.samples, attempt->info.parts,
                               &attempt->info.found);
    attempt->outcome = nuce_sampling_verify(&heat->sampling, &attempt->entrant, &attempt->reason);
    if (attempt->outcome == NUCE_OK && attempt->twin.count > 0)
        attempt->outcome =
            nuce_sampling_verify(&heat->sampling, &heat->twin.entrant, &attempt->reason);
    if (attempt->outcome == NUCE_OK)
        attempt->outcome = nuce_attempt_conclude(attempt, &attempt->reason);
    attempt->spent_s += nuce_clock() - begin;
}

/* NUCE_INTERRUPTED if any contender was: an interrupt is for the launch, not one contender.
 * Local. */
static nuce_status find_interrupted(const struct heat *heat, struct nuce_error *error)
{
    for (int k = 0; k < heat->count; k++) {
        if (heat->contenders[k].outcome == NUCE_INTERRUPTED)
            return nuce_error_set(error, NUCE_INTERRUPTED, "%s",
                                  heat->contenders[k].reason.message);
    }
    return NUCE_OK;
}

/* Runs a whole heat. The returned status ends the launch; an error of a contender is its
 * outcome. */
static nuce_status heat_run_all(struct heat *heat, const json_t *lines, size_t first,
                                struct nuce_error *error)
{
    const struct nuce_attempt *reference = NULL;
    int differs = 0;

    for (int k = 0; k < heat->capacity; k++) {
        if (heat_enter(heat, json_array_get(lines, first + (size_t)k), error) != NUCE_OK ||
            find_interrupted(heat, error) != NUCE_OK)
            return error->status;
    }
    for (int k = 0; k < heat->count; k++) {
        struct nuce_attempt *attempt = &heat->contenders[k];

        if (attempt->is_over)
            continue;
        nuce_counters_reset(attempt->counters);
        reference = reference == NULL ? attempt : reference;
        differs |= attempt->info.criterion != reference->info.criterion;
    }
    /* Contenders are compared by one part of a step. If they differ in that part, the whole step
     * is used. */
    for (int k = 0; differs && k < heat->count; k++)
        heat->contenders[k].info.criterion = NUCE_PART_STEP;
    heat_race(heat);
    for (int k = 0; k < heat->count; k++) {
        if (!heat->contenders[k].is_over)
            heat_check(heat, k);
    }
    nuce_watchdog_disarm(heat->loop->watchdog);
    for (int k = 0; k < heat->count; k++) {
        if (!heat->contenders[k].is_over &&
            end_contender(heat, &heat->contenders[k], error) != NUCE_OK)
            return error->status;
    }
    if (nuce_point_loop_keep(heat->loop, error) != NUCE_OK)
        return error->status;
    return find_interrupted(heat, error);
}

/* Runs lines first .. first + count - 1. NUCE_INTERRUPTED or an unwritable record ends the
 * launch; other errors are a point's own and go into worst. */
static nuce_status run_heat(struct nuce_point_loop *loop, const json_t *lines, size_t first,
                            size_t count, struct nuce_error *worst, struct nuce_error *error)
{
    struct heat heat = {
        .loop = loop, .worst = worst, .capacity = nuce_int((int64_t)count), .twin_of = -1};
    nuce_status status;

    heat.sampling = (struct nuce_sampling){.world = loop->world,
                                           .clocks = loop->clocks,
                                           .interrupted = &loop->watchdog->interrupted,
                                           .turn = turn_of_entrant,
                                           .context = &heat};
    heat.contenders = nuce_allocate(heat.capacity, sizeof *heat.contenders);
    heat.entrants = nuce_allocate(heat.capacity + 1, sizeof *heat.entrants);
    heat.contender_of = nuce_allocate(heat.capacity + 1, sizeof *heat.contender_of);
    loop->world->buffers = &heat.buffers;
    status = heat_run_all(&heat, lines, first, error);
    nuce_watchdog_disarm(loop->watchdog);
    if (loop->world->rank == 0)
        keep_rows(&heat);
    for (int k = 0; k < heat.count; k++)
        nuce_attempt_fini(&heat.contenders[k]);
    if (heat.twin_of >= 0)
        nuce_attempt_fini(&heat.twin);
    nuce_buffers_fini(&heat.buffers);
    free(heat.contenders);
    free(heat.entrants);
    free(heat.contender_of);
    loop->world->buffers = NULL;
    return status;
}

/* An instance may have more contenders than a heat. Further ones have a reference of their own,
 * which is reported once a launch. The harness never asks for so many at a time. */
nuce_status nuce_heat_run_all(struct nuce_point_loop *loop, const json_t *lines,
                              struct nuce_error *error)
{
    struct nuce_graphs graphs = {.next = 0};
    struct nuce_error worst = {.status = NUCE_OK};
    nuce_status status = NUCE_OK;
    size_t first = 0;

    loop->world->graphs = &graphs;
    while (status == NUCE_OK && first < json_array_size(lines)) {
        size_t next = first + nuce_heat_size(lines, first);

        if (loop->world->rank == 0 && !loop->said_many &&
            next - first == NUCE_HEAT_CONTENDERS_MOST && next < json_array_size(lines) &&
            nuce_point_is_of_heat(json_array_get(lines, first), json_array_get(lines, next))) {
            fprintf(stderr,
                    "nuce: more than %d contenders: each %d are a heat, and their ratios are to "
                    "the first of it\n",
                    NUCE_HEAT_CONTENDERS_MOST, NUCE_HEAT_CONTENDERS_MOST);
            loop->said_many = 1;
        }
        status = run_heat(loop, lines, first, next - first, &worst, error);
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
