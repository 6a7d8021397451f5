#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "schedules/schedule.h"

static void add(struct nuce_schedule_builder *builder, int source, int destination, int phase,
                int64_t offset)
{
    nuce_schedule_add(builder, source, destination, phase, offset, 10);
}

static void assert_transfer(const struct nuce_transfer *transfer, int peer, int phase,
                            int64_t offset)
{
    assert_int_equal(transfer->peer, peer);
    assert_int_equal(transfer->phase, phase);
    assert_int_equal(transfer->offset, offset);
    assert_int_equal(transfer->bytes, 10);
}

/* Pieces come out by phase, within a phase in the order in which they were added. */
static void test_order(void **state)
{
    static const int64_t send_start[] = {0, 3, 4, 4}, receive_start[] = {0, 1, 2, 4};
    struct nuce_schedule_builder builder;
    struct nuce_schedule schedule;

    (void)state;
    nuce_schedule_builder_init(&builder, 3, NUCE_POST_ALL);
    nuce_schedule_reserve(&builder, 2);
    add(&builder, 0, 2, 5, 0);
    add(&builder, 0, 1, 2, 7);
    add(&builder, 0, 2, 2, 3);
    add(&builder, 1, 0, 0, 0);
    assert_int_equal(builder.phases, 6);
    nuce_schedule_build_end(&builder, &schedule);
    assert_null(builder.pieces);
    assert_int_equal(schedule.ranks, 3);
    assert_int_equal(schedule.phases, 6);
    assert_int_equal(schedule.pieces, 4);
    assert_int_equal(schedule.discipline, NUCE_POST_ALL);
    assert_memory_equal(schedule.send_start, send_start, sizeof send_start);
    assert_memory_equal(schedule.receive_start, receive_start, sizeof receive_start);
    assert_transfer(&schedule.sends[0], 1, 2, 7);
    assert_transfer(&schedule.sends[1], 2, 2, 3);
    assert_transfer(&schedule.sends[2], 2, 5, 0);
    assert_transfer(&schedule.sends[3], 0, 0, 0);
    assert_transfer(&schedule.receives[0], 1, 0, 0);
    assert_transfer(&schedule.receives[1], 0, 2, 7);
    assert_transfer(&schedule.receives[2], 0, 2, 3);
    assert_transfer(&schedule.receives[3], 0, 5, 0);
    nuce_schedule_fini(&schedule);
    assert_null(schedule.sends);
    nuce_schedule_fini(&schedule);
}

/* Lists that are filled as the pieces come are those that would be made of them at the end. */
static void test_expected(void **state)
{
    static const struct nuce_message messages[] = {{0, 1, 10}, {0, 2, 10}, {1, 0, 10}, {2, 2, 10}};
    struct nuce_schedule_builder builder;
    struct nuce_schedule schedule[2];
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    (void)state;
    assert_int_equal(nuce_pattern_init(3, messages, 4, &pattern, &error), NUCE_OK);
    for (int i = 0; i < 2; i++) {
        nuce_schedule_builder_init(&builder, 3, NUCE_POST_ALL);
        if (i == 0)
            nuce_schedule_expect(&builder, &pattern);
        add(&builder, 2, 2, 1, 0);
        add(&builder, 0, 2, 4, 0);
        add(&builder, 1, 0, 0, 0);
        add(&builder, 0, 1, 5, 0);
        nuce_schedule_build_end(&builder, &schedule[i]);
        assert_int_equal(schedule[i].phases, 6);
        assert_int_equal(schedule[i].pieces, 4);
    }
    assert_int_equal(nuce_schedule_validate(&schedule[0], &pattern, &error), NUCE_OK);
    assert_memory_equal(schedule[0].sends, schedule[1].sends, 4 * sizeof *schedule[0].sends);
    assert_memory_equal(schedule[0].receives, schedule[1].receives, 4 * sizeof *schedule[0].sends);
    assert_memory_equal(schedule[0].receive_of, schedule[1].receive_of, 4 * sizeof(int64_t));
    assert_transfer(&schedule[0].sends[0], 2, 4, 0);
    for (int i = 0; i < 2; i++)
        nuce_schedule_fini(&schedule[i]);
    nuce_schedule_builder_init(&builder, 3, NUCE_POST_ALL);
    nuce_schedule_expect(&builder, &pattern);
    nuce_schedule_builder_fini(&builder); /* as after an error */
    nuce_pattern_fini(&pattern);
}

/* The same of loads, and the parcels of all are one behind the other. */
static void test_expected_loads(void **state)
{
    static const int64_t sends[] = {2, 1, 0}, receives[] = {0, 1, 2};
    static const struct nuce_parcel first = {0, 2, 8, 0}, second[] = {{1, 2, 4, 0}, {0, 2, 8, 0}};
    struct nuce_schedule_builder builder;
    struct nuce_schedule schedule[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        nuce_schedule_builder_init(&builder, 3, NUCE_FORWARD);
        if (i == 0)
            nuce_schedule_expect_loads(&builder, sends, receives, 4);
        nuce_schedule_add_load(&builder, 0, 1, 0, 8, &first, 1);
        nuce_schedule_add_load(&builder, 0, 2, 1, 5, NULL, 0);
        nuce_schedule_add_load(&builder, 1, 2, 2, 12, second, 2);
        nuce_schedule_build_end(&builder, &schedule[i]);
        assert_int_equal(schedule[i].phases, 3);
        assert_int_equal(schedule[i].pieces, 3);
    }
    assert_memory_equal(schedule[0].sends, schedule[1].sends, 3 * sizeof *schedule[0].sends);
    assert_memory_equal(schedule[0].receives, schedule[1].receives, 3 * sizeof *schedule[0].sends);
    assert_memory_equal(schedule[0].receive_of, schedule[1].receive_of, 3 * sizeof(int64_t));
    assert_memory_equal(schedule[0].loads, schedule[1].loads, 3 * sizeof *schedule[0].loads);
    assert_memory_equal(schedule[0].parcels, schedule[1].parcels, 3 * sizeof first);
    for (int i = 0; i < 2; i++)
        nuce_schedule_fini(&schedule[i]);
    nuce_schedule_builder_init(&builder, 3, NUCE_FORWARD);
    nuce_schedule_expect_loads(&builder, sends, receives, 4);
    nuce_schedule_builder_fini(&builder); /* as after an error */
}

/* Phase numbers of every size, sorted stably whatever the number of digits. */
static void test_large_phases(void **state)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct nuce_schedule_builder builder;
    struct nuce_schedule schedule;

    (void)state;
    nuce_schedule_builder_init(&builder, 1, NUCE_POST_ALL);
    for (int k = 0; k < 20000; k++)
        add(&builder, 0, 0, (int)(nuce_rng_next(&rng) >> (34 + nuce_rng_below(&rng, 30))), k);
    assert_true(builder.phases > 1 << 22);
    nuce_schedule_build_end(&builder, &schedule);
    for (int k = 1; k < 20000; k++) {
        const struct nuce_transfer *a = &schedule.sends[k - 1], *b = &schedule.sends[k];

        assert_true(a->phase < b->phase || (a->phase == b->phase && a->offset < b->offset));
    }
    nuce_schedule_fini(&schedule);
}

static void test_empty(void **state)
{
    struct nuce_schedule_builder builder;
    struct nuce_schedule schedule;

    (void)state;
    nuce_schedule_builder_init(&builder, 2, NUCE_STREAMS);
    assert_int_equal(builder.depth, 1);
    builder.phases = 7;
    nuce_schedule_build_end(&builder, &schedule);
    assert_int_equal(schedule.phases, 7);
    assert_int_equal(schedule.pieces, 0);
    assert_int_equal(schedule.send_start[2], 0);
    nuce_schedule_fini(&schedule);
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(nuce_discipline_name(NUCE_POST_ALL), "post-all");
    assert_string_equal(nuce_discipline_name(NUCE_LOCKSTEP), "lockstep");
    assert_string_equal(nuce_discipline_name(NUCE_STREAMS), "streams");
    assert_string_equal(nuce_discipline_name(NUCE_BLOCKING), "blocking");
    assert_string_equal(nuce_discipline_name(NUCE_FORWARD), "forward");
    assert_string_equal(nuce_discipline_name(NUCE_DYNAMIC), "dynamic");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),          cmocka_unit_test(test_expected),
        cmocka_unit_test(test_expected_loads), cmocka_unit_test(test_large_phases),
        cmocka_unit_test(test_empty),          cmocka_unit_test(test_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
