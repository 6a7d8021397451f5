/* Unusual calls of MPI, which compute their own messages: unusual CASE FOLDER. Each rank writes
 * FOLDER/counts.RANK in the form of styles.c. Every case has ROUNDS rounds, on an even number of
 * ranks from 4 on. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 6
#define MOST 8192
#define RANKS 64
#define WORLD MPI_COMM_WORLD

static int rank, size;
static FILE *counts;
static char out[8][MOST], in[RANKS][MOST];

static void sent(int to, long bytes)
{
    fprintf(counts, "%d %d %ld\n", rank, to, bytes);
}

static int next(int k)
{
    return (rank + k + 4 * size) % size;
}

/* The world's rank of one of a communicator. */
static int world_rank(MPI_Comm comm, int of)
{
    MPI_Group group, world;
    int found;

    MPI_Comm_group(comm, &group);
    MPI_Comm_group(WORLD, &world);
    MPI_Group_translate_ranks(group, 1, &of, world, &found);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    return found;
}

/* Whatever comes first, with statuses that are asked for and that are not. */
static void waitsome(int round)
{
    MPI_Request requests[6];
    MPI_Status statuses[6];
    int done = 0, count, indices[6];

    for (int k = 0; k < 3; k++)
        MPI_Irecv(in[k], MOST, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &requests[k]);
    for (int k = 0; k < 3; k++) {
        MPI_Isend(out[k], 10 + rank + k, MPI_CHAR, next(k + 1), 7 * k, WORLD, &requests[3 + k]);
        sent(next(k + 1), 10 + rank + k);
    }
    while (done < 6) {
        MPI_Waitsome(6, requests, &count, indices, round % 2 ? statuses : MPI_STATUSES_IGNORE);
        done += count;
    }
    MPI_Barrier(WORLD);
}

static void testsome(int round)
{
    MPI_Request requests[4];
    int done = 0, count, index, flag, indices[4];

    (void)round;
    for (int k = 0; k < 2; k++)
        MPI_Irecv(in[k], MOST, MPI_CHAR, MPI_ANY_SOURCE, k, WORLD, &requests[k]);
    for (int k = 0; k < 2; k++) {
        MPI_Issend(out[k], 10 + rank + k, MPI_CHAR, next(-k - 1), k, WORLD, &requests[2 + k]);
        sent(next(-k - 1), 10 + rank + k);
    }
    while (done < 2) {
        MPI_Testsome(4, requests, &count, indices, MPI_STATUSES_IGNORE);
        done += count;
    }
    while (done < 4) {
        MPI_Testany(4, requests, &index, &flag, MPI_STATUS_IGNORE);
        done += flag && index != MPI_UNDEFINED;
    }
    MPI_Barrier(WORLD);
}

/* All modes of sending; empty messages, and messages to MPI_PROC_NULL. */
static void modes(int round)
{
    static char room[65536];
    MPI_Request requests[6], request;
    int bytes;

    if (round == 0)
        MPI_Buffer_attach(room, sizeof room);
    for (int k = 0; k < 6; k++)
        MPI_Irecv(in[k], MOST, MPI_CHAR, next(-1), k, WORLD, &requests[k]);
    MPI_Barrier(WORLD);
    MPI_Bsend(out[0], 11, MPI_CHAR, next(1), 0, WORLD);
    MPI_Rsend(out[0], 12, MPI_CHAR, next(1), 1, WORLD);
    MPI_Ibsend(out[0], 13, MPI_CHAR, next(1), 2, WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Irsend(out[0], 14, MPI_CHAR, next(1), 3, WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ssend(out[0], 0, MPI_CHAR, next(1), 4, WORLD);
    MPI_Send(out[0], 15, MPI_CHAR, MPI_PROC_NULL, 4, WORLD);
    MPI_Send(MPI_BOTTOM, 0, MPI_INT, next(1), 5, WORLD);
    for (int k = 0; k < 6; k++)
        sent(next(1), k < 4 ? 11 + k : 0);
    MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(out[0], 9, MPI_SHORT, rank + 1 < size ? rank + 1 : MPI_PROC_NULL, 1, in[0], MOST,
                 MPI_CHAR, rank > 0 ? rank - 1 : MPI_PROC_NULL, 1, WORLD, MPI_STATUS_IGNORE);
    if (rank + 1 < size)
        sent(rank + 1, 18);
    MPI_Recv(in[0], 1, MPI_CHAR, MPI_PROC_NULL, MPI_ANY_TAG, WORLD, MPI_STATUS_IGNORE);
    if (round == ROUNDS - 1)
        MPI_Buffer_detach(&in, &bytes);
}

/* Persistent, from any and of any, one of them never started. */
static void persistent(int round)
{
    static MPI_Request requests[5];
    int index;

    if (round == 0) {
        MPI_Recv_init(in[0], MOST, MPI_CHAR, MPI_ANY_SOURCE, 1, WORLD, &requests[0]);
        MPI_Recv_init(in[1], MOST, MPI_CHAR, next(-2), MPI_ANY_TAG, WORLD, &requests[1]);
        MPI_Ssend_init(out[0], 100 + rank, MPI_CHAR, next(1), 1, WORLD, &requests[2]);
        MPI_Send_init(out[1], 200 + rank, MPI_CHAR, next(2), 5, WORLD, &requests[3]);
        MPI_Send_init(out[1], 300, MPI_CHAR, next(2), 6, WORLD, &requests[4]);
    }
    MPI_Startall(2, requests);
    MPI_Start(&requests[2]);
    MPI_Start(&requests[3]);
    sent(next(1), 100 + rank);
    sent(next(2), 200 + rank);
    for (int k = 0; k < 4; k++)
        MPI_Waitany(5, requests, &index, MPI_STATUS_IGNORE);
    for (int k = 0; k < 5 && round == ROUNDS - 1; k++)
        MPI_Request_free(&requests[k]);
    MPI_Barrier(WORLD);
}

/* Datatypes of their own for each pair, with gaps, and blocks of nothing. */
static void alltoallw(int round)
{
    int numbers[RANKS], places[RANKS], in_numbers[RANKS];
    MPI_Datatype types[RANKS], in_types[RANKS];
    MPI_Request request;

    for (int i = 0; i < size; i++) {
        int mine = (rank + 2 * i + round) % 4, theirs = (i + 2 * rank + round) % 4;

        MPI_Type_vector(mine + 1, 1, 2, MPI_SHORT, &types[i]);
        MPI_Type_contiguous(theirs + 1, MPI_SHORT, &in_types[i]);
        MPI_Type_commit(&types[i]);
        MPI_Type_commit(&in_types[i]);
        numbers[i] = mine == 0 ? 0 : 2;
        in_numbers[i] = theirs == 0 ? 0 : 2;
        places[i] = 64 * i;
        if (mine > 0)
            sent(i, 4 * (mine + 1));
    }
    if (round % 2) {
        MPI_Alltoallw(out, numbers, places, types, in, in_numbers, places, in_types, WORLD);
    } else {
        MPI_Ialltoallw(out, numbers, places, types, in, in_numbers, places, in_types, WORLD,
                       &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < size; i++) {
        MPI_Type_free(&types[i]);
        MPI_Type_free(&in_types[i]);
    }
}

/* On a graph with an edge that is there twice and one to itself. */
static void neighbor_alltoallw(int round)
{
    static MPI_Comm graph;
    int to[4] = {next(1), next(1), next(2), rank}, from[4] = {next(-1), next(-1), next(-2), rank};
    int numbers[4] = {1, 2, 0, 3};
    MPI_Aint places[4] = {0, 100, 200, 300};
    MPI_Datatype types[4] = {MPI_DOUBLE, MPI_INT, MPI_INT, MPI_CHAR};
    MPI_Request request;

    if (round == 0)
        MPI_Dist_graph_create_adjacent(WORLD, 4, from, MPI_UNWEIGHTED, 4, to, MPI_UNWEIGHTED,
                                       MPI_INFO_NULL, 0, &graph);
    if (round % 2) {
        MPI_Ineighbor_alltoallw(out, numbers, places, types, in, numbers, places, types, graph,
                                &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Neighbor_alltoallw(out, numbers, places, types, in, numbers, places, types, graph);
    }
    sent(to[0], 8);
    sent(to[1], 8);
    sent(rank, 3);
    if (round == ROUNDS - 1)
        MPI_Comm_free(&graph);
}

/* Neighbours of a graph, and of a grid that has borders. */
static void neighbor_allgather(int round)
{
    static MPI_Comm graph, grid;
    int index[RANKS], edges[2 * RANKS], sides[2] = {2, size / 2}, wraps[2] = {0, 1}, near[2];
    int numbers[4] = {4, 4, 4, 4}, places[4] = {0, 16, 32, 48};

    if (round == 0) {
        for (int i = 0; i < size; i++) {
            index[i] = 2 * (i + 1);
            edges[2 * i] = (i + 1) % size;
            edges[2 * i + 1] = (i + size - 1) % size;
        }
        MPI_Graph_create(WORLD, size, index, edges, 0, &graph);
        MPI_Cart_create(WORLD, 2, sides, wraps, 1, &grid);
    }
    MPI_Neighbor_allgather(out, 3, MPI_INT, in, 3, MPI_INT, graph);
    sent(next(1), 12);
    sent(next(-1), 12);
    MPI_Neighbor_allgatherv(out, 4, MPI_CHAR, in, numbers, places, MPI_CHAR, grid);
    for (int side = 0; side < 2; side++) {
        MPI_Cart_shift(grid, side, 1, &near[0], &near[1]);
        for (int k = 0; k < 2; k++) {
            if (near[k] != MPI_PROC_NULL)
                sent(world_rank(grid, near[k]), 4);
        }
    }
}

/* To all others, as many bytes as numbers says. */
static void sent_to_others(const int *numbers)
{
    for (int i = 0; i < size; i++) {
        if (i != rank)
            sent(i, 4L * numbers[i]);
    }
}

static void same_numbers(int *numbers, int number)
{
    for (int i = 0; i < size; i++)
        numbers[i] = number;
}

static void in_place_all(int *numbers, int *places)
{
    static int data[4096];
    MPI_Datatype types[RANKS];

    same_numbers(numbers, 5);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, 5, MPI_INT, WORLD);
    sent_to_others(numbers);
    for (int i = 0; i < size; i++) {
        numbers[i] = 1 + (i + rank) % 3;
        places[i] = 8 * i;
        types[i] = MPI_INT;
    }
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, data, numbers, places, MPI_INT,
                  WORLD);
    sent_to_others(numbers);
    MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, data, numbers, places, types, WORLD);
    sent_to_others(numbers);
    for (int i = 0; i < size; i++)
        numbers[i] = 2 + rank;
    sent_to_others(numbers);
    for (int i = 0; i < size; i++)
        numbers[i] = 2 + i;
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, numbers, places, MPI_INT, WORLD);
    MPI_Allreduce(MPI_IN_PLACE, data, 3, MPI_INT, MPI_SUM, WORLD);
    for (int i = 0; i < size; i++)
        numbers[i] = 3;
    MPI_Reduce_scatter(MPI_IN_PLACE, data, numbers, MPI_INT, MPI_SUM, WORLD);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, data, 3, MPI_INT, MPI_SUM, WORLD);
}

static void in_place(int round)
{
    static int data[4096];
    int numbers[RANKS], places[RANKS], sixes[RANKS], root = round % size, is_root = rank == root;
    void *own = is_root ? MPI_IN_PLACE : data;

    in_place_all(numbers, places);
    MPI_Gather(own, 7, MPI_INT, data, 7, MPI_INT, root, WORLD);
    MPI_Gatherv(own, numbers[rank], MPI_INT, data, numbers, places, MPI_INT, root, WORLD);
    if (!is_root) {
        sent(root, 28);
        sent(root, 4L * numbers[rank]);
    }
    MPI_Scatter(data, 6, MPI_INT, own, 6, MPI_INT, root, WORLD);
    MPI_Scatterv(data, numbers, places, MPI_INT, own, numbers[rank], MPI_INT, root, WORLD);
    same_numbers(sixes, 6);
    if (is_root) {
        sent_to_others(sixes);
        sent_to_others(numbers);
    }
}

/* Where only the root's arguments mean anything; nothing from one rank. */
static void rooted(int round)
{
    static int data[4096], got[4096];
    int numbers[RANKS], places[RANKS], root = round % size, is_root = rank == root, index;
    MPI_Datatype type = is_root ? MPI_INT : MPI_DATATYPE_NULL;
    MPI_Request requests[2];

    for (int i = 0; i < size; i++) {
        numbers[i] = i == 1 ? 0 : 2 + i;
        places[i] = 32 * i;
    }
    MPI_Gather(data, 7, MPI_INT, got, is_root ? 7 : -1, type, root, WORLD);
    MPI_Gatherv(data, numbers[rank], MPI_INT, got, is_root ? numbers : NULL,
                is_root ? places : NULL, type, root, WORLD);
    MPI_Scatter(data, is_root ? 6 : -7, type, got, 6, MPI_INT, root, WORLD);
    MPI_Scatterv(data, is_root ? numbers : NULL, is_root ? places : NULL, type, got, numbers[rank],
                 MPI_INT, root, WORLD);
    MPI_Igatherv(data, numbers[rank], MPI_INT, got, numbers, places, MPI_INT, root, WORLD,
                 &requests[0]);
    MPI_Iallgather(data, 1, MPI_INT, got + 3000, 1, MPI_INT, WORLD, &requests[1]);
    for (int k = 0; k < 2; k++)
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    sent(root, 28);
    for (int k = 0; k < 2 && numbers[rank] > 0; k++)
        sent(root, 4L * numbers[rank]);
    for (int i = 0; i < size; i++) {
        sent(i, 4);
        if (is_root)
            sent(i, 24);
        if (is_root && numbers[i] > 0)
            sent(i, 4L * numbers[i]);
    }
}

/* A ring and an alltoallv on it. */
static void use_communicator(MPI_Comm comm, int bytes)
{
    int own, of, numbers[RANKS], places[RANKS];

    if (comm == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &of);
    MPI_Sendrecv(out[0], bytes + own, MPI_CHAR, (own + 1) % of, 2, in[0], MOST, MPI_CHAR,
                 (own + of - 1) % of, 2, comm, MPI_STATUS_IGNORE);
    sent(world_rank(comm, (own + 1) % of), bytes + own);
    for (int i = 0; i < of; i++) {
        numbers[i] = 1 + (i + own) % 3;
        places[i] = 8 * i;
        sent(world_rank(comm, i), numbers[i]);
    }
    MPI_Alltoallv(out, numbers, places, MPI_CHAR, in, numbers, places, MPI_CHAR, comm);
}

/* Ranks backwards, one without the others, those of a node, two of a group, and two that were
 * merged. */
static void split(int round)
{
    static MPI_Comm comms[5];
    MPI_Comm inter;
    MPI_Group group, few;
    int last[2] = {1, 0};

    if (round == 0) {
        MPI_Comm_split(WORLD, 0, size - rank, &comms[0]);
        MPI_Comm_split(comms[0], rank == 0, 0, &comms[1]);
        MPI_Comm_split_type(WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &comms[2]);
        MPI_Comm_group(comms[0], &group);
        MPI_Group_incl(group, 2, last, &few);
        comms[3] = MPI_COMM_NULL;
        if (rank >= size - 2)
            MPI_Comm_create_group(comms[0], few, 4, &comms[3]);
        MPI_Intercomm_create(comms[1], 0, WORLD, rank == 0 ? size - 1 : 0, 3, &inter);
        MPI_Intercomm_merge(inter, rank == 0, &comms[4]);
        MPI_Comm_free(&inter);
        MPI_Group_free(&group);
        MPI_Group_free(&few);
    }
    for (int k = 0; k < 5; k++)
        use_communicator(comms[k], 5 + k);
    for (int k = 0; k < 5 && round == ROUNDS - 1; k++) {
        if (comms[k] != MPI_COMM_NULL)
            MPI_Comm_free(&comms[k]);
    }
}

/* Communicators of two kinds that are freed, so that their handles come again. */
static void again(int round)
{
    MPI_Comm comm;

    MPI_Comm_split(WORLD, round % 2 ? rank % 2 : rank / 2, rank, &comm);
    use_communicator(comm, 3);
    MPI_Comm_free(&comm);
}

/* Duplicates that are freed before anybody used them, so that their handles come again, of others
 * that ranks use in orders of their own. */
static void unused(int round)
{
    MPI_Comm comms[2];
    MPI_Request requests[4];

    (void)round;
    for (int time = 0; time < 2; time++) {
        for (int k = 0; k < 2; k++) {
            MPI_Comm_idup(WORLD, &comms[k], &requests[k]);
            MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
        }
        for (int k = 0; k < 2 && time == 1; k++) {
            int of = (rank + k) % 2;

            MPI_Irecv(in[of], MOST, MPI_CHAR, next(-1), 1, comms[of], &requests[2 * k]);
            MPI_Isend(out[of], 19 + of, MPI_CHAR, next(1), 1, comms[of], &requests[2 * k + 1]);
            sent(next(1), 19 + of);
        }
        if (time == 1)
            MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        for (int k = 0; k < 2; k++)
            MPI_Comm_free(&comms[k]);
    }
}

/* On communicators that are freed while messages are under way on them. */
static void freed(int round)
{
    MPI_Request requests[2];
    MPI_Comm comm;

    (void)round;
    MPI_Comm_dup(WORLD, &comm);
    MPI_Irecv(in[0], MOST, MPI_CHAR, MPI_ANY_SOURCE, 1, comm, &requests[0]);
    MPI_Isend(out[0], 40 + rank, MPI_CHAR, next(1), 1, comm, &requests[1]);
    sent(next(1), 40 + rank);
    MPI_Comm_free(&comm);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_dup(WORLD, &comm);
    MPI_Recv_init(in[0], MOST, MPI_CHAR, next(-2), 1, comm, &requests[0]);
    MPI_Send_init(out[0], 60 + rank, MPI_CHAR, next(2), 1, comm, &requests[1]);
    MPI_Startall(2, requests);
    sent(next(2), 60 + rank);
    MPI_Comm_free(&comm);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int k = 0; k < 2; k++)
        MPI_Request_free(&requests[k]);
}

/* Numbers of elements of 64 bits, where the library has them. */
static void large_counts(int round)
{
#if MPI_VERSION >= 4
    MPI_Count numbers[RANKS], in_numbers[RANKS];
    MPI_Aint places[RANKS];
    MPI_Datatype types[RANKS];
    int root = round % size;

    for (int i = 0; i < size; i++) {
        numbers[i] = in_numbers[i] = 1 + (i + rank) % 3;
        places[i] = 64 * i;
        types[i] = MPI_SHORT;
        sent(i, numbers[i]);
        sent(i, 2 * numbers[i]);
        sent(i, 3 + rank);
        if (rank == root)
            sent(i, 3 + i);
    }
    MPI_Alltoallv_c(out, numbers, places, MPI_CHAR, in, in_numbers, places, MPI_CHAR, WORLD);
    MPI_Alltoallw_c(out, numbers, places, types, in, in_numbers, places, types, WORLD);
    for (int i = 0; i < size; i++)
        numbers[i] = 3 + i;
    MPI_Allgatherv_c(out, 3 + rank, MPI_CHAR, in, numbers, places, MPI_CHAR, WORLD);
    MPI_Scatterv_c(out, numbers, places, MPI_CHAR, in, 3 + rank, MPI_CHAR, root, WORLD);
    MPI_Sendrecv_c(out, 5 + rank, MPI_INT, next(1), 2, in, MOST, MPI_CHAR, next(-1), 2, WORLD,
                   MPI_STATUS_IGNORE);
    sent(next(1), 4 * (5 + rank));
#else
    (void)round;
#endif
}

/* Persistent collective calls, where the library has them. */
static void started(int round)
{
#if MPI_VERSION >= 4
    static int numbers[RANKS], places[RANKS], data[1024], got[1024];
    static MPI_Request requests[2];

    if (round == 0) {
        for (int i = 0; i < size; i++) {
            numbers[i] = 1 + (i + rank) % 3;
            places[i] = 8 * i;
        }
        MPI_Alltoallv_init(data, numbers, places, MPI_INT, got, numbers, places, MPI_INT, WORLD,
                           MPI_INFO_NULL, &requests[0]);
        MPI_Barrier_init(WORLD, MPI_INFO_NULL, &requests[1]);
    }
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < size; i++)
        sent(i, 4L * numbers[i]);
    for (int k = 0; k < 2 && round == ROUNDS - 1; k++)
        MPI_Request_free(&requests[k]);
#else
    (void)round;
#endif
}

/* More than 2 GiB, which are the same 64 KiB again and again; not under MPICH, which takes 15
 * seconds. */
static void large(int round)
{
#ifdef OPEN_MPI
    MPI_Datatype type;

    if (round > 0)
        return;
    MPI_Type_create_hvector((1 << 15) + 1, sizeof out, 0, MPI_CHAR, &type);
    MPI_Type_commit(&type);
    if (rank == 0) {
        MPI_Send(out, 1, type, 1, 0, WORLD);
        sent(1, (1L << 31) + (long)sizeof out);
    }
    if (rank == 1)
        MPI_Recv(in, 1, type, 0, 0, WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
#else
    (void)round;
#endif
}

/* Waits for no request, for completed requests, twice for one, and for a cancelled one. */
static void nothing(int round)
{
    MPI_Request requests[4];
    int flag = 0, index;

    (void)round;
    for (int k = 0; k < 4; k++)
        requests[k] = MPI_REQUEST_NULL;
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
    MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
    MPI_Irecv(in[0], MOST, MPI_CHAR, next(-1), 0, WORLD, &requests[1]);
    MPI_Isend(out[0], 33, MPI_CHAR, next(1), 0, WORLD, &requests[3]);
    sent(next(1), 33);
    while (!flag)
        MPI_Request_get_status(requests[1], &flag, MPI_STATUS_IGNORE);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Irecv(in[0], MOST, MPI_CHAR, MPI_ANY_SOURCE, 99, WORLD, &requests[0]);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Barrier(WORLD);
}

/* More requests than the interposer has room for without asking. */
static void many(int round)
{
    MPI_Request requests[400];

    (void)round;
    for (int k = 0; k < 200; k++)
        MPI_Irecv(in[k % RANKS], MOST, MPI_CHAR, next(-1), k, WORLD, &requests[k]);
    for (int k = 0; k < 200; k++) {
        MPI_Isend(out[0], k, MPI_CHAR, next(1), 199 - k, WORLD, &requests[200 + k]);
        sent(next(1), k);
    }
    MPI_Waitall(400, requests, MPI_STATUSES_IGNORE);
}

/* Messages and collective calls between two halves: not captured. */
static void between(int round)
{
    static MPI_Comm half, inter;
    MPI_Request request;
    int value = 1, values[RANKS], root = rank % 2 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;

    if (round == 0) {
        MPI_Comm_split(WORLD, rank % 2, rank, &half);
        MPI_Intercomm_create(half, 0, WORLD, 1 - rank % 2, 9, &inter);
    }
    MPI_Isend(out[0], 8, MPI_CHAR, rank / 2, 5, inter, &request);
    MPI_Recv(in[0], MOST, MPI_CHAR, rank / 2, 5, inter, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allgather(&value, 1, MPI_INT, values, 1, MPI_INT, inter);
    MPI_Barrier(inter);
    MPI_Bcast(&value, 1, MPI_INT, root, inter);
    use_communicator(WORLD, 21);
}

/* Each one-sided call once: not captured. */
static void onesided(int round)
{
    static MPI_Win window;
    static long *memory;
    long value = 1, got[4];
    MPI_Request requests[4];
    int to = next(1);

    if (round == 0)
        MPI_Win_allocate(2 * sizeof value, sizeof value, MPI_INFO_NULL, WORLD, &memory, &window);
    MPI_Win_lock_all(0, window);
    MPI_Put(&value, 1, MPI_LONG, to, 0, 1, MPI_LONG, window);
    MPI_Get(&got[0], 1, MPI_LONG, to, 1, 1, MPI_LONG, window);
    MPI_Win_flush_all(window);
    MPI_Accumulate(&value, 1, MPI_LONG, to, 0, 1, MPI_LONG, MPI_SUM, window);
    MPI_Get_accumulate(&value, 1, MPI_LONG, &got[1], 1, MPI_LONG, to, 0, 1, MPI_LONG, MPI_SUM,
                       window);
    MPI_Fetch_and_op(&value, &got[2], MPI_LONG, to, 0, MPI_SUM, window);
    MPI_Compare_and_swap(&value, &value, &got[3], MPI_LONG, to, 0, window);
    MPI_Win_flush_all(window);
    MPI_Rput(&value, 1, MPI_LONG, to, 0, 1, MPI_LONG, window, &requests[0]);
    MPI_Rget(&got[0], 1, MPI_LONG, to, 1, 1, MPI_LONG, window, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Win_flush_all(window);
    MPI_Raccumulate(&value, 1, MPI_LONG, to, 0, 1, MPI_LONG, MPI_SUM, window, &requests[2]);
    MPI_Rget_accumulate(&value, 1, MPI_LONG, &got[1], 1, MPI_LONG, to, 0, 1, MPI_LONG, MPI_SUM,
                        window, &requests[3]);
    MPI_Waitall(2, &requests[2], MPI_STATUSES_IGNORE);
    MPI_Win_unlock_all(window);
    if (round == ROUNDS - 1)
        MPI_Win_free(&window);
    use_communicator(WORLD, 17);
}

#define CASES                                                                                      \
    waitsome, testsome, modes, persistent, alltoallw, neighbor_alltoallw, neighbor_allgather,      \
        in_place, rooted, split, again, unused, freed, large_counts, started, large, nothing,      \
        many, between, onesided
#define TEXT(...) #__VA_ARGS__
#define NAMES(...) TEXT(__VA_ARGS__)

static void (*const runs[])(int round) = {CASES};

int main(int argc, char **argv)
{
    char path[4096], names[] = NAMES(CASES), *rest, *name = strtok_r(names, ", ", &rest);

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    snprintf(path, sizeof path, "%s/counts.%d", argc > 2 ? argv[2] : ".", rank);
    counts = fopen(path, "w");
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++, name = strtok_r(NULL, ", ", &rest)) {
        for (int round = 0;
             round < ROUNDS && argc > 1 && (!strcmp(argv[1], "all") || !strcmp(argv[1], name));
             round++)
            runs[i](round);
    }
    fclose(counts);
    MPI_Finalize();
    return 0;
}
