/* Halos and moves: cells that go from parts of an array to others. The ghost cells of a part are up
 * to eight regions around it. Each is moved into the array if it wraps around, and cut by the parts
 * that it meets there. A move is a halo without a shape. Each part of the new tiling requests all
 * of its cells, and gets them from the parts of the old one that had them. Parts are found in a
 * grid of about as many boxes as there are parts, each of which lists the parts that reach into
 * it. */
#include "instances/halo.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/int.h"

/* A halo during its construction, with the grid of boxes. */
struct halo_maker {
    const struct nuce_decomposition *tiling; /* of the sources */
    int64_t rows, columns;                   /* of the array */
    int down, along;                         /* boxes */
    int64_t *first;                          /* down * along + 1: start of each box in `parts` */
    int *parts;                              /* parts of all boxes, one box after another */
    struct nuce_halo_piece *pieces;
    int64_t count, capacity;
};

/* The boxes that a region touches, first to last inclusive. */
struct reach {
    int top, bottom, left, right;
};

struct nuce_region nuce_region_of(const struct nuce_rectangle *part)
{
    return (struct nuce_region){(int64_t)part->row, (int64_t)part->column, (int64_t)part->rows,
                                (int64_t)part->columns};
}

void nuce_halo_fini(struct nuce_halo *halo)
{
    free(halo->pieces);
    free(halo->first);
    *halo = (struct nuce_halo){0};
}

int nuce_region_is_empty(struct nuce_region region)
{
    return region.rows <= 0 || region.columns <= 0;
}

struct nuce_region nuce_region_meet(struct nuce_region a, struct nuce_region b)
{
    int64_t bottom = a.row + a.rows, right = a.column + a.columns;

    if (b.row + b.rows < bottom)
        bottom = b.row + b.rows;
    if (b.column + b.columns < right)
        right = b.column + b.columns;
    if (b.row > a.row)
        a.row = b.row;
    if (b.column > a.column)
        a.column = b.column;
    return (struct nuce_region){a.row, a.column, bottom - a.row, right - a.column};
}

/* The box of a position 0 .. side - 1, of count boxes along the side: even shares, by a division
 * that is monotone even if side is not a multiple. */
static int box_of(int64_t at, int64_t side, int count)
{
    int box = nuce_int((int64_t)((double)at / (double)side * count));

    return box < count ? box : count - 1;
}

/* Monotone in both ends, so regions that share a cell share a box. */
static struct reach reach_of(const struct halo_maker *maker, struct nuce_region region)
{
    return (struct reach){
        box_of(region.row, maker->rows, maker->down),
        box_of(region.row + region.rows - 1, maker->rows, maker->down),
        box_of(region.column, maker->columns, maker->along),
        box_of(region.column + region.columns - 1, maker->columns, maker->along),
    };
}

/* Two passes over the parts, as for rows of a sparse matrix. With parts NULL it counts those of
 * each box at first[box + 1]. Later it lists them there, and first[box + 1] moves from the box's
 * beginning to its end. */
static void fill_boxes(struct halo_maker *maker)
{
    for (int i = 0; i < maker->tiling->parts; i++) {
        struct nuce_region part = nuce_region_of(&maker->tiling->rectangles[i]);
        struct reach reach;

        if (nuce_region_is_empty(part))
            continue;
        reach = reach_of(maker, part);
        for (int row = reach.top; row <= reach.bottom; row++) {
            for (int column = reach.left; column <= reach.right; column++) {
                int64_t *place = &maker->first[(int64_t)row * maker->along + column + 1];

                if (maker->parts != NULL)
                    maker->parts[*place] = i;
                ++*place;
            }
        }
    }
}

/* About sqrt(p) x sqrt(p) boxes. Slabs are the worst case: each of p parts is then listed in
 * sqrt(p) boxes. */
static void halo_maker_init(const struct nuce_decomposition *tiling, struct halo_maker *out)
{
    double side = ceil(sqrt(tiling->parts));
    int64_t sum = 0, count;

    *out = (struct halo_maker){.tiling = tiling,
                               .rows = (int64_t)tiling->rows,
                               .columns = (int64_t)tiling->columns,
                               .down = (int)fmin(side, tiling->rows),
                               .along = (int)fmin(side, tiling->columns)};
    count = (int64_t)out->down * out->along;
    out->first = nuce_allocate(count + 1, sizeof *out->first);
    fill_boxes(out);
    for (int64_t i = 0; i < count; i++) {
        int64_t parts = out->first[i + 1];

        out->first[i + 1] = sum;
        sum += parts;
    }
    out->parts = nuce_allocate(sum, sizeof *out->parts);
    fill_boxes(out);
}

/* Adds cells, which lie in the array, each from its part; in destination they are that many rows up
 * and columns to the left. */
static void add_pieces(struct halo_maker *maker, int destination, struct nuce_region cells,
                       int64_t down, int64_t along)
{
    struct reach reach = reach_of(maker, cells);

    for (int row = reach.top; row <= reach.bottom; row++) {
        for (int column = reach.left; column <= reach.right; column++) {
            int64_t box = (int64_t)row * maker->along + column;

            for (int64_t k = maker->first[box]; k < maker->first[box + 1]; k++) {
                int source = maker->parts[k];
                struct nuce_region part = nuce_region_of(&maker->tiling->rectangles[source]);
                struct nuce_region from = nuce_region_meet(cells, part), to = from;

                /* Only the first of the boxes that both reach into adds the piece, so no set of
                 * seen parts is needed. */
                if (nuce_region_is_empty(from) || row != reach_of(maker, from).top ||
                    column != reach_of(maker, from).left)
                    continue;
                nuce_allocate_more((void **)&maker->pieces, &maker->capacity, maker->count + 1,
                                   sizeof *maker->pieces);
                to.row -= down;
                to.column -= along;
                maker->pieces[maker->count++] =
                    (struct nuce_halo_piece){source, destination, from, to};
            }
        }
    }
}

/* The order of nuce_halo: source, destination, then row and column at the destination. Both ends
 * sort alike, so the cells of a message need no header. */
static int compare_pieces(const void *left, const void *right)
{
    const struct nuce_halo_piece *a = left, *b = right;

    return NUCE_INT_ORDER({a->source, b->source}, {a->destination, b->destination},
                          {a->to.row, b->to.row}, {a->to.column, b->to.column});
}

/* out NULL: makes nothing. *out takes over the pieces; all else is freed. */
static void halo_maker_end(struct halo_maker *maker, struct nuce_halo *out)
{
    int parts = maker->tiling->parts;

    free(maker->first);
    free(maker->parts);
    if (out == NULL) {
        free(maker->pieces);
        return;
    }
    *out = (struct nuce_halo){parts, maker->count, maker->pieces, NULL};
    out->first = nuce_allocate((int64_t)parts + 1, sizeof *out->first);
    if (out->count > 0)
        qsort(out->pieces, (size_t)out->count, sizeof *out->pieces, compare_pieces);
    for (int64_t k = 0; k < out->count; k++)
        out->first[out->pieces[k].source + 1]++;
    for (int i = 0; i < parts; i++)
        out->first[i + 1] += out->first[i];
}

/* For each part three by three regions, the part itself in the middle. Edges are the four adjacent
 * ones, corners the four diagonal ones, which five-point stencils do not read. */
nuce_status nuce_halo_init(const struct nuce_decomposition *tiling,
                           const struct nuce_halo_shape *shape, struct nuce_halo *out,
                           struct nuce_error *error)
{
    struct halo_maker maker;
    struct nuce_region array;
    int64_t depth = shape->depth;

    NUCE_ASSERT(depth >= 1);
    halo_maker_init(tiling, &maker);
    array = (struct nuce_region){0, 0, maker.rows, maker.columns};
    for (int i = 0; i < tiling->parts; i++) {
        struct nuce_region part = nuce_region_of(&tiling->rectangles[i]);
        int64_t row[] = {part.row - depth, part.row, part.row + part.rows};
        int64_t rows[] = {depth, part.rows, depth};
        int64_t column[] = {part.column - depth, part.column, part.column + part.columns};
        int64_t columns[] = {depth, part.columns, depth};

        if (nuce_region_is_empty(part))
            continue;
        if (depth > part.rows || depth > part.columns) {
            halo_maker_end(&maker, NULL);
            return nuce_error_set(
                error, NUCE_BAD_INPUT,
                "part %d of %d: has %lld x %lld cells: a halo %lld deep is deeper "
                "than that",
                i, tiling->parts, (long long)part.rows, (long long)part.columns, (long long)depth);
        }
        for (int k = 0; k < 9; k++) {
            int down = k / 3, along = k % 3;
            struct nuce_region ghosts = {row[down], column[along], rows[down], columns[along]};

            if (k == 4 || (!shape->corners && down != 1 && along != 1))
                continue;
            /* Moves the region by every multiple -1, 0, 1 of the array's sides and cuts it with the
             * array. No part is narrower than the halo is deep, so ghosts are at most one array's
             * side away. */
            for (int turn = 0; turn < 9; turn++) {
                int64_t rows_away = (turn / 3 - 1) * maker.rows;
                int64_t columns_away = (turn % 3 - 1) * maker.columns;
                struct nuce_region moved = ghosts;

                if (!shape->is_wrapped && turn != 4)
                    continue;
                moved.row += rows_away;
                moved.column += columns_away;
                moved = nuce_region_meet(moved, array);
                if (!nuce_region_is_empty(moved))
                    add_pieces(&maker, i, moved, rows_away, columns_away);
            }
        }
    }
    halo_maker_end(&maker, out);
    return NUCE_OK;
}

/* Cells that stay in a part are copied within its memory (part.c) and are no message. */
void nuce_halo_move(const struct nuce_decomposition *before, const struct nuce_decomposition *after,
                    struct nuce_halo *out)
{
    struct halo_maker maker;
    int64_t count = 0;

    NUCE_ASSERT(before->parts == after->parts);
    halo_maker_init(before, &maker);
    for (int i = 0; i < after->parts; i++) {
        struct nuce_region part = nuce_region_of(&after->rectangles[i]);

        if (!nuce_region_is_empty(part))
            add_pieces(&maker, i, part, 0, 0);
    }
    for (int64_t k = 0; k < maker.count; k++) {
        if (maker.pieces[k].source != maker.pieces[k].destination)
            maker.pieces[count++] = maker.pieces[k];
    }
    maker.count = count;
    halo_maker_end(&maker, out);
}
