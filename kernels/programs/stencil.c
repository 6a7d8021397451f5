/* The workload `stencil`: sweeps over a rectangle of cells on each rank, with an exchange of ghosts
 * under a schedule before every so many of them as there are layers of ghosts.
 *
 * A step of a sample is `iterations` sweeps with the exchanges that they need, ceil(iterations /
 * halo_depth) of them, and with what rebalancing does between. Memory of a rank: two planes of its
 * part with ghosts, and the halo's buffers; checked against the node's before it is allocated.
 * Verified: every byte of the messages, every ghost, and the cells against a serial run and a wave
 * whose course is known.
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

/* Cells computed between two looks at the exchange, with overlap: some ten microseconds. */
#define CELLS_BETWEEN_PROGRESS 16384

/* Updates of cells that one rank does at most to check a whole run, all its sweeps, against a
 * serial one: a second or so. Longer runs are checked by a few sweeps before and after. */
#define UPDATES_OF_CHECK 50000000.0

struct stencil {
    struct nuce_world *world;
    struct nuce_counters *counters; /* borrowed */
    struct nuce_field field;
    struct nuce_stage *home; /* how the array is cut to begin with */
    struct nuce_rebalance rebalance;
    int64_t iterations; /* sweeps of a step */
    int overlap;
    uint64_t salt;     /* of the values that the cells began with */
    int64_t sweeps;    /* since then */
    double computed_s; /* of all samples so far */
    double balance;    /* concluded: its maximum over ranks / its mean; NaN before */
    struct nuce_decomposition_cost cost; /* rank 0 */
    char *weights;                       /* rank 0: as they were measured; NULL: they were not */
    json_t *rectangles;                  /* rank 0: the parts, in whole cells */
};

/* The ranks' speeds, by which decompositions cut: as given, from the network's file, or measured by
 * sweeps of a plane about as large as a part.
 *
 * Found once for points that agree in what the speeds depend on (the key), since each takes SECONDS
 * of sweeping: contenders of a heat then cut by the very same numbers. Rounded to a few digits,
 * which is what a record can say and a user can give again. */
struct known_speeds {
    struct nuce_world *world;
    char key[4 * NUCE_PATH_BYTES]; /* what the speeds below are of; "": nothing */
    double *relative; /* ranks: the fastest has 1, in NUCE_WEIGHTS_DIGITS digits; NULL: none */
};

/* Cells of a side. Of a rank: as large as its part will be in the mean, at most so. Larger ones are
 * out of cache in any case. */
#define SIDE_MOST 1500

/* Of sweeping on each rank, all at a time. */
#define SECONDS 1

/* Rank 0's rates of all, to all: relative to the fastest, and rounded by way of the text, so that
 * the number is the one that a record's text reads as. */
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

/* Rates of the point's own stencil, extra work of the emulated speeds that a run begins with
 * included, into speeds->relative.
 * Collective over the world: the barrier has all ranks sweep together, as memory that they share
 * makes them slower together. */
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

/* Makes speeds->relative hold the speeds of the ranks: those of the network that params name, where
 * it has some (nuce-calibrate speeds writes them), else measured here for the stencil of params,
 * the extra work of emulated speeds included; all ranks sweep at the same time, since that is how
 * they will run. The same on all ranks. Collective; all ranks return the same status. The key is
 * empty while they are being found, so that a failure leaves no half of them. A network that has
 * speeds gives them. The side is the root of the mean part's cells. */
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

/* What points of one launch share is how fast each rank is: measured once, and only if some point
 * asks for it. */
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

/* Collective: the stages' communication is. Rebalancing first, as it may own the stage that is at
 * work. */
static void stencil_destroy(void *self)
{
    struct stencil *s = self;

    nuce_rebalance_fini(&s->rebalance);
    nuce_stage_destroy(s->home);
    nuce_field_fini(&s->field);
    free(s->weights);
    json_decref(s->rectangles);
}

/* How the array is cut, on every rank by itself, by the same numbers. *seconds is processor time,
 * the most over the ranks: what a program would pay for the decomposition. Collective. */
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

/* The part and the communication of now: rebalancing puts others in their place. */
static struct nuce_part *part_of(const struct stencil *s)
{
    return &s->rebalance.stage->part;
}

static struct nuce_communication *communication_of(const struct stencil *s)
{
    return &s->rebalance.stage->communication;
}

/* Own cells and ghosts from new values, and no sweep since. */
static void start_over(struct stencil *s, enum nuce_field_kind kind, uint64_t salt)
{
    nuce_part_fill(part_of(s), kind, salt);
    s->salt = salt;
    s->sweeps = 0;
}

/* The decomposition first, then field, parts and communication (a stage), and the rebalancing that
 * may replace them during the run. Collective. */
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
    nuce_found_real(&info->found, "index_s", index_s);
    if (s->world->rank == 0) { /* what the record says of the decomposition */
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

/* Ends a part of a step, of which there may be several. part is added to, where nuce_counters_stamp
 * would set it. Returns the time of its end. */
static double stencil_stamp(struct stencil *s, enum nuce_sample_part part, double begin_s,
                            double parts[NUCE_SAMPLE_PARTS])
{
    double before = parts[part], now = nuce_counters_stamp(s->counters, part, begin_s, parts);

    parts[part] += before;
    return now;
}

/* The ghosts of as many layers as there are. Returns the time at its end. */
static double stencil_exchange(struct stencil *s, double parts[NUCE_SAMPLE_PARTS])
{
    double now = nuce_clock();

    nuce_part_pack(part_of(s), communication_of(s)->payload.send);
    now = stencil_stamp(s, NUCE_PART_PACK, now, parts);
    nuce_engine_run(&communication_of(s)->engine);
    now = stencil_stamp(s, NUCE_PART_COMMUNICATION, now, parts);
    nuce_part_unpack(part_of(s), communication_of(s)->payload.receive);
    return stencil_stamp(s, NUCE_PART_UNPACK, now, parts);
}

/* The sweeps number first .. count - 1 after an exchange. Each sweep reaches one layer less far
 * into the ghosts, of which the outermost are out of date after it. */
static void sweep_on(struct stencil *s, int64_t first, int64_t count)
{
    nuce_watch_set(s->world->watch, NUCE_ACTIVITY_COMPUTE, -1, 0);
    for (int64_t k = first; k < count; k++) {
        nuce_part_sweep(part_of(s), nuce_part_reach(part_of(s), count - 1 - k));
        nuce_plane_turn(&part_of(s)->plane);
    }
}

/* The exchange runs while the interior is computed: its own time cannot be told apart. The first
 * sweep is split: the interior needs no ghosts and is swept while they are on their way, the rest
 * when they have come. Some rows of the interior at a time, in multiples of the six that
 * a sweep writes at once: between two lots the exchange is given a chance to progress, since MPI
 * need not do so by itself. */
static void sweep_overlapped(struct stencil *s, int64_t count)
{
    struct nuce_region interior = nuce_part_interior(part_of(s));
    int64_t most = interior.columns > 0 ? CELLS_BETWEEN_PROGRESS / interior.columns / 6 * 6 + 6 : 1;
    double begin;

    nuce_part_pack(part_of(s), communication_of(s)->payload.send);
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
    nuce_part_unpack(part_of(s), communication_of(s)->payload.receive);
    begin = nuce_clock();
    nuce_part_sweep_around(part_of(s), nuce_part_reach(part_of(s), count - 1), interior);
    nuce_plane_turn(&part_of(s)->plane);
    sweep_on(s, 1, count);
    s->computed_s += nuce_clock() - begin;
}

/* So many sweeps, with the exchanges that they need: one, and the sweeps that its layers of ghosts
 * last for, each part timed by itself unless they overlap. Collective. */
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

/* Every sample of speeds that change, or of an array that is cut anew, has the same values. */
static void stencil_prepare(void *self)
{
    struct stencil *s = self;

    if (!nuce_rebalance_has_course(&s->rebalance))
        return;
    nuce_rebalance_return(&s->rebalance, s->salt);
    s->sweeps = 0;
}

/* As many iterations as the point asks for, in stretches between two events: a change of speeds or
 * a look at the rates. */
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

/* Keeps the first complaint: the ranks go on together. */
static void stencil_keep(nuce_status found, const struct nuce_error *complaint, nuce_status *status,
                         struct nuce_error *error)
{
    if (found == NUCE_OK || *status != NUCE_OK)
        return;
    *status = found;
    *error = *complaint;
}

/* Every byte of an exchange; every ghost; then, from new values, two exchanges and a bit with all
 * their sweeps, against a serial run and against a solution that is known. */
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

/* All sweeps of the run so far, where that does not take long: what so many sweeps of a cell depend
 * on grows by a cell to each side a sweep, and that area, times the sweeps, is the work of the
 * check. Then the move to where it ended, and how the array was cut there; how it was cut at first.
 * Salt 1 is that of the first check, behind the warm-up (run/sampling.c): what was computed until
 * then is forgotten. */
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
    /* The samples begin after the first check, and a check is none. */
    s->computed_s = salt == 1 ? 0 : computed_s;
    if (salt == 1)
        nuce_rebalance_reset(&s->rebalance);
    return status;
}

/* The halos of the last exchange; cells change with every step. A sum over messages: over all ranks
 * it is that of what was sent, or something was lost or altered. */
static uint64_t stencil_mark(void *self)
{
    return nuce_payload_sum_received(&communication_of(self)->payload);
}

/* What marks are held against: messages are other ones in every step. */
static uint64_t stencil_mark_sent(void *self)
{
    return nuce_payload_sum_sent(&communication_of(self)->payload);
}

/* How many exchanges of halos a step has, rounded up. */
static int64_t stencil_exchanges(const void *self)
{
    const struct stencil *s = self;
    int64_t depth = part_of(s)->depth;

    return (s->iterations + depth - 1) / depth;
}

/* Load balance over all samples. The most computing seconds of a rank over the mean of all ranks; 1
 * is perfect balance. NaN where nothing was computed in measurable time. */
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

static void stencil_describe(const void *self, struct nuce_found *found, json_t *lists)
{
    const struct stencil *s = self;

    nuce_found_real(found, "load_balance", s->balance);
    nuce_rebalance_describe(&s->rebalance, found);
    nuce_found_text(found, "weights_taken", s->weights);
    nuce_found_real(found, "acost", s->cost.acost);
    nuce_found_real(found, "bcost", s->cost.bcost);
    nuce_found_real(found, "internal_edges", (double)s->cost.internal_edges);
    nuce_found_real(found, "cost", s->cost.cost);
    if (s->rectangles != NULL)
        json_object_set(lists, "rectangles", s->rectangles);
}

/* A sample is of so many iterations: what one takes. */
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

/* Of the stage that a run begins with. */
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
