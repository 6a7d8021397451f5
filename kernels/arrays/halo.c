/* The ghost cells of a part are up to eight regions around it; each is moved into the array where
 * it wraps around, and cut by the parts that it meets there. Those are found in a grid of about as
 * many boxes as there are parts, each of which lists the parts that reach into it. */
#include "halo.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"

struct boxes {
    int64_t rows, columns; /* of the array */
    int down, along;       /* boxes */
    int64_t *first;        /* down * along + 1: where the parts of each box begin */
    int *parts;            /* of all boxes, one after another */
};

/* Boxes from low to high, inclusive. */
struct reach {
    int top, bottom, left, right;
};

struct builder {
    const struct nuce_decomposition *tiling;
    const struct nuce_halo_shape *shape;
    struct boxes boxes;
    struct nuce_halo_piece *pieces;
    int64_t count, capacity;
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

static int is_empty(struct nuce_region region)
{
    return region.rows <= 0 || region.columns <= 0;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* What a and b have in common; empty: nothing. */
static struct nuce_region meet(struct nuce_region a, struct nuce_region b)
{
    struct nuce_region common = {.row = most(a.row, b.row), .column = most(a.column, b.column)};

    common.rows = least(a.row + a.rows, b.row + b.rows) - common.row;
    common.columns = least(a.column + a.columns, b.column + b.columns) - common.column;
    return common;
}

/* The box of a position: of count boxes along side cells. */
static int box_of(int64_t at, int64_t side, int count)
{
    return nuce_int(least((int64_t)((double)at / (double)side * count), count - 1));
}

/* Monotone in both ends, so that regions that share a cell share a box. */
static struct reach reach_of(const struct boxes *boxes, struct nuce_region region)
{
    return (struct reach){
        box_of(region.row, boxes->rows, boxes->down),
        box_of(region.row + region.rows - 1, boxes->rows, boxes->down),
        box_of(region.column, boxes->columns, boxes->along),
        box_of(region.column + region.columns - 1, boxes->columns, boxes->along),
    };
}

/* Counts (parts NULL) or lists the parts of each box: at first[box + 1], which moves on. */
static void fill_boxes(struct boxes *boxes, const struct nuce_decomposition *tiling)
{
    for (int i = 0; i < tiling->parts; i++) {
        struct nuce_region part = nuce_region_of(&tiling->rectangles[i]);
        struct reach reach;

        if (is_empty(part))
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

static nuce_status boxes_init(const struct nuce_decomposition *tiling, struct boxes *boxes,
                              struct nuce_error *error)
{
    double side = ceil(sqrt(tiling->parts));
    int64_t sum = 0, count;

    boxes->rows = (int64_t)tiling->rows;
    boxes->columns = (int64_t)tiling->columns;
    boxes->down = (int)fmin(side, tiling->rows);
    boxes->along = (int)fmin(side, tiling->columns);
    count = (int64_t)boxes->down * boxes->along;
    boxes->first = nuce_allocate(count + 1, sizeof *boxes->first, error);
    if (boxes->first == NULL)
        return error->status;
    fill_boxes(boxes, tiling);
    for (int64_t i = 0; i < count; i++) {
        int64_t parts = boxes->first[i + 1];

        boxes->first[i + 1] = sum;
        sum += parts;
    }
    boxes->parts = nuce_allocate(sum, sizeof *boxes->parts, error);
    if (boxes->parts == NULL)
        return error->status;
    fill_boxes(boxes, tiling);
    return NUCE_OK;
}

/* Cells ghosts of destination, which lie in the array once they are moved: those of its parts. */
static nuce_status add_inside(struct builder *builder, int destination, struct nuce_region ghosts,
                              int64_t down, int64_t along, struct nuce_error *error)
{
    const struct boxes *boxes = &builder->boxes;
    struct reach reach = reach_of(boxes, ghosts);

    for (int row = reach.top; row <= reach.bottom; row++) {
        for (int column = reach.left; column <= reach.right; column++) {
            int64_t box = (int64_t)row * boxes->along + column;

            for (int64_t k = boxes->first[box]; k < boxes->first[box + 1]; k++) {
                int source = boxes->parts[k];
                struct nuce_region part = nuce_region_of(&builder->tiling->rectangles[source]);
                struct nuce_region from = meet(ghosts, part), to = from;

                /* Of the boxes that both reach into, the first alone tells of it. */
                if (is_empty(from) || row != reach_of(boxes, from).top ||
                    column != reach_of(boxes, from).left)
                    continue;
                if (nuce_grow((void **)&builder->pieces, &builder->capacity, builder->count + 1,
                              sizeof *builder->pieces, error) != NUCE_OK)
                    return error->status;
                to.row -= down;
                to.column -= along;
                builder->pieces[builder->count++] =
                    (struct nuce_halo_piece){source, destination, from, to};
            }
        }
    }
    return NUCE_OK;
}

/* Ghost cells on one side of destination, wherever they lie. No part is less wide than they are
 * deep, so none lie farther out than one side of the array. */
static nuce_status add_ghosts(struct builder *builder, int destination, struct nuce_region ghosts,
                              struct nuce_error *error)
{
    int64_t rows = builder->boxes.rows, columns = builder->boxes.columns;
    struct nuce_region array = {0, 0, rows, columns};

    for (int down = -1; down <= 1; down++) {
        for (int along = -1; along <= 1; along++) {
            struct nuce_region moved = ghosts;

            if (!builder->shape->is_wrapped && (down != 0 || along != 0))
                continue;
            moved.row += down * rows;
            moved.column += along * columns;
            moved = meet(moved, array);
            if (!is_empty(moved) && add_inside(builder, destination, moved, down * rows,
                                               along * columns, error) != NUCE_OK)
                return error->status;
        }
    }
    return NUCE_OK;
}

static nuce_status add_part(struct builder *builder, int destination, struct nuce_error *error)
{
    struct nuce_region part = nuce_region_of(&builder->tiling->rectangles[destination]);
    int64_t depth = builder->shape->depth;
    int64_t row[] = {part.row - depth, part.row, part.row + part.rows};
    int64_t rows[] = {depth, part.rows, depth};
    int64_t column[] = {part.column - depth, part.column, part.column + part.columns};
    int64_t columns[] = {depth, part.columns, depth};

    if (is_empty(part))
        return NUCE_OK;
    if (depth > part.rows || depth > part.columns)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "part %d of %d: has %lld x %lld cells: a halo %lld deep is deeper "
                              "than that",
                              destination, builder->tiling->parts, (long long)part.rows,
                              (long long)part.columns, (long long)depth);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            struct nuce_region ghosts = {row[i], column[k], rows[i], columns[k]};

            if ((i == 1 && k == 1) || (i != 1 && k != 1 && !builder->shape->corners))
                continue;
            if (add_ghosts(builder, destination, ghosts, error) != NUCE_OK)
                return error->status;
        }
    }
    return NUCE_OK;
}

static int compare(const void *left, const void *right)
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

/* Sorts the pieces, which go over to out. */
static nuce_status finish(struct builder *builder, struct nuce_halo *out, struct nuce_error *error)
{
    int parts = builder->tiling->parts;
    int64_t *first = nuce_allocate((int64_t)parts + 1, sizeof *first, error);

    if (first == NULL)
        return error->status;
    if (builder->count > 0)
        qsort(builder->pieces, (size_t)builder->count, sizeof *builder->pieces, compare);
    for (int64_t k = 0; k < builder->count; k++)
        first[builder->pieces[k].source + 1]++;
    for (int i = 0; i < parts; i++)
        first[i + 1] += first[i];
    *out = (struct nuce_halo){parts, builder->count, builder->pieces, first};
    builder->pieces = NULL;
    return NUCE_OK;
}

nuce_status nuce_halo_init(const struct nuce_decomposition *tiling,
                           const struct nuce_halo_shape *shape, struct nuce_halo *out,
                           struct nuce_error *error)
{
    struct builder builder = {.tiling = tiling, .shape = shape};
    nuce_status status = boxes_init(tiling, &builder.boxes, error);

    NUCE_ASSERT(shape->depth >= 1);
    for (int i = 0; status == NUCE_OK && i < tiling->parts; i++)
        status = add_part(&builder, i, error);
    if (status == NUCE_OK)
        status = finish(&builder, out, error);
    free(builder.boxes.first);
    free(builder.boxes.parts);
    free(builder.pieces);
    return status;
}
