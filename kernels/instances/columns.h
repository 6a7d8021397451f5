/* Columns: the array cut into columns, each cut into parts one above the other (XY decompositions),
 * or the same turned, and the searches for the best. */
#ifndef NUCE_COLUMNS_H
#define NUCE_COLUMNS_H

#include "instances/array_problem.h"

struct nuce_column {
    int first, end; /* the weights in it */
};

/* A division into columns, each with consecutive weights of the problem, in their order. problem is
 * borrowed, list is owned; lengths are cells. */
struct nuce_columns {
    const struct nuce_array_problem *problem;
    int across;    /* 1: side by side along the longer side, 0: one above the other */
    double length; /* of the side that the columns divide */
    double depth;  /* of a column */
    int count;
    struct nuce_column *list; /* in order of place; room for as many as there are parts */
};

/* No columns yet. Freed with nuce_columns_fini. */
void nuce_columns_init(const struct nuce_array_problem *problem, int across,
                       struct nuce_columns *out);
void nuce_columns_fini(struct nuce_columns *columns);

/* The inner borders of a column of the weights first .. end - 1. */
static inline double nuce_columns_inner(const struct nuce_columns *columns, int first, int end)
{
    const double *sums = columns->problem->sums;

    return columns->length * (end - first - 1) * (sums[end] - sums[first]) /
           sums[columns->problem->parts];
}

/* Acost + latency x internal edges, counted by the array's rule. */
double nuce_columns_cost(const struct nuce_columns *columns);

/* Puts the rectangles into out. */
void nuce_columns_put(const struct nuce_columns *columns, struct nuce_decomposition *out);

/* The best of those whose sizes do not decrease, weights in order (the paper's XY), by the fastest
 * suitable search. columns: initialised, none yet. */
void nuce_columns_search(struct nuce_columns *columns);

/* The same for latency 0, O(p log p). *best, unless it is NULL, gets for each k = 0 .. p the least
 * cost of the first k weights as columns, where a column costs depth for its border. */
void nuce_columns_search_convex(struct nuce_columns *columns, double depth, double *best);

/* The better of nuce_columns_search along either side; initialises *out. */
void nuce_columns_search_both(const struct nuce_array_problem *problem, struct nuce_columns *out);

#endif
