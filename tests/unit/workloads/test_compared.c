/* What each workload's points are compared by. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "points/workload.h"

/* The keys in the order in which the database looks for what is compared (db/schema.sql, the
 * columns contender and problem of `point`). */
static const char *const keys[] = {"decomposition", "schedule", "placement"};

/* A workload with any of the three keys has exactly one row that is compared, and it is that which
 * the database takes; its placement, where that is of processes on processors, may be left out. */
static void test_the_database_agrees(void **state)
{
    (void)state;
    for (int i = 0; nuce_workloads[i] != NULL; i++) {
        const struct nuce_option *options = nuce_workloads[i]->options, *wanted = NULL;
        int compared = 0;

        for (size_t k = 0; wanted == NULL && k < sizeof keys / sizeof *keys; k++)
            wanted = nuce_option_find(options, keys[k]);
        for (const struct nuce_option *row = options; row->name != NULL; row++)
            compared += (row->flags & NUCE_OPTION_COMPARED) != 0;
        assert_ptr_equal(nuce_option_compared(options), wanted);
        assert_int_equal(compared, wanted != NULL);
    }
}

/* What ended is no option of any workload, and says what to say instead. */
static void test_ended(void **state)
{
    char program[] = "nuce-exchange", end[] = "--", word[] = "--algorithm=ac";
    char other[] = "--algorithms", *bad[] = {program, word}, *good[] = {program, other, end, word};
    struct nuce_error error;

    (void)state;
    for (int i = 0; nuce_workloads[i] != NULL; i++)
        assert_null(nuce_option_find(nuce_workloads[i]->options, "algorithm"));
    assert_null(nuce_option_ended("schedule"));
    assert_int_equal(nuce_option_check_words(4, good, &error), NUCE_OK);
    assert_int_equal(nuce_option_check_words(2, bad, &error), NUCE_BAD_INPUT);
    assert_non_null(
        strstr(error.message, "algorithm: ended: say schedule, decomposition or placement"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_database_agrees),
        cmocka_unit_test(test_ended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
