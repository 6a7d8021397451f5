/* A whole redistribution, as nuce-redistribute measures it - pack, communicate, unpack - beside
 * pdgemr2d, or beside two passes of memcpy over the data: nuce-bench-redistribute ALGORITHM
 * pdgemr2d|memcpy. 4M doubles from blocks of 64 to blocks 3 and 4 times as long, one after the
 * other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mpi_turns.h"
#include "points/workload.h"
#include "programs/runs.h"
#include "run/array_peers.h"
#include "run/check.h"

#define TURNS 31
#define CASES 2
#define ELEMENTS 4000000
#define BLOCK 64

/* One algorithm, both factors. */
struct way {
    struct nuce_point point[CASES];
    struct nuce_counters *counters;
    void *run[CASES];
};

/* The memory of memcpy: as much as a rank has of the array. */
struct copies {
    unsigned char *from, *between, *to;
    size_t bytes;
};

struct bench {
    struct nuce_world *world;
    struct way ours, peer;
    struct copies copies;
};

static const int factors[CASES] = {3, 4};

static void create_way(struct nuce_world *world, const char *algorithm, struct way *way)
{
    char note[NUCE_MESSAGE_BYTES];
    struct nuce_error error = {0};
    struct nuce_run_info info = {0};

    nuce_mpi_must(world, nuce_counters_create("", &way->counters, note, &error), &error);
    for (int i = 0; i < CASES; i++) {
        way->point[i] =
            nuce_mpi_point(world, &nuce_workload_redistribute,
                           json_pack("{s:s, s:i, s:i, s:i}", "schedule", algorithm, "elements",
                                     ELEMENTS, "block", BLOCK, "factor", factors[i]));
        nuce_metrics_init(way->point[i].workload->results, &info.found);
        way->run[i] = nuce_allocate(1, nuce_redistribute_run.self_size);
        nuce_mpi_must(world,
                      nuce_redistribute_run.build(way->run[i], world, &way->point[i], way->counters,
                                                  &info, &error),
                      &error);
        nuce_metrics_fini(&info.found);
        nuce_mpi_must(world, nuce_redistribute_run.verify(way->run[i], 1, &error), &error);
    }
}

static void destroy_way(struct way *way)
{
    for (int i = 0; i < CASES; i++) {
        nuce_redistribute_run.destroy(way->run[i]);
        free(way->run[i]);
        nuce_point_fini(&way->point[i]);
    }
    nuce_counters_destroy(way->counters);
}

static void step(const struct way *way)
{
    double ignored[NUCE_SAMPLE_PARTS];

    for (int i = 0; i < CASES; i++)
        nuce_redistribute_run.step(way->run[i], ignored);
}

static void run_ours(void *context)
{
    step(&((struct bench *)context)->ours);
}

static void run_peer(void *context)
{
    step(&((struct bench *)context)->peer);
}

/* Once for each case, as ours. */
static void run_copies(void *context)
{
    const struct copies *copies = &((struct bench *)context)->copies;

    for (int i = 0; i < CASES; i++) {
        memcpy(copies->between, copies->from, copies->bytes);
        memcpy(copies->to, copies->between, copies->bytes);
    }
}

static void create_copies(struct nuce_world *world, struct copies *copies)
{
    int64_t bytes = ELEMENTS / world->size * (int64_t)sizeof(double);

    copies->bytes = (size_t)bytes;
    copies->from = nuce_allocate(bytes, 1);
    copies->between = nuce_allocate(bytes, 1);
    copies->to = nuce_allocate(bytes, 1);
    memset(copies->from, 1, copies->bytes); /* else all of it is the one page of zeros */
}

int main(int argc, char **argv)
{
    const char *algorithm = argc == 3 ? argv[1] : "ac";
    int copies = argc == 3 && strcmp(argv[2], "memcpy") == 0;
    struct nuce_world world;
    struct bench bench = {.world = &world};

    NUCE_MPI(MPI_Init(&argc, &argv));
    nuce_world_init(&world);
    create_way(&world, algorithm, &bench.ours);
    if (copies)
        create_copies(&world, &bench.copies);
    else
        create_way(&world, "pdgemr2d", &bench.peer);
    nuce_mpi_turns(&world, TURNS, 1, run_ours, copies ? run_copies : run_peer, &bench);
    free(bench.copies.from);
    free(bench.copies.between);
    free(bench.copies.to);
    if (!copies)
        destroy_way(&bench.peer);
    destroy_way(&bench.ours);
    nuce_world_fini(&world);
    NUCE_MPI(MPI_Finalize());
    return 0;
}
