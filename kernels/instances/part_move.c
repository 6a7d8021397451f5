/* Cells that change owners: a part of before, which ends, and one of after, which begins. */
#include <string.h>

#include "instances/part.h"

/* A region of the array as one of the part's plane. */
static struct nuce_region region_within_part(const struct nuce_part *part,
                                             struct nuce_region region)
{
    region.row -= part->region.row;
    region.column -= part->region.column;
    return region;
}

void nuce_part_pack_moved(const struct nuce_part *before, const struct nuce_halo *move, int rank,
                          unsigned char *to)
{
    for (int64_t k = move->first[rank]; k < move->first[rank + 1]; k++)
        to = nuce_plane_pack(&before->plane, region_within_part(before, move->pieces[k].from), to);
}

/* All pieces are looked through, as a move is sorted by source: what comes from one source is
 * together and in the order in which it packed. */
void nuce_part_unpack_moved(struct nuce_part *after, const struct nuce_halo *move, int rank,
                            const unsigned char *from)
{
    for (int64_t k = 0; k < move->count; k++) {
        if (move->pieces[k].destination == rank)
            from = nuce_plane_unpack(&after->plane, region_within_part(after, move->pieces[k].to),
                                     from);
    }
}

void nuce_part_keep(struct nuce_part *after, const struct nuce_part *before)
{
    struct nuce_region kept = nuce_region_meet(before->region, after->region);
    struct nuce_region from = region_within_part(before, kept),
                       to = region_within_part(after, kept);
    size_t bytes;

    if (nuce_region_is_empty(kept))
        return;
    bytes = (size_t)(kept.columns * after->plane.jacobi->element_bytes);
    for (int64_t row = 0; row < kept.rows; row++)
        memcpy(after->plane.now + nuce_plane_at(&after->plane, to.row + row, to.column),
               before->plane.now + nuce_plane_at(&before->plane, from.row + row, from.column),
               bytes);
}
