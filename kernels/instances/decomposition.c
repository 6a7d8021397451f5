/* The entry to decompositions: checks the input, sorts the weights, runs the algorithm and returns
 * its rectangles. Also the other common parts: random weights, and the check that the parts form a
 * grid. */
#include "instances/decomposition.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "instances/array_problem.h"

#define LEAST_WEIGHT 1e-12 /* of the largest */

nuce_status nuce_array_check(const struct nuce_array *array, struct nuce_error *error)
{
    const double *weights = array->weights;
    double largest = 0;
    if (!(array->rows >= 1) || !isfinite(array->rows))
        return nuce_error_refuse(error, "rows", "'%g': expected at least 1", array->rows);
    if (!(array->columns >= 1) || !isfinite(array->columns))
        return nuce_error_refuse(error, "columns", "'%g': expected at least 1", array->columns);
    if (array->parts < 1 || array->parts > NUCE_DECOMPOSITION_MAX_PARTS)
        return nuce_error_refuse(error, "ranks", "'%d': expected 1 to %d", array->parts,
                                 NUCE_DECOMPOSITION_MAX_PARTS);
    if (array->parts > array->rows * array->columns)
        return nuce_error_refuse(error, "ranks",
                                 "'%d': expected at most one for each of the %.17g cells "
                                 "of %.17g x %.17g",
                                 array->parts, array->rows * array->columns, array->rows,
                                 array->columns);
    if (!(array->latency >= 0) || !isfinite(array->latency))
        return nuce_error_refuse(error, "latency", "'%g': expected at least 0", array->latency);
    for (int i = 0; i < array->parts; i++) {
        if (!(weights[i] > 0) || !isfinite(weights[i]))
            return nuce_error_refuse(error, "weights",
                                     "weight %d of %d: '%g': expected a number above 0", i + 1,
                                     array->parts, weights[i]);
        largest = fmax(largest, weights[i]);
    }
    /* A weight far below the largest would give a part too small for positions, which are exact to
     * about 1e-12 of a side. */
    for (int i = 0; i < array->parts; i++) {
        if (weights[i] < LEAST_WEIGHT * largest)
            return nuce_error_refuse(error, "weights",
                                     "weight %d of %d: '%g': expected at least %g of the "
                                     "largest, %g",
                                     i + 1, array->parts, weights[i], LEAST_WEIGHT, largest);
    }
    return NUCE_OK;
}

void nuce_decomposition_draw_weights(struct nuce_rng *rng, double ratio, int parts, double *weights)
{
    for (int i = 0; i < parts; i++)
        weights[i] = 1 + (ratio - 1) * nuce_rng_uniform(rng);
}

void nuce_decomposition_fini(struct nuce_decomposition *decomposition)
{
    free(decomposition->rectangles);
    decomposition->rectangles = NULL;
}

nuce_status nuce_decomposition_compute(const struct nuce_decomposition_ops *ops,
                                       const struct nuce_array *array,
                                       struct nuce_decomposition *out, struct nuce_error *error)
{
    struct nuce_decomposition made = {
        .rows = array->rows, .columns = array->columns, .parts = array->parts, .is_settled = 1};
    struct nuce_array_problem problem;

    if (nuce_array_check(array, error) != NUCE_OK)
        return error->status;
    if (ops->most_parts > 0 && array->parts > ops->most_parts)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %d processors: expected at most %d",
                              ops->name, array->parts, ops->most_parts);
    nuce_array_problem_init(array, &problem);
    made.rectangles = nuce_allocate(array->parts, sizeof *made.rectangles);
    ops->build(&problem, &made);
    nuce_array_problem_fini(&problem);
    *out = made;
    return NUCE_OK;
}

/* True if a and b have the same columns if `column`, else the same rows, after rounding to whole
 * cells. */
static int is_in_line(const struct nuce_rectangle *a, const struct nuce_rectangle *b, int column)
{
    return column ? fabs(a->column - b->column) < 0.5 && fabs(a->columns - b->columns) < 0.5
                  : fabs(a->row - b->row) < 0.5 && fabs(a->rows - b->rows) < 0.5;
}

/* The parts of the first row are those in line with part 0. Every part must then be in line with
 * the first of its row and with the first of its column. */
void nuce_decomposition_grid_sides(const struct nuce_decomposition *decomposition, int side[2])
{
    const struct nuce_rectangle *parts = decomposition->rectangles;
    int columns = 1;

    while (columns < decomposition->parts && is_in_line(&parts[0], &parts[columns], 0))
        columns++;
    side[0] = side[1] = 0;
    if (decomposition->parts % columns != 0)
        return;
    for (int i = 0; i < decomposition->parts; i++) {
        int first = i / columns * columns;

        if (!is_in_line(&parts[first], &parts[i], 0) ||
            !is_in_line(&parts[i % columns], &parts[i], 1))
            return;
    }
    side[0] = decomposition->parts / columns;
    side[1] = columns;
}
