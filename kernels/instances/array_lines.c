/* Coordinates that rounding alone tells apart become one line, so that "ends where the other
 * begins" is a comparison of integers from here on: edges, full heights and rounding
 * (decomposition_measure.c, decomposition_round.c) need no tolerance of their own. A sort of the 2
 * p ends, O(p log p). */
#include "instances/array_lines.h"

#include <stdlib.h>

#include "base/allocate.h"

/* An end of a rectangle, low or high, on its way to become the index of a line. */
struct line_end {
    double at;
    int *line; /* where its index goes */
};

static int lines_compare_ends(const void *left, const void *right)
{
    const struct line_end *a = left, *b = right;

    return (a->at > b->at) - (a->at < b->at);
}

/* Takes the sorted ends for one line as long as each is no farther than tolerance from the one
 * before it. A line lies where its lowest end does; spans get the indices. */
static void number_lines(const struct line_end *ends, int count, double tolerance,
                         struct nuce_array_lines *lines)
{
    for (int i = 0; i < count; i++) {
        if (i == 0 || ends[i].at - ends[i - 1].at > tolerance)
            lines->at[lines->count++] = ends[i].at;
        *ends[i].line = lines->count - 1;
    }
}

/* Each end knows where the number of its line goes, so that sorting loses nothing. */
void nuce_array_lines_init(const struct nuce_decomposition *decomposition, int across,
                           struct nuce_array_lines *out)
{
    double side = across ? decomposition->columns : decomposition->rows;
    int count = 2 * decomposition->parts;
    struct nuce_array_lines lines = {0};
    struct line_end *ends = nuce_allocate(count, sizeof *ends);

    lines.at = nuce_allocate(count, sizeof *lines.at);
    lines.spans = nuce_allocate(decomposition->parts, sizeof *lines.spans);
    for (int i = 0; i < decomposition->parts; i++) {
        const struct nuce_rectangle *r = &decomposition->rectangles[i];
        double low = across ? r->column : r->row, size = across ? r->columns : r->rows;

        ends[2 * i] = (struct line_end){low, &lines.spans[i].low};
        ends[2 * i + 1] = (struct line_end){low + size, &lines.spans[i].high};
    }
    qsort(ends, (size_t)count, sizeof *ends, lines_compare_ends);
    number_lines(ends, count, side * NUCE_DECOMPOSITION_TOLERANCE, &lines);
    free(ends);
    *out = lines;
}

void nuce_array_lines_fini(struct nuce_array_lines *lines)
{
    free(lines->at);
    free(lines->spans);
}
