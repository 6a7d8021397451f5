/* Node-aware: between two nodes goes one transfer, with all bytes that the one has for the other,
 * from an agent to an agent; the ranks of a node share the other nodes; on one node it is ac. */
#include "nodes.h"
#include "schedules/schedule.h"

/* Of each ordered pair of nodes. */
struct crossings {
    int64_t asked[MOST_RANKS][MOST_RANKS], sent[MOST_RANKS][MOST_RANKS];
    int transfers[MOST_RANKS][MOST_RANKS];
};

static void count_crossings(const struct nuce_schedule *schedule,
                            const struct nuce_pattern *pattern, const int *node_of,
                            struct crossings *out)
{
    *out = (struct crossings){.asked = {{0}}};
    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++)
            out->asked[node_of[i]][node_of[pattern->destination[k]]] += pattern->bytes[k];
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++) {
            const struct nuce_transfer *send = &schedule->sends[k];

            out->sent[node_of[i]][node_of[send->peer]] += send->bytes;
            out->transfers[node_of[i]][node_of[send->peer]]++;
        }
    }
}

static void check_crossings(const struct nuce_schedule *schedule,
                            const struct nuce_pattern *pattern, const int *node_of)
{
    struct crossings crossings;

    count_crossings(schedule, pattern, node_of, &crossings);
    for (int from = 0; from < MOST_RANKS; from++) {
        for (int to = 0; to < MOST_RANKS; to++) {
            if (from == to)
                continue;
            assert_int_equal(crossings.sent[from][to], crossings.asked[from][to]);
            assert_int_equal(crossings.transfers[from][to], crossings.asked[from][to] > 0);
        }
    }
}

static void test_crossings(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        for (int shape = 0; shape < 5; shape++) {
            int node_of[MOST_RANKS];
            struct nuce_pattern pattern;
            struct nuce_schedule_input input = {
                .pattern = &pattern, .node_of = node_of, .rng = nuce_rng_create(1, 0)};
            struct nuce_schedule schedule;
            struct nuce_error error = {0};

            for (int i = 0; i < ranks; i++)
                node_of[i] = node_by_shape(shape, ranks, i);
            make_messages(1 + (ranks + shape) % 4, ranks, &pattern);
            assert_int_equal(
                nuce_schedule_create(nuce_schedule_find("node-aware"), &input, &schedule, &error),
                NUCE_OK);
            if (nuce_schedule_validate(&schedule, &pattern, &error) != NUCE_OK)
                fail_msg("%d ranks, shape %d: %s", ranks, shape, error.message);
            check_crossings(&schedule, &pattern, node_of);
            nuce_schedule_fini(&schedule);
            nuce_pattern_fini(&pattern);
        }
    }
}

/* Where all have messages for all, no rank of a node sends to two nodes more than another. */
static void check_agents(int ranks, int nodes)
{
    struct nuce_pattern pattern;
    int node_of[MOST_RANKS], served[MOST_RANKS] = {0};
    struct nuce_schedule_input input = {
        .pattern = &pattern, .node_of = node_of, .rng = nuce_rng_create(1, 0)};
    struct nuce_schedule schedule;
    struct nuce_error error = {0};

    for (int i = 0; i < ranks; i++)
        node_of[i] = i % nodes;
    make_messages(4, ranks, &pattern);
    assert_int_equal(
        nuce_schedule_create(nuce_schedule_find("node-aware"), &input, &schedule, &error), NUCE_OK);
    for (int i = 0; i < ranks; i++) {
        for (int64_t k = schedule.send_start[i]; k < schedule.send_start[i + 1]; k++)
            served[i] += node_of[schedule.sends[k].peer] != node_of[i];
        assert_in_range(served[i], served[i % nodes] == 0 ? 0 : served[i % nodes] - 1,
                        served[i % nodes]);
    }
    nuce_schedule_fini(&schedule);
    nuce_pattern_fini(&pattern);
}

static void test_agents(void **state)
{
    (void)state;
    for (int ranks = 2; ranks <= MOST_RANKS; ranks++) {
        for (int nodes = 2; nodes <= ranks; nodes++)
            check_agents(ranks, nodes);
    }
}

/* On one node, and where each rank is one, it is executed as ac is, and so are multi-leader and
 * two-level; told nodes come before those that ranks are on, and where nobody says each rank is
 * one. */
static void test_one_node(void **state)
{
    static const int one[4] = {0}, two[] = {0, 0, 1, 0};
    static const struct {
        const int *node_of;
        int64_t node_ranks;
        enum nuce_discipline discipline;
        int phases;
    } cases[] = {{one, 0, NUCE_POST_ALL, 1},
                 {two, 0, NUCE_FORWARD, 3},
                 {one, 2, NUCE_FORWARD, 3},
                 {two, 4, NUCE_POST_ALL, 1},
                 {NULL, 0, NUCE_POST_ALL, 1}};
    struct nuce_pattern pattern;

    (void)state;
    make_messages(4, 4, &pattern);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct nuce_tuning tuning = nuce_tuning_preset;
        struct nuce_schedule_input input = {.pattern = &pattern,
                                            .tuning = &tuning,
                                            .node_of = cases[i].node_of,
                                            .rng = nuce_rng_create(1, 1)};
        struct nuce_schedule schedule;
        struct nuce_error error = {0};

        tuning.node_ranks = cases[i].node_ranks;
        assert_int_equal(
            nuce_schedule_create(nuce_schedule_find("node-aware"), &input, &schedule, &error),
            NUCE_OK);
        assert_int_equal(schedule.discipline, cases[i].discipline);
        assert_int_equal(schedule.phases, cases[i].phases);
        assert_int_equal(nuce_schedule_validate(&schedule, &pattern, &error), NUCE_OK);
        nuce_schedule_fini(&schedule);
        for (int other = 0; other < 2; other++) {
            const char *name = other == 0 ? "multi-leader" : "two-level";

            assert_int_equal(
                nuce_schedule_create(nuce_schedule_find(name), &input, &schedule, &error), NUCE_OK);
            assert_int_equal(schedule.discipline, cases[i].discipline);
            nuce_schedule_fini(&schedule);
        }
    }
    nuce_pattern_fini(&pattern);
}

/* Where nodes have several ranks, messages that all stay on theirs are still executed as those that
 * are forwarded, as a repair adds such ones to a plan of all. */
static void test_few_messages(void **state)
{
    static const char *const names[] = {"node-aware", "multi-leader", "two-level"};
    static const struct nuce_message messages[] = {{0, 1, 8}, {3, 2, 8}};
    struct nuce_pattern pattern;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_pattern_init(4, messages, 2, &pattern, &error), NUCE_OK);
    for (int i = 0; i < 3; i++) {
        struct nuce_tuning tuning = nuce_tuning_preset;
        struct nuce_schedule_input input = {
            .pattern = &pattern, .tuning = &tuning, .rng = nuce_rng_create(1, 1)};
        struct nuce_schedule schedule;

        tuning.node_ranks = 2;
        assert_int_equal(
            nuce_schedule_create(nuce_schedule_find(names[i]), &input, &schedule, &error), NUCE_OK);
        assert_int_equal(schedule.discipline, NUCE_FORWARD);
        nuce_schedule_fini(&schedule);
    }
    nuce_pattern_fini(&pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crossings),
        cmocka_unit_test(test_agents),
        cmocka_unit_test(test_one_node),
        cmocka_unit_test(test_few_messages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
