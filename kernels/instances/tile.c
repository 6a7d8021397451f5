/* TILE (Kaddoura, Ranka and Wang, Figure 14, with its errata): strips across the longer side, whose
 * numbers of parts do not decrease, until the rest is longer the other way. Then the direction must
 * change, and numbers begin at 1 again. A strip of c out of r weights may be cut off if c <= r - c,
 * or if the direction must change after it. The whole rest may always be one strip. The result is
 * the best of all of them, by branch and bound. Exponential, but some hundred strips are checked
 * for p = 20. */
#include "instances/strip_search.h"

/* The paper's rule: count may not exceed the number of remaining parts, unless the cut leaves a
 * side shorter than the strip's own, after which the direction turns. */
static int tile_allows(const struct nuce_strip_rest *rest, int parts, int across, int end,
                       double remaining)
{
    int count = end - rest->first, left = parts - end;

    if (across != rest->across)
        return 0;
    if (left == 0)
        return 1;
    return count >= rest->least &&
           (count <= left ||
            nuce_side_exceeds(across ? rest->box.rows : rest->box.columns, remaining));
}

/* Turns if the rest is longer the other way; else sizes may not decrease. */
static void tile_follow(const struct nuce_strip *strip, struct nuce_strip_rest *after)
{
    double depth = strip->across ? after->box.rows : after->box.columns;
    double remaining = strip->across ? after->box.columns : after->box.rows;
    int turns = nuce_side_exceeds(depth, remaining);

    after->across = turns ? !strip->across : strip->across;
    after->least = turns ? 1 : strip->end - strip->first;
}

const struct nuce_strip_rule nuce_strip_rule_tile = {.allows = tile_allows, .follow = tile_follow};

static void tile_build(const struct nuce_array_problem *problem, struct nuce_decomposition *out)
{
    struct nuce_strip_path path;

    nuce_strip_path_init(problem, &path);
    nuce_strip_search(problem, &nuce_strip_rule_tile, &path);
    nuce_strip_path_put(problem, &path, out);
    out->is_settled = path.is_settled;
    nuce_strip_path_fini(&path);
}

const struct nuce_decomposition_ops nuce_decomposition_tile = {
    .name = "tile",
    .label = "strips, turning",
    .summary = "strips; the direction turns where the rest is longer the other way",
    .source = "Kaddoura, Ranka, Wang 1996, Figure 14",
    .most_parts = NUCE_STRIP_SEARCH_MOST_PARTS,
    .build = tile_build,
};
