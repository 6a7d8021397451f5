/* Every placement on random networks and processes: a permutation, the same twice, and those that
 * swap no worse than what they begin with. nuce_placement_create aborts where one is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "mapping/cardinality_bound.h"
#include "mapping/placement.h"
#include "mapping/swaps.h"
#include "schedules/pattern.h"

/* The judge takes as long as all else: it is tried in every third. */
enum { CASES = 60, JUDGED = 3 };

struct instance {
    struct nuce_topology topology;
    struct nuce_routing routing;
    struct nuce_processors processors;
    struct nuce_processes processes;
};

static void instance_fini(struct instance *instance)
{
    nuce_processes_fini(&instance->processes);
    nuce_processors_fini(&instance->processors);
    nuce_routing_fini(&instance->routing);
    nuce_topology_fini(&instance->topology);
}

static void make_processes(struct instance *instance, int number, int ranks, struct nuce_rng *rng)
{
    int side[NUCE_SIDES] = {1, 1, 1};
    struct nuce_pattern pattern;
    struct nuce_error error;

    if (number % 3 == 2 && ranks > 1) {
        assert_int_equal(
            nuce_pattern_uniform(ranks, ranks > 4 ? 4 : ranks - 1, rng, &pattern, &error), NUCE_OK);
        assert_int_equal(nuce_processes_pattern(&pattern, &instance->processes, &error), NUCE_OK);
        nuce_pattern_fini(&pattern);
        return;
    }
    for (int k = 0; k < 2 + number % 2; k++) {
        side[k] = 1 + (int)nuce_rng_below(rng, 5);
        side[k] = side[0] * side[1] * side[2] > ranks ? 1 : side[k];
    }
    assert_int_equal(nuce_processes_mesh(side, &instance->processes, &error), NUCE_OK);
}

static void make_instance(struct instance *instance, int number)
{
    struct nuce_rng rng = nuce_rng_create(11, (uint64_t)number);
    int ports = 4 + (int)nuce_rng_below(&rng, 5), switches = 2 + (int)nuce_rng_below(&rng, 14);
    struct nuce_topology_recipe recipe = {.switches = switches,
                                          .ports = ports,
                                          .nodes =
                                              1 + (int)nuce_rng_below(&rng, (uint64_t)switches)};
    int per_node = 1 + (int)nuce_rng_below(&rng, 4), routings = 0;
    struct nuce_error error;

    recipe.connectivity = 2.0 * switches / (switches * ports - recipe.nodes);
    if (switches < 4)
        recipe.connectivity = 2.0 * (switches - 1) / (switches * ports - recipe.nodes);
    memset(instance, 0, sizeof *instance);
    assert_int_equal(nuce_topology_draw(&recipe, &rng, &instance->topology, &error), NUCE_OK);
    while (nuce_routings[routings] != NULL)
        routings++;
    assert_int_equal(nuce_routing_create(nuce_routings[number % routings], &instance->topology,
                                         &instance->routing, &error),
                     NUCE_OK);
    make_processes(instance, number, recipe.nodes * per_node, &rng);
    assert_int_equal(nuce_processors_choose(&instance->routing, instance->processes.ranks, per_node,
                                            &rng, &instance->processors, &error),
                     NUCE_OK);
}

static double cost(const struct instance *instance, const int *processor)
{
    return nuce_placement_cardinality(&instance->processes, &instance->processors, processor);
}

static int *create(const struct instance *instance, const struct nuce_placement_ops *ops)
{
    struct nuce_placement_input input = {.processes = &instance->processes,
                                         .processors = &instance->processors,
                                         .rng = nuce_rng_create(5, 0)};
    struct nuce_error error;
    int *processor = nuce_placement_create(ops, &input, &error);

    /* A peer that this build is without says so. */
    if (processor == NULL)
        assert_int_equal(error.status, NUCE_BAD_INPUT);
    return processor;
}

static void check_placement(const struct instance *instance, const struct nuce_placement_ops *ops)
{
    size_t bytes = (size_t)instance->processes.ranks * sizeof(int);
    int *first = create(instance, ops), *second = create(instance, ops);
    struct nuce_placement_input input = {.processes = &instance->processes,
                                         .processors = &instance->processors};
    struct nuce_error error;
    double before;

    if (first == NULL)
        return;
    /* A library of others may draw anew. */
    if (strcmp(ops->name, "scotch") != 0)
        assert_memory_equal(first, second, bytes);
    before = cost(instance, second);
    assert_int_equal(nuce_swaps_search(&input, second, &error), NUCE_OK);
    assert_true(cost(instance, second) <= before * (1 + 1e-12));
    free(first);
    free(second);
}

static void test_placements(void **state)
{
    (void)state;
    for (int number = 0; number < CASES; number++) {
        struct instance instance;

        make_instance(&instance, number);
        for (int i = 0; nuce_placements[i] != NULL; i++) {
            if (number % JUDGED == 0 || strcmp(nuce_placements[i]->name, "anneal") != 0)
                check_placement(&instance, nuce_placements[i]);
        }
        instance_fini(&instance);
    }
}

/* a no worse than b. */
static void check_order(const struct instance *instance, const char *a, const char *b)
{
    int *better = create(instance, nuce_placement_find(a));
    int *worse = create(instance, nuce_placement_find(b));

    assert_true(cost(instance, better) <= cost(instance, worse) * (1 + 1e-12));
    free(better);
    free(worse);
}

/* The least cardinality of all placements of the ranks from rank on. */
static double least_from(const struct instance *instance, int *processor, int rank)
{
    int ranks = instance->processes.ranks;
    double least = rank >= ranks - 1 ? cost(instance, processor) : 1e300;

    for (int k = rank; k < ranks && rank < ranks - 1; k++) {
        int kept = processor[rank];
        double found;

        processor[rank] = processor[k];
        processor[k] = kept;
        found = least_from(instance, processor, rank + 1);
        least = found < least ? found : least;
        kept = processor[rank];
        processor[rank] = processor[k];
        processor[k] = kept;
    }
    return least;
}

/* The judge is no worse than any of the others but a library's, and no swap makes it better; of few
 * processes it's the best of all placements. */
static void check_judge(const struct instance *instance)
{
    const struct nuce_placement_ops *judge = nuce_placement_find("anneal");
    int *processor = create(instance, judge), ranks = 0;
    double least = cost(instance, processor);

    for (int i = 0; nuce_placements[i] != NULL; i++) {
        int is_judged = !nuce_placements[i]->is_library && nuce_placements[i] != judge;
        int *other = is_judged ? create(instance, nuce_placements[i]) : NULL;

        assert_true(other == NULL || least <= cost(instance, other) * (1 + 1e-12));
        free(other);
    }
    for (ranks = instance->processes.ranks; ranks > 1; ranks--) {
        for (int b = 0; b < ranks - 1; b++) {
            int kept = processor[ranks - 1];

            processor[ranks - 1] = processor[b];
            processor[b] = kept;
            assert_true(cost(instance, processor) >= least * (1 - 1e-12));
            processor[b] = processor[ranks - 1];
            processor[ranks - 1] = kept;
        }
    }
    if (instance->processes.ranks <= 7)
        assert_true(least <= least_from(instance, processor, 0) * (1 + 1e-12));
    free(processor);
}

static void test_swaps(void **state)
{
    (void)state;
    for (int number = 0; number < CASES; number++) {
        struct instance instance;

        make_instance(&instance, number);
        check_order(&instance, "bm-swap", "bm");
        check_order(&instance, "curve-swap", "curve");
        if (number % JUDGED == 1)
            check_judge(&instance);
        instance_fini(&instance);
    }
}

/* Whatever the placement, the latency of messages to any process is the same; cost by brute force.
 */
static void test_costs(void **state)
{
    (void)state;
    for (int number = 0; number < CASES; number++) {
        struct instance instance;
        const struct nuce_processes *processes = &instance.processes;
        int *processor;
        double sum = 0;

        make_instance(&instance, number);
        processor = create(&instance, nuce_placement_find("rm"));
        for (int i = 0; i < processes->ranks; i++) {
            for (int64_t k = processes->start[i]; k < processes->start[i + 1]; k++)
                sum +=
                    processes->weight[k] *
                    nuce_routing_hops(&instance.routing, instance.processors.home[processor[i]],
                                      instance.processors.home[processor[processes->neighbor[k]]]);
        }
        assert_true(sum / 2 <= cost(&instance, processor) * (1 + 1e-12));
        assert_true(sum / 2 >= cost(&instance, processor) * (1 - 1e-12));
        free(processor);
        instance_fini(&instance);
    }
}

/* No placement, of few processes none of all, has less than the bound. */
static void test_bounds(void **state)
{
    int enumerated = 0, useful = 0;

    (void)state;
    for (int number = 0; number < 4 * CASES; number++) {
        struct instance instance;
        struct nuce_error error;
        double bound = -1;
        int *processor;

        make_instance(&instance, number);
        assert_int_equal(
            nuce_cardinality_bound(&instance.processes, &instance.processors, &bound, &error),
            NUCE_OK);
        processor = create(&instance, nuce_placement_find("bm-swap"));
        assert_true(bound >= 0 && bound <= cost(&instance, processor) * (1 + 1e-12));
        useful += bound > 0.5 * cost(&instance, processor);
        if (instance.processes.ranks <= 7) {
            assert_true(bound <= least_from(&instance, processor, 0) * (1 + 1e-12));
            enumerated++;
        }
        free(processor);
        instance_fini(&instance);
    }
    assert_true(enumerated > 50);
    assert_true(useful > CASES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_placements),
        cmocka_unit_test(test_swaps),
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
