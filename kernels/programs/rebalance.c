/* A look at the ranks' rates takes these steps:
 *   1. Compute the rates: cells that a rank swept since the previous look, divided by its time.
 *   2. Cut the array again by the rates, under the same algorithm, and find the cells that move.
 *   3. Decide (`rebalance`). when-it-pays asks the model: an iteration takes max(cells / rate)
 *      over the ranks, and a halo exchange as long as the network says.
 *   4. Make the new parts and schedules, and move the cells (carry_out).
 *
 * All ranks have the same rates and so reach the same decision.
 *
 * Cost of a look: a gather and a broadcast of a double per rank. Cost of a cut: the decomposition
 * on every rank, a schedule, new parts. The step's parts `rebalance` and `move` include all of
 * it, so a sample pays for it, as a program would. */
#include "programs/rebalance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "instances/halo.h"
#include "run/node_memory.h"
#include "schedules/bounds.h"

/* A stage: one decomposition of the array in use, with a rank's part, its halo, and the
 * communication of both. */

/* Collective by its communication. Parts of an unfinished stage are all zero, which each
 * function here accepts. */
void nuce_stage_destroy(struct nuce_stage *stage)
{
    if (stage == NULL)
        return;
    nuce_communication_fini(&stage->communication);
    nuce_part_fini(&stage->part);
    nuce_pattern_fini(&stage->halo);
    nuce_decomposition_fini(&stage->tiling);
    free(stage);
}

/* The memory for cells and buffers of all ranks of this node is checked before it is allocated. */
nuce_status nuce_stage_create(struct nuce_world *world, const struct nuce_field *field,
                              const struct nuce_point *point,
                              struct nuce_stencil_instance *instance,
                              const struct nuce_stage *first, struct nuce_metrics *found,
                              struct nuce_stage **out, struct nuce_error *error)
{
    const struct nuce_stencil_params *params = point->params;
    struct nuce_stage *stage = nuce_allocate(1, sizeof *stage);
    int rank = world->rank;
    struct nuce_region region = nuce_region_of(&instance->tiling.rectangles[rank]);
    int64_t bytes =
        nuce_plane_bytes(field->jacobi, region.rows, region.columns, params->halo_depth);
    nuce_status status = nuce_stencil_halo_pattern(params, &instance->halo, &stage->halo, error);

    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK) {
        for (int64_t k = stage->halo.row[rank]; k < stage->halo.row[rank + 1]; k++)
            bytes += 2 * stage->halo.bytes[k];
        status = nuce_node_memory_check(world, bytes, error);
    }
    if (status == NUCE_OK) {
        status = nuce_part_init(field, &instance->halo, &instance->tiling, rank, params->halo_depth,
                                &stage->part, error);
        status = nuce_world_agree(world, status, error);
    }
    if (status == NUCE_OK)
        status = first == NULL
                     ? nuce_communication_init(world, point, &stage->halo, NULL,
                                               &stage->communication, found, error)
                     : nuce_communication_init_further(&first->communication, point, &stage->halo,
                                                       &stage->communication, error);
    if (status != NUCE_OK) {
        nuce_stage_destroy(stage);
        return status;
    }
    stage->tiling = instance->tiling;
    memset(&instance->tiling, 0, sizeof instance->tiling);
    *out = stage;
    return NUCE_OK;
}

/* The params of the point, which is a stencil's. */
static const struct nuce_stencil_params *params_of(const struct nuce_rebalance *r)
{
    return r->point->params;
}

/* Speeds may change without rebalancing, for comparison. */
static int rebalance_is_on(const struct nuce_rebalance *r)
{
    return strcmp(params_of(r)->rebalance, NUCE_REBALANCE_NEVER) != 0;
}

/* The cost of moving is NaN until something has moved. when-it-pays treats NaN as 0, so the
 * first cut is tried. */
nuce_status nuce_rebalance_init(struct nuce_world *world, const struct nuce_point *point,
                                struct nuce_stage *home, struct nuce_rebalance *out,
                                struct nuce_error *error)
{
    struct nuce_rebalance r = {.world = world,
                               .point = point,
                               .home = home,
                               .stage = home,
                               .set_up_s = NAN,
                               .byte_s = NAN,
                               .saving_s = NAN,
                               .cost_s = NAN};

    r.rates = nuce_allocate(world->size, sizeof *r.rates);
    r.seen = nuce_allocate(world->size, sizeof *r.seen);
    if (nuce_speed_periods_init(point->params, world->size, &r.periods, error) != NUCE_OK) {
        free(r.rates);
        free(r.seen);
        return error->status;
    }
    *out = r;
    return NUCE_OK;
}

void nuce_rebalance_fini(struct nuce_rebalance *r)
{
    if (r->stage != r->home)
        nuce_stage_destroy(r->stage);
    nuce_speed_periods_fini(&r->periods);
    free(r->rates);
    free(r->seen);
    memset(r, 0, sizeof *r);
}

/* True if the iterations of a step differ. */
int nuce_rebalance_has_course(const struct nuce_rebalance *r)
{
    return r->periods.count > 1 || rebalance_is_on(r);
}

/* set_up_s and byte_s stay, because the warm-up also measures the cost of a cut. */
void nuce_rebalance_reset(struct nuce_rebalance *r)
{
    memset(r->spent_s, 0, sizeof r->spent_s);
    memset(r->iterations, 0, sizeof r->iterations);
    r->samples = r->rebalances = r->moved_bytes = r->predictions = 0;
    r->saving_sum_s = r->cost_sum_s = 0;
}

/* This rank's extra work in the present period. */
static double extra_of(const struct nuce_rebalance *r)
{
    return nuce_speed_periods_extra(&r->periods, r->period, r->world->rank, r->world->size);
}

/* Takes over stage. The previous one is destroyed, unless it is home. */
static void set_stage(struct nuce_rebalance *r, struct nuce_stage *stage)
{
    if (r->stage != r->home)
        nuce_stage_destroy(r->stage);
    r->stage = stage;
    stage->part.extra = extra_of(r);
}

/* Every sample begins like the first, or samples would not be comparable. */
void nuce_rebalance_return(struct nuce_rebalance *r, uint64_t salt)
{
    r->period = 0;
    r->salt = salt;
    set_stage(r, r->home);
    nuce_part_fill(&r->home->part, NUCE_FIELD_MIXED, salt);
}

/* Ends a stretch of similar iterations; the next one begins with begin_course. Clock seconds of
 * this rank, including waiting: nuce_rebalance_conclude takes the slowest. */
static void end_course(struct nuce_rebalance *r, int64_t done)
{
    r->spent_s[r->course] += nuce_clock() - r->course_s;
    r->iterations[r->course] += done - r->course_at;
}

/* done: iterations of the sample so far. */
static void begin_course(struct nuce_rebalance *r, enum nuce_course course, int64_t done)
{
    r->course = course;
    r->course_at = done;
    r->course_s = nuce_clock();
}

void nuce_rebalance_begin(struct nuce_rebalance *r, double computed_s)
{
    r->is_due = 0;
    r->looked_at = 0;
    r->computed_s = computed_s;
    begin_course(r, NUCE_COURSE_BEFORE, 0);
}

void nuce_rebalance_end(struct nuce_rebalance *r, int64_t done)
{
    end_course(r, done);
    r->samples++;
}

/* Iterations until the next event: at least 1 before the last. */
int64_t nuce_rebalance_room(const struct nuce_rebalance *r, int64_t done)
{
    const struct nuce_stencil_params *params = params_of(r);
    int64_t room = params->iterations - done;

    if (r->period + 1 < r->periods.count && r->periods.from[r->period + 1] - done < room)
        room = r->periods.from[r->period + 1] - done;
    if (rebalance_is_on(r) && params->look_every - done % params->look_every < room)
        room = params->look_every - done % params->look_every;
    return room;
}

/* Finds all ranks' rates since the previous look, on all ranks; returns true if they are known.
 * Collective. Each rank sends its seconds, and all convert them into cells per second by the
 * same tiling. If a rank's clock did not advance, as in a simulator that charges no computation,
 * returns 0: nothing is cut. */
static int find_rates(struct nuce_rebalance *r, int64_t done, double computed_s)
{
    double sweeps = (double)(done - r->looked_at), mine = computed_s - r->computed_s;
    double *rates = r->seen;

    nuce_world_gather(r->world, &mine, 1, r->world->rank == 0 ? rates : NULL);
    nuce_world_broadcast(r->world, rates, (int64_t)sizeof *rates * r->world->size);
    r->looked_at = done;
    r->computed_s = computed_s;
    for (int i = 0; i < r->world->size; i++) {
        struct nuce_region part = nuce_region_of(&r->stage->tiling.rectangles[i]);

        if (!(rates[i] > 0))
            return 0;
        rates[i] = (double)nuce_region_cells(part) * sweeps / rates[i];
    }
    return 1;
}

/* Seconds of the slowest rank's sweep. */
static double sweep_s(const struct nuce_decomposition *tiling, const double *rates)
{
    double most = 0;

    for (int i = 0; i < tiling->parts; i++)
        most = fmax(most,
                    (double)nuce_region_cells(nuce_region_of(&tiling->rectangles[i])) / rates[i]);
    return most;
}

/* A proposed cut of the array. */
struct proposal {
    struct nuce_stencil_instance instance;
    struct nuce_halo move;
    struct nuce_pattern pattern; /* of move */
    int64_t bytes, port_bytes;   /* of the pattern */
};

/* Accepts an all-zero or a partly made one. */
static void proposal_fini(struct proposal *proposal)
{
    nuce_stencil_instance_fini(&proposal->instance);
    nuce_halo_fini(&proposal->move);
    nuce_pattern_fini(&proposal->pattern);
}

/* *out is freed by the caller, also on failure. */
static nuce_status rebalance_propose(const struct nuce_rebalance *r, const double *rates,
                                     struct proposal *out, struct nuce_error *error)
{
    const struct nuce_stencil_params *params = params_of(r);
    struct nuce_pattern_summary summary;

    if (nuce_stencil_instance_cut(params, r->world->size, rates, &out->instance, error) != NUCE_OK)
        return error->status;
    nuce_halo_move(&r->stage->tiling, &out->instance.tiling, &out->move);
    if (nuce_stencil_halo_pattern(params, &out->move, &out->pattern, error) != NUCE_OK)
        return error->status;
    nuce_pattern_summarise(&out->pattern, &summary);
    out->bytes = summary.bytes;
    out->port_bytes = summary.busiest_port;
    return NUCE_OK;
}

/* Seconds of the pattern by the network, one message after another; NaN: no network. */
static double network_s(const struct nuce_rebalance *r, const struct nuce_pattern *pattern)
{
    const struct nuce_network *network = &r->home->communication.network;
    struct nuce_bounds bounds;

    if (network->ranks == 0)
        return NAN;
    nuce_bounds_compute(pattern, network, &bounds);
    return bounds.single_port;
}

/* Makes the proposed stage the present one, with the present cell values. The move is an
 * exchange of its own, made once and freed afterwards. A rank copies the cells that it keeps;
 * the others go through the buffers. times: seconds that this rank set up and moved. Collective;
 * all ranks return the same status. On failure the present stage stays. Ghosts of the new part
 * get a value that no cell has (nuce_part_fill_around), so a missing exchange is detected. */
static nuce_status carry_out(struct nuce_rebalance *r, struct proposal *proposal, double times[2],
                             struct nuce_error *error)
{
    struct nuce_communication cells;
    struct nuce_stage *next;
    double begin = nuce_clock(), ready;
    int rank = r->world->rank;

    if (nuce_stage_create(r->world, r->home->part.field, r->point, &proposal->instance, r->home,
                          NULL, &next, error) != NUCE_OK)
        return error->status;
    if (nuce_node_memory_check(r->world, nuce_pattern_rank_bytes(&proposal->pattern, rank),
                               error) != NUCE_OK ||
        nuce_communication_init_further(&r->home->communication, r->point, &proposal->pattern,
                                        &cells, error) != NUCE_OK) {
        nuce_stage_destroy(next);
        return error->status;
    }
    nuce_part_fill_around(&next->part, NUCE_FIELD_MIXED, r->salt);
    ready = nuce_clock();
    nuce_part_pack_moved(&r->stage->part, &proposal->move, rank, cells.payload.send.data);
    nuce_engine_run(&cells.engine);
    nuce_part_keep(&next->part, &r->stage->part);
    nuce_part_unpack_moved(&next->part, &proposal->move, rank, cells.payload.receive.data);
    times[1] = nuce_clock() - ready;
    nuce_communication_fini(&cells);
    set_stage(r, next);
    times[0] = nuce_clock() - begin - times[1];
    return NUCE_OK;
}

/* Runs steps 2 to 4 of a look that began at begin_s. Returns the seconds of moving. Without a
 * network, the halos' cost is taken as unchanged, and the move costs as much per byte as the
 * previous move. An exchange serves halo_depth iterations, so an iteration pays that fraction of
 * it. A cut of unknown cost is tried, which measures its cost. Keeps the sums of predictions for
 * cuts that are made, and the latest prediction for one that is not. Collective. */
static double cut_anew(struct nuce_rebalance *r, int64_t done, double begin_s)
{
    const struct nuce_stencil_params *params = params_of(r);
    struct proposal proposal = {0};
    struct nuce_pattern halo = {0};
    double times[2] = {0}, slowest[2] = {0};
    double saving_s = NAN, cost_s = NAN; /* saving of an iteration; cost of one cut with its move */
    int is_wanted = 1, is_cut = 0;

    r->status = rebalance_propose(r, r->seen, &proposal, &r->failure);
    if (r->status == NUCE_OK)
        r->status = nuce_stencil_halo_pattern(params, &proposal.instance.halo, &halo, &r->failure);
    if (r->status == NUCE_OK) {
        double before = network_s(r, &r->stage->halo), move = network_s(r, &proposal.pattern);

        saving_s =
            sweep_s(&r->stage->tiling, r->seen) - sweep_s(&proposal.instance.tiling, r->seen);
        if (!isnan(before))
            saving_s += (before - network_s(r, &halo)) / (double)params->halo_depth;
        if (isnan(move))
            move = r->byte_s * (double)proposal.port_bytes;
        cost_s = isnan(r->set_up_s) ? move : r->set_up_s + move;
    }
    nuce_pattern_fini(&halo);
    r->status = nuce_world_agree(r->world, r->status, &r->failure);
    if (r->status == NUCE_OK && proposal.bytes > 0) {
        if (strcmp(params->rebalance, NUCE_REBALANCE_WHEN_IT_PAYS) == 0)
            is_wanted =
                saving_s * (double)(params->iterations - done) > (isnan(cost_s) ? 0 : cost_s);
        if (!is_wanted) {
            r->saving_s = saving_s;
            r->cost_s = cost_s;
        } else if (!isnan(cost_s)) {
            r->saving_sum_s += saving_s;
            r->cost_sum_s += cost_s;
            r->predictions++;
        }
        if (is_wanted) {
            slowest[0] = nuce_clock() - begin_s;
            r->status = carry_out(r, &proposal, times, &r->failure);
            is_cut = r->status == NUCE_OK;
        }
    } else if (r->status == NUCE_BAD_INPUT) {
        r->status = NUCE_OK; /* some part would have too few cells: all parts stay */
    }
    if (is_cut) { /* the expected cost of the next one */
        memcpy(r->rates, r->seen, (size_t)r->world->size * sizeof *r->rates);
        slowest[0] += times[0];
        slowest[1] = times[1];
        nuce_world_maximum(r->world, slowest, 2);
        r->set_up_s = slowest[0];
        r->byte_s = slowest[1] / (double)proposal.port_bytes;
        r->rebalances++;
        r->moved_bytes += proposal.bytes;
        r->is_due = 0;
        r->course = NUCE_COURSE_AFTER;
    }
    proposal_fini(&proposal);
    return is_cut ? times[1] : 0;
}

/* after-change waits until a whole look lies after the change of speeds: a rate over both
 * periods would describe neither. Collective. */
static void rebalance_look_at_rates(struct nuce_rebalance *r, int64_t done, double computed_s,
                                    double parts[NUCE_SAMPLE_PARTS])
{
    const struct nuce_stencil_params *params = params_of(r);
    int is_asked = strcmp(params->rebalance, NUCE_REBALANCE_AFTER_CHANGE) != 0 ||
                   (r->is_due && done - params->look_every >= r->changed_at);
    double begin, move_s = 0;

    /* Waiting for ranks that sweep slowly is not part of the look. */
    nuce_world_barrier(r->world);
    end_course(r, done);
    begin = nuce_clock();
    nuce_watch_set(r->world->watch, NUCE_ACTIVITY_SETUP, -1, 0);
    if (find_rates(r, done, computed_s) && is_asked)
        move_s = cut_anew(r, done, begin);
    parts[NUCE_PART_REBALANCE] += nuce_clock() - begin - move_s;
    parts[NUCE_PART_MOVE] += move_s;
    begin_course(r, r->course, done);
}

/* Called between two iterations. The look comes first, because it is about the previous
 * iterations. Then the speeds may change to the next period, and the array is due for a new cut
 * once a look has covered only that period. Both are skipped after the last iteration, where
 * they would be useless. */
void nuce_rebalance_after(struct nuce_rebalance *r, int64_t done, double computed_s,
                          double parts[NUCE_SAMPLE_PARTS])
{
    const struct nuce_stencil_params *params = params_of(r);

    if (done == params->iterations)
        return;
    if (rebalance_is_on(r) && done % params->look_every == 0 && r->status == NUCE_OK)
        rebalance_look_at_rates(r, done, computed_s, parts);
    if (r->period + 1 < r->periods.count && done == r->periods.from[r->period + 1]) {
        end_course(r, done);
        r->period++;
        r->stage->part.extra = extra_of(r);
        r->is_due = 1;
        r->changed_at = done;
        begin_course(r, NUCE_COURSE_CHANGED, done);
    }
}

/* Moves from the first cut to the last one again and compares every cell, for which the samples
 * had no time. Also reports a failure during the samples, because a step cannot. */
nuce_status nuce_rebalance_check(struct nuce_rebalance *r, uint64_t salt, struct nuce_error *error)
{
    struct proposal proposal = {0};
    double times[2];
    nuce_status status;

    if (r->status != NUCE_OK) {
        *error = r->failure;
        return r->status;
    }
    if (r->stage == r->home)
        return NUCE_OK;
    nuce_rebalance_return(r, salt);
    status = nuce_world_agree(r->world, rebalance_propose(r, r->rates, &proposal, error), error);
    if (status == NUCE_OK)
        status = carry_out(r, &proposal, times, error);
    proposal_fini(&proposal);
    if (status != NUCE_OK)
        return status;
    return nuce_field_check(r->home->part.field, salt, &r->stage->part.plane, r->stage->part.region,
                            0, error);
}

/* NaN if the count is 0. */
static double rebalance_mean(double sum, int64_t count)
{
    return count > 0 ? sum / (double)count : NAN;
}

/* Means over samples use this rank's sums, which are equal on all ranks; times are the slowest
 * rank's. */
void nuce_rebalance_conclude(struct nuce_rebalance *r)
{
    struct nuce_rebalance_means *means = &r->means;

    nuce_world_maximum(r->world, r->spent_s, NUCE_COURSES);
    for (int i = 0; i < NUCE_COURSES; i++)
        means->iteration_s[i] = rebalance_mean(r->spent_s[i], r->iterations[i]);
    means->rebalances = rebalance_mean((double)r->rebalances, r->samples);
    means->moved_bytes = rebalance_mean((double)r->moved_bytes, r->samples);
    means->saving_s =
        r->predictions > 0 ? rebalance_mean(r->saving_sum_s, r->predictions) : r->saving_s;
    means->cost_s = r->predictions > 0 ? rebalance_mean(r->cost_sum_s, r->predictions) : r->cost_s;
    means->are_known = 1;
}

/* Results that are NaN are not recorded (base/result.h). */
void nuce_rebalance_describe(const struct nuce_rebalance *r, struct nuce_metrics *found)
{
    static const char *const keys[] = {"iteration_before_s", "iteration_changed_s",
                                       "iteration_after_s"};
    const struct nuce_rebalance_means *means = &r->means;

    if (!means->are_known || !nuce_rebalance_has_course(r))
        return;
    for (int i = 0; i < NUCE_COURSES; i++)
        nuce_metrics_real(found, keys[i], means->iteration_s[i]);
    if (!rebalance_is_on(r))
        return;
    nuce_metrics_real(found, "rebalances", means->rebalances);
    nuce_metrics_real(found, "moved_bytes", means->moved_bytes);
    nuce_metrics_real(found, "saving_predicted_s", means->saving_s);
    nuce_metrics_real(found, "cut_predicted_s", means->cost_s);
}
