/* Our barrier beside the library's. */
#include "mpi_turns.h"
#include "run/check.h"

#define TURNS 21
#define REPEATS 3

static void our_barrier(void *context)
{
    nuce_world_barrier(context);
}

static void library_barrier(void *context)
{
    struct nuce_world *world = context;

    NUCE_MPI(MPI_Barrier(world->control));
}

int main(int argc, char **argv)
{
    struct nuce_world world;

    NUCE_MPI(MPI_Init(&argc, &argv));
    nuce_world_init(&world);
    nuce_mpi_turns(&world, TURNS, REPEATS, our_barrier, library_barrier, &world);
    nuce_world_fini(&world);
    NUCE_MPI(MPI_Finalize());
    return 0;
}
