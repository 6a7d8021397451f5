/* Two levels: every schedule that can be a part delivers every byte once as either of them, however
 * unequal nodes are and however many lead; what goes between nodes goes once; and others are
 * refused. */
#include <string.h>

#include "nodes.h"
#include "schedules/schedule_ways.h"

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

static void test_parts(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        for (int shape = 0; shape < 5; shape++) {
            struct nuce_tuning tuning = nuce_tuning_preset;
            int node_of[MOST_RANKS];
            struct nuce_pattern pattern;
            struct nuce_schedule_input input = {.pattern = &pattern,
                                                .tuning = &tuning,
                                                .node_of = node_of,
                                                .rng = nuce_rng_create(1, 0)};

            for (int i = 0; i < ranks; i++)
                node_of[i] = node_by_shape(shape, ranks, i);
            make_messages(1 + (ranks + shape) % 4, ranks, &pattern);
            for (tuning.leaders = 0; tuning.leaders <= 1; tuning.leaders++) {
                for (int i = 0; nuce_schedules[i] != NULL; i++) {
                    const char *name = nuce_schedules[i]->name;
                    struct nuce_error error = {0};

                    if (nuce_schedules[i]->needs == NUCE_NEEDS_GROUPS ||
                        nuce_schedule_check_part("within", name, &error) != NUCE_OK)
                        continue;
                    check_parts(&input, "ac", name);
                    check_parts(&input, name, "preemptive");
                }
            }
            nuce_pattern_fini(&pattern);
        }
    }
}

/* Two nodes of two, one leader: 9 bytes of rank 1 for rank 3 go by 0 and 2, in three rounds. */
static void test_way(void **state)
{
    static const struct nuce_message message = {1, 3, 9};
    static const int ways[3][2] = {{0, 2}, {1, 0}, {2, 3}};
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_pattern pattern;
    struct nuce_schedule_input input = {
        .pattern = &pattern, .tuning = &tuning, .rng = nuce_rng_create(1, 0)};
    struct nuce_schedule schedule;
    struct nuce_error error = {0};

    (void)state;
    tuning.node_ranks = 2;
    tuning.leaders = 1;
    assert_int_equal(nuce_pattern_init(4, &message, 1, &pattern, &error), NUCE_OK);
    assert_int_equal(
        nuce_schedule_create(nuce_schedule_find("two-level"), &input, &schedule, &error), NUCE_OK);
    assert_int_equal(schedule.phases, 3);
    assert_int_equal(schedule.pieces, 3);
    for (int i = 0; i < 3; i++) {
        const struct nuce_transfer *send = &schedule.sends[schedule.send_start[ways[i][0]]];

        assert_int_equal(send->peer, ways[i][1]);
        assert_int_equal(send->bytes, 9);
    }
    nuce_schedule_fini(&schedule);
    nuce_pattern_fini(&pattern);
}

static void test_refused(void **state)
{
    static const char *const names[] = {"alltoallv", "credits", "grants", "best",
                                        "two-level", "direct",  "x"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct nuce_error error = {0};

        assert_int_equal(nuce_schedule_check_part("between", names[i], &error), NUCE_BAD_INPUT);
        assert_string_equal(error.subject, "between");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_way),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
