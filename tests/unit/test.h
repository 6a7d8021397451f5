/* The headers and checks of every test. */
#ifndef NUCE_TEST_H
#define NUCE_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/error.h"

/* cmocka hands each test a state, which few need. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define assert_ok(call) assert_int_equal(call, NUCE_OK)

/* The whole text of the error holds this part. */
#define assert_says(error, part) assert_non_null(strstr(nuce_error_flatten(error), part))

/* cmocka compares floats only; NaN is near nothing. */
#define assert_near(found, expected, tolerance)                                                    \
    assert_true(fabs((found) - (expected)) <= (tolerance))

#endif
