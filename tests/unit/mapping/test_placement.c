
#include "../test.h"

#include <stdlib.h>

#include "base/rng.h"
#include "mapping/bisect.h"
#include "mapping/placement.h"
#include "mapping/processes.h"
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

    assert_ok(nuce_topology_draw(&recipe, &rng, &topology, ANY_ERROR));
    return topology;
}

/* The example of the paper: linked switches are one link apart under up and down routing, as its
 * text states it, and as many as the tree has between them where only the tree is used. */
static void test_pentagon(void **state)
{
    OWNED(topology) topology = parse_topology(pentagon);
    OWNED(routing) updown = create("updown", &topology), tree = create("tree", &topology);
    int way[5], hops;

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
}

/* The figure's own distance: three links between two that are adjacent, a level apart. */
static void test_three_apart(void **state)
{
    OWNED(topology)
    topology =
        parse_topology("switch r a\nswitch r b\nswitch a c\nswitch b c\nswitch r d\nswitch d e\n"
                       "node n r\n");
    OWNED(routing) tree = create("tree", &topology), updown = create("updown", &topology);
    int b = 2, c = 3;

    assert_true(nuce_topology_has_link(&topology, b, c));
    assert_int_equal(tree.root, 0);
    assert_int_equal(tree.parent[c], 1);
    assert_int_equal(nuce_routing_hops(&tree, b, c), 3);
    assert_int_equal(nuce_routing_hops(&updown, b, c), 1);
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
    OWNED(topology) topology = draw(5);
    OWNED(routing) shortest = create("shortest", &topology);

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
    for (uint64_t seed = 0; seed < 3; seed++) {
        OWNED(topology) topology = draw(seed);
        OWNED(routing) shortest = create("shortest", &topology);
        OWNED(routing) tree = create("tree", &topology);

        for (int i = 0; nuce_routings[i] != NULL; i++) {
            OWNED(routing) routing = create(nuce_routings[i]->name, &topology);

            check_ways(&routing, &shortest, &tree);
        }
    }
}

static void test_alone(void **state)
{
    OWNED(topology) topology = parse_topology("node n only\nnode m only\n");

    for (int i = 0; nuce_routings[i] != NULL; i++) {
        OWNED(routing) routing = create(nuce_routings[i]->name, &topology);

        assert_int_equal(nuce_routing_hops(&routing, 0, 0), 0);
        assert_int_equal(routing.height, 0);
    }
    assert_null(nuce_routing_find("best"));
}

static struct nuce_processes mesh(int a, int b, int c)
{
    int side[NUCE_SIDES] = {a, b, c};
    struct nuce_processes processes;

    assert_ok(nuce_processes_mesh(side, &processes, ANY_ERROR));
    return processes;
}

static void test_sides(void **state)
{
    int side[NUCE_SIDES];
    struct nuce_error error;
    static const char *const bad[] = {"",    "0x4", "4x",   "x4",      "4x4x4x4", "-4x4",
                                      "4 4", "4X4", "+4x4", "9999999", "4x4y"};

    assert_ok(nuce_processes_read_sides("16x8", side, &error));
    assert_int_equal(side[0] * 10000 + side[1] * 100 + side[2], 160801);
    assert_ok(nuce_processes_read_sides("2x3x4", side, &error));
    assert_int_equal(side[2], 4);
    assert_ok(nuce_processes_read_sides("100", side, &error));
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(nuce_processes_read_sides(bad[i], side, &error), NUCE_BAD_INPUT);
    side[0] = side[1] = side[2] = 1 << 20;
    assert_int_equal(nuce_processes_mesh(side, &(struct nuce_processes){0}, &error),
                     NUCE_BAD_INPUT);
}

static void test_mesh(void **state)
{
    OWNED(processes) processes = mesh(3, 4, 2);

    assert_int_equal(processes.ranks, 24);
    assert_int_equal(processes.start[24], 2 * (2 * 8 + 3 * 6 + 12));
    /* 0 at the corner; 10 = (1, 1, 0) inside two sides. */
    assert_int_equal(processes.start[1], 3);
    assert_int_equal(processes.neighbor[0], 1);
    assert_int_equal(processes.neighbor[1], 2);
    assert_int_equal(processes.neighbor[2], 8);
    assert_int_equal(processes.start[11] - processes.start[10], 5);
}

static int steps(const struct nuce_processes *processes, int a, int b)
{
    const int *side = processes->side;

    return abs(a / (side[1] * side[2]) - b / (side[1] * side[2])) +
           abs(a / side[2] % side[1] - b / side[2] % side[1]) + abs(a % side[2] - b % side[2]);
}

/* Every process once, for any sides; and where they are even each step goes to a neighbour. */
static void test_curve(void **state)
{
    for (int a = 1; a <= 9; a++) {
        for (int b = 1; b <= 9; b++) {
            for (int c = 1; c <= 5; c++) {
                OWNED(processes) processes = mesh(a, b, c);
                int *order = calloc((size_t)processes.ranks, sizeof *order);
                char *is_met = calloc((size_t)processes.ranks, 1);
                int jumps = 0;

                assert_true(order != NULL && is_met != NULL);
                nuce_processes_curve(&processes, order);
                for (int k = 0; k < processes.ranks; k++) {
                    assert_false(is_met[order[k]]);
                    is_met[order[k]] = 1;
                    jumps += k > 0 && steps(&processes, order[k - 1], order[k]) > 1;
                }
                if (a % 2 == 0 && b % 2 == 0 && (c == 1 || c % 2 == 0))
                    assert_int_equal(jumps, 0);
                free(order);
                free(is_met);
            }
        }
    }
}

/* Both directions of a pair are one edge, no process talks to itself. */
static void test_pattern(void **state)
{
    static const struct nuce_message messages[] = {{0, 1, 5}, {1, 0, 7}, {2, 2, 100}, {3, 0, 2}};
    OWNED(pattern) pattern;
    OWNED(processes) processes;

    assert_ok(nuce_pattern_init(4, messages, 4, &pattern, ANY_ERROR));
    assert_ok(nuce_processes_pattern(&pattern, &processes, ANY_ERROR));
    assert_int_equal(processes.start[4], 4);
    assert_int_equal(processes.start[3] - processes.start[2], 0);
    assert_int_equal(processes.neighbor[0], 1);
    assert_true(processes.weight[0] > 11.9 && processes.weight[0] < 12.1);
    assert_int_equal(processes.neighbor[1], 3);
}

/* A ring whose numbers are mixed up: on the line, halves are connected. */
static void test_line(void **state)
{
    enum { RANKS = 64 };
    struct nuce_message messages[RANKS];
    OWNED(pattern) pattern;
    OWNED(processes) processes;
    int cut = 0;

    for (int i = 0; i < RANKS; i++)
        messages[i] = (struct nuce_message){i * 29 % RANKS, (i + 1) * 29 % RANKS, 1};
    assert_ok(nuce_pattern_init(RANKS, messages, RANKS, &pattern, ANY_ERROR));
    assert_ok(nuce_processes_pattern(&pattern, &processes, ANY_ERROR));
    for (int half = 0; half < 2; half++) {
        for (int k = 0; k < RANKS / 2; k++) {
            int rank = processes.at[half * RANKS / 2 + k];

            for (int64_t m = processes.start[rank]; m < processes.start[rank + 1]; m++) {
                int other = 0;

                while (processes.at[other] != processes.neighbor[m])
                    other++;
                cut += other / (RANKS / 2) != half;
            }
        }
    }
    assert_int_equal(cut, 4);
}

struct setting {
    struct nuce_topology topology;
    struct nuce_routing routing;
    struct nuce_processors processors;
    struct nuce_processes processes;
};

static void setting_init(struct setting *setting, const char *text, int per_node, int rows,
                         int columns)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    int side[NUCE_SIDES] = {rows, columns, 1};

    setting->topology = parse_topology(text);
    nuce_routing_create(nuce_routing_find("updown"), &setting->topology, &setting->routing);
    assert_ok(nuce_processors_choose(&setting->routing, rows * columns, per_node, &rng,
                                     &setting->processors, ANY_ERROR));
    assert_ok(nuce_processes_mesh(side, &setting->processes, ANY_ERROR));
}

static void setting_fini(struct setting *setting)
{
    nuce_processes_fini(&setting->processes);
    nuce_processors_fini(&setting->processors);
    nuce_routing_fini(&setting->routing);
    nuce_topology_fini(&setting->topology);
}

static int *place(const struct setting *setting, const char *name)
{
    struct nuce_placement_input input = {.processes = &setting->processes,
                                         .processors = &setting->processors,
                                         .rng = nuce_rng_create(2, 0)};
    struct nuce_error error;
    int *processor = nuce_placement_create(nuce_placement_find(name), &input, &error);

    assert_non_null(processor);
    return processor;
}

static double cardinality(const struct setting *setting, const int *processor)
{
    return nuce_placement_cardinality(&setting->processes, &setting->processors, processor);
}

static const char two_fours[] = "switch a b\nnode a0 a\nnode b0 b\nnode a1 a\nnode b1 b\n"
                                "node a2 a\nnode b2 b\nnode a3 a\nnode b3 b\n";

/* A 2 x 4 mesh on two switches of four: two edges have to cross, and all but rm and linear find
 * that. Linear alternates here: each of the six edges along the rows crosses. */
static void test_two_fours(void **state)
{
    static const char *const good[] = {"sm", "bm", "bm-swap", "curve", "curve-swap", "bisection"};
    struct setting setting;
    int *processor;

    setting_init(&setting, two_fours, 1, 2, 4);
    for (size_t i = 0; i < COUNT(good); i++) {
        processor = place(&setting, good[i]);
        assert_near(cardinality(&setting, processor), 2, 0);
        free(processor);
    }
    processor = place(&setting, "linear");
    assert_near(cardinality(&setting, processor), 6, 0);
    free(processor);
    setting_fini(&setting);
}

/* The switch of each process of a rows x columns mesh, as letters, row by row. */
static void switches_of(const struct setting *setting, const int *processor, char *letters)
{
    int n = setting->processes.ranks;

    for (int i = 0; i < n; i++)
        letters[i] = setting->topology.switch_name[setting->processors.home[processor[i]]][0];
    letters[n] = '\0';
}

/* Switches of 5, 3, 3, 3 and 2 on a 4 x 4 mesh. a: no buddy between 5 and 8, so 4 + 1 of the upper
 * half, and 1 and 2 of it return. b and c: a buddy of 4 each, of which 1 returns. d: none is large
 * enough, so the largest, 2, and then the nearest to it of the three of 1; e: the two that are
 * left. */
static void test_buddies(void **state)
{
    static const char five[] =
        "switch a b\nswitch b c\nswitch c d\nswitch d e\n"
        "node a0 a\nnode a1 a\nnode a2 a\nnode a3 a\nnode a4 a\nnode b0 b\nnode b1 b\nnode b2 b\n"
        "node c0 c\nnode c1 c\nnode c2 c\nnode d0 d\nnode d1 d\nnode d2 d\nnode e0 e\nnode e1 e\n";
    struct setting setting;
    char letters[17];
    int *processor;

    setting_init(&setting, five, 1, 4, 4);
    processor = place(&setting, "sm");
    switches_of(&setting, processor, letters);
    assert_string_equal(letters, "aaad"
                                 "aadd"
                                 "bbcc"
                                 "bece");
    free(processor);
    setting_fini(&setting);
}

/* Weighted: the heavy edge ends up within a switch; each undirected edge counts once. */
static void test_weights(void **state)
{
    static const struct nuce_message messages[] = {
        {0, 1, 1}, {1, 2, 10}, {2, 1, 10}, {2, 3, 1}, {3, 0, 10}};
    struct setting setting;
    struct nuce_pattern pattern;
    int identity[4] = {0, 1, 2, 3}, *processor;

    setting_init(&setting, "switch a b\nnode a0 a\nnode a1 a\nnode b0 b\nnode b1 b\n", 1, 2, 2);
    nuce_processes_fini(&setting.processes);
    assert_ok(nuce_pattern_init(4, messages, 5, &pattern, ANY_ERROR));
    assert_ok(nuce_processes_pattern(&pattern, &setting.processes, ANY_ERROR));
    assert_near(cardinality(&setting, identity), 30, 0);
    processor = place(&setting, "curve-swap");
    assert_near(cardinality(&setting, processor), 2, 0);
    free(processor);
    nuce_pattern_fini(&pattern);
    setting_fini(&setting);
}

/* By hand: 2 + 0.6 + (h + 1) 0.3 + (h + 2) 0.02 microseconds. */
static void test_latency(void **state)
{
    struct setting setting;
    int identity[4] = {0, 1, 2, 3};
    double seconds, near = 2.94e-6, far = 3.26e-6;

    assert_near(nuce_placement_delay(0), near, 1e-15);
    assert_near(nuce_placement_delay(1), far, 1e-15);
    /* A line of four over a a b b: the means are near, (near + far) / 2 twice, near. */
    setting_init(&setting, "switch a b\nnode a0 a\nnode a1 a\nnode b0 b\nnode b1 b\n", 1, 1, 4);
    nuce_placement_latency(&setting.processes, &setting.processors, identity, 0, &seconds);
    assert_near(seconds, (3 * near + far) / 4, 1e-15);
    /* Any other process: one of three is on the same switch. */
    nuce_placement_latency(&setting.processes, &setting.processors, identity, 0.1, &seconds);
    assert_near(seconds, 0.9 * (3 * near + far) / 4 + 0.1 * (near + 2 * far) / 3, 1e-15);
    setting_fini(&setting);
    /* Two processes a node: within one only the startup. */
    setting_init(&setting, "switch a b\nnode a0 a\nnode b0 b\n", 2, 1, 4);
    nuce_placement_latency(&setting.processes, &setting.processors, identity, 0, &seconds);
    assert_near(seconds, (3 * 2e-6 + far) / 4, 1e-15);
    setting_fini(&setting);
    /* A single rank sends no message. */
    setting_init(&setting, "node a0 a\n", 1, 1, 1);
    nuce_placement_latency(&setting.processes, &setting.processors, identity, 0, &seconds);
    assert_true(isnan(seconds));
    setting_fini(&setting);
}

static void test_processors(void **state)
{
    struct setting setting;
    struct nuce_rng rng = nuce_rng_create(9, 0);
    struct nuce_processors processors;
    struct nuce_error error;

    setting_init(&setting, two_fours, 1, 2, 4);
    /* 3 a node: two nodes in full and one with one. */
    assert_ok(nuce_processors_choose(&setting.routing, 7, 3, &rng, &processors, &error));
    assert_int_equal(processors.node[0], processors.node[2]);
    assert_true(processors.node[2] < processors.node[3] && processors.node[5] < processors.node[6]);
    assert_int_equal(processors.start[2], 7);
    nuce_processors_fini(&processors);
    assert_int_equal(nuce_processors_choose(&setting.routing, 25, 3, &rng, &processors, &error),
                     NUCE_BAD_INPUT);
    assert_string_equal(error.message,
                        "25 processes on 8 nodes of 3 processors: expected at most 24");
    setting_fini(&setting);
}

/* The reported gain of a swap is its true gain, of neighbours too. */
/* Ranks that run already, in no order, three of them on one node: processors go by node. */
static void test_taken(void **state)
{
    static const int node[] = {4, 0, 4, 2, 4}, ranks[] = {1, 3, 0, 2, 4}, nodes[] = {0, 2, 4, 4, 4};
    OWNED(topology) topology = parse_topology(pentagon);
    OWNED(routing) routing;
    OWNED(processors) processors;
    int rank[5];

    nuce_routing_create(nuce_routings[0], &topology, &routing);
    nuce_processors_take(&routing, node, 5, rank, &processors);
    assert_memory_equal(rank, ranks, sizeof ranks);
    assert_memory_equal(processors.node, nodes, sizeof nodes);
    assert_memory_equal(processors.home, nodes, sizeof nodes);
    assert_int_equal(processors.per_node, 3);
    assert_int_equal(processors.start[4], 2);
    assert_int_equal(processors.start[5], 5);
    assert_int_equal(processors.member[0], 0);
    assert_int_equal(processors.member[4], 4);
}

/* Kernighan and Lin's heuristic separates two groups of switches from the worst start. */
static void test_halves(void **state)
{
    /* a, b and c, d are one link apart, the groups three. */
    struct setting setting;
    struct nuce_share share[4] = {{.home = 0, .count = 3, .first = 3},
                                  {.home = 1, .count = 3, .first = 0},
                                  {.home = 2, .count = 3, .first = 0},
                                  {.home = 3, .count = 3, .first = 3}};
    struct nuce_halves halves = {.share = share, .shares = 4, .scale = 1};
    double scratch[16];

    setting_init(&setting, "switch a b\nswitch c d\nswitch a x\nswitch x y\nswitch y c\nnode n a\n",
                 1, 1, 1);
    halves.routing = &setting.routing;
    assert_near(nuce_halves_value(&halves),
                9 * (1 + 1 + nuce_routing_hops(&setting.routing, 0, 2) +
                     nuce_routing_hops(&setting.routing, 1, 3)),
                0);
    nuce_halves_improve(&halves, scratch);
    assert_int_equal(share[0].first, share[1].first);
    assert_int_equal(share[2].first, share[3].first);
    assert_int_equal(share[0].first + share[2].first, 3);
    setting_fini(&setting);
}

RUN(test_pentagon, test_three_apart, test_tree, test_ways, test_alone, test_sides, test_mesh,
    test_curve, test_pattern, test_line, test_two_fours, test_buddies, test_weights, test_latency,
    test_processors, test_halves, test_taken)
