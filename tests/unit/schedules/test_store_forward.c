/* Store and forward: every message goes by the digits of its distance, in as many rounds as the
 * heads say; the radix that auto takes is the best that was tried; and the validator finds each way
 * in which a message can get lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "schedules/execution.h"
#include "schedules/generator.h"
#include "schedules/store_forward.h"

#define MOST_RANKS 17

static struct nuce_schedule build(const char *name, const struct nuce_pattern *pattern,
                                  int64_t radix)
{
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_schedule_input input = {
        .pattern = pattern, .tuning = &tuning, .rng = nuce_rng_create(1, 0)};
    struct nuce_schedule schedule;
    struct nuce_error error = {0};

    tuning.radix = radix;
    if (nuce_schedule_create(nuce_schedule_find(name), &input, &schedule, &error) != NUCE_OK)
        fail_msg("%s: %s", name, nuce_error_flatten(&error));
    if (nuce_schedule_validate(&schedule, pattern, &error) != NUCE_OK)
        fail_msg("%s, %d ranks, radix %d: %s", name, pattern->ranks, (int)radix, error.message);
    return schedule;
}

/* Sizes that differ, and some pairs with nothing. */
static struct nuce_pattern uneven(int ranks, int with_own)
{
    struct nuce_message messages[MOST_RANKS * MOST_RANKS];
    struct nuce_pattern pattern;
    struct nuce_error error = {0};
    int64_t count = 0;

    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < ranks; j++) {
            if (i != j || with_own)
                messages[count++] = (struct nuce_message){i, j, (7 * i + 3 * j) % 5 * 10};
        }
    }
    assert_int_equal(nuce_pattern_init(ranks, messages, count, &pattern, &error), NUCE_OK);
    return pattern;
}

static int digits_not_zero(int64_t number, int64_t radix)
{
    int count = 0;

    for (; number > 0; number /= radix)
        count += number % radix != 0;
    return count;
}

/* What all hops carry: each message as often as its distance has digits other than 0. */
static int64_t bytes_moved(const struct nuce_pattern *pattern, int64_t radix)
{
    int64_t bytes = 0;

    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            int distance = (pattern->destination[k] - i + pattern->ranks) % pattern->ranks;

            bytes += digits_not_zero(distance, radix) * pattern->bytes[k];
        }
    }
    return bytes;
}

static int64_t bytes_sent(const struct nuce_schedule *schedule)
{
    int64_t bytes = 0;

    for (int i = 0; i < schedule->ranks; i++) {
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++)
            bytes += schedule->sends[k].peer != i ? schedule->sends[k].bytes : 0;
    }
    return bytes;
}

static void test_hops(void **state)
{
    (void)state;
    for (int ranks = 2; ranks <= MOST_RANKS; ranks++) {
        struct nuce_pattern pattern = uneven(ranks, ranks % 2);

        for (int64_t radix = 2; radix <= ranks; radix++) {
            struct nuce_schedule schedule = build("tuna", &pattern, radix);

            assert_int_equal(schedule.discipline, NUCE_FORWARD);
            assert_int_equal(bytes_sent(&schedule), bytes_moved(&pattern, radix));
            assert_true(schedule.phases <= nuce_store_forward_rounds(ranks, radix));
            nuce_schedule_fini(&schedule);
        }
        nuce_pattern_fini(&pattern);
    }
}

/* Each of 1 .. ranks - 1 is the step of one round or of none, and with the digits of the others all
 * distances are made. */
static void test_rounds(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= 40; ranks++) {
        for (int64_t radix = 2; radix <= ranks; radix++) {
            int rounds = nuce_store_forward_rounds(ranks, radix), expected = 0, before = 0;

            for (int distance = 1; distance < ranks; distance++)
                expected += digits_not_zero(distance, radix) == 1;
            assert_int_equal(rounds, expected);
            for (int round = 0; round < rounds; round++) {
                int step = nuce_store_forward_step(ranks, radix, round);

                assert_int_equal(digits_not_zero(step, radix), 1);
                assert_true(step > before && step < ranks);
                before = step;
            }
        }
    }
    assert_int_equal(nuce_store_forward_rounds(1024, 2), 10);
    assert_int_equal(nuce_store_forward_rounds(1024, 1024), 1023);
    assert_int_equal(nuce_store_forward_rounds(1, 2), 0);
}

/* Every rank has a slot for every distance of the round, filled or not. */
static void test_padded(void **state)
{
    (void)state;
    for (int ranks = 2; ranks <= MOST_RANKS; ranks++) {
        struct nuce_message one = {0, ranks - 1, 30};
        struct nuce_pattern pattern;
        struct nuce_error error = {0};

        assert_int_equal(nuce_pattern_init(ranks, &one, 1, &pattern, &error), NUCE_OK);
        for (int64_t radix = 2; radix <= ranks; radix++) {
            struct nuce_schedule schedule = build("bruck-padded", &pattern, radix);
            int64_t slots = 0;

            for (int distance = 1; distance < ranks; distance++)
                slots += digits_not_zero(distance, radix);
            assert_int_equal(schedule.phases, nuce_store_forward_rounds(ranks, radix));
            assert_int_equal(schedule.pieces, schedule.phases * ranks);
            assert_int_equal(bytes_sent(&schedule), slots * ranks * 30);
            nuce_schedule_fini(&schedule);
        }
        nuce_pattern_fini(&pattern);
    }
}

/* auto: the least of all that it says it tried, which are 1 to log2 digits. */
static void test_auto(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        struct nuce_pattern pattern = uneven(ranks, 1);
        struct nuce_schedule schedule = build("tuna", &pattern, 0);
        struct nuce_network network;
        struct nuce_error error = {0};
        double makespan;

        assert_int_equal(nuce_network_preset("cm5", ranks, &network, &error), NUCE_OK);
        assert_int_equal(nuce_execution_of(&schedule, &network), NUCE_LOOSE);
        assert_int_equal(
            nuce_execution_makespan(&schedule, &network, NUCE_LOOSE, &makespan, &error), NUCE_OK);
        assert_true(schedule.candidates >= 1);
        for (int i = 0; i < schedule.candidates; i++)
            assert_true(makespan <= schedule.candidate[i].makespan);
        assert_true(makespan >= schedule.candidate[schedule.chosen].makespan);
        assert_string_equal(schedule.candidate[schedule.candidates - 1].name, "radix 2");
        nuce_schedule_fini(&schedule);
        nuce_pattern_fini(&pattern);
    }
}

/* On a machine of long startups the fewest rounds win, on one without the fewest bytes. */
static void test_extremes(void **state)
{
    struct nuce_pattern pattern = uneven(16, 0);
    struct nuce_schedule_input input = {.pattern = &pattern, .rng = nuce_rng_create(1, 0)};
    struct nuce_schedule schedule;
    struct nuce_network network;
    struct nuce_error error = {0};

    (void)state;
    input.network = &network;
    assert_int_equal(nuce_network_uniform(16, 1, 1e9, &network, &error), NUCE_OK);
    assert_int_equal(nuce_schedule_create(nuce_schedule_find("tuna"), &input, &schedule, &error),
                     NUCE_OK);
    assert_string_equal(schedule.candidate[schedule.chosen].name, "radix 2");
    nuce_schedule_fini(&schedule);
    assert_int_equal(nuce_network_uniform(16, 0, 1, &network, &error), NUCE_OK);
    assert_int_equal(nuce_schedule_create(nuce_schedule_find("tuna"), &input, &schedule, &error),
                     NUCE_OK);
    assert_string_equal(schedule.candidate[schedule.chosen].name, "radix 16");
    nuce_schedule_fini(&schedule);
    nuce_pattern_fini(&pattern);
}

/* Nodes in blocks, in turn, and of unlike sizes; a node of every number up to the last. */
static int node_by_shape(int shape, int ranks, int i)
{
    switch (shape) {
    case 0:
        return i / 3;
    case 1:
        return i % (ranks < 4 ? ranks : 4);
    case 2:
        return i < 2 ? 0 : i < 7 ? 1 : 2;
    default:
        return 0;
    }
}

/* Every byte between nodes goes once from node to node, straight to its destination, and no rank
 * sends more transfers to a node than that has ranks with its number. */
static void check_levels(const struct nuce_schedule *schedule, const struct nuce_pattern *pattern,
                         const int *node_of)
{
    int64_t between = 0, wanted = 0;

    for (int i = 0; i < schedule->ranks; i++) {
        for (int64_t k = schedule->send_start[i]; k < schedule->send_start[i + 1]; k++) {
            const struct nuce_load *load = &schedule->loads[k];
            int peer = schedule->sends[k].peer;

            if (node_of[peer] == node_of[i])
                continue;
            between += schedule->sends[k].bytes;
            for (int64_t n = load->first; n < load->first + load->count; n++)
                assert_int_equal(schedule->parcels[n].destination, peer);
            for (int64_t n = schedule->send_start[i]; n < k; n++)
                assert_int_not_equal(schedule->sends[n].peer, peer);
        }
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++)
            wanted += node_of[pattern->destination[k]] != node_of[i] ? pattern->bytes[k] : 0;
    }
    assert_int_equal(between, wanted);
}

static void test_two_levels(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        struct nuce_pattern pattern = uneven(ranks, ranks % 2);

        for (int shape = 0; shape < 4; shape++) {
            struct nuce_tuning tuning = nuce_tuning_preset;
            struct nuce_schedule_input input = {
                .pattern = &pattern, .tuning = &tuning, .rng = nuce_rng_create(1, 0)};
            struct nuce_schedule schedule;
            struct nuce_error error = {0};
            int node_of[MOST_RANKS];

            for (int i = 0; i < ranks; i++)
                node_of[i] = node_by_shape(shape, ranks, i);
            input.node_of = node_of;
            for (tuning.radix = 0; tuning.radix <= 2; tuning.radix += 2) {
                assert_int_equal(nuce_schedule_create(nuce_schedule_find("tuna-nodes"), &input,
                                                      &schedule, &error),
                                 NUCE_OK);
                if (nuce_schedule_validate(&schedule, &pattern, &error) != NUCE_OK)
                    fail_msg("%d ranks, shape %d: %s", ranks, shape, error.message);
                check_levels(&schedule, &pattern, node_of);
                nuce_schedule_fini(&schedule);
            }
        }
        nuce_pattern_fini(&pattern);
    }
}

/* 4 nodes of 4, all to all: 2 rounds inside in radix 2, 3 between; told and found nodes are alike.
 */
static void test_blocks(void **state)
{
    struct nuce_pattern pattern;
    struct nuce_message messages[256];
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_schedule_input input = {
        .pattern = &pattern, .tuning = &tuning, .rng = nuce_rng_create(1, 0)};
    struct nuce_schedule schedule;
    struct nuce_error error = {0};

    (void)state;
    for (int k = 0; k < 256; k++)
        messages[k] = (struct nuce_message){k / 16, k % 16, k / 16 == k % 16 ? 0 : 10};
    assert_int_equal(nuce_pattern_init(16, messages, 256, &pattern, &error), NUCE_OK);
    tuning.radix = 2;
    tuning.node_ranks = 4;
    assert_int_equal(
        nuce_schedule_create(nuce_schedule_find("tuna-nodes"), &input, &schedule, &error), NUCE_OK);
    assert_int_equal(schedule.phases, 2 + 3);
    assert_int_equal(schedule.pieces, 16 * (2 + 3));
    nuce_schedule_fini(&schedule);
    tuning.node_ranks = 17;
    assert_int_equal(
        nuce_schedule_create(nuce_schedule_find("tuna-nodes"), &input, &schedule, &error),
        NUCE_BAD_INPUT);
    assert_non_null(
        strstr(nuce_error_flatten(&error), "node-ranks: '17': expected 1 to the number"));
    tuning.node_ranks = 4;
    tuning.radix = 5;
    assert_int_equal(
        nuce_schedule_create(nuce_schedule_find("tuna-nodes"), &input, &schedule, &error),
        NUCE_BAD_INPUT);
    assert_non_null(
        strstr(nuce_error_flatten(&error), "radix: '5': expected 2 to the ranks of the"));
    nuce_pattern_fini(&pattern);
}

static void test_bad_radix(void **state)
{
    static const int64_t bad[] = {1, -3, 5};
    struct nuce_pattern pattern = uneven(4, 0);

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct nuce_tuning tuning = nuce_tuning_preset;
        struct nuce_schedule_input input = {
            .pattern = &pattern, .tuning = &tuning, .rng = nuce_rng_create(1, 0)};
        struct nuce_schedule schedule;
        struct nuce_error error = {0};

        tuning.radix = bad[i];
        assert_int_equal(
            nuce_schedule_create(nuce_schedule_find("tuna"), &input, &schedule, &error),
            NUCE_BAD_INPUT);
        assert_non_null(strstr(nuce_error_flatten(&error), "radix: '"));
        assert_non_null(strstr(nuce_error_flatten(&error), "expected 2 to the number of ranks, 4"));
    }
    nuce_pattern_fini(&pattern);
}

/* Three ranks, radix 2: message 0 -> 2 is distance 2, one hop in phase 1; 0 -> 1 and 1 -> 2 one hop
 * in phase 0; 2 -> 1 is distance 2. With a second hop made by hand: 0 -> 1 -> 2 in phases 0 and 1.
 */
static void make_by_hand(struct nuce_pattern *pattern, struct nuce_schedule *schedule)
{
    static const struct nuce_message messages[] = {{0, 2, 8}, {1, 2, 4}};
    const struct nuce_parcel there[] = {{0, 2, 8, 0}, {1, 2, 4, 0}};
    struct nuce_schedule_builder builder;
    struct nuce_error error = {0};

    assert_int_equal(nuce_pattern_init(3, messages, 2, pattern, &error), NUCE_OK);
    nuce_schedule_builder_init(&builder, 3, NUCE_FORWARD);
    nuce_schedule_add_load(&builder, 0, 1, 0, 8, there, 1);
    nuce_schedule_add_load(&builder, 1, 2, 1, 12, there, 2);
    nuce_schedule_build_end(&builder, schedule);
}

static void wrong_bytes(struct nuce_schedule *s)
{
    s->parcels[0].bytes = 7;
}

static void too_long(struct nuce_schedule *s)
{
    s->parcels[0].bytes = 9;
}

static void another_part(struct nuce_schedule *s)
{
    s->parcels[0].offset = s->parcels[1].offset = 1;
    s->parcels[0].bytes = s->parcels[1].bytes = 7;
}

static void too_short(struct nuce_schedule *s)
{
    s->parcels[0].bytes = s->parcels[1].bytes = 7;
}

static void wrong_end(struct nuce_schedule *s)
{
    s->parcels[0].destination = 1;
}

static void no_source(struct nuce_schedule *s)
{
    s->parcels[0].source = -1;
}

static void too_early(struct nuce_schedule *s)
{
    s->sends[1].phase = s->receives[1].phase = 0;
}

static void too_much(struct nuce_schedule *s)
{
    s->sends[1].bytes = s->receives[1].bytes = 11;
}

static void left_behind(struct nuce_schedule *s)
{
    s->loads[1].count = 1;
}

static void left_half_way(struct nuce_schedule *s)
{
    s->loads[1].first++;
    s->loads[1].count--;
}

static void from_elsewhere(struct nuce_schedule *s)
{
    s->loads[0].first = 2;
}

/* Ranks 0 and 1 may send both others in one phase, but neither twice. A message of 8 bytes goes in
 * two parts, one of them by way of rank 1. */
static void test_parts(void **state)
{
    static const struct nuce_message messages[] = {{0, 2, 8}, {1, 2, 4}};
    const struct nuce_parcel first = {0, 2, 3, 0}, second = {0, 2, 5, 3};
    const struct nuce_parcel later[] = {{1, 2, 4, 0}, {0, 2, 3, 0}};
    struct nuce_schedule_builder builder;
    struct nuce_schedule schedule;
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    (void)state;
    assert_int_equal(nuce_pattern_init(3, messages, 2, &pattern, &error), NUCE_OK);
    nuce_schedule_builder_init(&builder, 3, NUCE_FORWARD);
    nuce_schedule_add_load(&builder, 0, 1, 0, 3, &first, 1);
    nuce_schedule_add_load(&builder, 0, 2, 0, 5, &second, 1);
    nuce_schedule_add_load(&builder, 1, 2, 1, 7, later, 2);
    nuce_schedule_build_end(&builder, &schedule);
    assert_int_equal(nuce_schedule_validate(&schedule, &pattern, &error), NUCE_OK);
    schedule.sends[1].peer = 1; /* in phase 0, as the first */
    schedule.sends[1].phase = 0;
    assert_int_equal(nuce_schedule_validate(&schedule, &pattern, &error), NUCE_CORRUPT);
    assert_string_equal(nuce_error_flatten(&error),
                        "forward: rank 0 sends to rank 1 twice in phase 0");
    nuce_schedule_fini(&schedule);
    nuce_pattern_fini(&pattern);
}

static void test_lost(void **state)
{
    static const struct {
        void (*apply)(struct nuce_schedule *schedule);
        const char *message;
    } broken[] = {
        {wrong_bytes,
         "in phase 1 8 bytes of the message from rank 0 to rank 2, which came to it as 7"},
        {too_long, "in phase 0 9 bytes from rank 0 for rank 2: there is no such message"},
        {another_part, "a part of the message begins with byte 1: expected 0"},
        {too_short, "rank 0 to rank 2: the parts of the message end with byte 7: expected 8"},
        {wrong_end, "8 bytes from rank 0 for rank 1: there is no such message"},
        {no_source, "8 bytes from rank -1 for rank 2: there is no such message"},
        {too_early, "from rank 0 to rank 2, which is with rank 1 since phase 0"},
        {too_much, "rank 1 sends rank 2 in phase 1 11 bytes: its parcels are more"},
        {left_behind, "rank 1 to rank 2: the message ends at rank 1, which never sends it"},
        {left_half_way, "rank 0 to rank 2: the message ends at rank 1"},
        {from_elsewhere, "from rank 0 to rank 2, which is with rank 0 since phase -1"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct nuce_pattern pattern;
        struct nuce_schedule schedule;
        struct nuce_error error = {0};

        make_by_hand(&pattern, &schedule);
        assert_int_equal(nuce_schedule_validate(&schedule, &pattern, &error), NUCE_OK);
        broken[i].apply(&schedule);
        assert_int_equal(nuce_schedule_validate(&schedule, &pattern, &error), NUCE_CORRUPT);
        if (strstr(error.message, broken[i].message) == NULL)
            fail_msg("'%s' is not in '%s'", broken[i].message, error.message);
        nuce_schedule_fini(&schedule);
        nuce_pattern_fini(&pattern);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hops),       cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_padded),     cmocka_unit_test(test_auto),
        cmocka_unit_test(test_extremes),   cmocka_unit_test(test_bad_radix),
        cmocka_unit_test(test_two_levels), cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_lost),       cmocka_unit_test(test_parts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
