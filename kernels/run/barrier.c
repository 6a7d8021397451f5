/* Persistent empty messages, one each way and round, waited for by the one wait policy. The round
 * is the tag, so that a rank that is ahead by a round does not disturb. Cost: log2 n startups; no
 * memory is asked for between time stamps. */
#include "run/barrier.h"

#include <stddef.h>

#include "run/check.h"

void nuce_barrier_init(struct nuce_barrier *barrier, MPI_Comm comm)
{
    int rank, size;

    NUCE_MPI(MPI_Comm_rank(comm, &rank));
    NUCE_MPI(MPI_Comm_size(comm, &size));
    barrier->rounds = 0;
    for (long distance = 1; distance < size; distance *= 2) {
        MPI_Request *requests = barrier->requests[barrier->rounds];
        int from = (int)(((long)rank - distance + size) % size);
        int to = (int)(((long)rank + distance) % size);

        barrier->from[barrier->rounds] = from;
        NUCE_MPI(MPI_Recv_init(NULL, 0, MPI_BYTE, from, barrier->rounds, comm, &requests[0]));
        NUCE_MPI(MPI_Send_init(NULL, 0, MPI_BYTE, to, barrier->rounds, comm, &requests[1]));
        barrier->rounds++;
    }
}

void nuce_barrier_fini(struct nuce_barrier *barrier)
{
    for (int round = 0; round < barrier->rounds; round++) {
        NUCE_MPI(MPI_Request_free(&barrier->requests[round][0]));
        NUCE_MPI(MPI_Request_free(&barrier->requests[round][1]));
    }
    barrier->rounds = 0;
}

void nuce_barrier(struct nuce_barrier *barrier, const struct nuce_wait *wait,
                  struct nuce_watch *watch)
{
    for (int round = 0; round < barrier->rounds; round++) {
        nuce_watch_set(watch, NUCE_ACTIVITY_BARRIER, barrier->from[round], round);
        NUCE_MPI(MPI_Startall(2, barrier->requests[round]));
        nuce_wait_all(wait, 2, barrier->requests[round]);
    }
}
