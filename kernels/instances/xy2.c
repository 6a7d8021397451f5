/* XY2 (Kaddoura, Ranka and Wang, 6.1): the better of XY along either side. The paper turns each
 * decomposition by Lemma 3; the least over both sides is the same. */
#include "instances/columns.h"

static void xy2_build(const struct nuce_array_problem *problem, struct nuce_decomposition *out)
{
    struct nuce_columns columns;

    nuce_columns_search_both(problem, &columns);
    nuce_columns_put(&columns, out);
    nuce_columns_fini(&columns);
}

const struct nuce_decomposition_ops nuce_decomposition_xy2 = {
    .name = "xy2",
    .label = "columns, either side",
    .summary = "the best columns across either side",
    .source = "Kaddoura, Ranka, Wang 1996, 6.1",
    .build = xy2_build,
};
