/* Packing takes most of a redistribution's time apart from the transfer. Lines have three levels
 * (rounds of the period, runs of a line, bytes of a run), and columns are a fourth. The longer of
 * the two innermost loops is inside. Runs of 4 to 64 bytes are copied without a call, and parts
 * larger than any cache are stored past it (stream_sse2.c). */
#include "instances/pack.h"

#include <string.h>

#include "instances/stream.h"

/* Least size of a local part that is copied past the cache, in bytes. The parts before and after
 * together then exceed a core's share of the last level of cache, 1 to 4 MiB on today's servers. */
#define STREAM_PART_BYTES (INT64_C(4) << 20)

/* Bytes of a local part handled at once, if a period has several runs: half of a first level of
 * cache. Past the cache only the start of a stream matters. */
#define CHUNK_BYTES (INT64_C(16) << 10)
#define STREAM_CHUNK_BYTES (INT64_C(256) << 10)

/* Copies count runs of a size known to the compiler: a load and a store each instead of a call. */
#define COPY_RUNS_OF(size)                                                                         \
    for (int64_t i = 0; i < count; i++)                                                            \
    memcpy(to + i * to_stride, from + i * from_stride, size)

/* Copies count runs of bytes, each side at its own stride in bytes; past the cache if stream. */
static void copy_runs(unsigned char *restrict to, int64_t to_stride,
                      const unsigned char *restrict from, int64_t from_stride, int64_t bytes,
                      int64_t count, int stream)
{
    if (stream && bytes >= NUCE_STREAM_LEAST_BYTES && count > 1) {
        nuce_stream_runs(to, to_stride, from, from_stride, bytes, count);
        return;
    }
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
    case 32:
        COPY_RUNS_OF(32);
        break;
    case 64:
        COPY_RUNS_OF(64);
        break;
    default:
        COPY_RUNS_OF((size_t)bytes);
        break;
    }
}

/* Runs at equal distances in bytes. */
struct level {
    int64_t count;
    int64_t to_stride, from_stride;
};

/* The runs of one level, repeated for each run of the other: the longer loop is the inner one. */
static void copy_levels(unsigned char *to, const unsigned char *from, int64_t bytes,
                        struct level inner, struct level outer, int stream)
{
    if (inner.count < outer.count) {
        struct level swapped = inner;

        inner = outer;
        outer = swapped;
    }
    for (int64_t i = 0; i < outer.count; i++)
        copy_runs(to + i * outer.to_stride, inner.to_stride, from + i * outer.from_stride,
                  inner.from_stride, bytes, inner.count, stream);
}

/* The number of rounds of a period to copy run by run, so that they stay in the cache from the
 * first run to the last. A period of one run can be copied at once. */
static int64_t rounds_at_once(const struct nuce_lines *lines, int64_t unit, int stream)
{
    int64_t rounds = (stream ? STREAM_CHUNK_BYTES : CHUNK_BYTES) / unit / (lines->stride + 1);

    if (lines->period_lines == 1 && lines->period->repeats == 1)
        return lines->repeats;
    return rounds > 0 ? rounds : 1;
}

static int64_t pack_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The number of elements of that many lines from line on. */
static int64_t count_elements(const struct nuce_line *line, int64_t lines)
{
    int64_t elements = 0;

    for (; lines > 0; line++, lines--)
        elements += line->length * line->repeats;
    return elements;
}

/* A message during its copy: buffer advances past the copied bytes. */
struct transfer {
    unsigned char *array; /* place 0 of the lines */
    unsigned char *buffer;
    int packing;
    int stream;
};

/* Copies some lines of units of that many bytes, `rounds` times: in the array array_bytes further
 * each time. */
static void move_rounds(struct transfer *transfer, const struct nuce_line *line, int64_t lines,
                        int64_t unit, int64_t rounds, int64_t array_bytes)
{
    int64_t round_bytes = count_elements(line, lines) * unit;
    unsigned char *buffer = transfer->buffer;

    for (; lines > 0; line++, lines--) {
        unsigned char *array = transfer->array + line->start * unit;
        int64_t bytes = line->length * unit, stride = line->stride * unit;

        if (transfer->packing)
            copy_levels(buffer, array, bytes, (struct level){line->repeats, bytes, stride},
                        (struct level){rounds, round_bytes, array_bytes}, transfer->stream);
        else
            copy_levels(array, buffer, bytes, (struct level){line->repeats, stride, bytes},
                        (struct level){rounds, array_bytes, round_bytes}, transfer->stream);
        buffer += bytes * line->repeats;
    }
    transfer->buffer += rounds * round_bytes;
}

/* Copies all of lines: the period in chunks of rounds that fit the cache, then the tail. */
static void move_lines(struct transfer *transfer, const struct nuce_lines *lines, int64_t unit)
{
    int64_t at_once = rounds_at_once(lines, unit, transfer->stream);
    unsigned char *array = transfer->array;

    for (int64_t round = 0; round < lines->repeats; round += at_once) {
        transfer->array = array + round * lines->stride * unit;
        move_rounds(transfer, lines->period, lines->period_lines, unit,
                    pack_least(at_once, lines->repeats - round), lines->stride * unit);
    }
    transfer->array = array;
    move_rounds(transfer, lines->tail, lines->tail_lines, unit, 1, 0);
}

/* A place in lines, which advances in their order. */
struct pack_cursor {
    const struct nuce_lines *lines;
    const struct nuce_line *line;
    int64_t left;  /* elements from here on */
    int64_t round; /* through the period; lines->repeats in the tail */
    int64_t index; /* of the line there */
    int64_t run;   /* of the line */
    int64_t used;  /* elements of the run before the place */
};

static struct pack_cursor cursor_begin(const struct nuce_lines *lines)
{
    return (struct pack_cursor){.lines = lines, .line = lines->period, .left = lines->elements};
}

/* The cursor's place in the local part. */
static int64_t cursor_position(const struct pack_cursor *cursor)
{
    const struct nuce_lines *lines = cursor->lines;
    int64_t shift = cursor->round < lines->repeats ? cursor->round * lines->stride : 0;

    return shift + cursor->line->start + cursor->run * cursor->line->stride + cursor->used;
}

/* Advances by elements: within this run, to its end, or by whole runs from the start of one; never
 * beyond the line. */
static void cursor_advance(struct pack_cursor *cursor, int64_t elements)
{
    const struct nuce_lines *lines = cursor->lines;

    cursor->left -= elements;
    cursor->used += elements;
    if (cursor->used < cursor->line->length)
        return;
    cursor->run += cursor->used / cursor->line->length;
    cursor->used = 0;
    if (cursor->run < cursor->line->repeats)
        return;
    /* Past the end of a line: to the next of the period, to the next round, or into the tail. */
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

/* True if lines are all elements of the dimension. */
static int lines_are_whole(const struct nuce_lines *lines,
                           const struct nuce_index_dimension *dimension)
{
    return lines->period_lines == 1 && lines->period->length == dimension->elements;
}

/* True if the local part is copied past the cache. */
static int is_large(const struct nuce_index_set *set)
{
    return set->rows.elements * set->columns.elements * set->element_bytes >= STREAM_PART_BYTES;
}

/* Copies message k between the local part and its buffer. Columns are the outermost loop, as the
 * local part is stored by columns; a message of whole local columns is one of lines of columns. */
static void pack_move(const struct nuce_index_set *set, int k, struct transfer transfer)
{
    const struct nuce_lines *rows = nuce_index_set_rows(set, k);
    const struct nuce_lines *columns = nuce_index_set_columns(set, k);
    int64_t column_bytes = set->rows.elements * set->element_bytes;
    unsigned char *array = transfer.array;

    transfer.stream = is_large(set);
    if (lines_are_whole(rows, &set->rows)) {
        move_lines(&transfer, columns, column_bytes);
        return;
    }
    for (struct pack_cursor column = cursor_begin(columns); column.left > 0;
         cursor_advance(&column, 1)) {
        transfer.array = array + cursor_position(&column) * column_bytes;
        move_lines(&transfer, rows, set->element_bytes);
    }
}

void nuce_index_set_pack(const struct nuce_index_set *set, int k, const void *array, void *buffer)
{
    /* A packing transfer only reads its array. */
    pack_move(set, k,
              (struct transfer){.array = (unsigned char *)array, .buffer = buffer, .packing = 1});
}

void nuce_index_set_unpack(const struct nuce_index_set *set, int k, const void *buffer, void *array)
{
    pack_move(set, k, (struct transfer){.array = array, .buffer = (unsigned char *)buffer});
}

/* A copy between two places in the local parts, of units of the same size. */
struct route {
    const unsigned char *from;
    unsigned char *to;
    int64_t unit; /* bytes */
    int stream;
};

/* The number of runs of length that begin here at equal distances *stride: those of the line, or
 * the parts into which this run can be cut. length is at most the rest of this run. */
static int64_t runs_ahead(const struct pack_cursor *cursor, int64_t length, int64_t *stride)
{
    const struct nuce_line *line = cursor->line;

    if (cursor->used == 0 && line->length == length) {
        *stride = line->stride;
        return line->repeats - cursor->run;
    }
    *stride = length;
    return (line->length - cursor->used) / length;
}

/* Copies from the places of one list to those of the other, both of the same number of elements,
 * and again for each round; strides, from round to round, in units. */
static void copy_rounds(const struct route *route, const struct nuce_lines *from_lines,
                        const struct nuce_lines *to_lines, int64_t rounds, int64_t from_stride,
                        int64_t to_stride)
{
    struct pack_cursor a = cursor_begin(from_lines), b = cursor_begin(to_lines);
    int64_t unit = route->unit;
    const struct level round = {rounds, to_stride * unit, from_stride * unit};

    while (a.left > 0) {
        int64_t length = pack_least(a.line->length - a.used, b.line->length - b.used);
        int64_t from_step, to_step, count = runs_ahead(&a, length, &from_step);

        count = pack_least(count, runs_ahead(&b, length, &to_step));
        copy_levels(route->to + cursor_position(&b) * unit,
                    route->from + cursor_position(&a) * unit, length * unit,
                    (struct level){count, to_step * unit, from_step * unit}, round, route->stream);
        cursor_advance(&a, length * count);
        cursor_advance(&b, length * count);
    }
}

/* Some of the lines of a list, as a list. */
static struct nuce_lines lines_part(const struct nuce_line *line, int64_t lines)
{
    return (struct nuce_lines){.elements = count_elements(line, lines),
                               .period = line,
                               .period_lines = lines,
                               .repeats = 1};
}

/* If both lists repeat they do so alike, and a run of one period is a run of all. */
static void copy_lines(const struct route *route, const struct nuce_lines *from,
                       const struct nuce_lines *to)
{
    struct nuce_lines from_period = lines_part(from->period, from->period_lines);
    struct nuce_lines to_period = lines_part(to->period, to->period_lines);
    struct nuce_lines from_tail = lines_part(from->tail, from->tail_lines);
    struct nuce_lines to_tail = lines_part(to->tail, to->tail_lines);
    struct route chunk = *route;
    int64_t at_once = rounds_at_once(to, route->unit, route->stream);

    if (from->repeats == 1 || to->repeats == 1) {
        copy_rounds(route, from, to, 1, 0, 0);
        return;
    }
    for (int64_t round = 0; round < to->repeats; round += at_once) {
        chunk.from = route->from + round * from->stride * route->unit;
        chunk.to = route->to + round * to->stride * route->unit;
        copy_rounds(&chunk, &from_period, &to_period, pack_least(at_once, to->repeats - round),
                    from->stride, to->stride);
    }
    copy_rounds(route, &from_tail, &to_tail, 1, 0, 0);
}

/* Both sides of a message to oneself are the same elements, so the two walks have the same number
 * of columns and end together. */
void nuce_redistribution_copy_own(const struct nuce_index_set *sends,
                                  const struct nuce_index_set *receives, const void *from, void *to)
{
    int a = nuce_index_set_find(sends, sends->rank);
    int b = nuce_index_set_find(receives, receives->rank);
    int64_t from_bytes = sends->rows.elements * sends->element_bytes;
    int64_t to_bytes = receives->rows.elements * receives->element_bytes;
    struct route route = {from, to, sends->element_bytes, is_large(receives)};
    const struct nuce_lines *from_rows, *to_rows;
    struct pack_cursor from_column, to_column;

    if (a < 0 || b < 0)
        return;
    from_rows = nuce_index_set_rows(sends, a);
    to_rows = nuce_index_set_rows(receives, b);
    from_column = cursor_begin(nuce_index_set_columns(sends, a));
    to_column = cursor_begin(nuce_index_set_columns(receives, b));
    if (lines_are_whole(from_rows, &sends->rows) && lines_are_whole(to_rows, &receives->rows)) {
        route.unit = from_bytes;
        copy_lines(&route, from_column.lines, to_column.lines);
        return;
    }
    for (; from_column.left > 0; cursor_advance(&from_column, 1), cursor_advance(&to_column, 1)) {
        route.from = (const unsigned char *)from + cursor_position(&from_column) * from_bytes;
        route.to = (unsigned char *)to + cursor_position(&to_column) * to_bytes;
        copy_lines(&route, from_rows, to_rows);
    }
}
