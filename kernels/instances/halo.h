/* Halos: the cells of other parts that each part of an array needs before it can sweep over its
 * own. A part has ghost cells all around it, some layers deep; they are cut along the borders of
 * their owners. */
#ifndef NUCE_HALO_H
#define NUCE_HALO_H

#include "instances/decomposition.h"

/* A rectangle of cells, rows x columns from (row, column) on; coordinates may be outside of an
 * array that wraps around. */
struct nuce_region {
    int64_t row, column, rows, columns;
};

struct nuce_halo_shape {
    int64_t depth;  /* layers of ghost cells, at least 1 */
    int corners;    /* also those diagonally beyond the corners of a part */
    int is_wrapped; /* the array's last row and column are neighbours of its first */
};

/* A rectangle of ghost cells of destination that one part, source, owns. */
struct nuce_halo_piece {
    int source, destination; /* equal if a part wraps around to itself */
    struct nuce_region from; /* in the array: within the part of source */
    struct nuce_region to;   /* same size: next to the part of destination, possibly outside the
                                array and one array's side away from `from` */
};

/* All pieces: by source, then by destination, then by row and column of their target. All pieces
 * from one part to another are one message: a run of pieces, in the same order for both. Both lists
 * are owned. */
struct nuce_halo {
    int parts;
    int64_t count;
    struct nuce_halo_piece *pieces;
    int64_t *first; /* parts + 1: pieces of source i are first[i] .. first[i + 1] - 1 */
};

/* The halo of tiling, whose coordinates are whole (nuce_decomposition_round). Parts without cells
 * send and get nothing. NUCE_BAD_INPUT, naming the part, if depth is more than its rows or columns.
 * Time and memory grow with the number of pieces and of parts. Freed with nuce_halo_fini. */
nuce_status nuce_halo_init(const struct nuce_decomposition *tiling,
                           const struct nuce_halo_shape *shape, struct nuce_halo *out,
                           struct nuce_error *error);
void nuce_halo_fini(struct nuce_halo *halo);

/* The part as a region. */
struct nuce_region nuce_region_of(const struct nuce_rectangle *part);

/* The number of its cells; only for regions that are not empty. */
static inline int64_t nuce_region_cells(struct nuce_region region)
{
    return region.rows * region.columns;
}

/* True if it has no cell. */
int nuce_region_is_empty(struct nuce_region region);

/* The intersection of a and b; empty: they have no common cell. */
struct nuce_region nuce_region_meet(struct nuce_region a, struct nuce_region b);

/* Moves: the cells of an array that change owners when it is cut again. */

/* The cells that have another part in after than in before. Both are tilings of one array for the
 * same parts with whole coordinates (nuce_decomposition_round). The result is pieces of a halo,
 * each to the same place in the array (from and to are equal), at most one from any part to
 * another. Cells that a part keeps are no piece. Time and memory grow with the number of pieces and
 * of parts. Freed with nuce_halo_fini. */
void nuce_halo_move(const struct nuce_decomposition *before, const struct nuce_decomposition *after,
                    struct nuce_halo *out);

#endif
