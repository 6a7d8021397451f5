/* Clocks synchronised in a hierarchy, after HCA3 (Hunold, Carpen-Amarie: "Hierarchical clock
 * synchronization in MPI", CLUSTER 2018). The ranks of a node share its clock. One rank of each
 * node compares it with that of another node in a binomial tree, whose root is rank 0.
 *
 * A pass goes down the tree in ceil(log2 n) rounds for n clocks. In each round, every rank with
 * a compared clock answers one other rank with the present time of rank 0's clock. The other
 * rank uses its shortest round trip, because that answer was stamped nearest to its middle
 * (Cristian: "Probabilistic clock synchronization", Distributed Computing 3, 1989). It stops
 * asking once the shortest time has recurred. So a pass costs at most ceil(log2 n) x
 * NUCE_CLOCK_TRIPS round trips, and gives every clock a point of its line to rank 0's.
 *
 * HCA3 fits a line through the points of one long pass, before any measurement. Here a pass is
 * short. One is made at the beginning, and the next is due when the uncertainty of the drift
 * begins to matter. The points of a line thus span the whole measurement, and no rank waits for
 * them. */
#include "run/clock_sync.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "run/check.h"
#include "run/control.h"
#include "run/simulation.h"
#include "run/world.h"

/* Weighted least squares, with prior knowledge about clocks.
 *
 * The offset of a point is wrong by the difference between the way there and the way back. A
 * constant difference shifts all points alike and does not change the slope. The excess of a
 * round trip over the shortest makes the points scatter, so it is their standard error here.
 *
 * The slope of a line through a few milliseconds cannot be extrapolated over seconds: an error
 * of 1 us in 10 ms is one of 100 us in a second. The rate of quartz clocks is known to within
 * DRIFT_BEFORE without any measurement. So the slope is the most probable one given that (a
 * normal prior: ridge regression). It is nearly 0 while the points are close together, and
 * approaches that of least squares later. */

/* Standard deviation of the rates of quartz clocks, disciplined or not: their makers promise 20
 * to 100 ppm. */
#define DRIFT_BEFORE 50e-6

/* The least standard error of a point: this part of the least error, plus the clock's resolution
 * (s). */
#define TRIP_SHARE 0.05
#define CLOCK_GRAIN_S 20e-9

/* The limit of the error that one standard error of the drift causes, as a part of the least
 * error of the points. Four standard errors, which are very rare, cause half of that error. */
#define HOLD_SHARE 0.125

/* A line holds for at least this multiple of the time that its points span, however uncertain it
 * is. */
#define HOLD_SPANS 0.5

/* A line holds at most this long (s), because rates change with temperature and discipline. */
#define HOLD_MOST_S 2.0

/* The least error of the points: half of the shortest round trips. */
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

/* Sums are of differences from the first point: the local time may be months, and the result is
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

/* The shortest round trip has the best known middle. It is final once others take equally long,
 * because delays of a trip never repeat exactly. An idle network reaches that after three or
 * four trips. If trips wait for a processor or for other messages it may never happen, and a
 * time limit ends it. */

/* This many trips of at most ALIKE_RATIO times the shortest suffice. */
#define ALIKE_ENOUGH 3
#define ALIKE_RATIO 1.1

/* No more trips after this time, but at least LEAST of them, because one may have waited. The
 * first trip does not count, because the other rank may be busy with others long before. */
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

/* The content of an answer: rank 0's clock, and its uncertainty. */
enum { ANSWER_COMMON, ANSWER_ERROR, ANSWER_VALUES };

/* Receives a stamp. The first message of a pair may take long, so it is awaited with sleeps that
 * leave the processor to other ranks. */
static void await_stamp(const struct nuce_clock_sync *sync, MPI_Request *request, int is_first)
{
    if (is_first)
        nuce_wait_request(&sync->world->wait, request);
    else
        nuce_wait_all(&sync->world->wait, 1, request);
}

/* Sends peer rank 0's clock, by this rank's latest knowledge, once for each request. */
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

/* Asks peer for rank 0's clock; the shortest round trip becomes a point of this clock's line. */
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

/* Goes down the binomial tree: the number of compared clocks doubles in each round. Then the
 * first rank of each node sends its line to the ranks that read the same clock. The least
 * certain line decides when the next pass is due. */
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

/* True if this rank reads the clock of the first rank on its node: its reading lies between two
 * readings of that clock, one earlier and one later. Ranks that share memory run under one
 * kernel, but a kernel may show a container another clock than its neighbours. */
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

/* Numbers the clocks, each by the first of the ranks that read it. It makes no communicator for
 * them: a split spins in the library, for a tenth of a second and more if ranks share
 * processors. */
void nuce_clock_sync_init(struct nuce_world *world, struct nuce_clock_sync *out)
{
    double begun_s = nuce_clock();
    int mine = world->rank, last;

    *out = (struct nuce_clock_sync){.world = world, .count = 1, .holds_s = INFINITY};
    nuce_control_allreduce(world, &mine, 1, MPI_INT, MPI_MIN, world->node);
    if (!reads_clock_of_first(world))
        mine = world->rank;
    if (nuce_simulation_is_on()) /* all ranks read the simulator's clock */
        mine = 0;
    last = mine;
    nuce_control_allreduce(world, &last, 1, MPI_INT, MPI_MAX, world->control);
    if (last > 0) { /* some ranks do not read rank 0's clock */
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
