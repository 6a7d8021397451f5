/* The cells that change owners when the array is cut anew during a run, as an exchange of their
 * own.
 *
 * Made for one move and thrown away after it: schedule, buffers and engine are those of an exchange
 * whose messages are the cells that change owners. Cost: the set-up of a schedule, and buffers of
 * what a rank sends and gets. */
#include "programs/move_cells.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "run/node_memory.h"
/* The communication is allocated by itself, since its engine keeps pointers into it: *out may then
 * be copied. */
nuce_status nuce_move_cells_init(const struct nuce_stage *home, const struct nuce_point *point,
                                 const struct nuce_pattern *pattern, struct nuce_move_cells *out,
                                 struct nuce_error *error)
{
    struct nuce_world *world = home->communication.world;
    struct nuce_move_cells cells = {.communication = nuce_allocate(1, sizeof *cells.communication)};
    nuce_status status;

    status = nuce_node_memory_check(world, nuce_pattern_rank_bytes(pattern, world->rank), error);
    if (status == NUCE_OK)
        status = nuce_communication_init_further(&home->communication, point, pattern,
                                                 cells.communication, error);
    if (status != NUCE_OK)
        free(cells.communication);
    else
        *out = cells;
    return status;
}

void nuce_move_cells_fini(struct nuce_move_cells *cells)
{
    nuce_communication_fini(cells->communication);
    free(cells->communication);
}

/* What a rank keeps is copied from part to part; what it gives away and gets goes through the
 * buffers. */
void nuce_move_cells_run(struct nuce_move_cells *cells, const struct nuce_halo *move,
                         const struct nuce_part *before, struct nuce_part *after)
{
    struct nuce_communication *communication = cells->communication;
    int rank = communication->world->rank;

    nuce_part_pack_moved(before, move, rank, communication->payload.send);
    nuce_engine_run(&communication->engine);
    nuce_part_keep(after, before);
    nuce_part_unpack_moved(after, move, rank, communication->payload.receive);
}
