#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"

extern const struct nuce_executor_ops nuce_executor_neighbor_persistent;

/* An MPI without the call: an error that says so, and nothing to destroy. */
static void test_create(void **state)
{
    const struct nuce_executor_ops *ops = &nuce_executor_neighbor_persistent;
    struct nuce_error error = {0};
    void *self = NULL;

    (void)state;
    assert_int_equal(ops->create(NULL, &self, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(error.message, "this MPI has no persistent neighbourhood collectives"));
    assert_null(self);
    ops->destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_create)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
