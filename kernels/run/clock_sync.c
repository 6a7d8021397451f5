/* Clocks synchronised in a hierarchy, after HCA3 (Hunold, Carpen-Amarie: "Hierarchical clock
 * synchronization in MPI", CLUSTER 2018): the ranks of a node share its clock, and one rank of each
 * node compares it with that of another in a binomial tree, whose root is rank 0.
 *
 * A pass goes down the tree in ceil(log2 n) rounds for n clocks. In each, ranks whose clock was
 * compared in this pass already answer one rank each with what rank 0's clock says now; that one
 * takes the shortest of its round trips, since its answer was stamped nearest to its middle
 * (Cristian: "Probabilistic clock synchronization", Distributed Computing 3, 1989), and asks no
 * more once that has been met again. So a pass costs at most ceil(log2 n) x
 * NUCE_CLOCK_TRIPS round trips, and gives every clock a point of its line to rank 0's.
 *
 * HCA3 fits a line through the points of one long pass, before anything is measured. Here a pass is
 * short, there is one at the beginning, and the next one is due when what is not yet known of the
 * drift begins to count: the points of a line lie as far apart as the measurement is
 * long, and nobody waits for them. */
#include "run/clock_sync.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "run/check.h"
#include "run/control.h"
#include "run/simulation.h"
#include "run/world.h"

/* Least squares, weighted, with what is known of clocks beforehand.
 *
 * Of a point the offset is wrong by what the way there and the way back differ. What they always
 * differ by shifts all points alike and leaves the slope as it is; what a round trip took longer
 * than the shortest is what the points scatter by, so that is their standard error here.
 *
 * The slope of a line through a few milliseconds says nothing of the seconds after: an error of
 * 1 us in 10 ms is one of 100 us in a second. Clocks of quartz are known to within DRIFT_BEFORE
 * before anything is measured, so the slope is the most probable one given that (a normal prior:
 * ridge regression). It is nearly none as long as the points lie close together, and that of least
 * squares once they do not. */

/* Standard deviation of the rates of clocks, of quartz, disciplined or not: 20 to 100 ppm is what
 * their makers promise. */
#define DRIFT_BEFORE 50e-6

/* A point is no better than this part of the shortest round trip, nor than the clock is fine (s).
 */
#define TRIP_SHARE 0.05
#define CLOCK_GRAIN_S 20e-9

/* One standard error of the drift may come to this part of half the shortest round trip: four of
 * them, which hardly ever happens, to all of it. */
#define HOLD_SHARE 0.125

/* So many times as long as the points lie apart a line holds, however little is known. */
#define HOLD_SPANS 0.5

/* And no longer than that (s): rates change, with temperature, and where they are disciplined. */
#define HOLD_MOST_S 2.0

/* Of the shortest round trip. */
static double least_error(const struct nuce_clock_fit *fit)
{
    double least = INFINITY;

    for (int i = 0; i < fit->count; i++)
        least = fmin(least, fit->points[i].error_s);
    return least;
}

/* One over the variance of a point. */
static double point_weight(const struct nuce_clock_point *point, double least_s)
{
    double deviation = point->error_s - least_s + TRIP_SHARE * least_s + CLOCK_GRAIN_S;

    return 1 / (deviation * deviation);
}

/* Sums are of differences from the first point: the local time may be months, and what is sought
 * nanoseconds. */
static void draw_line(struct nuce_clock_fit *fit)
{
    const struct nuce_clock_point *first = &fit->points[0];
    double least_s = least_error(fit);
    double weights = 0, local = 0, ahead = 0, square = 0, product = 0;

    for (int i = 0; i < fit->count; i++) {
        double weight = point_weight(&fit->points[i], least_s);

        weights += weight;
        local += weight * (fit->points[i].local_s - first->local_s);
        ahead += weight * (fit->points[i].ahead_s - first->ahead_s);
    }
    local /= weights;
    ahead /= weights;
    for (int i = 0; i < fit->count; i++) {
        double weight = point_weight(&fit->points[i], least_s);
        double x = fit->points[i].local_s - first->local_s - local;

        square += weight * x * x;
        product += weight * x * (fit->points[i].ahead_s - first->ahead_s - ahead);
    }
    fit->middle_s = first->local_s + local;
    fit->ahead_s = first->ahead_s + ahead;
    square += 1 / (DRIFT_BEFORE * DRIFT_BEFORE);
    fit->drift = product / square;
    fit->drift_error = 1 / sqrt(square);
}

void nuce_clock_fit_add(struct nuce_clock_fit *fit, const struct nuce_clock_point *point)
{
    fit->residual_s =
        fit->count == 0 ? 0 : point->ahead_s - nuce_clock_fit_ahead(fit, point->local_s);
    fit->points[fit->next] = *point;
    fit->next = (fit->next + 1) % NUCE_CLOCK_POINTS;
    if (fit->count < NUCE_CLOCK_POINTS)
        fit->count++;
    draw_line(fit);
}

double nuce_clock_fit_holds(const struct nuce_clock_fit *fit)
{
    const struct nuce_clock_point *first, *last;

    if (fit->count == 0)
        return INFINITY;
    last = nuce_clock_fit_last(fit);
    first = &fit->points[fit->count < NUCE_CLOCK_POINTS ? 0 : fit->next];
    return fmin(HOLD_MOST_S, fmax(HOLD_SHARE * least_error(fit) / fit->drift_error,
                                  HOLD_SPANS * (last->local_s - first->local_s)));
}

/* The shortest of some round trips is the one whose middle is known best, and it is the shortest
 * for good once others have come out alike: what keeps a trip waiting is never twice the same. On
 * an idle network that is so after three or four; where each waits for a processor or for others'
 * messages it may never be so, and time ends it. */

/* So many trips that take no longer than this many times the shortest are alike. */
#define ALIKE_ENOUGH 3
#define ALIKE_RATIO 1.1

/* No more trips after so many seconds, but at least so many: one of them may have waited. The first
 * one does not count, since the other rank may be busy with others for long before. */
#define ENOUGH_S 0.01
#define LEAST 3

static double shortest(const struct nuce_clock_trips *trips)
{
    double least = INFINITY;

    for (int i = 0; i < trips->count; i++)
        least = fmin(least, trips->seconds[i]);
    return least;
}

int nuce_clock_trips_add(struct nuce_clock_trips *trips, double seconds)
{
    double before = shortest(trips);

    trips->seconds[trips->count++] = seconds;
    return seconds < before;
}

int nuce_clock_trips_suffice(const struct nuce_clock_trips *trips)
{
    double least = shortest(trips), spent_s = 0;
    int alike = 0;

    for (int i = 0; i < trips->count; i++) {
        alike += trips->seconds[i] <= ALIKE_RATIO * least;
        spent_s += i == 0 ? 0 : trips->seconds[i];
    }
    return trips->count >= NUCE_CLOCK_TRIPS || alike >= ALIKE_ENOUGH ||
           (trips->count >= LEAST && spent_s >= ENOUGH_S);
}

enum { TAG_ASK, TAG_ANSWER };

/* What an answer says: rank 0's clock, and how well it is known. */
enum { ANSWER_COMMON, ANSWER_ERROR, ANSWER_VALUES };

/* The first message of a pair may be long in coming: patiently, so as to take no processor from
 * those whose turn it is. */
static void await_stamp(const struct nuce_clock_sync *sync, MPI_Request *request, int is_first)
{
    if (is_first)
        nuce_wait_request(&sync->world->wait, request);
    else
        nuce_wait_all(&sync->world->wait, 1, request);
}

/* Sends rank 0's clock to peer, as this rank knew it a moment ago, as often as it asks. */
static void answer_clock(const struct nuce_clock_sync *sync, int peer)
{
    const struct nuce_clock_fit *fit = &sync->fit;
    struct nuce_clock_point last = {0};

    if (fit->count > 0)
        last = *nuce_clock_fit_last(fit);
    for (int is_first = 1;; is_first = 0) {
        double answer[ANSWER_VALUES] = {[ANSWER_ERROR] = last.error_s}, now;
        MPI_Request request;
        int asks;

        NUCE_MPI(MPI_Irecv(&asks, 1, MPI_INT, peer, TAG_ASK, sync->world->control, &request));
        await_stamp(sync, &request, is_first);
        if (!asks)
            return;
        now = nuce_clock();
        answer[ANSWER_COMMON] = now - last.ahead_s - fit->drift * (now - last.local_s);
        NUCE_MPI(MPI_Isend(answer, ANSWER_VALUES, MPI_DOUBLE, peer, TAG_ANSWER,
                           sync->world->control, &request));
        await_stamp(sync, &request, 0);
    }
}

/* Asks peer for rank 0's clock; the shortest of the round trips is a point of this clock's line. */
static void ask_clock(struct nuce_clock_sync *sync, int peer)
{
    MPI_Comm comm = sync->world->control;
    struct nuce_clock_point best = {0};
    struct nuce_clock_trips trips = {.count = 0};
    const int asks = 1, has_done = 0;
    MPI_Request requests[2];

    while (!nuce_clock_trips_suffice(&trips)) {
        double answer[ANSWER_VALUES], begin_s = nuce_clock(), end_s;

        NUCE_MPI(
            MPI_Irecv(answer, ANSWER_VALUES, MPI_DOUBLE, peer, TAG_ANSWER, comm, &requests[0]));
        NUCE_MPI(MPI_Isend(&asks, 1, MPI_INT, peer, TAG_ASK, comm, &requests[1]));
        await_stamp(sync, &requests[0], trips.count == 0);
        end_s = nuce_clock();
        await_stamp(sync, &requests[1], 0);
        if (!nuce_clock_trips_add(&trips, end_s - begin_s))
            continue;
        best.local_s = begin_s + (end_s - begin_s) / 2;
        best.ahead_s = best.local_s - answer[ANSWER_COMMON];
        best.error_s = answer[ANSWER_ERROR] + (end_s - begin_s) / 2;
    }
    NUCE_MPI(MPI_Isend(&has_done, 1, MPI_INT, peer, TAG_ASK, comm, &requests[0]));
    await_stamp(sync, &requests[0], 0);
    nuce_clock_fit_add(&sync->fit, &best);
}

/* Down the binomial tree: in each round twice as many clocks are known. Then the first rank of each
 * node tells those that read the clock it has looked at. The line that is known worst says when the
 * next pass is due. */
void nuce_clock_sync_pass(struct nuce_clock_sync *sync)
{
    struct nuce_world *world = sync->world;
    int64_t distance = 1;
    int me = sync->number;
    double least; /* the minimum, as a maximum */

    if (sync->count == 1)
        return;
    nuce_watch_set(world->watch, NUCE_ACTIVITY_CONTROL, -1, 0);
    while (distance < sync->count)
        distance *= 2;
    for (distance /= 2; me >= 0 && distance > 0; distance /= 2) {
        if (me % (2 * distance) == 0 && me + distance < sync->count)
            answer_clock(sync, sync->firsts[me + distance]);
        else if (me % (2 * distance) == distance)
            ask_clock(sync, sync->firsts[me - distance]);
    }
    if (world->node_size > 1) {
        struct nuce_clock_fit first = sync->fit;
        MPI_Request request;

        NUCE_MPI(MPI_Ibcast(&first, (int)sizeof first, MPI_BYTE, 0, world->node, &request));
        nuce_wait_request(&world->wait, &request);
        if (me < 0)
            sync->fit = first;
    }
    least = -nuce_clock_fit_holds(&sync->fit);
    nuce_world_maximum(world, &least, 1);
    sync->holds_s = -least;
}

/* Whether this rank reads the clock of the first rank on its node: its reading lies between two of
 * that one, the first of which was there before it and the second not yet. Ranks that share memory
 * run under one kernel, but that may show a container another clock than its neighbours. */
static int reads_clock_of_first(struct nuce_world *world)
{
    double before, mine, all_read = 0, after = -INFINITY;
    int rank;

    NUCE_MPI(MPI_Comm_rank(world->node, &rank));
    before = rank == 0 ? nuce_clock() : -INFINITY;
    nuce_control_allreduce(world, &before, 1, MPI_DOUBLE, MPI_MAX, world->node);
    mine = nuce_clock();
    nuce_control_allreduce(world, &all_read, 1, MPI_DOUBLE, MPI_MAX, world->node);
    if (rank == 0)
        after = nuce_clock();
    nuce_control_allreduce(world, &after, 1, MPI_DOUBLE, MPI_MAX, world->node);
    return before <= mine && mine <= after;
}

/* Numbers the clocks, each by the first of the ranks that read it. Without a communicator of their
 * own: to split one spins in the library, a tenth of a second and more where ranks share
 * processors. */
void nuce_clock_sync_init(struct nuce_world *world, struct nuce_clock_sync *out)
{
    double begun_s = nuce_clock();
    int mine = world->rank, last;

    *out = (struct nuce_clock_sync){.world = world, .count = 1, .holds_s = INFINITY};
    nuce_control_allreduce(world, &mine, 1, MPI_INT, MPI_MIN, world->node);
    if (!reads_clock_of_first(world))
        mine = world->rank;
    if (nuce_simulation_is_on()) /* all read the simulator's */
        mine = 0;
    last = mine;
    nuce_control_allreduce(world, &last, 1, MPI_INT, MPI_MAX, world->control);
    if (last > 0) { /* not all read that of rank 0 */
        out->firsts = nuce_allocate(world->size, sizeof *out->firsts);
        nuce_control_allgather(world, &mine, 1, MPI_INT, out->firsts, world->control);
        out->count = 0;
        out->number = -1;
        for (int rank = 0; rank < world->size; rank++) {
            if (out->firsts[rank] != rank)
                continue;
            if (rank == world->rank)
                out->number = out->count;
            out->firsts[out->count++] = rank;
        }
    }
    nuce_clock_sync_pass(out);
    out->took_s = nuce_clock() - begun_s;
}

void nuce_clock_sync_fini(struct nuce_clock_sync *sync)
{
    free(sync->firsts);
    sync->firsts = NULL;
}

struct nuce_clock_quality nuce_clock_sync_quality(struct nuce_clock_sync *sync)
{
    double worst[2] = {0};

    if (sync->fit.count > 0) {
        worst[0] = fabs(sync->fit.residual_s);
        worst[1] = nuce_clock_fit_last(&sync->fit)->error_s;
    }
    if (sync->count > 1)
        nuce_world_maximum(sync->world, worst, 2);
    return (struct nuce_clock_quality){.residual_s = worst[0], .error_s = worst[1]};
}

double nuce_clock_sync_common(const struct nuce_clock_sync *sync, double local_s)
{
    return local_s - nuce_clock_fit_ahead(&sync->fit, local_s);
}

double nuce_clock_sync_local(const struct nuce_clock_sync *sync, double common_s)
{
    const struct nuce_clock_fit *fit = &sync->fit;

    return common_s + (fit->ahead_s + fit->drift * (common_s - fit->middle_s)) / (1 - fit->drift);
}
