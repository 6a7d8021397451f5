/* Schedules that know nodes. node-aware and multi-leader: messages between two nodes go once, by
 * agents or by leaders with equal parts; two-level: every schedule that can be a part delivers
 * every byte once in either part. */
#include "cases.h"
#include "schedules/schedule.h"

/* Between two nodes goes one transfer, with all bytes that the one has for the other. */
static void check_crossings(const struct nuce_schedule_input *input)
{
    const struct nuce_pattern *pattern = input->pattern;
    int64_t left[NODE_RANKS][NODE_RANKS] = {{0}};
    int transfers[NODE_RANKS][NODE_RANKS] = {{0}};
    OWNED(schedule) schedule = build("node-aware", input);

    for (int i = 0; i < pattern->ranks; i++) {
        int from = input->node_of[i];

        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++)
            left[from][input->node_of[pattern->destination[k]]] += pattern->bytes[k];
    }
    for (int i = 0; i < pattern->ranks; i++) {
        int from = input->node_of[i];

        for (int64_t k = schedule.send_start[i]; k < schedule.send_start[i + 1]; k++) {
            int to = input->node_of[schedule.sends[k].peer];

            if (from == to)
                continue;
            assert_int_equal(transfers[from][to]++, 0);
            left[from][to] -= schedule.sends[k].bytes;
        }
    }
    for (int from = 0; from < NODE_RANKS; from++) {
        for (int to = 0; to < NODE_RANKS; to++)
            assert_true(from == to || left[from][to] == 0);
    }
}

static void test_crossings(void **state)
{
    on_all_nodes(check_crossings);
}

/* Where all have messages for all, no rank of a node sends to two nodes more than another. */
static void check_agents(int ranks, int nodes)
{
    OWNED(pattern) pattern;
    int node_of[NODE_RANKS], served[NODE_RANKS] = {0};
    struct nuce_schedule_input input = {
        .pattern = &pattern, .node_of = node_of, .rng = nuce_rng_create(1, 0)};
    OWNED(schedule) schedule;

    for (int i = 0; i < ranks; i++)
        node_of[i] = i % nodes;
    pattern = draw_unlike(4, ranks);
    schedule = build("node-aware", &input);
    for (int i = 0; i < ranks; i++) {
        for (int64_t k = schedule.send_start[i]; k < schedule.send_start[i + 1]; k++)
            served[i] += node_of[schedule.sends[k].peer] != node_of[i];
        assert_in_range(served[i], served[i % nodes] == 0 ? 0 : served[i % nodes] - 1,
                        served[i % nodes]);
    }
}

static void test_agents(void **state)
{
    for (int ranks = 2; ranks <= NODE_RANKS; ranks++) {
        for (int nodes = 2; nodes <= ranks; nodes++)
            check_agents(ranks, nodes);
    }
}

/* On one node, and where each rank is one, it is executed as ac is, and so are multi-leader and
 * two-level; given nodes come before those that ranks are on; without any, each rank is one. */
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
    OWNED(pattern) pattern = draw_unlike(4, 4);

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_tuning tuning = nuce_tuning_preset;
        struct nuce_schedule_input input = {.pattern = &pattern,
                                            .tuning = &tuning,
                                            .node_of = cases[i].node_of,
                                            .rng = nuce_rng_create(1, 1)};
        struct nuce_schedule schedule;

        tuning.node_ranks = cases[i].node_ranks;
        schedule = build("node-aware", &input);
        assert_int_equal(schedule.discipline, cases[i].discipline);
        assert_int_equal(schedule.phases, cases[i].phases);
        assert_ok(nuce_schedule_validate(&schedule, &pattern, ANY_ERROR));
        nuce_schedule_fini(&schedule);
        for (int other = 0; other < 2; other++) {
            const char *name = other == 0 ? "multi-leader" : "two-level";

            schedule = build(name, &input);
            assert_int_equal(schedule.discipline, cases[i].discipline);
            nuce_schedule_fini(&schedule);
        }
    }
}

/* Where nodes have several ranks, messages that all stay on theirs are still executed as those that
 * are forwarded, as a repair adds such ones to a plan of all. */
static void test_few_messages(void **state)
{
    static const char *const names[] = {"node-aware", "multi-leader", "two-level"};
    OWNED(pattern) pattern = pattern_of(4, "0>1:8 3>2:8");

    for (int i = 0; i < 3; i++) {
        struct nuce_tuning tuning = nuce_tuning_preset;
        struct nuce_schedule_input input = {
            .pattern = &pattern, .tuning = &tuning, .rng = nuce_rng_create(1, 1)};
        OWNED(schedule) schedule;

        tuning.node_ranks = 2;
        schedule = build(names[i], &input);
        assert_int_equal(schedule.discipline, NUCE_FORWARD);
    }
}

/* Networks without the links inside nodes: a NIC of 100 B/s per rank, and one per node. */
#define NICS "ranks any\nblock 4\nbetween 0 100\nrail all 100 100\n"
#define ONE_NIC "ranks any\nblock 4\nbetween 0 100\nnode all 100 100\n"

/* Off-node bytes of each rank and node, by the pattern or by the sent pieces. */
struct loads {
    int64_t out[NODE_RANKS], in[NODE_RANKS], node_out[NODE_RANKS], node_in[NODE_RANKS];
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

/* The bytes of a node that a rank may send, or receive. */
static int64_t most_of(int64_t bytes, int number, int size, int leaders)
{
    return is_leader(number, size, leaders) ? (bytes + leaders - 1) / leaders : 0;
}

static void check_balance(const struct nuce_schedule *schedule, const struct nuce_pattern *pattern,
                          const int *node_of, int wanted)
{
    struct loads asked = {.out = {0}}, sent = {.out = {0}};
    int size[NODE_RANKS] = {0}, number[NODE_RANKS], nodes = 0, transfers = 0, most;

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

static void check_leaders(const struct nuce_schedule_input *input)
{
    struct nuce_tuning tuning = *input->tuning;
    struct nuce_schedule_input given = *input;
    int size[NODE_RANKS] = {0}, largest = 0;
    struct nuce_schedule schedule;

    for (int i = 0; i < input->pattern->ranks; i++)
        largest = ++size[input->node_of[i]] > largest ? size[input->node_of[i]] : largest;
    given.tuning = &tuning;
    for (tuning.leaders = 0; tuning.leaders <= largest; tuning.leaders++) {
        schedule = build("multi-leader", &given);
        check_balance(&schedule, input->pattern, input->node_of,
                      tuning.leaders == 0 ? largest : (int)tuning.leaders);
        nuce_schedule_fini(&schedule);
    }
    refuse("multi-leader", &given, "leaders: '");
}

static void test_balance(void **state)
{
    on_all_nodes(check_leaders);
}

/* The time of one message of 1200 bytes from rank 0 to rank 4 by so many leaders, on two nodes of
 * four that the text describes. */
static double seconds_with(const char *text, int leaders)
{
    static const struct nuce_message message = {0, 4, 1200};
    struct nuce_tuning tuning = nuce_tuning_preset;
    OWNED(network) network;
    OWNED(pattern) pattern;
    struct nuce_schedule_input input = {
        .pattern = &pattern, .network = &network, .tuning = &tuning, .rng = nuce_rng_create(1, 0)};
    OWNED(schedule) schedule;
    struct nuce_error error = {0};

    tuning.leaders = leaders;
    if (nuce_network_parse("t", text, strlen(text), 8, &network, &error) != NUCE_OK)
        fail_msg("%s", nuce_error_flatten(&error));
    assert_ok(nuce_pattern_init(8, &message, 1, &pattern, &error));
    schedule = build("multi-leader", &input);
    assert_int_equal(nuce_execution_of(&schedule, &network), NUCE_FLUID);
    return makespan_of(&schedule, &network, NUCE_FLUID);
}

/* By hand. 100 B/s per NIC: k NICs take 1200 / 100 k; one NIC for the node takes 12 s however many
 * lead. As slow inside as between, each of k - 1 shares goes to its leader, across and on, three
 * times 1200 / 100 k; one leader alone, which is the source, just across. */
static void test_leaders_by_hand(void **state)
{
    static const double nics[] = {12, 6, 4, 3}, slow[] = {12, 18, 12, 9};

    for (int k = 1; k <= 4; k++) {
        assert_near(seconds_with(NICS "within 0 1e15\n", k), nics[k - 1], 1e-6);
        assert_near(seconds_with(ONE_NIC "within 0 1e15\n", k), 12, 1e-6);
        assert_near(seconds_with(NICS "within 0 100\n", k), slow[k - 1], 1e-6);
    }
}

/* Two nodes of four, all that node 0 sends is rank 0's: which parts go how. */
static void test_ways(void **state)
{
    struct nuce_tuning tuning = nuce_tuning_preset;
    OWNED(pattern) pattern = pattern_of(8, "0>7:9");
    OWNED(schedule) schedule;

    tuning.node_ranks = 4;
    tuning.leaders = 2;
    schedule = build_tuned("multi-leader", &pattern, &tuning);
    assert_moves(&schedule, "0>2:4 | 0>4:5 2>6:4 | 4>7:5 6>7:4");
}

/* Bytes from node to node: by the pattern, less those that are sent. */
static int64_t left_between(const struct nuce_schedule *schedule,
                            const struct nuce_pattern *pattern, const int *node_of)
{
    int64_t bytes = 0;

    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++)
            bytes += node_of[i] != node_of[pattern->destination[k]] ? pattern->bytes[k] : 0;
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++)
            bytes -= node_of[i] != node_of[schedule->sends[k].peer] ? schedule->sends[k].bytes : 0;
    }
    return bytes;
}

static void check_parts(const struct nuce_schedule_input *input, const char *within,
                        const char *between)
{
    struct nuce_tuning tuning = *input->tuning;
    struct nuce_schedule_input given = *input;
    struct nuce_schedule schedule;
    struct nuce_error error = {0};
    const struct nuce_schedule_ops *ops = nuce_schedule_find(between);
    nuce_status status;

    strcpy(tuning.within, within);
    strcpy(tuning.between, between);
    given.tuning = &tuning;
    status = nuce_schedule_create(nuce_schedule_find("two-level"), &given, &schedule, &error);
    if (status == NUCE_BAD_INPUT && strstr(error.message, "pads its messages") != NULL)
        return;
    if (status != NUCE_OK)
        fail_msg("%s within, %s between: %s", within, between, nuce_error_flatten(&error));
    if (nuce_schedule_validate(&schedule, input->pattern, &error) != NUCE_OK)
        fail_msg("%d ranks, %s within, %s between: %s", input->pattern->ranks, within, between,
                 error.message);
    if (ops->discipline != NUCE_FORWARD)
        assert_int_equal(left_between(&schedule, input->pattern, input->node_of), 0);
    nuce_schedule_fini(&schedule);
}

static void check_all_parts(const struct nuce_schedule_input *input)
{
    struct nuce_tuning tuning = *input->tuning;
    struct nuce_schedule_input given = *input;

    given.tuning = &tuning;
    for (tuning.leaders = 0; tuning.leaders <= 1; tuning.leaders++) {
        for (int i = 0; nuce_schedules[i] != NULL; i++) {
            const char *name = nuce_schedules[i]->name;
            struct nuce_error error = {0};

            if (nuce_schedules[i]->needs == NUCE_NEEDS_GROUPS ||
                nuce_schedule_check_part("within", name, &error) != NUCE_OK)
                continue;
            check_parts(&given, "ac", name);
            check_parts(&given, name, "preemptive");
        }
    }
}

static void test_parts(void **state)
{
    on_all_nodes(check_all_parts);
}

/* Two nodes of two, one leader: 9 bytes of rank 1 for rank 3 go by 0 and 2, in three rounds. */
static void test_way(void **state)
{
    struct nuce_tuning tuning = nuce_tuning_preset;
    OWNED(pattern) pattern = pattern_of(4, "1>3:9");
    OWNED(schedule) schedule;

    tuning.node_ranks = 2;
    tuning.leaders = 1;
    schedule = build_tuned("two-level", &pattern, &tuning);
    assert_moves(&schedule, "1>0:9 | 0>2:9 | 2>3:9");
}

static void test_refused(void **state)
{
    static const char *const names[] = {"alltoallv", "credits", "grants", "best",
                                        "two-level", "direct",  "x"};

    for (size_t i = 0; i < COUNT(names); i++) {
        struct nuce_error error = {0};

        assert_int_equal(nuce_schedule_check_part("between", names[i], &error), NUCE_BAD_INPUT);
        assert_string_equal(error.subject, "between");
    }
}

RUN(test_crossings, test_agents, test_one_node, test_few_messages, test_balance,
    test_leaders_by_hand, test_ways, test_parts, test_way, test_refused)
