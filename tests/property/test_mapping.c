/* Every placement on random networks and processes: a permutation, the same twice, and those that
 * swap are no worse than their start. nuce_placement_create aborts if a result is not a
 * permutation. */
#include "../unit/test.h"

#include <stdlib.h>

#include "mapping/placement.h"
#include "mapping/swaps.h"
#include "schedules/pattern.h"

enum { CASES = 60 };

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

    if (number % 3 == 2 && ranks > 1) {
        assert_ok(nuce_pattern_uniform(ranks, ranks > 4 ? 4 : ranks - 1, rng, &pattern, ANY_ERROR));
        assert_ok(nuce_processes_pattern(&pattern, &instance->processes, ANY_ERROR));
        nuce_pattern_fini(&pattern);
        return;
    }
    for (int k = 0; k < 2 + number % 2; k++) {
        side[k] = 1 + (int)nuce_rng_below(rng, 5);
        side[k] = side[0] * side[1] * side[2] > ranks ? 1 : side[k];
    }
    assert_ok(nuce_processes_mesh(side, &instance->processes, ANY_ERROR));
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

    recipe.connectivity = 2.0 * switches / (switches * ports - recipe.nodes);
    if (switches < 4)
        recipe.connectivity = 2.0 * (switches - 1) / (switches * ports - recipe.nodes);
    memset(instance, 0, sizeof *instance);
    assert_ok(nuce_topology_draw(&recipe, &rng, &instance->topology, ANY_ERROR));
    while (nuce_routings[routings] != NULL)
        routings++;
    nuce_routing_create(nuce_routings[number % routings], &instance->topology, &instance->routing);
    make_processes(instance, number, recipe.nodes * per_node, &rng);
    assert_ok(nuce_processors_choose(&instance->routing, instance->processes.ranks, per_node, &rng,
                                     &instance->processors, ANY_ERROR));
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
    double before;

    if (first == NULL)
        return;
    /* A library of others may draw anew. */
    if (strcmp(ops->name, "scotch") != 0)
        assert_memory_equal(first, second, bytes);
    before = cost(instance, second);
    nuce_swaps_search(&input, second);
    assert_true(cost(instance, second) <= before * (1 + 1e-12));
    free(first);
    free(second);
}

static void test_placements(void **state)
{
    for (int number = 0; number < CASES; number++) {
        struct instance instance;

        make_instance(&instance, number);
        for (int i = 0; nuce_placements[i] != NULL; i++)
            check_placement(&instance, nuce_placements[i]);
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

static void test_swaps(void **state)
{
    for (int number = 0; number < CASES; number++) {
        struct instance instance;

        make_instance(&instance, number);
        check_order(&instance, "bm-swap", "bm");
        check_order(&instance, "curve-swap", "curve");
        instance_fini(&instance);
    }
}

/* Whatever the placement, the latency of messages to any process is the same; cost by brute force.
 */
static void test_costs(void **state)
{
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

RUN(test_placements, test_swaps, test_costs)
