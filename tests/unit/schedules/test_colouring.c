/* Schedules in phases by edge colouring, and the table that they are made with. */
#include "cases.h"
#include "schedules/phase_table.h"

/* Most messages that a rank sends or receives without its message to itself; 1 where there are only
 * such. */
static int degree_of(const struct nuce_pattern *pattern)
{
    int received[CASE_RANKS] = {0}, degree = pattern->messages > 0;

    for (int i = 0; i < pattern->ranks; i++) {
        int sent = 0;

        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            sent += pattern->destination[k] != i;
            received[pattern->destination[k]] += pattern->destination[k] != i;
        }
        degree = sent > degree ? sent : degree;
    }
    for (int j = 0; j < pattern->ranks; j++)
        degree = received[j] > degree ? received[j] : degree;
    return degree;
}

static void test_colouring_phases(void **state)
{
    (void)state;
    for (uint64_t instance = 0; instance < 500; instance++) {
        struct nuce_schedule schedule;
        struct nuce_pattern pattern;

        draw_pattern(instance, 100, &pattern);
        create_schedule("colouring", &pattern, NULL, &schedule);
        assert_int_equal(schedule.phases, degree_of(&pattern));
        assert_int_equal(schedule.pieces, pattern.messages);
        nuce_schedule_fini(&schedule);
        nuce_pattern_fini(&pattern);
    }
}

/* What ranks send to themselves needs no wire: with two other messages a rank two phases do,
 * under each schedule that finds the two shifts. */
static void test_own_phases(void **state)
{
    static const struct nuce_message messages[] = {{0, 0, 5}, {0, 1, 5}, {0, 2, 5},
                                                   {1, 0, 5}, {1, 1, 5}, {1, 2, 5},
                                                   {2, 0, 5}, {2, 1, 5}, {2, 2, 5}};
    static const char *const names[] = {"colouring", "lp", "lp-cyclic", "preemptive"};
    struct nuce_schedule schedule;
    struct nuce_pattern pattern;

    (void)state;
    make_pattern(3, messages, 9, &pattern);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        create_schedule(names[i], &pattern, NULL, &schedule);
        assert_int_equal(schedule.phases, 2);
        nuce_schedule_fini(&schedule);
    }
    nuce_pattern_fini(&pattern);
}

/* The two long messages share a phase: the rest fills the others. */
static void test_colouring_sizes(void **state)
{
    static const struct nuce_message messages[] = {{0, 1, 1}, {0, 2, 100}, {1, 0, 100}, {1, 2, 1}};
    struct nuce_schedule schedule;
    struct nuce_pattern pattern;

    (void)state;
    make_pattern(3, messages, 4, &pattern);
    create_schedule("colouring", &pattern, NULL, &schedule);
    assert_int_equal(schedule.phases, 2);
    assert_int_equal(schedule.sends[0].bytes, 100);
    assert_int_equal(schedule.sends[2].bytes, 100);
    nuce_schedule_fini(&schedule);
    nuce_pattern_fini(&pattern);
}

/* Rank 0 sends to all and receives from all, the others have two messages: a table of ranks x
 * phases would take gigabytes. */
static void test_hub(void **state)
{
    static const char *const names[] = {"colouring", "largest-first"};
    enum { RANKS = 20000 };
    struct nuce_message *messages = calloc(2 * RANKS, sizeof *messages);
    struct nuce_pattern pattern;

    (void)state;
    assert_non_null(messages);
    for (int i = 1; i < RANKS; i++) {
        messages[2 * i - 2] = (struct nuce_message){0, i, i};
        messages[2 * i - 1] = (struct nuce_message){i, 0, RANKS - i};
    }
    make_pattern(RANKS, messages, 2 * (RANKS - 1), &pattern);
    for (int i = 0; i < 2; i++) {
        struct nuce_schedule schedule;

        create_schedule(names[i], &pattern, NULL, &schedule);
        assert_int_equal(schedule.phases, RANKS - 1);
        nuce_schedule_fini(&schedule);
    }
    nuce_pattern_fini(&pattern);
    free(messages);
}

static void test_largest_first(void **state)
{
    static const struct nuce_message messages[] = {
        {0, 1, 8}, {0, 2, 3}, {1, 0, 8}, {1, 2, 5}, {2, 1, 7}};
    /* By size: 0->1 and 1->0 in phase 0; 2->1 in 1, 1->2 in 1, 0->2 in 2. */
    static const int phases[] = {0, 2, 0, 1, 1};
    struct nuce_schedule schedule;
    struct nuce_pattern pattern;

    (void)state;
    make_pattern(3, messages, 5, &pattern);
    create_schedule("largest-first", &pattern, NULL, &schedule);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(schedule.sends[k].bytes, messages[k].bytes);
        assert_int_equal(schedule.sends[k].phase, phases[k]);
    }
    nuce_schedule_fini(&schedule);
    nuce_pattern_fini(&pattern);
}

/* An independent implementation has 1.05, 1.08 and 1.02 with small messages (colouring), and
 * phases shorter than those of rs-nh with large ones but on the skewed set (largest-first). */
static void test_makespans(void **state)
{
    static const double at_most[] = {1.06, 1.08, 1.03};

    (void)state;
    for (int set = 0; set < 3; set++) {
        double found = mean_ratio("colouring", set, 16);

        assert_in_range((int)(found * 1000), 1010, (int)(at_most[set] * 1000));
    }
    for (int set = 0; set < 2; set++)
        assert_true(mean_ratio("largest-first", set, 4096) < mean_ratio("rs-nh", set, 4096));
}

/* Against an array of ranks x phases. */
static void test_table(void **state)
{
    enum { PHASES = 200, PORTS = 2 * CASE_RANKS };
    static int taken[PORTS][PHASES], count[PORTS];
    struct nuce_rng rng = nuce_rng_create(4, 0);
    struct nuce_phase_table table;
    struct nuce_pattern pattern;

    (void)state;
    draw_pattern(6, 10, &pattern);
    nuce_phase_table_init(&pattern, &table);
    assert_int_equal(table.ports, 2 * pattern.ranks);
    for (int turn = 0; turn < 200000; turn++) {
        int port = (int)nuce_rng_below(&rng, (uint64_t)table.ports);
        int other = (int)nuce_rng_below(&rng, (uint64_t)table.ports);
        int phase = (int)nuce_rng_below(&rng, PHASES), common = 0;

        if (table.degree[port] == 0)
            continue;
        assert_int_equal(nuce_phase_table_find(&table, port, phase), taken[port][phase] - 1);
        if (taken[port][phase] != 0) {
            nuce_phase_table_release(&table, port, phase);
            taken[port][phase] = 0;
            count[port]--;
        } else if (count[port] < table.degree[port]) {
            nuce_phase_table_take(&table, port, phase, turn);
            taken[port][phase] = 1 + turn;
            count[port]++;
        }
        if (table.degree[other] == 0)
            continue;
        while (common < PHASES && (taken[port][common] != 0 || taken[other][common] != 0))
            common++;
        assert_int_equal(nuce_phase_table_common(&table, port, other, PHASES), common);
        assert_int_equal(nuce_phase_table_common(&table, port, other, common), -1);
        if (count[port] < table.degree[port])
            assert_int_equal(nuce_phase_table_first(&table, port),
                             nuce_phase_table_common(&table, port, port, PHASES));
    }
    nuce_phase_table_fini(&table);
    nuce_pattern_fini(&pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colouring_phases),
        cmocka_unit_test(test_colouring_sizes),
        cmocka_unit_test(test_own_phases),
        cmocka_unit_test(test_hub),
        cmocka_unit_test(test_largest_first),
        cmocka_unit_test(test_makespans),
        cmocka_unit_test(test_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
