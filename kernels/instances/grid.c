/* The process grid of MPI_Dims_create: a x b = p as near to square as possible, the larger number
 * along the longer side. All parts are of one size, in order of rank, row by row. Programs that
 * know nothing of speeds use it. O(p). */
#include "instances/array_problem.h"

static void grid_build(const struct nuce_array_problem *problem, struct nuce_decomposition *out)
{
    const struct nuce_array *array = problem->array;
    int least = 1, columns, rows; /* least: the largest divisor that is not above the square root */

    for (int divisor = 2; divisor <= problem->parts / divisor; divisor++) {
        if (problem->parts % divisor == 0)
            least = divisor;
    }
    columns = problem->is_turned ? least : problem->parts / least;
    rows = problem->parts / columns;
    for (int i = 0; i < problem->parts; i++) {
        int row = i / columns, column = i % columns;
        struct nuce_box box = {0, 0, array->rows, array->columns};

        box = nuce_box_slice(box, 0, (double)row / rows, (row + 1.0) / rows);
        box = nuce_box_slice(box, 1, (double)column / columns, (column + 1.0) / columns);
        out->rectangles[i] = (struct nuce_rectangle){i, box.row, box.column, box.rows, box.columns};
    }
}

const struct nuce_decomposition_ops nuce_decomposition_grid = {
    .name = "grid",
    .label = "equal parts",
    .summary = "equal parts on the grid of MPI_Dims_create, without regard to weights",
    .source = "MPI 3.1, 7.5.2",
    .is_uniform = 1,
    .build = grid_build,
};
