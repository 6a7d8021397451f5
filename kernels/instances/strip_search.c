/* Branch and bound, depth first, cheapest bound first. The rest of the array after some strips is a
 * box (row and column of its upper left corner grow). So a state is that box, the remaining
 * weights, and the last strip cut off either way, whose corners lie along it.
 *
 * Bounds: a part of area a has half a perimeter of at least 2 sqrt(a), or a / s + s in a rest whose
 * shorter side s is below sqrt(a). Each remaining part shares its left side with some part unless
 * that lies on the border of the array, and its top side likewise. Across a line whose other side
 * already has corners there are as many pairs more, unless corners may coincide. */
#include "instances/strip_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* Strips checked before a search gives up. With p = 20 it needs far fewer: 20 to 40 nodes at
 * latency 0, some 350 at latency 100, of up to 2 p strips each. */
#define MOST_CHOICES 20000000

/* A possible next strip, with the cost up to and including it, and a lower bound of the whole. */
struct strip_choice {
    struct nuce_strip strip;
    double cost, bound;
};

struct strip_search {
    const struct nuce_array_problem *problem;
    const struct nuce_strip_rule *rule;
    double total, latency;
    int may_coincide; /* weights are whole or some equal: corners may coincide, and are counted
                         exactly */
    double *roots;    /* parts + 1: sums of the square roots of the first areas */
    struct nuce_strip *strips;         /* those cut off so far */
    struct nuce_strip_path *path;      /* the best so far */
    struct strip_choice *choices;      /* a stack */
    int64_t count, capacity, examined; /* of choices */
};

/* The cells of the k-th weight. */
static double strip_area(const struct strip_search *s, int k)
{
    return s->problem->weights[k] / s->total * s->problem->height * s->problem->width;
}

/* The beginning of part k of strip, along the strip across its parts. */
static double strip_corner(const struct strip_search *s, const struct nuce_strip *strip, int k)
{
    double share = nuce_array_problem_sum(s->problem, strip->first, k) /
                   nuce_array_problem_sum(s->problem, strip->first, strip->end);

    return strip->across ? strip->box.row + strip->box.rows * share
                         : strip->box.column + strip->box.columns * share;
}

/* Positions along a strip that differ by at most this coincide. */
static double corner_tolerance(const struct strip_search *s, const struct nuce_strip *strip)
{
    return NUCE_DECOMPOSITION_TOLERANCE * (strip->across ? s->problem->height : s->problem->width);
}

/* The number of corners of strip inside low .. high. */
static int corners_within(const struct strip_search *s, const struct nuce_strip *strip, double low,
                          double high)
{
    double near = corner_tolerance(s, strip);
    int count = 0;

    for (int k = strip->first + 1; k < strip->end; k++) {
        double at = strip_corner(s, strip, k);

        if (at >= high - near)
            break;
        count += at > low + near;
    }
    return count;
}

/* The number of coinciding corners of the adjacent strips a and b: a merge along their common
 * line. */
static int count_coinciding(const struct strip_search *s, const struct nuce_strip *a,
                            const struct nuce_strip *b)
{
    double near = corner_tolerance(s, a);
    int count = 0;

    for (int i = a->first + 1, k = b->first + 1; i < a->end && k < b->end;) {
        double difference = strip_corner(s, a, i) - strip_corner(s, b, k);

        count += fabs(difference) <= near;
        i += difference <= near;
        k += difference >= -near;
    }
    return count;
}

/* The last strip cut off in the given direction, whose line lies along the rest; NULL: none. */
static const struct nuce_strip *last_strip(const struct strip_search *s, int depth, int across)
{
    while (--depth >= 0) {
        if (s->strips[depth].across == across)
            return &s->strips[depth];
    }
    return NULL;
}

/* The beginning of box along a strip cut across: by rows, else by columns. */
static double box_start(struct nuce_box box, int across)
{
    return across ? box.row : box.column;
}

/* The length of box along a strip cut across. */
static double box_extent(struct nuce_box box, int across)
{
    return across ? box.rows : box.columns;
}

/* The edges that strip adds: between its parts, with the adjacent strip, and with the one above.
 * The adjacent strip (cut the same way before) adds one for each corner within reach. Only the
 * strip's first part touches the one above, which runs along the strip's end. Naive counting adds
 * one where four parts meet. */
static int strip_count_edges(const struct strip_search *s, int depth,
                             const struct nuce_strip *strip)
{
    const struct nuce_strip *beside = last_strip(s, depth, strip->across);
    const struct nuce_strip *above = last_strip(s, depth, !strip->across);
    int is_naive = s->problem->array->edges == NUCE_EDGES_NAIVE;
    int edges = strip->end - strip->first - 1;

    if (beside != NULL) {
        double low = box_start(strip->box, strip->across);

        edges += strip->end - strip->first +
                 corners_within(s, beside, low, low + box_extent(strip->box, strip->across));
        if (!is_naive)
            edges -= count_coinciding(s, beside, strip);
    }
    if (above != NULL) {
        double low = box_start(strip->box, !strip->across);
        double high = low + box_extent(strip->box, !strip->across);

        edges += 1 + corners_within(s, above, low, high);
        for (int k = above->first + 1; is_naive && strip->end < s->problem->parts && k < above->end;
             k++) {
            if (fabs(strip_corner(s, above, k) - high) <= corner_tolerance(s, above)) {
                edges++;
                break;
            }
        }
    }
    return edges;
}

/* The rest of box after strip, by the weights' shares of it. */
static struct nuce_box rest_of(const struct strip_search *s, struct nuce_box box,
                               const struct nuce_strip *strip)
{
    double share = nuce_array_problem_sum(s->problem, strip->first, strip->end) /
                   nuce_array_problem_sum(s->problem, strip->first, s->problem->parts);

    return nuce_box_slice(box, strip->across, share, 1);
}

/* Adds the choice of cutting a strip of the weights up to end - 1 off rest, given the cost of the
 * borders and edges so far. It is omitted if rule forbids it or if its bound is no better than the
 * best. The bound is the least length of borders inside the rest, and the least number of further
 * edges. Weights are nonincreasing: those too large for a square come first, and the others' roots
 * are prefix sums. */
static void strip_consider(struct strip_search *s, int depth, const struct nuce_strip_rest *rest,
                           double cost, int across, int end)
{
    struct nuce_strip strip = {rest->first, end, across, rest->box};
    struct strip_choice choice;
    struct nuce_box left = rest_of(s, rest->box, &strip);
    double thickness = box_extent(rest->box, !across) - box_extent(left, !across);
    double side = fmin(left.rows, left.columns);
    int first = end, parts = s->problem->parts;
    int64_t edges = 0;

    s->examined++;
    if (!s->rule->allows(rest, s->problem->parts, across, end, box_extent(left, !across)))
        return;
    if (across)
        strip.box.columns = thickness;
    else
        strip.box.rows = thickness;
    choice = (struct strip_choice){.strip = strip, .cost = cost};
    choice.cost += (end - rest->first - 1) * thickness;
    if (end < s->problem->parts)
        choice.cost += box_extent(rest->box, across);
    if (s->latency > 0)
        choice.cost += s->latency * strip_count_edges(s, depth, &strip);
    choice.bound = choice.cost;
    if (end < parts) {
        double borders = -left.rows - left.columns;

        for (; first < parts && strip_area(s, first) > side * side; first++)
            borders += strip_area(s, first) / side + side;
        choice.bound += borders + 2 * (s->roots[parts] - s->roots[first]);
        for (int way = 0; way < 2 && s->latency > 0; way++) {
            const struct nuce_strip *line =
                strip.across == way ? &strip : last_strip(s, depth, way);
            double low = box_start(left, way);

            if (line == NULL)
                continue;
            edges += parts - end;
            if (!s->may_coincide)
                edges += corners_within(s, line, low, low + box_extent(left, way));
        }
        if (s->latency > 0)
            choice.bound += s->latency * (double)edges;
    }
    if (!(choice.bound < s->path->cost * (1 - NUCE_DECOMPOSITION_TOLERANCE)))
        return;
    nuce_allocate_more((void **)&s->choices, &s->capacity, s->count + 1, sizeof choice);
    s->choices[s->count++] = choice;
}

static int compare_choices(const void *left, const void *right)
{
    const struct strip_choice *a = left, *b = right;

    return (a->bound > b->bound) - (a->bound < b->bound);
}

/* Tries all possible next strips, best bound first: once one cannot win, none after it can. Choices
 * of this depth are on the stack from bottom on and are dropped at the end. */
static void strip_expand(struct strip_search *s, int depth, const struct nuce_strip_rest *rest,
                         double cost)
{
    int64_t bottom = s->count;

    for (int across = 1; across >= 0; across--) {
        for (int end = rest->first + 1; end <= s->problem->parts; end++)
            strip_consider(s, depth, rest, cost, across, end);
    }
    if (s->count > bottom)
        qsort(s->choices + bottom, (size_t)(s->count - bottom), sizeof *s->choices,
              compare_choices);
    for (int64_t i = bottom, end = s->count; i < end; i++) {
        struct strip_choice choice = s->choices[i];
        struct nuce_strip_rest after = {.first = choice.strip.end};

        if (!(choice.bound < s->path->cost * (1 - NUCE_DECOMPOSITION_TOLERANCE)))
            break;
        s->strips[depth] = choice.strip;
        if (choice.strip.end == s->problem->parts) {
            /* A complete path, cheaper than the best. */
            memcpy(s->path->strips, s->strips, (size_t)(depth + 1) * sizeof *s->strips);
            s->path->count = depth + 1;
            s->path->cost = choice.cost;
            continue;
        }
        if (s->examined > MOST_CHOICES && isfinite(s->path->cost)) {
            s->path->is_settled = 0;
            break;
        }
        after.box = rest_of(s, rest->box, &choice.strip);
        s->rule->follow(&choice.strip, &after);
        strip_expand(s, depth + 1, &after, choice.cost);
    }
    s->count = bottom;
}

void nuce_strip_search(const struct nuce_array_problem *problem, const struct nuce_strip_rule *rule,
                       struct nuce_strip_path *path)
{
    struct strip_search s = {.problem = problem,
                             .rule = rule,
                             .total = problem->sums[problem->parts],
                             .latency = problem->array->latency,
                             .may_coincide = problem->array->edges == NUCE_EDGES_EXACT &&
                                             (problem->is_whole || problem->has_equals),
                             .path = path};
    struct nuce_strip_rest all = {.box = nuce_array_problem_box(problem), .across = 1, .least = 1};

    path->is_settled = 1;
    s.roots = nuce_allocate((int64_t)problem->parts + 1, sizeof *s.roots);
    s.strips = nuce_allocate(problem->parts, sizeof *s.strips);
    for (int k = 0; k < problem->parts; k++)
        s.roots[k + 1] = s.roots[k] + sqrt(strip_area(&s, k));
    strip_expand(&s, 0, &all, 0);
    free(s.roots);
    free(s.strips);
    free(s.choices);
}

void nuce_strip_path_init(const struct nuce_array_problem *problem, struct nuce_strip_path *out)
{
    struct nuce_strip_path path = {.cost = INFINITY};

    path.strips = nuce_allocate(problem->parts, sizeof *path.strips);
    *out = path;
}

void nuce_strip_path_fini(struct nuce_strip_path *path)
{
    free(path->strips);
    path->strips = NULL;
}

void nuce_strip_path_put(const struct nuce_array_problem *problem,
                         const struct nuce_strip_path *path, struct nuce_decomposition *out)
{
    for (int i = 0; i < path->count; i++) {
        const struct nuce_strip *strip = &path->strips[i];
        double total = nuce_array_problem_sum(problem, strip->first, strip->end);

        for (int k = strip->first; k < strip->end; k++) {
            double low = nuce_array_problem_sum(problem, strip->first, k) / total;
            double high = nuce_array_problem_sum(problem, strip->first, k + 1) / total;

            nuce_array_problem_put(problem, k,
                                   nuce_box_slice(strip->box, !strip->across, low, high), out);
        }
    }
}
