/* Columns: their cost, the coincidence of their corners, and the choice of one of the three
 * searches. By convention the array lies down and columns are "across" it. Turned ones are rows of
 * the same code, with length and depth exchanged. */
#include "instances/columns.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/int.h"

/* With more parts than this coinciding corners are counted, but no longer searched for. At worst
 * that search takes some tenths of a second here, and grows with the fourth power. */
#define MOST_COINCIDING 256

void nuce_columns_init(const struct nuce_array_problem *problem, int across,
                       struct nuce_columns *out)
{
    struct nuce_columns columns = {.problem = problem,
                                   .across = across,
                                   .length = across ? problem->width : problem->height,
                                   .depth = across ? problem->height : problem->width};

    columns.list = nuce_allocate(problem->parts, sizeof *columns.list);
    *out = columns;
}

void nuce_columns_fini(struct nuce_columns *columns)
{
    free(columns->list);
    columns->list = NULL;
}

/* The number of coinciding corners of two adjacent columns: a merge of both columns' corners from
 * the top, O(sum of their parts). Exact for whole weights: these are below 2^31, so the products of
 * a / total against b / whole are exact in 64 bits. */
static int count_coinciding(const struct nuce_array_problem *problem, struct nuce_column left,
                            struct nuce_column right)
{
    double total = nuce_array_problem_sum(problem, left.first, left.end);
    double whole = nuce_array_problem_sum(problem, right.first, right.end);
    int same = 0;

    for (int i = left.first + 1, k = right.first + 1; i < left.end && k < right.end;) {
        double a = nuce_array_problem_sum(problem, left.first, i);
        double b = nuce_array_problem_sum(problem, right.first, k);
        int64_t exact =
            problem->is_whole ? (int64_t)a * (int64_t)whole - (int64_t)b * (int64_t)total : 0;
        double distance = problem->is_whole ? (double)exact : a / total - b / whole;
        int order =
            (distance > NUCE_DECOMPOSITION_TOLERANCE) - (distance < -NUCE_DECOMPOSITION_TOLERANCE);

        same += order == 0;
        i += order <= 0;
        k += order >= 0;
    }
    return same;
}

/* Acost is depth for each border between columns and, within one, its width for each border between
 * parts. Two columns of a and b parts share a + b - 1 edges without coinciding corners, and one
 * less for each; a column of a parts has a - 1 inside. */
double nuce_columns_cost(const struct nuce_columns *columns)
{
    const struct nuce_array *array = columns->problem->array;
    double cost = (columns->count - 1) * columns->depth;
    int64_t edges = 0;

    for (int i = 0; i < columns->count; i++) {
        struct nuce_column column = columns->list[i];

        cost += nuce_columns_inner(columns, column.first, column.end);
        edges += column.end - column.first - 1;
        if (i == 0)
            continue;
        edges +=
            column.end - column.first - 1 + columns->list[i - 1].end - columns->list[i - 1].first;
        if (array->latency > 0 && array->edges == NUCE_EDGES_EXACT)
            edges -= count_coinciding(columns->problem, columns->list[i - 1], column);
    }
    return cost + array->latency * (double)edges;
}

void nuce_columns_put(const struct nuce_columns *columns, struct nuce_decomposition *out)
{
    const struct nuce_array_problem *problem = columns->problem;
    const double *sums = problem->sums;
    struct nuce_box all = nuce_array_problem_box(problem);
    double whole = sums[problem->parts], before = 0;

    for (int i = 0; i < columns->count; i++) {
        struct nuce_column column = columns->list[i];
        double total = nuce_array_problem_sum(problem, column.first, column.end);
        struct nuce_box box =
            nuce_box_slice(all, columns->across, before / whole, (before + total) / whole);

        for (int k = column.first; k < column.end; k++) {
            double low = nuce_array_problem_sum(problem, column.first, k) / total;
            double high = nuce_array_problem_sum(problem, column.first, k + 1) / total;

            nuce_array_problem_put(problem, k, nuce_box_slice(box, !columns->across, low, high),
                                   out);
        }
        before += total;
    }
}

/* Reverses the list: searches find the last column first. */
static void turn_around(struct nuce_columns *columns)
{
    for (int i = 0; i < columns->count / 2; i++) {
        struct nuce_column swapped = columns->list[i];

        columns->list[i] = columns->list[columns->count - 1 - i];
        columns->list[columns->count - 1 - i] = swapped;
    }
}

/* The best columns if internal edges have a cost and no corners coincide: E_i = 3 p + 1 - 2 v - c_1
 * - c_v for v columns whose first has c_1 parts and whose last c_v. Sizes do not decrease, so they
 * are used like coins, small ones first. After the turn of coin b, M(k) is the least cost of the
 * first k weights in columns of at most b parts, and the last column is tried with b parts added to
 * M(p - b). p^2 / 4 steps in O(p) memory, plus a log of each change of M(k), from which the best
 * columns are read. */

/* A change of M(k). The log is necessary: the final M does not show the earlier columns at the time
 * when a later, larger coin was added to them. */
struct change {
    int size;   /* of the last column of the first k weights */
    int before; /* index of the previous change of the same k; -1: none */
};

/* The cost of a column of the weights first .. end - 1, with its border to the next, and the "- 2
 * v" share of E_i. Without the constant 3 p + 1, a column costs depth - 2 latency and its inner
 * borders, and the first and the last one each latency x its size less. */
static double generic_column_cost(const struct nuce_columns *columns, int first, int end)
{
    return columns->depth - 2 * columns->problem->array->latency +
           nuce_columns_inner(columns, first, end);
}

/* One column of all parts is the first to beat: its parts count as c_1 and as c_v, which leaves its
 * p - 1 edges. Columns are read from the last one. The one before it, of size b, is the newest
 * change of M there with a size of at most b, since larger coins came later. */
static void search_generic(struct nuce_columns *columns)
{
    int parts = columns->problem->parts, last = parts;
    double latency = columns->problem->array->latency;
    double least = generic_column_cost(columns, 0, parts) - 2 * latency * parts;
    double *best = nuce_allocate((int64_t)parts + 1, sizeof *best); /* M */
    int *newest =
        nuce_allocate((int64_t)parts + 1, sizeof *newest); /* change of each k; -1: none */
    struct change *changes = NULL;
    int64_t count = 0, capacity = 0;

    for (int k = 0; k <= parts; k++) {
        best[k] = INFINITY;
        newest[k] = -1;
    }
    for (int size = 1; size < parts; size++) {
        double cost;

        /* Columns of the size of the first, added to columns that end with one at most as large.
         * The rest must hold one more of at least that size. */
        for (int k = size; k <= parts - size; k++) {
            cost = (k == size ? -latency * size : best[k - size]) +
                   generic_column_cost(columns, k - size, k);
            if (!(cost < best[k]))
                continue;
            nuce_allocate_more((void **)&changes, &capacity, count + 1, sizeof *changes);
            best[k] = cost;
            changes[count] = (struct change){size, newest[k]};
            newest[k] = (int)count++;
        }
        cost =
            best[parts - size] + generic_column_cost(columns, parts - size, parts) - latency * size;
        if (cost < least) {
            least = cost;
            last = size;
        }
    }
    columns->count = 0;
    for (int end = parts, size = last; end > 0;) {
        columns->list[columns->count++] = (struct nuce_column){end - size, end};
        end -= size;
        for (int i = newest[end]; end > 0; i = changes[i].before) {
            if (changes[i].size <= size) {
                size = changes[i].size;
                break;
            }
        }
    }
    turn_around(columns);
    free(best);
    free(newest);
    free(changes);
}

/* The best columns at latency 0. By Theorem 1 of the paper sizes that do not decrease are best for
 * weights that do not increase, so no search over the order of sizes is needed. With P the sums of
 * the weights, F(k) = min over j of F(j) + depth + length (k - j - 1)(P_k - P_j). That cost is a
 * convex Monge array: a later j that is once better stays so. Each j is best on an interval that is
 * found by bisection (Galil, Giancarlo: "Speeding up dynamic programming with applications to
 * molecular biology", TCS 64, 1989). O(p log p). */

struct candidate {
    int from;  /* the first k .. */
    int first; /* .. whose best last column begins here */
};

/* best[] is F of the head comment. candidates is a queue of intervals of k, each with its best j;
 * from ascends, and the last interval reaches to parts. */
struct convex_search {
    const struct nuce_columns *columns;
    double depth;
    double *best;                 /* parts + 1 */
    struct candidate *candidates; /* head .. count - 1: the intervals that still count */
    int head, count;
};

/* The value of F(first) and one more column of the weights first .. k - 1. */
static double convex_value(const struct convex_search *s, int first, int k)
{
    return s->best[first] + s->depth + nuce_columns_inner(s->columns, first, k);
}

/* The first k above low and at most parts for which a column that begins at later is better than
 * one that begins at first; parts + 1 if there is none. */
static int convex_overtakes(const struct convex_search *s, int first, int later, int low)
{
    int high = s->columns->problem->parts + 1;

    while (high - low > 1) {
        int middle = low + (high - low) / 2;

        if (convex_value(s, later, middle) < convex_value(s, first, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* Adds a column that begins at first as candidate for the k beyond it. By the Monge property it is
 * better, if at all, from some k on. Intervals that begin after that are removed, and the last
 * remaining one is cut there. */
static void add_candidate(struct convex_search *s, int first)
{
    int from = first + 1;

    while (s->count > s->head) {
        struct candidate last = s->candidates[s->count - 1];
        int at = last.from > from ? last.from : from;

        if (convex_value(s, first, at) < convex_value(s, last.first, at)) {
            s->count--;
            continue;
        }
        from = convex_overtakes(s, last.first, first, at);
        break;
    }
    if (from <= s->columns->problem->parts)
        s->candidates[s->count++] = (struct candidate){from, first};
}

/* When the search reaches k, the best j for k is at the head, since all j < k have been added. The
 * sizes are sorted, because the search may find either of two orders of equal cost. */
void nuce_columns_search_convex(struct nuce_columns *columns, double depth, double *best)
{
    int parts = columns->problem->parts, first = 0;
    int64_t count = (int64_t)parts + 1;
    struct convex_search s = {.columns = columns, .depth = depth};
    int *begins = nuce_allocate(count, sizeof *begins); /* of the last column of the first k */
    int *sizes = nuce_allocate(count, sizeof *sizes);

    s.best = best == NULL ? nuce_allocate(count, sizeof *best) : best;
    s.candidates = nuce_allocate(count, sizeof *s.candidates);
    s.best[0] = 0;
    s.candidates[s.count++] = (struct candidate){1, 0};
    for (int k = 1; k <= parts; k++) {
        while (s.head + 1 < s.count && s.candidates[s.head + 1].from <= k)
            s.head++;
        begins[k] = s.candidates[s.head].first;
        s.best[k] = convex_value(&s, begins[k], k);
        if (k < parts)
            add_candidate(&s, k);
    }
    columns->count = 0;
    for (int k = parts; k > 0; k = begins[k])
        sizes[columns->count++] = k - begins[k];
    qsort(sizes, (size_t)columns->count, sizeof *sizes, nuce_int_compare);
    for (int i = 0; i < columns->count; i++) {
        columns->list[i] = (struct nuce_column){first, first + sizes[i]};
        first += sizes[i];
    }
    if (best == NULL)
        free(s.best);
    free(begins);
    free(s.candidates);
    free(sizes);
}

/* The best columns if corners coincide, as with equal weights. Only corners of adjacent columns
 * coincide, so a state is the beginning and the end of the last column. Adjacent columns of a <= b
 * parts share a + b - 1 edges less the coinciding corners, at least b. That is a lower bound for
 * the remaining columns. States that cannot lead to anything better than the generic result are
 * dropped. O(p^4) at worst, mostly far less. */

/* The state of the dynamic program. A node is a last column (first, end), of which there are p (p +
 * 1) / 2 in matrices of (p + 1)^2. */
struct coinciding_search {
    const struct nuce_columns *columns;
    double latency;
    int parts;
    double *rest;  /* of each k: lower bound for the cost of columns of the weights from k on */
    double *least; /* [first * (parts + 1) + end]: cost up to and with that column */
    int *before;   /* the same index: beginning of the column before; -1: none */
    double bound;  /* only results below it count */
    int found;     /* beginning of the last column; -1: nothing is below bound */
};

/* Stores a way, with its last column first .. end - 1 and the one before it beginning at before, if
 * it is the cheapest to there and may still beat the bound. A complete one tightens the bound. */
static void coinciding_reach(struct coinciding_search *s, int before, int first, int end,
                             double cost)
{
    int64_t state = (int64_t)first * (s->parts + 1) + end;

    if (!(cost + s->rest[end] < s->bound) || !(cost < s->least[state]))
        return;
    s->least[state] = cost;
    s->before[state] = before;
    if (end == s->parts) {
        s->bound = cost;
        s->found = first;
    }
}

/* Ends ascend. All ways to (first, end) come from columns that end at first < end, so each state is
 * final before it is extended by all columns that can follow. Sizes do not decrease, so the next
 * has at least end - first. The edges' lower bound comes first, because counting corners is the
 * expensive part. */
static void search_coinciding(struct nuce_columns *columns)
{
    int parts = columns->problem->parts;
    int64_t count = (int64_t)parts + 1;
    double latency = columns->problem->array->latency;
    /* The bound is a little below the generic cost, so that rounding alone never replaces the
     * generic columns. */
    struct coinciding_search s = {.columns = columns,
                                  .latency = latency,
                                  .parts = parts,
                                  .bound = nuce_columns_cost(columns) * (1 - 1e-14),
                                  .found = -1};

    s.rest = nuce_allocate(count, sizeof *s.rest);
    s.least = nuce_allocate(count * count, sizeof *s.least);
    s.before = nuce_allocate(count * count, sizeof *s.before);
    for (int64_t i = 0; i < count * count; i++)
        s.least[i] = INFINITY;
    /* As if any sizes could follow and every possible corner coincided. A column of c parts then
     * adds at least 2 c - 1 edges: c - 1 inner ones and c with the column before. */
    for (int k = parts - 1; k >= 0; k--) {
        s.rest[k] = INFINITY;
        for (int end = k + 1; end <= parts; end++)
            s.rest[k] = fmin(s.rest[k], columns->depth + nuce_columns_inner(columns, k, end) +
                                            latency * (2 * (end - k) - 1) + s.rest[end]);
    }
    for (int end = 1; end <= parts; end++)
        coinciding_reach(&s, -1, 0, end, nuce_columns_inner(columns, 0, end) + latency * (end - 1));
    for (int end = 1; end < parts; end++) {
        for (int first = 0; first < end; first++) {
            double reached = s.least[(int64_t)first * count + end];

            if (!(reached + s.rest[end] < s.bound))
                continue;
            for (int next = 2 * end - first; next <= parts; next++) {
                double cost = reached + columns->depth + nuce_columns_inner(columns, end, next);
                int least_edges = 2 * (next - end) - 1, coinciding;

                if (!(cost + latency * least_edges + s.rest[next] < s.bound))
                    continue;
                coinciding = count_coinciding(columns->problem, (struct nuce_column){first, end},
                                              (struct nuce_column){end, next});
                cost += latency * (next - end - 1 + next - first - 1 - coinciding);
                coinciding_reach(&s, first, end, next, cost);
            }
        }
    }
    if (s.found >= 0) {
        columns->count = 0;
        for (int first = s.found, end = parts; first >= 0;) {
            int before = s.before[(int64_t)first * count + end];

            columns->list[columns->count++] = (struct nuce_column){first, end};
            end = first;
            first = before;
        }
        turn_around(columns);
    }
    free(s.rest);
    free(s.least);
    free(s.before);
}

/* At latency 0 the order of sizes is free and the search O(p log p); else O(p^2) as if no corners
 * coincided. If they may, that result bounds the more expensive search, which can only improve on
 * it. */
void nuce_columns_search(struct nuce_columns *columns)
{
    const struct nuce_array_problem *problem = columns->problem;

    if (!(problem->array->latency > 0)) {
        nuce_columns_search_convex(columns, columns->depth, NULL);
        return;
    }
    search_generic(columns);
    if (problem->array->edges == NUCE_EDGES_EXACT && problem->parts <= MOST_COINCIDING &&
        (problem->is_whole || problem->has_equals))
        search_coinciding(columns);
}

/* On a tie the columns across the longer side are kept. */
void nuce_columns_search_both(const struct nuce_array_problem *problem, struct nuce_columns *out)
{
    struct nuce_columns down;

    nuce_columns_init(problem, 1, out);
    nuce_columns_init(problem, 0, &down);
    nuce_columns_search(out);
    nuce_columns_search(&down);
    if (nuce_columns_cost(&down) < nuce_columns_cost(out)) {
        struct nuce_columns across = *out;

        *out = down;
        down = across;
    }
    nuce_columns_fini(&down);
}
