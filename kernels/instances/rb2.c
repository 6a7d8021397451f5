/* RecursiveBisection2 (Kaddoura, Ranka and Wang, 6.3): cuts across the longer side. The shortest
 * run of weights, largest first, whose sum is at least half goes to the left. "Nearest to half"
 * would give Figure 16 as well, but not Tables 5 to 7. O(p log p) unless few weights hold nearly
 * all. */
#include "instances/bisection.h"

/* The shortest prefix of order, nonincreasing, with at least half of the sum; at least one weight
 * remains. */
static int rb2_split(const struct nuce_array_problem *problem, int *order, int count, int *scratch)
{
    double total = 0, left = 0;
    int first = 0;

    (void)scratch; /* the run is in front already */
    for (int i = 0; i < count; i++)
        total += problem->weights[order[i]];
    while (first < count - 1 && 2 * left < total)
        left += problem->weights[order[first++]];
    return first;
}

static void rb2_build(const struct nuce_array_problem *problem, struct nuce_decomposition *out)
{
    nuce_bisection_build(problem, rb2_split, out);
}

const struct nuce_decomposition_ops nuce_decomposition_rb2 = {
    .name = "rb2",
    .label = "bisection by weight",
    .summary = "recursive bisection by weight across the longer side",
    .source = "Kaddoura, Ranka, Wang 1996, 6.3",
    .build = rb2_build,
};
