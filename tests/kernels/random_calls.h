/* Random calls of all to all and of neighbours, for tests that compare their bytes with messages.
 *
 * Calls are drawn from a seed that all ranks share. The number of elements between two ranks is a
 * function of both, so each side knows its part. Datatypes and places are drawn by each rank for
 * itself: signatures agree, types do not. */
#ifndef NUCE_TEST_RANDOM_CALLS_H
#define NUCE_TEST_RANDOM_CALLS_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/rng.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define MOST_ENTRIES 32

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

/* Communicators: all ranks in two orders, halves, each alone, and with neighbours, some of which
 * are neighbours twice or in one direction only. */
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
    struct nuce_mpi_request *request; /* of libnuce_mpi */
    int more_from, more_to;           /* this message has 6 elements more; both 0: none has */
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
    int count = drawn % 4 == 0 ? 0 : (int)(6 * (drawn % 64 == 1 ? 3000 : 1 + drawn / 4 % 9));

    if (call->more_from + call->more_to > 0 && call->more_from == source &&
        call->more_to == destination && !call->is_in_place)
        count += 6;
    return count;
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
    case 2: /* in another order, without gaps: it only looks contiguous */
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
/* Into the expected bytes: each edge as a message of its own, with the datatypes of both sides.
 * MPI's collective calls are no reference. MPICH 4.0 takes the number of sources for that of
 * destinations in MPI_Neighbor_alltoallw (its issue 6233). MPI_Alltoallw of Open MPI 4.1 gave wrong
 * bytes in these calls; the cause is not known (perhaps its issue 9329). */
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

static void fill(unsigned char *data, size_t bytes, uint64_t seed)
{
    for (size_t k = 0; k < bytes; k++)
        data[k] = (unsigned char)nuce_rng_mix(seed + k);
}

#endif
