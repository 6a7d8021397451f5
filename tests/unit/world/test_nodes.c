#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/nodes.h"

/* Numbers go by first ranks, whatever the order of the names; a prefix is another name. */
static void test_group(void **state)
{
    static const char names[][5] = {"b", "a", "b", "", "aa", "a", "bbbb", ""};
    static const int expected[] = {0, 1, 0, 2, 3, 1, 4, 2};
    int node_of[8];

    (void)state;
    nuce_nodes_group(names[0], 5, 8, node_of);
    assert_memory_equal(node_of, expected, sizeof expected);
    nuce_nodes_group(names[0], 5, 1, node_of);
    assert_int_equal(node_of[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_group),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
