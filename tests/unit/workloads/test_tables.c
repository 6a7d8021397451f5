/* The tables of options and results of all workloads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "points/workload.h"

/* What each workload's points are compared by. */

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

/* The tables of results of all workloads: what a row must be, and that no two mean different
 * things. */

/* Calls check on each row of each workload. */
static void for_each(void (*check)(const struct nuce_workload_ops *, const struct nuce_result *))
{
    for (int i = 0; nuce_workloads[i] != NULL; i++) {
        const struct nuce_result *const *tables = nuce_workloads[i]->results;

        assert_non_null(tables);
        for (; *tables != NULL; tables++) {
            for (const struct nuce_result *row = *tables; row->name != NULL; row++)
                check(nuce_workloads[i], row);
        }
    }
}

/* A name is part of an SQL path and of a CSV header; seconds say so. */
static void check_row(const struct nuce_workload_ops *workload, const struct nuce_result *row)
{
    size_t length = strlen(row->name);
    int is_time = length > 2 && strcmp(row->name + length - 2, "_s") == 0;

    assert_int_equal(strspn(row->name, "abcdefghijklmnopqrstuvwxyz0123456789_"), length);
    assert_non_null(row->unit);
    assert_true(strlen(row->meaning) > 0);
    if (is_time != (strcmp(row->unit, NUCE_UNIT_SECONDS) == 0))
        fail_msg("%s: %s: a name that ends in _s is of seconds", workload->name, row->name);
    if (row->flags & NUCE_RESULT_INTERVAL)
        assert_true(is_time);
    /* What is found under a name is its first row: there is no second one. */
    assert_ptr_equal(nuce_result_find(workload->results, row->name), row);
}

/* The same name means the same in every workload, so that a view can name it once. */
static void check_others(const struct nuce_workload_ops *workload, const struct nuce_result *row)
{
    (void)workload;
    for (int i = 0; nuce_workloads[i] != NULL; i++) {
        const struct nuce_result *other = nuce_result_find(nuce_workloads[i]->results, row->name);

        if (other != NULL)
            assert_true(other->type == row->type && strcmp(other->unit, row->unit) == 0);
    }
}

/* A parameter of that name would hide it in what programs print. */
static void check_options(const struct nuce_workload_ops *workload, const struct nuce_result *row)
{
    assert_null(nuce_option_find(workload->options, row->name));
}

static void test_rows(void **state)
{
    (void)state;
    for_each(check_row);
}

static void test_agree(void **state)
{
    (void)state;
    for_each(check_others);
}

static void test_options(void **state)
{
    (void)state;
    for_each(check_options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_database_agrees),
        cmocka_unit_test(test_ended),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_agree),
        cmocka_unit_test(test_options),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
