/* Narrowing that stops the job instead of wrapping around, and common divisors. */
#include "base/int.h"

#include <limits.h>

#include "base/error.h"

/* An assertion and not an error: who calls has bounded the value where it came from. */
int nuce_int(int64_t value)
{
    NUCE_ASSERT(value >= INT_MIN && value <= INT_MAX);
    return (int)value;
}

/* Euclid's. */
int64_t nuce_int_common_divisor(int64_t a, int64_t b)
{
    while (b > 0) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}
