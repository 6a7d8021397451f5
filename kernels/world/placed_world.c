#include "world/placed_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mapping/placement.h"
#include "support/hash.h"
#include "support/memory.h"
#include "support/text.h"
#include "world/check.h"
#include "world/control.h"
#include "world/machine_topology.h"
#include "world/reorder.h"

/* What rank 0 knows while it places; elsewhere all but the processes is empty. */
struct placing {
    const struct nuce_placing *params;
    struct nuce_processes processes;
    char *path; /* of the topology; NULL: none is known */
    struct nuce_topology topology;
    struct nuce_routing routing;
    struct nuce_processors processors;
    int *node; /* ranks: the node of the topology that each runs on */
    int *on;   /* processors: the rank on each */
    int *rank; /* processes: the rank of each; on all ranks */
};

static void placing_fini(struct placing *placing)
{
    nuce_processes_fini(&placing->processes);
    nuce_processors_fini(&placing->processors);
    nuce_routing_fini(&placing->routing);
    nuce_topology_fini(&placing->topology);
    free(placing->path);
    free(placing->node);
    free(placing->on);
    free(placing->rank);
}

const struct nuce_placing *nuce_placed_world_wanted(const struct nuce_point *point)
{
    const struct nuce_placing *placing =
        point->workload->placing == NULL ? NULL : point->workload->placing(point->params);

    return placing != NULL && placing->placement[0] != '\0' ? placing : NULL;
}

static int is_by_mpi(const struct placing *placing)
{
    return strcmp(placing->params->placement, NUCE_PLACEMENT_MPI) == 0;
}

/* The processes of point with what they send, and the mesh that they lie on if they do. */
static nuce_status find_processes(const struct nuce_point *point, struct nuce_processes *out,
                                  struct nuce_error *error)
{
    const struct nuce_workload_ops *workload = point->workload;
    struct nuce_pattern pattern;
    int side[NUCE_SIDES] = {0};
    nuce_status status = workload->pattern(point->params, point->ranks, &pattern, error);

    if (status != NUCE_OK)
        return nuce_error_prefix(error, "placement");
    status = nuce_processes_pattern(&pattern, out, error);
    nuce_pattern_fini(&pattern);
    if (status == NUCE_OK && workload->sides != NULL)
        status = workload->sides(point->params, point->ranks, side, error);
    if (status == NUCE_OK && side[0] > 0)
        nuce_processes_lay(out, side);
    return status;
}

/* NAME@SHA-256 of the file at path. */
static nuce_status name_file(const char *path, char name[NUCE_PATH_BYTES], struct nuce_error *error)
{
    const char *slash = strrchr(path, '/');
    char hex[NUCE_HASH_BYTES];
    char *text;

    if (nuce_hash_file(path, hex, error) != NUCE_OK)
        return error->status;
    text = nuce_text_format(error, "%s@%s", slash == NULL ? path : slash + 1, hex);
    if (text == NULL)
        return error->status;
    (void)nuce_text_copy(name, NUCE_PATH_BYTES, text);
    free(text);
    return NUCE_OK;
}

/* The machine under the ranks. mpi-reorder does without: what it costs by a model is unknown then.
 */
static nuce_status find_processors(const struct nuce_world *world, struct placing *placing,
                                   struct nuce_placed_world *out, struct nuce_error *error)
{
    placing->path = nuce_machine_topology_path(placing->params, error);
    if (placing->path == NULL)
        return is_by_mpi(placing) && error->status == NUCE_BAD_INPUT ? NUCE_OK : error->status;
    placing->node = nuce_allocate(world->size, sizeof *placing->node, error);
    placing->on = nuce_allocate(world->size, sizeof *placing->on, error);
    if (placing->node == NULL || placing->on == NULL ||
        nuce_machine_topology(world, placing->params, placing->path, &placing->topology,
                              placing->node, error) != NUCE_OK ||
        nuce_routing_create(nuce_routings[0], &placing->topology, &placing->routing, error) !=
            NUCE_OK ||
        nuce_processors_take(&placing->routing, placing->node, world->size, placing->on,
                             &placing->processors, error) != NUCE_OK)
        return error->status;
    return name_file(placing->path, out->topology, error);
}

/* By one of our own placements. */
static nuce_status place(const struct nuce_point *point, struct placing *placing,
                         struct nuce_error *error)
{
    struct nuce_placement_input input = {
        .processes = &placing->processes,
        .processors = &placing->processors,
        .rng = nuce_placing_rng(point->workload->scheduling(point->params)->seed)};
    int *processor =
        nuce_placement_create(nuce_placement_find(placing->params->placement), &input, error);

    if (processor == NULL)
        return error->status;
    for (int i = 0; i < point->ranks; i++)
        placing->rank[i] = placing->on[processor[i]];
    free(processor);
    return NUCE_OK;
}

/* Gives all ranks the processes that rank 0 has, for MPI's functions ask each for its own. */
static nuce_status share_processes(struct nuce_world *world, struct nuce_processes *processes,
                                   struct nuce_error *error)
{
    int64_t entries = world->rank == 0 ? processes->start[processes->ranks] : 0;
    nuce_status status = NUCE_OK;
    int is_line = processes->at != NULL;

    nuce_broadcast(world, &entries, (int64_t)sizeof entries);
    nuce_broadcast(world, &is_line, (int64_t)sizeof is_line);
    nuce_broadcast(world, processes->side, (int64_t)sizeof processes->side);
    if (world->rank != 0) {
        processes->ranks = world->size;
        processes->start = nuce_allocate((int64_t)world->size + 1, sizeof(int64_t), error);
        processes->neighbor = nuce_allocate(entries, sizeof(int), error);
        processes->weight = nuce_allocate(entries, sizeof(double), error);
        processes->at = is_line ? nuce_allocate(world->size, sizeof(int), error) : NULL;
        if (processes->start == NULL || processes->neighbor == NULL || processes->weight == NULL ||
            (is_line && processes->at == NULL))
            status = error->status;
    }
    if (nuce_agree(world, status, error) != NUCE_OK)
        return error->status;
    nuce_broadcast(world, processes->start, (world->size + 1) * (int64_t)sizeof(int64_t));
    nuce_broadcast(world, processes->neighbor, entries * (int64_t)sizeof(int));
    nuce_broadcast(world, processes->weight, entries * (int64_t)sizeof(double));
    if (is_line)
        nuce_broadcast(world, processes->at, world->size * (int64_t)sizeof(int));
    return NUCE_OK;
}

/* Fills placing->rank on all ranks. */
static nuce_status find_ranks(struct nuce_world *world, const struct nuce_point *point,
                              struct placing *placing, struct nuce_placed_world *out,
                              struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    placing->rank = nuce_allocate(world->size, sizeof *placing->rank, error);
    if (placing->rank == NULL)
        status = error->status;
    else if (world->rank == 0 && (find_processes(point, &placing->processes, error) != NUCE_OK ||
                                  find_processors(world, placing, out, error) != NUCE_OK ||
                                  (!is_by_mpi(placing) && place(point, placing, error) != NUCE_OK)))
        status = error->status;
    if (nuce_agree(world, status, error) != NUCE_OK)
        return error->status;
    if (is_by_mpi(placing) &&
        (share_processes(world, &placing->processes, error) != NUCE_OK ||
         nuce_agree(world, nuce_reorder(world, &placing->processes, placing->rank, error), error) !=
             NUCE_OK))
        return error->status;
    nuce_broadcast(world, placing->rank, world->size * (int64_t)sizeof *placing->rank);
    return NUCE_OK;
}

/* What the model says of it. Rank 0. */
static nuce_status weigh(const struct placing *placing, struct nuce_placed_world *out,
                         struct nuce_error *error)
{
    int ranks = placing->processes.ranks;
    int *processor, *of_rank;
    nuce_status status = NUCE_FAILED;

    if (placing->path == NULL)
        return NUCE_OK;
    processor = nuce_allocate(ranks, sizeof *processor, error);
    of_rank = nuce_allocate(ranks, sizeof *of_rank, error);
    if (processor != NULL && of_rank != NULL) {
        for (int p = 0; p < ranks; p++)
            of_rank[placing->on[p]] = p;
        for (int i = 0; i < ranks; i++)
            processor[i] = of_rank[placing->rank[i]];
        out->cardinality =
            nuce_placement_cardinality(&placing->processes, &placing->processors, processor);
        status = nuce_placement_latency(&placing->processes, &placing->processors, processor, 0,
                                        &out->latency_s, error);
    }
    free(processor);
    free(of_rank);
    return status;
}

/* Without a topology any other rank is elsewhere. */
static int64_t count_moved(const struct placing *placing, int ranks)
{
    int64_t moved = 0;

    for (int i = 0; i < ranks; i++)
        moved += placing->node == NULL ? placing->rank[i] != i
                                       : placing->node[placing->rank[i]] != placing->node[i];
    return moved;
}

static MPI_Comm copy(MPI_Comm comm)
{
    MPI_Comm copied;

    NUCE_MPI(MPI_Comm_dup(comm, &copied));
    NUCE_MPI(MPI_Comm_set_errhandler(copied, MPI_ERRORS_RETURN));
    return copied;
}

/* Communicators in which every process has its own number. */
static void renumber(struct nuce_world *world, const int *rank, struct nuce_world *out)
{
    int process = 0;

    while (rank[process] != world->rank)
        process++;
    *out = *world;
    out->rank = process;
    out->hosts = NULL;
    NUCE_MPI(MPI_Comm_split(world->comm, 0, process, &out->comm));
    NUCE_MPI(MPI_Comm_set_errhandler(out->comm, MPI_ERRORS_RETURN));
    out->control = copy(out->comm);
    out->rounds = copy(out->comm);
    nuce_barrier_init(&out->barrier, out->rounds);
}

nuce_status nuce_placed_world_init(struct nuce_world *world, const struct nuce_point *point,
                                   struct nuce_placed_world *out, struct nuce_error *error)
{
    struct nuce_placed_world placed = {.cardinality = NAN, .latency_s = NAN};
    struct placing placing = {.params = nuce_placed_world_wanted(point)};
    nuce_status status = find_ranks(world, point, &placing, &placed, error);

    if (status == NUCE_OK)
        status =
            nuce_agree(world, world->rank == 0 ? weigh(&placing, &placed, error) : NUCE_OK, error);
    if (status == NUCE_OK) {
        placed.first = placing.rank[0];
        placed.moved = world->rank == 0 ? count_moved(&placing, world->size) : 0;
        renumber(world, placing.rank, &placed.world);
        *out = placed;
    }
    placing_fini(&placing);
    return status;
}

void nuce_placed_world_fini(struct nuce_placed_world *placed)
{
    nuce_barrier_fini(&placed->world.barrier);
    NUCE_MPI(MPI_Comm_free(&placed->world.rounds));
    NUCE_MPI(MPI_Comm_free(&placed->world.control));
    NUCE_MPI(MPI_Comm_free(&placed->world.comm));
}

nuce_status nuce_placed_world_bring(struct nuce_world *world,
                                    const struct nuce_placed_world *placed, json_t **value,
                                    struct nuce_error *error)
{
    int is_here = world->rank == placed->first && *value != NULL;
    char *text = is_here ? json_dumps(*value, JSON_COMPACT) : NULL;
    int64_t bytes = text == NULL ? 0 : (int64_t)strlen(text) + 1;
    nuce_status status = is_here && text == NULL ? NUCE_FAILED : NUCE_OK;

    json_decref(*value);
    *value = NULL;
    bytes = world->rank == placed->first ? bytes : 0;
    nuce_sum(world, &bytes, 1);
    if (bytes > 0 && text == NULL)
        text = nuce_allocate(bytes, 1, error);
    if (bytes > 0 && text == NULL)
        status = NUCE_FAILED;
    if (status != NUCE_OK)
        (void)nuce_error_set(error, NUCE_FAILED, "out of memory for what a placed process tells");
    status = nuce_agree(world, status, error);
    if (status == NUCE_OK && bytes > 0) {
        nuce_control_broadcast(world, text, nuce_int(bytes), MPI_CHAR, placed->first);
        *value = world->rank == 0 ? json_loads(text, 0, NULL) : NULL;
        if (world->rank == 0 && *value == NULL)
            status = nuce_error_set(error, NUCE_FAILED, "what process 0 tells did not arrive");
        status = nuce_agree(world, status, error);
    }
    free(text);
    return status;
}
