/* XY (Kaddoura, Ranka and Wang, Figure 13): columns across the longer side whose numbers of parts
 * do not decrease, weights in order; the best of all of them, found by dynamic programming. */
#include "instances/columns.h"

static void xy_build(const struct nuce_array_problem *problem, struct nuce_decomposition *out)
{
    struct nuce_columns columns;

    nuce_columns_init(problem, 1, &columns);
    nuce_columns_search(&columns);
    nuce_columns_put(&columns, out);
    nuce_columns_fini(&columns);
}

const struct nuce_decomposition_ops nuce_decomposition_xy = {
    .name = "xy",
    .label = "columns",
    .summary = "the best columns across the longer side",
    .source = "Kaddoura, Ranka, Wang 1996, Figure 13",
    .build = xy_build,
};
