/* The best columns where corners coincide, as with equal weights: only those of columns side by
 * side do, so a state is where the last column begins and ends. Adjacent columns of a <= b parts
 * share a + b - 1 edges less the corners that coincide, at least b, which bounds from below what is
 * still to come; states that cannot be part of anything better than what the generic search has
 * found are dropped. O(p^4) at worst, mostly far less. */
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "instances/columns.h"

/* The state of the dynamic program: a node is a last column (first, end), of which there are p (p +
 * 1) / 2 in matrices of (p + 1)^2. */
struct coinciding_search {
    const struct nuce_columns *columns;
    double latency;
    int parts;
    double *rest;  /* of each k: no columns of the weights from k on can cost less */
    double *least; /* [first * (parts + 1) + end]: cost up to and with that column */
    int *before;   /* the same index: where the column before begins; -1: none */
    double bound;  /* only what is below is looked for */
    int found;     /* where the last column begins; -1: nothing is below bound */
};

/* Fills rest[] backwards. As if any sizes could follow and every corner that can coincided: a
 * column of c parts then adds at least its c - 1 inner edges and c with the column before, 2 c -
 * 1. */
static void bound_rest(struct coinciding_search *s)
{
    s->rest[s->parts] = 0;
    for (int k = s->parts - 1; k >= 0; k--) {
        s->rest[k] = INFINITY;
        for (int end = k + 1; end <= s->parts; end++) {
            double cost = s->columns->depth + nuce_columns_inner(s->columns, k, end) +
                          s->latency * (2 * (end - k) - 1) + s->rest[end];

            s->rest[k] = fmin(s->rest[k], cost);
        }
    }
}

/* Notes a way, with its last column first .. end - 1 and the one before it beginning at before, if
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

/* Tries all columns that can follow one of the weights first .. end - 1: sizes do not decrease, so
 * the next has at least end - first. The edges' lower bound first, as counting corners is what
 * costs. */
static void coinciding_extend(struct coinciding_search *s, int first, int end)
{
    double reached = s->least[(int64_t)first * (s->parts + 1) + end];

    if (!(reached + s->rest[end] < s->bound))
        return;
    for (int next = 2 * end - first; next <= s->parts; next++) {
        double cost = reached + s->columns->depth + nuce_columns_inner(s->columns, end, next);
        int least_edges = 2 * (next - end) - 1;
        int coinciding;

        if (!(cost + s->latency * least_edges + s->rest[next] < s->bound))
            continue;
        coinciding = nuce_columns_coinciding(s->columns->problem, (struct nuce_column){first, end},
                                             (struct nuce_column){end, next});
        cost += s->latency * (next - end - 1 + next - first - 1 - coinciding);
        coinciding_reach(s, first, end, next, cost);
    }
}

/* Ends ascending: all ways to reach (first, end) come from columns that end at first < end, so each
 * state is final before it is extended. */
static void coinciding_search(struct coinciding_search *s)
{
    bound_rest(s);
    for (int end = 1; end <= s->parts; end++)
        coinciding_reach(s, -1, 0, end,
                         nuce_columns_inner(s->columns, 0, end) + s->latency * (end - 1));
    for (int end = 1; end < s->parts; end++) {
        for (int first = 0; first < end; first++)
            coinciding_extend(s, first, end);
    }
}

/* Follows before[] from the last column, then turns the list around. */
static void coinciding_list_columns(const struct coinciding_search *s, struct nuce_columns *columns)
{
    int count = 0;

    for (int first = s->found, end = s->parts; first >= 0; count++) {
        int before = s->before[(int64_t)first * (s->parts + 1) + end];

        columns->list[count] = (struct nuce_column){first, end};
        end = first;
        first = before;
    }
    for (int i = 0; i < count / 2; i++) {
        struct nuce_column swapped = columns->list[i];

        columns->list[i] = columns->list[count - 1 - i];
        columns->list[count - 1 - i] = swapped;
    }
    columns->count = count;
}

void nuce_columns_search_coinciding(struct nuce_columns *columns)
{
    int64_t count = (int64_t)columns->problem->parts + 1;
    /* The bound is a little below the generic cost, so that rounding alone never replaces its
     * columns. */
    struct coinciding_search s = {.columns = columns,
                                  .latency = columns->problem->array->latency,
                                  .parts = columns->problem->parts,
                                  .bound = nuce_columns_cost(columns) * (1 - 1e-14),
                                  .found = -1};

    s.rest = nuce_allocate(count, sizeof *s.rest);
    s.least = nuce_allocate(count * count, sizeof *s.least);
    s.before = nuce_allocate(count * count, sizeof *s.before);
    for (int64_t i = 0; i < count * count; i++)
        s.least[i] = INFINITY;
    coinciding_search(&s);
    if (s.found >= 0)
        coinciding_list_columns(&s, columns);
    free(s.rest);
    free(s.least);
    free(s.before);
}
