/* MPI calls in many styles, which count their own messages: styles STYLE[,STYLE...]
 * [FOLDER]. Each rank writes to FOLDER/counts.RANK a line `SOURCE DESTINATION BYTES` for every
 * message that it sends, itself included, world ranks. Every style has ROUNDS rounds. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define ROUNDS 14
#define MOST 4096

static int rank, size;
static FILE *counts;
static char out[2][MOST], in[2][MOST];

static void sent(int to, long bytes)
{
    fprintf(counts, "%d %d %ld\n", rank, to, bytes);
}

/* Bytes that `from` sends to its k-th neighbour: three kinds of rounds take turns. */
static int bytes_of(int round, int from, int k)
{
    return 8 * (1 + (round % 3) * 5 + from % 4 + 7 * k);
}

static int to(int k)
{
    return (rank + 1 + k) % size;
}

static int from(int k)
{
    return (rank + 2 * size - 1 - k) % size;
}

/* Sends and receives at once; numbers are of comm. */
static void swap(MPI_Comm comm, int bytes, int destination, int source)
{
    MPI_Sendrecv(out[0], bytes, MPI_CHAR, destination, 5, in[0], MOST, MPI_CHAR, source, 5, comm,
                 MPI_STATUS_IGNORE);
}

/* To the next rank of comm, whose number is returned. */
static int swap_ring(MPI_Comm comm, int bytes)
{
    int own, of;

    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &of);
    swap(comm, bytes, (own + 1) % of, (own + of - 1) % of);
    return (own + 1) % of;
}

static void post(int round, MPI_Request *requests, int any_source, int any_tag)
{
    for (int k = 0; k < 2; k++)
        MPI_Irecv(in[k], MOST, MPI_CHAR, any_source ? MPI_ANY_SOURCE : from(k),
                  any_tag ? MPI_ANY_TAG : 100 + round, MPI_COMM_WORLD, &requests[k]);
    for (int k = 0; k < 2; k++) {
        MPI_Isend(out[k], bytes_of(round, rank, k), MPI_CHAR, to(k), 100 + round, MPI_COMM_WORLD,
                  &requests[2 + k]);
        sent(to(k), bytes_of(round, rank, k));
    }
}

static void waitall(int round)
{
    MPI_Request requests[4];

    post(round, requests, 0, 0);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/* Several messages of a pair, also without bytes, and to the third neighbour nothing but such. */
static void several(int round)
{
    static const int bytes[] = {40, 0, 16, 0, 0};
    static char got[5][64];
    MPI_Request requests[10];

    for (int k = 0; k < 5; k++)
        MPI_Irecv(got[k], 64, MPI_CHAR, from(k / 3 * 2), round, MPI_COMM_WORLD, &requests[k]);
    for (int k = 0; k < 5; k++) {
        MPI_Isend(out[0], bytes[k], MPI_CHAR, to(k / 3 * 2), round, MPI_COMM_WORLD,
                  &requests[5 + k]);
        sent(to(k / 3 * 2), bytes[k]);
    }
    MPI_Waitall(10, requests, MPI_STATUSES_IGNORE);
}

static void waitany(int round)
{
    MPI_Request requests[4];
    int index;

    post(round, requests, 0, 0);
    for (int i = 0; i < 4; i++)
        MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
}

static void waitsome(int round)
{
    MPI_Request requests[4];
    int done = 0, count, indices[4];

    post(round, requests, 1, 1);
    while (done < 4) {
        MPI_Waitsome(4, requests, &count, indices, MPI_STATUSES_IGNORE);
        done += count;
    }
}

static void testall(int round)
{
    MPI_Request requests[4];
    int flag = 0;

    post(round, requests, 1, 0);
    while (!flag)
        MPI_Testall(4, requests, &flag, MPI_STATUSES_IGNORE);
}

static void any_source(int round)
{
    MPI_Request requests[4];

    post(round, requests, 1, 0);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static void any_tag(int round)
{
    MPI_Request requests[4];
    MPI_Status statuses[4];

    post(round, requests, 0, 1);
    MPI_Waitall(4, requests, statuses);
}

static void persistent(int round)
{
    static MPI_Request requests[4];

    if (round == 0) {
        for (int k = 0; k < 2; k++) {
            MPI_Recv_init(in[k], MOST, MPI_CHAR, from(k), 5, MPI_COMM_WORLD, &requests[k]);
            MPI_Send_init(out[k], bytes_of(0, rank, k), MPI_CHAR, to(k), 5, MPI_COMM_WORLD,
                          &requests[2 + k]);
        }
    }
    for (int k = 0; k < 2; k++)
        sent(to(k), bytes_of(0, rank, k));
    MPI_Start(&requests[0]);
    MPI_Startall(3, &requests[1]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (int k = 0; k < 4 && round == ROUNDS - 1; k++)
        MPI_Request_free(&requests[k]);
}

/* Every second double: 8 bytes of 16. */
static void derived(int round)
{
    int count = bytes_of(round, rank, 0) / 8, received = bytes_of(round, from(0), 0) / 8;
    MPI_Datatype type, in_type;
    MPI_Request requests[2];

    MPI_Type_vector(count, 1, 2, MPI_DOUBLE, &type);
    MPI_Type_vector(received, 1, 2, MPI_DOUBLE, &in_type);
    MPI_Type_commit(&type);
    MPI_Type_commit(&in_type);
    MPI_Irecv(in, 1, in_type, from(0), 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, 1, type, to(0), 3, MPI_COMM_WORLD, &requests[1]);
    sent(to(0), 8 * count);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Type_free(&type);
    MPI_Type_free(&in_type);
}

static void sendrecv(int round)
{
    for (int k = 0; k < 2; k++) {
        swap(MPI_COMM_WORLD, bytes_of(round, rank, k), to(k), from(k));
        sent(to(k), bytes_of(round, rank, k));
    }
}

/* The send of a round is waited for in the next one. */
static void late(int round)
{
    static MPI_Request before = MPI_REQUEST_NULL;
    MPI_Request request;

    MPI_Isend(out[round % 2], bytes_of(round, rank, 0), MPI_CHAR, to(0), 1, MPI_COMM_WORLD,
              &request);
    sent(to(0), bytes_of(round, rank, 0));
    MPI_Recv(in[0], MOST, MPI_CHAR, from(0), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&before, MPI_STATUS_IGNORE);
    before = request;
    if (round == ROUNDS - 1)
        MPI_Wait(&before, MPI_STATUS_IGNORE);
}

static void freed(int round)
{
    MPI_Request request;

    MPI_Isend(out[0], bytes_of(round, rank, 0), MPI_CHAR, to(0), 1, MPI_COMM_WORLD, &request);
    sent(to(0), bytes_of(round, rank, 0));
    MPI_Request_free(&request);
    MPI_Recv(in[0], MOST, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Hoefler, Siebert, Lumsdaine: Scalable Communication Protocols for Dynamic Sparse Data Exchange.
 */
static void nbx(int round)
{
    MPI_Request requests[2], barrier = MPI_REQUEST_NULL;
    int done = 0, flag, is_waiting = 0;

    for (int k = 0; k < 2; k++) {
        MPI_Issend(out[k], bytes_of(round, rank, k), MPI_CHAR, to(k), 2, MPI_COMM_WORLD,
                   &requests[k]);
        sent(to(k), bytes_of(round, rank, k));
    }
    while (!done) {
        MPI_Status status;

        MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &flag, &status);
        if (flag)
            MPI_Recv(in[0], MOST, MPI_CHAR, status.MPI_SOURCE, 2, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        if (is_waiting) {
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
        } else {
            MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
            if (flag) {
                MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
                is_waiting = 1;
            }
        }
    }
}

/* All of a vector collective, nothing to some. */
static void alltoallv(int round)
{
    int numbers[64] = {0}, places[64] = {0}, in_numbers[64], in_places[64];
    static char data[64 * 64], got[64 * 64];
    MPI_Request request;

    for (int i = 0; i < size; i++) {
        numbers[i] = (rank + i + round) % 3;
        in_numbers[i] = (rank + i + round) % 3;
        places[i] = in_places[i] = 16 * i;
        if (numbers[i] > 0)
            sent(i, 4 * numbers[i]);
    }
    if (round % 2) {
        MPI_Ialltoallv(data, numbers, places, MPI_INT, got, in_numbers, in_places, MPI_INT,
                       MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Alltoallv(data, numbers, places, MPI_INT, got, in_numbers, in_places, MPI_INT,
                      MPI_COMM_WORLD);
    }
}

/* Halves of the ranks, each in a communicator of its own; a duplicate that shares its members. */
static void halves(int round)
{
    static MPI_Comm half, twin;
    long value = 1, sum;
    int of;

    if (round == 0) {
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
        MPI_Comm_dup(half, &twin);
    }
    MPI_Comm_size(half, &of);
    if (of > 1) {
        swap_ring(round % 3 ? half : twin, 8 + round % 2);
        /* Keys are descending: the next one in it is the rank two below, or the last. */
        sent(rank - 2 >= 0 ? rank - 2 : size - 1 - (size - 1 - rank % 2) % 2, 8 + round % 2);
    }
    MPI_Allreduce(&value, &sum, 1, MPI_LONG, MPI_SUM, half);
    if (round == ROUNDS - 1) {
        MPI_Comm_free(&twin);
        MPI_Comm_free(&half);
    }
}

static void neighbors(int round)
{
    static MPI_Comm ring;
    int sides[1] = {size}, wraps[1] = {1};

    if (round == 0)
        MPI_Cart_create(MPI_COMM_WORLD, 1, sides, wraps, 0, &ring);
    MPI_Neighbor_alltoall(out, 5, MPI_INT, in, 5, MPI_INT, ring);
    sent((rank + size - 1) % size, 20);
    sent((rank + 1) % size, 20);
}

/* Along the sides of a grid of two rows, each a communicator of its own. */
static void rows(int round)
{
    static MPI_Comm grid, twin, sides[2];
    int shape[2] = {2, size / 2}, wraps[2] = {1, 1}, bytes = bytes_of(round, rank, 0);

    if (round == 0) {
        MPI_Cart_create(MPI_COMM_WORLD, 2, shape, wraps, 0, &grid);
        MPI_Comm_dup(grid, &twin);
        for (int k = 0; k < 2; k++)
            MPI_Cart_sub(twin, (int[]){k == 0, k == 1}, &sides[k]);
    }
    for (int k = 0; k < 2; k++) {
        int next = swap_ring(sides[k], bytes);

        sent(k == 0 ? (rank + size / 2) % size : rank / (size / 2) * (size / 2) + next, bytes);
    }
}

/* A communicator of a group, backwards: all but the first of all but the last of a duplicate. */
static void grouped(int round)
{
    static MPI_Comm twin, few = MPI_COMM_NULL;
    int list[64], bytes = bytes_of(round, rank, 0);

    if (round == 0) {
        MPI_Group all, most, some;

        MPI_Comm_dup(MPI_COMM_WORLD, &twin);
        MPI_Comm_group(twin, &all);
        for (int i = 0; i < size - 1; i++)
            list[i] = size - 2 - i;
        MPI_Group_incl(all, size - 1, list, &most);
        for (int i = 0; i < size - 2; i++)
            list[i] = i;
        MPI_Group_incl(most, size - 2, list, &some);
        MPI_Comm_create(twin, some, &few);
        MPI_Group_free(&all);
        MPI_Group_free(&most);
        MPI_Group_free(&some);
    }
    if (few != MPI_COMM_NULL)
        sent(size - 2 - swap_ring(few, bytes), bytes);
}

static void mprobe(int round)
{
    MPI_Message message;
    MPI_Request request;
    MPI_Status status;

    MPI_Isend(out[0], bytes_of(round, rank, 0), MPI_CHAR, to(0), 1, MPI_COMM_WORLD, &request);
    sent(to(0), bytes_of(round, rank, 0));
    MPI_Mprobe(from(0), MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(in[0], MOST, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* A listener that outlasts all collective calls and is cancelled. */
static void listener(int round)
{
    static MPI_Request request;
    MPI_Status status;

    if (round == 0)
        MPI_Irecv(in[0], MOST, MPI_CHAR, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &request);
    MPI_Send(out[0], 0, MPI_CHAR, rank, 76, MPI_COMM_WORLD);
    sent(rank, 0);
    MPI_Recv(in[1], MOST, MPI_CHAR, rank, 76, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (round == ROUNDS - 1) {
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
    }
}

static void replace(int round)
{
    int bytes = 8 * (1 + round % 3);

    MPI_Sendrecv_replace(in[0], bytes, MPI_CHAR, to(0), 5, from(0), 5, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    sent(to(0), bytes);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Both directions in one request, where the library has that; else in two. */
static void isendrecv(int round)
{
    int bytes = bytes_of(round, rank, 0), count = 1;
    MPI_Request requests[2];

#if MPI_VERSION >= 4
    MPI_Isendrecv(out[0], bytes, MPI_CHAR, to(0), 5, in[0], MOST, MPI_CHAR, from(0), 5,
                  MPI_COMM_WORLD, requests);
#else
    MPI_Irecv(in[0], MOST, MPI_CHAR, from(0), 5, MPI_COMM_WORLD, &requests[count++]);
    MPI_Isend(out[0], bytes, MPI_CHAR, to(0), 5, MPI_COMM_WORLD, &requests[0]);
#endif
    sent(to(0), bytes);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Both directions in one request that takes whatever comes, where the library has that, on a
 * communicator of each half. */
static void isendrecv_any(int round)
{
    static MPI_Comm half;
    MPI_Request request;
    int own, of, bytes = bytes_of(round, rank, 0);

    if (round == 0)
        MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Comm_rank(half, &own);
    MPI_Comm_size(half, &of);
#if MPI_VERSION >= 4
    MPI_Isendrecv(out[0], bytes, MPI_CHAR, (own + 1) % of, 5, in[0], MOST, MPI_CHAR, MPI_ANY_SOURCE,
                  MPI_ANY_TAG, half, &request);
    sent(rank / 2 * 2 + (own + 1) % of, bytes);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    MPI_Barrier(MPI_COMM_WORLD);
    swap(MPI_COMM_WORLD, bytes, to(0), from(0));
    sent(to(0), bytes);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* On a communicator that was made while something else went on, and beside another of its kind. */
static void idup(int round)
{
    static MPI_Comm other, unused;
    MPI_Request request;

    if (round == 0) {
        MPI_Comm_idup(MPI_COMM_WORLD, &unused, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Comm_idup(MPI_COMM_WORLD, &other, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    swap(other, bytes_of(round, rank, 0), to(0), from(0));
    sent(to(0), bytes_of(round, rank, 0));
    MPI_Barrier(other);
    if (round == ROUNDS - 1)
        MPI_Comm_free(&other), MPI_Comm_free(&unused);
}

/* The limit of file sizes is reached while it runs: the program continues, and the capture ends. */
static void limited(int round)
{
    struct rlimit limit;

    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = 1;
    setrlimit(RLIMIT_FSIZE, &limit);
    for (int i = 0; i < 200; i++)
        swap(MPI_COMM_WORLD, 1 + 200 * round + i, to(0), from(0));
}

/* No round like another, so that raw files grow. */
static void unlike(int round)
{
    for (int i = 0; i < 1000; i++)
        swap(MPI_COMM_WORLD, 1 + (1000 * round + i) % (MOST - 1), to(0), from(0));
}

/* Returned errors of waits, in lines on stdout: for messages that were too long, and after all
 * messages. */
static void truncated(int round)
{
    MPI_Request requests[4];
    MPI_Status statuses[4];
    int index = -1, count = 0, indices[4];

    if (round > 3)
        return;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Irecv(in[0], 4, MPI_CHAR, from(0), 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(out[0], 64, MPI_CHAR, to(0), 5, MPI_COMM_WORLD);
    sent(to(0), 64);
    requests[1] = MPI_REQUEST_NULL;
    memset(statuses, 0, sizeof statuses);
    for (int time = 0; time < 2; time++) {
        int class = 0, result = round == 0   ? MPI_Wait(requests, statuses)
                                : round == 1 ? MPI_Waitall(2, requests, statuses)
                                : round == 2 ? MPI_Waitany(2, requests, &index, statuses)
                                             : MPI_Waitsome(2, requests, &count, indices, statuses);

        MPI_Error_class(result == MPI_ERR_IN_STATUS ? statuses[0].MPI_ERROR : result, &class);
        printf("%d %d: in status %d, truncated %d, index %d, count %d, null %d, undefined %d %d\n",
               rank, round, result == MPI_ERR_IN_STATUS, class == MPI_ERR_TRUNCATE, index, count,
               requests[0] == MPI_REQUEST_NULL, index == MPI_UNDEFINED, count == MPI_UNDEFINED);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Between two halves: not captured, but reported. */
static void between(int round)
{
    static MPI_Comm half, inter;

    waitall(round);
    if (round == 0) {
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 9, &inter);
    }
    swap(inter, 8, rank / 2, rank / 2);
    MPI_Barrier(MPI_COMM_WORLD);
    if (round == ROUNDS - 1) {
        MPI_Comm_free(&inter);
        MPI_Comm_free(&half);
    }
}

/* Ring of those that were spawned and those that spawned them, once for each round. */
static void ring_with_spawned(MPI_Comm between, int is_spawned)
{
    MPI_Comm all;

    MPI_Intercomm_merge(between, is_spawned, &all);
    for (int i = 0; i < ROUNDS; i++)
        swap_ring(all, 7);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&between);
}

/* With processes that are started meanwhile (style spawned): not captured, but reported. */
static void spawns(int round)
{
    char *arguments[] = {"spawned", NULL};
    MPI_Comm between;

    waitall(round);
    if (round > 0)
        return;
    MPI_Comm_spawn("./styles", arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between,
                   MPI_ERRCODES_IGNORE);
    ring_with_spawned(between, 0);
}

static void spawned(int round)
{
    MPI_Comm between;

    MPI_Comm_get_parent(&between);
    if (round == 0)
        ring_with_spawned(between, 1);
}

static void *thread_of(void *argument)
{
    int k = *(int *)argument;

    for (int round = 0; round < ROUNDS; round++)
        MPI_Sendrecv(out[k], 16 * (1 + k), MPI_CHAR, to(0), k, in[k], MOST, MPI_CHAR, from(0), k,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

static void threads(int round)
{
    pthread_t thread[2];
    int number[2] = {0, 1};

    if (round > 0)
        return;
    for (int k = 0; k < 2; k++)
        pthread_create(&thread[k], NULL, thread_of, &number[k]);
    for (int k = 0; k < 2; k++)
        pthread_join(thread[k], NULL);
    for (int i = 0; i < ROUNDS; i++) {
        sent(to(0), 16);
        sent(to(0), 32);
    }
}

/* One-sided calls are not captured. */
static void onesided(int round)
{
    static MPI_Win window;
    static long *memory, value = 1;

    waitall(round);
    if (round == 0)
        MPI_Win_allocate(sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&value, 1, MPI_LONG, to(0), 0, 1, MPI_LONG, window);
    MPI_Win_fence(0, window);
    if (round == ROUNDS - 1)
        MPI_Win_free(&window);
}

/* Ends in the 10th round: 0 by itself, 1 killed, 2 aborted. */
static void ends(int round, int how)
{
    waitall(round);
    if (round != 9)
        return;
    fclose(counts);
    MPI_Barrier(MPI_COMM_WORLD);
    if (how == 0)
        exit(0);
    if (how == 2)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (rank == 1)
        raise(SIGKILL);
    pause();
}

static void leaves(int round)
{
    ends(round, 0);
}

static void killed(int round)
{
    ends(round, 1);
}

static void aborts(int round)
{
    ends(round, 2);
}

#define STYLES                                                                                     \
    waitall, unlike, waitany, any_source, any_tag, persistent, derived, sendrecv, late, freed,     \
        nbx, waitsome, testall, alltoallv, halves, neighbors, mprobe, listener, threads, onesided, \
        leaves, killed, aborts, replace, isendrecv, isendrecv_any, idup, limited, truncated,       \
        between, rows, grouped, several, spawns, spawned
#define TEXT(...) #__VA_ARGS__
#define NAMES(...) TEXT(__VA_ARGS__)

static void (*const runs[])(int round) = {STYLES};

static int has(const char *list, const char *name)
{
    size_t length = strlen(name);

    for (; list != NULL; list = strchr(list, ',')) {
        list += *list == ',';
        if (strncmp(list, name, length) == 0 && strchr(",", list[length]) != NULL)
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    char path[4096], names[] = NAMES(STYLES), *rest, *name = strtok_r(names, ", ", &rest);
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(path, sizeof path, "%s/counts.%d", argc > 2 ? argv[2] : ".", rank);
    counts = fopen(path, "w");
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++, name = strtok_r(NULL, ", ", &rest)) {
        if (argc < 2 || !has(argv[1], name))
            continue;
        for (int round = 0; round < ROUNDS; round++)
            runs[i](round);
        if (strchr(argv[1], ',') != NULL)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    fclose(counts);
    MPI_Finalize();
    return argc > 3 ? atoi(argv[3]) : 0;
}
