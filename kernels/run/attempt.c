/* One run of a point: prepares its steps, and records the result. A point that places its
 * processes runs in a world of its own, the same ranks in another order. Its process 0 may then
 * differ from rank 0, which writes the record. Only nuce_attempt_fini frees, after any partial
 * progress. All ranks agree after each step that may fail on one of them. On expiry the
 * watchdog's thread writes the record while the main thread may be anywhere, so it reads nothing
 * that a step or a sample changes. */
#include "run/attempt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/race_ratio.h"
#include "points/placed_ranks.h"
#include "run/fault.h"
#include "run/run_record.h"
#include "run/simulation.h"
#include "run/turn_start.h"

nuce_status nuce_attempt_init(struct nuce_point_loop *loop, const json_t *line,
                              struct nuce_attempt *out, struct nuce_error *error)
{
    *out = (struct nuce_attempt){.loop = loop, .world = loop->world};
    return nuce_world_agree(loop->world,
                            nuce_point_from_json(line, loop->facts, &out->point, error), error);
}

/* A run that begins and has no record died in between; the harness recognises it by that. */
nuce_status nuce_attempt_begin(struct nuce_attempt *attempt, struct nuce_error *error)
{
    struct nuce_point_loop *loop = attempt->loop;
    nuce_status status = NUCE_OK;

    attempt->begun = nuce_clock();
    nuce_record_time_now(attempt->started);
    if (loop->world->rank == 0 && loop->writer.descriptor >= 0) {
        json_t *line = nuce_point_begin_record(&attempt->point, loop->environment->job,
                                               attempt->started, error);

        status = line == NULL ? error->status : nuce_jsonl_write(&loop->writer, line, error);
        json_decref(line);
    }
    return nuce_world_agree(loop->world, status, error);
}

/* True if the point has a world of its own. */
static int attempt_is_placed(const struct nuce_attempt *attempt)
{
    return attempt->world == &attempt->placed.world;
}

/* Gathers all facts for the record, after the samples and without the watchdog. These are the
 * findings of the workload's process 0 other than samples, its results and lists, and the
 * planned transfers next to the traced ones, for one picture of both. A placed process 0 sends
 * its findings to rank 0, which records them. Collective over the loop's world. */
static nuce_status attempt_hear(struct nuce_attempt *attempt, struct nuce_error *error)
{
    struct nuce_world *world = attempt->loop->world;
    struct nuce_metrics *found = &attempt->info.found;
    const struct nuce_workload_run *run = attempt->loop->run;
    int is_placed = attempt_is_placed(attempt), is_process_0 = attempt->world->rank == 0;
    json_t *values = NULL, *events = NULL;
    const char *network = NULL;
    nuce_status status = NUCE_OK;

    if (!attempt->created)
        return NUCE_OK;
    if (is_process_0) {
        attempt->lists = json_object();
        if (run->describe != NULL)
            run->describe(attempt->self, found, attempt->lists);
        if (attempt->traced.is_noted && run->plan != NULL)
            status = run->plan(attempt->self, attempt->point.measure.trace_events, &events,
                               &network, error);
        if (events != NULL) {
            json_object_set_new(attempt->lists, "planned", events);
            nuce_metrics_text(found, "planned_network", network);
        }
    }
    if (status == NUCE_OK && is_placed && is_process_0 &&
        (values = nuce_metrics_values(found, error)) == NULL)
        status = error->status;
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK && is_placed)
        status = nuce_placed_world_bring(world, &attempt->placed, &values, error);
    if (status == NUCE_OK && is_placed && world->rank == 0)
        nuce_metrics_merge(found, values);
    json_decref(values);
    if (status == NUCE_OK && is_placed)
        status = nuce_placed_world_bring(world, &attempt->placed, &attempt->lists, error);
    if (status != NUCE_OK || world->rank != 0)
        return status;
    nuce_metrics_real(found, "first_s", attempt->entrant.samples.first_s);
    nuce_metrics_real(found, "others_cpus", attempt->others_cpus);
    if (attempt->traced.is_noted) {
        nuce_metrics_integer(found, "events_lost", attempt->traced.lost);
        nuce_metrics_real(found, "clock_error_s", attempt->traced.clock_error_s);
    }
    return NUCE_OK;
}

/* Records the outcome and keeps its row. timed_out: on the watchdog's thread, which reads
 * nothing that the main thread may be writing. Rank 0. */
static nuce_status attempt_record(struct nuce_attempt *attempt, const struct nuce_race_facts *race,
                                  int timed_out, const char *message, struct nuce_error *error)
{
    struct nuce_point_loop *loop = attempt->loop;
    int has_samples = attempt->created && !timed_out;
    struct nuce_outcome all = {
        .status = attempt->outcome,
        .timed_out = timed_out,
        .message = message,
        .started = attempt->started,
        .wall_s = timed_out ? nuce_clock() - attempt->begun : attempt->spent_s,
        .wait = &loop->world->wait,
        .race = race,
        .info = attempt->created ? &attempt->info : NULL,
        .samples = has_samples ? &attempt->entrant.samples : NULL,
        .duplicate = has_samples ? &attempt->duplicate : NULL,
        .counters = timed_out ? NULL : attempt->counters,
        .traced = attempt->traced.is_noted && !timed_out ? &attempt->traced : NULL,
        .lists = timed_out ? NULL : attempt->lists,
        .ranks = loop->world->size};
    json_t *line =
        nuce_run_record(&attempt->point, &all, loop->environment->job, loop->campaign, error);
    nuce_status status = line == NULL ? error->status : NUCE_OK;

    if (status == NUCE_OK &&
        (attempt->row = nuce_run_row(attempt->point.workload->results, line)) == NULL)
        status = error->status;
    if (status == NUCE_OK && loop->run->summarise != NULL)
        loop->run->summarise(line, attempt->row);
    if (status == NUCE_OK && loop->writer.descriptor >= 0)
        status = nuce_jsonl_write(&loop->writer, line, error);
    json_decref(line);
    return status;
}

nuce_status nuce_attempt_end(struct nuce_attempt *attempt, const struct nuce_race_facts *race,
                             struct nuce_error *error)
{
    nuce_status status = attempt_hear(attempt, error);

    if (status == NUCE_OK && attempt->loop->world->rank == 0)
        status = attempt_record(
            attempt, race, 0,
            attempt->outcome == NUCE_OK ? NULL : nuce_error_flatten(&attempt->reason), error);
    attempt->is_over = 1;
    return nuce_world_agree(attempt->loop->world, status, error);
}

void nuce_attempt_time_out(struct nuce_attempt *attempt, const struct nuce_race_facts *race,
                           const char *message)
{
    struct nuce_jsonl_writer *writer = &attempt->loop->writer;
    struct nuce_error error;

    attempt->outcome = NUCE_FAILED;
    if (attempt_record(attempt, race, 1, message, &error) != NUCE_OK ||
        (writer->descriptor >= 0 && nuce_jsonl_keep(writer, &error) != NUCE_OK))
        nuce_error_print(&error, "nuce");
}

/* A workload that sets its number of samples gets exactly that number: no interval ends them
 * before. */
struct nuce_measure nuce_attempt_measure(const struct nuce_attempt *attempt)
{
    struct nuce_measure measure = attempt->point.measure;

    if (attempt->info.per_rank)
        measure.per_rank = 1;
    if (attempt->info.samples > 0) {
        measure.min_samples = measure.max_samples = attempt->info.samples;
        measure.target_ci = 0;
    }
    if (attempt->info.is_whole)
        measure.time_limit = INFINITY;
    return measure;
}

/* Notes once a program which events PAPI cannot count here. Rank 0 has the results of the
 * placement, because it placed the processes, though process 0 may be another rank. A simulator
 * that charges no computation has no times of packing or of computing a schedule. Contenders are
 * compared by own times if ranks leave a barrier one after another, which is worse if they share
 * processors. The step includes their distance at the start, which is the same for all
 * contenders. */
nuce_status nuce_attempt_set_up(struct nuce_attempt *attempt, struct nuce_error *error)
{
    struct nuce_point_loop *loop = attempt->loop;
    const struct nuce_placed_world *placed = &attempt->placed;
    struct nuce_run_info *info = &attempt->info;
    char note[NUCE_MESSAGE_BYTES];
    int64_t counting;
    nuce_status status;

    nuce_watch_set(loop->world->watch, NUCE_ACTIVITY_SETUP, -1, 0);
    status = nuce_counters_create(attempt->point.measure.papi, &attempt->counters, note, error);
    nuce_metrics_init(attempt->point.workload->results, &info->found);
    attempt->self = nuce_allocate(1, loop->run->self_size);
    status = nuce_fault_in_setup(loop->world->rank, status, error);
    if (nuce_world_agree(loop->world, status, error) != NUCE_OK)
        return error->status;
    if (*note != '\0' && !loop->notes && loop->world->rank == 0) {
        fprintf(stderr, "nuce: %s\n", note);
        loop->notes = 1;
    }
    attempt->session = loop->session;
    if (nuce_placed_ranks_wanted(&attempt->point) != NULL) {
        if (nuce_placed_world_init(loop->world, &attempt->point, &attempt->placed, error) !=
            NUCE_OK)
            return error->status;
        attempt->world = &attempt->placed.world;
        attempt->world->buffers = loop->world->buffers;
        attempt->session = nuce_point_loop_open(loop, attempt->world);
    }
    /* Set before build: destroy also frees what build leaves half-made. */
    attempt->is_given = 1;
    if (loop->run->build(attempt->self, attempt->session, &attempt->point, attempt->counters, info,
                         error) != NUCE_OK)
        return error->status;
    attempt->created = 1;
    counting = nuce_counters_is_counting(attempt->counters);
    nuce_world_sum(loop->world, &counting, 1);
    info->is_counting = counting > 0;
    if (attempt_is_placed(attempt) && loop->world->rank == 0) {
        nuce_metrics_text(&info->found, "topology_taken", placed->topology);
        nuce_metrics_integer(&info->found, "placement_moved", placed->moved);
        nuce_metrics_real(&info->found, "placement_cardinality", placed->cardinality);
        nuce_metrics_real(&info->found, "placement_latency_s", placed->latency_s);
    }
    if (nuce_simulation_is_on()) {
        info->parts &= 1U << NUCE_PART_COMMUNICATION;
        nuce_metrics_forget(&info->found, NUCE_RESULT_COMPUTATION);
    }
    if (info->criterion == NUCE_PART_STEP && !nuce_meeting_is_window(attempt->point.measure.sync))
        info->criterion = NUCE_PART_OWN;
    attempt->entrant.run = loop->run;
    attempt->entrant.self = attempt->self;
    attempt->entrant.info = info;
    return NUCE_OK;
}

nuce_status nuce_attempt_conclude(struct nuce_attempt *attempt, struct nuce_error *error)
{
    struct nuce_point_loop *loop = attempt->loop;
    const struct nuce_measure *measure = &attempt->point.measure;

    if (loop->run->conclude != NULL && loop->run->conclude(attempt->self, error) != NUCE_OK)
        return error->status;
    if (measure->trace)
        nuce_traced_step(loop->clocks, attempt->world, loop->run, attempt->self,
                         measure->trace_events, &attempt->traced);
    return NUCE_OK;
}

void nuce_attempt_fini(struct nuce_attempt *attempt)
{
    if (attempt->is_given)
        attempt->loop->run->destroy(attempt->self);
    free(attempt->self);
    json_decref(attempt->row);
    if (attempt_is_placed(attempt)) {
        nuce_point_loop_close(attempt->loop, attempt->session);
        nuce_placed_world_fini(&attempt->placed);
    }
    nuce_counters_destroy(attempt->counters);
    nuce_samples_fini(&attempt->entrant.samples);
    nuce_samples_fini(&attempt->duplicate);
    nuce_traced_step_fini(&attempt->traced);
    nuce_metrics_fini(&attempt->info.found);
    json_decref(attempt->lists);
    nuce_point_fini(&attempt->point);
}

/* The harness uses the same estimator (base/race_ratio.h), but here it gets a single launch.
 * With unequal numbers of samples the ratio is unknown. */
void nuce_attempt_race(const struct nuce_attempt *attempt, const struct nuce_attempt *reference,
                       json_t *row)
{
    const struct nuce_samples *own =
        attempt == reference ? &attempt->duplicate : &attempt->entrant.samples;
    const struct nuce_samples *base = &reference->entrant.samples;
    const char *key = nuce_run_race_key(attempt->point.workload);
    struct nuce_race_ratio found = {.ratio = NAN, .low = NAN, .high = NAN};
    static const char *const suffixes[] = {"", "_low", "_high"};
    char name[64];

    if (own->count == base->count) {
        double *times = nuce_allocate(2 * base->count + 1, sizeof *times);

        for (int64_t i = 0; i < base->count; i++) {
            times[i] = own->seconds[i * NUCE_SAMPLE_PARTS + attempt->info.criterion];
            times[base->count + i] =
                base->seconds[i * NUCE_SAMPLE_PARTS + reference->info.criterion];
        }
        found = nuce_race_ratio(times, times + base->count, base->count);
        free(times);
    }
    if (attempt == reference)
        json_object_set_new(row, key, json_integer(1));
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        double value = i == 0 ? found.ratio : i == 1 ? found.low : found.high;

        snprintf(name, sizeof name, "%s%s", attempt == reference ? "noise" : key, suffixes[i]);
        json_object_set_new(row, name, isnan(value) ? json_null() : json_real(value));
    }
}
