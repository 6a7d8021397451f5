/* Node-aware: what goes from one node to another is gathered by an agent on the one, sent as one
 * message, and spread by an agent on the other; what stays on a node goes direct (Bienz, Gropp,
 * Olson, "Node aware sparse matrix-vector multiplication", JPDC 130, 2019: three-step).
 *
 * A bundle is all that goes from node to node: by source, then in the order of the schedule. Every
 * rank knows the whole schedule, so nothing is negotiated. Bytes leave and enter the payload's
 * buffers in place, as MPI datatypes; agents alone keep copies, of their bundles. The setup is in
 * node_routes.c. Cost: a message between two nodes takes three hops, but of k ranks on a node that
 * all send to another one one message crosses instead of up to k^2. Agents copy their own part and
 * keep a bundle of each node that they serve. */
#include "engine/node_routes.h"

#include <stdlib.h>
#include <string.h>

#include "engine/requests.h"
#include "support/allocate.h"

struct node_aware {
    const struct nuce_world *world;
    const struct nuce_payload *payload;
    struct nuce_node_routes routes;
    int ended; /* requests of this step */
};

static void node_aware_destroy(void *self)
{
    struct node_aware *aware = self;

    if (aware == NULL)
        return;
    nuce_node_routes_fini(&aware->routes);
    free(aware);
}

/* All ranks must agree before the routes are made, which is collective. */
static nuce_status node_aware_create(const struct nuce_engine_input *input, void **self,
                                     struct nuce_error *error)
{
    struct node_aware *aware = nuce_allocate(1, sizeof *aware, error);
    nuce_status status = aware == NULL ? error->status : NUCE_OK;

    if (nuce_world_agree(input->world, status, error) != NUCE_OK ||
        nuce_node_routes_init(input, &aware->routes, error) != NUCE_OK) {
        free(aware);
        return error->status;
    }
    aware->world = input->world;
    aware->payload = input->payload;
    *self = aware;
    return NUCE_OK;
}

/* Copies number first to end - 1. */
static void node_aware_copy(const struct nuce_node_routes *routes, int64_t first, int64_t end)
{
    for (int64_t i = first; i < end; i++)
        memcpy(routes->copy[i].to, routes->copy[i].from, (size_t)routes->copy[i].bytes);
}

/* Receives before sends, so that they are there when messages come. */
static void start_direction(struct nuce_node_routes *routes, enum nuce_direction direction)
{
    for (int i = 0; i < routes->set.count; i++) {
        if (routes->set.direction[i] == (unsigned char)direction &&
            routes->role[i] != NUCE_ROLE_LATER)
            nuce_request_set_start(&routes->set, i);
    }
}

/* All that waits for nobody: receives, what goes direct, the parts for agents, and bundles that are
 * whole from the start. */
static void node_aware_start(void *self)
{
    struct node_aware *aware = self;
    struct nuce_node_routes *routes = &aware->routes;

    aware->ended = 0;
    start_direction(routes, NUCE_RECEIVE);
    start_direction(routes, NUCE_SEND);
    for (int i = 0; i < routes->count; i++) {
        struct nuce_node_route *route = &routes->route[i];

        node_aware_copy(routes, route->first_out, route->end_out);
        route->missing = route->gathers;
        if (route->missing == 0 && route->send >= 0)
            nuce_request_set_start(&routes->set, route->send);
    }
    if (routes->own != NULL)
        nuce_requests_copy_own(aware->world, aware->payload, routes->own);
}

/* What follows from the end of a request. */
static void node_aware_take(struct node_aware *aware, int index)
{
    struct nuce_node_routes *routes = &aware->routes;
    struct nuce_node_route *route = &routes->route[routes->route_of[index]];

    aware->ended++;
    switch ((enum nuce_role)routes->role[index]) {
    case NUCE_ROLE_GATHER:
        if (--route->missing == 0)
            nuce_request_set_start(&routes->set, route->send);
        break;
    case NUCE_ROLE_ARRIVAL:
        nuce_request_set_start_some(&routes->set, route->first_spread, route->end_spread);
        node_aware_copy(routes, route->first_in, route->end_in);
        break;
    case NUCE_ROLE_PLAIN:
    case NUCE_ROLE_LATER:
        break;
    }
}

static int node_aware_progress(void *self)
{
    struct node_aware *aware = self;
    struct nuce_request_set *set = &aware->routes.set;
    int completed = nuce_request_set_test(set);

    for (int i = 0; i < completed; i++)
        node_aware_take(aware, set->completed[i]);
    return aware->ended == set->count;
}

static void node_aware_diagnose(void *self, int *peer, int *phase)
{
    const struct node_aware *aware = self;
    const struct nuce_request_set *set = &aware->routes.set;
    int waited = nuce_request_set_pending(set, 0, set->count);

    if (waited < 0)
        return;
    *peer = set->about[waited].peer;
    *phase = set->about[waited].phase;
}

const struct nuce_executor_ops nuce_executor_node_aware = {
    .name = "node-aware",
    .traces = 1,
    .create = node_aware_create,
    .start = node_aware_start,
    .progress = node_aware_progress,
    .diagnose = node_aware_diagnose,
    .destroy = node_aware_destroy,
};
