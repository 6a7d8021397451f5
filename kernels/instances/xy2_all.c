/* The best of all XY decompositions, for any order of weights and columns, if no corners coincide.
 * Internal edges depend only on the two outer columns (columns.c), so the two with most parts
 * belong there. The order within, and the weights of each column, follow from Theorem 1. Once the
 * cheapest columns of the first k weights are known for every k, the last two are tried: O(p^2),
 * O(p log p) at latency 0. If corners coincide xy2, which searches for that, may be better, and is
 * then taken. */
#include <stdlib.h>

#include "base/allocate.h"
#include "instances/columns.h"

/* The result of xy2 is put first, and only a cheaper one replaces it. The best columns along one
 * side are those of the convex search for the weights before third, and the outer ones from third
 * on. At latency 0 the outer columns are like the others. */
static void xy2_all_build(const struct nuce_array_problem *problem, struct nuce_decomposition *out)
{
    double *best = nuce_allocate((int64_t)problem->parts + 1, sizeof *best);
    double latency = problem->array->latency;
    int parts = problem->parts;
    struct nuce_columns columns;
    double least;

    nuce_columns_search_both(problem, &columns);
    least = nuce_columns_cost(&columns);
    nuce_columns_put(&columns, out);
    nuce_columns_fini(&columns);
    for (int across = 1; across >= 0; across--) {
        struct nuce_array_problem before = *problem;
        double border, cheapest;
        int third = -1, second = 0;

        nuce_columns_init(problem, across, &columns);
        border = columns.depth - 2 * latency;
        nuce_columns_search_convex(&columns, border, best);
        /* The two outer columns, [third, second) and [second, parts), by trying all pairs of
         * beginnings; third -1: one column is best. */
        cheapest = nuce_columns_inner(&columns, 0, parts) + border - 2 * latency * parts;
        for (int b = 1; latency > 0 && b < parts; b++) {
            double last = nuce_columns_inner(&columns, b, parts) + 2 * border;

            for (int a = 0; a < b; a++) {
                double cost =
                    best[a] + nuce_columns_inner(&columns, a, b) + last - latency * (parts - a);

                if (cost < cheapest) {
                    cheapest = cost;
                    third = a;
                    second = b;
                }
            }
        }
        if (latency > 0)
            columns.count = 0;
        if (third > 0) {
            struct nuce_columns inner = columns;

            /* The search divides by the sum of its weights: keep shares of the whole. */
            before.parts = third;
            inner.length *= before.sums[third] / before.sums[parts];
            inner.problem = &before;
            inner.list = columns.list + 1;
            nuce_columns_search_convex(&inner, border, NULL);
            columns.count = inner.count;
        }
        if (third >= 0) {
            columns.count++;
            columns.list[0] = (struct nuce_column){third, second};
        }
        if (latency > 0)
            columns.list[columns.count++] = (struct nuce_column){second, parts};
        if (nuce_columns_cost(&columns) < least) {
            least = nuce_columns_cost(&columns);
            nuce_columns_put(&columns, out);
        }
        nuce_columns_fini(&columns);
    }
    free(best);
}

const struct nuce_decomposition_ops nuce_decomposition_xy2_all = {
    .name = "xy2-all",
    .label = "columns, any order",
    .summary = "the best columns in any order of weights and columns",
    .source = "Theorem 1 of Kaddoura, Ranka, Wang 1996 and the count of edges by the outer columns",
    .build = xy2_all_build,
};
