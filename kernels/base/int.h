/* Whole numbers: narrowing from 64 bits (cells, bytes and offsets are int64_t, ranks and MPI's
 * counts int), common divisors, and an order for qsort. */
#ifndef NUCE_INT_H
#define NUCE_INT_H

#include <stddef.h>
#include <stdint.h>

/* value as an int. Callers have checked the range: outside it is a bug. */
int nuce_int(int64_t value);

/* The greatest common divisor of two numbers >= 0. If one is 0, it is the other. */
int64_t nuce_int_common_divisor(int64_t a, int64_t b);

/* For qsort: less than, equal to or more than 0, by the first of count pairs that differ. The macro
 * takes the pairs: NUCE_INT_ORDER({a->source, b->source}, {a->phase, b->phase}). */
static inline int nuce_int_order(const int64_t (*pair)[2], size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (pair[k][0] != pair[k][1])
            return pair[k][0] < pair[k][1] ? -1 : 1;
    }
    return 0;
}
#define NUCE_INT_ORDER(...)                                                                        \
    nuce_int_order((const int64_t[][2]){__VA_ARGS__},                                              \
                   sizeof((const int64_t[][2]){__VA_ARGS__}) / sizeof(int64_t[2]))

/* For qsort and bsearch: ints, ascending. */
int nuce_int_compare(const void *left, const void *right);

#endif
