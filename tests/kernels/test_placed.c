/* Ranks that are renumbered as placed processes, and the collectives of nuce's own among them. The
 * machine is synthetic: ranks in order on the nodes of a file, two on each switch, switches in a
 * row, so that hops are a difference of numbers. */
#include "expect.h"

#include <unistd.h>

#include "mapping/placement.h"
#include "run/control.h"
#include "run/nodes.h"
#include "run/placed_world.h"

#define RANKS_MOST 8

/* Files that all ranks read. */
struct placed_files {
    char folder[64], com[96], topology[96], hosts[96];
};

static FILE *file_of(const char *path)
{
    FILE *file = fopen(path, "w");

    NUCE_ASSERT(file != NULL);
    return file;
}

/* The k-th destination of process i: to the next but one, so that the order of numbers is not a
 * good one.
 */
static int partner_of(int process, int ranks)
{
    return (process + 2) % ranks;
}

static int64_t bytes_of(int process)
{
    return 100 + process;
}

/* Rank 0 writes them. Collective. */
static void files_make(struct nuce_world *world, struct placed_files *files)
{
    char host[64] = "";
    FILE *file;

    strcpy(files->folder, "/tmp/nuce-placed-XXXXXX");
    if (world->rank == 0)
        NUCE_ASSERT(mkdtemp(files->folder) != NULL);
    nuce_world_broadcast(world, files->folder, sizeof files->folder);
    snprintf(files->com, sizeof files->com, "%s/com", files->folder);
    snprintf(files->topology, sizeof files->topology, "%s/row.topology", files->folder);
    snprintf(files->hosts, sizeof files->hosts, "%s/hosts", files->folder);
    if (world->rank == 0) {
        file = file_of(files->com);
        fprintf(file, "%d\n", world->size);
        for (int i = 0; i < world->size; i++)
            fprintf(file, "%d %d %d\n", i, partner_of(i, world->size), (int)bytes_of(i));
        NUCE_ASSERT(fclose(file) == 0);
        file = file_of(files->topology);
        for (int i = 0; i < world->size; i++) {
            if (i % 2 == 0 && i > 0)
                fprintf(file, "switch s%d s%d\n", i / 2 - 1, i / 2);
            fprintf(file, "node n%d s%d\n", i, i / 2);
        }
        NUCE_ASSERT(fclose(file) == 0);
        NUCE_ASSERT(gethostname(host, sizeof host - 1) == 0);
        file = file_of(files->hosts);
        fprintf(file, "switch a b\nnode %s a\nnode elsewhere b\n", host);
        NUCE_ASSERT(fclose(file) == 0);
    }
    nuce_world_barrier(world);
}

static void files_remove(struct nuce_world *world, const struct placed_files *files)
{
    nuce_world_barrier(world);
    if (world->rank != 0)
        return;
    unlink(files->com);
    unlink(files->topology);
    unlink(files->hosts);
    rmdir(files->folder);
}

static void point_make(const struct placed_files *files, int ranks, const char *placement,
                       struct nuce_point *point)
{
    char settings[512];

    nuce_point_init(&nuce_workload_exchange, ranks, point);
    snprintf(settings, sizeof settings,
             "schedule=ac com=%s placement=%s topology=%s topology-nodes=in-order", files->com,
             placement, files->topology);
    point_set(point, settings);
}

/* Sets rank_of[process] on all ranks, as the placed communicator has it; failures are those in
 * which it is not a permutation. */
static void find_ranks(struct nuce_world *world, struct nuce_placed_world *placed, int *rank_of)
{
    int seen[RANKS_MOST] = {0};

    nuce_control_allgather(&placed->world, &world->rank, 1, MPI_INT, rank_of,
                           placed->world.control);
    for (int process = 0; process < world->size; process++)
        seen[rank_of[process]]++;
    for (int rank = 0; rank < world->size; rank++)
        expect(world, seen[rank] == 1, "a permutation of the ranks");
    expect(world, rank_of[placed->world.rank] == world->rank, "its own number");
    expect(world, placed->first == rank_of[0], "process 0");
}

/* Bytes times links, from switch to switch in the row; and the ranks on another node than the rank
 * of its number. */
static void check_weights(struct nuce_world *world, const struct nuce_placed_world *placed,
                          const int *rank_of)
{
    double cardinality = 0;
    int64_t moved = 0;

    for (int i = 0; i < world->size; i++) {
        int from = rank_of[i] / 2, to = rank_of[partner_of(i, world->size)] / 2;

        cardinality += (double)bytes_of(i) * abs(from - to);
        moved += rank_of[i] != i;
    }
    if (world->rank != 0)
        return;
    expect(world, is_near(placed->cardinality, cardinality), "cardinality");
    expect(world, placed->moved == moved, "processes moved");
    expect(world, memcmp(placed->topology, "row.topology@", 13) == 0, "its file");
}

/* Three messages of rising length, from all to all and from one to all, among the processes. */
static void check_control(struct nuce_world *world)
{
    int n = world->size, me = world->rank;
    int counts[RANKS_MOST] = {0}, at[RANKS_MOST] = {0}, theirs[RANKS_MOST], their_at[RANKS_MOST];
    int mine[RANKS_MOST * RANKS_MOST] = {0}, all[RANKS_MOST * RANKS_MOST], total = 0;

    for (int i = 0; i < n; i++) {
        counts[i] = i;
        at[i] = total;
        total += i;
    }
    for (int i = 0; i < me; i++)
        mine[i] = 100 * me + i;
    memset(all, -1, sizeof all);
    nuce_control_allgatherv(world, mine, me, MPI_INT, all, counts, at, world->control);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            expect(world, all[at[i] + k] == 100 * i + k, "allgatherv");
    }
    /* Back from rank 0, which has all of it, to their owners. */
    memset(mine, -1, sizeof mine);
    nuce_control_scatterv(world, me == 0 ? all : NULL, counts, at, MPI_INT, mine, me,
                          world->control);
    for (int k = 0; k < me; k++)
        expect(world, mine[k] == 100 * me + k, "scatterv");
    memset(all, -1, sizeof all);
    nuce_control_gatherv(world, mine, me, MPI_INT, me == 0 ? all : NULL, counts, at,
                         world->control);
    for (int i = 0; me == 0 && i < n; i++) {
        for (int k = 0; k < i; k++)
            expect(world, all[at[i] + k] == 100 * i + k, "gatherv");
    }
    for (int i = 0; i < n; i++)
        mine[i] = 100 * me + i;
    nuce_control_alltoall(world, mine, MPI_INT, all);
    for (int i = 0; i < n; i++)
        expect(world, all[i] == 100 * i + me, "alltoall");
    /* me sends i numbers to rank i, and gets me of each. */
    for (int i = 0; i < total; i++)
        mine[i] = 1000 * me + i;
    for (int i = 0; i < n; i++) {
        theirs[i] = me;
        their_at[i] = me * i;
    }
    nuce_control_alltoallv(world, mine, counts, at, MPI_INT, all, theirs, their_at);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < me; k++)
            expect(world, all[their_at[i] + k] == 1000 * i + at[me] + k, "alltoallv");
    }
}

/* The rest of them, the value of rank 0 of `comm` being that of process 0. */
static void check_first(struct nuce_world *world)
{
    int n = world->size, me = world->rank, value = me + 7, all[RANKS_MOST];
    int large[RANKS_MOST];

    nuce_control_gather(world, &value, 1, MPI_INT, me == 0 ? all : NULL, world->control);
    for (int i = 0; i < n; i++) {
        expect(world, me != 0 || all[i] == i + 7, "gather");
        large[i] = 10 * i;
    }
    nuce_control_scatter(world, me == 0 ? large : NULL, 1, MPI_INT, &value, world->control);
    expect(world, value == 10 * me, "scatter");
    nuce_control_allreduce(world, &value, 1, MPI_INT, MPI_MAX, world->control);
    expect(world, value == 10 * (n - 1), "allreduce");
    value = me;
    nuce_control_broadcast(world, &value, 1, MPI_INT, n - 1);
    expect(world, value == n - 1, "broadcast");
}

/* Both forms: where ranks wait in MPI, and where they do not. */
static void check_both_forms(const struct nuce_world *world)
{

    for (int block = 0; block < 2; block++) {
        struct nuce_world either = *world;

        either.wait.block = block;
        check_control(&either);
        check_first(&either);
    }
}

/* The text of process 0 arrives on rank 0; without a text, nothing arrives. */
static void check_bring(struct nuce_world *world, struct nuce_placed_world *placed)
{
    json_t *value = json_pack("{s:i}", "process", placed->world.rank);
    struct nuce_error error = {0};

    expect(world, nuce_placed_world_bring(world, placed, &value, &error) == NUCE_OK, error.message);

    expect(world, (value != NULL) == (world->rank == 0), "it is at rank 0 alone");
    expect(world, value == NULL || json_integer_value(json_object_get(value, "process")) == 0,
           "process 0's");
    json_decref(value);
    value = world->rank == placed->first ? NULL : json_object();
    expect(world, nuce_placed_world_bring(world, placed, &value, &error) == NUCE_OK, error.message);
    expect(world, value == NULL, "nothing");
}

static void check_placement(struct nuce_world *world, const struct placed_files *files,
                            const char *placement)
{
    struct nuce_placed_world placed;
    struct nuce_point point;
    struct nuce_error error = {0};
    int rank_of[RANKS_MOST];

    point_make(files, world->size, placement, &point);
    if (nuce_placed_world_init(world, &point, &placed, &error) != NUCE_OK) {
        nuce_point_fini(&point);
        expect(world, 0, nuce_error_flatten(&error));
        return;
    }
    find_ranks(world, &placed, rank_of);
    check_weights(world, &placed, rank_of);
    check_bring(world, &placed);
    check_both_forms(&placed.world);
    expect(world, placed.world.size == world->size && placed.world.hosts == NULL, "size");
    nuce_world_barrier(&placed.world);
    nuce_placed_world_fini(&placed);
    nuce_point_fini(&point);
}

/* A topology that has gone, or lacks nodes, after the point was completed: all ranks fail, with the
 * same message, and *out is unchanged. */
static void check_failure(struct nuce_world *world, const struct placed_files *files)
{
    struct nuce_placed_world placed = {.moved = -5};
    struct nuce_point point;
    struct nuce_error error = {0};

    point_make(files, world->size, "rm", &point);
    strcpy(((struct nuce_exchange_params *)point.params)->placing.topology, "/none");
    expect(world,
           nuce_placed_world_init(world, &point, &placed, &error) == NUCE_BAD_INPUT &&
               strstr(nuce_error_flatten(&error), "/none") != NULL,
           nuce_error_flatten(&error));
    expect(world, placed.moved == -5, "as it was");
    nuce_point_fini(&point);
}

/* All ranks are on this host, so in its group; a host that the file lacks is refused; without a
 * file nothing is known. */
static void check_groups(struct nuce_world *world, const struct placed_files *files)
{
    struct nuce_error error = {0};
    int *group_of = NULL;

    expect(world, nuce_nodes_groups(world, files->hosts, &group_of, &error) == NUCE_OK,
           nuce_error_flatten(&error));
    for (int i = 0; group_of != NULL && i < world->size; i++)
        expect(world, group_of[i] == 0, "the group of this host");
    expect(world, group_of != NULL, "groups");
    free(group_of);
    expect(world,
           nuce_nodes_groups(world, files->topology, &group_of, &error) == NUCE_BAD_INPUT &&
               group_of == NULL,
           "this host is not in that file");
    unsetenv("SLURM_JOB_ID");
    expect(world, nuce_nodes_groups(world, "", &group_of, &error) == NUCE_OK && group_of == NULL,
           "no file tells");
}

int main(int argc, char **argv)
{
    static const char *const placements[] = {"rm", "linear", "bisection", "mpi-reorder"};
    struct nuce_world world;
    struct placed_files files;
    json_t *hosts = json_array(); /* of the launched order, which is no more */

    ranks_begin(&argc, &argv, &world);
    NUCE_ASSERT(world.size <= RANKS_MOST);
    files_make(&world, &files);
    world.hosts = hosts;
    for (size_t i = 0; i < COUNT(placements); i++)
        check_placement(&world, &files, placements[i]);
    world.hosts = NULL;
    json_decref(hosts);
    check_failure(&world, &files);
    check_groups(&world, &files);
    check_both_forms(&world);
    files_remove(&world, &files);
    return ranks_end(&world);
}
