/* Lower bounds beside enumeration. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "mapping/cardinality_bound.h"
#include "networks.h"

/* What joins the processes of set to the others. */
static double joins(const struct nuce_processes *processes, unsigned set)
{
    double sum = 0;

    for (int i = 0; i < processes->ranks; i++) {
        for (int64_t k = processes->start[i]; k < processes->start[i + 1]; k++) {
            if ((set >> i & 1) != 0 && (set >> processes->neighbor[k] & 1) == 0)
                sum += processes->weight[k];
        }
    }
    return sum;
}

/* Of a flat mesh: four sides of each of set, two in a line, but for those at another of them. */
static double perimeter(const struct nuce_processes *processes, unsigned set)
{
    double sum = 0;

    for (int k = 0; k < NUCE_SIDES; k++)
        sum += processes->side[k] > 1 ? 2.0 * __builtin_popcount(set) : 0;

    for (int i = 0; i < processes->ranks; i++) {
        for (int64_t k = processes->start[i]; k < processes->start[i + 1]; k++)
            sum -= (set >> i & 1) != 0 && (set >> processes->neighbor[k] & 1) != 0;
    }
    return sum;
}

/* Of all sets of processes: those least cuts are no more, and of flat meshes exactly, what joins.
 */
static void check_cuts(const struct nuce_processes *processes, int is_exact)
{
    struct nuce_error error;
    double *least = nuce_processes_least_cuts(processes, &error), found[32];

    assert_non_null(least);
    for (int k = 0; k <= processes->ranks; k++)
        found[k] = INFINITY;
    for (unsigned set = 0; set < 1U << processes->ranks; set++) {
        int k = __builtin_popcount(set);

        found[k] = fmin(found[k], joins(processes, set));
        /* The sides of all and those at the border: what does not lie at one of the set. */
        if (is_exact && nuce_processes_least_perimeter(processes, k) > perimeter(processes, set))
            fail_msg("%d of %d: perimeter %g", k, processes->ranks, perimeter(processes, set));
    }
    for (int k = 0; k <= processes->ranks; k++) {
        if (!(least[k] <= found[k]) || (is_exact && least[k] < found[k]))
            fail_msg("%d of %d: %g, found %g", k, processes->ranks, least[k], found[k]);
    }
    free(least);
}

static void test_meshes(void **state)
{
    static const int sides[][NUCE_SIDES] = {{1, 1, 1}, {6, 1, 1}, {1, 7, 1}, {2, 5, 1}, {3, 4, 1},
                                            {4, 4, 1}, {5, 3, 1}, {1, 2, 7}, {3, 1, 5}};

    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        struct nuce_processes processes;
        struct nuce_error error;

        assert_int_equal(nuce_processes_mesh(sides[i], &processes, &error), NUCE_OK);
        check_cuts(&processes, 1);
        nuce_processes_fini(&processes);
    }
}

static void test_others(void **state)
{
    static const int sides[][NUCE_SIDES] = {{2, 2, 2}, {3, 2, 2}, {2, 2, 4}, {3, 3, 2}, {5, 2, 2}};
    struct nuce_processes processes;
    struct nuce_error error;

    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        assert_int_equal(nuce_processes_mesh(sides[i], &processes, &error), NUCE_OK);
        check_cuts(&processes, 1);
        nuce_processes_fini(&processes);
    }
    for (int number = 0; number < 20; number++) {
        struct nuce_rng rng = nuce_rng_create(3, (uint64_t)number);
        int ranks = 2 + (int)nuce_rng_below(&rng, 9);
        struct nuce_pattern pattern;

        assert_int_equal(
            nuce_pattern_uniform(ranks, ranks > 3 ? 3 : ranks - 1, &rng, &pattern, &error),
            NUCE_OK);
        assert_int_equal(nuce_processes_pattern(&pattern, &processes, &error), NUCE_OK);
        nuce_pattern_fini(&pattern);
        check_cuts(&processes, 0);
        nuce_processes_fini(&processes);
    }
}

/* The bound of rows x columns processes on the network of text. */
static double bound_of(const char *text, const char *routing_name, int rows, int columns)
{
    struct nuce_topology topology = parse_topology(text);
    int side[NUCE_SIDES] = {rows, columns, 1};
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct nuce_routing routing;
    struct nuce_processors processors;
    struct nuce_processes processes;
    struct nuce_error error;
    double bound = -1;

    assert_int_equal(
        nuce_routing_create(nuce_routing_find(routing_name), &topology, &routing, &error), NUCE_OK);
    assert_int_equal(nuce_processors_choose(&routing, rows * columns, 1, &rng, &processors, &error),
                     NUCE_OK);
    assert_int_equal(nuce_processes_mesh(side, &processes, &error), NUCE_OK);
    assert_int_equal(nuce_cardinality_bound(&processes, &processors, &bound, &error), NUCE_OK);
    nuce_processes_fini(&processes);
    nuce_processors_fini(&processors);
    nuce_routing_fini(&routing);
    nuce_topology_fini(&topology);
    return bound;
}

/* By hand: one cut of two edges; three of one in a row, where each link has its own; all together.
 */
static void test_networks(void **state)
{
    (void)state;
    assert_true(
        fabs(bound_of("switch l r\nnode a l\nnode b l\nnode c r\nnode d r\n", "updown", 2, 2) - 2) <
        1e-12);
    assert_true(fabs(bound_of("switch a b\nswitch b c\nswitch c d\nnode p a\nnode q b\nnode r c\n"
                              "node s d\n",
                              "tree", 1, 4) -
                     3) < 1e-12);
    assert_true(fabs(bound_of("node a s\nnode b s\nnode c s\nnode d s\n", "updown", 2, 2)) < 1e-12);
    /* A switch for each of 3 x 3, all below one: each edge crosses two links, which least cuts, 2
     * for each process, do not know. */
    assert_true(bound_of("switch t a\nswitch t b\nswitch t c\nswitch t d\nswitch t e\n"
                         "switch t f\nswitch t g\nswitch t h\nswitch t i\nnode a a\nnode b b\n"
                         "node c c\nnode d d\nnode e e\nnode f f\nnode g g\nnode h h\n"
                         "node i i\n",
                         "tree", 3, 3) >= 23);
    assert_true(bound_of("switch t a\nswitch t b\nnode a a\nnode b b\n", "tree", 1, 2) <= 2);
    /* Five in a ring of five: a line of them crosses four links, the ring's least share. */
    assert_true(bound_of(pentagon, "shortest", 1, 5) <= 4);
    assert_true(bound_of(pentagon, "shortest", 1, 5) >= 3);
    /* A line of eight, two on a switch, in a line of four: three links, each crossed. */
    assert_true(bound_of("switch a b\nswitch b c\nswitch c d\nnode p a\nnode q a\nnode r b\n"
                         "node s b\nnode t c\nnode u c\nnode v d\nnode w d\n",
                         "tree", 1, 8) >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meshes),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_networks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
