/* Clocks synchronised in a hierarchy, after HCA3 (Hunold, Carpen-Amarie: "Hierarchical clock
 * synchronization in MPI", CLUSTER 2018): the ranks of a node share its clock, and one rank of each
 * node compares it with that of another in a binomial tree, whose root is rank 0.
 *
 * A pass goes down the tree in ceil(log2 n) rounds for n clocks. In each, ranks whose clock was
 * compared in this pass already answer one rank each with what rank 0's clock says now; that one
 * takes the shortest of its round trips, since its answer was stamped nearest to its middle
 * (Cristian: "Probabilistic clock synchronization", Distributed Computing 3, 1989). So a pass costs
 * ceil(log2 n) x ROUND_TRIPS round trips and gives every clock a point of its line to rank 0's.
 *
 * HCA3 fits a line through the points of one long pass. Here passes are short and many, before the
 * measurement and during it, so that the points of a line lie as far apart as the measurement is
 * long: the drift of a clock is the better known the longer it is needed. */
#include "measure/clock_sync.h"

#include <math.h>
#include <time.h>

#include "world/check.h"
#include "world/control.h"
#include "world/simulation.h"

#define ROUND_TRIPS 10

/* Passes of the beginning, and the time between two of them. */
#define FIRST_PASSES 8
#define BETWEEN_PASSES_NS 10000000

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

/* Sends rank 0's clock to those who ask, as this rank knew it a moment ago. */
static void answer_clock(const struct nuce_clock_sync *sync, int peer)
{
    const struct nuce_clock_fit *fit = &sync->fit;
    struct nuce_clock_point last = {0};

    if (fit->count > 0)
        last = *nuce_clock_fit_last(fit);
    for (int i = 0; i < ROUND_TRIPS; i++) {
        double answer[ANSWER_VALUES] = {[ANSWER_ERROR] = last.error_s};
        MPI_Request request;
        double now;

        NUCE_MPI(MPI_Irecv(NULL, 0, MPI_BYTE, peer, TAG_ASK, sync->clocks, &request));
        await_stamp(sync, &request, i == 0);
        now = nuce_clock();
        answer[ANSWER_COMMON] = now - last.ahead_s - fit->drift * (now - last.local_s);
        NUCE_MPI(
            MPI_Isend(answer, ANSWER_VALUES, MPI_DOUBLE, peer, TAG_ANSWER, sync->clocks, &request));
        await_stamp(sync, &request, 0);
    }
}

/* Asks peer for rank 0's clock; the shortest of the round trips is a point of this clock's line. */
static void ask_clock(struct nuce_clock_sync *sync, int peer)
{
    struct nuce_clock_point best = {.error_s = INFINITY};
    double shortest_s = INFINITY;

    for (int i = 0; i < ROUND_TRIPS; i++) {
        double answer[ANSWER_VALUES], begin = nuce_clock(), trip_s;
        MPI_Request requests[2];

        NUCE_MPI(MPI_Irecv(answer, ANSWER_VALUES, MPI_DOUBLE, peer, TAG_ANSWER, sync->clocks,
                           &requests[0]));
        NUCE_MPI(MPI_Isend(NULL, 0, MPI_BYTE, peer, TAG_ASK, sync->clocks, &requests[1]));
        await_stamp(sync, &requests[0], i == 0);
        trip_s = nuce_clock() - begin;
        await_stamp(sync, &requests[1], 0);
        if (trip_s >= shortest_s)
            continue;
        shortest_s = trip_s;
        best.local_s = begin + trip_s / 2;
        best.ahead_s = best.local_s - answer[ANSWER_COMMON];
        best.error_s = answer[ANSWER_ERROR] + trip_s / 2;
    }
    nuce_clock_fit_add(&sync->fit, &best);
}

/* Down the binomial tree: in each round twice as many clocks are known. */
static void compare_clocks(struct nuce_clock_sync *sync)
{
    int64_t distance = 1;
    int me;

    NUCE_MPI(MPI_Comm_rank(sync->clocks, &me));
    while (distance < sync->count)
        distance *= 2;
    for (distance /= 2; distance > 0; distance /= 2) {
        if (me % (2 * distance) == 0 && me + distance < sync->count)
            answer_clock(sync, me + (int)distance);
        else if (me % (2 * distance) == distance)
            ask_clock(sync, me - (int)distance);
    }
}

void nuce_clock_sync_pass(struct nuce_clock_sync *sync)
{
    MPI_Request request;

    if (sync->count == 1)
        return;
    nuce_watch_set(sync->world->watch, NUCE_ACTIVITY_CONTROL, -1, 0);
    if (sync->clocks != MPI_COMM_NULL)
        compare_clocks(sync);
    NUCE_MPI(MPI_Ibcast(&sync->fit, (int)sizeof sync->fit, MPI_BYTE, 0, sync->sharing, &request));
    nuce_wait_request(&sync->world->wait, &request);
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

/* The ranks that read one clock, each of which begins with the rank whose number is the colour. */
static void group_by_clock(struct nuce_clock_sync *sync)
{
    struct nuce_world *world = sync->world;
    int colour = world->rank, rank, size = 0, last;

    nuce_control_allreduce(world, &colour, 1, MPI_INT, MPI_MIN, world->node);
    if (!reads_clock_of_first(world))
        colour = world->rank;
    if (nuce_simulation_blocks()) /* all read the simulator's */
        colour = 0;
    last = colour;
    nuce_control_allreduce(world, &last, 1, MPI_INT, MPI_MAX, world->control);
    sync->count = 1;
    if (last == 0) /* colours are numbers of ranks, that of rank 0 is 0: no split, which spins */
        return;
    NUCE_MPI(MPI_Comm_split(world->control, colour, 0, &sync->sharing));
    NUCE_MPI(MPI_Comm_rank(sync->sharing, &rank));
    NUCE_MPI(MPI_Comm_split(world->control, rank == 0 ? 0 : MPI_UNDEFINED, 0, &sync->clocks));
    if (sync->clocks != MPI_COMM_NULL)
        NUCE_MPI(MPI_Comm_size(sync->clocks, &size));
    nuce_control_allreduce(world, &size, 1, MPI_INT, MPI_MAX, world->control);
    sync->count = size;
}

void nuce_clock_sync_init(struct nuce_world *world, struct nuce_clock_sync *out)
{
    *out =
        (struct nuce_clock_sync){.world = world, .sharing = MPI_COMM_NULL, .clocks = MPI_COMM_NULL};
    group_by_clock(out);
    for (int i = 0; out->count > 1 && i < FIRST_PASSES; i++) {
        if (world->rank == 0)
            (void)nanosleep(&(struct timespec){.tv_nsec = BETWEEN_PASSES_NS}, NULL);
        nuce_clock_sync_pass(out);
    }
}

void nuce_clock_sync_fini(struct nuce_clock_sync *sync)
{
    if (sync->sharing != MPI_COMM_NULL)
        NUCE_MPI(MPI_Comm_free(&sync->sharing));
    if (sync->clocks != MPI_COMM_NULL)
        NUCE_MPI(MPI_Comm_free(&sync->clocks));
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
