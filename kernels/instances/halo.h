/* Halos: what each part of an array must have of the others before it can sweep over its own cells.
 * A part has ghost cells all around it, some layers deep; they are cut along the borders of those
 * who own them. */
#ifndef NUCE_HALO_H
#define NUCE_HALO_H

#include "instances/decomposition.h"

/* A rectangle of cells, rows x columns from (row, column) on; coordinates may lie outside of the
 * array where it is wrapped around. */
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
    int source, destination; /* the same, where a part wraps around to itself */
    struct nuce_region from; /* in the array: within the part of source */
    struct nuce_region to;   /* as large: beside the part of destination, perhaps outside the array,
                                where from is one array's side away */
};

/* All pieces: by source, those by destination, those by row and column of where they go. What one
 * part sends to another is one message: a run of pieces, in the order in which both know them. Both
 * lists are owned. */
struct nuce_halo {
    int parts;
    int64_t count;
    struct nuce_halo_piece *pieces;
    int64_t *first; /* parts + 1: pieces of source i are first[i] .. first[i + 1] - 1 */
};

/* The halo of tiling, whose coordinates are whole (nuce_decomposition_round). Parts without cells
 * send and get nothing. NUCE_BAD_INPUT, naming the part, where depth is more than a part has rows
 * or columns. Time and memory grow with the number of pieces and of parts. Freed with
 * nuce_halo_fini.
 */
nuce_status nuce_halo_init(const struct nuce_decomposition *tiling,
                           const struct nuce_halo_shape *shape, struct nuce_halo *out,
                           struct nuce_error *error);
void nuce_halo_fini(struct nuce_halo *halo);

/* The part as a region. */
struct nuce_region nuce_region_of(const struct nuce_rectangle *part);

/* How many cells; meant for regions that are not empty. */
static inline int64_t nuce_region_cells(struct nuce_region region)
{
    return region.rows * region.columns;
}

/* Whether it has no cell. */
int nuce_region_is_empty(struct nuce_region region);

/* What a and b have in common; empty: nothing. */
struct nuce_region nuce_region_meet(struct nuce_region a, struct nuce_region b);

/* Moves: which cells of an array change owners when it is cut anew. */

/* The cells that other parts have in after than in before, which are tilings of one array for the
 * same parts with whole coordinates (nuce_decomposition_round): as pieces of a halo, each going
 * from where it is in the array to there (from and to are the same), at most one from any part to
 * another. What a part keeps is no piece. Time and memory grow with the number of pieces and of
 * parts. Freed with nuce_halo_fini. */
void nuce_halo_move(const struct nuce_decomposition *before, const struct nuce_decomposition *after,
                    struct nuce_halo *out);

#endif
