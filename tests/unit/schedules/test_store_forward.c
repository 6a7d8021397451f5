/* Store and forward: every message goes by the digits of its distance, in as many rounds as the
 * heads say; and the radix that auto takes is the best that was tried. */
#include "cases.h"
#include "schedules/generator.h"
#include "schedules/store_forward.h"

#define MOST_RANKS 17

static struct nuce_schedule build_radix(const char *name, const struct nuce_pattern *pattern,
                                        int64_t radix)
{
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_schedule_input input = {
        .pattern = pattern, .tuning = &tuning, .rng = nuce_rng_create(1, 0)};

    tuning.radix = radix;
    return build(name, &input);
}

/* Sizes that differ, and some pairs with nothing. */
static struct nuce_pattern uneven(int ranks, int with_own)
{
    struct nuce_message messages[MOST_RANKS * MOST_RANKS];
    int64_t count = 0;

    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < ranks; j++) {
            if (i != j || with_own)
                messages[count++] = (struct nuce_message){i, j, (7 * i + 3 * j) % 5 * 10};
        }
    }
    return make_pattern(ranks, messages, count);
}

static int digits_not_zero(int64_t number, int64_t radix)
{
    int count = 0;

    for (; number > 0; number /= radix)
        count += number % radix != 0;
    return count;
}

/* The bytes of all hops: each message as often as its distance has digits other than 0. */
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
    for (int ranks = 2; ranks <= MOST_RANKS; ranks++) {
        OWNED(pattern) pattern = uneven(ranks, ranks % 2);

        for (int64_t radix = 2; radix <= ranks; radix++) {
            OWNED(schedule) schedule = build_radix("tuna", &pattern, radix);

            assert_int_equal(schedule.discipline, NUCE_FORWARD);
            assert_int_equal(bytes_sent(&schedule), bytes_moved(&pattern, radix));
            assert_true(schedule.phases <= nuce_store_forward_rounds(ranks, radix));
        }
    }
}

/* Each of 1 .. ranks - 1 is the step of one round or of none, and with the digits of the others all
 * distances are made. */
static void test_rounds(void **state)
{
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
    for (int ranks = 2; ranks <= MOST_RANKS; ranks++) {
        struct nuce_message one = {0, ranks - 1, 30};
        OWNED(pattern) pattern;

        assert_ok(nuce_pattern_init(ranks, &one, 1, &pattern, ANY_ERROR));
        for (int64_t radix = 2; radix <= ranks; radix++) {
            OWNED(schedule) schedule = build_radix("bruck-padded", &pattern, radix);
            int64_t slots = 0;

            for (int distance = 1; distance < ranks; distance++)
                slots += digits_not_zero(distance, radix);
            assert_int_equal(schedule.phases, nuce_store_forward_rounds(ranks, radix));
            assert_int_equal(schedule.pieces, schedule.phases * ranks);
            assert_int_equal(bytes_sent(&schedule), slots * ranks * 30);
        }
    }
}

/* auto: the least of all that it says it tried, which are 1 to log2 digits. */
static void test_auto(void **state)
{
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        OWNED(pattern) pattern = uneven(ranks, 1);
        OWNED(schedule) schedule = build_radix("tuna", &pattern, 0);
        struct nuce_network network;
        double makespan;

        assert_ok(nuce_network_preset("cm5", ranks, &network, ANY_ERROR));
        assert_int_equal(nuce_execution_of(&schedule, &network), NUCE_LOOSE);
        makespan = makespan_of(&schedule, &network, NUCE_LOOSE);
        assert_true(schedule.candidates >= 1);
        for (int i = 0; i < schedule.candidates; i++)
            assert_true(makespan <= schedule.candidate[i].makespan);
        assert_true(makespan >= schedule.candidate[schedule.chosen].makespan);
        assert_string_equal(schedule.candidate[schedule.candidates - 1].name, "radix 2");
    }
}

/* On a machine of long startups the fewest rounds win, on one without the fewest bytes. */
static void test_extremes(void **state)
{
    OWNED(pattern) pattern = uneven(16, 0);
    struct nuce_schedule_input input = {.pattern = &pattern, .rng = nuce_rng_create(1, 0)};
    OWNED(schedule) schedule;
    struct nuce_network network;

    input.network = &network;
    assert_ok(nuce_network_uniform(16, 1, 1e9, &network, ANY_ERROR));
    schedule = build("tuna", &input);
    assert_string_equal(schedule.candidate[schedule.chosen].name, "radix 2");
    nuce_schedule_fini(&schedule);
    assert_ok(nuce_network_uniform(16, 0, 1, &network, ANY_ERROR));
    schedule = build("tuna", &input);
    assert_string_equal(schedule.candidate[schedule.chosen].name, "radix 16");
}

/* Every byte between nodes goes once from node to node, straight to its destination, and no rank
 * sends more transfers to a node than that has ranks with its number. */
static void check_levels(const struct nuce_schedule_input *given)
{
    const struct nuce_pattern *pattern = given->pattern;
    const int *node_of = given->node_of;
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_schedule_input input = *given;

    input.tuning = &tuning;
    for (tuning.radix = 0; tuning.radix <= 2; tuning.radix += 2) {
        int64_t left = 0;
        OWNED(schedule) schedule = build("tuna-nodes", &input);

        for (int i = 0; i < schedule.ranks; i++) {
            for (int64_t k = schedule.send_start[i]; k < schedule.send_start[i + 1]; k++) {
                const struct nuce_load *load = &schedule.loads[k];
                int peer = schedule.sends[k].peer;

                if (node_of[peer] == node_of[i])
                    continue;
                left -= schedule.sends[k].bytes;
                for (int64_t n = load->first; n < load->first + load->count; n++)
                    assert_int_equal(schedule.parcels[n].destination, peer);
                for (int64_t n = schedule.send_start[i]; n < k; n++)
                    assert_int_not_equal(schedule.sends[n].peer, peer);
            }
            for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++)
                left += node_of[pattern->destination[k]] != node_of[i] ? pattern->bytes[k] : 0;
        }
        assert_int_equal(left, 0);
    }
}

static void test_two_levels(void **state)
{
    on_all_nodes(check_levels);
}

/* 4 nodes of 4, all to all: 2 rounds inside in radix 2, 3 between; given and found nodes give the
 * same.
 */
static void test_blocks(void **state)
{
    OWNED(pattern) pattern;
    struct nuce_message messages[256];
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_schedule_input input = {
        .pattern = &pattern, .tuning = &tuning, .rng = nuce_rng_create(1, 0)};
    struct nuce_schedule schedule;

    for (int k = 0; k < 256; k++)
        messages[k] = (struct nuce_message){k / 16, k % 16, k / 16 == k % 16 ? 0 : 10};
    pattern = make_pattern(16, messages, 256);
    tuning.radix = 2;
    tuning.node_ranks = 4;
    schedule = build("tuna-nodes", &input);
    assert_int_equal(schedule.phases, 2 + 3);
    assert_int_equal(schedule.pieces, 16 * (2 + 3));
    nuce_schedule_fini(&schedule);
    tuning.node_ranks = 17;
    refuse("tuna-nodes", &input, "node-ranks: '17': expected 1 to the number");
    tuning.node_ranks = 4;
    tuning.radix = 5;
    refuse("tuna-nodes", &input, "radix: '5': expected 2 to the ranks of the");
}

static void test_bad_radix(void **state)
{
    static const char *const messages[] = {"radix: '1': expected 2 to the number of ranks, 4",
                                           "radix: '-3': expected 2 to the number of ranks, 4",
                                           "radix: '5': expected 2 to the number of ranks, 4"};
    static const int64_t bad[] = {1, -3, 5};
    struct nuce_tuning tuning = nuce_tuning_preset;
    OWNED(pattern) pattern = uneven(4, 0);
    struct nuce_schedule_input input = {
        .pattern = &pattern, .tuning = &tuning, .rng = nuce_rng_create(1, 0)};

    for (size_t i = 0; i < COUNT(bad); i++) {
        tuning.radix = bad[i];
        refuse("tuna", &input, messages[i]);
    }
}

RUN(test_hops, test_rounds, test_padded, test_auto, test_extremes, test_bad_radix, test_two_levels,
    test_blocks)
