#include "pack.h"

#include <string.h>

/* count runs of a size that the compiler knows: a load and a store each instead of a call. */
#define COPY_RUNS_OF(size)                                                                         \
    for (int64_t i = 0; i < count; i++, to += to_stride, from += from_stride)                      \
    memcpy(to, from, size)

/* count runs of bytes, each side at its own stride in bytes. */
static void copy_runs(unsigned char *restrict to, int64_t to_stride,
                      const unsigned char *restrict from, int64_t from_stride, int64_t bytes,
                      int64_t count)
{
    switch (bytes) {
    case 4:
        COPY_RUNS_OF(4);
        break;
    case 8:
        COPY_RUNS_OF(8);
        break;
    case 16:
        COPY_RUNS_OF(16);
        break;
    default:
        COPY_RUNS_OF((size_t)bytes);
        break;
    }
}

/* A message on its way: buffer moves on by what has been copied. */
struct transfer {
    unsigned char *array; /* where place 0 of the lines is */
    unsigned char *buffer;
    int packing;
};

/* One line of units of so many bytes, shift units further in the array than it says. */
static void move_line(struct transfer *transfer, const struct nuce_line *line, int64_t shift,
                      int64_t unit)
{
    unsigned char *array = transfer->array + (line->start + shift) * unit;
    int64_t bytes = line->length * unit, stride = line->stride * unit;

    if (transfer->packing)
        copy_runs(transfer->buffer, bytes, array, stride, bytes, line->repeats);
    else
        copy_runs(array, stride, transfer->buffer, bytes, bytes, line->repeats);
    transfer->buffer += bytes * line->repeats;
}

static void move_lines(struct transfer *transfer, const struct nuce_lines *lines, int64_t unit)
{
    for (int64_t round = 0; round < lines->repeats; round++) {
        for (int64_t i = 0; i < lines->period_lines; i++)
            move_line(transfer, &lines->period[i], round * lines->stride, unit);
    }
    for (int64_t i = 0; i < lines->tail_lines; i++)
        move_line(transfer, &lines->tail[i], 0, unit);
}

/* A place in lines, which moves through them in their order. */
struct cursor {
    const struct nuce_lines *lines;
    const struct nuce_line *line;
    int64_t left;  /* elements from here on */
    int64_t round; /* through the period; lines->repeats in the tail */
    int64_t index; /* of the line there */
    int64_t run;   /* of the line */
    int64_t used;  /* elements of the run */
};

static struct cursor begin(const struct nuce_lines *lines)
{
    return (struct cursor){.lines = lines, .line = lines->period, .left = lines->elements};
}

static int64_t position(const struct cursor *cursor)
{
    const struct nuce_lines *lines = cursor->lines;
    int64_t shift = cursor->round < lines->repeats ? cursor->round * lines->stride : 0;

    return shift + cursor->line->start + cursor->run * cursor->line->stride + cursor->used;
}

static void next_line(struct cursor *cursor)
{
    const struct nuce_lines *lines = cursor->lines;

    cursor->run = 0;
    cursor->index++;
    if (cursor->round < lines->repeats && cursor->index == lines->period_lines) {
        cursor->index = 0;
        cursor->round++;
    }
    if (cursor->left > 0)
        cursor->line =
            (cursor->round < lines->repeats ? lines->period : lines->tail) + cursor->index;
}

/* Onwards by elements: some of this run, or whole runs from the start of one; never beyond the
 * line. */
static void advance(struct cursor *cursor, int64_t elements)
{
    cursor->left -= elements;
    cursor->used += elements;
    if (cursor->used < cursor->line->length)
        return;
    cursor->run += cursor->used / cursor->line->length;
    cursor->used = 0;
    if (cursor->run == cursor->line->repeats)
        next_line(cursor);
}

/* Whether lines are all that there is in the dimension. */
static int is_whole(const struct nuce_lines *lines, const struct nuce_index_dimension *dimension)
{
    return lines->period_lines == 1 && lines->period->length == dimension->elements;
}

static void move(const struct nuce_index_set *set, int k, struct transfer transfer)
{
    const struct nuce_lines *rows = nuce_index_set_rows(set, k);
    const struct nuce_lines *columns = nuce_index_set_columns(set, k);
    int64_t column_bytes = set->rows.elements * set->element_bytes;
    unsigned char *array = transfer.array;

    if (is_whole(rows, &set->rows)) {
        move_lines(&transfer, columns, column_bytes);
        return;
    }
    for (struct cursor column = begin(columns); column.left > 0; advance(&column, 1)) {
        transfer.array = array + position(&column) * column_bytes;
        move_lines(&transfer, rows, set->element_bytes);
    }
}

void nuce_index_set_pack(const struct nuce_index_set *set, int k, const void *array, void *buffer)
{
    /* A packing transfer only reads its array. */
    move(set, k, (struct transfer){(unsigned char *)array, buffer, 1});
}

void nuce_index_set_unpack(const struct nuce_index_set *set, int k, const void *buffer, void *array)
{
    move(set, k, (struct transfer){array, (unsigned char *)buffer, 0});
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Copies from the places of one list to those of the other, units of so many bytes. */
static void copy_lines(const struct nuce_lines *from_lines, const unsigned char *from,
                       const struct nuce_lines *to_lines, unsigned char *to, int64_t unit)
{
    struct cursor a = begin(from_lines), b = begin(to_lines);

    while (a.left > 0) {
        int64_t length = least(a.line->length - a.used, b.line->length - b.used), runs = 1;

        if (a.used == 0 && b.used == 0 && a.line->length == b.line->length)
            runs = least(a.line->repeats - a.run, b.line->repeats - b.run);
        copy_runs(to + position(&b) * unit, b.line->stride * unit, from + position(&a) * unit,
                  a.line->stride * unit, length * unit, runs);
        advance(&a, length * runs);
        advance(&b, length * runs);
    }
}

void nuce_redistribution_copy_own(const struct nuce_index_set *sends,
                                  const struct nuce_index_set *receives, const void *from, void *to)
{
    int a = nuce_index_set_find(sends, sends->rank);
    int b = nuce_index_set_find(receives, receives->rank);
    const struct nuce_lines *from_rows, *to_rows;
    int64_t from_bytes = sends->rows.elements * sends->element_bytes;
    int64_t to_bytes = receives->rows.elements * receives->element_bytes;
    struct cursor from_column, to_column;

    if (a < 0 || b < 0)
        return;
    from_rows = nuce_index_set_rows(sends, a);
    to_rows = nuce_index_set_rows(receives, b);
    from_column = begin(nuce_index_set_columns(sends, a));
    to_column = begin(nuce_index_set_columns(receives, b));
    if (is_whole(from_rows, &sends->rows) && is_whole(to_rows, &receives->rows)) {
        copy_lines(from_column.lines, from, to_column.lines, to, from_bytes);
        return;
    }
    for (; from_column.left > 0; advance(&from_column, 1), advance(&to_column, 1))
        copy_lines(from_rows, (const unsigned char *)from + position(&from_column) * from_bytes,
                   to_rows, (unsigned char *)to + position(&to_column) * to_bytes,
                   sends->element_bytes);
}
