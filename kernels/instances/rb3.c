/* RecursiveBisection3 (Kaddoura, Ranka and Wang, 6.3): as rb2, but each weight, largest first, goes
 * into the lighter of two bins, the first on ties. O(p log p) unless few weights hold nearly
 * all. */
#include <string.h>

#include "instances/bisection.h"

/* Two-bin LPT: both bins become nonincreasing as order is. The second is collected in scratch, and
 * then appended. */
static int rb3_split(const struct nuce_array_problem *problem, int *order, int count, int *scratch)
{
    double left = 0, right = 0;
    int first = 0, second = 0;

    for (int i = 0; i < count; i++) {
        if (left <= right) {
            left += problem->weights[order[i]];
            order[first++] = order[i];
        } else {
            right += problem->weights[order[i]];
            scratch[second++] = order[i];
        }
    }
    memcpy(order + first, scratch, (size_t)second * sizeof *order);
    return first;
}

static void rb3_build(const struct nuce_array_problem *problem, struct nuce_decomposition *out)
{
    nuce_bisection_build(problem, rb3_split, out);
}

const struct nuce_decomposition_ops nuce_decomposition_rb3 = {
    .name = "rb3",
    .label = "bisection, packed weights",
    .summary = "recursive bisection across the longer side, weights packed into two bins",
    .source = "Kaddoura, Ranka, Wang 1996, 6.3",
    .build = rb3_build,
};
