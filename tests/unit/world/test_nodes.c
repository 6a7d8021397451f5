#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "world/nodes.h"

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

static void test_lists(void **state)
{
    static const int node_of[] = {0, 1, 0, 2, 3, 1, 0};
    static const int start[] = {0, 3, 5, 6, 7};
    static const int rank[] = {0, 2, 6, 1, 5, 3, 4};
    struct nuce_nodes nodes;
    struct nuce_error error = {0};

    (void)state;
    assert_int_equal(nuce_nodes_init(node_of, 7, &nodes, &error), NUCE_OK);
    assert_int_equal(nodes.nodes, 4);
    assert_memory_equal(nodes.start, start, sizeof start);
    assert_memory_equal(nodes.rank, rank, sizeof rank);
    assert_memory_equal(nodes.node_of, node_of, sizeof node_of);
    nuce_nodes_fini(&nodes);
}

/* The ranks of a node share the other nodes: none has two more than another, and a node has no
 * agent that is on another one. */
static void test_agents(void **state)
{
    (void)state;
    for (int ranks = 2; ranks <= 40; ranks++) {
        for (int count = 2; count <= ranks; count++) {
            int node_of[40], served[40] = {0};
            struct nuce_nodes nodes;
            struct nuce_error error = {0};

            for (int i = 0; i < ranks; i++)
                node_of[i] = i % count;
            assert_int_equal(nuce_nodes_init(node_of, ranks, &nodes, &error), NUCE_OK);
            for (int other = 1; other < count; other++) {
                int agent = nuce_nodes_agent(&nodes, 0, other);

                assert_int_equal(node_of[agent], 0);
                served[agent]++;
            }
            for (int i = count; i < ranks; i += count)
                assert_in_range(served[i], served[0] - 1 < 0 ? 0 : served[0] - 1, served[0]);
            nuce_nodes_fini(&nodes);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_group),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_agents),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
