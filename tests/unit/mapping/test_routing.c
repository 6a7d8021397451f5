#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/rng.h"
#include "mapping/routing.h"
#include "networks.h"

static struct nuce_routing create(const char *name, const struct nuce_topology *topology)
{
    struct nuce_routing routing;

    nuce_routing_create(nuce_routing_find(name), topology, &routing);
    return routing;
}

static struct nuce_topology draw(uint64_t seed)
{
    static const struct nuce_topology_recipe recipe = {
        .switches = 75, .ports = 8, .nodes = 256, .connectivity = 0.75};
    struct nuce_rng rng = nuce_rng_create(seed, 0);
    struct nuce_topology topology;
    struct nuce_error error;

    assert_int_equal(nuce_topology_draw(&recipe, &rng, &topology, &error), NUCE_OK);
    return topology;
}

/* The example of the paper: linked switches are one link apart under up and down routing, as its
 * text states it, and as many as the tree has between them where only the tree is used. */
static void test_pentagon(void **state)
{
    struct nuce_topology topology = parse_topology(pentagon);
    struct nuce_routing updown = create("updown", &topology), tree = create("tree", &topology);
    int way[5], hops;

    (void)state;
    assert_int_equal(updown.root, 0);
    assert_int_equal(updown.height, 2);
    assert_int_equal(updown.parent[2], 1);
    assert_int_equal(updown.parent[3], 4);
    assert_int_equal(nuce_routing_hops(&updown, 2, 3), 1);
    assert_int_equal(nuce_routing_hops(&tree, 2, 3), 4);
    /* s3 - s2 goes up and s2 - s1 up again; s2 - s3 is down, and s3 - s4 up: not allowed after it.
     */
    assert_int_equal(nuce_routing_hops(&updown, 3, 1), 2);
    assert_int_equal(nuce_routing_hops(&updown, 2, 4), 3);
    nuce_routing_way(&updown, 2, 4, way, &hops);
    assert_int_equal(hops, 3);
    assert_int_equal(way[1], 1);
    assert_int_equal(way[2], 0);
    assert_int_equal(way[3], 4);
    nuce_routing_fini(&updown);
    nuce_routing_fini(&tree);
    nuce_topology_fini(&topology);
}

/* The figure's own distance: three links between two that are adjacent, a level apart. */
static void test_three_apart(void **state)
{
    struct nuce_topology topology =
        parse_topology("switch r a\nswitch r b\nswitch a c\nswitch b c\nswitch r d\nswitch d e\n"
                       "node n r\n");
    struct nuce_routing tree = create("tree", &topology), updown = create("updown", &topology);
    int b = 2, c = 3;

    (void)state;
    assert_true(nuce_topology_has_link(&topology, b, c));
    assert_int_equal(tree.root, 0);
    assert_int_equal(tree.parent[c], 1);
    assert_int_equal(nuce_routing_hops(&tree, b, c), 3);
    assert_int_equal(nuce_routing_hops(&updown, b, c), 1);
    nuce_routing_fini(&tree);
    nuce_routing_fini(&updown);
    nuce_topology_fini(&topology);
}

static int greatest(const struct nuce_routing *shortest, int s)
{
    int most = 0;

    for (int t = 0; t < shortest->topology->switches; t++) {
        int hops = nuce_routing_hops(shortest, s, t);

        most = hops > most ? hops : most;
    }
    return most;
}

static void test_tree(void **state)
{
    struct nuce_topology topology = draw(5);
    struct nuce_routing shortest = create("shortest", &topology);

    (void)state;
    for (int s = 0; s < topology.switches; s++) {
        assert_true(greatest(&shortest, s) >= shortest.height + (s < shortest.root));
        assert_int_equal(shortest.level[s], nuce_routing_hops(&shortest, shortest.root, s));
        if (s == shortest.root)
            continue;
        assert_int_equal(shortest.level[shortest.parent[s]], shortest.level[s] - 1);
        for (int64_t k = topology.start[s]; topology.neighbor[k] < shortest.parent[s]; k++)
            assert_true(shortest.level[topology.neighbor[k]] >= shortest.level[s]);
    }
    assert_int_equal(greatest(&shortest, shortest.root), shortest.height);
    nuce_routing_fini(&shortest);
    nuce_topology_fini(&topology);
}

/* Ways are legal by the rule itself and as long as the table, made in another way, says; nothing is
 * shorter than the shortest, or longer than over the tree. */
static void check_ways(const struct nuce_routing *routing, const struct nuce_routing *shortest,
                       const struct nuce_routing *tree)
{
    int switches = routing->topology->switches, hops;
    int *way = malloc((size_t)switches * sizeof *way);

    assert_non_null(way);
    for (int a = 0; a < switches; a++) {
        for (int b = 0; b < switches; b++) {
            int is_down = 0;

            nuce_routing_way(routing, a, b, way, &hops);
            assert_int_equal(hops, nuce_routing_hops(routing, a, b));
            assert_int_equal(hops, nuce_routing_hops(routing, b, a));
            assert_true(hops >= nuce_routing_hops(shortest, a, b));
            assert_true(hops <= nuce_routing_hops(tree, a, b));
            assert_int_equal(way[0], a);
            assert_int_equal(way[hops], b);
            for (int i = 0; i < hops; i++) {
                int from = routing->level[way[i]], to = routing->level[way[i + 1]];
                int is_up = to < from || (to == from && way[i + 1] < way[i]);

                assert_true(nuce_topology_has_link(routing->topology, way[i], way[i + 1]));
                assert_false(routing->ops == nuce_routing_find("updown") && is_down && is_up);
                assert_false(routing->ops == nuce_routing_find("tree") &&
                             routing->parent[way[i]] != way[i + 1] &&
                             routing->parent[way[i + 1]] != way[i]);
                is_down |= !is_up;
            }
        }
    }
    free(way);
}

static void test_ways(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) {
        struct nuce_topology topology = draw(seed);
        struct nuce_routing shortest = create("shortest", &topology);
        struct nuce_routing tree = create("tree", &topology);

        for (int i = 0; nuce_routings[i] != NULL; i++) {
            struct nuce_routing routing = create(nuce_routings[i]->name, &topology);

            check_ways(&routing, &shortest, &tree);
            nuce_routing_fini(&routing);
        }
        nuce_routing_fini(&shortest);
        nuce_routing_fini(&tree);
        nuce_topology_fini(&topology);
    }
}

static void test_alone(void **state)
{
    struct nuce_topology topology = parse_topology("node n only\nnode m only\n");

    (void)state;
    for (int i = 0; nuce_routings[i] != NULL; i++) {
        struct nuce_routing routing = create(nuce_routings[i]->name, &topology);

        assert_int_equal(nuce_routing_hops(&routing, 0, 0), 0);
        assert_int_equal(routing.height, 0);
        nuce_routing_fini(&routing);
    }
    assert_null(nuce_routing_find("best"));
    nuce_topology_fini(&topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pentagon), cmocka_unit_test(test_three_apart),
        cmocka_unit_test(test_tree),     cmocka_unit_test(test_ways),
        cmocka_unit_test(test_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
