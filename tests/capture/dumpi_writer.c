/* A stand-in for libdumpi, to be loaded before an application (LD_PRELOAD): it notes the calls that
 * styles.c makes and writes what libdumpi would, dumpi-RANK.bin and dumpi.meta to $DUMPI_FOLDER, as
 * its sources say (sstsimulator/sst-dumpi, dumpi/libdumpi, dumpi/common). Handles get numbers as
 * they are first seen, statuses are written where the application asked for them, and sizes of
 * datatypes are those that a number had first: all of that is libdumpi's way. For one thread. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_BYTES (16 << 20)
#define MOST_HANDLES 4096
#define CALLS 290
#define LABEL_END 293

static unsigned char trace[MOST_BYTES];
static size_t used;
static struct timespec entered;
static long bias;

static void put(uint64_t value, int width)
{
    for (int i = width - 1; i >= 0 && used < sizeof trace; i--)
        trace[used++] = (unsigned char)(value >> 8 * i);
}

static void put_text(const char *text, int width)
{
    put(strlen(text), width);
    for (; *text != '\0'; text++)
        put((unsigned char)*text, 1);
}

static void enter(void)
{
    clock_gettime(CLOCK_MONOTONIC, &entered);
    if (used == 0) {
        bias = entered.tv_sec;
        put(UINT64_C(0xffaadd44554d5049), 8);
        put(0, 4);
        put((uint64_t)bias, 4);
    }
}

static void stamp(const struct timespec *time)
{
    put((uint64_t)(time->tv_sec - bias), 2);
    put((uint64_t)time->tv_nsec, 4);
}

/* The head of a record, as the call returns. */
static void begin(int label)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    put((uint64_t)label, 2);
    put(0x4f, 1);
    put(0, 2);
    for (int i = 0; i < 2; i++)
        put(0, 6);
    stamp(&entered);
    stamp(&now);
}

/* Handles of one kind, by their numbers. */
struct handles {
    int first, count;
    intptr_t list[MOST_HANDLES];
};

static int number_of(struct handles *handles, intptr_t handle)
{
    for (int i = 0; i < handles->count; i++) {
        if (handles->list[i] == handle)
            return handles->first + i;
    }
    if (handles->count == MOST_HANDLES)
        abort();
    handles->list[handles->count] = handle;
    return handles->first + handles->count++;
}

static void put_comm(MPI_Comm comm)
{
    static struct handles handles = {.first = 4};

    put((uint64_t)(comm == MPI_COMM_NULL    ? 1
                   : comm == MPI_COMM_WORLD ? 2
                   : comm == MPI_COMM_SELF  ? 3
                                            : number_of(&handles, (intptr_t)comm)),
        2);
}

static int sizes[MOST_HANDLES];

static int type_number(MPI_Datatype type)
{
    static struct handles handles = {.first = 28};

    return type == MPI_CHAR     ? 2
           : type == MPI_INT    ? 9
           : type == MPI_LONG   ? 11
           : type == MPI_DOUBLE ? 14
                                : number_of(&handles, (intptr_t)type);
}

static void put_type(MPI_Datatype type)
{
    int number = type_number(type);

    if (sizes[number] <= 0)
        PMPI_Type_size(type, &sizes[number]);
    put((uint64_t)number, 2);
}

static int request_number(MPI_Request request)
{
    static struct handles handles = {.first = 2};

    return request == MPI_REQUEST_NULL ? 1 : number_of(&handles, (intptr_t)request);
}

static void put_source(int source)
{
    put((uint64_t)(source == MPI_ANY_SOURCE ? -1 : source), 4);
}

static void put_tag(int tag)
{
    put((uint64_t)(tag == MPI_ANY_TAG ? -1 : tag), 4);
}

static void put_statuses(int count, MPI_Status *statuses)
{
    int bytes, is_cancelled;

    if (statuses == MPI_STATUS_IGNORE || statuses == MPI_STATUSES_IGNORE)
        count = 0;
    put((uint64_t)(count < 0 ? 0 : count), 4);
    for (int i = 0; i < count; i++) {
        PMPI_Get_count(&statuses[i], MPI_CHAR, &bytes);
        PMPI_Test_cancelled(&statuses[i], &is_cancelled);
        put((uint64_t)bytes, 4);
        put_source(statuses[i].MPI_SOURCE);
        put((uint64_t)is_cancelled, 1);
        put((uint64_t)statuses[i].MPI_ERROR, 1);
        put_tag(statuses[i].MPI_TAG);
    }
}

static void put_list(int count, const int *list)
{
    put((uint64_t)(count < 0 ? 0 : count), 4);
    for (int i = 0; i < count; i++)
        put((uint64_t)list[i], 4);
}

/* Numbers of requests, as they are before a call that completes them. */
static int before[64];

static void enter_requests(int count, const MPI_Request *requests)
{
    for (int i = 0; i < count; i++)
        before[i] = request_number(requests[i]);
    enter();
}

static void put_requests(int count)
{
    put((uint64_t)count, 4);
    put_list(count, before);
}

static void put_parts(uint64_t parts[7])
{
    char host[256] = "";

    gethostname(host, sizeof host - 1);
    put(LABEL_END, 2);
    parts[3] = used;
    put(0x080000, 3);
    put((uint64_t)time(NULL), 8);
    put_text(host, 2);
    put_text("somebody", 2);
    put(0, 4);
    put(0, 4);
    parts[5] = used;
    put(UINT64_C(0xf007fee7), 8);
    for (int i = 0; i < 2 * (CALLS + 1); i++)
        put(0, 4);
    put(0, 4);
    parts[2] = used;
    put(0, 4);
    parts[0] = used;
    put(MOST_HANDLES, 4);
    for (int i = 0; i < MOST_HANDLES; i++)
        put((uint64_t)sizes[i], 4);
    parts[1] = used;
    put(0, 4);
    parts[4] = 8;
}

static void write_trace(void)
{
    const char *folder = getenv("DUMPI_FOLDER");
    uint64_t parts[7] = {0};
    char path[4096];
    int rank, size;
    FILE *file;

    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    put_parts(parts);
    put(UINT64_C(0xffaadd44554d5049), 8);
    for (int i = 0; i < 7; i++)
        put(parts[i], 8);
    snprintf(path, sizeof path, "%s/dumpi-%04d.bin", folder, rank);
    file = fopen(path, "w");
    if (used == sizeof trace || file == NULL || fwrite(trace, 1, used, file) != used ||
        fclose(file) != 0)
        abort();
    snprintf(path, sizeof path, "%s/dumpi.meta", folder);
    file = rank == 0 ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fprintf(file, "hostname=here\nnumprocs=%d\nfileprefix=dumpi\n", size);
        fclose(file);
    }
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int result;

    enter();
    result = PMPI_Init_thread(argc, argv, required, provided);
    begin(171);
    put((uint64_t)*argc, 4);
    for (int i = 0; i < *argc; i++)
        put_text((*argv)[i], 4);
    put(4, 1);
    put(4, 1);
    return result;
}

/* libdumpi writes its file when the program ends; what it does before that is the same. */
int MPI_Finalize(void)
{
    enter();
    begin(125);
    write_trace();
    return PMPI_Finalize();
}

static void put_message(int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm)
{
    put((uint64_t)count, 4);
    put_type(type);
    put_source(peer);
    put_tag(tag);
    put_comm(comm);
}

int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    int result;

    enter();
    result = PMPI_Send(data, count, type, to, tag, comm);
    begin(0);
    put_message(count, type, to, tag, comm);
    return result;
}

#define REQUESTS(NAME, LABEL, CONST)                                                               \
    int MPI_##NAME(CONST void *data, int count, MPI_Datatype type, int peer, int tag,              \
                   MPI_Comm comm, MPI_Request *request)                                            \
    {                                                                                              \
        int result;                                                                                \
                                                                                                   \
        enter();                                                                                   \
        result = PMPI_##NAME(data, count, type, peer, tag, comm, request);                         \
        begin(LABEL);                                                                              \
        put_message(count, type, peer, tag, comm);                                                 \
        put((uint64_t)request_number(*request), 4);                                                \
        return result;                                                                             \
    }
REQUESTS(Isend, 8, const)
REQUESTS(Issend, 10, const)
REQUESTS(Irecv, 12, )
REQUESTS(Send_init, 26, const)
REQUESTS(Recv_init, 30, )

int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    int result;

    enter();
    result = PMPI_Recv(data, count, type, from, tag, comm, status);
    begin(1);
    put_message(count, type, from, tag, comm);
    put_statuses(1, status);
    return result;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    int result;

    enter_requests(1, request);
    result = PMPI_Wait(request, status);
    begin(13);
    put((uint64_t)before[0], 4);
    put_statuses(1, status);
    return result;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    int result;

    enter_requests(1, request);
    result = PMPI_Test(request, flag, status);
    begin(14);
    put((uint64_t)before[0], 4);
    put((uint64_t)*flag, 4);
    put_statuses(*flag, status);
    return result;
}

#define OF_ONE_REQUEST(NAME, LABEL)                                                                \
    int MPI_##NAME(MPI_Request *request)                                                           \
    {                                                                                              \
        int result;                                                                                \
                                                                                                   \
        enter_requests(1, request);                                                                \
        result = PMPI_##NAME(request);                                                             \
        begin(LABEL);                                                                              \
        put((uint64_t)before[0], 4);                                                               \
        return result;                                                                             \
    }
OF_ONE_REQUEST(Request_free, 15)
OF_ONE_REQUEST(Cancel, 24)
OF_ONE_REQUEST(Start, 31)

int MPI_Startall(int count, MPI_Request *requests)
{
    int result;

    enter_requests(count, requests);
    result = PMPI_Startall(count, requests);
    begin(32);
    put_requests(count);
    return result;
}

int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status)
{
    int result;

    enter_requests(count, requests);
    result = PMPI_Waitany(count, requests, index, status);
    begin(16);
    put_requests(count);
    put((uint64_t)*index, 4);
    put_statuses(1, status);
    return result;
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
    int result;

    enter_requests(count, requests);
    result = PMPI_Waitall(count, requests, statuses);
    begin(18);
    put_requests(count);
    put_statuses(count, statuses);
    return result;
}

int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses)
{
    int result;

    enter_requests(count, requests);
    result = PMPI_Testall(count, requests, flag, statuses);
    begin(19);
    put_requests(count);
    put((uint64_t)*flag, 4);
    put_statuses(*flag ? count : 0, statuses);
    return result;
}

int MPI_Waitsome(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses)
{
    int result;

    enter_requests(count, requests);
    result = PMPI_Waitsome(count, requests, done, indices, statuses);
    begin(20);
    put_requests(count);
    put((uint64_t)*done, 4);
    put_list(*done, indices);
    put_statuses(*done, statuses);
    return result;
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    int result;

    enter();
    result = PMPI_Iprobe(from, tag, comm, flag, status);
    begin(22);
    put_source(from);
    put_tag(tag);
    put_comm(comm);
    put((uint64_t)*flag, 4);
    put_statuses(*flag, status);
    return result;
}

int MPI_Sendrecv(const void *data, int count, MPI_Datatype type, int to, int tag, void *in,
                 int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                 MPI_Status *status)
{
    int result;

    enter();
    result = PMPI_Sendrecv(data, count, type, to, tag, in, in_count, in_type, from, in_tag, comm,
                           status);
    begin(33);
    put((uint64_t)count, 4);
    put_type(type);
    put((uint64_t)to, 4);
    put_tag(tag);
    put_message(in_count, in_type, from, in_tag, comm);
    put_statuses(1, status);
    return result;
}

int MPI_Sendrecv_replace(void *data, int count, MPI_Datatype type, int to, int tag, int from,
                         int in_tag, MPI_Comm comm, MPI_Status *status)
{
    int result;

    enter();
    result = PMPI_Sendrecv_replace(data, count, type, to, tag, from, in_tag, comm, status);
    begin(34);
    put((uint64_t)count, 4);
    put_type(type);
    put((uint64_t)to, 4);
    put_tag(tag);
    put_source(from);
    put_tag(in_tag);
    put_comm(comm);
    put_statuses(1, status);
    return result;
}

int MPI_Type_vector(int count, int length, int stride, MPI_Datatype old, MPI_Datatype *new)
{
    int result;

    enter();
    result = PMPI_Type_vector(count, length, stride, old, new);
    begin(36);
    put((uint64_t)count, 4);
    put((uint64_t)length, 4);
    put((uint64_t)stride, 4);
    put((uint64_t)type_number(old), 2);
    put((uint64_t)type_number(*new), 2);
    return result;
}

int MPI_Barrier(MPI_Comm comm)
{
    int result;

    enter();
    result = PMPI_Barrier(comm);
    begin(52);
    put_comm(comm);
    return result;
}

int MPI_Allreduce(const void *data, void *out, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    int result;

    enter();
    result = PMPI_Allreduce(data, out, count, type, op, comm);
    begin(65);
    put((uint64_t)count, 4);
    put_type(type);
    put(3, 1);
    put_comm(comm);
    return result;
}

int MPI_Alltoallv(const void *data, const int *counts, const int *places, MPI_Datatype type,
                  void *in, const int *in_counts, const int *in_places, MPI_Datatype in_type,
                  MPI_Comm comm)
{
    int result, size;

    enter();
    result = PMPI_Alltoallv(data, counts, places, type, in, in_counts, in_places, in_type, comm);
    PMPI_Comm_size(comm, &size);
    begin(61);
    put((uint64_t)size, 4);
    put_list(size, counts);
    put_list(size, places);
    put_type(type);
    put_list(size, in_counts);
    put_list(size, in_places);
    put_type(in_type);
    put_comm(comm);
    return result;
}

#define OF_COMM(NAME, LABEL)                                                                       \
    int MPI_##NAME(MPI_Comm comm, int *out)                                                        \
    {                                                                                              \
        int result;                                                                                \
                                                                                                   \
        enter();                                                                                   \
        result = PMPI_##NAME(comm, out);                                                           \
        begin(LABEL);                                                                              \
        put_comm(comm);                                                                            \
        put((uint64_t)*out, 4);                                                                    \
        return result;                                                                             \
    }
OF_COMM(Comm_size, 81)
OF_COMM(Comm_rank, 82)

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *new)
{
    int result;

    enter();
    result = PMPI_Comm_dup(comm, new);
    begin(84);
    put_comm(comm);
    put_comm(*new);
    return result;
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *new)
{
    int result;

    enter();
    result = PMPI_Comm_split(comm, color, key, new);
    begin(86);
    put_comm(comm);
    put((uint64_t)color, 4);
    put((uint64_t)key, 4);
    put_comm(*new);
    return result;
}

static void put_group(MPI_Group group)
{
    static struct handles handles = {.first = 3};

    put((uint64_t)number_of(&handles, (intptr_t)group), 2);
}

int MPI_Comm_group(MPI_Comm comm, MPI_Group *group)
{
    int result;

    enter();
    result = PMPI_Comm_group(comm, group);
    begin(72);
    put_comm(comm);
    put_group(*group);
    return result;
}

int MPI_Group_incl(MPI_Group group, int count, const int *ranks, MPI_Group *new)
{
    int result;

    enter();
    result = PMPI_Group_incl(group, count, ranks, new);
    begin(76);
    put_group(group);
    put((uint64_t)count, 4);
    put_list(count, ranks);
    put_group(*new);
    return result;
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *new)
{
    int result;

    enter();
    result = PMPI_Comm_create(comm, group, new);
    begin(85);
    put_comm(comm);
    put_group(group);
    put_comm(*new);
    return result;
}

int MPI_Cart_create(MPI_Comm comm, int dimensions, const int *sides, const int *wraps, int reorder,
                    MPI_Comm *new)
{
    int result;

    enter();
    result = PMPI_Cart_create(comm, dimensions, sides, wraps, reorder, new);
    begin(99);
    put_comm(comm);
    put((uint64_t)dimensions, 4);
    put_list(dimensions, sides);
    put_list(dimensions, wraps);
    put((uint64_t)reorder, 4);
    put_comm(*new);
    return result;
}

int MPI_Cart_sub(MPI_Comm comm, const int *remain, MPI_Comm *new)
{
    int result, dimensions;

    enter();
    result = PMPI_Cart_sub(comm, remain, new);
    PMPI_Cartdim_get(comm, &dimensions);
    begin(111);
    put((uint64_t)dimensions, 4);
    put_comm(comm);
    put_list(dimensions, remain);
    put_comm(*new);
    return result;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    int result;

    enter();
    begin(87);
    put_comm(*comm);
    result = PMPI_Comm_free(comm);
    return result;
}

int MPI_Intercomm_create(MPI_Comm local, int leader, MPI_Comm remote, int other, int tag,
                         MPI_Comm *new)
{
    int result;

    enter();
    result = PMPI_Intercomm_create(local, leader, remote, other, tag, new);
    begin(91);
    put_comm(local);
    put((uint64_t)leader, 4);
    put_comm(remote);
    put((uint64_t)other, 4);
    put_tag(tag);
    put_comm(*new);
    return result;
}

int MPI_Win_fence(int assertion, MPI_Win window)
{
    int result;

    enter();
    result = PMPI_Win_fence(assertion, window);
    begin(146);
    put((uint64_t)assertion, 1);
    put(1, 2);
    return result;
}

int MPI_Put(const void *data, int count, MPI_Datatype type, int to, MPI_Aint place, int there,
            MPI_Datatype there_type, MPI_Win window)
{
    int result;

    enter();
    result = PMPI_Put(data, count, type, to, place, there, there_type, window);
    begin(143);
    put((uint64_t)count, 4);
    put_type(type);
    put((uint64_t)to, 4);
    put((uint64_t)place, 4);
    put((uint64_t)there, 4);
    put_type(there_type);
    put(1, 2);
    return result;
}
