/* TWILL: every group gets its part of a rank's bytes at any time, however unequal messages and
 * groups are; the ranks of a group begin with different groups and destinations; groups come from
 * any of their sources; and in-flight bounds the sends under way. FAST: the stages between nodes,
 * and their schedule. */
#include "cases.h"
#include "schedules/birkhoff.h"
#include "schedules/generator.h"

/* Everybody sends everybody else as much. */
static struct nuce_pattern make_all(int ranks)
{
    struct nuce_message messages[NODE_RANKS * NODE_RANKS];
    int count = 0;

    for (int k = 0; k < ranks * ranks; k++) {
        if (k / ranks != k % ranks)
            messages[count++] = (struct nuce_message){k / ranks, k % ranks, 8};
    }
    return make_pattern(ranks, messages, count);
}

/* The bytes that rank i has for a group, and the longest message of it. */
struct share {
    double total, longest, done;
};

static void check_shares(const struct nuce_schedule *s, const int *group_of, int rank)
{
    struct share share[NODE_RANKS] = {{0}};

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

static void check_all_shares(const struct nuce_schedule_input *input)
{
    OWNED(schedule) schedule = build("twill", input);

    assert_int_equal(schedule.depth, 32);
    for (int i = 0; i < schedule.ranks; i++)
        check_shares(&schedule, input->group_of, i);
}

static void test_shares(void **state)
{
    on_all_nodes(check_all_shares);
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
    OWNED(pattern) pattern = make_all(4);
    struct nuce_schedule_input input = {
        .pattern = &pattern, .tuning = &tuning, .rng = nuce_rng_create(1, 0)};

    for (int pass = 0; pass < 2; pass++) {
        OWNED(schedule) schedule;

        input.group_of = pass == 0 ? NULL : group_of;
        tuning.group_ranks = pass == 0 ? 2 : 0;
        schedule = build("twill", &input);
        for (int k = 0; k < 12; k++)
            assert_int_equal(schedule.sends[k].peer,
                             pass == 0 ? by_blocks[k / 3][k % 3] : by_turns[k / 3][k % 3]);
    }
}

/* In the first sends of all no rank, and so no group, gets more than one rank's, and as much leaves
 * each group as comes to it. */
static void test_first(void **state)
{
    for (int groups = 2; groups <= 4; groups++) {
        struct nuce_tuning tuning = nuce_tuning_preset;
        int got[NODE_RANKS] = {0};
        OWNED(pattern) pattern;
        OWNED(schedule) schedule;

        tuning.group_ranks = 4;
        pattern = make_all(4 * groups);
        schedule = build_tuned("twill", &pattern, &tuning);
        for (int i = 0; i < 4 * groups; i++)
            got[schedule.sends[schedule.send_start[i]].peer]++;
        for (int i = 0; i < 4 * groups; i++)
            assert_int_equal(got[i], 1);
    }
}

/* The text's network, else that of the caller; else it is refused. */
static void test_sources(void **state)
{
    static const char text[] = "ranks 4\nbetween 0 9\nblock 1\nunder all 0\nunder 2 1\n";
    int group_of[] = {0, 1, 1, 1};
    OWNED(pattern) pattern = make_all(4);
    struct nuce_network network;
    struct nuce_schedule_input input = {
        .pattern = &pattern, .network = &network, .rng = nuce_rng_create(1, 0)};
    struct nuce_schedule schedule;

    assert_ok(nuce_network_parse("t", text, strlen(text), 4, &network, ANY_ERROR));
    schedule = build("twill", &input);
    assert_int_equal(schedule.sends[0].peer, 2); /* alone in its group */
    assert_int_equal(schedule.sends[1].peer, 1);
    nuce_schedule_fini(&schedule);
    input.group_of = group_of;
    schedule = build("twill", &input);
    assert_int_equal(schedule.sends[0].peer, 2); /* number 1 of three */
    assert_int_equal(schedule.sends[1].peer, 3);
    nuce_schedule_fini(&schedule);
    nuce_network_fini(&network);
    input.group_of = NULL;
    input.network = NULL;
    refuse("twill", &input, "group-ranks: ");
}

/* By hand: rank 0 of two groups of two sends 8 bytes to each other, 1 s startup, 8 B/s: a window of
 * 1 has them one after the other, of 2 two at a time, by each a path of its own. */
static void test_window(void **state)
{
    static const double seconds[] = {6, 4, 2};
    struct nuce_tuning tuning = nuce_tuning_preset;
    struct nuce_network network = {.ranks = 4, .startup = 1, .bandwidth = 8, .gap = 1e-9};
    OWNED(pattern) pattern = pattern_of(4, "0>1:8 0>2:8 0>3:8");
    struct nuce_schedule_input input = {
        .pattern = &pattern, .network = &network, .tuning = &tuning, .rng = nuce_rng_create(1, 0)};

    tuning.group_ranks = 2;
    for (tuning.in_flight = 1; tuning.in_flight <= 3; tuning.in_flight++) {
        OWNED(schedule) schedule = build("twill", &input);

        assert_near(makespan_of(&schedule, &network, NUCE_FLUID), seconds[tuning.in_flight - 1],
                    1e-6);
    }
}

#define MOST 12

/* The largest sum of a row or a column. */
static int64_t largest_sum(const int64_t *work, int size)
{
    int64_t largest = 0;

    for (int i = 0; i < size; i++) {
        int64_t row = 0, column = 0;

        for (int j = 0; j < size; j++) {
            row += work[i * size + j];
            column += work[j * size + i];
        }
        largest = row > largest ? row : largest;
        largest = column > largest ? column : largest;
    }
    return largest;
}

/* Subtracts the stages' bytes: no pair meets twice in one, and none is longer than its length.
 * Returns their total length. */
static int64_t check_stages(const struct nuce_stages *stages, int64_t *work, int size)
{
    int64_t length = 0;

    for (int64_t s = 0; s < stages->count; s++) {
        int seen[MOST] = {0};

        length += stages->length[s];
        for (int i = 0; i < size; i++) {
            const struct nuce_meeting_part *part = &stages->part[s * size + i];

            if (part->column < 0)
                continue;
            assert_true(part->column < size && part->column != i);
            assert_true(part->work > 0 && part->work <= stages->length[s]);
            assert_int_equal(seen[part->column]++, 0);
            work[i * size + part->column] -= part->work;
        }
    }
    for (int k = 0; k < size * size; k++)
        assert_true(work[k] == 0);
    return length;
}

static void test_stages(void **state)
{
    for (uint64_t number = 0; number < 500; number++) {
        struct nuce_rng rng = nuce_rng_create(3, number);
        int size = 1 + (int)nuce_rng_below(&rng, MOST);
        int64_t work[MOST * MOST] = {0}, taken[MOST * MOST], bound, length;
        OWNED(stages) stages;

        for (int k = 0; k < size * size; k++) {
            if (k / size != k % size && nuce_rng_below(&rng, 3) > 0)
                work[k] = 1 + (int64_t)nuce_rng_below(&rng, 1000);
        }
        bound = largest_sum(work, size);
        memcpy(taken, work, sizeof taken);
        nuce_birkhoff(size, taken, 1, 1 << 20, &stages);
        for (int k = 0; k < size * size; k++)
            assert_true(taken[k] == 0);
        memcpy(taken, work, sizeof taken);
        length = check_stages(&stages, taken, size);
        assert_true(length == bound); /* to the byte: none of the busiest rows ever idles */
        nuce_stages_fini(&stages);
        /* Nothing taken apart: entry by entry, whole. */
        memcpy(taken, work, sizeof taken);
        nuce_birkhoff(size, taken, 1, 0, &stages);
        memcpy(taken, work, sizeof taken);
        check_stages(&stages, taken, size);
    }
}

/* Two nodes of two. All that node 0 sends is rank 0's, and for rank 3: 8 bytes. Half of them go by
 * way of rank 1, which sends to rank 3, and the other half straight to rank 2, which sends them on
 * there. */
static void test_fast_by_hand(void **state)
{
    struct nuce_tuning tuning = nuce_tuning_preset;
    OWNED(pattern) pattern = pattern_of(4, "0>3:8");
    OWNED(schedule) schedule;

    tuning.node_ranks = 2;
    schedule = build_tuned("fast", &pattern, &tuning);
    assert_moves(&schedule, "0>1:4 | 0>2:4 1>3:4 | 2>3:4");
}

static void check_fast(const struct nuce_schedule_input *input)
{
    OWNED(schedule) schedule = build("fast", input);
}

static void test_fast_shapes(void **state)
{
    on_all_nodes(check_fast);
}

/* Its intended case: experts, one with 1 to 7 times the mean load, 4 nodes of 8 ranks with
 * a NIC of 25 GB/s each and 200 GB/s inside, 1 MiB per token: within 5 % of the lower bound. */
static void test_near_the_bound(void **state)
{
    static const char text[] = "ranks any\nblock 8\nwithin 1e-6 200e9\nbetween 2e-6 25e9\n"
                               "inside all 200e9 200e9\nrail all 25e9 25e9\ngap 0.2e-6\n";
    static const double imbalances[] = {1, 3, 7};
    OWNED(network) network;

    assert_ok(nuce_network_parse("t", text, strlen(text), 32, &network, ANY_ERROR));
    for (size_t k = 0; k < COUNT(imbalances); k++) {
        const struct nuce_generator_ops *generator = nuce_generator_find("moe");
        struct nuce_generator_input moe = {
            .ranks = 32, .tokens = 512, .experts = 32, .top_k = 2, .imbalance = imbalances[k]};
        struct nuce_rng rng = nuce_rng_create(1, k);
        OWNED(pattern) pattern;
        struct nuce_schedule_input input = {
            .pattern = &pattern, .network = &network, .rng = nuce_rng_create(1, 0)};
        OWNED(schedule) schedule;
        struct nuce_bounds bounds;
        double seconds;

        assert_ok(nuce_generators_draw(generator, &moe, &rng, &pattern, ANY_ERROR));
        for (int64_t n = 0; n < pattern.messages; n++)
            pattern.bytes[n] <<= 20;
        schedule = build("fast", &input);
        nuce_bounds_compute(&pattern, &network, &bounds);
        seconds = makespan_of(&schedule, &network, NUCE_FLUID);
        assert_true(seconds >= bounds.forwarded);
        assert_true(seconds <= 1.05 * bounds.forwarded);
    }
}

RUN(test_shares, test_order, test_first, test_sources, test_window, test_stages, test_fast_by_hand,
    test_fast_shapes, test_near_the_bound)
