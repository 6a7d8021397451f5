/* The model of the mapping beside networks that are walked link by link: what is told of a
 * placement is worked out again from the lists of who is where and which switches are linked. */
#include "../mapping/networks.h"
#include "instances.h"

#include "mapping/placement.h"

enum { SWITCHES_MOST = 16, RANKS_MOST = 16 };

/* Links between any two switches, by the list of links and nothing else. */
struct walks {
    int switches, links;
    int hops[SWITCHES_MOST][SWITCHES_MOST];
};

static void walk_links(const json_t *links, int switches, struct walks *out)
{
    const json_t *link;
    size_t index;

    *out = (struct walks){.switches = switches};
    for (int a = 0; a < switches; a++) {
        for (int b = 0; b < switches; b++)
            out->hops[a][b] = a == b ? 0 : 1000;
    }
    json_array_foreach(links, index, link)
    {
        int a = (int)json_integer_value(json_array_get(link, 0));
        int b = (int)json_integer_value(json_array_get(link, 1));

        assert_true(a < b && b < switches && out->hops[a][b] != 1);
        out->hops[a][b] = out->hops[b][a] = 1;
        out->links++;
    }
    for (int k = 0; k < switches; k++) {
        for (int a = 0; a < switches; a++) {
            for (int b = 0; b < switches; b++) {
                if (out->hops[a][k] + out->hops[k][b] < out->hops[a][b])
                    out->hops[a][b] = out->hops[a][k] + out->hops[k][b];
            }
        }
    }
}

/* The tree of switches that routing goes by: one root, parents a level above and linked, and a walk
 * that is at each of them once. */
static void check_tree(const json_t *switches, const struct walks *walks)
{
    int level[SWITCHES_MOST], seen[SWITCHES_MOST] = {0}, roots = 0;
    const json_t *one;
    size_t index;

    assert_int_equal(json_array_size(switches), walks->switches);
    json_array_foreach(switches, index, one)
    {
        assert_int_equal(json_integer_value(json_array_get(one, 0)), index);
        level[index] = (int)json_integer_value(json_array_get(one, 1));
        seen[json_integer_value(json_array_get(one, 3))]++;
    }
    json_array_foreach(switches, index, one)
    {
        const json_t *parent = json_array_get(one, 2);

        assert_int_equal(seen[index], 1);
        if (json_is_null(parent)) {
            assert_int_equal(level[index], 0);
            roots++;
            continue;
        }
        assert_int_equal(level[json_integer_value(parent)], level[index] - 1);
        assert_int_equal(walks->hops[json_integer_value(parent)][index], 1);
    }
    assert_int_equal(roots, 1);
}

/* The switch of each rank; each must stand in its row and column of a mesh so wide. */
static void read_placed(const json_t *placed, int ranks, int wide, int *home)
{
    const json_t *one;
    size_t index;

    assert_int_equal(json_array_size(placed), ranks);
    json_array_foreach(placed, index, one)
    {
        assert_int_equal(json_integer_value(json_array_get(one, 0)), index);
        home[index] = (int)json_integer_value(json_array_get(one, 1));
        assert_int_equal(json_integer_value(json_array_get(one, 2)), (int)index / wide);
        assert_int_equal(json_integer_value(json_array_get(one, 3)), (int)index % wide);
    }
}

/* Nobody shares a node with more than there is room for. */
static void check_nodes(const json_t *nodes, int ranks, int per_node)
{
    assert_int_equal(json_array_size(nodes), ranks);
    for (int i = 0; i < ranks; i++) {
        int same = 0;

        for (int k = 0; k < ranks; k++)
            same += json_equal(json_array_get(nodes, (size_t)i), json_array_get(nodes, (size_t)k));
        assert_in_range(same, 1, per_node);
    }
}

/* Links that all edges of a mesh so wide cross where rank i is on switch home[i], and the mean over
 * the ranks of the mean time to those beside them. */
struct costs {
    double cardinality, latency_s;
};

static struct costs costs_of(const struct walks *walks, const int *home, int ranks, int wide)
{
    struct costs costs = {0};

    for (int i = 0; i < ranks; i++) {
        double seconds = 0;
        int partners = 0;

        for (int k = 0; k < ranks; k++) {
            int across = abs(i % wide - k % wide), down = abs(i / wide - k / wide);
            int hops = walks->hops[home[i]][home[k]];

            if (across + down != 1)
                continue;
            costs.cardinality += k > i ? hops : 0;
            /* A message goes through one switch more than links between switches, and through two
             * links more, to and from the nodes. */
            seconds += NUCE_DELAY_STARTUP_S + 2 * NUCE_DELAY_INTERFACE_S +
                       (hops + 1) * NUCE_DELAY_SWITCH_S + (hops + 2) * NUCE_DELAY_LINK_S;
            partners++;
        }
        costs.latency_s += partners > 0 ? seconds / partners / ranks : 0;
    }
    return costs;
}

static const struct nuce_model_question of_placement = {.network = "cm5", .of_workload = 1};

/* One placement on a drawn network by shortest ways. Returns its cardinality. */
static double check_placement(const char *placement, int seed, struct nuce_model_shared *shared)
{
    struct nuce_point point =
        point_of("mapping 12 placement=%s mesh=3x4 switches=9 ports=6 nodes=16 connectivity=0.6 "
                 "routing=shortest layout=true seed=%d",
                 placement, seed);
    struct answer answer;
    struct walks walks;
    struct costs costs;
    int home[RANKS_MOST];

    ask(&point, &of_placement, shared, &answer);
    assert_ok(answer.status);
    assert_int_equal(answer_of(&answer, "network_switches"), 9);
    assert_int_equal(answer_of(&answer, "network_nodes"), 16);
    walk_links(json_object_get(answer.lists, "switch_links"), 9, &walks);
    assert_int_equal(answer_of(&answer, "network_links"), walks.links);
    check_tree(json_object_get(answer.lists, "switches"), &walks);
    check_nodes(json_object_get(answer.lists, "processors"), 12, 1);
    read_placed(json_object_get(answer.lists, "placed"), 12, 4, home);
    costs = costs_of(&walks, home, 12, 4);
    assert_alike(answer_of(&answer, "cardinality"), costs.cardinality);
    assert_alike(answer_of(&answer, "latency_0_s"), costs.latency_s);
    assert_null(json_object_get(answer.lists, "node_names"));
    answer_fini(&answer);
    nuce_point_fini(&point);
    return costs.cardinality;
}

/* Every placement that is here, on networks that they share. */
static void test_walked(void **state)
{
    double best = INFINITY, worst = 0;

    for (int seed = 0; seed < 4; seed++) {
        struct nuce_model_shared shared = {0};

        for (size_t i = 0; nuce_placements[i] != NULL; i++) {
            double cardinality;

            if (strcmp(nuce_placements[i]->name, "scotch") == 0)
                continue; /* it may not be here */
            cardinality = check_placement(nuce_placements[i]->name, seed, &shared);
            best = fmin(best, cardinality);
            worst = fmax(worst, cardinality);
        }
        nuce_model_shared_fini(&shared);
    }
    assert_true(worst > 1.2 * best); /* else there was nothing to tell apart */
}

/* Five processes in a row on the network of the file pentagon. */
#define ON_FILE "mapping 5 placement=%s mesh=1x5 topology=pentagon routing=%s layout=true"

static int pentagon_setup(void **state)
{
    folder_setup(state);
    file_write("pentagon", pentagon);
    return 0;
}

/* All 120 placements on the pentagon: a row of five along its circle crosses four links and no
 * placement does with less; bisection finds it. */
static void test_pentagon(void **state)
{
    int home[5], tried = 0;
    struct answer answer;
    struct walks walks;
    double least = INFINITY;

    ask_alone(point_of(ON_FILE, "bisection", "shortest"), &of_placement, &answer);
    walk_links(json_object_get(answer.lists, "switch_links"), 5, &walks);
    for (int code = 0; code < 3125; code++) {
        int used = 0;

        for (int i = 0, rest = code; i < 5; i++, rest /= 5) {
            home[i] = rest % 5;
            used |= 1 << home[i];
        }
        if (used != 31)
            continue;
        least = fmin(least, costs_of(&walks, home, 5, 5).cardinality);
        tried++;
    }
    assert_int_equal(tried, 120);
    assert_alike(least, 4.);
    assert_alike(answer_of(&answer, "cardinality"), 4);
    assert_int_equal(json_array_size(json_object_get(answer.lists, "node_names")), 5);
    for (size_t i = 0; i < 5; i++) {
        const json_t *names = json_object_get(answer.lists, "node_names");
        const json_t *nodes = json_object_get(answer.lists, "processors");
        const json_t *placed = json_array_get(json_object_get(answer.lists, "placed"), i);
        const char name[] = {(char)('a' + json_integer_value(json_array_get(nodes, i))), '\0'};

        assert_string_equal(json_string_value(json_array_get(names, i)), name);
        /* The k-th node is on the k-th switch. */
        assert_true(json_equal(json_array_get(nodes, i), json_array_get(placed, 1)));
    }
    answer_fini(&answer);
}

/* Puts into walks what is between switches by the tree alone: from each up to the root, and down to
 * the other from where both ways meet. */
static void walk_tree(const json_t *switches, struct walks *walks)
{
    for (int a = 0; a < walks->switches; a++) {
        int above[SWITCHES_MOST]; /* links from a up to there; -1: not above it */

        memset(above, -1, sizeof above);
        for (int s = a, up = 0; s >= 0; up++) {
            const json_t *parent = json_array_get(json_array_get(switches, (size_t)s), 2);

            above[s] = up;
            s = json_is_null(parent) ? -1 : (int)json_integer_value(parent);
        }
        for (int b = 0; b < walks->switches; b++) {
            int s = b, up = 0;

            for (; above[s] < 0; up++)
                s = (int)json_integer_value(json_array_get(json_array_get(switches, (size_t)s), 2));
            walks->hops[a][b] = up + above[s];
        }
    }
}

/* By the tree alone the ways go up and down again; what else there may be is not shorter than the
 * shortest, nor longer than the tree's. */
static void test_routings(void **state)
{
    static const char *const ways[] = {"shortest", "tree", "updown"};
    struct costs costs[3];

    for (int i = 0; i < 3; i++) {
        struct answer answer;
        struct walks walks;
        int home[RANKS_MOST];

        ask_alone(point_of(ON_FILE, "rm", ways[i]), &of_placement, &answer);
        walk_links(json_object_get(answer.lists, "switch_links"), 5, &walks);
        if (i == 1)
            walk_tree(json_object_get(answer.lists, "switches"), &walks);
        read_placed(json_object_get(answer.lists, "placed"), 5, 5, home);
        costs[i] =
            (struct costs){answer_of(&answer, "cardinality"), answer_of(&answer, "latency_0_s")};
        if (i < 2) {
            assert_alike(costs[i].cardinality, costs_of(&walks, home, 5, 5).cardinality);
            assert_alike(costs[i].latency_s, costs_of(&walks, home, 5, 5).latency_s);
        }
        if (i == 0) /* of all pairs of a pentagon half are one link apart and half two */
            assert_alike(answer_of(&answer, "latency_10_s"),
                         0.9 * costs[0].latency_s +
                             0.1 * (nuce_placement_delay(1) + nuce_placement_delay(2)) / 2);
        answer_fini(&answer);
    }
    assert_true(costs[0].cardinality <= costs[2].cardinality);
    assert_true(costs[2].cardinality <= costs[1].cardinality);
    assert_true(costs[0].cardinality < costs[1].cardinality);
}

/* On one node there is no link, interface or switch in the way. */
static void test_one_node(void **state)
{
    struct answer answer;

    ask_alone(point_of("mapping 6 placement=rm mesh=2x3 switches=2 ports=4 nodes=1 per-node=6 "
                       "connectivity=0.3"),
              &of_placement, &answer);
    assert_near(answer_of(&answer, "cardinality"), 0, 0);
    assert_alike(answer_of(&answer, "latency_0_s"), NUCE_DELAY_STARTUP_S);
    assert_alike(answer_of(&answer, "latency_20_s"), NUCE_DELAY_STARTUP_S);
    check_nodes(json_object_get(answer.lists, "processors"), 6, 6);
    assert_null(json_object_get(answer.lists, "placed"));
    answer_fini(&answer);
}

/* Of a COM edges weigh what goes over them in both directions, and one rank that talks to nobody is
 * left out of the mean. */
static void test_com(void **state)
{
    int node[4], one, two;
    struct answer answer;

    file_write("some.com", "4\n0 1 10\n1 0 4\n0 2 100\n");
    ask_alone(point_of("mapping 4 placement=rm com=some.com topology=pentagon routing=shortest"),
              &of_placement, &answer);
    for (size_t i = 0; i < 4; i++)
        node[i] =
            (int)json_integer_value(json_array_get(json_object_get(answer.lists, "processors"), i));
    /* Nodes are in a circle of five, as the switches are: neighbours differ by 1 or 4. */
    one = abs(node[0] - node[1]) % 3 == 1 ? 1 : 2;
    two = abs(node[0] - node[2]) % 3 == 1 ? 1 : 2;
    assert_alike(answer_of(&answer, "cardinality"), 14. * one + 100 * two);
    assert_alike(answer_of(&answer, "latency_0_s"),
                 ((14 * nuce_placement_delay(one) + 100 * nuce_placement_delay(two)) / 114 +
                  nuce_placement_delay(one) + nuce_placement_delay(two)) /
                     3);
    answer_fini(&answer);
}

/* A file whose switches have more than their ports. */
static void test_refused(void **state)
{
    struct nuce_model_shared shared = {0};
    struct nuce_point point = point_of("mapping 5 placement=rm mesh=1x5 topology=pentagon ports=2");
    struct answer answer;

    ask(&point, &of_placement, &shared, &answer);
    assert_int_equal(answer.status, NUCE_BAD_INPUT);
    assert_says(&answer.error, "pentagon");
    assert_says(&answer.error, "s0");
    assert_null(shared.memory.kept);
    answer_fini(&answer);
    nuce_point_fini(&point);
}

RUN_TESTS(pentagon_setup, folder_teardown, CASE(test_walked), CASE(test_pentagon),
          CASE(test_routings), CASE(test_one_node), CASE(test_com), CASE(test_refused))
