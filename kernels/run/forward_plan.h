/* What a rank does under a schedule that forwards: its transfers phase by phase, and what is copied
 * before and after each. */
#ifndef NUCE_FORWARD_PLAN_H
#define NUCE_FORWARD_PLAN_H

#include "run/request_set.h"

/* A copy within this rank's memory; both ends are borrowed. */
struct nuce_forward_copy {
    unsigned char *to;
    const unsigned char *from;
    int64_t bytes;
};

/* A message, or a part of one, that comes to this rank in a transfer, its own or another's. `at` is
 * borrowed: a place in the receive buffer, or in the plan's memory. */
struct nuce_forward_arrival {
    struct nuce_parcel parcel;
    int phase, from; /* when, and from which rank */
    unsigned char *at;
};

/* One phase of this rank. A phase in which it neither sends nor receives is none. */
struct nuce_forward_step {
    int phase;
    int first_request, end_receive;     /* requests that receive */
    int end_request;                    /* those from end_receive on send */
    int64_t first_pack, end_pack;       /* copies into what it sends */
    int64_t first_unpack, end_unpack;   /* copies of this rank's own messages to their places */
    int64_t first_arrival, end_arrival; /* what the receives bring */
};

/* All of it is made before the first step, and owned but for `own` and the payload behind
 * copies. */
struct nuce_forward_plan {
    int rank;
    struct nuce_request_set set;
    int steps;
    struct nuce_forward_step *step;
    int64_t copies, copy_capacity;
    struct nuce_forward_copy *copy;
    int64_t arrivals;
    struct nuce_forward_arrival *arrival;           /* by phase */
    const struct nuce_forward_arrival **by_message; /* the same, by source, destination,
                                                       offset, phase */
    unsigned char *memory;           /* of those transfers that have no place of their own */
    const struct nuce_transfer *own; /* the message to this rank itself; NULL: there is none */
};

/* Local; borrows input as the engine does. Freed with nuce_forward_plan_fini. */
void nuce_forward_plan_init(const struct nuce_engine_input *input, struct nuce_forward_plan *out);
void nuce_forward_plan_fini(struct nuce_forward_plan *plan);

#endif
