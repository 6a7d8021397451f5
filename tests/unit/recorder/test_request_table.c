#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "capture/request_table.h"

#define MANY 5000

/* More than the table begins with, removed in another order. */
static void test_many(void **state)
{
    struct nuce_request_table table = {0};

    (void)state;
    for (int i = 0; i < MANY; i++)
        assert_non_null(nuce_request_table_add(&table, (uint64_t)i * 4096 + 7));
    for (int i = 0; i < MANY; i++) {
        uint64_t handle = (uint64_t)(i * 37 % MANY) * 4096 + 7;
        struct nuce_request *found = nuce_request_table_find(&table, handle);

        assert_non_null(found);
        assert_int_equal(found->handle, handle);
        nuce_request_table_remove(&table, found);
        assert_null(nuce_request_table_find(&table, handle));
    }
    nuce_request_table_fini(&table);
}

/* Entries that were removed are used again: the table does not grow with the calls. */
static void test_again(void **state)
{
    struct nuce_request_table table = {0};

    (void)state;
    for (int i = 0; i < 100 * MANY; i++) {
        struct nuce_request *added = nuce_request_table_add(&table, (uint64_t)i);

        assert_non_null(added);
        nuce_request_table_remove(&table, added);
    }
    assert_true(table.capacity <= 256);
    nuce_request_table_fini(&table);
}

/* Several of one handle: the oldest active one is found, also after the table has grown. */
static void test_shared_handle(void **state)
{
    struct nuce_request_table table = {0};

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct nuce_request *added = nuce_request_table_add(&table, 42);

        added->definition = i + 1;
        added->is_active = 1;
    }
    for (int i = 0; i < MANY; i++)
        assert_non_null(nuce_request_table_add(&table, (uint64_t)i + 100));
    for (int i = 0; i < 3; i++) {
        struct nuce_request *found = nuce_request_table_find(&table, 42);

        assert_non_null(found);
        assert_int_equal(found->definition, i + 1);
        nuce_request_table_remove(&table, found);
    }
    assert_null(nuce_request_table_find(&table, 42));
    nuce_request_table_fini(&table);
}

static void test_inactive_last(void **state)
{
    struct nuce_request_table table = {0};
    struct nuce_request *added;

    (void)state;
    added = nuce_request_table_add(&table, 5);
    added->definition = 1;
    added = nuce_request_table_add(&table, 5);
    added->definition = 2;
    added->is_active = 1;
    assert_int_equal(nuce_request_table_find(&table, 5)->definition, 2);
    nuce_request_table_fini(&table);
}

/* Of those that threads have with one handle each finds its own; one that has none the oldest. */
static void test_threads(void **state)
{
    struct nuce_request_table table = {0};

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct nuce_request *added;

        table.thread = (uint64_t)i;
        added = nuce_request_table_add(&table, 5);
        added->definition = i + 1;
        added->is_active = 1;
    }
    for (int i = 2; i >= 0; i--) {
        table.thread = (uint64_t)i;
        assert_int_equal(nuce_request_table_find(&table, 5)->definition, i + 1);
    }
    table.thread = 9;
    assert_int_equal(nuce_request_table_find(&table, 5)->definition, 1);
    nuce_request_table_fini(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many),          cmocka_unit_test(test_again),
        cmocka_unit_test(test_shared_handle), cmocka_unit_test(test_inactive_last),
        cmocka_unit_test(test_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
