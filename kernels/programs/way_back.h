/* The way back of a redistribution, for its check: what was sent is sent back, all at once. */
#ifndef NUCE_WAY_BACK_H
#define NUCE_WAY_BACK_H

#include "base/error.h"
#include "run/array_peers.h"
#include "run/communication.h"
#include "run/world.h"

/* What runs the way back. Its engine keeps pointers into it, so that it must stay where it is. */
struct nuce_way_back {
    struct nuce_world *world;
    struct nuce_schedule schedule;
    struct nuce_payload payload; /* the same buffers, their roles swapped: borrowed */
    struct nuce_engine engine;
};

/* Sets up the way back of there, which is borrowed; *out must stay where it is. Freed with
 * nuce_way_back_fini, which takes an empty (all zero) one; both are collective. All ranks return
 * the same status; *out is empty on failure. */
nuce_status nuce_way_back_init(struct nuce_world *world, struct nuce_communication *there,
                               struct nuce_way_back *out, struct nuce_error *error);
void nuce_way_back_fini(struct nuce_way_back *back);

/* From arrays->to to arrays->from. Collective. */
void nuce_way_back_run(struct nuce_way_back *back, const struct nuce_arrays *arrays);

#endif
