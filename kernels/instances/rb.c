/* Recursive bisection (Crandall and Quinn; Kaddoura, Ranka and Wang, Figure 15): the first half of
 * the weights, by number, goes to the left or to the top. Directions alternate; the first cut is
 * across the longer side, later ones regardless of the shape. O(p). */
#include "instances/array_problem.h"

/* Divides box among the weights first .. end - 1; the first half has the larger number if it is
 * odd. */
static void rb_divide(const struct nuce_array_problem *problem, int first, int end,
                      struct nuce_box box, int across, struct nuce_decomposition *out)
{
    int middle = first + (end - first + 1) / 2;
    double share;

    if (end - first == 1) {
        nuce_array_problem_put(problem, first, box, out);
        return;
    }
    share = nuce_array_problem_sum(problem, first, middle) /
            nuce_array_problem_sum(problem, first, end);
    rb_divide(problem, first, middle, nuce_box_slice(box, across, 0, share), !across, out);
    rb_divide(problem, middle, end, nuce_box_slice(box, across, share, 1), !across, out);
}

static void rb_build(const struct nuce_array_problem *problem, struct nuce_decomposition *out)
{
    rb_divide(problem, 0, problem->parts, nuce_array_problem_box(problem), 1, out);
}

const struct nuce_decomposition_ops nuce_decomposition_rb = {
    .name = "rb",
    .label = "bisection by number",
    .summary = "recursive bisection by number, alternating directions",
    .source = "Kaddoura, Ranka, Wang 1996, Figure 15",
    .build = rb_build,
};
