/* A move is a halo without a shape: each part of the new tiling asks for all of its cells, and gets
 * them from the parts of the old one that had them. */
#include "instances/move.h"

#include "instances/halo_pieces.h"

/* Leaves out what goes from a part to itself: those cells are copied within its memory
 * (instances/part_move.c) and are no message. */
static void drop_kept(struct nuce_halo_pieces *pieces)
{
    int64_t count = 0;

    for (int64_t k = 0; k < pieces->count; k++) {
        if (pieces->pieces[k].source != pieces->pieces[k].destination)
            pieces->pieces[count++] = pieces->pieces[k];
    }
    pieces->count = count;
}

void nuce_move_init(const struct nuce_decomposition *before, const struct nuce_decomposition *after,
                    struct nuce_halo *out)
{
    struct nuce_halo_pieces pieces;

    nuce_halo_pieces_init(before, &pieces);

    NUCE_ASSERT(before->parts == after->parts);
    for (int i = 0; i < after->parts; i++) {
        struct nuce_region part = nuce_region_of(&after->rectangles[i]);

        if (!nuce_region_is_empty(part))
            nuce_halo_pieces_add(&pieces, i, part, 0, 0);
    }
    drop_kept(&pieces);
    nuce_halo_pieces_end(&pieces, out);
    nuce_halo_pieces_fini(&pieces);
}
