/* Moves: which cells of an array change owners when it is cut anew. */
#ifndef NUCE_MOVE_H
#define NUCE_MOVE_H

#include "instances/halo.h"

/* The cells that other parts have in after than in before, which are tilings of one array for the
 * same parts with whole coordinates (nuce_decomposition_round): as pieces of a halo, each going
 * from where it is in the array to there (from and to are the same), at most one from any part to
 * another. What a part keeps is no piece. Time and memory grow with the number of pieces and of
 * parts. Freed with nuce_halo_fini. */
void nuce_move_init(const struct nuce_decomposition *before, const struct nuce_decomposition *after,
                    struct nuce_halo *out);

#endif
