/* What a rank keeps of an array that is cut in one way: its part and the exchange of halos. */
#ifndef NUCE_STAGE_H
#define NUCE_STAGE_H

#include "instances/part.h"
#include "points/stencil_instance.h"
#include "run/communication.h"

struct nuce_stage {
    struct nuce_decomposition tiling;        /* owned: which cells each rank has */
    struct nuce_pattern halo;                /* all messages of the exchange of halos */
    struct nuce_part part;                   /* this rank's cells, ghosts and halo */
    struct nuce_communication communication; /* of the halos, under the schedule of the point */
};

/* The stage of point, a stencil's, for instance, whose tiling it takes over; field is borrowed. Its
 * part has no values and no extra work yet. first NULL: the stage that a run begins with; adds to
 * found what follows from communication. Else a further one while that point runs, by the network
 * of first. NUCE_BAD_INPUT where the cells of a node's ranks do not fit its memory. Freed with
 * nuce_stage_destroy, which is collective and takes NULL. Collective; all ranks return the same
 * status. */
nuce_status nuce_stage_create(struct nuce_world *world, const struct nuce_field *field,
                              const struct nuce_point *point,
                              struct nuce_stencil_instance *instance,
                              const struct nuce_stage *first, struct nuce_found *found,
                              struct nuce_stage **out, struct nuce_error *error);
void nuce_stage_destroy(struct nuce_stage *stage);

#endif
