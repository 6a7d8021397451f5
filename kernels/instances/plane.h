/* A rank's part of an array: a rectangle of cells in a frame of ghosts, twice, since Jacobi's step
 * goes from one copy to the other. No MPI. */
#ifndef NUCE_PLANE_H
#define NUCE_PLANE_H

#include <stdint.h>

#include "base/error.h"
#include "instances/halo.h"
#include "instances/jacobi.h"

/* All its memory is touched at creation, so that no sweep has a page fault. */
struct nuce_plane {
    const struct nuce_jacobi_ops *jacobi;
    int64_t rows, columns; /* own cells; both 0 if there are none */
    int64_t depth;         /* layers of ghosts around them */
    int64_t stride;        /* elements from a row to the next */
    unsigned char *now;    /* cell (0, 0) of the present values */
    unsigned char *next;   /* the same of the other copy */
    unsigned char *memory; /* the block of both */
};

/* Bytes of such a plane. */
int64_t nuce_plane_bytes(const struct nuce_jacobi_ops *jacobi, int64_t rows, int64_t columns,
                         int64_t depth);

/* Makes a plane with all cells 0. Freed with nuce_plane_fini, which accepts an empty (all zero)
 * one. Local. */
nuce_status nuce_plane_init(const struct nuce_jacobi_ops *jacobi, int64_t rows, int64_t columns,
                            int64_t depth, struct nuce_plane *out, struct nuce_error *error);
void nuce_plane_fini(struct nuce_plane *plane);

/* Bytes from cell (0, 0) to another. */
static inline int64_t nuce_plane_at(const struct nuce_plane *plane, int64_t row, int64_t column)
{
    return (row * plane->stride + column) * plane->jacobi->element_bytes;
}

/* Its own cells. Regions of a plane have ghosts at rows and columns below 0, and from the number of
 * own rows and columns on. */
static inline struct nuce_region nuce_plane_own(const struct nuce_plane *plane)
{
    return (struct nuce_region){0, 0, plane->rows, plane->columns};
}

/* Computes `next` in region from `now`. The region may be empty; with its neighbours it lies within
 * the plane. */
void nuce_plane_sweep(const struct nuce_plane *plane, struct nuce_region region);

/* The same, then repeats as much of the region as makes it take 1 + extra times as long (whole
 * rows, rounded). This emulates a slower node. extra >= 0. */
void nuce_plane_sweep_slowly(const struct nuce_plane *plane, struct nuce_region region,
                             double extra);

/* Exchanges `next` and `now`. */
void nuce_plane_turn(struct nuce_plane *plane);

/* Copies a region of `now`, row by row, to (from) a buffer; returns its end there. */
unsigned char *nuce_plane_pack(const struct nuce_plane *plane, struct nuce_region region,
                               unsigned char *to);
const unsigned char *nuce_plane_unpack(struct nuce_plane *plane, struct nuce_region region,
                                       const unsigned char *from);

#endif
