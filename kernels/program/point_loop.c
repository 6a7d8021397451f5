/* The loop over the points of one launch. A point is an attempt: "begin" is written before anything
 * is set up, so that a job which dies shows where; then set-up, samples, a traced step if asked
 * for, and what the workload has found; and one "run" record, whatever the outcome. All that a
 * point has made is freed before the next begins. A point that wants its processes placed elsewhere
 * runs in a world of its own, the same ranks in another order: there process 0 is not always the
 * rank 0 that writes the record. */
#include "program/point_loop.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/fault.h"
#include "measure/sampling.h"
#include "measure/traced_step.h"
#include "program/run_record.h"
#include "support/allocate.h"
#include "workloads/placed_ranks.h"
#include "world/placed_world.h"
#include "world/simulation.h"

/* The record of the job says once what all its runs share: facts and environment, which the runs
 * name by its hash. */
nuce_status nuce_point_loop_begin(struct nuce_point_loop *loop, struct nuce_error *error)
{
    const struct nuce_environment *environment = loop->environment;
    nuce_status status = NUCE_OK;

    if (loop->world->rank == 0 && loop->writer.descriptor >= 0) {
        json_t *record = nuce_record_create("job", environment->job, error);

        (void)json_object_set_new(record, "campaign", json_string(loop->campaign));
        (void)json_object_set_new(record, "environment", json_string(environment->id));
        (void)json_object_set(record, "facts", environment->facts);
        (void)json_object_set(record, "described", environment->described);
        status = record == NULL ? error->status : nuce_jsonl_append(&loop->writer, record, error);
        json_decref(record);
    }
    return nuce_world_agree(loop->world, status, error);
}

/* One run under way. */
struct attempt {
    struct nuce_point_loop *loop;
    struct nuce_point point;
    struct nuce_run_info info;
    struct nuce_samples samples;
    struct nuce_traced_step traced;
    struct nuce_counters *counters;
    struct nuce_placed_world placed;
    struct nuce_world *world; /* as the workload sees it: the loop's, or as it is placed */
    void *session;            /* the loop's, or one of the placed world */
    json_t *lists;            /* rank 0: what the workload adds to the record (record.h) */
    void *self;
    int is_given; /* self was given to build: destroy follows */
    int created;  /* and build has made it */
    double begun;
    char started[NUCE_TIME_BYTES];
};

static int attempt_is_placed(const struct attempt *attempt)
{
    return attempt->world == &attempt->placed.world;
}

/* What was planned, beside what was traced. Where the workload's rank 0 is. */
static nuce_status attempt_plan(struct attempt *attempt, struct nuce_error *error)
{
    const struct nuce_workload_run *run = attempt->loop->run;
    json_t *events = NULL;
    const char *network = NULL;

    if (!attempt->traced.is_noted || run->plan == NULL)
        return NUCE_OK;
    if (run->plan(attempt->self, attempt->point.measure.trace_events, &events, &network, error) !=
        NUCE_OK)
        return error->status;
    if (events == NULL)
        return NUCE_OK;
    (void)json_object_set_new(attempt->lists, "planned", events);
    nuce_found_text(&attempt->info.found, "planned_network", network);
    return NUCE_OK;
}

/* What the workload's process 0 knows beyond samples: results, and lists for the record. */
static nuce_status attempt_describe(struct attempt *attempt, struct nuce_error *error)
{
    const struct nuce_workload_run *run = attempt->loop->run;

    attempt->lists = json_object();
    if (attempt->lists == NULL)
        return nuce_error_set(error, NUCE_FAILED, "out of memory for a record");
    if (run->describe != NULL &&
        run->describe(attempt->self, &attempt->info.found, attempt->lists, error) != NUCE_OK)
        return error->status;
    return attempt_plan(attempt, error);
}

/* What a placed process 0 has found comes to rank 0, which records it. Collective. */
static nuce_status attempt_bring(struct attempt *attempt, struct nuce_error *error)
{
    struct nuce_point_loop *loop = attempt->loop;
    json_t *values = NULL;
    nuce_status status = NUCE_OK;

    if (attempt->world->rank == 0)
        values = nuce_found_values(&attempt->info.found, error);
    status = attempt->world->rank == 0 && values == NULL ? error->status : NUCE_OK;
    if (nuce_world_agree(loop->world, status, error) != NUCE_OK ||
        nuce_placed_world_bring(loop->world, &attempt->placed, &values, error) != NUCE_OK) {
        json_decref(values);
        return error->status;
    }
    if (loop->world->rank == 0)
        status = nuce_found_merge(&attempt->info.found, values, error);
    json_decref(values);
    if (nuce_world_agree(loop->world, status, error) != NUCE_OK)
        return error->status;
    return nuce_placed_world_bring(loop->world, &attempt->placed, &attempt->lists, error);
}

/* What sampling and tracing found, whatever the workload. Rank 0. */
static void add_measured(struct attempt *attempt)
{
    struct nuce_found *found = &attempt->info.found;

    nuce_found_real(found, "first_s", attempt->samples.first_s);
    if (!attempt->traced.is_noted)
        return;
    nuce_found_integer(found, "events_lost", attempt->traced.lost);
    nuce_found_real(found, "clock_error_s", attempt->traced.clock_error_s);
}

/* After the samples, and outside of what the watchdog watches. Collective. */
static nuce_status attempt_hear(struct attempt *attempt, struct nuce_error *error)
{
    struct nuce_point_loop *loop = attempt->loop;
    nuce_status status = NUCE_OK;

    if (!attempt->created)
        return NUCE_OK;
    if (attempt->world->rank == 0)
        status = attempt_describe(attempt, error);
    if (nuce_world_agree(loop->world, status, error) != NUCE_OK)
        return error->status;
    if (attempt_is_placed(attempt) && attempt_bring(attempt, error) != NUCE_OK)
        return error->status;
    if (loop->world->rank == 0)
        add_measured(attempt);
    return NUCE_OK;
}

/* Rank 0: records the outcome and keeps its row. */
static nuce_status attempt_record(struct attempt *attempt, nuce_status outcome, int timed_out,
                                  const char *message, struct nuce_error *error)
{
    struct nuce_point_loop *loop = attempt->loop;
    struct nuce_outcome all = {.status = outcome,
                               .timed_out = timed_out,
                               .message = message,
                               .started = attempt->started,
                               .wall_s = nuce_clock() - attempt->begun,
                               .wait = &loop->world->wait,
                               .info = attempt->created ? &attempt->info : NULL,
                               .samples = attempt->created && !timed_out ? &attempt->samples : NULL,
                               .counters = timed_out ? NULL : attempt->counters,
                               .traced =
                                   attempt->traced.is_noted && !timed_out ? &attempt->traced : NULL,
                               .lists = timed_out ? NULL : attempt->lists,
                               .ranks = loop->world->size};
    json_t *line =
        nuce_run_record(&attempt->point, &all, loop->environment->job, loop->campaign, error);
    json_t *row = NULL;
    nuce_status status = line == NULL ? error->status : NUCE_OK;

    if (status == NUCE_OK &&
        (row = nuce_run_row(attempt->point.workload->results, line, error)) == NULL)
        status = error->status;
    if (status == NUCE_OK && loop->run->summarise != NULL)
        status = loop->run->summarise(line, row, error);
    if (status == NUCE_OK && loop->writer.descriptor >= 0)
        status = nuce_jsonl_append(&loop->writer, line, error);
    if (row != NULL)
        (void)json_array_append(loop->rows, row);
    json_decref(row);
    json_decref(line);
    return status;
}

/* On the watchdog's thread of rank 0, while the main thread is stuck. What is being sampled may be
 * half-written, so the record has no samples. */
static void record_timeout(void *context, const char *message)
{
    struct attempt *attempt = context;
    struct nuce_error error;

    if (attempt_record(attempt, NUCE_FAILED, 1, message, &error) != NUCE_OK)
        nuce_error_print(&error, "nuce");
}

/* The clock starts and the record is told. A "begin" without its "run" is what is left of a point
 * during which the job was killed; the harness makes a lost run of it. */
static nuce_status attempt_begin(struct attempt *attempt, struct nuce_error *error)
{
    struct nuce_point_loop *loop = attempt->loop;
    nuce_status status = NUCE_OK;

    attempt->begun = nuce_clock();
    (void)nuce_record_time_now(attempt->started);
    if (loop->world->rank == 0 && loop->writer.descriptor >= 0) {
        json_t *line = nuce_record_create("begin", loop->environment->job, error);

        (void)json_object_set_new(line, "point", json_string(attempt->point.id));
        (void)json_object_set_new(line, "started", json_string(attempt->started));
        status = line == NULL ? error->status : nuce_jsonl_append(&loop->writer, line, error);
        json_decref(line);
    }
    return nuce_world_agree(loop->world, status, error);
}

/* Says once what PAPI cannot count here. */
static void say_note(struct nuce_point_loop *loop, const char *note)
{
    if (*note == '\0' || loop->notes || loop->world->rank != 0)
        return;
    (void)fprintf(stderr, "nuce: %s\n", note);
    loop->notes = 1;
}

/* Says what is legal but odd about a point, to whoever asked for it by hand; once where the next
 * one, compared with it, is as odd. */
static void say_remark(struct nuce_point_loop *loop, const struct nuce_point *point)
{
    char text[NUCE_MESSAGE_BYTES] = "";

    if (point->workload->remark == NULL || loop->world->rank != 0 || loop->writer.descriptor >= 0)
        return;
    point->workload->remark(point->params, point->ranks, text);
    if (text[0] != '\0' && strcmp(text, loop->remark) != 0)
        (void)fprintf(stderr, "%s: note: %s\n", program_invocation_short_name, text);
    memcpy(loop->remark, text, sizeof loop->remark);
}

/* As the point asks for, but for what the workload knows better. */
static struct nuce_measure measure_of(const struct attempt *attempt)
{
    struct nuce_measure measure = attempt->point.measure;

    if (attempt->info.per_rank)
        measure.per_rank = 1;
    if (attempt->info.samples > 0) {
        measure.min = measure.max = attempt->info.samples;
        measure.ci = 0;
    }
    if (attempt->info.is_whole)
        measure.limit = INFINITY;
    return measure;
}

nuce_status nuce_point_loop_open(const struct nuce_point_loop *loop, struct nuce_world *world,
                                 void **session, struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    *session = world;
    if (loop->run->open != NULL)
        status = loop->run->open(world, session, error);
    if (status != NUCE_OK)
        *session = NULL;
    return nuce_world_agree(loop->world, status, error);
}

void nuce_point_loop_close(const struct nuce_point_loop *loop, void *session)
{
    if (loop->run->close != NULL)
        loop->run->close(session);
}

/* The world that the point wants, with a session of its own if it is another. */
static nuce_status enter_world(struct attempt *attempt, struct nuce_error *error)
{
    struct nuce_point_loop *loop = attempt->loop;

    attempt->session = loop->session;
    if (nuce_placed_ranks_wanted(&attempt->point) == NULL)
        return NUCE_OK;
    if (nuce_placed_world_init(loop->world, &attempt->point, &attempt->placed, error) != NUCE_OK)
        return error->status;
    attempt->world = &attempt->placed.world;
    return nuce_point_loop_open(loop, attempt->world, &attempt->session, error);
}

static void leave_world(struct attempt *attempt)
{
    if (!attempt_is_placed(attempt))
        return;
    nuce_point_loop_close(attempt->loop, attempt->session);
    nuce_placed_world_fini(&attempt->placed);
}

/* Rank 0, which has placed them, though process 0 may be elsewhere. */
static void attempt_add_placement(struct attempt *attempt)
{
    const struct nuce_placed_world *placed = &attempt->placed;
    struct nuce_found *found = &attempt->info.found;

    if (!attempt_is_placed(attempt) || attempt->loop->world->rank != 0)
        return;
    nuce_found_text(found, "topology_taken", placed->topology);
    nuce_found_integer(found, "placement_moved", placed->moved);
    nuce_found_real(found, "placement_cardinality", placed->cardinality);
    nuce_found_real(found, "placement_latency_s", placed->latency_s);
}

/* Makes unknown what was not simulated: a simulator that charges no computation knows neither what
 * packing nor what a schedule takes. */
static void forget_computation(struct nuce_run_info *info)
{
    info->parts &= 1U << NUCE_PART_STEP | 1U << NUCE_PART_COMMUNICATION;
    nuce_found_forget(&info->found, NUCE_RESULT_COMPUTATION);
}

/* From nothing to samples. Returns at the first failure with the attempt as far as it has come:
 * is_given and created tell attempt_end what there is to free, and attempt_record what there is to
 * record. Collective; the same status on all ranks. */
static nuce_status attempt_execute(struct attempt *attempt, struct nuce_error *error)
{
    struct nuce_point_loop *loop = attempt->loop;
    struct nuce_measure measure;
    char note[NUCE_MESSAGE_BYTES];
    nuce_status status;

    nuce_watch_set(loop->world->watch, NUCE_ACTIVITY_SETUP, -1, 0);
    status = nuce_counters_create(attempt->point.measure.papi, &attempt->counters, note, error);
    if (status == NUCE_OK)
        status = nuce_found_init(attempt->point.workload->results, &attempt->info.found, error);
    if (status == NUCE_OK) {
        attempt->self = nuce_allocate(1, loop->run->self_size, error);
        status = attempt->self != NULL ? NUCE_OK : error->status;
    }
    status = nuce_fault_in_setup(loop->world->rank, status, error);
    if (nuce_world_agree(loop->world, status, error) != NUCE_OK)
        return error->status;
    say_note(loop, note);
    if (enter_world(attempt, error) != NUCE_OK)
        return error->status;
    attempt->is_given = 1;
    if (loop->run->build(attempt->self, attempt->session, &attempt->point, attempt->counters,
                         &attempt->info, error) != NUCE_OK)
        return error->status;
    attempt->created = 1;
    attempt_add_placement(attempt);
    if (!nuce_simulation_times_computation())
        forget_computation(&attempt->info);
    measure = measure_of(attempt);
    if (nuce_sampling_run(loop->world, loop->run, attempt->self, &measure, &attempt->info,
                          attempt->counters, &loop->watchdog->interrupted, &attempt->samples,
                          error) != NUCE_OK)
        return error->status;
    if (loop->run->conclude != NULL && loop->run->conclude(attempt->self, error) != NUCE_OK)
        return error->status;
    if (!measure.trace)
        return NUCE_OK;
    return nuce_traced_step(loop->world, attempt->world, loop->run, attempt->self,
                            measure.trace_events, &attempt->traced, error);
}

/* Frees an attempt, however far it came. Collective, as a workload's destroy is. */
static void attempt_end(struct attempt *attempt)
{
    if (attempt->is_given)
        attempt->loop->run->destroy(attempt->self);
    free(attempt->self);
    leave_world(attempt);
    nuce_counters_destroy(attempt->counters);
    nuce_samples_fini(&attempt->samples);
    nuce_traced_step_fini(&attempt->traced);
    nuce_found_fini(&attempt->info.found);
    json_decref(attempt->lists);
    nuce_point_fini(&attempt->point);
}

/* What the loop has come to, over its points. */
struct point_loop_summary {
    nuce_status worst;
    struct nuce_error first;
};

/* The first message of the worst status: a corrupt point says more than a failed one after it. */
static void keep_worst(struct point_loop_summary *summary, nuce_status status,
                       const struct nuce_error *error)
{
    if (status == NUCE_OK || status <= summary->worst)
        return;
    summary->worst = status;
    summary->first = *error;
}

/* One point, from its line to its record. NUCE_INTERRUPTED or a record that cannot be written ends
 * the loop; what else goes wrong is the point's own and goes into summary. */
static nuce_status loop_run_point(struct nuce_point_loop *loop, const json_t *line,
                                  struct point_loop_summary *summary, struct nuce_error *error)
{
    struct attempt attempt = {.loop = loop, .world = loop->world};
    struct nuce_error reason = {0};
    nuce_status outcome, status;

    status = nuce_point_from_json(line, loop->facts, &attempt.point, error);
    if (nuce_world_agree(loop->world, status, error) != NUCE_OK) {
        nuce_point_fini(&attempt.point);
        return error->status;
    }
    say_remark(loop, &attempt.point);
    loop->world->wait = nuce_wait_under(&loop->world->machine, attempt.point.measure.wait);
    status = attempt_begin(&attempt, error);
    if (status == NUCE_OK) {
        nuce_watchdog_arm(loop->watchdog, attempt.point.measure.timeout,
                          loop->world->rank == 0 ? record_timeout : NULL, &attempt);
        outcome = attempt_execute(&attempt, &reason);
        nuce_watchdog_disarm(loop->watchdog);
        status = attempt_hear(&attempt, error);
        if (status == NUCE_OK && loop->world->rank == 0)
            status = attempt_record(&attempt, outcome, 0,
                                    outcome == NUCE_OK ? NULL : nuce_error_flatten(&reason), error);
        status = nuce_world_agree(loop->world, status, error);
        keep_worst(summary, outcome, &reason);
        if (status == NUCE_OK && outcome == NUCE_INTERRUPTED)
            status = nuce_error_set(error, NUCE_INTERRUPTED, "%s", reason.message);
    }
    attempt_end(&attempt);
    return status;
}

nuce_status nuce_point_loop_run(struct nuce_point_loop *loop, const json_t *lines,
                                struct nuce_error *error)
{
    struct point_loop_summary summary = {.worst = NUCE_OK};
    size_t index;
    const json_t *line;

    json_array_foreach(lines, index, line)
    {
        if (loop_run_point(loop, line, &summary, error) != NUCE_OK)
            return error->status;
    }
    if (summary.worst != NUCE_OK)
        *error = summary.first;
    return summary.worst;
}
