/* The workloads that measure the machine, and mapping: what is filled in and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "../folder.h"
#include "points.h"

#include "base/rng.h"

/* What an option that is not given stands for by hand. */
static void check_by_hand(const struct nuce_workload_ops *workload, const char *option, int ranks,
                          const char *wanted)
{
    char list[NUCE_PATH_BYTES] = "";

    workload->by_hand(nuce_option_find(workload->options, option), ranks, list);
    assert_string_equal(list, wanted);
}

/* Table 2 of the paper: 1, 2, 4, ... and all others. */
static void test_contention_by_hand(void **state)
{
    (void)state;
    check_by_hand(&nuce_workload_contention, "partners", 2, "1");
    check_by_hand(&nuce_workload_contention, "partners", 3, "1,2");
    check_by_hand(&nuce_workload_contention, "partners", 5, "1,2,4");
    check_by_hand(&nuce_workload_contention, "partners", 8, "1,2,4,7");
    check_by_hand(&nuce_workload_contention, "partners", 9, "1,2,4,8");
    check_by_hand(&nuce_workload_contention, "partners", 1, "");
    check_by_hand(&nuce_workload_contention, "direction", 8, "to-one,from-one");
}

static void test_contention_bad(void **state)
{
    (void)state;
    point_is_refused(&nuce_workload_contention, 1, SETTINGS({"partners", "1"}), "ranks",
                     "'1': contention is between one rank and others: expected at least 2");
    point_is_refused(&nuce_workload_contention, 4, NO_SETTINGS, "partners",
                     "not given: expected 1 .. 3");
    point_is_refused(&nuce_workload_contention, 4, SETTINGS({"partners", "4"}), "partners",
                     "'4': expected 1 .. 3, the other ranks");
}

/* Distances reach as far as there are ranks. */
static void test_permutations(void **state)
{
    const struct nuce_workload_ops *permutations = &nuce_workload_permutations;
    struct nuce_permutations_params params = {.permutation = "xor-4096"};

    (void)state;
    check_by_hand(permutations, "permutation", 2, "random,xor-1");
    check_by_hand(permutations, "permutation", 4, "random,xor-1,xor-2");
    check_by_hand(permutations, "permutation", 5, "random,xor-1,xor-2,xor-4");
    check_by_hand(permutations, "count", 5, "");
    assert_int_equal(nuce_permutations_distance(&params), 4096);
    strcpy(params.permutation, "random");
    assert_int_equal(nuce_permutations_distance(&params), 0);
    points_are_same(permutations, 8, 1, SETTINGS({"permutation", "xor-4"}),
                    SETTINGS({"permutation", "xor-4"}, {"seed", "7"}, {"count", "3"}));
    points_are_same(permutations, 8, 0, SETTINGS({"permutation", "random"}),
                    SETTINGS({"permutation", "random"}, {"seed", "7"}));
}

static void test_permutations_bad(void **state)
{
    const struct nuce_workload_ops *permutations = &nuce_workload_permutations;

    (void)state;
    point_is_refused(permutations, 1, SETTINGS({"permutation", "random"}), "ranks", "'1'");
    point_is_refused(permutations, 4, NO_SETTINGS, "permutation",
                     "not given: expected random or xor-D");
    point_is_refused(permutations, 4, SETTINGS({"permutation", "xor-4"}), "permutation",
                     "'xor-4': expected a distance below the number of ranks, 4");
    point_is_refused(permutations, 4, SETTINGS({"permutation", "xor-3"}), "", "xor-3");
    point_is_refused(permutations, 4, SETTINGS({"permutation", "random"}, {"count", "1000001"}),
                     "count", "'1000001': expected at most 1000000");
}

/* Rows whose factor is whole are exact. */
static void test_sizes_by_hand(void **state)
{
    static const int64_t powers[] = {1024, 2048, 4096, 8192}, tens[] = {100, 1000, 10000};
    struct nuce_links_params params = {.smallest = 1024, .largest = 8192, .sizes = 4};
    int64_t bytes[NUCE_LINKS_SIZES_MOST];

    (void)state;
    nuce_links_sizes(&params, bytes);
    assert_memory_equal(bytes, powers, sizeof powers);
    params = (struct nuce_links_params){.smallest = 100, .largest = 10000, .sizes = 3};
    nuce_links_sizes(&params, bytes);
    assert_memory_equal(bytes, tens, sizeof tens);
}

/* From end to end, each within half a byte of the geometric mean of its neighbours as they are. */
static void test_sizes(void **state)
{
    struct nuce_rng rng = nuce_rng_create(3, 0);

    (void)state;
    for (int draw = 0; draw < 200; draw++) {
        int64_t bytes[NUCE_LINKS_SIZES_MOST];
        struct nuce_links_params params = {
            .smallest = 1 + (int64_t)nuce_rng_below(&rng, 1000),
            .largest = 100000 + (int64_t)nuce_rng_below(&rng, 1 << 29),
            .sizes = 2 + (int64_t)nuce_rng_below(&rng, NUCE_LINKS_SIZES_MOST - 1)};

        nuce_links_sizes(&params, bytes);
        assert_int_equal(bytes[0], params.smallest);
        assert_int_equal(bytes[params.sizes - 1], params.largest);
        for (int64_t k = 1; k < params.sizes; k++)
            assert_true(bytes[k] >= bytes[k - 1]);
        for (int64_t k = 1; k + 1 < params.sizes; k++) {
            double low = sqrt(((double)bytes[k - 1] - 0.5) * ((double)bytes[k + 1] - 0.5));
            double high = sqrt(((double)bytes[k - 1] + 0.5) * ((double)bytes[k + 1] + 0.5));

            assert_true((double)bytes[k] > low - 0.51 && (double)bytes[k] < high + 0.51);
        }
    }
}

static void test_links_bad(void **state)
{
    const struct nuce_workload_ops *links = &nuce_workload_links;

    (void)state;
    point_is_refused(links, 1, NO_SETTINGS, "ranks", "'1'");
    point_is_refused(links, 1025, NO_SETTINGS, "ranks", "'1025'");
    point_is_refused(links, 4, SETTINGS({"largest", "1025MiB"}), "largest",
                     "expected at most 1GiB");
    point_is_refused(links, 4, SETTINGS({"smallest", "2MiB"}), "smallest",
                     "'2097152': expected less than largest, 1048576");
    point_is_refused(links, 4, SETTINGS({"sizes", "33"}), "sizes", "'33': expected at most 32");
    point_is_refused(links, 4, SETTINGS({"smallest", "1B"}, {"largest", "4B"}, {"sizes", "5"}),
                     "sizes", "'5': from 1 to 4 bytes there are not so many whole ones");
    point_is_refused(links, 4, SETTINGS({"repetitions", "1001"}), "repetitions", "'1001'");
}

static void test_speeds(void **state)
{
    const struct nuce_workload_ops *speeds = &nuce_workload_speeds;

    (void)state;
    points_are_same(speeds, 3, 1, SETTINGS({"emulate-speeds", "1.0, 2,3e0"}),
                    SETTINGS({"emulate-speeds", "1,2,3"}, {"side", "1500"}));
    points_are_same(speeds, 3, 0, NO_SETTINGS, SETTINGS({"emulate-speeds", "1,1,1"}));
    point_has_keys(speeds, 3, NO_SETTINGS, "element side stencil");
    point_has_keys(speeds, 3, SETTINGS({"network", "measured"}), "element network side stencil");
    point_is_refused(speeds, 3, SETTINGS({"stencil", "7"}), "stencil", "'7': expected 5 or 9");
    point_is_refused(speeds, 3, SETTINGS({"network", "random"}), "network",
                     "'random': expected a NETWORK FILE, a preset or measured");
    point_is_refused(speeds, 3, SETTINGS({"emulate-speeds", "1,2"}), "emulate-speeds",
                     "'1,2': 2 numbers: expected one for each of 3 ranks");
    point_is_refused(speeds, 3, SETTINGS({"emulate-speeds", "1,2,zero"}), "emulate-speeds",
                     "number 3 of 3");
}

/* The sides that are filled in where none are given. */
static void check_mesh(int ranks, const char *wanted)
{
    struct nuce_point point = point_of(&nuce_workload_mapping, ranks, NO_SETTINGS);

    assert_string_equal(((struct nuce_mapping_params *)point.params)->mesh, wanted);
    nuce_point_fini(&point);
}

static void test_mapping_mesh(void **state)
{
    (void)state;
    check_mesh(1, "1x1");
    check_mesh(7, "1x7");
    check_mesh(12, "3x4");
    check_mesh(16, "4x4");
    check_mesh(255, "15x17");
    points_are_same(&nuce_workload_mapping, 12, 1, NO_SETTINGS, SETTINGS({"mesh", "3x4"}));
    points_are_same(&nuce_workload_mapping, 12, 0, NO_SETTINGS, SETTINGS({"mesh", "4x3"}));
}

static void test_mapping_bad(void **state)
{
    const struct nuce_workload_ops *mapping = &nuce_workload_mapping;

    (void)state;
    point_is_refused(mapping, 12, SETTINGS({"mesh", "4x4"}), "mesh",
                     "'4x4': a mesh of 16 processes: expected one of 12, the ranks");
    point_is_refused(mapping, 12, SETTINGS({"mesh", "4y3"}), "mesh", "'4y3'");
    point_is_refused(mapping, 257, NO_SETTINGS, "ranks",
                     "'257': the network has 256 nodes of 1 processor: expected at most 256");
    point_is_refused(mapping, 257, SETTINGS({"nodes", "64"}, {"per-node", "4"}), "ranks",
                     "'257': the network has 64 nodes of 4 processors: expected at most 256");
    point_is_refused(mapping, 4, SETTINGS({"nodes", "1e12"}), "nodes", "expected 1 to ");
    point_is_refused(mapping, 4, SETTINGS({"connectivity", "1.5"}), "connectivity", "'1.5'");
}

/* Of a network that is given nothing is drawn but which nodes. */
static void test_mapping_topology(void **state)
{
    struct folder folder = folder_make();
    char path[128];

    (void)state;
    snprintf(path, sizeof path, "%s/two.conf", folder.path);
    folder_add(&folder, "two.conf", "switch a b\nnode n0 a\nnode n1 a\nnode n2 b\n");
    points_are_same(&nuce_workload_mapping, 3, 1, SETTINGS({"topology", path}),
                    SETTINGS({"topology", path}, {"switches", "9"}, {"nodes", "17"}, {"ports", "3"},
                             {"connectivity", "0.5"}, {"connectivity-of", "all"}));
    points_are_same(&nuce_workload_mapping, 3, 0, SETTINGS({"topology", path}),
                    SETTINGS({"topology", path}, {"instance", "1"}));
    point_has_keys(&nuce_workload_mapping, 3, SETTINGS({"topology", path}),
                   "instance mesh per-node placement routing seed topology");
    point_is_refused(&nuce_workload_mapping, 4, SETTINGS({"topology", path}), "ranks",
                     "'4': the network has 3 nodes of 1 processor: expected at most 3");
    points_are_same(&nuce_workload_mapping, 4, 0, SETTINGS({"topology", path}, {"per-node", "2"}),
                    SETTINGS({"topology", path}, {"per-node", "4"}));
    folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contention_by_hand), cmocka_unit_test(test_contention_bad),
        cmocka_unit_test(test_permutations),       cmocka_unit_test(test_permutations_bad),
        cmocka_unit_test(test_sizes_by_hand),      cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_links_bad),          cmocka_unit_test(test_speeds),
        cmocka_unit_test(test_mapping_mesh),       cmocka_unit_test(test_mapping_bad),
        cmocka_unit_test(test_mapping_topology),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
