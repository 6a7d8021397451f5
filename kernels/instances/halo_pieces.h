/* Pieces that go from the parts of an array to others, collected one destination after another:
 * what halos (halo.c) and moves (move.c) are made of. */
#ifndef NUCE_HALO_PIECES_H
#define NUCE_HALO_PIECES_H

#include "instances/halo.h"

/* A coarse grid over the array, to find the parts that a region meets without asking all p. */
struct nuce_boxes {
    int64_t rows, columns; /* of the array */
    int down, along;       /* boxes */
    int64_t *first;        /* down * along + 1: where the parts of each box begin */
    int *parts;            /* of all boxes, one after another */
};

/* A halo in the making. */
struct nuce_halo_pieces {
    const struct nuce_decomposition *tiling; /* of the sources */
    struct nuce_boxes boxes;
    struct nuce_halo_piece *pieces;
    int64_t count, capacity;
};

/* Freed with nuce_halo_pieces_fini, also on failure. tiling, whose coordinates are whole, is
 * borrowed until then. */
void nuce_halo_pieces_init(const struct nuce_decomposition *tiling, struct nuce_halo_pieces *out);
void nuce_halo_pieces_fini(struct nuce_halo_pieces *builder);

/* Adds cells, which lie in the array, each from the part that has it; destination has them so many
 * rows up and columns to the left of there. */
void nuce_halo_pieces_add(struct nuce_halo_pieces *builder, int destination,
                          struct nuce_region cells, int64_t down, int64_t along);

/* Sorts the pieces, which go over to out. */
void nuce_halo_pieces_end(struct nuce_halo_pieces *builder, struct nuce_halo *out);

#endif
