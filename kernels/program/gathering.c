/* Messages travel as triples of numbers: source, destination, bytes. Whole patterns come together
 * in two steps, on each node and then between the nodes' first ranks, so that a node has one copy
 * of what it gets and no other rank ever has. */
#include "program/gathering.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "schedules/share.h"
#include "schedules/store_forward.h"
#include "support/allocate.h"
#include "support/int.h"
#include "world/check.h"
#include "world/control.h"
#include "world/simulation.h"

/* Numbers of a message. */
enum { TRIPLE = 3 };

/* Bytes of one message of what is handed out: counts are int. */
#define MOST_AT_ONCE (INT64_C(1) << 30)

void nuce_whole_fini(struct nuce_whole *whole)
{
    nuce_pattern_fini(&whole->pattern);
    nuce_schedule_fini(&whole->schedule);
}

/* Those among whom one rank, the first, gathers for all. */
static MPI_Comm gathering_group(const struct nuce_world *world)
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
    return rank_in(gathering_group(world)) == 0;
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

static nuce_status lists_allocate(int ranks, struct lists *out, struct nuce_error *error)
{
    *out = (struct lists){.ranks = ranks};
    out->count = nuce_allocate(ranks, sizeof *out->count, error);
    out->at = nuce_allocate(ranks, sizeof *out->at, error);
    return out->count == NULL || out->at == NULL ? error->status : NUCE_OK;
}

/* Once the counts are known: where each begins, and room for all. MPI counts in int. */
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
    lists->number = nuce_allocate(lists->total, sizeof *lists->number, error);
    return lists->number == NULL ? error->status : NUCE_OK;
}

static void put_triple(int64_t *triple, const struct nuce_pattern *rows, int source, int64_t k)
{
    triple[0] = source;
    triple[1] = rows->destination[k];
    triple[2] = rows->bytes[k];
}

/* Lists of triples for each rank that a message of the row concerns. Local. */
static nuce_status tell_lists(const struct nuce_world *world, const struct nuce_pattern *rows,
                              int64_t own_radix, struct lists *out, struct nuce_error *error)
{
    int stops[NUCE_STORE_FORWARD_MOST_STOPS], rank = world->rank;
    int *used;

    if (lists_allocate(world->size, out, error) != NUCE_OK)
        return error->status;
    for (int64_t k = rows->row[rank]; k < rows->row[rank + 1]; k++) {
        int count = nuce_schedule_stops(world->size, own_radix, rank, rows->destination[k], stops);

        while (count-- > 0)
            out->count[stops[count]] += TRIPLE;
    }
    used = nuce_allocate(world->size, sizeof *used, error);
    if (used == NULL || lists_lay_out(out, error) != NUCE_OK) {
        free(used);
        return error->status;
    }
    for (int64_t k = rows->row[rank]; k < rows->row[rank + 1]; k++) {
        int count = nuce_schedule_stops(world->size, own_radix, rank, rows->destination[k], stops);

        while (count-- > 0) {
            int stop = stops[count];

            put_triple(out->number + out->at[stop] + used[stop], rows, rank, k);
            used[stop] += TRIPLE;
        }
    }
    free(used);
    return NUCE_OK;
}

/* Local. */
static nuce_status pattern_of_triples(const int64_t *triples, int64_t count, int ranks,
                                      struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_message *messages = nuce_allocate(count, sizeof *messages, error);
    nuce_status status;

    if (messages == NULL)
        return error->status;
    for (int64_t k = 0; k < count; k++)
        messages[k] = (struct nuce_message){.source = (int)triples[TRIPLE * k],
                                            .destination = (int)triples[TRIPLE * k + 1],
                                            .bytes = triples[TRIPLE * k + 2]};
    status = nuce_pattern_init(ranks, messages, count, out, error);
    free(messages);
    return status;
}

nuce_status nuce_gathering_concern(struct nuce_world *world, const struct nuce_pattern *rows,
                                   int64_t own_radix, struct nuce_pattern *out,
                                   struct nuce_error *error)
{
    struct lists mine = {0}, theirs = {0};
    nuce_status status = tell_lists(world, rows, own_radix, &mine, error);

    if (status == NUCE_OK)
        status = lists_allocate(world->size, &theirs, error);
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK) {
        nuce_control_alltoall(world, mine.count, MPI_INT, theirs.count);
        status = nuce_world_agree(world, lists_lay_out(&theirs, error), error);
    }
    if (status == NUCE_OK) {
        nuce_control_alltoallv(world, mine.number, mine.count, mine.at, MPI_INT64_T, theirs.number,
                               theirs.count, theirs.at);
        status = pattern_of_triples(theirs.number, theirs.total / TRIPLE, world->size, out, error);
        status = nuce_world_agree(world, status, error);
    }
    lists_free(&mine);
    lists_free(&theirs);
    return status;
}

/* The row of this rank; freed by the caller. */
static nuce_status row_triples(const struct nuce_pattern *rows, int rank, int64_t **triples,
                               int *count, struct nuce_error *error)
{
    int64_t first = rows->row[rank], messages = rows->row[rank + 1] - first;

    *count = nuce_int(TRIPLE * messages);
    *triples = nuce_allocate(*count, sizeof **triples, error);
    for (int64_t k = 0; *triples != NULL && k < messages; k++)
        put_triple(*triples + TRIPLE * k, rows, rank, first + k);
    return *triples == NULL ? error->status : NUCE_OK;
}

/* At rank 0 of comm the list of each of its ranks; elsewhere lists stays empty. Collective over the
 * world. */
static nuce_status gather_lists(struct nuce_world *world, MPI_Comm comm, const int64_t *mine,
                                int count, struct lists *lists, struct nuce_error *error)
{
    int is_first = rank_in(comm) == 0;
    nuce_status status = is_first ? lists_allocate(size_of(comm), lists, error) : NUCE_OK;

    if (nuce_world_agree(world, status, error) != NUCE_OK)
        return error->status;
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
    nuce_status status = has_part ? lists_allocate(size_of(world->leaders), &all, error) : NUCE_OK;

    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK && has_part) {
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
    MPI_Comm group = gatherers == NUCE_GATHER_FIRST ? world->control : gathering_group(world);
    struct lists lists = {0};
    int64_t *mine = NULL;
    int count = 0;
    nuce_status status =
        nuce_world_agree(world, row_triples(rows, world->rank, &mine, &count, error), error);

    if (status == NUCE_OK)
        status = gather_lists(world, group, mine, count, &lists, error);
    free(mine);
    if (status == NUCE_OK && gatherers == NUCE_GATHER_LEADERS && group == world->node)
        status = exchange_lists(world, &lists, error);
    if (status == NUCE_OK) {
        if (rank_in(group) == 0)
            status =
                pattern_of_triples(lists.number, lists.total / TRIPLE, world->size, out, error);
        status = nuce_world_agree(world, status, error);
    }
    lists_free(&lists);
    return status;
}

/* What is sent ahead of what a rank is handed: how much there is of it. */
struct handed_size {
    int64_t messages; /* -1: nothing follows, as the leader has failed */
    int64_t pieces, parcels;
    int discipline, phases, depth;
};

/* What one rank is handed. */
struct handed {
    int64_t *triples; /* messages */
    int64_t messages;
    struct nuce_schedule_share share;
};

static void handed_free(struct handed *handed)
{
    free(handed->triples);
    nuce_share_fini(&handed->share);
}

/* What a leader hands out, and what it looks that up in. */
struct hand_out {
    const struct nuce_pattern *pattern;
    const struct nuce_schedule *schedule; /* NULL: messages alone */
    const struct nuce_schedule_ops *ops;
    const int *node_of;
    struct nuce_pattern columns; /* the whole pattern, by destination */
    int64_t *send_of;
};

/* The row and the column of rank: messages to itself are in the row alone. Local. */
static nuce_status take_messages(const struct hand_out *out, int rank, struct handed *handed,
                                 struct nuce_error *error)
{
    const struct nuce_pattern *rows = out->pattern, *columns = &out->columns;
    int64_t most =
        rows->row[rank + 1] - rows->row[rank] + columns->row[rank + 1] - columns->row[rank];
    int64_t *triple = nuce_allocate(TRIPLE * most, sizeof *triple, error);

    handed->triples = triple;
    if (triple == NULL)
        return error->status;
    for (int64_t k = rows->row[rank]; k < rows->row[rank + 1]; k++, triple += TRIPLE)
        put_triple(triple, rows, rank, k);
    for (int64_t k = columns->row[rank]; k < columns->row[rank + 1]; k++) {
        if (columns->destination[k] == rank)
            continue;
        triple[0] = columns->destination[k];
        triple[1] = rank;
        triple[2] = columns->bytes[k];
        triple += TRIPLE;
    }
    handed->messages = (triple - handed->triples) / TRIPLE;
    return NUCE_OK;
}

/* Local. handed is freed by the caller, also after failure. */
static nuce_status take_handed(const struct hand_out *out, int rank, struct handed *handed,
                               struct nuce_error *error)
{
    if (take_messages(out, rank, handed, error) != NUCE_OK)
        return error->status;
    if (out->schedule == NULL)
        return NUCE_OK;
    if (out->ops->concern == NUCE_CONCERN_NODE)
        return nuce_share_take_node(out->schedule, out->node_of, out->node_of[rank], &handed->share,
                                    error);
    return nuce_share_take(out->schedule, out->send_of, rank, &handed->share, error);
}

/* In pieces whose counts are int. */
static void send_bytes(struct nuce_world *world, const void *data, int64_t bytes, int to,
                       MPI_Comm comm)
{
    const char *at = data;

    for (; bytes > 0; bytes -= MOST_AT_ONCE, at += MOST_AT_ONCE)
        nuce_control_send(world, at, (int)(bytes < MOST_AT_ONCE ? bytes : MOST_AT_ONCE), MPI_BYTE,
                          to, comm);
}

static void receive_bytes(struct nuce_world *world, void *data, int64_t bytes, MPI_Comm comm)
{
    char *at = data;

    for (; bytes > 0; bytes -= MOST_AT_ONCE, at += MOST_AT_ONCE)
        nuce_control_receive(world, at, (int)(bytes < MOST_AT_ONCE ? bytes : MOST_AT_ONCE),
                             MPI_BYTE, 0, comm);
}

/* The arrays of what is handed, in the one order in which both sides send and receive them. */
struct handed_array {
    void *data;
    int64_t bytes;
};

enum { HANDED_ARRAYS = 3 };

static void list_handed(struct handed *handed, struct handed_array arrays[HANDED_ARRAYS])
{
    struct nuce_schedule_share *share = &handed->share;

    arrays[0] = (struct handed_array){handed->triples,
                                      TRIPLE * handed->messages * (int64_t)sizeof *handed->triples};
    arrays[1] = (struct handed_array){share->piece, share->pieces * (int64_t)sizeof *share->piece};
    arrays[2] =
        (struct handed_array){share->parcel, share->parcels * (int64_t)sizeof *share->parcel};
}

/* To rank number to of comm, once it has said that it has the room. */
static void send_handed(struct nuce_world *world, struct handed *handed, int is_good, int to,
                        MPI_Comm comm)
{
    struct handed_size ahead = {.messages = is_good ? handed->messages : -1,
                                .pieces = handed->share.pieces,
                                .parcels = handed->share.parcels,
                                .discipline = (int)handed->share.discipline,
                                .phases = handed->share.phases,
                                .depth = handed->share.depth};
    struct handed_array arrays[HANDED_ARRAYS];
    int has_room = 0;

    nuce_control_send(world, &ahead, (int)sizeof ahead, MPI_BYTE, to, comm);
    if (is_good)
        nuce_control_receive(world, &has_room, 1, MPI_INT, to, comm);
    if (!has_room)
        return;
    list_handed(handed, arrays);
    for (int i = 0; i < HANDED_ARRAYS; i++)
        send_bytes(world, arrays[i].data, arrays[i].bytes, to, comm);
}

static nuce_status handed_make_room(const struct handed_size *ahead, struct handed *handed,
                                    struct nuce_error *error)
{
    struct nuce_schedule_share *share = &handed->share;

    handed->messages = ahead->messages;
    *share = (struct nuce_schedule_share){.discipline = (enum nuce_discipline)ahead->discipline,
                                          .phases = ahead->phases,
                                          .depth = ahead->depth,
                                          .pieces = ahead->pieces,
                                          .parcels = ahead->parcels};
    handed->triples = nuce_allocate(TRIPLE * ahead->messages, sizeof *handed->triples, error);
    share->piece = nuce_allocate(share->pieces, sizeof *share->piece, error);
    share->parcel = nuce_allocate(share->parcels, sizeof *share->parcel, error);
    if (handed->triples == NULL || share->piece == NULL || share->parcel == NULL)
        return error->status;
    return NUCE_OK;
}

/* From rank 0 of comm. NUCE_OK with no pieces where that one failed, which it tells. handed is
 * freed by the caller, also after failure. */
static nuce_status receive_handed(struct nuce_world *world, MPI_Comm comm, struct handed *handed,
                                  struct nuce_error *error)
{
    struct handed_size ahead;
    struct handed_array arrays[HANDED_ARRAYS];
    nuce_status status;
    int has_room;

    nuce_control_receive(world, &ahead, (int)sizeof ahead, MPI_BYTE, 0, comm);
    if (ahead.messages < 0)
        return NUCE_OK;
    status = handed_make_room(&ahead, handed, error);
    has_room = status == NUCE_OK;
    nuce_control_send(world, &has_room, 1, MPI_INT, 0, comm);
    if (status != NUCE_OK)
        return status;
    list_handed(handed, arrays);
    for (int i = 0; i < HANDED_ARRAYS; i++)
        receive_bytes(world, arrays[i].data, arrays[i].bytes, comm);
    return NUCE_OK;
}

/* The leader: to all others of comm what is theirs; its own in *own. A failure is told to all. */
static nuce_status hand_to_all(struct nuce_world *world, const struct hand_out *out, MPI_Comm comm,
                               const int *rank, struct handed *own, struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    for (int to = 1; to < size_of(comm); to++) {
        struct handed handed = {0};

        if (status == NUCE_OK)
            status = take_handed(out, rank[to], &handed, error);
        send_handed(world, &handed, status == NUCE_OK, to, comm);
        handed_free(&handed);
    }
    if (status == NUCE_OK)
        status = take_handed(out, rank[0], own, error);
    return status;
}

/* What the leader looks things up in, for all whom it hands something. Local. */
static nuce_status hand_out_prepare(struct hand_out *out, struct nuce_error *error)
{
    if (nuce_pattern_transpose(out->pattern, &out->columns, error) != NUCE_OK)
        return error->status;
    return out->schedule == NULL ? NUCE_OK : nuce_share_index(out->schedule, &out->send_of, error);
}

/* *own is freed by the caller, also after failure. Collective; the same status on all ranks. */
static nuce_status hand_out_all(struct nuce_world *world, struct hand_out *out, struct handed *own,
                                struct nuce_error *error)
{
    MPI_Comm group = gathering_group(world);
    int leads = nuce_gathering_leads(world), *rank = NULL;
    nuce_status status = NUCE_OK;

    if (leads) {
        rank = nuce_allocate(size_of(group), sizeof *rank, error);
        status = rank == NULL ? error->status : hand_out_prepare(out, error);
    }
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK) {
        nuce_control_gather(world, &world->rank, 1, MPI_INT, rank, group);
        status = leads ? hand_to_all(world, out, group, rank, own, error)
                       : receive_handed(world, group, own, error);
        status = nuce_world_agree(world, status, error);
    }
    free(rank);
    free(out->send_of);
    nuce_pattern_fini(&out->columns);
    return status;
}

nuce_status nuce_gathering_hand_out_messages(struct nuce_world *world,
                                             const struct nuce_pattern *whole,
                                             struct nuce_pattern *out, struct nuce_error *error)
{
    struct hand_out hand_out = {.pattern = whole};
    struct handed own = {0};
    nuce_status status = hand_out_all(world, &hand_out, &own, error);

    if (status == NUCE_OK) {
        status = pattern_of_triples(own.triples, own.messages, world->size, out, error);
        status = nuce_world_agree(world, status, error);
    }
    handed_free(&own);
    return status;
}

nuce_status nuce_gathering_hand_out(struct nuce_world *world, const struct nuce_whole *whole,
                                    const struct nuce_schedule_ops *ops, const int *node_of,
                                    struct nuce_pattern *pattern, struct nuce_schedule *schedule,
                                    struct nuce_error *error)
{
    struct hand_out out = {
        .pattern = &whole->pattern, .schedule = &whole->schedule, .ops = ops, .node_of = node_of};
    struct handed own = {0};
    nuce_status status = hand_out_all(world, &out, &own, error);

    if (status == NUCE_OK) {
        status = pattern_of_triples(own.triples, own.messages, world->size, pattern, error);
        if (status == NUCE_OK)
            status = nuce_share_assemble(&own.share, ops, world->size, schedule, error);
        status = nuce_world_agree(world, status, error);
    }
    handed_free(&own);
    return status;
}
