/* Agreement among ranks: errors, maxima and sums that are the same everywhere afterwards. The
 * times of the library's own collectives at the start, in comments below, were measured with
 * MPICH 4 on 2 processors. Errors of MPI are returned to us (MPI_ERRORS_RETURN), so that
 * NUCE_MPI can name the call. */
#include "run/world.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "run/check.h"
#include "run/control.h"
#include "run/simulation.h"

/* Persistent empty messages, one each way and round, awaited by the one wait policy. The round
 * is the tag, so a rank that is a round ahead does not disturb. Cost: log2 n startups; no memory
 * is allocated between time stamps. */

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

/* Uses the system's own shared memory. A window of MPI is made by collectives that spin in the
 * library, 140 to 250 ms if 8 ranks share 2 processors; this takes 5. POSIX shared memory
 * (shm_open(3)). Its name is removed as soon as all ranks have mapped it, so nothing remains
 * however the job ends. */

/* A name of process and time, which no other board of this machine has. */
#define NAME_BYTES 64

static size_t board_bytes(int count)
{
    return (size_t)count * sizeof(struct nuce_watch);
}

/* Opens the memory of that name, or makes it (all 0); NULL: it is not available. */
static struct nuce_watch *board_open(const char *name, int count, int make)
{
    int file = shm_open(name, make ? O_CREAT | O_EXCL | O_RDWR : O_RDWR, S_IRUSR | S_IWUSR);
    void *data = MAP_FAILED;

    if (file < 0)
        return NULL;
    if (!make || ftruncate(file, (off_t)board_bytes(count)) == 0)
        data = mmap(NULL, board_bytes(count), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return data == MAP_FAILED ? NULL : data;
}

/* The first rank makes the memory and sends its name. All ranks have it, or each has its own. */
static void board_init(const struct nuce_wait *wait, MPI_Comm node, int rank,
                       struct nuce_board *out)
{
    char name[NAME_BYTES] = "";
    struct nuce_watch *ranks = NULL;
    MPI_Request request;
    int place, count, all;

    NUCE_MPI(MPI_Comm_rank(node, &place));
    NUCE_MPI(MPI_Comm_size(node, &count));
    if (place == 0) {
        snprintf(name, sizeof name, "/nuce-%ld-%lld", (long)getpid(),
                 (long long)(1e9 * nuce_clock()));
        ranks = board_open(name, count, 1);
    }
    NUCE_MPI(MPI_Ibcast(name, (int)sizeof name, MPI_CHAR, 0, node, &request));
    nuce_wait_request(wait, &request);
    if (place != 0)
        ranks = board_open(name, count, 0);
    all = ranks != NULL;
    NUCE_MPI(MPI_Iallreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, node, &request));
    nuce_wait_request(wait, &request);
    if (place == 0)
        shm_unlink(name);
    if (!all) {
        if (ranks != NULL)
            munmap(ranks, board_bytes(count));
        count = 1;
        place = 0;
        ranks =
            mmap(NULL, board_bytes(1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        NUCE_ASSERT(ranks != MAP_FAILED);
    }
    *out = (struct nuce_board){.ranks = ranks, .mine = &ranks[place], .count = count};
    out->mine->rank = rank;
}

/* Bytes of a host's name, of a boot id (a UUID and the end), and of both with the numbers of
 * /dev/shm. */
#define HOST_BYTES 64
#define BOOT_BYTES 37
#define NODE_BYTES 192

/* Uses MPI_Comm_idup unless ranks block: MPI_Comm_dup spins in the library, 40 to 120 ms if 8
 * ranks share 2 processors. SimGrid has no MPI_Comm_idup. */
static MPI_Comm world_duplicate(const struct nuce_wait *wait, MPI_Comm comm)
{
    MPI_Comm copy;
    MPI_Request request;

    if (wait->block) {
        NUCE_MPI(MPI_Comm_dup(comm, &copy));
    } else {
        NUCE_MPI(MPI_Comm_idup(comm, &copy, &request));
        nuce_wait_request(wait, &request);
    }
    NUCE_MPI(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN));
    return copy;
}

/* The ranks of this one's node, which can share memory. They agree in host, kernel (boot id),
 * and the place of shared memory (device and inode of /dev/shm, which containers have of their
 * own). The library splits only if ranks differ in these, because a split spins: 200 to 350 ms
 * if 8 ranks share 2 processors. Collective over comm. */
static MPI_Comm split_by_node(const struct nuce_wait *wait, MPI_Comm comm)
{
    char mine[NODE_BYTES] = "", first[NODE_BYTES];
    struct stat memory = {0};
    size_t used;
    FILE *file;
    int alike = 0;
    MPI_Request request;
    MPI_Comm node;

    if (!nuce_simulation_is_on()) {
        gethostname(mine, HOST_BYTES);
        used = strlen(mine);
        file = fopen("/proc/sys/kernel/random/boot_id", "re");
        if (file != NULL) {
            fread(mine + used, 1, BOOT_BYTES, file);
            fclose(file);
        }
        stat("/dev/shm", &memory);
        used = strlen(mine);
        snprintf(mine + used, NODE_BYTES - used, "%lld %lld", (long long)memory.st_dev,
                 (long long)memory.st_ino);
        memcpy(first, mine, sizeof first);
        NUCE_MPI(MPI_Ibcast(first, NODE_BYTES, MPI_CHAR, 0, comm, &request));
        nuce_wait_request(wait, &request);
        alike = memcmp(mine, first, sizeof mine) == 0;
        NUCE_MPI(MPI_Iallreduce(MPI_IN_PLACE, &alike, 1, MPI_INT, MPI_MIN, comm, &request));
        nuce_wait_request(wait, &request);
    }
    if (alike)
        return world_duplicate(wait, comm);
    NUCE_MPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    NUCE_MPI(MPI_Comm_set_errhandler(node, MPI_ERRORS_RETURN));
    return node;
}

/* Only if there is more than one node, as in split_by_node. */
void nuce_world_split_leaders(struct nuce_world *world)
{
    int place, here;

    world->leaders = MPI_COMM_NULL;
    NUCE_MPI(MPI_Comm_size(world->node, &here));
    if (here == world->size || nuce_simulation_is_on())
        return;
    NUCE_MPI(MPI_Comm_rank(world->node, &place));
    NUCE_MPI(MPI_Comm_split(world->control, place == 0 ? 0 : MPI_UNDEFINED, world->rank,
                            &world->leaders));
    if (world->leaders != MPI_COMM_NULL)
        NUCE_MPI(MPI_Comm_set_errhandler(world->leaders, MPI_ERRORS_RETURN));
}

void nuce_world_init_on(MPI_Comm comm, struct nuce_world *world)
{
    const struct nuce_wait wait = {.block = nuce_simulation_is_on(), .yield = 1};

    memset(world, 0, sizeof *world);
    world->comm = world_duplicate(&wait, comm);
    world->control = world_duplicate(&wait, comm);
    world->rounds = MPI_COMM_NULL;
    NUCE_MPI(MPI_Comm_rank(world->comm, &world->rank));
    NUCE_MPI(MPI_Comm_size(world->comm, &world->size));
    world->node = split_by_node(&wait, world->control);
    NUCE_MPI(MPI_Comm_size(world->node, &world->node_size));
    nuce_world_split_leaders(world);
    world->machine = nuce_wait_init(world->control, world->node);
    world->wait = world->machine;
}

void nuce_world_init(struct nuce_world *world)
{
    const struct nuce_wait wait = {.block = nuce_simulation_is_on(), .yield = 1};

    NUCE_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    nuce_world_init_on(MPI_COMM_WORLD, world);
    world->rounds = world_duplicate(&wait, MPI_COMM_WORLD);
    board_init(&wait, world->node, world->rank, &world->board);
    world->watch = world->board.mine;
    nuce_barrier_init(&world->barrier, world->rounds);
}

void nuce_world_end_control(struct nuce_world *world)
{
    MPI_Comm *comms[] = {&world->leaders, &world->node, &world->control};

    for (size_t i = 0; i < sizeof comms / sizeof *comms; i++) {
        if (*comms[i] != MPI_COMM_NULL)
            NUCE_MPI(MPI_Comm_free(comms[i]));
    }
}

void nuce_world_fini(struct nuce_world *world)
{
    nuce_barrier_fini(&world->barrier);
    if (world->board.ranks != NULL)
        munmap(world->board.ranks, board_bytes(world->board.count));
    if (world->rounds != MPI_COMM_NULL)
        NUCE_MPI(MPI_Comm_free(&world->rounds));
    nuce_world_end_control(world);
    NUCE_MPI(MPI_Comm_free(&world->comm));
}

void nuce_world_barrier(struct nuce_world *world)
{
    struct nuce_barrier *barrier = &world->barrier;

    NUCE_ASSERT(world->rounds != MPI_COMM_NULL);
    for (int round = 0; round < barrier->rounds; round++) {
        nuce_watch_set(world->watch, NUCE_ACTIVITY_BARRIER, barrier->from[round], round);
        NUCE_MPI(MPI_Startall(2, barrier->requests[round]));
        nuce_wait_all(&world->wait, 2, barrier->requests[round]);
    }
}

void nuce_world_broadcast(struct nuce_world *world, void *data, int64_t bytes)
{
    const int64_t most = INT64_C(1) << 30; /* counts are int */
    char *at = data;

    while (bytes > 0) {
        int part = (int)(bytes < most ? bytes : most);

        nuce_control_broadcast(world, at, part, MPI_BYTE, 0);
        at += part;
        bytes -= part;
    }
}

void nuce_world_maximum(struct nuce_world *world, double *values, int count)
{
    nuce_control_allreduce(world, values, count, MPI_DOUBLE, MPI_MAX, world->control);
}

/* Value by value, so that all[i x ranks + r] needs no sorting. */
void nuce_world_gather(struct nuce_world *world, const double *values, int count, double *all)
{
    for (int i = 0; i < count; i++)
        nuce_control_gather(world, values + i, 1, MPI_DOUBLE,
                            all == NULL ? NULL : all + (int64_t)i * world->size, world->control);
}

void nuce_world_sum(struct nuce_world *world, int64_t *values, int count)
{
    nuce_control_allreduce(world, values, count, MPI_INT64_T, MPI_SUM, world->control);
}

/* MPI_MAXLOC gives the lowest rank among those with the worst status (MPI 4.1, 6.9.4). */
nuce_status nuce_world_agree(struct nuce_world *world, nuce_status mine, struct nuce_error *error)
{
    /* The layout of MPI_2INT: the value, then its place. */
    struct {
        int status, rank;
    } worst = {(int)mine, world->rank};

    nuce_control_allreduce(world, &worst, 1, MPI_2INT, MPI_MAXLOC, world->control);
    if (worst.status == NUCE_OK)
        return NUCE_OK;
    error->status = mine;
    nuce_control_broadcast(world, error, (int)sizeof *error, MPI_BYTE, worst.rank);
    if (worst.rank != 0)
        nuce_error_prefix(error, "rank %d", worst.rank);
    return error->status;
}
