/* Calls of all ranks together: sums, maxima, copies, the barrier, and agreeing on an error. Every
 * rank knows the expected result, and all failures are counted on all ranks. */
#include "expect.h"

#include <stdatomic.h>

#include "run/node_memory.h"
#include "run/nodes.h"

static int is_equal(double a, double b)
{
    return a >= b && a <= b;
}

/* 1 + 2 + ... over all ranks, and sums beyond a double or 32 bits. */
static void check_sum(struct nuce_world *world)
{
    int64_t n = world->size, large = INT64_C(1) << 40;
    int64_t values[3] = {world->rank + 1, -world->rank, large + world->rank};

    nuce_world_sum(world, values, 3);
    expect(world,
           values[0] == n * (n + 1) / 2 && values[1] == -n * (n - 1) / 2 &&
               values[2] == n * large + n * (n - 1) / 2,
           "sums");
}

static void check_maximum(struct nuce_world *world)
{
    int middle = world->size / 2;
    double values[3] = {world->rank, -world->rank, world->rank == middle ? 7.5 : -1e300};

    nuce_world_maximum(world, values, 3);
    expect(world,
           is_equal(values[0], world->size - 1) && is_equal(values[1], 0) &&
               is_equal(values[2], 7.5),
           "maxima");
}

/* Value i of rank r at i x ranks + r, on rank 0. */
static void check_gather(struct nuce_world *world)
{
    double mine[2] = {10 + world->rank, 100 - world->rank};
    double *all = world->rank == 0 ? calloc(2 * (size_t)world->size, sizeof *all) : NULL;

    nuce_world_gather(world, mine, 2, all);
    for (int rank = 0; all != NULL && rank < world->size; rank++)
        expect(world,
               is_equal(all[rank], 10 + rank) && is_equal(all[world->size + rank], 100 - rank),
               "what was gathered");
    free(all);
}

/* Nothing, and more than a message of a megabyte. */
static void check_broadcast(struct nuce_world *world)
{
    enum { BYTES = 1200001 };
    unsigned char *data = malloc(BYTES);
    int wrong = 0;

    for (int i = 0; i < BYTES; i++)
        data[i] = (unsigned char)(world->rank == 0 ? i * 7 : 255 - i * 7);
    nuce_world_broadcast(world, data, 0);
    expect(world, data[1] == (world->rank == 0 ? 7 : 248), "a broadcast of nothing");
    nuce_world_broadcast(world, data, BYTES);
    for (int i = 0; i < BYTES; i++)
        wrong += data[i] != (unsigned char)(i * 7);
    expect(world, wrong == 0, "what was broadcast");
    free(data);
}

/* The agreed error of rank: its text, and the rank if that is not 0. */
static void check_agreed(struct nuce_world *world, nuce_status mine, nuce_status wanted, int rank,
                         const char *subject)
{
    struct nuce_error error = {.message = "untouched"};
    char message[64];

    if (mine != NUCE_OK) {
        nuce_error_set(&error, mine, "trouble of rank %d", world->rank);
        nuce_error_about(&error, subject);
    }
    expect(world, nuce_world_agree(world, mine, &error) == wanted, "the status agreed on");
    if (wanted == NUCE_OK) {
        expect(world, strcmp(error.message, "untouched") == 0, "an error out of nothing");
        return;
    }
    snprintf(message, sizeof message,
             rank == 0 ? "%s: trouble of rank %d" : "rank %3$d: %1$s: trouble of rank %2$d",
             subject, rank, rank);
    expect(world, error.status == wanted && strcmp(nuce_error_flatten(&error), message) == 0,
           nuce_error_flatten(&error));
}

static void check_agree(struct nuce_world *world)
{
    int last = world->size - 1, middle = world->size / 2;
    int is_last = world->rank == last, is_middle = world->rank == middle;

    check_agreed(world, NUCE_OK, NUCE_OK, 0, "");

    check_agreed(world, is_last ? NUCE_BAD_INPUT : NUCE_OK, NUCE_BAD_INPUT, last, "size");
    check_agreed(world, NUCE_FAILED, NUCE_FAILED, 0, "all");
    check_agreed(world, world->rank >= middle ? NUCE_FAILED : NUCE_OK, NUCE_FAILED, middle, "some");
    /* The worst wins, wherever it is: a wrong byte is worse than a bad option. */
    check_agreed(world, is_middle ? NUCE_CORRUPT : NUCE_BAD_INPUT, NUCE_CORRUPT, middle, "one");
}

/* No rank leaves a barrier before all have come: each counts itself in before it, and sees all
 * counted after it. */
static void check_barrier(struct nuce_world *world)
{
    enum { ROUNDS = 200 };
    MPI_Win window;
    MPI_Aint bytes;
    int unit, late = 0;
    _Atomic int *come;

    NUCE_MPI(MPI_Win_allocate_shared(world->rank == 0 ? (MPI_Aint)sizeof *come : 0, 1,
                                     MPI_INFO_NULL, world->comm, &come, &window));
    NUCE_MPI(MPI_Win_shared_query(window, 0, &bytes, &unit, &come));
    if (world->rank == 0)
        atomic_store(come, 0);
    NUCE_MPI(MPI_Barrier(world->comm));
    for (int round = 1; round <= ROUNDS; round++) {
        atomic_fetch_add(come, 1);
        nuce_world_barrier(world);
        late += atomic_load(come) < round * world->size;
    }
    late += atomic_load(come) > ROUNDS * world->size;
    NUCE_MPI(MPI_Win_free(&window));
    expect(world, late == 0, "a rank left the barrier before all had come");
}

/* The requests of all ranks together; a bit for each is always there. */
static void check_memory(struct nuce_world *world)
{
    struct nuce_error error = {0};
    int64_t mine = world->rank == world->size - 1 ? INT64_C(1) << 60 : 1;

    expect(world, nuce_node_memory_check(world, 4096, &error) == NUCE_OK, "4096 bytes");

    expect(world, nuce_node_memory_check(world, mine, &error) == NUCE_BAD_INPUT,
           "an exabyte of one rank");
    expect(world, strstr(error.message, "expected fewer elements, or more nodes") != NULL,
           error.message);
}

/* All are on this host. */
static void check_nodes(struct nuce_world *world)
{
    int *node_of;

    nuce_nodes_by_host(world, &node_of);
    for (int rank = 0; rank < world->size; rank++)
        expect(world, node_of[rank] == 0, "one node");
    free(node_of);
    expect(world, world->node_size == world->size, "the ranks of a node");
}

int main(int argc, char **argv)
{
    struct nuce_world world;

    ranks_begin(&argc, &argv, &world);
    check_sum(&world);
    check_maximum(&world);
    check_gather(&world);
    check_broadcast(&world);
    check_agree(&world);
    check_barrier(&world);
    check_memory(&world);
    check_nodes(&world);
    return ranks_end(&world);
}
