/* A datatype from the inside out: runs of elements, lines of runs, periods of lines, in two
 * dimensions. A message of a redistribution is a regular set of rows times a regular set of
 * columns (instances/index_set.h). Its type has as many parts as a period has lines, for an
 * array of any size. MPI 4.1, 5.1 (derived datatypes). */
#include "run/index_type.h"

#include <limits.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/int.h"
#include "run/check.h"

/* A type is made of others, which it then no longer needs. Each function borrows its types and
 * returns a new one, which the caller frees. */

/* A count beyond INT_MAX is split into multiples of this and a rest. */
#define PART_COUNT (INT64_C(1) << 30)

/* Two types, each at its displacement in bytes. */
static MPI_Datatype index_type_join(MPI_Datatype first, int64_t first_at, MPI_Datatype second,
                                    int64_t second_at)
{
    const int lengths[] = {1, 1};
    const MPI_Aint at[] = {(MPI_Aint)first_at, (MPI_Aint)second_at};
    const MPI_Datatype types[] = {first, second};
    MPI_Datatype joined;

    NUCE_MPI(MPI_Type_create_struct(2, lengths, at, types, &joined));
    return joined;
}

/* count blocks of length consecutive elements, stride bytes apart; each number fits in an int. */
static MPI_Datatype index_type_vector(int64_t count, int64_t length, int64_t stride,
                                      MPI_Datatype element)
{
    MPI_Datatype type;

    NUCE_MPI(MPI_Type_create_hvector(nuce_int(count), nuce_int(length), (MPI_Aint)stride, element,
                                     &type));
    return type;
}

/* element count times, stride bytes apart; any count. */
static MPI_Datatype index_type_repeat(int64_t count, int64_t stride, MPI_Datatype element)
{
    int64_t parts = count / PART_COUNT, rest = count % PART_COUNT;
    MPI_Datatype part, all, last, type;

    if (count <= INT_MAX)
        return index_type_vector(count, 1, stride, element);
    part = index_type_vector(PART_COUNT, 1, stride, element);
    all = index_type_vector(parts, 1, PART_COUNT * stride, part);
    NUCE_MPI(MPI_Type_free(&part));
    if (rest == 0) /* an empty type would still count as being at the end */
        return all;
    last = index_type_vector(rest, 1, stride, element);
    type = index_type_join(all, 0, last, parts * PART_COUNT * stride);
    NUCE_MPI(MPI_Type_free(&all));
    NUCE_MPI(MPI_Type_free(&last));
    return type;
}

/* The runs of a line, from its first on; element has an extent of unit bytes. */
static MPI_Datatype runs_type(const struct nuce_line *line, int64_t unit, MPI_Datatype element)
{
    MPI_Datatype run, type;

    if (line->repeats <= INT_MAX && line->length <= INT_MAX)
        return index_type_vector(line->repeats, line->length, line->stride * unit, element);
    run = index_type_repeat(line->length, unit, element);
    type = index_type_repeat(line->repeats, line->stride * unit, run);
    NUCE_MPI(MPI_Type_free(&run));
    return type;
}

/* Room for the lines of a list while its type is made: types, counts, and places. */
struct room {
    int *length; /* elements in each */
    MPI_Aint *at;
    MPI_Datatype *type;
};

/* The type of some lines, from place 0 of the local part. Single runs with lengths that fit an
 * int are the blocks of one indexed type, which libraries pack faster than a structure. unit:
 * bytes of element's extent. */
static MPI_Datatype list_type(const struct nuce_line *line, int64_t lines, int64_t unit,
                              MPI_Datatype element, const struct room *room)
{
    int count = nuce_int(lines), is_plain = 1;
    MPI_Datatype type;

    for (int i = 0; i < count; i++)
        is_plain &= line[i].repeats <= 1 && line[i].length <= INT_MAX;
    for (int i = 0; i < count; i++) {
        room->at[i] = (MPI_Aint)(line[i].start * unit);
        room->length[i] = is_plain ? nuce_int(line[i].length) : 1;
        room->type[i] = is_plain ? element : runs_type(&line[i], unit, element);
    }
    if (is_plain) {
        NUCE_MPI(MPI_Type_create_hindexed(count, room->length, room->at, element, &type));
        return type;
    }
    NUCE_MPI(MPI_Type_create_struct(count, room->length, room->at, room->type, &type));
    for (int i = 0; i < count; i++)
        NUCE_MPI(MPI_Type_free(&room->type[i]));
    return type;
}

/* The type of all lines: the period with its repetitions, then the tail. */
static MPI_Datatype lines_type(const struct nuce_lines *lines, int64_t unit, MPI_Datatype element,
                               const struct room *room)
{
    MPI_Datatype round = list_type(lines->period, lines->period_lines, unit, element, room);
    MPI_Datatype period = index_type_repeat(lines->repeats, lines->stride * unit, round);
    MPI_Datatype tail, type;

    NUCE_MPI(MPI_Type_free(&round));
    if (lines->tail_lines == 0)
        return period;
    tail = list_type(lines->tail, lines->tail_lines, unit, element, room);
    type = index_type_join(period, 0, tail, 0);
    NUCE_MPI(MPI_Type_free(&period));
    NUCE_MPI(MPI_Type_free(&tail));
    return type;
}

/* Rows first, then columns of them. The array is stored column by column, so a type of the rows,
 * resized to a whole column, is the element of the columns' type. Elements use the largest basic
 * type: libraries move these faster than single bytes, and a program would use MPI_DOUBLE. *type
 * is committed; freed by the caller. */
void nuce_index_type(const struct nuce_index_set *set, int k, MPI_Datatype *type)
{
    const struct nuce_lines *rows = nuce_index_set_rows(set, k);
    const struct nuce_lines *columns = nuce_index_set_columns(set, k);
    int64_t column_bytes = set->rows.elements * set->element_bytes;
    MPI_Datatype element, own_rows, column;
    const int64_t lists[] = {rows->period_lines, rows->tail_lines, columns->period_lines,
                             columns->tail_lines};
    struct room room; /* reused for each list */
    int64_t longest = 0, bytes = set->element_bytes;
    int64_t unit = bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
    MPI_Datatype basic = unit == 8   ? MPI_INT64_T
                         : unit == 4 ? MPI_INT32_T
                         : unit == 2 ? MPI_INT16_T
                                     : MPI_BYTE;

    for (int i = 0; i < 4; i++)
        longest = lists[i] > longest ? lists[i] : longest;
    room.length = nuce_allocate(longest, sizeof *room.length);
    room.at = nuce_allocate(longest, sizeof *room.at);
    room.type = nuce_allocate(longest, sizeof(MPI_Datatype));
    element = index_type_repeat(bytes / unit, unit, basic);
    own_rows = lines_type(rows, set->element_bytes, element, &room);
    NUCE_MPI(MPI_Type_create_resized(own_rows, 0, (MPI_Aint)column_bytes, &column));
    *type = lines_type(columns, column_bytes, column, &room);
    NUCE_MPI(MPI_Type_commit(type));
    NUCE_MPI(MPI_Type_free(&column));
    NUCE_MPI(MPI_Type_free(&own_rows));
    NUCE_MPI(MPI_Type_free(&element));
    free(room.length);
    free(room.at);
    free(room.type);
}
