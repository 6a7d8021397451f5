/* The stencil's parts: nuce-bench-stencil sweep, its inner loop on every rank beside a triad that
 * moves as many bytes, both on memory that no cache holds; nuce-bench-stencil halo, an exchange of
 * halos by schedule beside that of MPI's neighbourhood collective. Bytes are those read and written
 * once, as STREAM counts them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "instances/plane.h"
#include "mpi_turns.h"
#include "points/stencil_instance.h"
#include "run/check.h"
#include "run/communication.h"

#define TURNS 31
#define SIDE 3000 /* of a rank's cells: 72 MB twice */
#define EXCHANGES 200

struct sweeps {
    struct nuce_plane plane;
    double *a, *b, *c;
    int64_t count;
};

static void sweep(void *context)
{
    struct sweeps *sweeps = context;

    nuce_plane_sweep(&sweeps->plane, nuce_plane_own(&sweeps->plane));
    nuce_plane_turn(&sweeps->plane);
}

static void add(double *restrict a, const double *restrict b, const double *restrict c,
                int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        a[i] = b[i] + 3.0 * c[i];
}

static void triad(void *context)
{
    struct sweeps *sweeps = context;

    add(sweeps->a, sweeps->b, sweeps->c, sweeps->count);
}

/* A sweep reads and writes each cell once: 16 bytes; the triad moves 24 for each of its own. */
static void run_sweeps(struct nuce_world *world)
{
    struct sweeps sweeps = {.count = (int64_t)SIDE * SIDE * 16 / 24};
    int64_t bytes = sweeps.count * (int64_t)sizeof(double);
    struct nuce_error error;
    nuce_status status =
        nuce_plane_init(nuce_jacobi_find(5, "double"), SIDE, SIDE, 1, &sweeps.plane, &error);

    nuce_mpi_must(world, status, &error);
    sweeps.a = nuce_allocate_buffer(bytes, &error);
    sweeps.b = nuce_allocate_buffer(bytes, &error);
    sweeps.c = nuce_allocate_buffer(bytes, &error);
    if (sweeps.a == NULL || sweeps.b == NULL || sweeps.c == NULL)
        status = error.status;
    nuce_mpi_must(world, status, &error);
    memset(sweeps.b, 0, (size_t)bytes);
    memset(sweeps.c, 0, (size_t)bytes);
    nuce_mpi_turns(world, TURNS, 2, sweep, triad, &sweeps);
    free(sweeps.a);
    free(sweeps.b);
    free(sweeps.c);
    nuce_plane_fini(&sweeps.plane);
}

struct halos {
    struct nuce_communication ours, peer;
};

static void exchange_ours(void *context)
{
    nuce_engine_run(&((struct halos *)context)->ours.engine);
}

static void exchange_peer(void *context)
{
    nuce_engine_run(&((struct halos *)context)->peer.engine);
}

/* The halo of a grid under an algorithm, checked once. */
static void create_halo(struct nuce_world *world, const char *exchange,
                        struct nuce_communication *out)
{
    struct nuce_metrics found;
    struct nuce_stencil_instance instance;
    struct nuce_pattern pattern;
    struct nuce_point point;
    struct nuce_error error = {0};

    point = nuce_mpi_point(world, &nuce_workload_stencil,
                           json_pack("{s:s, s:s, s:i, s:i}", "decomposition", "grid", "schedule",
                                     exchange, "rows", 2000, "columns", 2000));
    nuce_mpi_must(world,
                  nuce_stencil_instance_init(point.params, world->size, NULL, &instance, &error),
                  &error);
    nuce_mpi_must(world, nuce_stencil_halo_pattern(point.params, &instance.halo, &pattern, &error),
                  &error);
    nuce_metrics_init(point.workload->results, &found);
    nuce_mpi_must(
        world, nuce_communication_init(world, &point, &pattern, NULL, out, &found, &error), &error);
    nuce_metrics_fini(&found);
    nuce_mpi_must(world, nuce_communication_check(out, 1, &error), &error);
    nuce_stencil_instance_fini(&instance);
    nuce_point_fini(&point);
}

static void run_halos(struct nuce_world *world)
{
    struct halos halos;

    create_halo(world, "ac", &halos.ours);
    create_halo(world, "neighbor", &halos.peer);
    nuce_mpi_turns(world, TURNS, EXCHANGES, exchange_ours, exchange_peer, &halos);
    nuce_communication_fini(&halos.peer);
    nuce_communication_fini(&halos.ours);
}

int main(int argc, char **argv)
{
    int halo = argc > 1 && strcmp(argv[1], "halo") == 0;
    struct nuce_world world;

    NUCE_MPI(MPI_Init(&argc, &argv));
    nuce_world_init(&world);
    if (halo)
        run_halos(&world);
    else
        run_sweeps(&world);
    nuce_world_fini(&world);
    NUCE_MPI(MPI_Finalize());
    return 0;
}
