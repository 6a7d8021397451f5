/* Programs of which it is hard to say what a round is: rounds STYLE [FOLDER [HOW]], with arithmetic
 * of its own of what is sent, as styles.c has it. ROUNDS rounds, or levels, on any number of ranks
 * from 4 on. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 20
#define STOP 32000

static int rank, size, how;
static FILE *counts;
static char in[3][4][512], out[512];
static MPI_Comm world;

static void sent(int to, int bytes)
{
    fprintf(counts, "%d %d %d\n", rank, to, bytes);
}

static int side(int k)
{
    return (rank + (k % 2 ? size - 1 : 1)) % size;
}

static void isend(int k, int tag, MPI_Request *request)
{
    int bytes = 100 + k;

    MPI_Isend(out, bytes, MPI_CHAR, side(k), tag, world, request);
    sent(side(k), bytes);
}

static void send_to(int to, int bytes, int tag)
{
    MPI_Send(out, bytes, MPI_CHAR, to, tag, world);
    sent(to, bytes);
}

static void irecv(int slot, int k, int from, int tag, MPI_Request *request)
{
    MPI_Irecv(in[slot][k], 512, MPI_CHAR, from, tag, world, request);
}

/* Receives that are posted a round before the one that waits for them, whichever comes first. */
static void ahead_waitany(int way)
{
    MPI_Request receives[2][2], sends[2];
    int index;

    for (int k = 0; k < 2; k++)
        irecv(0, k, side(k + 1), 0, &receives[0][k]);
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < 2 && round < ROUNDS - 1; k++)
            irecv((round + 1) % 2, k, side(k + 1), 0, &receives[(round + 1) % 2][k]);
        for (int k = 0; k < 2; k++)
            isend(k, 0, &sends[k]);
        for (int k = 0; k < 2; k++)
            MPI_Waitany(2, receives[round % 2], &index, MPI_STATUS_IGNORE);
        MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
    }
}

static void ahead_persistent(int way)
{
    MPI_Request receives[2][2], sends[2];

    for (int k = 0; k < 2; k++) {
        for (int slot = 0; slot < 2; slot++)
            MPI_Recv_init(in[slot][k], 512, MPI_CHAR, side(k + 1), k, world, &receives[slot][k]);
        MPI_Send_init(out, 100 + k, MPI_CHAR, side(k), k, world, &sends[k]);
    }
    MPI_Startall(2, receives[0]);
    for (int round = 0; round < ROUNDS; round++) {
        if (round < ROUNDS - 1)
            MPI_Startall(2, receives[(round + 1) % 2]);
        MPI_Startall(2, sends);
        for (int k = 0; k < 2; k++)
            sent(side(k), 100 + k);
        MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
        MPI_Waitall(2, receives[round % 2], MPI_STATUSES_IGNORE);
    }
    for (int k = 0; k < 2; k++) {
        for (int slot = 0; slot < 2; slot++)
            MPI_Request_free(&receives[slot][k]);
        MPI_Request_free(&sends[k]);
    }
}

/* Receives of the next round are among those of which any will do. */
static void any_of_two(int way)
{
    MPI_Request receives[4], sends[2];
    int done[2] = {0, 0}, index;

    for (int i = 0; i < 4; i++)
        irecv(i / 2, i % 2, side(i % 2 + 1), i / 2, &receives[i]);
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < 2; k++)
            isend(k, round % 2, &sends[k]);
        while (done[round % 2] < 2) {
            MPI_Waitany(4, receives, &index, MPI_STATUS_IGNORE);
            done[index / 2]++;
        }
        done[round % 2] = 0;
        for (int k = 0; k < 2 && round < ROUNDS - 2; k++)
            irecv(round % 2, k, side(k + 1), round % 2, &receives[round % 2 * 2 + k]);
        MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
    }
}

static void halo(int tag)
{
    MPI_Request requests[4];

    for (int k = 0; k < 2; k++)
        irecv(0, k, side(k + 1), tag, &requests[k]);
    for (int k = 0; k < 2; k++)
        isend(k, tag, &requests[2 + k]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/* A receive from anybody that is open all the run and matched in the end, looked at or not. */
static void listen_for(int is_tested)
{
    MPI_Request listener;
    int flag = 0;

    MPI_Irecv(in[1], 512, MPI_CHAR, MPI_ANY_SOURCE, STOP, world, &listener);
    for (int round = 0; round < ROUNDS; round++) {
        halo(0);
        if (is_tested)
            MPI_Test(&listener, &flag, MPI_STATUS_IGNORE);
        if (how && round % 5 == 4)
            MPI_Barrier(world);
    }
    MPI_Barrier(world);
    send_to(side(0), 1, STOP);
    MPI_Wait(&listener, MPI_STATUS_IGNORE);
}

/* Sendrecv while a receive is open. */
static void listener_sendrecv(int way)
{
    MPI_Request listener;

    MPI_Irecv(in[1], 512, MPI_CHAR, side(1), STOP, world, &listener);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Sendrecv(out, 100, MPI_CHAR, side(0), 0, in[0], 512, MPI_CHAR, side(1), 0, world,
                     MPI_STATUS_IGNORE);
        sent(side(0), 100);
    }
    MPI_Cancel(&listener);
    MPI_Wait(&listener, MPI_STATUS_IGNORE);
}

/* Levels in which everybody sends to some others, who do not know how many will come, but all in
 * all: `how`: with a collective call behind each level. What a message tells is sent on once. */
static void polled(int way)
{
    MPI_Request standing = MPI_REQUEST_NULL;
    MPI_Status status;
    int flag, wanted = 2 * ROUNDS, got = 0; /* each level one of tag 7 and one that is sent on */

    if (way == 1)
        MPI_Irecv(in[0], 512, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &standing);
    for (int level = 0; level < ROUNDS; level++) {
        int until = 2 * (level + 1);

        /* All ranks send on by the same shift, so that two messages a level come to each. */
        send_to((rank + 1 + level % (size - 1)) % size, 16, 7);
        while (got < (how ? until : wanted) && (got < until - 1 || how || level == ROUNDS - 1)) {
            if (way == 0) {
                MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world, &flag, &status);
                if (!flag)
                    continue;
                MPI_Recv(in[0], 512, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, world, &status);
            } else if (way == 1) {
                MPI_Test(&standing, &flag, &status);
                if (!flag)
                    continue;
                if (got + 1 < wanted)
                    MPI_Irecv(in[0], 512, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &standing);
            } else if (way == 2) {
                MPI_Recv(in[0], 512, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &status);
            } else {
                MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, world, &status);
                MPI_Recv(in[0], 512, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, world, &status);
            }
            got++;
            if (status.MPI_TAG == 7)
                send_to((rank + 1) % size, 24, 8);
        }
        if (how)
            MPI_Barrier(world);
    }
}

/* Work is dealt out to who asks first. */
static void dealt(int way)
{
    MPI_Status status;

    if (rank > 0) {
        for (int is_more = 1; is_more;) {
            send_to(0, 8, 1);
            MPI_Recv(in[0], 512, MPI_CHAR, 0, MPI_ANY_TAG, world, &status);
            is_more = status.MPI_TAG == 2;
        }
        return;
    }
    for (int i = 0; i < ROUNDS + size - 1; i++) {
        MPI_Recv(in[0], 512, MPI_CHAR, MPI_ANY_SOURCE, 1, world, &status);
        send_to(status.MPI_SOURCE, 32, i < ROUNDS ? 2 : 3);
    }
}

/* Row by row from the first rank to the last; `how`: receives posted ahead. */
static void wavefront(int way)
{
    MPI_Request next = MPI_REQUEST_NULL;

    if (how && rank > 0)
        irecv(0, 0, rank - 1, 0, &next);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request now = next;

        if (how && rank > 0 && round < ROUNDS - 1)
            irecv((round + 1) % 2, 0, rank - 1, 0, &next);
        if (rank > 0 && how)
            MPI_Wait(&now, MPI_STATUS_IGNORE);
        else if (rank > 0)
            MPI_Recv(in[0], 512, MPI_CHAR, rank - 1, 0, world, MPI_STATUS_IGNORE);
        if (rank < size - 1)
            send_to(rank + 1, 80, 0);
    }
}

/* What came first is sent on first, within the halo. */
static void forward_waitany(int way)
{
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request receives[4], sends[4];
        int index;

        for (int k = 0; k < 4; k++)
            irecv(k / 2, k % 2, side(k + 1), k / 2, &receives[k]);
        for (int k = 0; k < 2; k++)
            isend(k, 0, &sends[k]);
        for (int i = 0; i < 2; i++) {
            MPI_Waitany(2, receives, &index, MPI_STATUS_IGNORE);
            isend(index, 1, &sends[2 + i]);
        }
        MPI_Waitall(2, receives + 2, MPI_STATUSES_IGNORE);
        MPI_Waitall(4, sends, MPI_STATUSES_IGNORE);
    }
}

/* One direction behind the other, what came in the first being sent on in the second; all receives
 * are posted before. */
static void directions(int way)
{
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request receives[2], sends[2];

        for (int k = 0; k < 2; k++)
            irecv(k, 0, side(k + 1), k, &receives[k]);
        for (int k = 0; k < 2; k++) {
            isend(k, k, &sends[k]);
            MPI_Wait(&receives[k], MPI_STATUS_IGNORE);
        }
        MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
    }
}

/* Two fields under way at once, each waited for by itself; `how`: the first one's next halo begins
 * before the second one's is over. */
static void fields(int way)
{
    MPI_Request requests[2][4];

    for (int turn = 0; turn < 2 * ROUNDS + how; turn++) {
        int field = turn % 2;

        if (how && turn > 0)
            MPI_Waitall(4, requests[1 - field], MPI_STATUSES_IGNORE);
        for (int k = 0; k < 2 && turn < 2 * ROUNDS; k++)
            irecv(field, k, side(k + 1), field, &requests[field][k]);
        for (int k = 0; k < 2 && turn < 2 * ROUNDS; k++)
            isend(k, field, &requests[field][2 + k]);
        for (int f = 0; f < 2 && !how && field == 1; f++)
            MPI_Waitall(4, requests[f], MPI_STATUSES_IGNORE);
    }
}

/* A test between the sends of a halo. */
static void poked(int way)
{
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request requests[4];
        int flag;

        for (int k = 0; k < 2; k++)
            irecv(0, k, side(k + 1), 0, &requests[k]);
        for (int k = 0; k < 2; k++) {
            isend(k, 0, &requests[2 + k]);
            MPI_Test(&requests[1 - k], &flag, MPI_STATUS_IGNORE);
        }
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
}

/* Two threads, each on a communicator of its own; `how`: from any source. */
static MPI_Comm thread_comm[2];

static void *thread_halos(void *number)
{
    static char got[2][2][512];
    int k = *(int *)number;
    MPI_Request requests[4];

    for (int i = 0; i < 50 * ROUNDS; i++) {
        for (int j = 0; j < 2; j++)
            MPI_Irecv(got[k][j], 512, MPI_CHAR, how ? MPI_ANY_SOURCE : side(j + 1), 2 * i + k,
                      thread_comm[k], &requests[j]);
        for (int j = 0; j < 2; j++)
            MPI_Isend(out, 100 + j, MPI_CHAR, side(j), 2 * i + k, thread_comm[k], &requests[2 + j]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
    return NULL;
}

static void threads_own(int way)
{
    pthread_t threads[2];
    int numbers[2] = {0, 1};

    for (int k = 0; k < 2; k++)
        MPI_Comm_dup(world, &thread_comm[k]);
    for (int k = 0; k < 2; k++)
        pthread_create(&threads[k], NULL, thread_halos, &numbers[k]);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    for (int i = 0; i < 50 * ROUNDS; i++) {
        for (int k = 0; k < 4; k++)
            sent(side(k / 2), 100 + k / 2);
    }
}

/* Ends in the midst, each rank with receives open. */
static void ended(int is_ahead)
{
    MPI_Request receives[2][2], sends[2], listener;

    MPI_Irecv(in[2], 512, MPI_CHAR, side(1), STOP, world, &listener);
    for (int round = 0; round < ROUNDS; round++) {
        for (int r = round; r <= round + is_ahead; r++) {
            for (int k = 0; k < 2 && (r > round || round == 0 || !is_ahead); k++)
                irecv(r % 2, k, side(k + 1), r % 2, &receives[r % 2][k]);
        }
        for (int k = 0; k < 2; k++)
            isend(k, round % 2, &sends[k]);
        MPI_Waitall(2, receives[round % 2], MPI_STATUSES_IGNORE);
        MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
    }
    fclose(counts);
    MPI_Barrier(world);
    if (rank == 1 && how == 'k')
        raise(SIGKILL);
    if (rank == 1 && how == 'a')
        MPI_Abort(world, 3);
    if (rank == 1 && how == 's')
        raise(SIGSEGV);
    if (how == '_')
        _exit(0);
    if (how == 'e')
        exit(0);
    pause();
}

static const struct {
    const char *name;
    void (*run)(int way);
    int way;
} rounds[] = {
    {"ahead_waitany", ahead_waitany, 0},
    {"ahead_persistent", ahead_persistent, 0},
    {"any_of_two", any_of_two, 0},
    {"listener_any_matched", listen_for, 0},
    {"listener_tested", listen_for, 1},
    {"listener_sendrecv", listener_sendrecv, 0},
    {"polled_iprobe", polled, 0},
    {"polled_test", polled, 1},
    {"polled_recv", polled, 2},
    {"polled_probe", polled, 3},
    {"dealt", dealt, 0},
    {"wavefront", wavefront, 0},
    {"forward_waitany", forward_waitany, 0},
    {"directions", directions, 0},
    {"fields", fields, 0},
    {"poked", poked, 0},
    {"threads_own", threads_own, 0},
    {"ended_ahead", ended, 1},
    {"ended_listening", ended, 0},
};

int main(int argc, char **argv)
{
    char path[4096];
    int provided;

    MPI_Init_thread(&argc, &argv,
                    argc > 1 && strncmp(argv[1], "threads", 7) == 0 ? MPI_THREAD_MULTIPLE
                                                                    : MPI_THREAD_SINGLE,
                    &provided);
    world = MPI_COMM_WORLD;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    snprintf(path, sizeof path, "%s/counts.%d", argc > 2 ? argv[2] : ".", rank);
    how = argc > 3 ? argv[3][0] : 0;
    counts = fopen(path, "w");
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        if (argc > 1 && strcmp(argv[1], rounds[i].name) == 0)
            rounds[i].run(rounds[i].way);
    }
    fclose(counts);
    MPI_Finalize();
    return 0;
}
