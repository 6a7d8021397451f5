/* Leaders: each carries an equal part of what goes between nodes, however unequal messages and
 * nodes are, in no more transfers than said; and what that is worth where each has a card of its
 * own. */
#include <math.h>
#include <string.h>

#include "nodes.h"
#include "schedules/execution.h"

/* Networks but for what goes inside nodes: a card of 100 B/s a rank, and one a node. */
#define CARDS "ranks any\nblock 4\nbetween 0 100\nrail all 100 100\n"
#define ONE_CARD "ranks any\nblock 4\nbetween 0 100\nnode all 100 100\n"

/* Off-node bytes of each rank and node, by the pattern or by what is sent. */
struct loads {
    int64_t out[MOST_RANKS], in[MOST_RANKS], node_out[MOST_RANKS], node_in[MOST_RANKS];
};

static void add_load(struct loads *loads, const int *node_of, int from, int to, int64_t bytes)
{
    if (node_of[from] == node_of[to])
        return;
    loads->out[from] += bytes;
    loads->in[to] += bytes;
    loads->node_out[node_of[from]] += bytes;
    loads->node_in[node_of[to]] += bytes;
}

static int is_leader(int number, int size, int leaders)
{
    for (int l = 0; l < leaders; l++) {
        if (l * size / leaders == number)
            return 1;
    }
    return 0;
}

/* What a rank may send, or receive, of a node's bytes. */
static int64_t most_of(int64_t bytes, int number, int size, int leaders)
{
    return is_leader(number, size, leaders) ? (bytes + leaders - 1) / leaders : 0;
}

static void check_balance(const struct nuce_schedule *schedule, const struct nuce_pattern *pattern,
                          const int *node_of, int wanted)
{
    struct loads asked = {.out = {0}}, sent = {.out = {0}};
    int size[MOST_RANKS] = {0}, number[MOST_RANKS], nodes = 0, transfers = 0, most;

    for (int i = 0; i < pattern->ranks; i++) {
        number[i] = size[node_of[i]]++;
        nodes = node_of[i] >= nodes ? node_of[i] + 1 : nodes;
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++)
            add_load(&asked, node_of, i, pattern->destination[k], pattern->bytes[k]);
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++) {
            add_load(&sent, node_of, i, schedule->sends[k].peer, schedule->sends[k].bytes);
            transfers += node_of[schedule->sends[k].peer] != node_of[i];
        }
    }
    most = nodes * (nodes - 1);
    for (int n = 0; n < nodes; n++) {
        most += 2 * ((wanted < size[n] ? wanted : size[n]) - 1);
        assert_int_equal(sent.node_out[n], asked.node_out[n]); /* once between nodes */
        assert_int_equal(sent.node_in[n], asked.node_in[n]);
    }
    assert_true(transfers <= most);
    for (int i = 0; i < pattern->ranks; i++) {
        int n = node_of[i], leaders = wanted < size[n] ? wanted : size[n];

        assert_true(sent.out[i] <= most_of(asked.node_out[n], number[i], size[n], leaders));
        assert_true(sent.in[i] <= most_of(asked.node_in[n], number[i], size[n], leaders));
    }
}

static void test_balance(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        for (int shape = 0; shape < 5; shape++) {
            struct nuce_tuning tuning = nuce_tuning_preset;
            int node_of[MOST_RANKS], size[MOST_RANKS] = {0}, largest = 0;
            struct nuce_pattern pattern;
            struct nuce_schedule_input input = {.pattern = &pattern,
                                                .tuning = &tuning,
                                                .node_of = node_of,
                                                .rng = nuce_rng_create(1, 0)};
            struct nuce_schedule schedule;
            struct nuce_error error = {0};

            for (int i = 0; i < ranks; i++) {
                node_of[i] = node_by_shape(shape, ranks, i);
                size[node_of[i]]++;
                largest = size[node_of[i]] > largest ? size[node_of[i]] : largest;
            }
            make_messages(1 + (ranks + shape) % 4, ranks, &pattern);
            for (tuning.leaders = 0; tuning.leaders <= largest; tuning.leaders++) {
                assert_int_equal(nuce_schedule_create(nuce_schedule_find("multi-leader"), &input,
                                                      &schedule, &error),
                                 NUCE_OK);
                if (nuce_schedule_validate(&schedule, &pattern, &error) != NUCE_OK)
                    fail_msg("%d ranks, shape %d, %d leaders: %s", ranks, shape,
                             (int)tuning.leaders, error.message);
                check_balance(&schedule, &pattern, node_of,
                              tuning.leaders == 0 ? largest : (int)tuning.leaders);
                nuce_schedule_fini(&schedule);
            }
            assert_int_equal(
                nuce_schedule_create(nuce_schedule_find("multi-leader"), &input, &schedule, &error),
                NUCE_BAD_INPUT);
            assert_non_null(strstr(nuce_error_flatten(&error), "leaders: '"));
            nuce_pattern_fini(&pattern);
        }
    }
}

/* What one message of 1200 bytes from rank 0 to rank 4 takes by so many leaders, on two nodes of
 * four that the text describes. */
static double seconds_with(const char *text, int leaders)
{
    static const struct nuce_message message = {0, 4, 1200};
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_network network;
    struct nuce_pattern pattern;
    struct nuce_schedule_input input = {
        .pattern = &pattern, .network = &network, .tuning = &tuning, .rng = nuce_rng_create(1, 0)};
    struct nuce_schedule schedule;
    struct nuce_error error = {0};
    double seconds;

    tuning.leaders = leaders;
    if (nuce_network_parse("t", text, strlen(text), 8, &network, &error) != NUCE_OK)
        fail_msg("%s", nuce_error_flatten(&error));
    assert_int_equal(nuce_pattern_init(8, &message, 1, &pattern, &error), NUCE_OK);
    assert_int_equal(
        nuce_schedule_create(nuce_schedule_find("multi-leader"), &input, &schedule, &error),
        NUCE_OK);
    assert_int_equal(nuce_execution_of(&schedule, &network), NUCE_FLUID);
    assert_int_equal(nuce_execution_makespan(&schedule, &network, NUCE_FLUID, &seconds, &error),
                     NUCE_OK);
    nuce_schedule_fini(&schedule);
    nuce_pattern_fini(&pattern);
    nuce_network_fini(&network);
    return seconds;
}

/* By hand. 100 B/s a card: k cards take 1200 / 100 k; one card for the node takes 12 s however many
 * lead. As slow inside as between, each of k - 1 shares goes to its leader, across and on, three
 * times 1200 / 100 k; one leader alone, which is the source, just across. */
static void test_by_hand(void **state)
{
    static const double cards[] = {12, 6, 4, 3}, slow[] = {12, 18, 12, 9};

    (void)state;
    for (int k = 1; k <= 4; k++) {
        assert_true(fabs(seconds_with(CARDS "within 0 1e15\n", k) - cards[k - 1]) < 1e-6);
        assert_true(fabs(seconds_with(ONE_CARD "within 0 1e15\n", k) - 12) < 1e-6);
        assert_true(fabs(seconds_with(CARDS "within 0 100\n", k) - slow[k - 1]) < 1e-6);
    }
}

/* Two nodes of four, all that node 0 sends is rank 0's: which parts go how. */
static void test_ways(void **state)
{
    static const struct nuce_message message = {0, 7, 9};
    static const struct {
        int peer, phase, bytes;
    } sends[] = {{2, 0, 4}, {4, 1, 5}, {6, 1, 4}, {7, 2, 5}, {7, 2, 4}};
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_pattern pattern;
    struct nuce_schedule_input input = {
        .pattern = &pattern, .tuning = &tuning, .rng = nuce_rng_create(1, 0)};
    struct nuce_schedule schedule;
    struct nuce_error error = {0};

    (void)state;
    tuning.node_ranks = 4;
    tuning.leaders = 2;
    assert_int_equal(nuce_pattern_init(8, &message, 1, &pattern, &error), NUCE_OK);
    assert_int_equal(
        nuce_schedule_create(nuce_schedule_find("multi-leader"), &input, &schedule, &error),
        NUCE_OK);
    assert_int_equal(schedule.phases, 3);
    assert_int_equal(schedule.pieces, 5);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(schedule.sends[k].peer, sends[k].peer);
        assert_int_equal(schedule.sends[k].phase, sends[k].phase);
        assert_int_equal(schedule.sends[k].bytes, sends[k].bytes);
    }
    nuce_schedule_fini(&schedule);
    nuce_pattern_fini(&pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balance),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_ways),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
