/* Narrowing that stops the job instead of wrapping around, and common divisors. */
#include "base/int.h"

#include <limits.h>

#include "base/error.h"

/* An assertion, not an error: the caller has bounded the value at its source. */
int nuce_int(int64_t value)
{
    NUCE_ASSERT(value >= INT_MIN && value <= INT_MAX);
    return (int)value;
}

/* Euclid's algorithm. */
int64_t nuce_int_common_divisor(int64_t a, int64_t b)
{
    while (b > 0) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

int nuce_int_compare(const void *left, const void *right)
{
    return NUCE_INT_ORDER({*(const int *)left, *(const int *)right});
}
