/* Who bundles what, from the pattern and the nodes alone: every rank computes the same agents, and
 * each makes only its own requests. Blocks are sent from and to where they lie, by datatypes.
 * Steps, for each other node: this rank is its agent (nuce_nodes_agent), or gives what it has for
 * it to its agent and takes what is for it from there. An agent gathers the bundle out and spreads
 * the bundle in. Cost: O(nodes x transfers of this and that node) once, as every rank goes through
 * the schedule of whole nodes; memory of the bundles at agents. */
#include "engine/node_routes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/requests.h"
#include "support/allocate.h"
#include "support/int.h"
#include "world/check.h"

/* Tags tell apart what goes between two ranks: of a node's bundle, its parts. */
enum { TAG_DIRECT, TAG_BUNDLE, TAG_PARTS };

static int tag_gather(int node)
{
    return TAG_PARTS + 2 * node;
}

static int tag_spread(int node)
{
    return TAG_PARTS + 2 * node + 1;
}

/* Bytes in several places, in order. */
struct blocks {
    int64_t count, capacity, bytes; /* blocks; room for blocks; bytes of all of them */
    struct route_block {
        unsigned char *at;
        int64_t bytes;
    } * block;
};

/* What the setup looks at, and where it is: at the bundles between this node and `other`. */
struct setup {
    const struct nuce_engine_input *input;
    const struct nuce_schedule *schedule;
    struct nuce_node_routes *routes;
    const struct nuce_nodes *nodes;
    int rank, node;
    int other;             /* the node whose bundles are set up */
    int agent, peer_agent; /* of this node for the other, and the reverse */
    struct blocks *blocks; /* one for each rank of this node */
};

void nuce_node_routes_fini(struct nuce_node_routes *routes)
{
    nuce_request_set_fini(&routes->set);
    for (int i = 0; i < routes->count; i++) {
        free(routes->route[i].out);
        free(routes->route[i].in);
    }
    nuce_nodes_fini(&routes->nodes);
    free(routes->role);
    free(routes->route_of);
    free(routes->route);
    free(routes->copy);
    memset(routes, 0, sizeof *routes);
}

/* Appends; what follows on the last block makes it longer. */
static nuce_status node_routes_add_block(struct blocks *blocks, unsigned char *at, int64_t bytes,
                                         struct nuce_error *error)
{
    struct route_block *last = blocks->count > 0 ? &blocks->block[blocks->count - 1] : NULL;

    blocks->bytes += bytes;
    if (last != NULL && last->at + last->bytes == at) {
        last->bytes += bytes;
        return NUCE_OK;
    }
    if (nuce_allocate_more((void **)&blocks->block, &blocks->capacity, blocks->count + 1,
                           sizeof *blocks->block, error) != NUCE_OK)
        return error->status;
    blocks->block[blocks->count++] = (struct route_block){.at = at, .bytes = bytes};
    return NUCE_OK;
}

static void node_routes_empty(struct blocks *blocks)
{
    blocks->count = 0;
    blocks->bytes = 0;
}

/* Adds a piece that an agent moves by itself, between its buffers and a bundle. */
static nuce_status add_copy(struct nuce_node_routes *routes, unsigned char *to,
                            const unsigned char *from, int64_t bytes, struct nuce_error *error)
{
    if (nuce_allocate_more((void **)&routes->copy, &routes->copy_capacity, routes->copies + 1,
                           sizeof *routes->copy, error) != NUCE_OK)
        return error->status;
    routes->copy[routes->copies++] =
        (struct nuce_node_copy){.to = to, .from = from, .bytes = bytes};
    return NUCE_OK;
}

/* What the end of request index leads to (enum nuce_role), and of which route it is. */
static int set_role(struct nuce_node_routes *routes, int index, enum nuce_role role)
{
    routes->role[index] = (unsigned char)role;
    routes->route_of[index] = role == NUCE_ROLE_PLAIN ? 0 : routes->count - 1;
    return index;
}

/* A request for bytes in one piece; role as set_role takes it. Returns its index. */
static int add_whole(struct nuce_node_routes *routes, enum nuce_role role,
                     enum nuce_direction direction, unsigned char *data, int tag,
                     const struct nuce_transfer *about)
{
    return set_role(routes, nuce_request_set_add_bytes(&routes->set, direction, data, tag, about),
                    role);
}

/* One committed type of all blocks, by their addresses: so the request says MPI_BOTTOM. lengths,
 * places, types: room for one of each block. For the caller to free. */
static MPI_Datatype type_of(const struct blocks *blocks, int *lengths, MPI_Aint *places,
                            MPI_Datatype *types)
{
    MPI_Datatype type;

    for (int64_t i = 0; i < blocks->count; i++) {
        nuce_requests_bytes_type(blocks->block[i].bytes, &types[i], &lengths[i]);
        NUCE_MPI(MPI_Get_address(blocks->block[i].at, &places[i]));
    }
    NUCE_MPI(MPI_Type_create_struct(nuce_int(blocks->count), lengths, places, types, &type));
    NUCE_MPI(MPI_Type_commit(&type));
    for (int64_t i = 0; i < blocks->count; i++)
        nuce_requests_free_bytes_type(&types[i]);
    return type;
}

/* Adds a request for all of blocks, which go to or come from peer as one message; step: for
 * traces. */
static nuce_status add_scattered(struct nuce_node_routes *routes, enum nuce_role role,
                                 enum nuce_direction direction, const struct blocks *blocks,
                                 int tag, int peer, int step, struct nuce_error *error)
{
    const struct nuce_transfer about = {.peer = peer, .phase = step, .bytes = blocks->bytes};
    int *lengths = NULL;
    MPI_Aint *places = NULL;
    MPI_Datatype *types = NULL, type;

    if (blocks->count == 1) {
        (void)add_whole(routes, role, direction, blocks->block[0].at, tag, &about);
        return NUCE_OK;
    }
    lengths = nuce_allocate(blocks->count, sizeof *lengths, error);
    places = nuce_allocate(blocks->count, sizeof *places, error);
    types = nuce_allocate(blocks->count, sizeof *types, error);
    error->status = lengths == NULL || places == NULL || types == NULL ? NUCE_FAILED : NUCE_OK;
    if (error->status == NUCE_OK) {
        type = type_of(blocks, lengths, places, types);
        (void)set_role(
            routes, nuce_request_set_add(&routes->set, direction, MPI_BOTTOM, 1, type, tag, &about),
            role);
        NUCE_MPI(MPI_Type_free(&type));
    }
    free(lengths);
    free(places);
    free(types);
    return error->status;
}

/* Where a piece from source lies in this rank's receive buffer. */
static unsigned char *node_routes_place_of(const struct setup *setup, int source,
                                           const struct nuce_transfer *piece)
{
    struct nuce_transfer received = *piece;

    received.peer = source;
    return nuce_payload_to(setup->input->payload, &received);
}

/* Whether the piece goes to a rank of that node. */
static int is_for(const struct setup *setup, const struct nuce_transfer *piece, int node)
{
    return setup->nodes->node_of[piece->peer] == node;
}

/* Bytes that source sends to all ranks of node. */
static int64_t bytes_for(const struct setup *setup, int source, int node)
{
    const struct nuce_schedule *schedule = setup->schedule;
    int64_t bytes = 0;

    for (int64_t i = schedule->send_start[source]; i < schedule->send_start[source + 1]; i++)
        bytes += is_for(setup, &schedule->sends[i], node) ? schedule->sends[i].bytes : 0;
    return bytes;
}

/* All that the ranks of one node send to those of another. */
static int64_t bundle_bytes(const struct setup *setup, int from, int to)
{
    const struct nuce_nodes *nodes = setup->nodes;
    int64_t bytes = 0;

    for (int i = nodes->start[from]; i < nodes->start[from + 1]; i++)
        bytes += bytes_for(setup, nodes->rank[i], to);
    return bytes;
}

/* This rank's own part of the outgoing bundle, as blocks of its send buffer. */
static nuce_status collect_own(const struct setup *setup, struct blocks *blocks,
                               struct nuce_error *error)
{
    const struct nuce_schedule *schedule = setup->schedule;

    node_routes_empty(blocks);
    for (int64_t i = schedule->send_start[setup->rank]; i < schedule->send_start[setup->rank + 1];
         i++) {
        const struct nuce_transfer *piece = &schedule->sends[i];

        if (is_for(setup, piece, setup->other) &&
            node_routes_add_block(blocks, nuce_payload_from(setup->input->payload, piece),
                                  piece->bytes, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* Not an agent: what this rank has for the other node goes to its agent in one message. */
static nuce_status node_routes_give(struct setup *setup, struct nuce_error *error)
{
    struct blocks *mine = &setup->blocks[0];

    if (collect_own(setup, mine, error) != NUCE_OK)
        return error->status;
    if (mine->count == 0)
        return NUCE_OK;
    return add_scattered(setup->routes, NUCE_ROLE_PLAIN, NUCE_SEND, mine, tag_gather(setup->other),
                         setup->agent, NUCE_STEP_GATHER, error);
}

/* The agent: its own part is copied into the bundle, those of others are received into their
 * places, then all is sent. By source, in the order of ranks. */
static nuce_status node_routes_gather(struct setup *setup, struct nuce_node_route *route,
                                      struct nuce_error *error)
{
    const struct nuce_nodes *nodes = setup->nodes;
    struct nuce_node_routes *routes = setup->routes;
    struct nuce_transfer about = {.peer = setup->peer_agent, .phase = NUCE_STEP_BUNDLE};
    int64_t at = 0, bytes = bundle_bytes(setup, setup->node, setup->other);

    if (bytes == 0)
        return NUCE_OK;
    route->out = nuce_allocate(bytes, 1, error);
    if (route->out == NULL || collect_own(setup, &setup->blocks[0], error) != NUCE_OK)
        return error->status;
    for (int i = nodes->start[setup->node]; i < nodes->start[setup->node + 1]; i++) {
        struct nuce_transfer part = {.peer = nodes->rank[i], .phase = NUCE_STEP_GATHER};
        int64_t begin = at;

        part.bytes = bytes_for(setup, part.peer, setup->other);
        at += part.bytes;
        if (part.peer != setup->rank && part.bytes > 0) {
            (void)add_whole(routes, NUCE_ROLE_GATHER, NUCE_RECEIVE, route->out + begin,
                            tag_gather(setup->other), &part);
            route->gathers++;
        }
        for (int64_t k = 0; part.peer == setup->rank && k < setup->blocks[0].count; k++) {
            const struct route_block *block = &setup->blocks[0].block[k];

            if (add_copy(routes, route->out + begin, block->at, block->bytes, error) != NUCE_OK)
                return error->status;
            begin += block->bytes;
        }
    }
    about.bytes = bytes;
    route->send = add_whole(routes, NUCE_ROLE_LATER, NUCE_SEND, route->out, TAG_BUNDLE, &about);
    return NUCE_OK;
}

/* Not an agent: what the other node has for this rank comes from its agent in one message,
 * scattered to its places. */
static nuce_status node_routes_take(struct setup *setup, struct nuce_error *error)
{
    const struct nuce_nodes *nodes = setup->nodes;
    const struct nuce_schedule *schedule = setup->schedule;
    struct blocks *mine = &setup->blocks[0];

    node_routes_empty(mine);
    for (int k = nodes->start[setup->other]; k < nodes->start[setup->other + 1]; k++) {
        int source = nodes->rank[k];

        for (int64_t i = schedule->send_start[source]; i < schedule->send_start[source + 1]; i++) {
            const struct nuce_transfer *piece = &schedule->sends[i];

            if (piece->peer == setup->rank &&
                node_routes_add_block(mine, node_routes_place_of(setup, source, piece),
                                      piece->bytes, error) != NUCE_OK)
                return error->status;
        }
    }
    if (mine->count == 0)
        return NUCE_OK;
    return add_scattered(setup->routes, NUCE_ROLE_PLAIN, NUCE_RECEIVE, mine,
                         tag_spread(setup->other), setup->agent, NUCE_STEP_SPREAD, error);
}

/* One piece of the incoming bundle, which lies there at `from`: a copy if it is the agent's own,
 * else a block of what goes to its rank. */
static nuce_status sort_piece(struct setup *setup, int source, const struct nuce_transfer *piece,
                              unsigned char *from, struct nuce_error *error)
{
    const struct nuce_nodes *nodes = setup->nodes;
    int first = nodes->start[setup->node], i = first;

    if (piece->peer == setup->rank)
        return add_copy(setup->routes, node_routes_place_of(setup, source, piece), from,
                        piece->bytes, error);
    while (nodes->rank[i] != piece->peer)
        i++;
    return node_routes_add_block(&setup->blocks[i - first], from, piece->bytes, error);
}

/* The agent: receives the bundle, copies its own part and passes on the others'. Every rank knows
 * in which order the pieces lie in the bundle: by source, then as in the schedule. */
static nuce_status node_routes_spread(struct setup *setup, struct nuce_node_route *route,
                                      struct nuce_error *error)
{
    const struct nuce_nodes *nodes = setup->nodes;
    const struct nuce_schedule *schedule = setup->schedule;
    int first = nodes->start[setup->node], size = nodes->start[setup->node + 1] - first;
    struct nuce_transfer about = {.peer = setup->peer_agent, .phase = NUCE_STEP_BUNDLE};
    unsigned char *at;

    about.bytes = bundle_bytes(setup, setup->other, setup->node);
    if (about.bytes == 0)
        return NUCE_OK;
    at = route->in = nuce_allocate(about.bytes, 1, error);
    if (at == NULL)
        return error->status;
    for (int i = 0; i < size; i++)
        node_routes_empty(&setup->blocks[i]);
    for (int k = nodes->start[setup->other]; k < nodes->start[setup->other + 1]; k++) {
        int source = nodes->rank[k];

        for (int64_t i = schedule->send_start[source]; i < schedule->send_start[source + 1]; i++) {
            const struct nuce_transfer *piece = &schedule->sends[i];

            if (!is_for(setup, piece, setup->node))
                continue;
            if (sort_piece(setup, source, piece, at, error) != NUCE_OK)
                return error->status;
            at += piece->bytes;
        }
    }
    (void)add_whole(setup->routes, NUCE_ROLE_ARRIVAL, NUCE_RECEIVE, route->in, TAG_BUNDLE, &about);
    route->first_spread = setup->routes->set.count;
    for (int i = 0; i < size; i++) {
        if (setup->blocks[i].count > 0 &&
            add_scattered(setup->routes, NUCE_ROLE_LATER, NUCE_SEND, &setup->blocks[i],
                          tag_spread(setup->other), nodes->rank[first + i], NUCE_STEP_SPREAD,
                          error) != NUCE_OK)
            return error->status;
    }
    route->end_spread = setup->routes->set.count;
    return NUCE_OK;
}

/* Both bundles between this node and the other, as far as they are this rank's. */
static nuce_status add_node(struct setup *setup, int other, struct nuce_error *error)
{
    struct nuce_node_routes *routes = setup->routes;
    struct nuce_node_route *route;

    setup->other = other;
    setup->agent = nuce_nodes_agent(setup->nodes, setup->node, other);
    setup->peer_agent = nuce_nodes_agent(setup->nodes, other, setup->node);
    if (setup->agent != setup->rank)
        return node_routes_give(setup, error) == NUCE_OK ? node_routes_take(setup, error)
                                                         : error->status;
    route = &routes->route[routes->count++];
    route->send = -1;
    route->first_out = routes->copies;
    if (node_routes_gather(setup, route, error) != NUCE_OK)
        return error->status;
    route->end_out = route->first_in = routes->copies;
    if (node_routes_spread(setup, route, error) != NUCE_OK)
        return error->status;
    route->end_in = routes->copies;
    return NUCE_OK;
}

/* What stays on the node goes as it is. */
static void add_direct(struct setup *setup)
{
    const struct nuce_schedule *schedule = setup->schedule;
    const struct nuce_payload *payload = setup->input->payload;
    int rank = setup->rank;

    for (int64_t i = schedule->send_start[rank]; i < schedule->send_start[rank + 1]; i++) {
        const struct nuce_transfer *piece = &schedule->sends[i];

        if (piece->peer == rank)
            setup->routes->own = piece;
        else if (is_for(setup, piece, setup->node))
            (void)add_whole(setup->routes, NUCE_ROLE_PLAIN, NUCE_SEND,
                            nuce_payload_from(payload, piece), TAG_DIRECT, piece);
    }
    for (int64_t i = schedule->receive_start[rank]; i < schedule->receive_start[rank + 1]; i++) {
        const struct nuce_transfer *piece = &schedule->receives[i];

        if (piece->peer != rank && is_for(setup, piece, setup->node))
            (void)add_whole(setup->routes, NUCE_ROLE_PLAIN, NUCE_RECEIVE,
                            nuce_payload_to(payload, piece), TAG_DIRECT, piece);
    }
}

/* The most requests that a rank can have: direct ones, one each way for each node as a non-agent,
 * and of each node that it serves one for each rank of its node each way and the two bundles. */
static int64_t node_routes_capacity(const struct setup *setup)
{
    const struct nuce_schedule *schedule = setup->schedule;
    const struct nuce_nodes *nodes = setup->nodes;
    int64_t size = nodes->start[setup->node + 1] - nodes->start[setup->node];
    int64_t direct = schedule->send_start[setup->rank + 1] - schedule->send_start[setup->rank] +
                     schedule->receive_start[setup->rank + 1] -
                     schedule->receive_start[setup->rank];
    int64_t served = (nodes->nodes + size - 1) / size;

    return direct + 2 * (int64_t)nodes->nodes + served * 2 * (size + 1);
}

static nuce_status node_routes_allocate(struct setup *setup, struct nuce_error *error)
{
    struct nuce_node_routes *routes = setup->routes;
    const struct nuce_nodes *nodes = setup->nodes;
    int64_t most = node_routes_capacity(setup);

    setup->blocks = nuce_allocate(nodes->start[setup->node + 1] - nodes->start[setup->node],
                                  sizeof *setup->blocks, error);
    routes->role = nuce_allocate(most, sizeof *routes->role, error);
    routes->route_of = nuce_allocate(most, sizeof *routes->route_of, error);
    routes->route = nuce_allocate(nodes->nodes, sizeof *routes->route, error);
    if (setup->blocks == NULL || routes->role == NULL || routes->route_of == NULL ||
        routes->route == NULL)
        return error->status;
    return nuce_request_set_init(setup->input->world, most, &routes->set, error);
}

/* Tags grow with nodes: MPI guarantees 32767 of them, most libraries have far more (MPI_TAG_UB). */
static nuce_status check_tags(const struct setup *setup, struct nuce_error *error)
{
    int *most, there = 0;

    NUCE_MPI(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &there));
    if (!there || *most / 2 - TAG_PARTS < setup->nodes->nodes)
        return nuce_error_set(error, NUCE_FAILED, "node-aware: %d nodes are more than MPI has tags",
                              setup->nodes->nodes);
    return NUCE_OK;
}

/* All but the nodes. Local. */
static nuce_status node_routes_fill(const struct nuce_engine_input *input,
                                    struct nuce_node_routes *routes, struct nuce_error *error)
{
    struct setup setup = {.input = input,
                          .schedule = input->schedule,
                          .routes = routes,
                          .nodes = &routes->nodes,
                          .rank = input->world->rank,
                          .node = routes->nodes.node_of[input->world->rank]};
    int size = setup.nodes->start[setup.node + 1] - setup.nodes->start[setup.node];
    nuce_status status = check_tags(&setup, error);

    if (status == NUCE_OK)
        status = node_routes_allocate(&setup, error);
    if (status == NUCE_OK)
        add_direct(&setup);
    for (int other = 0; status == NUCE_OK && other < setup.nodes->nodes; other++) {
        if (other != setup.node)
            status = add_node(&setup, other, error);
    }
    for (int i = 0; setup.blocks != NULL && i < size; i++)
        free(setup.blocks[i].block);
    free(setup.blocks);
    return status;
}

nuce_status nuce_node_routes_init(const struct nuce_engine_input *input,
                                  struct nuce_node_routes *out, struct nuce_error *error)
{
    struct nuce_node_routes routes = {0};
    nuce_status status;

    if (input->node_of == NULL)
        status = nuce_nodes_by_host(input->world, &routes.nodes, error);
    else
        status = nuce_nodes_init(input->node_of, input->world->size, &routes.nodes, error);
    if (status == NUCE_OK)
        status = node_routes_fill(input, &routes, error);
    status = nuce_world_agree(input->world, status, error);
    if (status == NUCE_OK)
        *out = routes;
    else
        nuce_node_routes_fini(&routes);
    return status;
}
