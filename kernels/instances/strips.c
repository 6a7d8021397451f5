/* Strips: each may go either way and hold any number of the next weights. That includes all
 * decompositions of xy, xy2 and tile and more. The search is branch and bound, beginning with their
 * results, so that it is never worse. */
#include <math.h>

#include "instances/columns.h"
#include "instances/strip_search.h"

/* Allows every strip, but not the same one twice. */
static int strips_allows(const struct nuce_strip_rest *rest, int parts, int across, int end,
                         double remaining)
{
    (void)remaining;
    /* One part fills the rest in either direction. */
    return end < parts || across || parts - rest->first > 1;
}

/* Sets no condition for the next strip. */
static void strips_follow(const struct nuce_strip *strip, struct nuce_strip_rest *after)
{
    (void)strip;
    (void)after;
}

const struct nuce_strip_rule nuce_strip_rule_any = {.allows = strips_allows,
                                                    .follow = strips_follow};

/* First tile and then columns, both cheap to find, bound the search. Columns are put first, and
 * strips replace them only if they are better. */
static void strips_build(const struct nuce_array_problem *problem, struct nuce_decomposition *out)
{
    struct nuce_columns columns;
    struct nuce_strip_path path;
    double columns_cost;

    nuce_strip_path_init(problem, &path);
    nuce_strip_search(problem, &nuce_strip_rule_tile, &path);
    nuce_columns_search_both(problem, &columns);
    columns_cost = nuce_columns_cost(&columns);
    path.cost = fmin(path.cost, columns_cost);
    nuce_columns_put(&columns, out);
    nuce_columns_fini(&columns);
    nuce_strip_search(problem, &nuce_strip_rule_any, &path);
    if (path.cost < columns_cost)
        nuce_strip_path_put(problem, &path, out);
    out->is_settled = path.is_settled;
    nuce_strip_path_fini(&path);
}

const struct nuce_decomposition_ops nuce_decomposition_strips = {
    .name = "strips",
    .summary = "the best strips in either direction",
    .source = "beyond the paper: contains xy2 and tile",
    .most_parts = NUCE_STRIP_SEARCH_MOST_PARTS,
    .build = strips_build,
};
