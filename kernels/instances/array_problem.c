/* The common part of all decompositions: weights sorted once, in units in which sums are exact if
 * possible, and their prefix sums. Equal shares are frequent (identical nodes; speeds given as .1,
 * .2), and then an edge's cost depends on whether two corners coincide. A comparison of sums of
 * doubles would decide by rounding errors. One of whole numbers below 2^31 decides exactly by their
 * products, which fit 64 bits. Weights without such a unit are generic, and compared within a
 * tolerance. */
#include "instances/array_problem.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/int.h"

/* Decimals with at most this many digits become whole numbers, such as .123456789. */
#define MOST_DIGITS 9
#define MOST_WHOLE 2147483648.0 /* products of two sums are below 2^62 */
/* Thirds, sevenths and the like are found as least / i for i up to this. */
#define MOST_DIVISOR 64

/* A weight during sorting. Its owner breaks ties, so that qsort, which is not stable, gives the
 * same order everywhere. */
struct weight_entry {
    double weight;
    int owner;
};

/* Nonincreasing; equal ones in the given order. */
static int compare_nonincreasing(const void *left, const void *right)
{
    const struct weight_entry *a = left, *b = right;

    if (a->weight != b->weight)
        return a->weight < b->weight ? 1 : -1;
    return a->owner < b->owner ? -1 : 1;
}

/* True if all weights are whole multiples of unit, within the precision of their notation, and sum
 * to less than 2^31; unit 0: of 1 / power, exactly. A decimal I / 10^k with I below 2^53 reads as
 * exactly the double I / 10^k, so dividing again distinguishes it from all others. If true, the
 * weights become these multiples. */
static int make_whole(struct nuce_array_problem *problem, double power, double unit)
{
    double sum = 0;

    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < problem->parts; i++) {
            double weight = problem->weights[i];
            double ratio = unit > 0 ? weight / unit : weight * power, whole = nearbyint(ratio);

            if (pass == 1) {
                problem->weights[i] = whole;
                continue;
            }
            sum += whole;
            if (!(sum < MOST_WHOLE) ||
                (unit > 0 ? fabs(ratio - whole) > NUCE_DECOMPOSITION_TOLERANCE * ratio
                          : whole / power != weight))
                return 0;
        }
    }
    problem->is_whole = 1;
    return 1;
}

/* Finds a unit of which all weights are whole multiples: 1 or a power of 1/10, if they are such
 * decimals, or a small fraction of the smallest weight (thirds). Otherwise the unit is the largest
 * weight. */
static void scale_to_units(struct nuce_array_problem *problem)
{
    int64_t common = 0;
    double least = problem->weights[problem->parts - 1], largest = problem->weights[0], power = 1;

    for (int digits = 0; digits <= MOST_DIGITS; digits++, power *= 10) {
        if (!make_whole(problem, power, 0))
            continue;
        /* Divides whole weights by their greatest common divisor: .2, .2, .1 become 2, 2, 1, not
         * 200, 200, 100. */
        for (int i = 0; i < problem->parts && common != 1; i++)
            common = nuce_int_common_divisor((int64_t)problem->weights[i], common);
        for (int i = 0; i < problem->parts; i++)
            problem->weights[i] /= (double)common;
        return;
    }
    for (int i = 1; i <= MOST_DIVISOR; i++) {
        if (make_whole(problem, 1, least / i))
            return;
    }
    for (int i = 0; i < problem->parts; i++)
        problem->weights[i] /= largest;
}

void nuce_array_problem_init(const struct nuce_array *array, struct nuce_array_problem *out)
{
    struct weight_entry *entries;
    struct nuce_array_problem problem = {.array = array,
                                         .height = fmin(array->rows, array->columns),
                                         .width = fmax(array->rows, array->columns),
                                         .is_turned = array->rows > array->columns,
                                         .parts = array->parts};
    double *w;

    problem.weights = nuce_allocate(array->parts, sizeof *problem.weights);
    problem.sums = nuce_allocate((int64_t)array->parts + 1, sizeof *problem.sums);
    problem.owners = nuce_allocate(array->parts, sizeof *problem.owners);
    entries = nuce_allocate(array->parts, sizeof *entries);
    for (int i = 0; i < array->parts; i++)
        entries[i] = (struct weight_entry){array->weights[i], i};
    qsort(entries, (size_t)array->parts, sizeof *entries, compare_nonincreasing);
    for (int i = 0; i < array->parts; i++) {
        problem.weights[i] = entries[i].weight;
        problem.owners[i] = entries[i].owner;
    }
    free(entries);
    scale_to_units(&problem);
    w = problem.weights;
    for (int i = 0; i < array->parts; i++) {
        problem.sums[i + 1] = problem.sums[i] + w[i];
        /* Weights descend, so equal ones are adjacent. */
        if (i > 0 && !(w[i - 1] - w[i] > NUCE_DECOMPOSITION_TOLERANCE * w[i]))
            problem.has_equals = 1;
    }
    *out = problem;
}

void nuce_array_problem_fini(struct nuce_array_problem *problem)
{
    free(problem->weights);
    free(problem->sums);
    free(problem->owners);
}

struct nuce_box nuce_array_problem_box(const struct nuce_array_problem *problem)
{
    return (struct nuce_box){0, 0, problem->height, problem->width};
}

void nuce_array_problem_put(const struct nuce_array_problem *problem, int k, struct nuce_box box,
                            struct nuce_decomposition *out)
{
    int owner = problem->owners[k];

    if (problem->is_turned)
        box = nuce_box_turned(box);
    out->rectangles[owner] =
        (struct nuce_rectangle){owner, box.row, box.column, box.rows, box.columns};
}
