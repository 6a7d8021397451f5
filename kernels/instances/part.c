/* The work of a rank on its part, without MPI. Ghosts are regions of its plane, and a message is
 * its regions packed one after the other. With a halo of several layers a sweep may be followed by
 * m more before the next exchange. It then computes m layers of ghosts as well, so that those m
 * need no message. */
#include "instances/part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* The value of ghosts until they are received. No cell ever has it, as mixed values are at least 0,
 * and those of the wave at least -1. So the check finds a ghost that was not sent. */
#define NO_VALUE (-3.0)

/* Collects the pieces that rank sends, or gets, as regions of its plane, in new memory at *out,
 * *count of them (0 before). The halo's order by source, destination and place is that of the
 * messages in both cases: by the other rank, then in the order known to both. */
static void part_collect_regions(const struct nuce_halo *halo, int rank, struct nuce_region origin,
                                 int sends, struct nuce_region **out, int64_t *count)
{
    int64_t capacity = 0;

    for (int64_t k = 0; k < halo->count; k++) {
        const struct nuce_halo_piece *piece = &halo->pieces[k];
        struct nuce_region region = sends ? piece->from : piece->to;

        if ((sends ? piece->source : piece->destination) != rank)
            continue;
        nuce_allocate_more((void **)out, &capacity, *count + 1, sizeof **out);
        region.row -= origin.row;
        region.column -= origin.column;
        (*out)[(*count)++] = region;
    }
}

/* A side has ghosts to compute if there are cells beyond it: neighbours', or its own on the other
 * side of a periodic array. Beyond a fixed border cells keep their values and are not swept. */
nuce_status nuce_part_init(const struct nuce_field *field, const struct nuce_halo *halo,
                           const struct nuce_decomposition *tiling, int rank, int64_t depth,
                           struct nuce_part *out, struct nuce_error *error)
{
    struct nuce_part part = {.field = field, .depth = depth};
    int wraps = field->is_periodic;

    part.region = nuce_region_of(&tiling->rectangles[rank]);
    part.above = wraps || part.region.row > 0;
    part.below = wraps || part.region.row + part.region.rows < field->rows;
    part.left = wraps || part.region.column > 0;
    part.right = wraps || part.region.column + part.region.columns < field->columns;
    part_collect_regions(halo, rank, part.region, 1, &part.send, &part.sends);
    part_collect_regions(halo, rank, part.region, 0, &part.receive, &part.receives);
    if (nuce_plane_init(field->jacobi, part.region.rows, part.region.columns, depth, &part.plane,
                        error) != NUCE_OK) {
        nuce_part_fini(&part);
        return error->status;
    }
    *out = part;
    return NUCE_OK;
}

void nuce_part_fini(struct nuce_part *part)
{
    nuce_plane_fini(&part->plane);
    free(part->send);
    free(part->receive);
    memset(part, 0, sizeof *part);
}

/* A part without cells joins exchanges and sweeps, without any work. */
static int part_is_empty(const struct nuce_part *part)
{
    return part->region.rows == 0 || part->region.columns == 0;
}

/* Own cells and those beyond a fixed border have values; other ghosts get NO_VALUE. */
static void fill_cell(struct nuce_part *part, enum nuce_field_kind kind, uint64_t salt, int64_t i,
                      int64_t j)
{
    int64_t row = part->region.row + i, column = part->region.column + j;
    double value = NO_VALUE;

    if ((i >= 0 && i < part->plane.rows && j >= 0 && j < part->plane.columns) ||
        !nuce_field_has(part->field, row, column))
        value = nuce_field_value(part->field, kind, salt, row, column);
    nuce_plane_set_cell(&part->plane, i, j, value);
}

void nuce_part_fill_around(struct nuce_part *part, enum nuce_field_kind kind, uint64_t salt)
{
    struct nuce_plane *plane = &part->plane;
    int64_t depth = part->depth;

    if (part_is_empty(part))
        return;
    for (int64_t i = -depth; i < plane->rows + depth; i++) {
        int is_beside = i >= 0 && i < plane->rows;

        /* Skips the own cells, if there are some. */
        for (int64_t j = -depth; j < plane->columns + depth;
             j += is_beside && j == -1 ? plane->columns + 1 : 1)
            fill_cell(part, kind, salt, i, j);
    }
}

void nuce_part_fill(struct nuce_part *part, enum nuce_field_kind kind, uint64_t salt)
{
    for (int64_t i = 0; i < part->plane.rows; i++) {
        for (int64_t j = 0; j < part->plane.columns; j++)
            fill_cell(part, kind, salt, i, j);
    }
    nuce_part_fill_around(part, kind, salt);
}

void nuce_part_pack(const struct nuce_part *part, unsigned char *to)
{
    for (int64_t k = 0; k < part->sends; k++)
        to = nuce_plane_pack(&part->plane, part->send[k], to);
}

void nuce_part_unpack(struct nuce_part *part, const unsigned char *from)
{
    for (int64_t k = 0; k < part->receives; k++)
        from = nuce_plane_unpack(&part->plane, part->receive[k], from);
}

/* The own cells and that many layers more on every side that has ghosts to compute; fewer if layers
 * < 0, and empty if none are left. above, below, left and right are 1 on sides with such ghosts,
 * else 0. */
static struct nuce_region part_grown(const struct nuce_part *part, int64_t layers)
{
    int64_t above = part->above * layers, left = part->left * layers;
    struct nuce_region region = {
        .row = -above,
        .column = -left,
        .rows = part->plane.rows + above + part->below * layers,
        .columns = part->plane.columns + left + part->right * layers,
    };

    if (part_is_empty(part) || region.rows <= 0 || region.columns <= 0)
        return (struct nuce_region){0};
    return region;
}

struct nuce_region nuce_part_reach(const struct nuce_part *part, int64_t after)
{
    return part_grown(part, after);
}

struct nuce_region nuce_part_interior(const struct nuce_part *part)
{
    return part_grown(part, -1);
}

void nuce_part_sweep(const struct nuce_part *part, struct nuce_region region)
{
    if (region.rows > 0 && region.columns > 0)
        nuce_plane_sweep_slowly(&part->plane, region, part->extra);
}

/* Four rectangles: above and below inner over the whole width, left and right of it between
 * them. */
void nuce_part_sweep_around(const struct nuce_part *part, struct nuce_region region,
                            struct nuce_region inner)
{
    int64_t end_row = inner.row + inner.rows, end_column = inner.column + inner.columns;

    if (inner.rows == 0 || inner.columns == 0) {
        nuce_part_sweep(part, region);
        return;
    }
    nuce_part_sweep(part, (struct nuce_region){region.row, region.column, inner.row - region.row,
                                               region.columns});
    nuce_part_sweep(part, (struct nuce_region){inner.row, region.column, inner.rows,
                                               inner.column - region.column});
    nuce_part_sweep(part, (struct nuce_region){inner.row, end_column, inner.rows,
                                               region.column + region.columns - end_column});
    nuce_part_sweep(part, (struct nuce_region){end_row, region.column,
                                               region.row + region.rows - end_row, region.columns});
}

/* Exact: ghosts are copies, and mixed values the same in any element type. None of them is a NaN.
 */
nuce_status nuce_part_check_ghosts(const struct nuce_part *part, uint64_t salt,
                                   struct nuce_error *error)
{
    for (int64_t k = 0; k < part->receives; k++) {
        struct nuce_region piece = part->receive[k];

        for (int64_t at = 0; at < nuce_region_cells(piece); at++) {
            int64_t i = piece.row + at / piece.columns, j = piece.column + at % piece.columns;
            int64_t row = part->region.row + i, column = part->region.column + j;
            double wanted = nuce_field_value(part->field, NUCE_FIELD_MIXED, salt, row, column);
            double found = nuce_plane_get_cell(&part->plane, i, j);

            if (found < wanted || found > wanted)
                return nuce_error_set(error, NUCE_CORRUPT,
                                      "the ghost at row %lld, column %lld is %.17g, and its owner "
                                      "has %.17g",
                                      (long long)row, (long long)column, found, wanted);
        }
    }
    return NUCE_OK;
}

/* Own cells only; a NaN fails too, by the form of the comparison. */
nuce_status nuce_part_check_wave(const struct nuce_part *part, int64_t sweeps,
                                 struct nuce_error *error)
{
    double factor = pow(nuce_field_factor(part->field), (double)sweeps);
    double tolerance = nuce_field_tolerance(part->field, sweeps);

    for (int64_t i = 0; i < part->plane.rows; i++) {
        for (int64_t j = 0; j < part->plane.columns; j++) {
            int64_t row = part->region.row + i, column = part->region.column + j;
            double wanted = factor * nuce_field_value(part->field, NUCE_FIELD_WAVE, 0, row, column);
            double found = nuce_plane_get_cell(&part->plane, i, j);

            if (!(fabs(found - wanted) <= tolerance))
                return nuce_error_set(error, NUCE_CORRUPT,
                                      "after %lld sweeps the cell at row %lld, column %lld is "
                                      "%.17g, and the solution there is %.17g",
                                      (long long)sweeps, (long long)row, (long long)column, found,
                                      wanted);
        }
    }
    return NUCE_OK;
}

/* Cells that change owners: from a part of before, which ends, to one of after, which begins. */

/* A region of the array as a region of the part's plane. */
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

/* Goes through all pieces, because a move is sorted by source: pieces from one source are adjacent
 * and in the order of its packing. */
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
