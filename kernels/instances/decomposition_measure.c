/* The cost of a decomposition (Kaddoura, Ranka and Wang, 2 and 5), and its rounding to whole cells.
 * Internal edges are E_i = V_i + p - 1 by Euler, V_i the inner corners: the number of pairs of
 * parts that share an edge, if coinciding corners are one.
 *
 * Coordinates that differ only by rounding become one line, so that "ends at the other's beginning"
 * is a comparison of integers. Edges, full heights and rounding need no tolerance of their own. O(p
 * log p). */
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/int.h"
#include "instances/decomposition.h"

/* The two lines around a rectangle; low == high: no area. */
struct span {
    int low, high;
};

/* The lines of one direction, rows or columns; those that coincide are one. */
struct lines {
    int count;
    double *at;         /* count, ascending */
    struct span *spans; /* parts, in order of owner */
};

/* An end of a rectangle, low or high, before it becomes the index of a line. */
struct line_end {
    double at;
    int *line; /* the place for its index */
};

static int lines_compare_ends(const void *left, const void *right)
{
    const struct line_end *a = left, *b = right;

    return (a->at > b->at) - (a->at < b->at);
}

/* Lines between rows, or between columns if across is set. An end nearer than
 * NUCE_DECOMPOSITION_TOLERANCE of the side to the one before belongs to the same line, which lies
 * at its lowest end. Each end stores the place for the number of its line, so that sorting loses
 * nothing. */
static struct lines lines_of(const struct nuce_decomposition *decomposition, int across)
{
    double side = across ? decomposition->columns : decomposition->rows;
    int count = 2 * decomposition->parts;
    struct lines lines = {.at = nuce_allocate(count, sizeof *lines.at),
                          .spans = nuce_allocate(decomposition->parts, sizeof *lines.spans)};
    struct line_end *ends = nuce_allocate(count, sizeof *ends);

    for (int i = 0; i < decomposition->parts; i++) {
        const struct nuce_rectangle *r = &decomposition->rectangles[i];
        double low = across ? r->column : r->row, size = across ? r->columns : r->rows;

        ends[2 * i] = (struct line_end){low, &lines.spans[i].low};
        ends[2 * i + 1] = (struct line_end){low + size, &lines.spans[i].high};
    }
    qsort(ends, (size_t)count, sizeof *ends, lines_compare_ends);
    for (int i = 0; i < count; i++) {
        if (i == 0 || ends[i].at - ends[i - 1].at > side * NUCE_DECOMPOSITION_TOLERANCE)
            lines.at[lines.count++] = ends[i].at;
        *ends[i].line = lines.count - 1;
    }
    free(ends);
    return lines;
}

static void lines_fini(struct lines *lines)
{
    free(lines->at);
    free(lines->spans);
}

/* A side of a part: its line, and its range along it, in lines of the other direction. */
struct owner_key {
    int line, low, high;
};

/* By line, then along it: sides of one kind on one line do not overlap, so comparing low is
 * enough. */
static int compare_owner_keys(const void *left, const void *right)
{
    const struct owner_key *a = left, *b = right;

    return NUCE_INT_ORDER({a->line, b->line}, {a->low, b->low});
}

/* Rounding may leave a part without cells; such a part has no sides either. */
static int part_has_no_area(const struct lines *rows, const struct lines *columns, int part)
{
    return rows->spans[part].low == rows->spans[part].high ||
           columns->spans[part].low == columns->spans[part].high;
}

/* Lists the sides of all parts on lines of across, as ranges between lines of along, sorted. They
 * are the ends of the parts (right or bottom sides) if are_ends, else their starts. Returns their
 * number. */
static int list_sides(const struct lines *across, const struct lines *along, int parts,
                      int are_ends, struct owner_key *sides)
{
    int count = 0;

    for (int i = 0; i < parts; i++) {
        if (!part_has_no_area(across, along, i))
            sides[count++] = (struct owner_key){
                are_ends ? across->spans[i].high : across->spans[i].low,
                along->spans[i].low,
                along->spans[i].high,
            };
    }
    qsort(sides, (size_t)count, sizeof *sides, compare_owner_keys);
    return count;
}

/* Merges the ends and the starts of parts, both sorted, and returns the number of pairs of one of
 * each that share a range of one line. Adds to *crossings the number of places with four parts
 * around them: both sides of a line have a corner there that is not an end of the line. */
static int64_t measure_pairs(const struct owner_key *ends, const struct owner_key *starts,
                             int count, int64_t *crossings)
{
    int64_t pairs = 0;

    for (int i = 0, k = 0; i < count && k < count;) {
        const struct owner_key *a = &ends[i], *b = &starts[k];

        if (a->line != b->line) {
            if (a->line < b->line)
                i++;
            else
                k++;
            continue;
        }
        pairs += a->low < b->high && b->low < a->high;
        if (a->high == b->high && i + 1 < count && k + 1 < count && ends[i + 1].line == a->line &&
            starts[k + 1].line == a->line && ends[i + 1].low == a->high &&
            starts[k + 1].low == a->high)
            ++*crossings;
        if (a->high <= b->high)
            i++;
        if (b->high <= a->high)
            k++;
    }
    return pairs;
}

void nuce_decomposition_measure(const struct nuce_decomposition *decomposition, double latency,
                                enum nuce_edges edges, struct nuce_decomposition_cost *out)
{
    const struct nuce_decomposition *d = decomposition;
    struct lines rows = lines_of(d, 0), columns = lines_of(d, 1);
    struct owner_key *ends = nuce_allocate(2 * (int64_t)d->parts, sizeof *ends);
    struct nuce_decomposition_cost cost = {0};
    double full_height = 0, full_width = 0;
    int64_t crossings = 0, again = 0;
    int count = list_sides(&columns, &rows, d->parts, 1, ends);

    list_sides(&columns, &rows, d->parts, 0, ends + count);
    cost.internal_edges = measure_pairs(ends, ends + count, count, &crossings);
    count = list_sides(&rows, &columns, d->parts, 1, ends);
    list_sides(&rows, &columns, d->parts, 0, ends + count);
    /* These are the same crossings again. */
    cost.internal_edges += measure_pairs(ends, ends + count, count, &again);
    if (edges == NUCE_EDGES_NAIVE)
        cost.internal_edges += crossings;
    free(ends);
    /* Acost, and Bcost: opposite borders of the array are one, and none if one part has both. */
    for (int i = 0; i < d->parts; i++) {
        const struct nuce_rectangle *part = &d->rectangles[i];

        if (part_has_no_area(&rows, &columns, i))
            continue;
        cost.acost += part->rows + part->columns;
        if (rows.spans[i].low == 0 && rows.spans[i].high == rows.count - 1)
            full_height += part->columns;
        if (columns.spans[i].low == 0 && columns.spans[i].high == columns.count - 1)
            full_width += part->rows;
    }
    cost.acost -= d->rows + d->columns;
    cost.bcost = cost.acost + (d->columns - full_height) + (d->rows - full_width);
    cost.cost = cost.acost + latency * (double)cost.internal_edges;
    *out = cost;
    lines_fini(&rows);
    lines_fini(&columns);
}

/* Rounds every line, not every rectangle. Two parts that share a border share the line, hence its
 * rounded place, and no overlap or gap can arise (ALGORITHMS: "monotone, so it tiles exactly"). The
 * array's own borders are whole already and stay. */

/* Halves are rounded up, and so is a value that is a half within rounding errors. Equal parts often
 * put lines on halves. Otherwise the last bit of a sum would give one of two equal parts a row
 * more. */
#define NEARLY 1e-9

static double round_to_nearest(double at)
{
    return floor(at + 0.5 + NEARLY);
}

nuce_status nuce_decomposition_round(struct nuce_decomposition *decomposition, int allow_empty,
                                     struct nuce_error *error)
{
    struct lines rows = lines_of(decomposition, 0), columns = lines_of(decomposition, 1);
    nuce_status status = NUCE_OK;

    for (int i = 0; status == NUCE_OK && i < decomposition->parts; i++) {
        struct span down = rows.spans[i], along = columns.spans[i];
        struct nuce_rectangle part = {.owner = i,
                                      .row = round_to_nearest(rows.at[down.low]),
                                      .column = round_to_nearest(columns.at[along.low])};

        part.rows = round_to_nearest(rows.at[down.high]) - part.row;
        part.columns = round_to_nearest(columns.at[along.high]) - part.column;
        if (!allow_empty && !(part.rows > 0 && part.columns > 0))
            status = nuce_error_set(
                error, NUCE_BAD_INPUT,
                "part %d of %d: gets no cell of %.17g x %.17g: its %.4g x %.4g cells round to "
                "%g x %g",
                i, decomposition->parts, decomposition->rows, decomposition->columns,
                decomposition->rectangles[i].rows, decomposition->rectangles[i].columns, part.rows,
                part.columns);
        decomposition->rectangles[i] = part;
    }
    lines_fini(&rows);
    lines_fini(&columns);
    return status;
}
