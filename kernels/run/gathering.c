/* Messages travel as triples of numbers: source, destination, bytes. Whole patterns are gathered
 * in two steps, on each node and then between the nodes' first ranks. A node thus has one copy,
 * and no other rank ever has the whole pattern.
 *
 * Cost: O(own messages + ranks) on each rank for its own messages; for the whole, all messages
 * in the memory of one rank a node. Limits: MPI counts in int, so no rank takes more than
 * INT_MAX / 3 messages at a time; more are refused, on all ranks. Ranks agree on a failure
 * before the next collective call, in which all would wait. */
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
#include "schedules/share.h"
#include "schedules/store_forward.h"

/* A message is three numbers: source, destination, bytes. */
enum { TRIPLE = 3 };

/* The communicator in which the first rank, the leader, gathers for all. */
static MPI_Comm gathering_group(const struct nuce_world *world)
{
    return nuce_simulation_is_on() ? world->control : world->node;
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
    return rank_in(gathering_group(world)) == 0;
}

void nuce_gathering_members(const struct nuce_world *world, int **ranks, int *count)
{
    MPI_Comm group = gathering_group(world);
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

/* Lists of numbers for each rank of a communicator, in the order of ranks. */
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

/* Sets the start of each list, and allocates room for all, from the known counts. MPI counts in
 * int. */
static nuce_status lists_lay_out(struct lists *lists, struct nuce_error *error)
{
    lists->total = 0;
    for (int i = 0; i < lists->ranks; i++) {
        if (lists->total > INT_MAX - lists->count[i])
            return nuce_error_set(error, NUCE_FAILED, "COM has more than %d messages",
                                  INT_MAX / TRIPLE);
        lists->at[i] = (int)lists->total;
        lists->total += lists->count[i];
    }
    lists->number = nuce_allocate(lists->total, sizeof *lists->number);
    return NUCE_OK;
}

/* Entry k of rows, in the row of rank source, as three numbers. */
static void put_triple(int64_t *triple, const struct nuce_pattern *rows, int source, int64_t k)
{
    triple[0] = source;
    triple[1] = rows->destination[k];
    triple[2] = rows->bytes[k];
}

/* A pattern of count messages. Freed with nuce_pattern_fini. Local. */
static nuce_status pattern_of(const int64_t *triples, int64_t count, int ranks,
                              struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_message *messages = nuce_allocate(count, sizeof *messages);
    nuce_status status;

    for (int64_t k = 0; k < count; k++)
        messages[k] = (struct nuce_message){.source = (int)triples[TRIPLE * k],
                                            .destination = (int)triples[TRIPLE * k + 1],
                                            .bytes = triples[TRIPLE * k + 2]};
    status = nuce_pattern_init(ranks, messages, count, out, error);
    free(messages);
    return status;
}

/* Makes a list of triples for each rank that a message of the row concerns. It passes over the
 * row twice, once to count and once to fill, through the same stops. Ranks agree three times:
 * before the counts are sent, before the lists are, and on the resulting pattern. */
nuce_status nuce_gathering_concern(struct nuce_world *world, const struct nuce_pattern *rows,
                                   int64_t own_radix, struct nuce_pattern *out,
                                   struct nuce_error *error)
{
    struct lists mine, theirs;
    int stops[NUCE_STORE_FORWARD_MOST_STOPS], rank = world->rank;
    int *used = nuce_allocate(world->size, sizeof *used);
    nuce_status status = NUCE_OK;

    lists_allocate(world->size, &mine);
    lists_allocate(world->size, &theirs);
    for (int is_counted = 0; is_counted < 2 && status == NUCE_OK; is_counted++) {
        for (int64_t k = rows->row[rank]; k < rows->row[rank + 1]; k++) {
            int count =
                nuce_schedule_stops(world->size, own_radix, rank, rows->destination[k], stops);

            while (count-- > 0) {
                int stop = stops[count];

                if (is_counted)
                    put_triple(mine.number + mine.at[stop] + used[stop], rows, rank, k);
                *(is_counted ? &used[stop] : &mine.count[stop]) += TRIPLE;
            }
        }
        if (!is_counted)
            status = lists_lay_out(&mine, error);
    }
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK) {
        nuce_control_alltoall(world, mine.count, MPI_INT, theirs.count);
        status = nuce_world_agree(world, lists_lay_out(&theirs, error), error);
    }
    if (status == NUCE_OK) {
        nuce_control_alltoallv(world, mine.number, mine.count, mine.at, MPI_INT64_T, theirs.number,
                               theirs.count, theirs.at);
        status = pattern_of(theirs.number, theirs.total / TRIPLE, world->size, out, error);
        status = nuce_world_agree(world, status, error);
    }
    free(used);
    lists_free(&mine);
    lists_free(&theirs);
    return status;
}

/* The first rank of each group gathers its ranks' lists. Then the leaders exchange these for the
 * lists of all nodes. Other ranks take no part in that. */
nuce_status nuce_gathering_whole(struct nuce_world *world, const struct nuce_pattern *rows,
                                 enum nuce_gatherers gatherers, struct nuce_pattern *out,
                                 struct nuce_error *error)
{
    MPI_Comm group = gatherers == NUCE_GATHER_FIRST ? world->control : gathering_group(world);
    int is_first = rank_in(group) == 0, size = size_of(group);
    int is_among_leaders =
        gatherers == NUCE_GATHER_LEADERS && size < world->size && world->leaders != MPI_COMM_NULL;
    struct lists lists = {0}, all = {0};
    int64_t first = rows->row[world->rank], messages = rows->row[world->rank + 1] - first;
    int count = nuce_int(TRIPLE * messages); /* of numbers, three a message */
    int64_t *mine = nuce_allocate(count, sizeof *mine);
    nuce_status status = NUCE_OK;

    for (int64_t k = 0; k < messages; k++)
        put_triple(mine + TRIPLE * k, rows, world->rank, first + k);
    if (is_first)
        lists_allocate(size, &lists);
    nuce_control_gather(world, &count, 1, MPI_INT, lists.count, group);
    if (is_first)
        status = lists_lay_out(&lists, error);
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK)
        nuce_control_gatherv(world, mine, count, MPI_INT64_T, lists.number, lists.count, lists.at,
                             group);
    free(mine);
    if (status == NUCE_OK && is_among_leaders) {
        count = (int)lists.total;
        lists_allocate(size_of(world->leaders), &all);
        nuce_control_allgather(world, &count, 1, MPI_INT, all.count, world->leaders);
        status = lists_lay_out(&all, error);
    }
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK && is_among_leaders) {
        nuce_control_allgatherv(world, lists.number, count, MPI_INT64_T, all.number, all.count,
                                all.at, world->leaders);
        lists_free(&lists);
        lists = all;
        all = (struct lists){0};
    }
    if (status == NUCE_OK && is_first)
        status = pattern_of(lists.number, lists.total / TRIPLE, world->size, out, error);
    lists_free(&lists);
    lists_free(&all);
    return nuce_world_agree(world, status, error);
}

/* One scatter of sizes, and one of all data. Only a leader has the whole, and assembles the data
 * of its ranks in order. A rank gets its row and its column (messages to itself only in the row)
 * and its share of the schedule. */
nuce_status nuce_gathering_hand_out(struct nuce_world *world, const struct nuce_pattern *whole,
                                    const struct nuce_schedule *schedule,
                                    const struct nuce_schedule_ops *ops, struct nuce_pattern *out,
                                    struct nuce_schedule *share, struct nuce_error *error)
{
    MPI_Comm group = gathering_group(world);
    struct nuce_pattern columns = {0}; /* the whole pattern, by destination */
    struct nuce_shares all = {0};
    int *member = NULL, *count = NULL, *at = NULL, size = 0, mine = 0;
    int64_t *send_of = NULL, *number = NULL;
    nuce_status status = NUCE_OK;

    if (nuce_gathering_leads(world)) {
        nuce_gathering_members(world, &member, &size);
        count = nuce_allocate(size, sizeof *count);
        at = nuce_allocate(size, sizeof *at);
        status = nuce_pattern_transpose(whole, &columns, error);
        if (status == NUCE_OK && schedule != NULL)
            nuce_share_index(schedule, &send_of);
    }
    for (int place = 0; status == NUCE_OK && place < size; place++) {
        int rank = member[place];
        int64_t begin = all.count;

        nuce_share_more(&all, 1);
        for (int64_t k = whole->row[rank]; k < whole->row[rank + 1]; k++)
            put_triple(nuce_share_more(&all, TRIPLE), whole, rank, k);
        for (int64_t k = columns.row[rank]; k < columns.row[rank + 1]; k++) {
            const int64_t triple[TRIPLE] = {columns.destination[k], rank, columns.bytes[k]};

            if (columns.destination[k] != rank)
                memcpy(nuce_share_more(&all, TRIPLE), triple, sizeof triple);
        }
        all.number[begin] = (all.count - begin - 1) / TRIPLE;
        if (schedule != NULL)
            nuce_share_add(schedule, send_of, rank, &all);
        if (all.count > INT_MAX)
            status = nuce_error_set(error, NUCE_FAILED,
                                    "more than %lld bytes of schedules for the ranks of a node",
                                    (long long)INT_MAX * (long long)sizeof *all.number);
        at[place] = (int)begin;
        count[place] = (int)(all.count - begin);
    }
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK) {
        nuce_control_scatter(world, count, 1, MPI_INT, &mine, group);
        number = nuce_allocate(mine, sizeof *number);
        nuce_control_scatterv(world, all.number, count, at, MPI_INT64_T, number, mine, group);
        status = pattern_of(number + 1, number[0], world->size, out, error);
        if (status == NUCE_OK && share != NULL)
            nuce_share_assemble(number + 1 + TRIPLE * number[0], ops, world->size, share);
        status = nuce_world_agree(world, status, error);
    }
    nuce_pattern_fini(&columns);
    free(all.number);
    free(member);
    free(count);
    free(at);
    free(send_of);
    free(number);
    return status;
}
