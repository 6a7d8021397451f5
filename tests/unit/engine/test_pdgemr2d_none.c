#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"

extern const struct nuce_executor_ops nuce_executor_pdgemr2d;

/* A program without ScaLAPACK: an error that says how to get it, and nothing to destroy. */
static void test_create(void **state)
{
    struct nuce_error error = {0};
    void *self = NULL;

    (void)state;
    assert_int_equal(nuce_executor_pdgemr2d.create(NULL, &self, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(error.message, "libscalapack-mpich-dev"));
    assert_null(self);
    nuce_executor_pdgemr2d.destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_create)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
