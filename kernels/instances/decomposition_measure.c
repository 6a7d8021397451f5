/* What a decomposition costs (Kaddoura, Ranka and Wang, 2 and 5). Internal edges are E_i = V_i + p
 * - 1 by Euler, V_i the inner corners: as many as pairs of parts that share an edge, where corners
 * that coincide are one. O(p log p). */
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "instances/array_lines.h"

/* A side of a part: on which line it lies, and from where to where along it, in lines of the other
 * direction. */
struct owner_key {
    int line, low, high;
};

/* By line, then along it: sides of one kind on one line do not overlap, so low decides. */
static int compare_owner_keys(const void *left, const void *right)
{
    const struct owner_key *a = left, *b = right;

    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return (a->low > b->low) - (a->low < b->low);
}

/* Rounding may leave a part no cells; such a part has no sides either. */
static int part_has_no_area(const struct nuce_array_lines *rows,
                            const struct nuce_array_lines *columns, int part)
{
    return rows->spans[part].low == rows->spans[part].high ||
           columns->spans[part].low == columns->spans[part].high;
}

/* The sides of all parts that lie on lines of across, as stretches between lines of along, sorted:
 * the ends of the parts (right or bottom sides) if are_ends, else their starts. Returns how
 * many. */
static int list_sides(const struct nuce_array_lines *across, const struct nuce_array_lines *along,
                      int parts, int are_ends, struct owner_key *sides)
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

/* Merges the ends and the starts of parts, both sorted, and returns how many pairs of one of each
 * lie on the same line and share a stretch of it. Adds to *crossings how many places have four
 * parts around them: where both sides of a line have a corner that is not an end of the line. */
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

static void measure_edges(const struct nuce_array_lines *rows,
                          const struct nuce_array_lines *columns, int parts, enum nuce_edges edges,
                          int64_t *out)
{
    struct owner_key *ends = nuce_allocate(2 * (int64_t)parts, sizeof *ends);
    int64_t crossings = 0, again = 0;
    int count;

    count = list_sides(columns, rows, parts, 1, ends);
    list_sides(columns, rows, parts, 0, ends + count);
    *out = measure_pairs(ends, ends + count, count, &crossings);
    count = list_sides(rows, columns, parts, 1, ends);
    list_sides(rows, columns, parts, 0, ends + count);
    /* Those are the same crossings again. */
    *out += measure_pairs(ends, ends + count, count, &again);
    if (edges == NUCE_EDGES_NAIVE)
        *out += crossings;
    free(ends);
}

/* Acost, and Bcost: opposite borders of the array are one, and none where one part has both. */
static void add_lengths(const struct nuce_decomposition *d, const struct nuce_array_lines *rows,
                        const struct nuce_array_lines *columns,
                        struct nuce_decomposition_cost *cost)
{
    double full_height = 0, full_width = 0;

    for (int i = 0; i < d->parts; i++) {
        const struct nuce_rectangle *part = &d->rectangles[i];

        if (part_has_no_area(rows, columns, i))
            continue;
        cost->acost += part->rows + part->columns;
        if (rows->spans[i].low == 0 && rows->spans[i].high == rows->count - 1)
            full_height += part->columns;
        if (columns->spans[i].low == 0 && columns->spans[i].high == columns->count - 1)
            full_width += part->rows;
    }
    cost->acost -= d->rows + d->columns;
    cost->bcost = cost->acost + (d->columns - full_height) + (d->rows - full_width);
}

void nuce_decomposition_measure(const struct nuce_decomposition *decomposition, double latency,
                                enum nuce_edges edges, struct nuce_decomposition_cost *out)
{
    struct nuce_array_lines rows = {0}, columns = {0};
    struct nuce_decomposition_cost cost = {0};

    nuce_array_lines_init(decomposition, 0, &rows);

    nuce_array_lines_init(decomposition, 1, &columns);
    measure_edges(&rows, &columns, decomposition->parts, edges, &cost.internal_edges);
    add_lengths(decomposition, &rows, &columns, &cost);
    cost.cost = cost.acost + latency * (double)cost.internal_edges;
    *out = cost;
    nuce_array_lines_fini(&rows);
    nuce_array_lines_fini(&columns);
}
