/* What goes from parts to parts is found in a grid of about as many boxes as there are parts, each
 * of which lists the parts that reach into it. */
#include "instances/halo_pieces.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/int.h"

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

static int64_t pieces_most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t pieces_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

struct nuce_region nuce_region_meet(struct nuce_region a, struct nuce_region b)
{
    struct nuce_region common = {.row = pieces_most(a.row, b.row),
                                 .column = pieces_most(a.column, b.column)};

    common.rows = pieces_least(a.row + a.rows, b.row + b.rows) - common.row;
    common.columns = pieces_least(a.column + a.columns, b.column + b.columns) - common.column;
    return common;
}

/* The box of a position 0 .. side - 1, of count boxes along the side: even shares, by a division
 * that is monotone even where side is not a multiple. */
static int box_of(int64_t at, int64_t side, int count)
{
    return nuce_int(pieces_least((int64_t)((double)at / (double)side * count), count - 1));
}

/* Monotone in both ends, so that regions that share a cell share a box. */
static struct reach reach_of(const struct nuce_boxes *boxes, struct nuce_region region)
{
    return (struct reach){
        box_of(region.row, boxes->rows, boxes->down),
        box_of(region.row + region.rows - 1, boxes->rows, boxes->down),
        box_of(region.column, boxes->columns, boxes->along),
        box_of(region.column + region.columns - 1, boxes->columns, boxes->along),
    };
}

/* Two passes over the parts, as rows of a sparse matrix are made: with parts NULL it counts those
 * of each box at first[box + 1]; later it lists them there, first[box + 1] moving on from the box's
 * beginning to its end. */
static void fill_boxes(struct nuce_boxes *boxes, const struct nuce_decomposition *tiling)
{
    for (int i = 0; i < tiling->parts; i++) {
        struct nuce_region part = nuce_region_of(&tiling->rectangles[i]);
        struct reach reach;

        if (nuce_region_is_empty(part))
            continue;
        reach = reach_of(boxes, part);
        for (int row = reach.top; row <= reach.bottom; row++) {
            for (int column = reach.left; column <= reach.right; column++) {
                int64_t *place = &boxes->first[(int64_t)row * boxes->along + column + 1];

                if (boxes->parts != NULL)
                    boxes->parts[*place] = i;
                ++*place;
            }
        }
    }
}

/* About sqrt(p) x sqrt(p) boxes. Slabs are the worst case: each of p parts is then listed in
 * sqrt(p) boxes. */
static void boxes_init(const struct nuce_decomposition *tiling, struct nuce_boxes *boxes)
{
    double side = ceil(sqrt(tiling->parts));
    int64_t sum = 0, count;

    boxes->rows = (int64_t)tiling->rows;
    boxes->columns = (int64_t)tiling->columns;
    boxes->down = (int)fmin(side, tiling->rows);
    boxes->along = (int)fmin(side, tiling->columns);
    count = (int64_t)boxes->down * boxes->along;
    boxes->first = nuce_allocate(count + 1, sizeof *boxes->first);
    fill_boxes(boxes, tiling);
    for (int64_t i = 0; i < count; i++) {
        int64_t parts = boxes->first[i + 1];

        boxes->first[i + 1] = sum;
        sum += parts;
    }
    boxes->parts = nuce_allocate(sum, sizeof *boxes->parts);
    fill_boxes(boxes, tiling);
}

/* Each part that reaches into a box of cells is met with them. One found in several boxes is taken
 * in the first of those that its meeting with cells touches, so no set of seen parts is needed. */
void nuce_halo_pieces_add(struct nuce_halo_pieces *builder, int destination,
                          struct nuce_region cells, int64_t down, int64_t along)
{
    const struct nuce_boxes *boxes = &builder->boxes;
    struct reach reach = reach_of(boxes, cells);

    for (int row = reach.top; row <= reach.bottom; row++) {
        for (int column = reach.left; column <= reach.right; column++) {
            int64_t box = (int64_t)row * boxes->along + column;

            for (int64_t k = boxes->first[box]; k < boxes->first[box + 1]; k++) {
                int source = boxes->parts[k];
                struct nuce_region part = nuce_region_of(&builder->tiling->rectangles[source]);
                struct nuce_region from = nuce_region_meet(cells, part), to = from;

                /* Of the boxes that both reach into, the first alone tells of it. */
                if (nuce_region_is_empty(from) || row != reach_of(boxes, from).top ||
                    column != reach_of(boxes, from).left)
                    continue;
                nuce_allocate_more((void **)&builder->pieces, &builder->capacity,
                                   builder->count + 1, sizeof *builder->pieces);
                to.row -= down;
                to.column -= along;
                builder->pieces[builder->count++] =
                    (struct nuce_halo_piece){source, destination, from, to};
            }
        }
    }
}

/* The order that nuce_halo promises: source, destination, then row and column at the destination.
 * Both ends sort alike, so the cells of a message need no header. */
static int compare_pieces(const void *left, const void *right)
{
    const struct nuce_halo_piece *a = left, *b = right;

    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    if (a->destination != b->destination)
        return a->destination < b->destination ? -1 : 1;
    if (a->to.row != b->to.row)
        return a->to.row < b->to.row ? -1 : 1;
    return (a->to.column > b->to.column) - (a->to.column < b->to.column);
}

void nuce_halo_pieces_init(const struct nuce_decomposition *tiling, struct nuce_halo_pieces *out)
{
    *out = (struct nuce_halo_pieces){.tiling = tiling};
    boxes_init(tiling, &out->boxes);
}

void nuce_halo_pieces_fini(struct nuce_halo_pieces *builder)
{
    free(builder->boxes.first);
    free(builder->boxes.parts);
    free(builder->pieces);
}

/* *out takes over the pieces; builder keeps its boxes. */
void nuce_halo_pieces_end(struct nuce_halo_pieces *builder, struct nuce_halo *out)
{
    int parts = builder->tiling->parts;
    int64_t *first = nuce_allocate((int64_t)parts + 1, sizeof *first);

    if (builder->count > 0)
        qsort(builder->pieces, (size_t)builder->count, sizeof *builder->pieces, compare_pieces);
    for (int64_t k = 0; k < builder->count; k++)
        first[builder->pieces[k].source + 1]++;
    for (int i = 0; i < parts; i++)
        first[i + 1] += first[i];
    *out = (struct nuce_halo){parts, builder->count, builder->pieces, first};
    builder->pieces = NULL;
}
