#include "mpi_turns.h"

#include <stdio.h>
#include <stdlib.h>

static double time_one(struct nuce_world *world, int repeats, void (*run)(void *), void *context)
{
    double begin;

    nuce_world_barrier(world);
    begin = nuce_clock();
    for (int i = 0; i < repeats; i++)
        run(context);
    return (nuce_clock() - begin) / repeats;
}

static void print(const char *name, const double *seconds, int count, const char *end)
{
    printf("\"%s\":[", name);
    for (int i = 0; i < count; i++)
        printf("%s%.9g", i > 0 ? "," : "", seconds[2 * i]);
    printf("]%s", end);
}

void nuce_mpi_turns(struct nuce_world *world, int turns, int repeats, void (*ours)(void *context),
                    void (*reference)(void *context), void *context)
{
    double *seconds = calloc(2 * (size_t)turns + 2, sizeof *seconds);

    NUCE_ASSERT(seconds != NULL);
    for (int turn = 0; turn <= turns; turn++) {
        seconds[2 * turn] = time_one(world, repeats, ours, context);
        seconds[2 * turn + 1] = time_one(world, repeats, reference, context);
    }
    nuce_world_maximum(world, seconds, 2 * turns + 2);
    if (world->rank == 0) {
        printf("{");
        print("ours", seconds + 2, turns, ",");
        print("reference", seconds + 3, turns, "}\n");
    }
    free(seconds);
}

void nuce_mpi_must(struct nuce_world *world, nuce_status status, struct nuce_error *error)
{
    if (nuce_world_agree(world, status, error) == NUCE_OK)
        return;
    if (world->rank == 0)
        fprintf(stderr, "nuce-bench: %s\n", error->message);
    MPI_Abort(world->comm, nuce_error_exit_status(error->status));
}

struct nuce_point nuce_mpi_point(struct nuce_world *world, const struct nuce_workload_ops *workload,
                                 json_t *settings)
{
    struct nuce_facts *facts = nuce_facts_create();
    struct nuce_error error = {0};
    nuce_status status = NUCE_OK;
    struct nuce_point point;
    const json_t *value;
    const char *key;

    nuce_point_init(workload, world->size, &point);
    json_object_foreach(settings, key, value)
    {
        if (status == NUCE_OK)
            status = nuce_point_set(&point, key, value, &error);
    }
    if (status == NUCE_OK)
        status = nuce_point_complete(&point, facts, &error);
    nuce_mpi_must(world, status, &error);
    json_decref(settings);
    nuce_facts_destroy(facts);
    return point;
}
