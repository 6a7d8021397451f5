/* The input of the algorithms: the array with its longer side horizontal, and the sorted
 * weights. */
#ifndef NUCE_ARRAY_PROBLEM_H
#define NUCE_ARRAY_PROBLEM_H

#include "instances/decomposition.h"

/* A rectangle of the array lying down, in cells; real-valued. It has no owner: its place in a list
 * determines the weight. */
struct nuce_box {
    double row, column, rows, columns;
};

/* Lengths are cells. array is borrowed, the lists are owned, both until nuce_array_problem_fini. */
struct nuce_array_problem {
    const struct nuce_array *array;
    double height,
        width;     /* of the array, turned if it has more rows than columns: height <= width */
    int is_turned; /* true if the given array has more rows than columns */
    int parts;     /* number of weights, p of the papers */
    /* Nonincreasing, in a unit of their own. Multiples of a common unit, such as decimals of few
     * digits, become whole numbers with a sum below 2^31. Sums and comparisons of shares are then
     * exact. Otherwise they are multiples of the largest. */
    double *weights;
    double *sums;   /* parts + 1: sums[k] of the first k weights */
    int *owners;    /* of each weight, its index in the given order */
    int is_whole;   /* weights are whole numbers: compare as integers, not within a tolerance */
    int has_equals; /* some weights are equal (within the tolerance): corners may then coincide
                       although !is_whole */
};

/* Sorts and scales a copy of array's weights; array, which has passed nuce_array_check, is borrowed
 * until nuce_array_problem_fini. O(p log p); the only error is NUCE_FAILED for memory. */
void nuce_array_problem_init(const struct nuce_array *array, struct nuce_array_problem *out);
void nuce_array_problem_fini(struct nuce_array_problem *problem);

/* The whole array, lying down. */
struct nuce_box nuce_array_problem_box(const struct nuce_array_problem *problem);

/* Gives box, of the array lying down, to the k-th weight in order: turns it back if the array was
 * turned, and writes the rectangle of that weight's owner. Each k must be put once. */
void nuce_array_problem_put(const struct nuce_array_problem *problem, int k, struct nuce_box box,
                            struct nuce_decomposition *out);

/* Sum of the weights first .. end - 1. */
static inline double nuce_array_problem_sum(const struct nuce_array_problem *problem, int first,
                                            int end)
{
    return problem->sums[end] - problem->sums[first];
}

/* The box with rows and columns exchanged. */
static inline struct nuce_box nuce_box_turned(struct nuce_box box)
{
    return (struct nuce_box){box.column, box.row, box.columns, box.rows};
}

/* The part of box from share low to share high of its rows (across 0) or columns (across 1). */
static inline struct nuce_box nuce_box_slice(struct nuce_box box, int across, double low,
                                             double high)
{
    if (across)
        return (struct nuce_box){box.row, box.column + box.columns * low, box.rows,
                                 box.columns * (high - low)};
    return (struct nuce_box){box.row + box.rows * low, box.column, box.rows * (high - low),
                             box.columns};
}

/* True if a > b by more than the rounding errors of the array's sides. A square cut in four has
 * squares again, and the direction of their cuts must not depend on the last bit. */
static inline int nuce_side_exceeds(double a, double b)
{
    return a > b * (1 + NUCE_DECOMPOSITION_TOLERANCE);
}

#endif
