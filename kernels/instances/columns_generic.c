/* The best columns where internal edges cost and no corners coincide: E_i = 3 p + 1 - 2 v - c_1 -
 * c_v for v columns whose first has c_1 parts and whose last c_v. Sizes do not decrease, so they
 * are given out like coins, small ones first: after the turn of coin b, M(k) is the least cost of
 * the first k weights in columns of at most b parts, and the last column is tried with b parts upon
 * M(p - b). p^2 / 4 steps in O(p) memory, but for a log of each change of M(k), by which the best
 * is read back. */
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "instances/columns.h"

/* M(k) has changed. The log is kept, as the final M alone does not tell how the columns before
 * looked when a later, larger coin was put upon them. */
struct change {
    int size;   /* of the last column of the first k */
    int before; /* index of the change of the same k before; -1: none */
};

/* With the constant 3 p + 1 of E_i left out, a column costs depth - 2 latency and its inner
 * borders, and the first and the last one each latency x its size less. */
struct generic_search {
    const struct nuce_columns *columns;
    double latency;
    double *least; /* M */
    int *newest;   /* of each k, index of its last change; -1: none */
    struct change *changes;
    int64_t count, capacity;
};

/* A column of the weights first .. end - 1, its border to the next, and the "- 2 v" share of
 * E_i. */
static double generic_column_cost(const struct generic_search *s, int first, int end)
{
    return s->columns->depth - 2 * s->latency + nuce_columns_inner(s->columns, first, end);
}

/* NUCE_FAILED for memory: the log grows with the number of improvements. */
static void generic_note_change(struct generic_search *s, int k, int size, double cost)
{
    nuce_allocate_more((void **)&s->changes, &s->capacity, s->count + 1, sizeof *s->changes);
    s->least[k] = cost;
    s->changes[s->count] = (struct change){size, s->newest[k]};
    s->newest[k] = (int)s->count++;
}

/* The turn of size: columns of it as the first, and upon what ends with one at most as large. What
 * is left must hold one more of at least that size. */
static void try_size(struct generic_search *s, int size)
{
    int parts = s->columns->problem->parts;

    for (int k = size; k <= parts - size; k++) {
        double before = k == size ? -s->latency * size : s->least[k - size];
        double cost = before + generic_column_cost(s, k - size, k);

        if (cost < s->least[k])
            generic_note_change(s, k, size, cost);
    }
}

/* The best size of the last column, in *last. One column of all is the first to beat: its parts
 * count as c_1 and as c_v, which leaves its p - 1 edges. */
static void generic_search(struct generic_search *s, int *last)
{
    int parts = s->columns->problem->parts;
    double least = generic_column_cost(s, 0, parts) - 2 * s->latency * parts;

    *last = parts;
    for (int size = 1; size < parts; size++) {
        double cost;

        try_size(s, size);
        cost = s->least[parts - size] + generic_column_cost(s, parts - size, parts) -
               s->latency * size;
        if (cost < least) {
            least = cost;
            *last = size;
        }
    }
}

/* From the last column back: the column before one of size b is the newest change of M there with a
 * size of at most b, since larger coins came later. Then the list is turned around. */
static void generic_list_columns(const struct generic_search *s, int last,
                                 struct nuce_columns *columns)
{
    int end = columns->problem->parts, size = last, count = 0;

    while (end > 0) {
        columns->list[count++] = (struct nuce_column){end - size, end};
        end -= size;
        for (int i = s->newest[end]; end > 0; i = s->changes[i].before) {
            if (s->changes[i].size <= size) {
                size = s->changes[i].size;
                break;
            }
        }
    }
    for (int i = 0; i < count / 2; i++) {
        struct nuce_column swapped = columns->list[i];

        columns->list[i] = columns->list[count - 1 - i];
        columns->list[count - 1 - i] = swapped;
    }
    columns->count = count;
}

void nuce_columns_search_generic(struct nuce_columns *columns)
{
    int64_t count = (int64_t)columns->problem->parts + 1;
    struct generic_search s = {.columns = columns, .latency = columns->problem->array->latency};
    int last;

    s.least = nuce_allocate(count, sizeof *s.least);
    s.newest = nuce_allocate(count, sizeof *s.newest);
    for (int64_t k = 0; k < count; k++) {
        s.least[k] = INFINITY;
        s.newest[k] = -1;
    }
    generic_search(&s, &last);
    generic_list_columns(&s, last, columns);
    free(s.least);
    free(s.newest);
    free(s.changes);
}
