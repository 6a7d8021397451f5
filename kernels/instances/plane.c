/* The memory of a plane: two copies one after the other, rows in a frame of `depth` ghosts. Rows
 * are padded so that the first own cell of a row begins a cache line and no two rows compete for
 * the same lines of a cache. */
#include "instances/plane.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* A cache line of today's processors, and the page by which a first level of cache is indexed:
 * lines a multiple of a page apart share a set of 8 or so. */
#define LINE_BYTES 64
#define PAGE_BYTES 4096

/* Bytes of a row that are swept at a time. The eight rows that are read and the six that are
 * written then stay in a second-level cache of 1 MiB. */
#define BLOCK_BYTES 65536

/* Rounds up to the next multiple of unit. */
static int64_t round_up(int64_t value, int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Elements before column 0, including ghosts: own cells begin at the start of a cache line. */
static int64_t plane_margin(const struct nuce_jacobi_ops *jacobi, int64_t depth)
{
    return round_up(depth, LINE_BYTES / jacobi->element_bytes);
}

/* Elements from a row to the next. Rows that are whole pages apart would compete for the same lines
 * of a cache, so such a stride is a line longer. */
static int64_t stride_of(const struct nuce_jacobi_ops *jacobi, int64_t columns, int64_t depth)
{
    int64_t line = LINE_BYTES / jacobi->element_bytes;
    int64_t stride = round_up(plane_margin(jacobi, depth) + columns + depth, line);

    return stride * jacobi->element_bytes % PAGE_BYTES == 0 ? stride + line : stride;
}

/* Bytes of one of the two copies; 0 for a part without cells, which has no ghosts either. */
static int64_t copy_bytes(const struct nuce_jacobi_ops *jacobi, int64_t rows, int64_t columns,
                          int64_t depth)
{
    if (rows == 0 || columns == 0)
        return 0;
    return (rows + 2 * depth) * stride_of(jacobi, columns, depth) * jacobi->element_bytes;
}

int64_t nuce_plane_bytes(const struct nuce_jacobi_ops *jacobi, int64_t rows, int64_t columns,
                         int64_t depth)
{
    return 2 * copy_bytes(jacobi, rows, columns, depth);
}

nuce_status nuce_plane_init(const struct nuce_jacobi_ops *jacobi, int64_t rows, int64_t columns,
                            int64_t depth, struct nuce_plane *out, struct nuce_error *error)
{
    struct nuce_plane plane = {.jacobi = jacobi, .rows = rows, .columns = columns, .depth = depth};
    int64_t bytes = copy_bytes(jacobi, rows, columns, depth);

    plane.stride = stride_of(jacobi, columns, depth);
    plane.memory = nuce_allocate_buffer(2 * bytes, error);
    if (plane.memory == NULL)
        return error->status;
    memset(plane.memory, 0, (size_t)(2 * bytes));
    plane.now = plane.memory;
    if (bytes > 0)
        plane.now += (depth * plane.stride + plane_margin(jacobi, depth)) * jacobi->element_bytes;
    plane.next = plane.now + bytes;
    *out = plane;
    return NUCE_OK;
}

void nuce_plane_fini(struct nuce_plane *plane)
{
    free(plane->memory);
    memset(plane, 0, sizeof *plane);
}

/* In blocks of columns, all rows of one before the next, so that the rows above and below are still
 * cached. */
void nuce_plane_sweep(const struct nuce_plane *plane, struct nuce_region region)
{
    int64_t width = BLOCK_BYTES / plane->jacobi->element_bytes;

    for (int64_t done = 0; done < region.columns; done += width) {
        int64_t at = nuce_plane_at(plane, region.row, region.column + done);
        int64_t left = region.columns - done;

        plane->jacobi->sweep(plane->now + at, plane->next + at, plane->stride, region.rows,
                             left < width ? left : width);
    }
}

void nuce_plane_sweep_slowly(const struct nuce_plane *plane, struct nuce_region region,
                             double extra)
{
    int64_t more = (int64_t)(extra * (double)region.rows + 0.5);

    nuce_plane_sweep(plane, region);
    /* Computes the same cells again: only the time changes. */
    while (more > 0) {
        struct nuce_region again = region;

        again.rows = more < region.rows ? more : region.rows;
        nuce_plane_sweep(plane, again);
        more -= again.rows;
    }
}

void nuce_plane_turn(struct nuce_plane *plane)
{
    unsigned char *now = plane->next;

    plane->next = plane->now;
    plane->now = now;
}

unsigned char *nuce_plane_pack(const struct nuce_plane *plane, struct nuce_region region,
                               unsigned char *to)
{
    size_t bytes = (size_t)(region.columns * plane->jacobi->element_bytes);

    for (int64_t row = region.row; row < region.row + region.rows; row++, to += bytes)
        memcpy(to, plane->now + nuce_plane_at(plane, row, region.column), bytes);
    return to;
}

const unsigned char *nuce_plane_unpack(struct nuce_plane *plane, struct nuce_region region,
                                       const unsigned char *from)
{
    size_t bytes = (size_t)(region.columns * plane->jacobi->element_bytes);

    for (int64_t row = region.row; row < region.row + region.rows; row++, from += bytes)
        memcpy(plane->now + nuce_plane_at(plane, row, region.column), from, bytes);
    return from;
}
