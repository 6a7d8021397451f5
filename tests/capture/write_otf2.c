/* Writes FOLDER/traces.otf2, as Score-P does, of an application on P ranks, and counts its messages
 * itself: halos on a ring, Sendrecvs on halves of the world, a message of a second thread, and
 * collective calls. What cannot be followed is in it, too.
 * Usage: write_otf2 P FOLDER [KIND]: KIND hosts: two hosts, whose clocks nobody compared;
 * corrected: and they were; peer: a message to nobody. */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORLD, HALVES, BETWEEN = 3 };
enum { MAIN, CALL };
#define THREAD 500
#define BEGIN 1000

struct writing {
    OTF2_EvtWriter *events;
    FILE *counts;
    int rank, ranks;
    uint64_t now; /* microseconds */
};

static OTF2_FlushType before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location,
                                   void *caller, bool last)
{
    (void)data;
    (void)type;
    (void)location;
    (void)caller;
    (void)last;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp after_flush(void *data, OTF2_FileType type, OTF2_LocationRef location)
{
    (void)data;
    (void)type;
    (void)location;
    return 0;
}

static uint64_t location_of(int rank, int ranks)
{
    return (uint64_t)(100 + ranks - rank);
}

static void enter(struct writing *at)
{
    OTF2_EvtWriter_Enter(at->events, NULL, at->now, CALL);
    at->now += 100;
}

static void leave(struct writing *at)
{
    at->now += 100;
    OTF2_EvtWriter_Leave(at->events, NULL, at->now, CALL);
}

static void count_message(struct writing *at, int destination, uint64_t bytes)
{
    (void)fprintf(at->counts, "%d %d %d\n", at->rank, destination, (int)bytes);
}

static uint64_t ring_bytes(int rank)
{
    return (uint64_t)(8 * (50 + rank));
}

static void write_ring(struct writing *at)
{
    uint32_t up = (uint32_t)((at->rank + 1) % at->ranks);
    uint32_t down = (uint32_t)((at->rank + at->ranks - 1) % at->ranks);

    for (int step = 0; step < 5; step++) {
        enter(at);
        OTF2_EvtWriter_MpiIrecvRequest(at->events, NULL, at->now, 1);
        leave(at);
        enter(at);
        OTF2_EvtWriter_MpiIsend(at->events, NULL, at->now, up, WORLD, 7, ring_bytes(at->rank), 2);
        leave(at);
        count_message(at, (int)up, ring_bytes(at->rank));
        enter(at);
        OTF2_EvtWriter_MpiRequestTest(at->events, NULL, at->now, 1);
        leave(at);
        enter(at);
        OTF2_EvtWriter_MpiIsendComplete(at->events, NULL, at->now, 2);
        OTF2_EvtWriter_MpiIrecv(at->events, NULL, at->now, down, WORLD, 7, ring_bytes((int)down),
                                1);
        leave(at);
    }
}

/* On ranks of equal parity, in their order. */
static void write_halves(struct writing *at)
{
    int parity = at->rank % 2, own = at->rank / 2, size = (at->ranks + 1 - parity) / 2;
    int next = (own + 1) % size, last = (own + size - 1) % size;

    for (int step = 0; step < 2; step++) {
        enter(at);
        OTF2_EvtWriter_MpiSend(at->events, NULL, at->now, (uint32_t)next,
                               (OTF2_CommRef)(HALVES + parity), 1, 72);
        OTF2_EvtWriter_MpiRecv(at->events, NULL, at->now, (uint32_t)last,
                               (OTF2_CommRef)(HALVES + parity), 1, 72);
        leave(at);
        count_message(at, 2 * next + parity, 72);
    }
}

static void write_collectives(struct writing *at)
{
    enter(at);
    OTF2_EvtWriter_MpiCollectiveBegin(at->events, NULL, at->now);
    OTF2_EvtWriter_MpiCollectiveEnd(at->events, NULL, at->now, OTF2_COLLECTIVE_OP_ALLTOALLV, WORLD,
                                    OTF2_COLLECTIVE_ROOT_NONE, (uint64_t)(1000 + at->rank), 1000);
    leave(at);
    enter(at);
    OTF2_EvtWriter_NonBlockingCollectiveRequest(at->events, NULL, at->now, 3);
    leave(at);
    enter(at);
    OTF2_EvtWriter_NonBlockingCollectiveComplete(at->events, NULL, at->now,
                                                 OTF2_COLLECTIVE_OP_ALLREDUCE, WORLD,
                                                 OTF2_COLLECTIVE_ROOT_NONE, 16, 16, 3);
    leave(at);
}

/* What is counted as not captured: a call between two groups, a one-sided one, a receive that never
 * ends, one that is cancelled. */
static void write_others(struct writing *at)
{
    enter(at);
    OTF2_EvtWriter_MpiSend(at->events, NULL, at->now, 0, BETWEEN, 1, 8);
    leave(at);
    OTF2_EvtWriter_RmaPut(at->events, NULL, at->now, 0, 0, 8, 1);
    OTF2_EvtWriter_MpiIrecvRequest(at->events, NULL, at->now, 9);
    OTF2_EvtWriter_MpiIrecvRequest(at->events, NULL, at->now, 10);
    OTF2_EvtWriter_MpiRequestCancelled(at->events, NULL, at->now, 10);
}

static void write_rank(OTF2_Archive *archive, int rank, int ranks, const char *folder,
                       const char *kind)
{
    struct writing at = {.events = OTF2_Archive_GetEvtWriter(archive, location_of(rank, ranks)),
                         .rank = rank,
                         .ranks = ranks,
                         .now = BEGIN + 250 * (uint64_t)rank};
    char path[512];

    (void)snprintf(path, sizeof path, "%s/counts.%d", folder, rank);
    at.counts = fopen(path, "w");
    OTF2_EvtWriter_Enter(at.events, NULL, at.now, MAIN);
    write_ring(&at);
    write_halves(&at);
    if (rank == 1) {
        enter(&at);
        OTF2_EvtWriter_MpiRecv(at.events, NULL, at.now, 0, WORLD, 9, 11);
        leave(&at);
    }
    write_collectives(&at);
    if (rank == 0)
        write_others(&at);
    if (rank == 0 && strcmp(kind, "peer") == 0)
        OTF2_EvtWriter_MpiSend(at.events, NULL, at.now, 99, WORLD, 1, 8);
    OTF2_EvtWriter_Leave(at.events, NULL, at.now, MAIN);
    OTF2_Archive_CloseEvtWriter(archive, at.events);
    if (rank == 0) { /* its second thread, between two calls */
        at.events = OTF2_Archive_GetEvtWriter(archive, THREAD);
        at.now = BEGIN + 4450;
        OTF2_EvtWriter_MpiSend(at.events, NULL, at.now, 1, WORLD, 9, 11);
        count_message(&at, 1, 11);
        OTF2_Archive_CloseEvtWriter(archive, at.events);
    }
    (void)fclose(at.counts);
}

static void write_local(OTF2_Archive *archive, uint64_t location, int is_corrected)
{
    OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive, location);

    if (is_corrected)
        OTF2_DefWriter_WriteClockOffset(writer, BEGIN, 0, 0);
    OTF2_Archive_CloseDefWriter(archive, writer);
}

static void write_communicators(OTF2_GlobalDefWriter *writer, int ranks)
{
    uint64_t *members = calloc((size_t)ranks, sizeof *members);

    for (int rank = 0; rank < ranks; rank++)
        members[rank] = location_of(rank, ranks);
    OTF2_GlobalDefWriter_WriteGroup(writer, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, (uint32_t)ranks, members);
    for (int rank = 0; rank < ranks; rank++)
        members[rank] = (uint64_t)rank;
    OTF2_GlobalDefWriter_WriteGroup(writer, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, (uint32_t)ranks, members);
    OTF2_GlobalDefWriter_WriteComm(writer, WORLD, 0, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    for (int parity = 0; parity < 2; parity++) {
        uint32_t size = (uint32_t)(ranks + 1 - parity) / 2;

        for (uint32_t i = 0; i < size; i++)
            members[i] = 2 * i + (uint64_t)parity;
        OTF2_GlobalDefWriter_WriteGroup(writer, (OTF2_GroupRef)(2 + parity), 0,
                                        OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                        OTF2_GROUP_FLAG_NONE, size, members);
        OTF2_GlobalDefWriter_WriteComm(writer, (OTF2_CommRef)(HALVES + parity), 0,
                                       (OTF2_GroupRef)(2 + parity), WORLD, OTF2_COMM_FLAG_NONE);
    }
    OTF2_GlobalDefWriter_WriteInterComm(writer, BETWEEN, 0, 2, 3, WORLD, OTF2_COMM_FLAG_NONE);
    free(members);
}

static void write_definitions(OTF2_Archive *archive, int ranks, int hosts)
{
    OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);
    static const char *const strings[] = {"",        "main", "MPI_Call", "machine",
                                          "cluster", "node", "alpha",    "beta"};

    OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000000, BEGIN, 100000,
                                              OTF2_UNDEFINED_TIMESTAMP);
    for (uint32_t i = 0; i < sizeof strings / sizeof *strings; i++)
        OTF2_GlobalDefWriter_WriteString(writer, i, strings[i]);
    OTF2_GlobalDefWriter_WriteRegion(writer, MAIN, 1, 1, 0, OTF2_REGION_ROLE_FUNCTION,
                                     OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, 0, 0, 0);
    OTF2_GlobalDefWriter_WriteRegion(writer, CALL, 2, 2, 0, OTF2_REGION_ROLE_FUNCTION,
                                     OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, 0, 0, 0);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 4, 3, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (uint32_t i = 0; i < 2; i++)
        OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 1 + i, 6 + i, 5, 0);
    for (int rank = 0; rank < ranks; rank++) {
        OTF2_GlobalDefWriter_WriteLocationGroup(
            writer, (OTF2_LocationGroupRef)rank, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS,
            (OTF2_SystemTreeNodeRef)(1 + rank % hosts), OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(writer, location_of(rank, ranks), 0,
                                           OTF2_LOCATION_TYPE_CPU_THREAD, 100,
                                           (OTF2_LocationGroupRef)rank);
    }
    OTF2_GlobalDefWriter_WriteLocation(writer, THREAD, 0, OTF2_LOCATION_TYPE_CPU_THREAD, 1, 0);
    write_communicators(writer, ranks);
    OTF2_Archive_CloseGlobalDefWriter(archive, writer);
}

int main(int argc, char **argv)
{
    static const OTF2_FlushCallbacks flushes = {.otf2_pre_flush = before_flush,
                                                .otf2_post_flush = after_flush};
    int ranks = argc > 2 ? atoi(argv[1]) : 0;
    const char *kind = argc > 3 ? argv[3] : "";
    int is_corrected = strcmp(kind, "corrected") == 0;
    OTF2_Archive *archive;

    if (ranks < 2)
        return 2;
    archive = OTF2_Archive_Open(argv[2], "traces", OTF2_FILEMODE_WRITE, 1024 * 1024, 1024 * 1024,
                                OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive == NULL)
        return 1;
    OTF2_Archive_SetFlushCallbacks(archive, &flushes, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    for (int rank = 0; rank < ranks; rank++)
        write_rank(archive, rank, ranks, argv[2], kind);
    OTF2_Archive_CloseEvtFiles(archive);
    OTF2_Archive_OpenDefFiles(archive);
    for (int rank = 0; rank < ranks; rank++)
        write_local(archive, location_of(rank, ranks), is_corrected);
    write_local(archive, THREAD, is_corrected);
    OTF2_Archive_CloseDefFiles(archive);
    write_definitions(archive, ranks, is_corrected || strcmp(kind, "hosts") == 0 ? 2 : 1);
    return OTF2_Archive_Close(archive) == OTF2_SUCCESS ? 0 : 1;
}
