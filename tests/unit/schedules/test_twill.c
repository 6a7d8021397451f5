/* TWILL: every group gets its part of what a rank sends at any time, however unequal messages and
 * groups are; the ranks of a group begin with different groups and destinations; groups come from
 * whoever tells of them; and the window bounds what is under way. */
#include <math.h>
#include <string.h>

#include "nodes.h"
#include "schedules/execution.h"

/* Everybody sends everybody else as much. */
static void make_all(int ranks, struct nuce_pattern *out)
{
    struct nuce_message messages[MOST_RANKS * MOST_RANKS];
    struct nuce_error error = {0};
    int count = 0;

    for (int k = 0; k < ranks * ranks; k++) {
        if (k / ranks != k % ranks)
            messages[count++] = (struct nuce_message){k / ranks, k % ranks, 8};
    }
    assert_int_equal(nuce_pattern_init(ranks, messages, count, out, &error), NUCE_OK);
}

static struct nuce_schedule twill_of(const struct nuce_schedule_input *input)
{
    struct nuce_schedule schedule;
    struct nuce_error error = {0};

    if (nuce_schedule_create(nuce_schedule_find("twill"), input, &schedule, &error) != NUCE_OK)
        fail_msg("%s", nuce_error_flatten(&error));
    if (nuce_schedule_validate(&schedule, input->pattern, &error) != NUCE_OK)
        fail_msg("%d ranks: %s", input->pattern->ranks, error.message);
    return schedule;
}

/* What rank i has for a group, and the longest message of it. */
struct share {
    double total, longest, done;
};

static void check_shares(const struct nuce_schedule *s, const int *group_of, int rank)
{
    struct share share[MOST_RANKS] = {{0}};

    for (int pass = 0; pass < 2; pass++) {
        for (int64_t k = s->send_start[rank]; k < s->send_start[rank + 1]; k++) {
            struct share *group = &share[group_of[s->sends[k].peer]];
            double bytes = (double)s->sends[k].bytes;

            if (s->sends[k].peer == rank)
                continue;
            if (pass == 0) {
                group->total += bytes;
                group->longest = fmax(group->longest, bytes);
                continue;
            }
            group->done += bytes;
            for (int a = 0; a < s->ranks; a++) {
                for (int b = 0; b < a && share[a].total > 0; b++) {
                    const struct share *x = &share[a], *y = &share[b];

                    if (y->total > 0)
                        assert_true(fabs(x->done / x->total - y->done / y->total) <=
                                    x->longest / x->total + y->longest / y->total + 1e-12);
                }
            }
        }
    }
}

static void test_shares(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        for (int shape = 0; shape < 5; shape++) {
            int group_of[MOST_RANKS];
            struct nuce_pattern pattern;
            struct nuce_schedule_input input = {
                .pattern = &pattern, .group_of = group_of, .rng = nuce_rng_create(1, 0)};
            struct nuce_schedule schedule;

            for (int i = 0; i < ranks; i++)
                group_of[i] = node_by_shape(shape, ranks, i);
            make_messages(1 + (ranks + shape) % 4, ranks, &pattern);
            schedule = twill_of(&input);
            assert_int_equal(schedule.depth, 32);
            for (int i = 0; i < ranks; i++)
                check_shares(&schedule, group_of, i);
            nuce_schedule_fini(&schedule);
            nuce_pattern_fini(&pattern);
        }
    }
}

/* Two groups of two, by blocks and by turns: the first of a group has its two messages for the
 * other group at 1/8 and 5/8 and that for its own at 3/4, the second its own at 1/4 and the others
 * at 3/8 and 7/8. */
static void test_order(void **state)
{
    static const int by_blocks[4][3] = {{3, 2, 1}, {0, 2, 3}, {1, 0, 3}, {2, 0, 1}};
    static const int by_turns[4][3] = {{3, 1, 2}, {2, 0, 3}, {0, 1, 3}, {1, 0, 2}};
    struct nuce_tuning tuning = nuce_tuning_preset;
    int group_of[] = {0, 1, 0, 1};
    struct nuce_pattern pattern;
    struct nuce_schedule_input input = {
        .pattern = &pattern, .tuning = &tuning, .rng = nuce_rng_create(1, 0)};

    (void)state;
    make_all(4, &pattern);
    for (int pass = 0; pass < 2; pass++) {
        struct nuce_schedule schedule;

        input.group_of = pass == 0 ? NULL : group_of;
        tuning.group_ranks = pass == 0 ? 2 : 0;
        schedule = twill_of(&input);
        for (int k = 0; k < 12; k++)
            assert_int_equal(schedule.sends[k].peer,
                             pass == 0 ? by_blocks[k / 3][k % 3] : by_turns[k / 3][k % 3]);
        nuce_schedule_fini(&schedule);
    }
    nuce_pattern_fini(&pattern);
}

/* In the first sends of all no rank, and so no group, gets more than one rank's, and as much leaves
 * each group as comes to it. */
static void test_first(void **state)
{
    (void)state;
    for (int groups = 2; groups <= 4; groups++) {
        struct nuce_tuning tuning = nuce_tuning_preset;
        int got[MOST_RANKS] = {0};
        struct nuce_pattern pattern;
        struct nuce_schedule_input input = {
            .pattern = &pattern, .tuning = &tuning, .rng = nuce_rng_create(1, 0)};
        struct nuce_schedule schedule;

        tuning.group_ranks = 4;
        make_all(4 * groups, &pattern);
        schedule = twill_of(&input);
        for (int i = 0; i < 4 * groups; i++)
            got[schedule.sends[schedule.send_start[i]].peer]++;
        for (int i = 0; i < 4 * groups; i++)
            assert_int_equal(got[i], 1);
        nuce_schedule_fini(&schedule);
        nuce_pattern_fini(&pattern);
    }
}

/* The text's network, else what the caller knows; else it is refused. */
static void test_sources(void **state)
{
    static const char text[] = "ranks 4\nbetween 0 9\nblock 1\nunder all 0\nunder 2 1\n";
    int group_of[] = {0, 1, 1, 1};
    struct nuce_pattern pattern;
    struct nuce_network network;
    struct nuce_schedule_input input = {
        .pattern = &pattern, .network = &network, .rng = nuce_rng_create(1, 0)};
    struct nuce_schedule schedule;
    struct nuce_error error = {0};

    (void)state;
    make_all(4, &pattern);
    assert_int_equal(nuce_network_parse("t", text, strlen(text), 4, &network, &error), NUCE_OK);
    schedule = twill_of(&input);
    assert_int_equal(schedule.sends[0].peer, 2); /* alone in its group */
    assert_int_equal(schedule.sends[1].peer, 1);
    nuce_schedule_fini(&schedule);
    input.group_of = group_of;
    schedule = twill_of(&input);
    assert_int_equal(schedule.sends[0].peer, 2); /* number 1 of three */
    assert_int_equal(schedule.sends[1].peer, 3);
    nuce_schedule_fini(&schedule);
    nuce_network_fini(&network);
    input.group_of = NULL;
    input.network = NULL;
    assert_int_equal(nuce_schedule_create(nuce_schedule_find("twill"), &input, &schedule, &error),
                     NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "group-ranks");
    nuce_pattern_fini(&pattern);
}

/* By hand: rank 0 of two groups of two sends 8 bytes to each other, 1 s startup, 8 B/s: a window of
 * 1 has them one after the other, of 2 two at a time, by each a path of its own. */
static void test_window(void **state)
{
    static const double seconds[] = {6, 4, 2};
    static const struct nuce_message messages[] = {{0, 1, 8}, {0, 2, 8}, {0, 3, 8}};
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_network network = {.ranks = 4, .startup = 1, .bandwidth = 8, .gap = 1e-9};
    struct nuce_pattern pattern;
    struct nuce_schedule_input input = {
        .pattern = &pattern, .network = &network, .tuning = &tuning, .rng = nuce_rng_create(1, 0)};
    struct nuce_error error = {0};

    (void)state;
    tuning.group_ranks = 2;
    assert_int_equal(nuce_pattern_init(4, messages, 3, &pattern, &error), NUCE_OK);
    for (tuning.window = 1; tuning.window <= 3; tuning.window++) {
        struct nuce_schedule schedule = twill_of(&input);
        double makespan;

        assert_int_equal(
            nuce_execution_makespan(&schedule, &network, NUCE_FLUID, &makespan, &error), NUCE_OK);
        assert_true(fabs(makespan - seconds[tuning.window - 1]) < 1e-6);
        nuce_schedule_fini(&schedule);
    }
    nuce_pattern_fini(&pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares),  cmocka_unit_test(test_order),  cmocka_unit_test(test_first),
        cmocka_unit_test(test_sources), cmocka_unit_test(test_window),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
