/* The ranks renumbered as the processes of a placed workload. Rank 0 computes the placement
 * (points/placed_ranks.h), or MPI chooses it, and the communicators are split accordingly.
 *
 * Cost: the placement on rank 0, then a few splits and duplicates of communicators, for the
 * point alone; the world itself stays unchanged and is used again afterwards. Limits: hosts are
 * listed in the old order, and distributed graphs are of the old communicator, so both are
 * unknown in the new world. */
#include "run/placed_world.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "base/int.h"
#include "base/text.h"
#include "points/placed_ranks.h"
#include "run/check.h"
#include "run/control.h"
#include "run/simulation.h"
#include "run/world.h"

/* Finds the file that describes the switches, and the ranks' nodes in it. */

/* The topology.conf of this job's cluster: a new string; NULL with *error: none can be read. */
static char *slurm_topology(struct nuce_error *error)
{
    static const char *const folders[] = {"/etc/slurm", "/run/slurm/conf", "/etc/slurm-llnl"};
    const char *configuration = getenv("SLURM_CONF");
    const char *slash = configuration == NULL ? NULL : strrchr(configuration, '/');
    char *path;

    if (slash != NULL) {
        path = nuce_text_format("%.*s/topology.conf", (int)(slash - configuration), configuration);
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        path = nuce_text_format("%s/topology.conf", folders[i]);
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    nuce_error_refuse(error, "topology",
                      "not given, and Slurm has no topology.conf here, neither beside "
                      "its configuration nor in /etc/slurm: expected a file, such as "
                      "'scontrol show topology' prints");
    return NULL;
}

char *nuce_placed_world_topology_path(const struct nuce_placing *placing, struct nuce_error *error)
{
    char platform[NUCE_PATH_BYTES];

    if (placing->topology[0] != '\0')
        return nuce_text_format("%s", placing->topology);
    if (nuce_simulation_platform(platform, sizeof platform))
        return nuce_text_format("%s", platform);
    if (getenv("SLURM_JOB_ID") != NULL)
        return slurm_topology(error);
    nuce_error_refuse(error, "topology",
                      "not given: expected a file with a placement, except in a "
                      "job of Slurm or on a simulated platform");
    return NULL;
}

/* Ranks in order: rank r is on node r, for topologies with other nodes than this machine. */
nuce_status nuce_placed_world_topology(const struct nuce_world *world,
                                       const struct nuce_placing *placing, const char *path,
                                       struct nuce_topology *out, int *node,
                                       struct nuce_error *error)
{
    struct nuce_topology topology = {0};
    nuce_status status = nuce_topology_read(path, &topology, error);

    if (status != NUCE_OK)
        return nuce_error_about(error, "topology");
    if (nuce_placing_is_in_order(placing) && topology.nodes < world->size)
        status = nuce_error_set(error, NUCE_BAD_INPUT, "%d nodes for %d ranks: expected as many",
                                topology.nodes, world->size);
    if (status == NUCE_OK && nuce_placing_is_in_order(placing)) {
        for (int rank = 0; rank < world->size; rank++)
            node[rank] = rank;
    } else if (status == NUCE_OK) {
        const char **hosts = nuce_allocate(world->size, sizeof *hosts);

        for (int rank = 0; rank < world->size; rank++)
            hosts[rank] = json_string_value(json_array_get(world->hosts, (size_t)rank));
        status = nuce_topology_find_hosts(&topology, hosts, world->size, node, error);
        free(hosts);
    }
    /* Keeps only the island of the ranks' nodes, and renumbers the nodes. */
    for (int i = 1; status == NUCE_OK && i < world->size; i++) {
        if (topology.island[topology.home[node[i]]] != topology.island[topology.home[node[0]]])
            status =
                nuce_error_set(error, NUCE_BAD_INPUT,
                               "no switch joins node '%.80s' of rank 0 and node '%.80s' of rank "
                               "%d: expected ranks on nodes that switches join",
                               topology.node_name[node[0]], topology.node_name[node[i]], i);
    }
    if (status == NUCE_OK) {
        nuce_topology_keep(&topology, topology.island[topology.home[node[0]]], node, world->size);
        *out = topology;
        return NUCE_OK;
    }
    nuce_topology_fini(&topology);
    return nuce_error_prefix(error, "topology: %s", path);
}

/* True if MPI places the processes (reorder of MPI_Dist_graph_create_adjacent), not our code. */
static int is_by_mpi(const struct nuce_placing *placing)
{
    return strcmp(placing->placement, NUCE_PLACEMENT_MPI) == 0;
}

/* Reads the machine under the ranks into placed. Writes its name, NAME@SHA-256, to `name`, so
 * that results identify their topology, wherever its file is. mpi-reorder works without a
 * topology; its modelled cost is then unknown. Rank 0. */
static nuce_status find_machine(const struct nuce_world *world, struct nuce_placed_ranks *placed,
                                char name[NUCE_PATH_BYTES], struct nuce_error *error)
{
    const struct nuce_placing *placing = nuce_placed_ranks_wanted(placed->point);
    char *path = nuce_placed_world_topology_path(placing, error);
    struct nuce_topology topology;
    char hex[NUCE_HASH_BYTES];
    nuce_status status;
    int *node;

    if (path == NULL)
        return is_by_mpi(placing) && error->status == NUCE_BAD_INPUT ? NUCE_OK : error->status;
    node = nuce_allocate(world->size, sizeof *node);
    status = nuce_placed_world_topology(world, placing, path, &topology, node, error);
    if (status == NUCE_OK)
        nuce_placed_ranks_set_machine(placed, &topology, node);
    else
        free(node);
    if (status == NUCE_OK)
        status = nuce_hash_file(path, hex, error);
    if (status == NUCE_OK) {
        char *text = nuce_text_format("%s@%s", basename(path), hex);

        nuce_text_copy(name, NUCE_PATH_BYTES, text);
        free(text);
    }
    free(path);
    return status;
}

/* Gives all ranks rank 0's processes, because MPI's functions ask each for its own. Collective
 * over the world. */
static void share_processes(struct nuce_world *world, struct nuce_processes *processes)
{
    int64_t entries = world->rank == 0 ? processes->start[processes->ranks] : 0;
    int is_line = processes->at != NULL;

    nuce_world_broadcast(world, &entries, (int64_t)sizeof entries);
    nuce_world_broadcast(world, &is_line, (int64_t)sizeof is_line);
    nuce_world_broadcast(world, processes->side, (int64_t)sizeof processes->side);
    if (world->rank != 0) {
        processes->ranks = world->size;
        processes->start = nuce_allocate((int64_t)world->size + 1, sizeof(int64_t));
        processes->neighbor = nuce_allocate(entries, sizeof(int));
        processes->weight = nuce_allocate(entries, sizeof(double));
        processes->at = is_line ? nuce_allocate(world->size, sizeof(int)) : NULL;
    }
    nuce_world_broadcast(world, processes->start, (world->size + 1) * (int64_t)sizeof(int64_t));
    nuce_world_broadcast(world, processes->neighbor, entries * (int64_t)sizeof(int));
    nuce_world_broadcast(world, processes->weight, entries * (int64_t)sizeof(double));
    if (is_line)
        nuce_world_broadcast(world, processes->at, world->size * (int64_t)sizeof(int));
}

/* Asks MPI for communicators that it may reorder (reorder = 1; MPI 4.1, 8.5), and reads the
 * placement from their rank numbers: rank[i], of process i, is the rank of the world that got
 * number i. NUCE_BAD_INPUT if the MPI library cannot be asked. Collective over the world; the same
 * result on all ranks. The processes of a mesh are in row-major order, as in MPI_Cart_create. A
 * graph uses the sum of both directions between two processes as the weight of each. MPI's weights
 * are int: larger numbers of bytes count as INT_MAX. */
static nuce_status reorder(struct nuce_world *world, const struct nuce_processes *processes,
                           int *rank, struct nuce_error *error)
{
    int *scratch = nuce_allocate(world->size, sizeof *scratch);
    int64_t start = processes->start[world->rank];
    int degree = (int)(processes->start[world->rank + 1] - start);
    const int *neighbor = processes->neighbor + start;
    int periods[NUCE_SIDES] = {0};
    MPI_Group reordered, launched;
    MPI_Comm comm;

    if (nuce_simulation_is_on()) { /* SMPI keeps the order, and has no graph topologies */
        free(scratch);
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "placement: 'mpi-reorder': the simulator's MPI does not reorder "
                              "ranks: expected another placement");
    }
    if (processes->at == NULL) {
        NUCE_MPI(MPI_Cart_create(world->comm, NUCE_SIDES, processes->side, periods, 1, &comm));
    } else {
        for (int k = 0; k < degree; k++) {
            double bytes = processes->weight[start + k];

            scratch[k] = bytes < INT_MAX ? (int)bytes : INT_MAX;
        }
        NUCE_MPI(MPI_Dist_graph_create_adjacent(world->comm, degree, neighbor, scratch, degree,
                                                neighbor, scratch, MPI_INFO_NULL, 1, &comm));
    }
    for (int i = 0; i < world->size; i++)
        scratch[i] = i;
    NUCE_MPI(MPI_Comm_group(comm, &reordered));
    NUCE_MPI(MPI_Comm_group(world->comm, &launched));
    NUCE_MPI(MPI_Group_translate_ranks(reordered, world->size, scratch, launched, rank));
    NUCE_MPI(MPI_Group_free(&reordered));
    NUCE_MPI(MPI_Group_free(&launched));
    NUCE_MPI(MPI_Comm_free(&comm));
    free(scratch);
    return NUCE_OK;
}

/* Fills placed->rank (the rank of each process) on all ranks, and the topology's name on rank 0.
 * Rank 0 first finds the processes, the machine, and the placement if it is one of our own, then
 * sends the ranks. Collective over the world. */
static nuce_status placed_find_ranks(struct nuce_world *world, struct nuce_placed_ranks *placed,
                                     char name[NUCE_PATH_BYTES], struct nuce_error *error)
{
    int by_mpi = is_by_mpi(nuce_placed_ranks_wanted(placed->point));
    nuce_status status = NUCE_OK;

    if (world->rank == 0) {
        status = nuce_placed_ranks_find_processes(placed, error);
        if (status == NUCE_OK)
            status = find_machine(world, placed, name, error);
        if (status == NUCE_OK && !by_mpi)
            status = nuce_placed_ranks_place(placed, error);
    }
    if (nuce_world_agree(world, status, error) != NUCE_OK)
        return error->status;
    if (by_mpi) {
        share_processes(world, &placed->processes);
        status = reorder(world, &placed->processes, placed->rank, error);
        if (nuce_world_agree(world, status, error) != NUCE_OK)
            return error->status;
    }
    nuce_world_broadcast(world, placed->rank, world->size * (int64_t)sizeof *placed->rank);
    return NUCE_OK;
}

/* Collective over comm. MPI_Comm_dup may spin in the library (world.c); this is a set-up of one
 * point, and is not timed. */
static MPI_Comm placed_copy(MPI_Comm comm)
{
    MPI_Comm copied;

    NUCE_MPI(MPI_Comm_dup(comm, &copied));
    NUCE_MPI(MPI_Comm_set_errhandler(copied, MPI_ERRORS_RETURN));
    return copied;
}

/* Sets *out to the world with communicators in which every process has its own number. The parts
 * of the node and of this rank (board, watchdog) stay; hosts are unknown in the new order.
 * Collective over the world. */
static void placed_renumber(struct nuce_world *world, const int *rank, struct nuce_world *out)
{
    int process = 0;

    while (rank[process] != world->rank)
        process++;
    *out = *world;
    out->rank = process;
    out->hosts = NULL;
    out->graphs = NULL; /* they are of the other communicator */
    NUCE_MPI(MPI_Comm_split(world->comm, 0, process, &out->comm));
    NUCE_MPI(MPI_Comm_set_errhandler(out->comm, MPI_ERRORS_RETURN));
    out->control = placed_copy(out->comm);
    out->rounds = placed_copy(out->comm);
    nuce_barrier_init(&out->barrier, out->rounds);
    NUCE_MPI(MPI_Comm_split(world->node, 0, process, &out->node));
    NUCE_MPI(MPI_Comm_set_errhandler(out->node, MPI_ERRORS_RETURN));
    nuce_world_split_leaders(out);
}

nuce_status nuce_placed_world_init(struct nuce_world *world, const struct nuce_point *point,
                                   struct nuce_placed_world *out, struct nuce_error *error)
{
    struct nuce_placed_world made = {.cardinality = NAN, .latency_s = NAN};
    struct nuce_placed_ranks placed;
    nuce_status status;

    nuce_placed_ranks_init(point, &placed);
    status = placed_find_ranks(world, &placed, made.topology, error);
    if (status == NUCE_OK) {
        if (world->rank == 0)
            made.moved = nuce_placed_ranks_moved(&placed);
        /* The model's results for the placement, if the machine is known. */
        if (world->rank == 0 && placed.node != NULL)
            nuce_placed_ranks_weigh(&placed, &made.cardinality, &made.latency_s);
        made.first = placed.rank[0];
        placed_renumber(world, placed.rank, &made.world);
        *out = made;
    }
    nuce_placed_ranks_fini(&placed);
    return status;
}

void nuce_placed_world_fini(struct nuce_placed_world *placed)
{
    nuce_barrier_fini(&placed->world.barrier);
    if (placed->world.leaders != MPI_COMM_NULL)
        NUCE_MPI(MPI_Comm_free(&placed->world.leaders));
    NUCE_MPI(MPI_Comm_free(&placed->world.node));
    NUCE_MPI(MPI_Comm_free(&placed->world.rounds));
    NUCE_MPI(MPI_Comm_free(&placed->world.control));
    NUCE_MPI(MPI_Comm_free(&placed->world.comm));
}

/* JSON is sent as text. Its length is sent as a sum in which only process 0 contributes. */
nuce_status nuce_placed_world_bring(struct nuce_world *world,
                                    const struct nuce_placed_world *placed, json_t **value,
                                    struct nuce_error *error)
{
    int is_here = world->rank == placed->first && *value != NULL;
    char *text = is_here ? json_dumps(*value, JSON_COMPACT) : NULL;
    int64_t bytes = text == NULL ? 0 : (int64_t)strlen(text) + 1;
    nuce_status status = NUCE_OK;

    json_decref(*value);
    *value = NULL;
    bytes = world->rank == placed->first ? bytes : 0;
    nuce_world_sum(world, &bytes, 1);
    if (bytes > 0 && text == NULL)
        text = nuce_allocate(bytes, 1);
    if (bytes > 0) {
        nuce_control_broadcast(world, text, nuce_int(bytes), MPI_CHAR, placed->first);
        *value = world->rank == 0 ? json_loads(text, 0, NULL) : NULL;
        if (world->rank == 0 && *value == NULL)
            status = nuce_error_set(error, NUCE_FAILED, "the data of process 0 did not arrive");
        status = nuce_world_agree(world, status, error);
    }
    free(text);
    return status;
}
