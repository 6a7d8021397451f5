/* The recursion of rb2 and rb3: a box and its weights, cut in proportion to the sums of the two
 * halves. Depth at most p. Each level sums its weights again, because a split may reorder them and
 * prefix sums hold only for the sorted order: O(p log p) if halves are even. */
#include "instances/bisection.h"

#include <stdlib.h>

#include "base/allocate.h"

/* The constants of the recursion. */
struct bisection {
    const struct nuce_array_problem *problem;
    nuce_bisection_split *split;
    struct nuce_decomposition *out;
    int *scratch; /* parts; for a split, borrowed for one call at a time */
};

static double sum_of_weights(const struct nuce_array_problem *problem, const int *order, int count)
{
    double total = 0;

    for (int i = 0; i < count; i++)
        total += problem->weights[order[i]];
    return total;
}

/* Divides box among the count weights of order. Cuts are across the longer side, as in the papers'
 * figures; squares are cut from top to bottom, as the array is first. */
static void bisection_divide(const struct bisection *b, int *order, int count, struct nuce_box box)
{
    int across = !nuce_side_exceeds(box.rows, box.columns);
    double share;
    int first;

    if (count == 1) {
        nuce_array_problem_put(b->problem, order[0], box, b->out);
        return;
    }
    first = b->split(b->problem, order, count, b->scratch);
    share = sum_of_weights(b->problem, order, first) / sum_of_weights(b->problem, order, count);
    bisection_divide(b, order, first, nuce_box_slice(box, across, 0, share));
    bisection_divide(b, order + first, count - first, nuce_box_slice(box, across, share, 1));
}

void nuce_bisection_build(const struct nuce_array_problem *problem, nuce_bisection_split *split,
                          struct nuce_decomposition *out)
{
    int *order = nuce_allocate(2 * (int64_t)problem->parts, sizeof *order);
    struct bisection b = {.problem = problem, .split = split, .out = out};

    b.scratch = order + problem->parts;
    for (int i = 0; i < problem->parts; i++)
        order[i] = i;
    bisection_divide(&b, order, problem->parts, nuce_array_problem_box(problem));
    free(order);
}
