/* One decomposition of the array at work: a rank's part, its halo, and the communication of
 * both. */
#include "programs/stage.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "run/node_memory.h"

/* Collective by its communication; the parts of a stage that was never finished are all zero, which
 * each of these accepts. */
void nuce_stage_destroy(struct nuce_stage *stage)
{
    if (stage == NULL)
        return;
    nuce_communication_fini(&stage->communication);
    nuce_part_fini(&stage->part);
    nuce_pattern_fini(&stage->halo);
    nuce_decomposition_fini(&stage->tiling);
    free(stage);
}

/* Cells of all ranks of this node, and buffers, are checked before they are allocated. */
nuce_status nuce_stage_create(struct nuce_world *world, const struct nuce_field *field,
                              const struct nuce_point *point,
                              struct nuce_stencil_instance *instance,
                              const struct nuce_stage *first, struct nuce_found *found,
                              struct nuce_stage **out, struct nuce_error *error)
{
    const struct nuce_stencil_params *params = point->params;
    struct nuce_stage *stage = nuce_allocate(1, sizeof *stage);
    int rank = world->rank;
    struct nuce_region region = nuce_region_of(&instance->tiling.rectangles[rank]);
    int64_t bytes =
        nuce_plane_bytes(field->jacobi, region.rows, region.columns, params->halo_depth);
    nuce_status status = nuce_stencil_halo_pattern(params, &instance->halo, &stage->halo, error);

    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK) {
        for (int64_t k = stage->halo.row[rank]; k < stage->halo.row[rank + 1]; k++)
            bytes += 2 * stage->halo.bytes[k];
        status = nuce_node_memory_check(world, bytes, error);
    }
    if (status == NUCE_OK) {
        status = nuce_part_init(field, &instance->halo, &instance->tiling, rank, params->halo_depth,
                                &stage->part, error);
        status = nuce_world_agree(world, status, error);
    }
    if (status == NUCE_OK)
        status = first == NULL
                     ? nuce_communication_init(world, point, &stage->halo, NULL,
                                               &stage->communication, found, error)
                     : nuce_communication_init_further(&first->communication, point, &stage->halo,
                                                       &stage->communication, error);
    if (status != NUCE_OK) {
        nuce_stage_destroy(stage);
        return status;
    }
    stage->tiling = instance->tiling;
    memset(&instance->tiling, 0, sizeof instance->tiling);
    *out = stage;
    return NUCE_OK;
}
