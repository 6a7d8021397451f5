/* The ghost cells of a part are up to eight regions around it; each is moved into the array where
 * it wraps around, and cut by the parts that it meets there. */
#include "instances/halo.h"

#include "instances/halo_pieces.h"

/* What stays the same while the ghosts of all parts are collected. */
struct halo_builder {
    const struct nuce_halo_shape *shape;
    struct nuce_halo_pieces pieces;
};

/* Adds the cells of ghosts, a region on one side of destination, from wherever they lie: the region
 * moved by every multiple -1, 0, 1 of the array's sides and met with the array. No part is less
 * wide than the halo is deep, so ghosts lie at most one array's side away. */
static void add_ghosts(struct halo_builder *builder, int destination, struct nuce_region ghosts)
{
    int64_t rows = builder->pieces.boxes.rows, columns = builder->pieces.boxes.columns;
    struct nuce_region array = {0, 0, rows, columns};

    for (int down = -1; down <= 1; down++) {
        for (int along = -1; along <= 1; along++) {
            struct nuce_region moved = ghosts;

            if (!builder->shape->is_wrapped && (down != 0 || along != 0))
                continue;
            moved.row += down * rows;
            moved.column += along * columns;
            moved = nuce_region_meet(moved, array);
            if (!nuce_region_is_empty(moved))
                nuce_halo_pieces_add(&builder->pieces, destination, moved, down * rows,
                                     along * columns);
        }
    }
}

/* The three by three regions of a part and its ghosts, the part itself in the middle: edges are the
 * four beside it, corners the four diagonal ones, which five-point stencils do not read. */
static nuce_status halo_add_part(struct halo_builder *builder, int destination,
                                 struct nuce_error *error)
{
    struct nuce_region part = nuce_region_of(&builder->pieces.tiling->rectangles[destination]);
    int64_t depth = builder->shape->depth;
    int64_t row[] = {part.row - depth, part.row, part.row + part.rows};
    int64_t rows[] = {depth, part.rows, depth};
    int64_t column[] = {part.column - depth, part.column, part.column + part.columns};
    int64_t columns[] = {depth, part.columns, depth};

    if (nuce_region_is_empty(part))
        return NUCE_OK;
    if (depth > part.rows || depth > part.columns)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "part %d of %d: has %lld x %lld cells: a halo %lld deep is deeper "
                              "than that",
                              destination, builder->pieces.tiling->parts, (long long)part.rows,
                              (long long)part.columns, (long long)depth);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            struct nuce_region ghosts = {row[i], column[k], rows[i], columns[k]};

            if ((i == 1 && k == 1) || (i != 1 && k != 1 && !builder->shape->corners))
                continue;
            add_ghosts(builder, destination, ghosts);
        }
    }
    return NUCE_OK;
}

nuce_status nuce_halo_init(const struct nuce_decomposition *tiling,
                           const struct nuce_halo_shape *shape, struct nuce_halo *out,
                           struct nuce_error *error)
{
    struct halo_builder builder = {.shape = shape};
    nuce_status status = NUCE_OK;

    nuce_halo_pieces_init(tiling, &builder.pieces);

    NUCE_ASSERT(shape->depth >= 1);
    for (int i = 0; status == NUCE_OK && i < tiling->parts; i++)
        status = halo_add_part(&builder, i, error);
    if (status == NUCE_OK)
        nuce_halo_pieces_end(&builder.pieces, out);
    nuce_halo_pieces_fini(&builder.pieces);
    return status;
}
