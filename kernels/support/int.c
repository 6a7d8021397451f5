/* Narrowing that stops the job instead of wrapping around. */
#include "support/int.h"

#include <limits.h>

#include "support/error.h"

/* An assertion and not an error: who calls has bounded the value where it came from. */
int nuce_int(int64_t value)
{
    NUCE_ASSERT(value >= INT_MIN && value <= INT_MAX);
    return (int)value;
}
