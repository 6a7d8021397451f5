/* Messages travel as triples of numbers: source, destination, bytes. Whole patterns come together
 * in two steps, on each node and then between the nodes' first ranks, so that a node has one copy
 * of what it gets and no other rank ever has.
 *
 * Cost: O(own messages + ranks) on each rank for what concerns it; for the whole, all messages in
 * the memory of one rank a node. Limits: MPI counts in int, so that no rank takes more than INT_MAX
 * / 3 messages at a time; more are refused, on all ranks. A failure on one rank is agreed on before
 * the next collective call, which all would wait in. */
#include "run/gathering.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "run/check.h"
#include "run/control.h"
#include "run/simulation.h"
#include "run/world.h"
#include "schedules/store_forward.h"

MPI_Comm nuce_gathering_group(const struct nuce_world *world)
{
    return nuce_simulation_blocks() ? world->control : world->node;
}

static int rank_in(MPI_Comm comm)
{
    int rank;

    NUCE_MPI(MPI_Comm_rank(comm, &rank));
    return rank;
}

static int size_of(MPI_Comm comm)
{
    int size;

    NUCE_MPI(MPI_Comm_size(comm, &size));
    return size;
}

int nuce_gathering_leads(const struct nuce_world *world)
{
    return rank_in(nuce_gathering_group(world)) == 0;
}

void nuce_gathering_members(const struct nuce_world *world, int **ranks, int *count)
{
    MPI_Comm group = nuce_gathering_group(world);
    int size = size_of(group);
    int *place = nuce_allocate(size, sizeof *place);
    int *member = nuce_allocate(size, sizeof *member);
    MPI_Group all, some;

    for (int i = 0; i < size; i++)
        place[i] = i;
    NUCE_MPI(MPI_Comm_group(world->control, &all));
    NUCE_MPI(MPI_Comm_group(group, &some));
    NUCE_MPI(MPI_Group_translate_ranks(some, size, place, all, member));
    NUCE_MPI(MPI_Group_free(&some));
    NUCE_MPI(MPI_Group_free(&all));
    free(place);
    *ranks = member;
    *count = size;
}

/* Lists of so many numbers for each rank of a communicator, one behind the other. */
struct lists {
    int ranks;
    int *count; /* ranks */
    int *at;    /* ranks */
    int64_t total;
    int64_t *number; /* total */
};

static void lists_free(struct lists *lists)
{
    free(lists->count);
    free(lists->at);
    free(lists->number);
}

static void lists_allocate(int ranks, struct lists *out)
{
    *out = (struct lists){.ranks = ranks};
    out->count = nuce_allocate(ranks, sizeof *out->count);
    out->at = nuce_allocate(ranks, sizeof *out->at);
}

/* Once the counts are known: where each begins, and room for all. MPI counts in int. */
static nuce_status lists_lay_out(struct lists *lists, struct nuce_error *error)
{
    lists->total = 0;
    for (int i = 0; i < lists->ranks; i++) {
        if (lists->total > INT_MAX - lists->count[i])
            return nuce_error_set(error, NUCE_FAILED, "COM has more than %d messages",
                                  INT_MAX / NUCE_TRIPLE);
        lists->at[i] = (int)lists->total;
        lists->total += lists->count[i];
    }
    lists->number = nuce_allocate(lists->total, sizeof *lists->number);
    return NUCE_OK;
}

void nuce_gathering_put(int64_t *triple, const struct nuce_pattern *rows, int source, int64_t k)
{
    triple[0] = source;
    triple[1] = rows->destination[k];
    triple[2] = rows->bytes[k];
}

/* Lists of triples for each rank that a message of the row concerns. Local. Two passes over the
 * row, one that counts and one that fills, through the same stops. */
static nuce_status tell_lists(const struct nuce_world *world, const struct nuce_pattern *rows,
                              int64_t own_radix, struct lists *out, struct nuce_error *error)
{
    int stops[NUCE_STORE_FORWARD_MOST_STOPS], rank = world->rank;
    int *used;

    lists_allocate(world->size, out);
    for (int64_t k = rows->row[rank]; k < rows->row[rank + 1]; k++) {
        int count = nuce_schedule_stops(world->size, own_radix, rank, rows->destination[k], stops);

        while (count-- > 0)
            out->count[stops[count]] += NUCE_TRIPLE;
    }
    used = nuce_allocate(world->size, sizeof *used);
    if (lists_lay_out(out, error) != NUCE_OK) {
        free(used);
        return error->status;
    }
    for (int64_t k = rows->row[rank]; k < rows->row[rank + 1]; k++) {
        int count = nuce_schedule_stops(world->size, own_radix, rank, rows->destination[k], stops);

        while (count-- > 0) {
            int stop = stops[count];

            nuce_gathering_put(out->number + out->at[stop] + used[stop], rows, rank, k);
            used[stop] += NUCE_TRIPLE;
        }
    }
    free(used);
    return NUCE_OK;
}

nuce_status nuce_gathering_pattern(const int64_t *triples, int64_t count, int ranks,
                                   struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_message *messages = nuce_allocate(count, sizeof *messages);
    nuce_status status;

    for (int64_t k = 0; k < count; k++)
        messages[k] = (struct nuce_message){.source = (int)triples[NUCE_TRIPLE * k],
                                            .destination = (int)triples[NUCE_TRIPLE * k + 1],
                                            .bytes = triples[NUCE_TRIPLE * k + 2]};
    status = nuce_pattern_init(ranks, messages, count, out, error);
    free(messages);
    return status;
}

/* Agreed upon three times: before counts are told, before the lists are, and of what is made of
 * them. */
nuce_status nuce_gathering_concern(struct nuce_world *world, const struct nuce_pattern *rows,
                                   int64_t own_radix, struct nuce_pattern *out,
                                   struct nuce_error *error)
{
    struct lists mine = {0}, theirs = {0};
    nuce_status status = tell_lists(world, rows, own_radix, &mine, error);

    if (status == NUCE_OK)
        lists_allocate(world->size, &theirs);
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK) {
        nuce_control_alltoall(world, mine.count, MPI_INT, theirs.count);
        status = nuce_world_agree(world, lists_lay_out(&theirs, error), error);
    }
    if (status == NUCE_OK) {
        nuce_control_alltoallv(world, mine.number, mine.count, mine.at, MPI_INT64_T, theirs.number,
                               theirs.count, theirs.at);
        status = nuce_gathering_pattern(theirs.number, theirs.total / NUCE_TRIPLE, world->size, out,
                                        error);
        status = nuce_world_agree(world, status, error);
    }
    lists_free(&mine);
    lists_free(&theirs);
    return status;
}

/* At rank 0 of comm, which has made lists, those of each of its ranks; elsewhere lists stays empty.
 * Collective over the world. */
static nuce_status gather_lists(struct nuce_world *world, MPI_Comm comm, const int64_t *mine,
                                int count, struct lists *lists, struct nuce_error *error)
{
    int is_first = rank_in(comm) == 0;
    nuce_status status = NUCE_OK;

    nuce_control_gather(world, &count, 1, MPI_INT, lists->count, comm);
    if (is_first)
        status = lists_lay_out(lists, error);
    if (nuce_world_agree(world, status, error) != NUCE_OK)
        return error->status;
    nuce_control_gatherv(world, mine, count, MPI_INT64_T, lists->number, lists->count, lists->at,
                         comm);
    return NUCE_OK;
}

/* Between leaders, each of which has the lists of its node: in place of these what all nodes have.
 * Collective over the world, in which others have no part. */
static nuce_status exchange_lists(struct nuce_world *world, struct lists *lists,
                                  struct nuce_error *error)
{
    struct lists all = {0};
    int has_part = world->leaders != MPI_COMM_NULL, count = (int)lists->total;
    nuce_status status = NUCE_OK;

    if (has_part) {
        lists_allocate(size_of(world->leaders), &all);
        nuce_control_allgather(world, &count, 1, MPI_INT, all.count, world->leaders);
        status = lists_lay_out(&all, error);
    }
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK && has_part) {
        nuce_control_allgatherv(world, lists->number, count, MPI_INT64_T, all.number, all.count,
                                all.at, world->leaders);
        lists_free(lists);
        *lists = all;
        return NUCE_OK;
    }
    lists_free(&all);
    return status;
}

nuce_status nuce_gathering_whole(struct nuce_world *world, const struct nuce_pattern *rows,
                                 enum nuce_gatherers gatherers, struct nuce_pattern *out,
                                 struct nuce_error *error)
{
    MPI_Comm group = gatherers == NUCE_GATHER_FIRST ? world->control : nuce_gathering_group(world);
    struct lists lists = {0};
    int64_t first = rows->row[world->rank], messages = rows->row[world->rank + 1] - first;
    int count = nuce_int(NUCE_TRIPLE * messages); /* of numbers, three a message */
    int64_t *mine = nuce_allocate(count, sizeof *mine);
    nuce_status status;

    for (int64_t k = 0; k < messages; k++)
        nuce_gathering_put(mine + NUCE_TRIPLE * k, rows, world->rank, first + k);
    if (rank_in(group) == 0)
        lists_allocate(size_of(group), &lists);
    status = gather_lists(world, group, mine, count, &lists, error);
    free(mine);
    if (status == NUCE_OK && gatherers == NUCE_GATHER_LEADERS && size_of(group) < world->size)
        status = exchange_lists(world, &lists, error);
    if (status == NUCE_OK && rank_in(group) == 0)
        status = nuce_gathering_pattern(lists.number, lists.total / NUCE_TRIPLE, world->size, out,
                                        error);
    lists_free(&lists);
    return nuce_world_agree(world, status, error);
}
