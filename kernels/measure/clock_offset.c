/* Rank 0 asks one rank after another for its clock, several times; of the round trip that took
 * least half the time bounds the error. */
#include "measure/clock_offset.h"

#include <math.h>

#include "world/check.h"

#define ROUND_TRIPS 50

enum { TAG_PING, TAG_PONG, TAG_RESULT };

static void clock_offset_send(struct nuce_world *world, double *values, int count, int rank,
                              int tag)
{
    MPI_Request request;

    NUCE_MPI(MPI_Isend(values, count, MPI_DOUBLE, rank, tag, world->control, &request));
    nuce_wait_all(&world->wait, 1, &request);
}

static void clock_offset_receive(struct nuce_world *world, double *values, int count, int rank,
                                 int tag)
{
    MPI_Request request;

    NUCE_MPI(MPI_Irecv(values, count, MPI_DOUBLE, rank, tag, world->control, &request));
    nuce_wait_all(&world->wait, 1, &request);
}

/* On rank 0. */
static void clock_offset_ask(struct nuce_world *world, int rank)
{
    double best[2] = {0, INFINITY};

    for (int i = 0; i < ROUND_TRIPS; i++) {
        double begin = nuce_clock(), theirs, half_s;

        clock_offset_send(world, &begin, 1, rank, TAG_PING);
        clock_offset_receive(world, &theirs, 1, rank, TAG_PONG);
        half_s = (nuce_clock() - begin) / 2;
        if (half_s < best[1]) {
            best[0] = theirs - (begin + half_s);
            best[1] = half_s;
        }
    }
    clock_offset_send(world, best, 2, rank, TAG_RESULT);
}

static struct nuce_clock_offset clock_offset_answer(struct nuce_world *world)
{
    double ping, result[2];
    MPI_Request first;

    /* It may be long until it is this rank's turn. */
    NUCE_MPI(MPI_Irecv(&ping, 1, MPI_DOUBLE, 0, TAG_PING, world->control, &first));
    nuce_wait_request(&world->wait, &first);
    for (int i = 0; i < ROUND_TRIPS; i++) {
        double now;

        if (i > 0)
            clock_offset_receive(world, &ping, 1, 0, TAG_PING);
        now = nuce_clock();
        clock_offset_send(world, &now, 1, 0, TAG_PONG);
    }
    clock_offset_receive(world, result, 2, 0, TAG_RESULT);
    return (struct nuce_clock_offset){.offset_s = result[0], .error_s = result[1]};
}

struct nuce_clock_offset nuce_clock_offset(struct nuce_world *world)
{
    nuce_watch_set(world->watch, NUCE_ACTIVITY_CONTROL, -1, 0);
    if (world->rank != 0)
        return clock_offset_answer(world);
    for (int rank = 1; rank < world->size; rank++)
        clock_offset_ask(world, rank);
    return (struct nuce_clock_offset){0};
}
