/* Clocks synchronised in a hierarchy, after HCA3 (Hunold, Carpen-Amarie: "Hierarchical clock
 * synchronization in MPI", CLUSTER 2018): the ranks of a node share its clock, and one rank of each
 * node compares it with that of another in a binomial tree, whose root is rank 0.
 *
 * A pass goes down the tree in ceil(log2 n) rounds for n clocks. In each, ranks whose clock was
 * compared in this pass already answer one rank each with what rank 0's clock says now; that one
 * takes the shortest of its round trips, since its answer was stamped nearest to its middle
 * (Cristian: "Probabilistic clock synchronization", Distributed Computing 3, 1989), and asks no
 * more once that has been met again (clock_fit.c). So a pass costs at most ceil(log2 n) x
 * NUCE_CLOCK_TRIPS round trips, and gives every clock a point of its line to rank 0's.
 *
 * HCA3 fits a line through the points of one long pass, before anything is measured. Here a pass is
 * short, there is one at the beginning, and the next one is due when what is not yet known of the
 * drift begins to count (clock_fit.c): the points of a line lie as far apart as the measurement is
 * long, and nobody waits for them. */
#include "run/clock_sync.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "run/check.h"
#include "run/clock_fit.h"
#include "run/control.h"
#include "run/simulation.h"
#include "run/world.h"

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
