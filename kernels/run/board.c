/* By the system's own shared memory: a window of MPI is made by collectives that spin in the
 * library, 140 to 250 ms where 8 ranks share 2 processors; this takes 5. POSIX shared memory
 * (shm_open(3)), whose name is taken away as soon as all ranks have it mapped, so that nothing is
 * left behind however the job ends. */
#include "run/board.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "run/check.h"

/* A name of process and time, which no other board of this machine has. */
#define NAME_BYTES 64

static size_t board_bytes(int count)
{
    return (size_t)count * sizeof(struct nuce_watch);
}

/* Opens the memory of that name, or makes it (all 0); NULL: it cannot be had. */
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

/* The first rank makes the memory and says how it is called; NULL on all ranks unless all have it.
 * Collective over node. */
static struct nuce_watch *board_share(const struct nuce_wait *wait, MPI_Comm node, int count)
{
    char name[NAME_BYTES] = "";
    struct nuce_watch *ranks = NULL;
    MPI_Request request;
    int rank, all;

    NUCE_MPI(MPI_Comm_rank(node, &rank));
    if (rank == 0) {
        snprintf(name, sizeof name, "/nuce-%ld-%lld", (long)getpid(),
                 (long long)(1e9 * nuce_clock()));
        ranks = board_open(name, count, 1);
    }
    NUCE_MPI(MPI_Ibcast(name, (int)sizeof name, MPI_CHAR, 0, node, &request));
    nuce_wait_request(wait, &request);
    if (rank != 0)
        ranks = board_open(name, count, 0);
    all = ranks != NULL;
    NUCE_MPI(MPI_Iallreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, node, &request));
    nuce_wait_request(wait, &request);
    if (rank == 0)
        shm_unlink(name);
    if (!all && ranks != NULL) {
        munmap(ranks, board_bytes(count));
        ranks = NULL;
    }
    return ranks;
}

void nuce_board_init(const struct nuce_wait *wait, MPI_Comm node, int rank, struct nuce_board *out)
{
    int place;

    NUCE_MPI(MPI_Comm_rank(node, &place));
    NUCE_MPI(MPI_Comm_size(node, &out->count));
    out->ranks = board_share(wait, node, out->count);
    if (out->ranks == NULL) {
        out->count = 1;
        place = 0;
        out->ranks =
            mmap(NULL, board_bytes(1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        NUCE_ASSERT(out->ranks != MAP_FAILED);
    }
    out->mine = &out->ranks[place];
    out->mine->rank = rank;
}

void nuce_board_fini(struct nuce_board *board)
{
    munmap(board->ranks, board_bytes(board->count));
    memset(board, 0, sizeof *board);
}
