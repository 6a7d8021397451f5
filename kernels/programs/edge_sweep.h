/* The computation of the paper's Figure 1 on one rank's part of the mesh. A sweep over edges
 * computes a flux from the values x at both ends and accumulates it in y. */
#ifndef NUCE_EDGE_SWEEP_H
#define NUCE_EDGE_SWEEP_H

#include <stdint.h>

#include "base/error.h"
#include "instances/partition.h"
#include "run/payload.h"

/* The state of a node is `item_bytes` bytes, beginning with x as a double. All of it is sent to
 * each rank that has the node as a ghost. */
struct nuce_edge_sweep {
    const struct nuce_submesh *submesh; /* borrowed */
    int64_t item_bytes;                 /* bytes, a multiple of 8 */
    unsigned char *state;               /* (owned + ghosts) x item_bytes */
    double *y;                          /* owned */
};

/* Freed with nuce_edge_sweep_fini. Local. */
void nuce_edge_sweep_init(const struct nuce_submesh *submesh, int64_t item_bytes,
                          struct nuce_edge_sweep *out);
void nuce_edge_sweep_fini(struct nuce_edge_sweep *sweep);

/* Gives every owned node a state that is a function of its global number and salt, and every
 * ghost a state that is wrong in each byte. x is a small whole number, so sums of fluxes are
 * exact. */
void nuce_edge_sweep_set(struct nuce_edge_sweep *sweep, uint64_t salt);

/* Packs the state of the nodes that others need into the send buffer, and unpacks that of the
 * ghosts from the receive buffer. The payload's messages are the submesh's neighbours. */
void nuce_edge_sweep_pack(const struct nuce_edge_sweep *sweep, struct nuce_payload *payload);
void nuce_edge_sweep_unpack(struct nuce_edge_sweep *sweep, const struct nuce_payload *payload);

/* Sets y to 0. */
void nuce_edge_sweep_clear(struct nuce_edge_sweep *sweep);

/* Edges first .. end - 1 between owned nodes: both ends get the flux. */
void nuce_edge_sweep_interior(struct nuce_edge_sweep *sweep, int64_t first, int64_t end);

/* The edges to ghosts: the owned end gets the flux. The owner of the other end computes it too. */
void nuce_edge_sweep_boundary(struct nuce_edge_sweep *sweep);

/* Checks the state of every ghost, byte by byte. Checks every y against a sum that takes x from
 * the nodes' global numbers and not from the exchange. NUCE_CORRUPT names the node. */
nuce_status nuce_edge_sweep_check(const struct nuce_edge_sweep *sweep, uint64_t salt,
                                  struct nuce_error *error);

#endif
