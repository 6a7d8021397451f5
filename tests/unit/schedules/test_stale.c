/* A schedule that is kept while the pattern changes: what it has room for, what not, how it is cut
 * and how it grows, by hand; and the steps of a sequence. */
#include "cases.h"

#include "schedules/schedule_results.h"
#include "schedules/sequence.h"
#include "schedules/stale.h"

#define RANKS 4

/* Three phases on 4 ranks; later 0 -> 1 is shorter, 1 -> 2 is gone, 2 -> 3 longer, 0 -> 3 new. */
static void make_both(struct nuce_pattern *then, struct nuce_pattern *now)
{
    static const struct nuce_message before[] = {{0, 1, 10}, {0, 2, 5}, {1, 2, 7}, {2, 3, 4}};
    static const struct nuce_message after[] = {{0, 1, 6}, {0, 2, 5}, {0, 3, 2}, {2, 3, 9}};

    make_pattern(RANKS, before, 4, then);
    make_pattern(RANKS, after, 4, now);
}

static struct nuce_schedule make_schedule(const char *name, const struct nuce_pattern *pattern)
{
    struct nuce_schedule_input input = {.pattern = pattern, .rng = nuce_rng_create(1, 0)};
    struct nuce_schedule schedule;
    struct nuce_error error = {0};

    assert_int_equal(nuce_schedule_create(nuce_schedule_find(name), &input, &schedule, &error),
                     NUCE_OK);
    return schedule;
}

static void check_entry(const struct nuce_pattern *pattern, int source, int destination,
                        int64_t bytes)
{
    int64_t k = nuce_pattern_find(pattern, source, destination);

    assert_int_equal(k < 0 ? 0 : pattern->bytes[k], bytes);
}

static void test_parts_of_a_pattern(void **state)
{
    struct nuce_pattern then, now, within, beyond, wide;
    struct nuce_error error = {0};

    (void)state;
    make_both(&then, &now);
    assert_int_equal(nuce_stale_within(&then, &now, &within, &error), NUCE_OK);
    assert_int_equal(nuce_stale_beyond(&then, &now, &beyond, &error), NUCE_OK);
    assert_int_equal(nuce_stale_widen(&then, &now, &wide, &error), NUCE_OK);
    assert_int_equal(within.messages, 3);
    check_entry(&within, 0, 1, 6);
    check_entry(&within, 0, 2, 5);
    check_entry(&within, 2, 3, 4);
    assert_int_equal(beyond.messages, 2);
    check_entry(&beyond, 0, 3, 2);
    check_entry(&beyond, 2, 3, 5);
    assert_int_equal(wide.messages, 5);
    check_entry(&wide, 0, 1, 10);
    check_entry(&wide, 1, 2, 7);
    check_entry(&wide, 2, 3, 9);
    nuce_pattern_fini(&then);
    nuce_pattern_fini(&now);
    nuce_pattern_fini(&within);
    nuce_pattern_fini(&beyond);
    nuce_pattern_fini(&wide);
}

/* Rank 0 sends to 1 and then to 2, as before, and nothing to whom it did not send then. */
static void test_limit(void **state)
{
    struct nuce_pattern then, now, within;
    struct nuce_schedule schedule, limited;
    struct nuce_error error = {0};

    (void)state;
    make_both(&then, &now);
    schedule = make_schedule("rs-n", &then);
    assert_int_equal(nuce_stale_limit(&schedule, &now, &limited, &error), NUCE_OK);
    assert_int_equal(limited.pieces, 3);
    assert_int_equal(limited.discipline, NUCE_LOCKSTEP);
    assert_int_equal(limited.phases, schedule.phases);
    assert_int_equal(limited.send_start[1], 2);
    assert_int_equal(limited.send_start[2], 2);
    for (int64_t k = 0; k < 2; k++) {
        assert_int_equal(limited.sends[k].peer, schedule.sends[k].peer);
        assert_int_equal(limited.sends[k].phase, schedule.sends[k].phase);
        assert_int_equal(limited.sends[k].bytes, limited.sends[k].peer == 1 ? 6 : 5);
    }
    assert_int_equal(nuce_stale_within(&then, &now, &within, &error), NUCE_OK);
    assert_int_equal(nuce_schedule_validate(&limited, &within, &error), NUCE_OK);
    nuce_schedule_fini(&schedule);
    nuce_schedule_fini(&limited);
    nuce_pattern_fini(&then);
    nuce_pattern_fini(&now);
    nuce_pattern_fini(&within);
}

/* What is beyond goes behind the bytes that there is room for, in phases behind the last one. */
static void test_append(void **state)
{
    struct nuce_pattern then, now, beyond, wide;
    struct nuce_schedule schedule, further, both;
    struct nuce_error error = {0};

    (void)state;
    make_both(&then, &now);
    assert_int_equal(nuce_stale_beyond(&then, &now, &beyond, &error), NUCE_OK);
    assert_int_equal(nuce_stale_widen(&then, &now, &wide, &error), NUCE_OK);
    schedule = make_schedule("rs-n", &then);
    further = make_schedule("rs-n", &beyond);
    nuce_stale_move(&further, &then);
    assert_int_equal(nuce_stale_append(&schedule, &further, &both, &error), NUCE_OK);
    assert_int_equal(both.pieces, 6);
    assert_int_equal(both.phases, schedule.phases + further.phases);
    assert_int_equal(both.sends[2].peer, 3); /* rank 0's last */
    assert_true(both.sends[2].phase >= schedule.phases);
    for (int64_t k = both.send_start[2]; k < both.send_start[3]; k++)
        assert_int_equal(both.sends[k].offset, k == both.send_start[2] ? 0 : 4);
    assert_int_equal(nuce_schedule_validate(&both, &wide, &error), NUCE_OK);
    nuce_schedule_fini(&schedule);
    nuce_schedule_fini(&further);
    nuce_schedule_fini(&both);
    nuce_pattern_fini(&then);
    nuce_pattern_fini(&now);
    nuce_pattern_fini(&beyond);
    nuce_pattern_fini(&wide);
}

/* A step of a sequence under rs-n; returns whether a schedule was wanted. */
static int take_step(struct nuce_sequence *sequence, int64_t step)
{
    const struct nuce_pattern *wanted;
    struct nuce_schedule schedule;
    struct nuce_error error = {0};

    assert_int_equal(nuce_sequence_want(sequence, step, &wanted, &error), NUCE_OK);
    if (wanted != NULL)
        schedule = make_schedule("rs-n", wanted);
    assert_int_equal(
        nuce_sequence_take(sequence, step, wanted != NULL ? &schedule : NULL, 1, &error), NUCE_OK);
    return wanted != NULL;
}

/* then, now, then, now, now: how often schedules are wanted, and what is left to the last round. */
static struct nuce_sequence run_sequence(int64_t reuse, int repairs, int wanted[5])
{
    const struct nuce_sequence_terms terms = {5, reuse, repairs};
    struct nuce_sequence sequence = {.step = NULL};
    struct nuce_error error = {0};

    assert_int_equal(nuce_sequence_init(&terms, &sequence, &error), NUCE_OK);
    for (int64_t t = 0; t < 5; t++) {
        struct nuce_pattern then, now;

        make_both(&then, &now);
        sequence.step[t].pattern = t == 0 || t == 2 ? then : now;
        nuce_pattern_fini(t == 0 || t == 2 ? &now : &then);
        wanted[t] = take_step(&sequence, t);
    }
    return sequence;
}

static void test_sequence(void **state)
{
    struct nuce_sequence sequence;
    int wanted[5];

    (void)state;
    sequence = run_sequence(1, 0, wanted);
    for (int t = 0; t < 5; t++) {
        assert_int_equal(wanted[t], 1);
        assert_int_equal(sequence.step[t].rest.pieces, 0);
    }
    assert_int_equal(sequence.schedules, 5);
    assert_int_equal(sequence.rest_bytes, 0);
    assert_true(sequence.seconds == 5);
    nuce_sequence_fini(&sequence);

    /* Kept for all: the second, fourth and fifth have 7 bytes more than there is room for. */
    sequence = run_sequence(5, 0, wanted);
    for (int t = 0; t < 5; t++) {
        assert_int_equal(wanted[t], t == 0);
        assert_int_equal(sequence.step[t].rest.pieces, t == 0 || t == 2 ? 0 : 2);
    }
    assert_int_equal(sequence.schedules, 1);
    assert_int_equal(sequence.rest_bytes, 21);
    assert_int_equal(sequence.step[1].rest.discipline, NUCE_POST_ALL);
    nuce_sequence_fini(&sequence);

    /* Computed for the second pattern in the fourth and last step. */
    sequence = run_sequence(3, 0, wanted);
    assert_int_equal(sequence.schedules, 2);
    assert_int_equal(sequence.rest_bytes, 7);
    nuce_sequence_fini(&sequence);

    /* Repaired once: from then on there is room for both. */
    sequence = run_sequence(5, 1, wanted);
    for (int t = 0; t < 5; t++) {
        assert_int_equal(wanted[t], t < 2);
        assert_int_equal(sequence.step[t].rest.pieces, 0);
    }
    assert_int_equal(sequence.step[4].planned.pieces, 5); /* 2 -> 3 goes in two */
    assert_int_equal(sequence.schedules, 1);
    assert_int_equal(sequence.rest_bytes, 0);
    nuce_sequence_fini(&sequence);
}

/* What the whole sequence comes to: bounds of all messages together, and the sum of predictions, or
 * none where one is missing. */
static void test_sequence_described(void **state)
{
    static const struct nuce_result bounds[] = {
        {"predicted_s", NUCE_REAL, "s", "", NULL, 0},
        {"bound_s", NUCE_REAL, "s", "", NULL, 0},
        {"single_port_bound_s", NUCE_REAL, "s", "", NULL, 0},
        {.name = NULL},
    };
    static const struct nuce_result *const tables[] = {bounds, nuce_sequence_results, NULL};
    /* A byte a second, no startups, and then with ports. */
    struct nuce_network network = {.ranks = RANKS, .bandwidth = 1};
    struct nuce_sequence sequence;
    struct nuce_found found;
    struct nuce_error error = {0};
    double predicted;
    int wanted[5];

    (void)state;
    sequence = run_sequence(5, 0, wanted);
    assert_int_equal(nuce_found_init(tables, &found, &error), NUCE_OK);
    nuce_found_real(&found, "predicted_s", 3);
    assert_int_equal(nuce_sequence_describe(&sequence, &network, NULL, &predicted, &found, &error),
                     NUCE_OK);
    /* Rank 0 sends 15 bytes in two of the steps and 13 in three. */
    assert_true(json_real_value(json_object_get(found.values, "single_port_bound_s")) == 69);
    assert_null(json_object_get(found.values, "predicted_s")); /* of rounds that share no ports */
    assert_int_equal(json_integer_value(json_object_get(found.values, "rest_bytes")), 21);
    assert_int_equal(json_integer_value(json_object_get(found.values, "schedules")), 1);
    nuce_sequence_fini(&sequence);

    /* Each step anew: 15 seconds of rank 0's sends in each of two, 13 in three, for no other has
     * as many and rs-n lets it wait for nobody. */
    sequence = run_sequence(1, 0, wanted);
    assert_int_equal(nuce_sequence_describe(&sequence, &network, NULL, &predicted, &found, &error),
                     NUCE_OK);
    assert_true(predicted >= 69);
    assert_true(json_real_value(json_object_get(found.values, "predicted_s")) == predicted);
    nuce_found_fini(&found);
    nuce_sequence_fini(&sequence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_of_a_pattern),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_append),
        cmocka_unit_test(test_sequence),
        cmocka_unit_test(test_sequence_described),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
