/* The workload `stencil`: sweeps over a rectangle of cells on each rank. Ghosts are exchanged
 * under a schedule once for every `halo_depth` sweeps, the number of layers of ghosts.
 *
 * A step of a sample is `iterations` sweeps, ceil(iterations / halo_depth) exchanges, and the
 * rebalancing between them. Memory of a rank: two planes of its part with ghosts, and the halo's
 * buffers; the node's memory is checked before the allocation. Verified: every byte of the
 * messages, every ghost, and the cells against a serial run and against a wave with a known
 * course.
 *
 * Source: Jacobi's method as in kernels/instances; decompositions in kernels/instances name the
 * papers. */
#include "programs/runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "instances/rate.h"
#include "points/stencil_instance.h"
#include "points/stencil_periods.h"
#include "programs/rebalance.h"
#include "run/shared_network.h"

/* Cells computed between two progress calls to the exchange, with overlap: about ten
 * microseconds. */
#define CELLS_BETWEEN_PROGRESS 16384

/* Limit of cell updates on one rank for checking a whole run, all its sweeps, against a serial
 * one: about a second. Longer runs are checked by a few sweeps before and after. */
#define UPDATES_OF_CHECK 50000000.0

struct stencil {
    struct nuce_world *world;
    struct nuce_counters *counters; /* borrowed */
    struct nuce_field field;
    struct nuce_stage *home; /* the first cut of the array */
    struct nuce_rebalance rebalance;
    int64_t iterations; /* sweeps of a step */
    int overlap;
    uint64_t salt;     /* of the first cell values */
    int64_t sweeps;    /* since those values */
    double computed_s; /* of all samples so far */
    double balance;    /* set in conclude: maximum over ranks / mean; NaN before */
    struct nuce_decomposition_cost cost; /* rank 0 */
    char *weights;                       /* rank 0: the measured weights; NULL: not measured */
    json_t *rectangles;                  /* rank 0: the parts, in whole cells */
};

/* The ranks' speeds, which decompositions use: given, from the network's file, or measured by
 * sweeps of a plane about as large as a part.
 *
 * Each measurement takes SECONDS of sweeping, so points that agree in its inputs (the key) share
 * it. Contenders of a race then cut by the very same numbers. These are rounded to a few digits,
 * which fit a record and can be given again by a user. */
struct known_speeds {
    struct nuce_world *world;
    char key[4 * NUCE_PATH_BYTES]; /* inputs of the speeds below; "": none */
    double *relative; /* ranks: the fastest has 1, in NUCE_WEIGHTS_DIGITS digits; NULL: none */
};

/* Largest side, in cells, of the plane that a rank sweeps; otherwise it is as large as the mean
 * part. Larger planes exceed the caches in any case. */
#define SIDE_MOST 1500

/* Time of sweeping on each rank, all at the same time. */
#define SECONDS 1

/* Sends all ranks' rates to all, relative to the fastest. They are rounded through text, so a
 * number equals the one that is read from a record's text. */
static void sweep_speeds_share(struct nuce_world *world, double mine, double *all)
{
    double most = 0;

    nuce_world_gather(world, &mine, 1, world->rank == 0 ? all : NULL);
    nuce_world_broadcast(world, all, (int64_t)sizeof *all * world->size);
    for (int i = 0; i < world->size; i++)
        most = fmax(most, all[i]);
    for (int i = 0; i < world->size; i++) {
        char text[NUCE_WEIGHTS_EACH_BYTES];

        snprintf(text, sizeof text, "%.*g", NUCE_WEIGHTS_DIGITS, all[i] / most);
        all[i] = strtod(text, NULL);
    }
}

/* Measures rates of the point's own stencil, with the extra work of the emulated speeds at a
 * run's start, into speeds->relative. Collective over the world: the barrier makes all ranks
 * sweep together, because ranks that share memory slow each other down. */
static nuce_status sweep_speeds_measure(struct known_speeds *speeds,
                                        const struct nuce_stencil_params *params, int64_t side,
                                        struct nuce_error *error)
{
    struct nuce_world *world = speeds->world;
    struct nuce_speed_periods periods;
    struct nuce_rate rate;
    double extra = 0;
    nuce_status status = nuce_speed_periods_init(params, world->size, &periods, error);

    if (status == NUCE_OK) {
        extra = nuce_speed_periods_extra(&periods, 0, world->rank, world->size);
        nuce_speed_periods_fini(&periods);
    }
    if (nuce_world_agree(world, status, error) != NUCE_OK)
        return error->status;
    nuce_world_barrier(world);
    status = nuce_rate_measure(nuce_jacobi_find(params->points, params->element), side, extra,
                               SECONDS, &rate, error);
    if (nuce_world_agree(world, status, error) != NUCE_OK)
        return error->status;
    sweep_speeds_share(world, rate.median, speeds->relative);
    return NUCE_OK;
}

/* Sets speeds->relative to the speeds of the ranks. They come from the network that params name,
 * if it has speeds (nuce-calibrate speeds writes them). Else they are measured here for the
 * stencil of params, with the extra work of emulated speeds, on all ranks at the same time, as
 * in a run. The same on all ranks. Collective; all ranks return the same status. The key is
 * empty during the search, so a failure leaves no partial speeds. The side is the square root of
 * the mean part's cells. */
static nuce_status find_speeds(struct known_speeds *speeds,
                               const struct nuce_stencil_params *params, struct nuce_error *error)
{
    struct nuce_world *world = speeds->world;
    double root = sqrt((double)params->rows * (double)params->columns / world->size);
    int64_t side = root > SIDE_MOST ? SIDE_MOST : (int64_t)fmax(root, 1);
    char key[sizeof speeds->key], name[NUCE_PATH_BYTES];
    struct nuce_network network;
    int is_known;

    snprintf(key, sizeof key, "%lld %lld %s %s %s %s", (long long)side, (long long)params->points,
             params->element, params->emulate_speeds, params->speeds_after,
             params->scheduling.network);
    if (strcmp(key, speeds->key) == 0)
        return NUCE_OK;
    speeds->key[0] = '\0';
    free(speeds->relative);
    speeds->relative = nuce_allocate(world->size, sizeof *speeds->relative);
    if (nuce_shared_network(world, &params->scheduling, &network, name, error) != NUCE_OK)
        return error->status;
    is_known = network.ranks > 0 && network.speed != NULL;
    if (is_known)
        sweep_speeds_share(world, network.speed[world->rank], speeds->relative);
    nuce_network_fini(&network);
    if (!is_known && sweep_speeds_measure(speeds, params, side, error) != NUCE_OK)
        return error->status;
    memcpy(speeds->key, key, sizeof key);
    return NUCE_OK;
}

/* The points of one launch share the ranks' speeds, which are measured once, and only if a point
 * needs them. */
static void *open_session(struct nuce_world *world)
{
    struct known_speeds *speeds = nuce_allocate(1, sizeof *speeds);

    speeds->world = world;
    return speeds;
}

/* Accepts NULL: the session was never opened. */
static void close_session(void *session)
{
    struct known_speeds *speeds = session;

    if (speeds == NULL)
        return;
    free(speeds->relative);
    free(speeds);
}

/* Collective, because the stages' communication is. Rebalancing comes first, because it may own
 * the present stage. */
static void stencil_destroy(void *self)
{
    struct stencil *s = self;

    nuce_rebalance_fini(&s->rebalance);
    nuce_stage_destroy(s->home);
    nuce_field_fini(&s->field);
    free(s->weights);
    json_decref(s->rectangles);
}

/* Cuts the array, on every rank by itself, by the same numbers. *seconds is processor time, the
 * maximum over ranks: a program's cost of the decomposition. Collective. */
static nuce_status make_instance(struct stencil *s, struct known_speeds *speeds,
                                 const struct nuce_stencil_params *params,
                                 struct nuce_stencil_instance *instance, double *seconds,
                                 struct nuce_error *error)
{
    int measures = strcmp(params->weights, NUCE_WEIGHTS_MEASURED) == 0;
    nuce_status status;
    double begin;

    if (measures && find_speeds(speeds, params, error) != NUCE_OK)
        return error->status;
    begin = nuce_processor_clock();
    status = nuce_stencil_instance_init(params, s->world->size, measures ? speeds->relative : NULL,
                                        instance, error);
    *seconds = nuce_processor_clock() - begin;
    if (nuce_world_agree(s->world, status, error) != NUCE_OK) {
        if (status == NUCE_OK)
            nuce_stencil_instance_fini(instance);
        return error->status;
    }
    nuce_world_maximum(s->world, seconds, 1);
    return NUCE_OK;
}

/* The present part and communication: rebalancing replaces them. */
static struct nuce_part *part_of(const struct stencil *s)
{
    return &s->rebalance.stage->part;
}

static struct nuce_communication *communication_of(const struct stencil *s)
{
    return &s->rebalance.stage->communication;
}

/* Sets own cells and ghosts to new values; the count of sweeps restarts at 0. */
static void start_over(struct stencil *s, enum nuce_field_kind kind, uint64_t salt)
{
    nuce_part_fill(part_of(s), kind, salt);
    s->salt = salt;
    s->sweeps = 0;
}

/* Makes the decomposition, then field, parts and communication (a stage), and the rebalancing
 * that may replace them during the run. Collective. */
static nuce_status stencil_build(void *self, void *session, const struct nuce_point *point,
                                 struct nuce_counters *counters, struct nuce_run_info *info,
                                 struct nuce_error *error)
{
    struct stencil *s = self;
    struct known_speeds *speeds = session;
    const struct nuce_stencil_params *params = point->params;
    struct nuce_stencil_instance instance = {0};
    double index_s = NAN;
    size_t length = 0;
    nuce_status status;

    s->world = speeds->world;
    s->counters = counters;
    if (make_instance(s, speeds, params, &instance, &index_s, error) != NUCE_OK)
        return error->status;
    nuce_metrics_real(&info->found, "index_s", index_s);
    if (s->world->rank == 0) { /* the record's description of the decomposition */
        nuce_decomposition_measure(
            &instance.parts, params->latency,
            strcmp(params->edges, "naive") == 0 ? NUCE_EDGES_NAIVE : NUCE_EDGES_EXACT, &s->cost);
        s->rectangles = nuce_stencil_rectangles(&instance.tiling);
        if (strcmp(params->weights, NUCE_WEIGHTS_MEASURED) == 0)
            s->weights = nuce_allocate(s->world->size, NUCE_WEIGHTS_EACH_BYTES);
        for (int i = 0; s->weights != NULL && i < s->world->size; i++)
            length += (size_t)snprintf(s->weights + length, NUCE_WEIGHTS_EACH_BYTES, "%s%.*g",
                                       i > 0 ? "," : "", NUCE_WEIGHTS_DIGITS, instance.weights[i]);
    }
    nuce_field_init(nuce_jacobi_find(params->points, params->element), params->rows,
                    params->columns, strcmp(params->border, "periodic") == 0, &s->field);
    status = nuce_stage_create(s->world, &s->field, point, &instance, NULL, &info->found, &s->home,
                               error);
    if (status == NUCE_OK)
        status = nuce_world_agree(
            s->world, nuce_rebalance_init(s->world, point, s->home, &s->rebalance, error), error);
    nuce_stencil_instance_fini(&instance);
    if (status != NUCE_OK)
        return status;
    s->iterations = params->iterations;
    s->overlap = params->overlap;
    s->balance = NAN;
    info->criterion = NUCE_PART_STEP;
    info->prepares = nuce_rebalance_has_course(&s->rebalance);
    if (!s->overlap)
        info->parts = 1U << NUCE_PART_PACK | 1U << NUCE_PART_COMMUNICATION |
                      1U << NUCE_PART_UNPACK | 1U << NUCE_PART_COMPUTATION;
    else
        nuce_communication_overlaps(&s->home->communication, &info->found);
    if (strcmp(params->rebalance, NUCE_REBALANCE_NEVER) != 0)
        info->parts |= 1U << NUCE_PART_REBALANCE | 1U << NUCE_PART_MOVE;
    nuce_rebalance_return(&s->rebalance, 0);
    return NUCE_OK;
}

/* Ends a part of a step that may occur several times. Adds to part, while nuce_counters_stamp
 * would set it. Returns the time of its end. */
static double stencil_stamp(struct stencil *s, enum nuce_sample_part part, double begin_s,
                            double parts[NUCE_SAMPLE_PARTS])
{
    double before = parts[part], now = nuce_counters_stamp(s->counters, part, begin_s, parts);

    parts[part] += before;
    return now;
}

/* Exchanges all layers of ghosts. Returns the time at its end. */
static double stencil_exchange(struct stencil *s, double parts[NUCE_SAMPLE_PARTS])
{
    double now = nuce_clock();

    nuce_part_pack(part_of(s), communication_of(s)->payload.send.data);
    now = stencil_stamp(s, NUCE_PART_PACK, now, parts);
    nuce_engine_run(&communication_of(s)->engine);
    now = stencil_stamp(s, NUCE_PART_COMMUNICATION, now, parts);
    nuce_part_unpack(part_of(s), communication_of(s)->payload.receive.data);
    return stencil_stamp(s, NUCE_PART_UNPACK, now, parts);
}

/* Runs sweeps first .. count - 1 after an exchange. Each sweep reaches one layer less far into
 * the ghosts; the outermost layer is out of date after it. */
static void sweep_on(struct stencil *s, int64_t first, int64_t count)
{
    nuce_watch_set(s->world->watch, NUCE_ACTIVITY_COMPUTE, -1, 0);
    for (int64_t k = first; k < count; k++) {
        nuce_part_sweep(part_of(s), nuce_part_reach(part_of(s), count - 1 - k));
        nuce_plane_turn(&part_of(s)->plane);
    }
}

/* Exchanges during the computation of the interior, so the exchange has no time of its own. The
 * first sweep is split: the interior needs no ghosts and is swept while they arrive; the rest
 * follows. The interior is swept in blocks of rows, multiples of the six that a sweep writes at
 * once. The exchange makes progress between two blocks, because MPI need not progress by itself. */
static void sweep_overlapped(struct stencil *s, int64_t count)
{
    struct nuce_region interior = nuce_part_interior(part_of(s));
    int64_t most = interior.columns > 0 ? CELLS_BETWEEN_PROGRESS / interior.columns / 6 * 6 + 6 : 1;
    double begin;

    nuce_part_pack(part_of(s), communication_of(s)->payload.send.data);
    nuce_engine_start(&communication_of(s)->engine);
    for (int64_t row = 0; row < interior.rows; row += most) {
        struct nuce_region some = interior;

        some.row += row;
        some.rows = interior.rows - row < most ? interior.rows - row : most;
        begin = nuce_clock();
        nuce_part_sweep(part_of(s), some);
        s->computed_s += nuce_clock() - begin;
        nuce_engine_progress(&communication_of(s)->engine);
    }
    nuce_engine_finish(&communication_of(s)->engine);
    nuce_part_unpack(part_of(s), communication_of(s)->payload.receive.data);
    begin = nuce_clock();
    nuce_part_sweep_around(part_of(s), nuce_part_reach(part_of(s), count - 1), interior);
    nuce_plane_turn(&part_of(s)->plane);
    sweep_on(s, 1, count);
    s->computed_s += nuce_clock() - begin;
}

/* Runs that many sweeps, with the exchanges that they need. An exchange is followed by the
 * sweeps that its layers of ghosts allow. Each part is timed by itself unless they overlap.
 * Collective. */
static void stencil_advance(struct stencil *s, int64_t sweeps, double parts[NUCE_SAMPLE_PARTS])
{
    nuce_counters_begin(s->counters);
    for (int64_t done = 0; done < sweeps; done += part_of(s)->depth) {
        int64_t count = sweeps - done < part_of(s)->depth ? sweeps - done : part_of(s)->depth;

        if (s->overlap) {
            sweep_overlapped(s, count);
        } else {
            double begin = stencil_exchange(s, parts);

            sweep_on(s, 0, count);
            s->computed_s += stencil_stamp(s, NUCE_PART_COMPUTATION, begin, parts) - begin;
        }
    }
    if (s->overlap)
        nuce_counters_end(s->counters, NUCE_PART_STEP);
    s->sweeps += sweeps;
}

/* With changing speeds or rebalancing, every sample begins with the same values. */
static void stencil_prepare(void *self)
{
    struct stencil *s = self;

    if (!nuce_rebalance_has_course(&s->rebalance))
        return;
    nuce_rebalance_return(&s->rebalance, s->salt);
    s->sweeps = 0;
}

/* Runs the point's iterations in stretches between two events: a change of speeds or a look at
 * the rates. */
static void stencil_step(void *self, double parts[NUCE_SAMPLE_PARTS])
{
    struct stencil *s = self;
    int64_t done = 0;

    nuce_rebalance_begin(&s->rebalance, s->computed_s);
    while (done < s->iterations) {
        int64_t room = nuce_rebalance_room(&s->rebalance, done);

        stencil_advance(s, room, parts);
        done += room;
        nuce_rebalance_after(&s->rebalance, done, s->computed_s, parts);
    }
    nuce_rebalance_end(&s->rebalance, done);
}

/* Keeps the first error: the ranks go on together. */
static void stencil_keep(nuce_status found, const struct nuce_error *complaint, nuce_status *status,
                         struct nuce_error *error)
{
    if (found == NUCE_OK || *status != NUCE_OK)
        return;
    *status = found;
    *error = *complaint;
}

/* Checks every byte of an exchange, then every ghost. Then, from new values, checks more than
 * two exchanges with all their sweeps, against a serial run and against a known solution. */
static void check_stage(struct stencil *s, uint64_t salt, nuce_status *status,
                        struct nuce_error *error)
{
    struct nuce_error found = {0};
    double ignored[NUCE_SAMPLE_PARTS] = {0};
    int64_t sweeps = 2 * part_of(s)->depth + 1;

    stencil_keep(nuce_communication_check(communication_of(s), salt, &found), &found, status,
                 error);
    start_over(s, NUCE_FIELD_MIXED, salt);
    nuce_world_barrier(s->world);
    stencil_exchange(s, ignored);
    stencil_keep(nuce_part_check_ghosts(part_of(s), salt, &found), &found, status, error);
    stencil_advance(s, sweeps, ignored);
    stencil_keep(
        nuce_field_check(&s->field, salt, &part_of(s)->plane, part_of(s)->region, sweeps, &found),
        &found, status, error);
    start_over(s, NUCE_FIELD_WAVE, 0);
    nuce_world_barrier(s->world);
    stencil_advance(s, sweeps, ignored);
    stencil_keep(nuce_part_check_wave(part_of(s), sweeps, &found), &found, status, error);
    start_over(s, NUCE_FIELD_MIXED, salt);
}

/* Checks all sweeps of the run so far, if that is fast. The area that a part depends on grows by
 * one cell to each side a sweep. The work is that area times the sweeps. Then checks the final
 * move, the final cut, and the first cut. Salt 1 is the first check, after the warm-up
 * (run/sampling.c): earlier computing times are dropped. */
static nuce_status stencil_verify(void *self, uint64_t salt, struct nuce_error *error)
{
    struct stencil *s = self;
    struct nuce_error found = {0};
    double computed_s = s->computed_s, around = 2 * (double)s->sweeps;
    double updates = ((double)part_of(s)->region.rows + around) *
                     ((double)part_of(s)->region.columns + around) * (double)s->sweeps;
    nuce_status status = NUCE_OK;

    if (updates <= UPDATES_OF_CHECK)
        status = nuce_field_check(&s->field, s->salt, &part_of(s)->plane, part_of(s)->region,
                                  s->sweeps, error);
    if (s->rebalance.stage != s->home) {
        stencil_keep(nuce_rebalance_check(&s->rebalance, salt, &found), &found, &status, error);
        check_stage(s, salt, &status, error);
        nuce_rebalance_return(&s->rebalance, salt);
    }
    check_stage(s, salt, &status, error);
    /* The samples begin after the first check, and checks do not count as computing. */
    s->computed_s = salt == 1 ? 0 : computed_s;
    if (salt == 1)
        nuce_rebalance_reset(&s->rebalance);
    return status;
}

/* A mark of the halos of the last exchange; cells change with every step. It is a sum over
 * messages: the sum over all ranks equals that of the sent data, unless something was lost or
 * altered. */
static uint64_t stencil_mark(void *self)
{
    return nuce_payload_sum_received(&communication_of(self)->payload);
}

/* The sent data that marks are compared with: messages differ in every step. */
static uint64_t stencil_mark_sent(void *self)
{
    return nuce_payload_sum_sent(&communication_of(self)->payload);
}

/* The number of halo exchanges of a step, rounded up. */
static int64_t stencil_exchanges(const void *self)
{
    const struct stencil *s = self;
    int64_t depth = part_of(s)->depth;

    return (s->iterations + depth - 1) / depth;
}

/* Load balance over all samples: the largest computing seconds of a rank over the mean of all
 * ranks; 1 is perfect balance. NaN if no measurable time was spent. */
static nuce_status stencil_conclude(void *self, struct nuce_error *error)
{
    struct stencil *s = self;
    double most = s->computed_s, sum = 0;
    double *all = nuce_allocate(s->world->size, sizeof *all);

    (void)error;
    nuce_world_gather(s->world, &s->computed_s, 1, s->world->rank == 0 ? all : NULL);
    nuce_world_maximum(s->world, &most, 1);
    for (int i = 0; i < s->world->size; i++)
        sum += all[i];
    if (sum > 0)
        s->balance = most / (sum / s->world->size);
    free(all);
    nuce_rebalance_conclude(&s->rebalance);
    return NUCE_OK;
}

static void stencil_describe(const void *self, struct nuce_metrics *found, json_t *lists)
{
    const struct stencil *s = self;

    nuce_metrics_real(found, "load_balance", s->balance);
    nuce_rebalance_describe(&s->rebalance, found);
    nuce_metrics_text(found, "weights_taken", s->weights);
    nuce_metrics_real(found, "acost", s->cost.acost);
    nuce_metrics_real(found, "bcost", s->cost.bcost);
    nuce_metrics_real(found, "internal_edges", (double)s->cost.internal_edges);
    nuce_metrics_real(found, "cost", s->cost.cost);
    if (s->rectangles != NULL)
        json_object_set(lists, "rectangles", s->rectangles);
}

/* A sample has several iterations: adds the time of one. */
static void stencil_summarise(const json_t *record, json_t *row)
{
    static const char *const suffixes[] = {"_s", "_low_s", "_high_s"};
    json_t *iterations = json_object_get(json_object_get(record, "params"), "iterations");

    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char from[32], to[32];
        json_t *step;

        snprintf(from, sizeof from, "step%s", suffixes[i]);
        snprintf(to, sizeof to, "iteration%s", suffixes[i]);
        step = json_object_get(row, from);
        if (step != NULL)
            json_object_set_new(
                row, to,
                json_real(json_number_value(step) / (double)json_integer_value(iterations)));
    }
}

/* Plans the first stage of a run. */
static nuce_status stencil_plan(const void *self, int64_t most, json_t **events,
                                const char **network, struct nuce_error *error)
{
    return nuce_communication_plan(&((const struct stencil *)self)->home->communication, most,
                                   events, network, error);
}

const struct nuce_workload_run nuce_stencil_run = {
    .name = "stencil",
    .open = open_session,
    .close = close_session,
    .self_size = sizeof(struct stencil),
    .build = stencil_build,
    .prepare = stencil_prepare,
    .step = stencil_step,
    .verify = stencil_verify,
    .mark = stencil_mark,
    .mark_sent = stencil_mark_sent,
    .exchanges = stencil_exchanges,
    .plan = stencil_plan,
    .conclude = stencil_conclude,
    .describe = stencil_describe,
    .destroy = stencil_destroy,
    .summarise = stencil_summarise,
};
