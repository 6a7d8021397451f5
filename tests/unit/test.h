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

/* A struct nuce_NAME, freed at the end of its block. */
#define OWNED(name) __attribute__((cleanup(nuce_##name##_fini))) struct nuce_##name

/* For a call that is to succeed. */
#define ANY_ERROR (&(struct nuce_error){0})

#define assert_ok(call) assert_int_equal(call, NUCE_OK)

/* The whole text of the error holds this part. */
#define assert_says(error, part) assert_non_null(strstr(nuce_error_flatten(error), part))

/* cmocka compares floats only; NaN is near nothing. */
#define assert_near(found, expected, tolerance)                                                    \
    assert_true(fabs((found) - (expected)) <= (tolerance))

/* main: runs these tests, each in its setup and teardown and all in those of the group; NULL: none.
 */
#define RUN_IN_BOTH(setup, teardown, group_setup, group_teardown, ...)                             \
    int main(void)                                                                                 \
    {                                                                                              \
        static const CMUnitTestFunction functions[] = {__VA_ARGS__};                               \
        struct CMUnitTest tests[COUNT(functions)];                                                 \
        char names[] = #__VA_ARGS__;                                                               \
                                                                                                   \
        for (size_t i = 0; i < COUNT(functions); i++)                                              \
            tests[i] = (struct CMUnitTest){strtok(i == 0 ? names : NULL, ", "), functions[i],      \
                                           setup, teardown, NULL};                                 \
        return cmocka_run_group_tests(tests, group_setup, group_teardown);                         \
    }

#define RUN_EACH(setup, teardown, ...) RUN_IN_BOTH(setup, teardown, NULL, NULL, __VA_ARGS__)
#define RUN_IN(setup, teardown, ...) RUN_IN_BOTH(NULL, NULL, setup, teardown, __VA_ARGS__)
#define RUN(...) RUN_IN(NULL, NULL, __VA_ARGS__)

/* main: runs rows of cmocka, of which some have a set-up of their own. */
#define CASE(name) cmocka_unit_test(name)
#define RUN_CASES(...)                                                                             \
    int main(void)                                                                                 \
    {                                                                                              \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                           \
                                                                                                   \
        return cmocka_run_group_tests(tests, NULL, NULL);                                          \
    }

#endif
