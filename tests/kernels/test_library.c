/* libnuce_mpi against messages, byte for byte: test_library [CALLS [SEED]].
 *
 * Calls are drawn from a seed that all ranks share. The number of elements between two ranks is a
 * function of both, so each side knows its part. Datatypes and places are drawn by each rank for
 * itself: signatures agree, types do not. Several requests are in flight at once, on the same and
 * on other communicators, and each is started several times with other data. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/rng.h"
#include "nuce_mpi.h"
#include "schedules/schedule.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define MOST_ENTRIES 32
#define MOST_IN_FLIGHT 4
#define STEPS 2

static int rank_of(MPI_Comm comm)
{
    int rank;

    MPI_Comm_rank(comm, &rank);
    return rank;
}

static int size_of(MPI_Comm comm)
{
    int size;

    MPI_Comm_size(comm, &size);
    return size;
}

_Noreturn static void fail(const char *what, const char *detail)
{
    fprintf(stderr, "rank %d: %s: %s\n", rank_of(MPI_COMM_WORLD), what, detail);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

/* Communicators: all ranks in two orders, halves, each alone, and with neighbours, of which some
 * are such twice or in one direction alone. */
enum { WORLD, REVERSED, HALF, ALONE, GRAPH, OTHER_GRAPH, LINE, COMMS };

/* Times that source is a neighbour of destination in a graph. */
static int edges(int graph, int source, int destination)
{
    uint64_t drawn = nuce_rng_mix((uint64_t)(graph * 1000 + source * 30 + destination + 1));

    return drawn % 5 == 0 ? 2 : drawn % 5 < 3;
}

/* Neighbours in a random order of each rank's own. */
static MPI_Comm make_graph(int graph)
{
    int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD), count[2] = {0, 0};
    int list[2][MOST_ENTRIES];
    struct nuce_rng rng = nuce_rng_create((uint64_t)graph, (uint64_t)rank);
    MPI_Comm comm;

    for (int other = 0; other < size; other++) {
        for (int k = edges(graph, other, rank); k > 0; k--)
            list[0][count[0]++] = other;
        for (int k = edges(graph, rank, other); k > 0; k--)
            list[1][count[1]++] = other;
    }
    for (int i = 0; i < 2; i++)
        nuce_rng_shuffle(&rng, list[i], count[i]);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, count[0], list[0], MPI_UNWEIGHTED, count[1],
                                   list[1], MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    return comm;
}

static void make_comms(MPI_Comm comms[COMMS])
{
    int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD), periodic = size > 2;

    MPI_Comm_dup(MPI_COMM_WORLD, &comms[WORLD]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[REVERSED]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comms[HALF]);
    MPI_Comm_dup(MPI_COMM_SELF, &comms[ALONE]);
    comms[GRAPH] = make_graph(1);
    comms[OTHER_GRAPH] = make_graph(2);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &comms[LINE]);
}

/* One side of a call. */
struct side {
    int entries, peer[MOST_ENTRIES], edge[MOST_ENTRIES]; /* edge: among those to the same peer */
    int count[MOST_ENTRIES], place[MOST_ENTRIES];
    MPI_Aint byte_place[MOST_ENTRIES];
    MPI_Datatype type[MOST_ENTRIES];
    size_t bytes; /* of the buffer */
};

struct call {
    MPI_Comm comm;
    int is_neighbor, is_w, is_in_place;
    MPI_Datatype base;
    int base_bytes;
    uint64_t number, seed;
    const char *schedule;
    struct side send, receive;
    unsigned char *sent, *received, *expected;
    nuce_request request;
};

static void find_entries(const struct call *call, int is_send, struct side *side)
{
    int sources, destinations, weighted, kind;

    side->entries = size_of(call->comm);
    for (int i = 0; i < side->entries; i++)
        side->peer[i] = i;
    if (call->is_neighbor)
        MPI_Topo_test(call->comm, &kind);
    if (call->is_neighbor && kind == MPI_CART) {
        MPI_Cart_shift(call->comm, 0, 1, &side->peer[0], &side->peer[1]);
        side->entries = 2;
    } else if (call->is_neighbor) {
        int other[MOST_ENTRIES];

        MPI_Dist_graph_neighbors_count(call->comm, &sources, &destinations, &weighted);
        side->entries = is_send ? destinations : sources;
        MPI_Dist_graph_neighbors(call->comm, sources, is_send ? other : side->peer, MPI_UNWEIGHTED,
                                 destinations, is_send ? side->peer : other, MPI_UNWEIGHTED);
    }
    for (int i = 0; i < side->entries; i++) {
        side->edge[i] = 0;
        for (int j = 0; j < i; j++)
            side->edge[i] += side->peer[j] == side->peer[i];
    }
}

/* Elements of an edge: a multiple of 6, often 0, seldom many. */
static int elements(const struct call *call, int source, int destination, int edge)
{
    int low = source < destination ? source : destination;
    int high = source + destination - low;
    uint64_t pair = call->is_in_place
                        ? (uint64_t)(low * 64 + high) /* the same in both directions */
                        : (uint64_t)(source * 64 + destination);
    uint64_t drawn = nuce_rng_mix(call->seed + pair * 8 + (uint64_t)edge);

    if (drawn % 4 == 0)
        return 0;
    return (int)(6 * (drawn % 64 == 1 ? 3000 : 1 + drawn / 4 % 9));
}

/* A committed type of *of elements of base, one of several forms. */
static MPI_Datatype draw_type(MPI_Datatype base, int base_bytes, struct nuce_rng *rng, int *of)
{
    int lengths[3] = {1, 1, 1}, order[3] = {2, 0, 1}, gaps[3] = {7, 1, 4};
    MPI_Aint at[2] = {0, 5 * base_bytes};
    MPI_Datatype type, both[2] = {base, base};

    switch (nuce_rng_below(rng, 8)) {
    case 0:
        MPI_Type_contiguous(3, base, &type);
        *of = 3;
        break;
    case 1:
        MPI_Type_dup(base, &type);
        *of = 1;
        break;
    case 7:
        MPI_Type_vector(2, 1, 3, base, &type);
        *of = 2;
        break;
    case 2: /* in another order, without gaps: not what it looks like */
        MPI_Type_indexed(3, lengths, order, base, &type);
        *of = 3;
        break;
    case 3:
        MPI_Type_indexed(3, lengths, gaps, base, &type);
        *of = 3;
        break;
    case 4:
        MPI_Type_create_struct(2, lengths, at, both, &type);
        *of = 2;
        break;
    case 5: /* with a gap behind */
        MPI_Type_vector(2, 1, 2, base, &both[0]);
        MPI_Type_create_resized(both[0], 0, 4 * base_bytes, &type);
        MPI_Type_free(&both[0]);
        *of = 2;
        break;
    default:
        MPI_Type_create_resized(base, -base_bytes, 3 * base_bytes, &type);
        *of = 1;
        break;
    }
    MPI_Type_commit(&type);
    return type;
}

/* Draws types and places: entries in a random order, with gaps. Displacements count extents, or
 * bytes in calls with many types. */
static void draw_side(const struct call *call, int is_send, struct nuce_rng *rng, struct side *side)
{
    int order[MOST_ENTRIES], of = 1, me = rank_of(call->comm);
    MPI_Aint end = 64;

    find_entries(call, is_send, side);
    for (int i = 0; i < side->entries; i++) {
        order[i] = i;
        if (call->is_w || i == 0)
            side->type[i] = draw_type(call->base, call->base_bytes, rng, &of);
        else
            side->type[i] = side->type[0];
        side->count[i] = side->peer[i] == MPI_PROC_NULL ? 3
                         : is_send ? elements(call, me, side->peer[i], side->edge[i]) / of
                                   : elements(call, side->peer[i], me, side->edge[i]) / of;
    }
    nuce_rng_shuffle(rng, order, side->entries);
    for (int k = 0; k < side->entries; k++) {
        int i = order[k];
        MPI_Aint low, extent, unit;

        MPI_Type_get_extent(side->type[i], &low, &extent);
        unit = call->is_w ? call->base_bytes : extent;
        end += (MPI_Aint)nuce_rng_below(rng, 3) * extent + 8 * call->base_bytes;
        end = (end + unit - 1) / unit * unit;
        side->place[i] = (int)(call->is_w ? end : end / extent);
        side->byte_place[i] = end;
        end += (side->count[i] + 1) * extent + 8 * call->base_bytes;
    }
    side->bytes = (size_t)end + 64;
}

static void free_types(const struct call *call, struct side *side)
{
    for (int i = 0; i < (call->is_w || side->entries == 0 ? side->entries : 1); i++)
        MPI_Type_free(&side->type[i]);
}

static int init(struct call *c, MPI_Info info)
{
    const struct side *s = &c->send, *r = &c->receive;
    const void *sent = c->is_in_place ? MPI_IN_PLACE : c->sent;
    MPI_Datatype st = s->entries > 0 ? s->type[0] : c->base;
    MPI_Datatype rt = r->entries > 0 ? r->type[0] : c->base;

    if (c->is_neighbor && c->is_w)
        return nuce_neighbor_alltoallw_init(sent, s->count, s->byte_place, s->type, c->received,
                                            r->count, r->byte_place, r->type, c->comm, info,
                                            &c->request);
    if (c->is_neighbor)
        return nuce_neighbor_alltoallv_init(sent, s->count, s->place, st, c->received, r->count,
                                            r->place, rt, c->comm, info, &c->request);
    if (c->is_w)
        return nuce_alltoallw_init(sent, s->count, s->place, s->type, c->received, r->count,
                                   r->place, r->type, c->comm, info, &c->request);
    return nuce_alltoallv_init(sent, s->count, s->place, st, c->received, r->count, r->place, rt,
                               c->comm, info, &c->request);
}

/* Into the expected bytes: each edge as a message of its own, with the datatypes of both sides.
 * MPI's collective calls are no reference. MPICH 4.0 takes the number of sources for that of
 * destinations in MPI_Neighbor_alltoallw (its issue 6233). Open MPI 4.1 writes outside of its
 * buffers in MPI_Alltoallw in place (its issue 9329). */
static void expect(struct call *c)
{
    const struct side *r = &c->receive, *s = c->is_in_place ? r : &c->send;
    const unsigned char *sent = c->is_in_place ? c->received : c->sent;
    MPI_Request requests[2 * MOST_ENTRIES];
    MPI_Status statuses[2 * MOST_ENTRIES];
    int count = 0;

    for (int i = 0; i < r->entries; i++)
        MPI_Irecv(c->expected + r->byte_place[i], r->count[i], r->type[i], r->peer[i], r->edge[i],
                  c->comm, &requests[count++]);
    for (int i = 0; i < s->entries; i++)
        MPI_Isend(sent + s->byte_place[i], s->count[i], s->type[i], s->peer[i], s->edge[i], c->comm,
                  &requests[count++]);
    MPI_Waitall(count, requests, statuses);
}

/* The schedule's options that it uses, drawn by all ranks alike. */
static MPI_Info draw_info(const struct nuce_schedule_ops *ops, int size, struct nuce_rng *rng)
{
    const struct {
        unsigned uses;
        const char *key;
        int least, most;
    } options[] = {{NUCE_USES_RADIX, "nuce_radix", 2, ops->uses & NUCE_USES_NODES ? 0 : size},
                   {NUCE_USES_IN_FLIGHT, "nuce_in-flight", 1, 3},
                   {NUCE_USES_NODES, "nuce_node-ranks", 1, size},
                   {NUCE_USES_GROUP_RANKS, "nuce_group-ranks", 1, size}};
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, "nuce_schedule", ops->name);
    MPI_Info_set(info, "somebody_elses", "hint");
    for (size_t k = 0; k < COUNT(options); k++) {
        int is_wanted = nuce_rng_below(rng, 2) > 0 || options[k].uses == NUCE_USES_GROUP_RANKS;
        char value[16];

        if (!is_wanted || !(ops->uses & options[k].uses) || options[k].most < options[k].least)
            continue;
        snprintf(value, sizeof value, "%d",
                 options[k].least +
                     (int)nuce_rng_below(rng, (uint64_t)(options[k].most - options[k].least + 1)));
        MPI_Info_set(info, options[k].key, value);
    }
    return info;
}

/* True if a library cannot run the schedule on any pattern: it may refuse it. */
static int may_refuse(const struct nuce_schedule_ops *ops)
{
    static const char *const calls[] = {"neighbor", "neighbor-persistent", "rma"};

    for (size_t k = 0; k < COUNT(calls); k++) {
        if (strcmp(ops->name, calls[k]) == 0)
            return 1;
    }
    return ops->needs == NUCE_NEEDS_ARRAYS || ops->needs == NUCE_NEEDS_REDISTRIBUTION;
}

static void fill(unsigned char *data, size_t bytes, uint64_t seed)
{
    for (size_t k = 0; k < bytes; k++)
        data[k] = (unsigned char)nuce_rng_mix(seed + k);
}

static void free_call(struct call *call)
{
    if (nuce_request_free(&call->request) != MPI_SUCCESS || call->request != NUCE_REQUEST_NULL)
        fail("nuce_request_free", "refused");
    free(call->sent);
    free(call->received);
    free(call->expected);
}

/* Makes the call of that number under the next schedule. Returns 0 if the schedule refuses it. */
static int make_call(const MPI_Comm comms[COMMS], uint64_t number, uint64_t seed, struct call *call)
{
    static const MPI_Datatype bases[] = {MPI_INT, MPI_DOUBLE, MPI_SHORT, MPI_BYTE};
    static const int bytes[] = {sizeof(int), sizeof(double), sizeof(short), 1};
    struct nuce_rng common = nuce_rng_create(seed, number), mine;
    const struct nuce_schedule_ops *ops;
    MPI_Info info;
    int schedules = 0, class, comm, is_w, is_avoided,
        base = (int)nuce_rng_below(&common, COUNT(bases));

    while (nuce_schedules[schedules] != NULL)
        schedules++;
    ops = nuce_schedules[number % (uint64_t)schedules];
    comm = (int)nuce_rng_below(&common, COMMS);
    if (comm == HALF && may_refuse(ops))
        comm = WORLD; /* both halves have to answer alike */
    /* MPI's own nonblocking calls are handed on as they are. Two of MPICH 4.0 are wrong:
     * MPI_Ialltoallw in place (its issue 6404), and that of neighbours. */
    is_w = nuce_rng_below(&common, 2) > 0;
    is_avoided = is_w && strcmp(ops->name, "alltoallv") == 0;
    if (is_avoided && comm >= GRAPH)
        comm = LINE;
    *call = (struct call){.comm = comms[comm],
                          .is_neighbor = comm >= GRAPH,
                          .is_w = is_w,
                          .number = number,
                          .schedule = ops->name,
                          .base = bases[base],
                          .base_bytes = bytes[base],
                          .seed = nuce_rng_next(&common)};
    call->is_in_place = !call->is_neighbor && !is_avoided && nuce_rng_below(&common, 6) == 0;
    mine = nuce_rng_create(call->seed, (uint64_t)rank_of(MPI_COMM_WORLD));
    draw_side(call, 1, &mine, &call->send);
    draw_side(call, 0, &mine, &call->receive);
    call->sent = nuce_allocate((int64_t)call->send.bytes, 1);
    call->received = nuce_allocate((int64_t)call->receive.bytes, 1);
    call->expected = nuce_allocate((int64_t)call->receive.bytes, 1);
    info = draw_info(ops, size_of(call->comm), &common);
    class = init(call, info);
    MPI_Info_free(&info);
    if (class == MPI_SUCCESS)
        return 1;
    if (class != MPI_ERR_ARG || !may_refuse(ops))
        fail(ops->name, nuce_request_error(call->request));
    free_types(call, &call->send);
    free_types(call, &call->receive);
    free_call(call);
    return 0;
}

/* Frees the types, and overwrites arrays that nuce must not need any more. */
static void forget_arguments(struct call *call)
{
    struct side *sides[] = {&call->send, &call->receive};

    for (int i = 0; i < 2; i++) {
        free_types(call, sides[i]);
        memset(sides[i]->count, -1, sizeof sides[i]->count);
        memset(sides[i]->place, -1, sizeof sides[i]->place);
        memset(sides[i]->byte_place, -1, sizeof sides[i]->byte_place);
        memset(sides[i]->type, -1, sizeof sides[i]->type);
    }
}

/* Starts all calls with new data, completes them in one of several ways, and compares. */
static void run_step(struct call *calls, int count, int is_last, struct nuce_rng *common)
{
    nuce_request requests[MOST_IN_FLIGHT];
    int way = (int)nuce_rng_below(common, 3), left = count, is_done[MOST_IN_FLIGHT] = {0};

    for (int i = 0; i < count; i++) {
        struct call *call = &calls[i];
        uint64_t seed = nuce_rng_next(common) + (uint64_t)rank_of(MPI_COMM_WORLD) * 1000003;

        fill(call->sent, call->send.bytes, seed);
        fill(call->received, call->receive.bytes, seed + 7);
        memcpy(call->expected, call->received, call->receive.bytes);
        expect(call);
        if (is_last)
            forget_arguments(call);
        requests[i] = call->request;
    }
    for (int i = 0; i < count; i++) {
        if (nuce_start(requests[i]) != MPI_SUCCESS || nuce_start(requests[i]) != MPI_ERR_REQUEST)
            fail("nuce_start", "starts an active request, or not an inactive one");
    }
    if (way == 0)
        nuce_waitall(count, requests);
    for (int i = 0; way == 1 && i < count; i++)
        nuce_wait(requests[i]);
    while (way == 2 && left > 0) {
        for (int i = count - 1; i >= 0; i--) {
            int before = is_done[i];

            nuce_test(requests[i], &is_done[i]);
            left -= is_done[i] && !before;
        }
    }
    for (int i = 0; i < count; i++) {
        const struct call *call = &calls[i];

        if (memcmp(call->received, call->expected, call->receive.bytes) != 0) {
            fprintf(stderr, "call %d%s%s%s under %s, %d ranks, base of %d bytes\n",
                    (int)call->number, call->is_neighbor ? " of neighbours" : "",
                    call->is_w ? " w" : " v", call->is_in_place ? " in place" : "", call->schedule,
                    size_of(call->comm), call->base_bytes);
            fail("the bytes of messages", "differ");
        }
    }
}

/* Requests in flight: their number, and the order of their ends, are drawn. */
static void run_calls(const MPI_Comm comms[COMMS], uint64_t most, uint64_t seed)
{
    struct nuce_rng common = nuce_rng_create(seed, UINT64_MAX);
    uint64_t number = 0, made = 0;

    while (number < most) {
        struct call calls[MOST_IN_FLIGHT];
        int count = 0, wanted = 1 + (int)nuce_rng_below(&common, MOST_IN_FLIGHT);
        int order[MOST_IN_FLIGHT];

        for (; count < wanted && number < most; number++)
            count += make_call(comms, number, seed, &calls[count]);
        for (int step = 0; step < STEPS; step++)
            run_step(calls, count, step == STEPS - 1, &common);
        for (int i = 0; i < count; i++)
            order[i] = i;
        nuce_rng_shuffle(&common, order, count);
        for (int i = 0; i < count; i++)
            free_call(&calls[order[i]]);
        made += (uint64_t)count;
    }
    if (made < most / 2)
        fail("calls", "too few were made");
}

/* Wrong arguments: all ranks get the class, and a text that has a word of it. */

static void refuse(int class, int expected, nuce_request *request, const char *word)
{
    if (class != expected || strstr(nuce_request_error(*request), word) == NULL) {
        fprintf(stderr, "class %d, expected %d with '%s'\n", class, expected, word);
        fail("refusal", nuce_request_error(*request));
    }
    if (nuce_start(*request) != MPI_ERR_REQUEST || nuce_request_free(request) != MPI_SUCCESS)
        fail("refusal", "a failed request starts, or cannot be freed");
}

/* All to all, with one wrong argument. */
static int wrong(int sent, int expected, MPI_Datatype type, const char *key, const char *value,
                 nuce_request *request)
{
    static const int zeros[MOST_ENTRIES];
    int counts[2][MOST_ENTRIES], size = size_of(MPI_COMM_WORLD), class;
    double data[2][8] = {{0}};
    MPI_Info info;

    for (int i = 0; i < size; i++)
        counts[0][i] = counts[1][i] = 1;
    counts[0][size - 1] = sent;
    if (rank_of(MPI_COMM_WORLD) == size - 1) {
        for (int i = 0; i < size; i++)
            counts[1][i] = expected;
    }
    MPI_Info_create(&info);
    MPI_Info_set(info, "nuce_schedule", "ac");
    MPI_Info_set(info, key, value);
    class = nuce_alltoallv_init(data[0], counts[0], zeros, type, data[1], counts[1], zeros, type,
                                MPI_COMM_WORLD, info, request);
    MPI_Info_free(&info);
    return class;
}

static void refuse_all(void)
{
    int last = rank_of(MPI_COMM_WORLD) == size_of(MPI_COMM_WORLD) - 1, class;
    MPI_Datatype vector;
    nuce_request r = NUCE_REQUEST_NULL;

#define WRONG(class_, word_, ...) refuse(wrong(__VA_ARGS__, &r), class_, &r, word_)
    WRONG(MPI_ERR_TRUNCATE, "sends 16 bytes", 2, 1, MPI_DOUBLE, "a", "b");
    WRONG(MPI_ERR_COUNT, "which expects 16", 1, 2, MPI_DOUBLE, "a", "b");
    WRONG(MPI_ERR_COUNT, "at least 0", last ? -1 : 1, 1, MPI_DOUBLE, "a", "b");
    WRONG(MPI_ERR_TYPE, "NULL", 1, 1, last ? MPI_DATATYPE_NULL : MPI_DOUBLE, "a", "b");
    WRONG(MPI_ERR_ARG, "no-such", 1, 1, MPI_DOUBLE, "nuce_schedule", "no-such");
    WRONG(MPI_ERR_ARG, "rank 0", 1, 1, MPI_DOUBLE, "nuce_schedule", last ? "lp" : "ac");
    WRONG(MPI_ERR_ARG, "nuce_radius", 1, 1, MPI_DOUBLE, "nuce_radius", "2");
    WRONG(MPI_ERR_ARG, "does not use", 1, 1, MPI_DOUBLE, "nuce_radix", "2");
    WRONG(MPI_ERR_ARG, "one buffer", 1, 1, MPI_DOUBLE, "nuce_schedule", "rma");
    WRONG(MPI_ERR_ARG, "arrays", 1, 1, MPI_DOUBLE, "nuce_schedule", "pdgemr2d");
    MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &vector);
    WRONG(MPI_ERR_TYPE, "committed", 1, 1, vector, "a", "b");
    MPI_Type_free(&vector);
#undef WRONG
    class = nuce_neighbor_alltoallv_init(NULL, NULL, NULL, MPI_INT, NULL, NULL, NULL, MPI_INT,
                                         MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    if (class != MPI_ERR_TOPOLOGY || r != NUCE_REQUEST_NULL)
        fail("neighbours", "found where there are none");
    class = nuce_alltoallv_init(NULL, NULL, NULL, MPI_INT, NULL, NULL, NULL, MPI_INT, MPI_COMM_NULL,
                                MPI_INFO_NULL, &r);
    if (class != MPI_ERR_COMM || r != NUCE_REQUEST_NULL)
        fail("communicator", "null is one");
}

/* A tuning file, by info or by the environment of rank 0 alone, and what its request says. */

static const struct {
    const char *head, *rule; /* with the number of ranks in between; NULL: there is no file */
    int class;
    const char *said; /* in the request's schedule, or its error */
} files[] = {
    {"", "bytes=8..8 degree=1..99 schedule=tuna radix=2", MPI_SUCCESS, "schedule=tuna radix=2"},
    {"", "bytes=9..9 degree=1..99 schedule=tuna", MPI_SUCCESS, "no rule for alltoallv ranks="},
    {"", "bytes=8..8 degree=1..99 schedule=library", MPI_SUCCESS, "schedule=library"},
    {"", "bytes=8..8 degree=1..99 schedule=rma", MPI_SUCCESS, "schedule=rma: not followed: "},
    {"mpi: Some MPI 1.0\n", "bytes=8..8 degree=1..99 schedule=ac", MPI_SUCCESS,
     ": is of Some MPI 1.0, this is "},
    {"machine: other\n", "bytes=8..8 degree=1..99 schedule=ac", MPI_SUCCESS,
     ": is of other, this is "},
    {"", "bytes=8..8 degree=1..99 schedule=tuna radix=99", MPI_ERR_ARG,
     "radix: '99': expected 2 to "},
    {"", "bytes=8..8 degree=1..99 schedule=to", MPI_ERR_ARG, ":2:52: 'to': expected a schedule"},
    {NULL, NULL, MPI_ERR_ARG, "test_library.tuning"},
};

/* Ranks send each other one number under the file that info or the environment names. */
static void follow(MPI_Info info, int class, const char *said)
{
    int counts[MOST_ENTRIES], places[MOST_ENTRIES], size = size_of(MPI_COMM_WORLD), made;
    double sent[MOST_ENTRIES], received[MOST_ENTRIES] = {0};
    nuce_request r;

    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        places[i] = i;
        sent[i] = 100 * rank_of(MPI_COMM_WORLD) + i;
    }
    made = nuce_alltoallv_init(sent, counts, places, MPI_DOUBLE, received, counts, places,
                               MPI_DOUBLE, MPI_COMM_WORLD, info, &r);
    if (made != class ||
        strstr(made == MPI_SUCCESS ? nuce_request_schedule(r) : nuce_request_error(r), said) ==
            NULL) {
        fprintf(stderr, "class %d, expected %d with '%s'\n", made, class, said);
        fail("tuning file", made == MPI_SUCCESS ? nuce_request_schedule(r) : nuce_request_error(r));
    }
    if (made == MPI_SUCCESS) {
        nuce_start(r);
        nuce_wait(r);
        for (int i = 0; i < size; i++) {
            if (received[i] < 100 * i + rank_of(MPI_COMM_WORLD) ||
                received[i] > 100 * i + rank_of(MPI_COMM_WORLD))
                fail("tuning file", "a number is wrong");
        }
    }
    nuce_request_free(&r);
}

static void follow_files(void)
{
    const char *folder = getenv("TMPDIR");
    int is_first = rank_of(MPI_COMM_WORLD) == 0;
    char path[4096];
    MPI_Info info;

    snprintf(path, sizeof path, "%s/test_library.tuning.%ld", folder == NULL ? "/tmp" : folder,
             (long)getpid()); /* rank 0's counts */
    MPI_Info_create(&info);
    MPI_Info_set(info, "nuce_tuning", path);
    for (size_t k = 0; k < COUNT(files); k++) {
        FILE *file = is_first && files[k].rule != NULL ? fopen(path, "w") : NULL;

        if (file != NULL) {
            fprintf(file, "nuce-tuning 1\n%salltoallv ranks=%d %s\n", files[k].head,
                    size_of(MPI_COMM_WORLD), files[k].rule);
            fclose(file);
        } else if (is_first) {
            unlink(path);
        }
        follow(info, files[k].class, files[k].said);
        if (is_first)
            setenv("NUCE_TUNING", path, 1);
        follow(MPI_INFO_NULL, files[k].class, files[k].said);
        unsetenv("NUCE_TUNING");
    }
    follow(MPI_INFO_NULL, MPI_SUCCESS, "alltoallv");
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    uint64_t calls = argc > 1 ? strtoull(argv[1], NULL, 10) : 120;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    MPI_Comm comms[COMMS];

    MPI_Init(&argc, &argv);
    make_comms(comms);
    /* One rank alone has no other to differ from. */
    if (size_of(MPI_COMM_WORLD) > 1) {
        refuse_all();
        follow_files();
    }
    run_calls(comms, calls, seed);
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_free(&comms[i]);
    MPI_Finalize();
    return 0;
}
