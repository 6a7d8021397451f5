/* What a rank does when messages between nodes are bundled: its requests, and which of them wait
 * for which. */
#ifndef NUCE_NODE_ROUTES_H
#define NUCE_NODE_ROUTES_H

#include "engine/request_set.h"
#include "world/nodes.h"

/* The phase of a transfer, in traces: what it is for. */
enum nuce_node_step {
    NUCE_STEP_GATHER, /* to the agent; and what stays on the node */
    NUCE_STEP_BUNDLE, /* between agents */
    NUCE_STEP_SPREAD, /* from the agent */
};

/* What follows when a request has ended. */
enum nuce_role {
    NUCE_ROLE_PLAIN,
    NUCE_ROLE_GATHER,  /* one part more of the outgoing bundle is there */
    NUCE_ROLE_ARRIVAL, /* the incoming bundle is there */
    NUCE_ROLE_LATER,   /* nothing; it is started when what it sends is there */
};

/* What an agent does for one other node. */
struct nuce_node_route {
    unsigned char *out, *in;      /* the bundles; NULL: nothing goes there, comes from there */
    int gathers, missing;         /* parts of `out` from other ranks; those not there yet */
    int send;                     /* the request that sends `out`; -1: none */
    int first_spread, end_spread; /* requests that send parts of `in` */
    int64_t first_out, end_out;   /* copies into `out` */
    int64_t first_in, end_in;     /* copies out of `in` */
};

/* A copy within this rank's memory; both ends are borrowed. */
struct nuce_node_copy {
    unsigned char *to;
    const unsigned char *from;
    int64_t bytes;
};

/* All that a rank does. Owned but for `own` and the payload behind requests and copies. */
struct nuce_node_routes {
    struct nuce_nodes nodes;
    const struct nuce_transfer *own; /* the message to this rank itself; NULL: there is none */
    struct nuce_request_set set;
    unsigned char *role; /* of each request */
    int *route_of;       /* of each request; 0 where no route is meant */
    int count;
    struct nuce_node_route *route; /* nodes; the first `count` are this rank's */
    int64_t copies, copy_capacity;
    struct nuce_node_copy *copy;
};

/* Nodes are input->node_of's, or, where that is NULL, those of host names. NUCE_FAILED: no memory,
 * or too many nodes for MPI's tags. Collective over the world; the same status on all ranks. Freed
 * with nuce_node_routes_fini, local. */
nuce_status nuce_node_routes_init(const struct nuce_engine_input *input,
                                  struct nuce_node_routes *out, struct nuce_error *error);
void nuce_node_routes_fini(struct nuce_node_routes *routes);

#endif
