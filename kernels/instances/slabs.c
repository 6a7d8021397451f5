/* Slabs: cuts across the longer side only, in order of rank. Most codes with one dimension do this,
 * and it is the reference for XY2: p - 1 borders of the full depth, 2 messages per part. O(p). */
#include "instances/array_problem.h"

/* In order of rank, not of sorted weights: the rectangles' rows serve as scratch for the weights in
 * order of owner. */
static void slabs_build(const struct nuce_array_problem *problem, struct nuce_decomposition *out)
{
    const struct nuce_array *array = problem->array;
    struct nuce_box all = {0, 0, array->rows, array->columns};
    double total = 0, before = 0;

    for (int k = 0; k < problem->parts; k++)
        out->rectangles[problem->owners[k]].rows = problem->weights[k];
    for (int i = 0; i < problem->parts; i++)
        total += out->rectangles[i].rows;
    for (int i = 0; i < problem->parts; i++) {
        double after = before + out->rectangles[i].rows;
        struct nuce_box box =
            nuce_box_slice(all, !problem->is_turned, before / total, after / total);

        out->rectangles[i] = (struct nuce_rectangle){i, box.row, box.column, box.rows, box.columns};
        before = after;
    }
}

const struct nuce_decomposition_ops nuce_decomposition_slabs = {
    .name = "slabs",
    .label = "one-dimensional",
    .summary = "one-dimensional: cuts across the longer side alone",
    .source = "the one-dimensional distribution of most codes",
    .build = slabs_build,
};
