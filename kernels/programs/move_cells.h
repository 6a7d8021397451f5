/* The cells of an array that is cut anew, on their way to the ranks that get them. */
#ifndef NUCE_MOVE_CELLS_H
#define NUCE_MOVE_CELLS_H

#include "programs/stage.h"

struct nuce_move_cells {
    struct nuce_communication *communication;
};

/* Schedule and buffers for pattern, that of a move (borrowed for the call), under the algorithm of
 * point, by the network of home. NUCE_BAD_INPUT where the buffers of a node's ranks do not fit its
 * memory. Freed with nuce_move_cells_fini, collective. Collective;
 * all ranks return the same status. */
nuce_status nuce_move_cells_init(const struct nuce_stage *home, const struct nuce_point *point,
                                 const struct nuce_pattern *pattern, struct nuce_move_cells *out,
                                 struct nuce_error *error);
void nuce_move_cells_fini(struct nuce_move_cells *cells);

/* Gives after's own cells the values that they have in the parts of before. Collective. */
void nuce_move_cells_run(struct nuce_move_cells *cells, const struct nuce_halo *move,
                         const struct nuce_part *before, struct nuce_part *after);

#endif
