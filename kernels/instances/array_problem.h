/* What the algorithms work on: the array lying down, the weights in order. */
#ifndef NUCE_ARRAY_PROBLEM_H
#define NUCE_ARRAY_PROBLEM_H

#include "instances/decomposition.h"

/* A rectangle of the array lying down, in cells; real-valued. No owner: which weight has it is said
 * by where it is kept. */
struct nuce_box {
    double row, column, rows, columns;
};

/* Lengths are cells. array is borrowed, the lists are owned, both until nuce_array_problem_fini. */
struct nuce_array_problem {
    const struct nuce_array *array;
    double height,
        width;     /* of the array, turned if it has more rows than columns: height <= width */
    int is_turned; /* whether the array as given has more rows than columns */
    int parts;     /* number of weights, p of the papers */
    /* Nonincreasing. In a unit of their own: whole numbers of a sum below 2^31 where the weights
     * are multiples of a common unit, such as decimals of few digits; sums and comparisons of
     * shares are then exact. Else multiples of the largest. */
    double *weights;
    double *sums; /* parts + 1: sums[k] of the first k weights */
    int *owners;  /* of each weight, its index as given */
    int is_whole; /* whether weights are whole numbers: compare by integers, not within a tolerance
                   */
    int has_equals; /* whether two of them are equal (within the tolerance): corners may then
                       coincide although !is_whole */
};

/* Sorts and scales a copy of array's weights; array, which has passed nuce_array_check, is borrowed
 * until nuce_array_problem_fini. O(p log p); the only error is NUCE_FAILED for memory. */
void nuce_array_problem_init(const struct nuce_array *array, struct nuce_array_problem *out);
void nuce_array_problem_fini(struct nuce_array_problem *problem);

/* The whole array, lying down. */
struct nuce_box nuce_array_problem_box(const struct nuce_array_problem *problem);

/* Gives box, of the array lying down, to the k-th weight in order: turns it back where the array
 * was turned, and writes the rectangle of that weight's owner. Each k is to be put once. */
void nuce_array_problem_put(const struct nuce_array_problem *problem, int k, struct nuce_box box,
                            struct nuce_decomposition *out);

/* Sum of the weights first .. end - 1. */
static inline double nuce_array_problem_sum(const struct nuce_array_problem *problem, int first,
                                            int end)
{
    return problem->sums[end] - problem->sums[first];
}

/* The array lying down with rows and columns exchanged. */
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

/* Whether a > b by more than what rounding does to sides of the array. A square cut in four has
 * squares again, and which way those are cut must not depend on the last bit. */
static inline int nuce_side_exceeds(double a, double b)
{
    return a > b * (1 + NUCE_DECOMPOSITION_TOLERANCE);
}

#endif
