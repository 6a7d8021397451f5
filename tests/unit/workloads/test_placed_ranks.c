/* Where processes go, on a machine of two switches with two nodes each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "points/placed_ranks.h"

enum { RANKS = 4 };

static const char machine[] = "switch s0 s1\nnode a s0\nnode b s0\nnode c s1\nnode d s1\n";

/* An array of 8 x 8 cells in equal parts: a 2 x 2 mesh, each process talks to two others. */
static void make_point(const char *placement, struct nuce_point *point)
{
    const char *const settings[][2] = {
        {"rows", "8"}, {"columns", "8"}, {"topology", "machine"}, {"placement", placement}};
    size_t count = sizeof settings / sizeof *settings;
    struct nuce_error error = {0};

    nuce_point_init(&nuce_workload_stencil, RANKS, point);
    if (placement == NULL)
        count -= 2;
    for (size_t i = 0; i < count; i++) {
        json_t *value = json_string(settings[i][1]);

        if (nuce_point_set(point, settings[i][0], value, &error) != NUCE_OK)
            fail_msg("%s", error.message);
        json_decref(value);
    }
    if (point->workload->complete(point->params, RANKS, &error) != NUCE_OK)
        fail_msg("%s", error.message);
}

/* The processes of a point, and the machine with rank i on node node[i]. */
static void make_placed(const struct nuce_point *point, const int *node,
                        struct nuce_placed_ranks *placed)
{
    struct nuce_topology topology;
    struct nuce_error error = {0};
    int *of_ranks = malloc(RANKS * sizeof *of_ranks);

    assert_non_null(of_ranks);
    memcpy(of_ranks, node, RANKS * sizeof *of_ranks);
    assert_int_equal(nuce_topology_parse("test", machine, strlen(machine), &topology, &error),
                     NUCE_OK);
    nuce_placed_ranks_init(point, placed);
    assert_int_equal(nuce_placed_ranks_find_processes(placed, &error), NUCE_OK);
    nuce_placed_ranks_set_machine(placed, &topology, of_ranks);
}

static void test_wanted(void **state)
{
    struct nuce_point point;

    (void)state;
    make_point(NULL, &point);
    assert_null(nuce_placed_ranks_wanted(&point));
    nuce_point_fini(&point);
    make_point("linear", &point);
    assert_string_equal(nuce_placed_ranks_wanted(&point)->placement, "linear");
    nuce_point_fini(&point);
}

/* Processes 0 1 / 2 3 of the mesh: by rows two edges stay on a switch and two cross the link. Each
 * edge carries 4 cells each way, 64 bytes in all. */
static void test_weigh(void **state)
{
    static const int in_order[RANKS] = {0, 1, 2, 3}, across[RANKS] = {0, 2, 1, 3};
    struct nuce_placed_ranks placed;
    struct nuce_point point;
    double cardinality, latency_s;

    (void)state;
    make_point("linear", &point);
    make_placed(&point, in_order, &placed);
    for (int i = 0; i < RANKS; i++)
        placed.rank[i] = i;
    nuce_placed_ranks_weigh(&placed, &cardinality, &latency_s);
    assert_true(cardinality == 2 * 64.0);
    assert_true(latency_s > 0);
    assert_int_equal(nuce_placed_ranks_moved(&placed), 0);

    /* 0 and 3, which do not talk, on one switch: all four edges cross. */
    placed.rank[1] = 3;
    placed.rank[3] = 1;
    nuce_placed_ranks_weigh(&placed, &cardinality, &latency_s);
    assert_true(cardinality == 4 * 64.0);
    assert_int_equal(nuce_placed_ranks_moved(&placed), 2);
    nuce_placed_ranks_fini(&placed);

    make_placed(&point, across, &placed);
    for (int i = 0; i < RANKS; i++)
        placed.rank[i] = i;
    nuce_placed_ranks_weigh(&placed, &cardinality, &latency_s);
    assert_true(cardinality == 2 * 64.0);
    nuce_placed_ranks_fini(&placed);
    nuce_point_fini(&point);
}

/* In order of the processors, which are numbered by node: ranks that were launched across the
 * switches come to lie in order. */
static void test_place(void **state)
{
    static const int across[RANKS] = {0, 2, 1, 3};
    struct nuce_placed_ranks placed;
    struct nuce_point point;
    struct nuce_error error = {0};

    (void)state;
    make_point("linear", &point);
    make_placed(&point, across, &placed);
    assert_int_equal(nuce_placed_ranks_place(&placed, &error), NUCE_OK);
    for (int i = 0; i < RANKS; i++)
        assert_int_equal(placed.rank[i], across[i]);
    assert_int_equal(nuce_placed_ranks_moved(&placed), 2);
    nuce_placed_ranks_fini(&placed);
    nuce_point_fini(&point);
}

/* Without a machine a process is elsewhere where its rank has another number. */
static void test_moved_without_machine(void **state)
{
    struct nuce_placed_ranks placed;
    struct nuce_point point;

    (void)state;
    make_point("linear", &point);
    nuce_placed_ranks_init(&point, &placed);
    for (int i = 0; i < RANKS; i++)
        placed.rank[i] = (i + 1) % RANKS;
    assert_int_equal(nuce_placed_ranks_moved(&placed), RANKS);
    nuce_placed_ranks_fini(&placed);
    nuce_point_fini(&point);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wanted),
        cmocka_unit_test(test_weigh),
        cmocka_unit_test(test_place),
        cmocka_unit_test(test_moved_without_machine),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
