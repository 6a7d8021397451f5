/* Columns: what they cost, whether their corners coincide, and which of the three searches fits. By
 * convention the array lies down and columns are "across" it; turned ones are rows of the same
 * code, with length and depth exchanged. */
#include "instances/columns.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"

/* Above that many parts corners that coincide are counted, but no longer sought: at worst that
 * takes some tenths of a second here, and grows with the fourth power. */
#define MOST_COINCIDING 256

void nuce_columns_init(const struct nuce_array_problem *problem, int across,
                       struct nuce_columns *out)
{
    struct nuce_columns columns = {.problem = problem,
                                   .across = across,
                                   .length = across ? problem->width : problem->height,
                                   .depth = across ? problem->height : problem->width};

    columns.list = nuce_allocate(problem->parts, sizeof *columns.list);
    *out = columns;
}

void nuce_columns_fini(struct nuce_columns *columns)
{
    free(columns->list);
    columns->list = NULL;
}

/* Which of two corners on one line is higher up, -1, 0 or 1: one after a of a column of weight
 * total, the other after b of a column of weight whole. Whole weights are below 2^31, so the
 * products of a / total against b / whole are exact in 64 bits. */
static int compare_corners(const struct nuce_array_problem *problem, double a, double total,
                           double b, double whole)
{
    if (problem->is_whole) {
        int64_t left = (int64_t)a * (int64_t)whole, right = (int64_t)b * (int64_t)total;

        return (left > right) - (left < right);
    }
    if (fabs(a / total - b / whole) <= NUCE_DECOMPOSITION_TOLERANCE)
        return 0;
    return a / total < b / whole ? -1 : 1;
}

/* A merge of both columns' corners from the top: O(sum of their parts). */
int nuce_columns_coinciding(const struct nuce_array_problem *problem, struct nuce_column left,
                            struct nuce_column right)
{
    double total = nuce_array_problem_sum(problem, left.first, left.end);
    double whole = nuce_array_problem_sum(problem, right.first, right.end);
    int same = 0;

    for (int i = left.first + 1, k = right.first + 1; i < left.end && k < right.end;) {
        int order = compare_corners(problem, nuce_array_problem_sum(problem, left.first, i), total,
                                    nuce_array_problem_sum(problem, right.first, k), whole);

        same += order == 0;
        i += order <= 0;
        k += order >= 0;
    }
    return same;
}

/* Acost is depth for each border between columns and, within one, its width for each border between
 * parts. Two columns of a and b parts share a + b - 1 edges where no corners coincide, and one less
 * for each that does; within a column of a parts are a - 1. */
double nuce_columns_cost(const struct nuce_columns *columns)
{
    const struct nuce_array *array = columns->problem->array;
    double cost = (columns->count - 1) * columns->depth;
    int64_t edges = 0;

    for (int i = 0; i < columns->count; i++) {
        struct nuce_column column = columns->list[i];

        cost += nuce_columns_inner(columns, column.first, column.end);
        edges += column.end - column.first - 1;
        if (i == 0)
            continue;
        edges +=
            column.end - column.first - 1 + columns->list[i - 1].end - columns->list[i - 1].first;
        if (array->latency > 0 && array->edges == NUCE_EDGES_EXACT)
            edges -= nuce_columns_coinciding(columns->problem, columns->list[i - 1], column);
    }
    return cost + array->latency * (double)edges;
}

/* Divides box, a column, among its weights from top to bottom in proportion. */
static void put_column(const struct nuce_columns *columns, struct nuce_column column,
                       struct nuce_box box, struct nuce_decomposition *out)
{
    const struct nuce_array_problem *problem = columns->problem;
    double total = nuce_array_problem_sum(problem, column.first, column.end);

    for (int k = column.first; k < column.end; k++) {
        double low = nuce_array_problem_sum(problem, column.first, k) / total;
        double high = nuce_array_problem_sum(problem, column.first, k + 1) / total;

        nuce_array_problem_put(problem, k, nuce_box_slice(box, !columns->across, low, high), out);
    }
}

void nuce_columns_put(const struct nuce_columns *columns, struct nuce_decomposition *out)
{
    const struct nuce_array_problem *problem = columns->problem;
    struct nuce_box all = nuce_array_problem_box(problem);
    double total = problem->sums[problem->parts], before = 0;

    for (int i = 0; i < columns->count; i++) {
        struct nuce_column column = columns->list[i];
        double after = before + nuce_array_problem_sum(problem, column.first, column.end);

        put_column(columns, column,
                   nuce_box_slice(all, columns->across, before / total, after / total), out);
        before = after;
    }
}

/* At latency 0 the order of sizes is free and the search O(p log p); else O(p^2) as if no corners
 * coincided. Where they may, that result bounds the dearer search, which may only improve on it. */
nuce_status nuce_columns_search(struct nuce_columns *columns)
{
    const struct nuce_array_problem *problem = columns->problem;

    if (!(problem->array->latency > 0))
        return nuce_columns_search_convex(columns, columns->depth, NULL);
    nuce_columns_search_generic(columns);
    if (problem->array->edges == NUCE_EDGES_EXACT && problem->parts <= MOST_COINCIDING &&
        (problem->is_whole || problem->has_equals)) {
        nuce_columns_search_coinciding(columns);
        return NUCE_OK;
    }
    return NUCE_OK;
}

/* On a tie the columns across the longer side stay. */
nuce_status nuce_columns_search_both(const struct nuce_array_problem *problem,
                                     struct nuce_columns *out)
{
    struct nuce_columns across, down;
    nuce_status status;

    nuce_columns_init(problem, 1, &across);
    nuce_columns_init(problem, 0, &down);
    status = nuce_columns_search(&across);
    if (status == NUCE_OK)
        status = nuce_columns_search(&down);
    if (status == NUCE_OK && nuce_columns_cost(&down) < nuce_columns_cost(&across)) {
        nuce_columns_fini(&across);
        *out = down;
        return NUCE_OK;
    }
    nuce_columns_fini(&down);
    if (status == NUCE_OK)
        *out = across;
    else
        nuce_columns_fini(&across);
    return status;
}
