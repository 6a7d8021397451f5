/* Whole numbers: narrowing from 64 bits (cells, bytes and offsets are int64_t, ranks and MPI's
 * counts int), and what several share. */
#ifndef NUCE_INT_H
#define NUCE_INT_H

#include <stdint.h>

/* value as an int. Callers have checked the range: outside it is a bug. */
int nuce_int(int64_t value);

/* The greatest common divisor of two numbers that are not negative; of 0 and another the other. */
int64_t nuce_int_common_divisor(int64_t a, int64_t b);

#endif
