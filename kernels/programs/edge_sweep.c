/* The sweep over edges (Ranka, Wang, Kumar, Figure 1), with whole numbers as values. Sums are
 * then exact in any order, and every byte of a node's state can be checked. O(edges) a sweep.
 * The state of a node is `item_bytes` bytes, x in its first double. x is at most 255, so a flux is
 * a whole number below 2^17, and the sum of a node's fluxes is exact up to 2^36 edges. */
#include "programs/edge_sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/rng.h"

void nuce_edge_sweep_init(const struct nuce_submesh *submesh, int64_t item_bytes,
                          struct nuce_edge_sweep *out)
{
    struct nuce_edge_sweep sweep = {.submesh = submesh, .item_bytes = item_bytes};

    sweep.state = nuce_allocate(submesh->owned + submesh->ghosts, (size_t)item_bytes);
    sweep.y = nuce_allocate(submesh->owned, sizeof *sweep.y);
    *out = sweep;
}

void nuce_edge_sweep_fini(struct nuce_edge_sweep *sweep)
{
    free(sweep->state);
    free(sweep->y);
    memset(sweep, 0, sizeof *sweep);
}

/* x of a node: a whole number in 0 .. 255, by its global number and salt. */
static double upwind_value_of(int64_t global, uint64_t salt)
{
    return (double)(nuce_rng_mix((uint64_t)global + (salt << 48)) & 0xff);
}

/* The state of a node, word by word: x, then mixed words. flip is 0, or all ones to make each byte
 * wrong. */
static void write_state(unsigned char *state, int64_t item_bytes, int64_t global, uint64_t salt,
                        uint64_t flip)
{
    double x = upwind_value_of(global, salt);
    uint64_t word;

    memcpy(&word, &x, sizeof word);
    for (int64_t k = 0; k < item_bytes; k += 8) {
        word ^= flip;
        memcpy(state + k, &word, sizeof word);
        word = nuce_rng_mix(((uint64_t)global << 20) + (uint64_t)k + salt);
    }
}

void nuce_edge_sweep_set(struct nuce_edge_sweep *sweep, uint64_t salt)
{
    const struct nuce_submesh *submesh = sweep->submesh;

    for (int64_t node = 0; node < submesh->owned + submesh->ghosts; node++)
        write_state(sweep->state + node * sweep->item_bytes, sweep->item_bytes,
                    submesh->global[node], salt, node < submesh->owned ? 0 : UINT64_MAX);
}

void nuce_edge_sweep_pack(const struct nuce_edge_sweep *sweep, struct nuce_payload *payload)
{
    const struct nuce_submesh *submesh = sweep->submesh;
    unsigned char *to = payload->send.data;
    int64_t count = submesh->send_start[submesh->neighbors];

    for (int64_t i = 0; i < count; i++, to += sweep->item_bytes)
        memcpy(to, sweep->state + submesh->send_node[i] * sweep->item_bytes,
               (size_t)sweep->item_bytes);
}

/* One copy suffices: ghosts are numbered by owner, in the order in which the owner sends them. */
void nuce_edge_sweep_unpack(struct nuce_edge_sweep *sweep, const struct nuce_payload *payload)
{
    const struct nuce_submesh *submesh = sweep->submesh;

    memcpy(sweep->state + submesh->owned * sweep->item_bytes, payload->receive.data,
           (size_t)(submesh->ghosts * sweep->item_bytes));
}

void nuce_edge_sweep_clear(struct nuce_edge_sweep *sweep)
{
    memset(sweep->y, 0, (size_t)sweep->submesh->owned * sizeof *sweep->y);
}

/* Any function with flux(a, b) = -flux(b, a) is valid (the paper does not define f); this one is
 * exact for whole numbers. */
static double upwind_flux(double a, double b)
{
    return (a - b) * (a + b + 3.0);
}

/* The first double of the node's state. */
static double x_at(const struct nuce_edge_sweep *sweep, int32_t node)
{
    double x;

    memcpy(&x, sweep->state + node * sweep->item_bytes, sizeof x);
    return x;
}

void nuce_edge_sweep_interior(struct nuce_edge_sweep *sweep, int64_t first, int64_t end)
{
    int32_t(*edge)[2] = sweep->submesh->edge;
    double *y = sweep->y;

    for (int64_t i = first; i < end; i++) {
        int32_t n1 = edge[i][0], n2 = edge[i][1];
        double f = upwind_flux(x_at(sweep, n1), x_at(sweep, n2));

        y[n1] += f;
        y[n2] -= f;
    }
}

/* An edge that crosses to another part has its own node first; the neighbour adds up its other
 * end. */
void nuce_edge_sweep_boundary(struct nuce_edge_sweep *sweep)
{
    const struct nuce_submesh *submesh = sweep->submesh;

    for (int64_t i = submesh->interior; i < submesh->edges; i++) {
        int32_t n1 = submesh->edge[i][0], n2 = submesh->edge[i][1];

        sweep->y[n1] += upwind_flux(x_at(sweep, n1), x_at(sweep, n2));
    }
}

/* Checks that every ghost has its owner's value. Then adds up the fluxes of each node over the
 * edges, with x from the global numbers, in another order than the sweep. */
nuce_status nuce_edge_sweep_check(const struct nuce_edge_sweep *sweep, uint64_t salt,
                                  struct nuce_error *error)
{
    const struct nuce_submesh *submesh = sweep->submesh;
    unsigned char *state = nuce_allocate(1, (size_t)sweep->item_bytes);
    double *sums = nuce_allocate(submesh->owned, sizeof *sums);
    nuce_status status = NUCE_OK;

    for (int64_t node = submesh->owned;
         status == NUCE_OK && node < submesh->owned + submesh->ghosts; node++) {
        write_state(state, sweep->item_bytes, submesh->global[node], salt, 0);
        if (memcmp(state, sweep->state + node * sweep->item_bytes, (size_t)sweep->item_bytes) != 0)
            status = nuce_error_set(error, NUCE_CORRUPT,
                                    "the state of ghost node %lld is not its owner's",
                                    (long long)submesh->global[node]);
    }
    for (int64_t i = submesh->edges - 1; status == NUCE_OK && i >= 0; i--) {
        int32_t n1 = submesh->edge[i][0], n2 = submesh->edge[i][1];
        double x1 = upwind_value_of(submesh->global[n1], salt),
               x2 = upwind_value_of(submesh->global[n2], salt);

        sums[n1] += (x1 - x2) * (x1 + x2 + 3.0);
        if (n2 < submesh->owned)
            sums[n2] += (x2 - x1) * (x2 + x1 + 3.0);
    }
    for (int64_t node = 0; status == NUCE_OK && node < submesh->owned; node++) {
        if (sweep->y[node] < sums[node] || sweep->y[node] > sums[node])
            status = nuce_error_set(error, NUCE_CORRUPT,
                                    "the flux sum of node %lld is %.17g, expected %.17g",
                                    (long long)submesh->global[node], sweep->y[node], sums[node]);
    }
    free(state);
    free(sums);
    return status;
}
