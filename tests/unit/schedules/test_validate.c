#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "schedules/schedule.h"

/* Four ranks; the message from 0 to 1 is in two pieces; rank 3 has a message to itself. */
static const struct nuce_message messages[] = {
    {0, 1, 100},
    {1, 2, 50},
    {2, 0, 30},
    {3, 3, 5},
};

/* Sends and receives then stand as: sends 0: 0->1, 1: 0->1, 2: 1->2, 3: 2->0, 4: 3->3; receives
 * 0: 2->0, 1: 0->1, 2: 0->1, 3: 1->2, 4: 3->3. */
static void make(enum nuce_discipline discipline, struct nuce_pattern *pattern,
                 struct nuce_schedule *schedule)
{
    struct nuce_schedule_builder builder;
    struct nuce_error error = {0};

    assert_int_equal(nuce_pattern_init(4, messages, 4, pattern, &error), NUCE_OK);
    nuce_schedule_builder_init(&builder, 4, discipline);
    nuce_schedule_add(&builder, 0, 1, 0, 0, 60);
    nuce_schedule_add(&builder, 0, 1, 1, 60, 40);
    nuce_schedule_add(&builder, 1, 2, 0, 0, 50);
    nuce_schedule_add(&builder, 2, 0, 0, 0, 30);
    nuce_schedule_add(&builder, 3, 3, 2, 0, 5);
    nuce_schedule_build_end(&builder, schedule);
}

static void ranks_differ(struct nuce_schedule *s)
{
    s->ranks = 3;
}

static void depth_zero(struct nuce_schedule *s)
{
    s->depth = 0;
}

static void sends_short(struct nuce_schedule *s)
{
    s->send_start[4]--;
}

static void receives_first(struct nuce_schedule *s)
{
    s->receive_start[0]++;
}

static void sends_backwards(struct nuce_schedule *s)
{
    s->send_start[1] = 4;
}

static void send_to_nobody(struct nuce_schedule *s)
{
    s->sends[2].peer = 4;
}

static void receive_from_nobody(struct nuce_schedule *s)
{
    s->receives[3].peer = -1;
}

static void no_bytes(struct nuce_schedule *s)
{
    s->sends[2].bytes = 0;
    s->receives[3].bytes = 0;
}

static void offset_negative(struct nuce_schedule *s)
{
    s->sends[2].offset = -1;
    s->receives[3].offset = -1;
}

static void phase_beyond(struct nuce_schedule *s)
{
    s->phases = 2;
}

static void phase_negative(struct nuce_schedule *s)
{
    s->sends[0].phase = -1;
    s->receives[1].phase = -1;
}

static void sends_descend(struct nuce_schedule *s)
{
    s->sends[0].phase = 2;
}

static void receives_descend(struct nuce_schedule *s)
{
    s->receives[1].phase = 2;
}

static void two_sends(struct nuce_schedule *s)
{
    s->sends[0].phase = 1;
}

static void two_receives(struct nuce_schedule *s)
{
    s->receives[2].phase = 0;
}

static void receive_elsewhere(struct nuce_schedule *s)
{
    s->receives[3].peer = 3;
}

static void send_elsewhere(struct nuce_schedule *s)
{
    s->sends[2].peer = 3;
}

static void phases_differ(struct nuce_schedule *s)
{
    s->receives[3].phase = 1;
}

static void bytes_differ(struct nuce_schedule *s)
{
    s->receives[3].bytes = 49;
}

static void offsets_differ(struct nuce_schedule *s)
{
    s->receives[3].offset = 1;
}

static void overlap(struct nuce_schedule *s)
{
    s->sends[1].offset = s->receives[2].offset = 59;
}

static void beyond(struct nuce_schedule *s)
{
    s->sends[1].bytes = s->receives[2].bytes = 41;
}

static void gap(struct nuce_schedule *s)
{
    s->sends[1].offset = s->receives[2].offset = 61;
    s->sends[1].bytes = s->receives[2].bytes = 39;
}

static void late_start(struct nuce_schedule *s)
{
    s->sends[2].offset = s->receives[3].offset = 1;
    s->sends[2].bytes = s->receives[3].bytes = 49;
}

static void early_end(struct nuce_schedule *s)
{
    s->sends[2].bytes = s->receives[3].bytes = 49;
}

/* 3->3 becomes 2->3: a message that is not wanted, before one that is. */
static void wrong_source(struct nuce_schedule *s)
{
    s->send_start[3] = 5;
    s->receives[4].peer = 2;
}

/* The last piece goes and with it the message from 3 to 3. */
static void message_left_out(struct nuce_schedule *s)
{
    s->pieces = 4;
    s->send_start[4] = s->receive_start[4] = 4;
}

static const struct broken {
    void (*apply)(struct nuce_schedule *);
    enum nuce_discipline discipline;
    const char *message;
} broken_schedules[] = {
    {ranks_differ, NUCE_POST_ALL, "a schedule of 3 ranks for a pattern of 4"},
    {depth_zero, NUCE_STREAMS, "streams of depth 0"},
    {sends_short, NUCE_POST_ALL, "the lists of sends hold 0 .. 4, not 0 .. 5"},
    {receives_first, NUCE_POST_ALL, "the lists of receives hold 1 .. 5, not 0 .. 5"},
    {sends_backwards, NUCE_POST_ALL, "the list of sends of rank 1 ends before"},
    {send_to_nobody, NUCE_POST_ALL, "rank 1 sends to rank 4, which is not one of 4"},
    {receive_from_nobody, NUCE_POST_ALL, "rank 2 receives from rank -1, which is not one of 4"},
    {no_bytes, NUCE_POST_ALL, "rank 1 sends to rank 2 0 bytes from 0 on"},
    {offset_negative, NUCE_POST_ALL, "rank 1 sends to rank 2 50 bytes from -1 on"},
    {phase_beyond, NUCE_POST_ALL, "rank 3 sends to rank 3 in phase 2, outside 0 .. 1"},
    {phase_negative, NUCE_POST_ALL, "rank 0 sends to rank 1 in phase -1, outside 0 .. 2"},
    {sends_descend, NUCE_POST_ALL, "rank 0 sends to rank 1 in phase 1, after phase 2"},
    {receives_descend, NUCE_POST_ALL, "rank 1 receives from rank 0 in phase 1, after phase 2"},
    {two_sends, NUCE_LOCKSTEP, "lockstep: rank 0 sends to both rank 1 and rank 1 in ph"},
    {two_receives, NUCE_LOCKSTEP, "lockstep: rank 1 receives from both rank 0 and rank 0"},
    {receive_elsewhere, NUCE_POST_ALL,
     "rank 1 to rank 2, phase 0, 50 bytes from 0 on: there is"
     " no receive"},
    {send_elsewhere, NUCE_POST_ALL,
     "rank 1 to rank 2, phase 0, 50 bytes from 0 on: there is"
     " no send"},
    {phases_differ, NUCE_POST_ALL, "there is no receive of this send"},
    {bytes_differ, NUCE_POST_ALL, "49 bytes from 0 on: there is no send of this receive"},
    {offsets_differ, NUCE_POST_ALL, "there is no receive of this send"},
    {overlap, NUCE_POST_ALL, "rank 0 to rank 1: 40 bytes from 59 on are sent twice"},
    {beyond, NUCE_POST_ALL, "41 bytes from 60 on are sent twice or are not in the me"},
    {gap, NUCE_POST_ALL, "rank 0 to rank 1: byte 60 of 100 is never sent"},
    {late_start, NUCE_POST_ALL, "rank 1 to rank 2: byte 0 of 50 is never sent"},
    {early_end, NUCE_POST_ALL, "rank 1 to rank 2: byte 49 of 50 is never sent"},
    {wrong_source, NUCE_POST_ALL,
     "rank 2 to rank 3, phase 2, 5 bytes from 0 on: there is "
     "no such message"},
    {message_left_out, NUCE_POST_ALL, "rank 3 to rank 3: byte 0 of 5 is never sent"},
};

static void test_good(void **state)
{
    (void)state;
    for (int discipline = NUCE_POST_ALL; discipline <= NUCE_DYNAMIC; discipline++) {
        struct nuce_pattern pattern;
        struct nuce_schedule schedule;
        struct nuce_error error = {0};

        if (discipline == NUCE_FORWARD) /* test_store_forward.c */
            continue;
        make((enum nuce_discipline)discipline, &pattern, &schedule);
        assert_int_equal(nuce_schedule_validate(&schedule, &pattern, &error), NUCE_OK);
        nuce_pattern_fini(&pattern);
        nuce_schedule_fini(&schedule);
    }
}

static void test_broken(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof broken_schedules / sizeof *broken_schedules; i++) {
        const struct broken *broken = &broken_schedules[i];
        struct nuce_pattern pattern;
        struct nuce_schedule schedule;
        struct nuce_error error = {0};

        make(broken->discipline, &pattern, &schedule);
        broken->apply(&schedule);
        assert_int_equal(nuce_schedule_validate(&schedule, &pattern, &error), NUCE_CORRUPT);
        assert_int_equal(error.status, NUCE_CORRUPT);
        if (strstr(error.message, broken->message) == NULL)
            fail_msg("'%s' is not in '%s'", broken->message, error.message);
        nuce_pattern_fini(&pattern);
        nuce_schedule_fini(&schedule);
    }
}

/* A piece behind the last message of the pattern. */
static void test_extra_message(void **state)
{
    struct nuce_pattern pattern, smaller;
    struct nuce_schedule schedule;
    struct nuce_error error = {0};

    (void)state;
    make(NUCE_POST_ALL, &pattern, &schedule);
    assert_int_equal(nuce_pattern_init(4, messages, 3, &smaller, &error), NUCE_OK);
    assert_int_equal(nuce_schedule_validate(&schedule, &smaller, &error), NUCE_CORRUPT);
    assert_non_null(strstr(error.message, "rank 3 to rank 3, phase 2, 5 bytes from 0 on: there is "
                                          "no such message"));
    nuce_pattern_fini(&pattern);
    nuce_pattern_fini(&smaller);
    nuce_schedule_fini(&schedule);
}

/* In lockstep two pieces of a rank may not share a phase, though both are messages of their own. */
static void test_lockstep_peers(void **state)
{
    static const struct nuce_message fan[] = {
        {0, 1, 1},
        {0, 2, 1},
    };
    struct nuce_schedule_builder builder;
    struct nuce_schedule schedule;
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    (void)state;
    assert_int_equal(nuce_pattern_init(3, fan, 2, &pattern, &error), NUCE_OK);
    nuce_schedule_builder_init(&builder, 3, NUCE_LOCKSTEP);
    nuce_schedule_add(&builder, 0, 1, 0, 0, 1);
    nuce_schedule_add(&builder, 0, 2, 0, 0, 1);
    nuce_schedule_build_end(&builder, &schedule);
    assert_int_equal(nuce_schedule_validate(&schedule, &pattern, &error), NUCE_CORRUPT);
    assert_string_equal(error.message,
                        "lockstep: rank 0 sends to both rank 1 and rank 2 in phase 0");
    schedule.discipline = NUCE_POST_ALL;
    assert_int_equal(nuce_schedule_validate(&schedule, &pattern, &error), NUCE_OK);
    nuce_pattern_fini(&pattern);
    nuce_schedule_fini(&schedule);
}

static void swap(struct nuce_transfer *a, struct nuce_transfer *b)
{
    struct nuce_transfer kept = *a;

    *a = *b;
    *b = kept;
}

/* Ranks 0 and 3 send to 1 and 2 in opposite orders. With the receivers waiting for the second
 * message first, nothing moves at depth 1; at depth 2 all is in flight. */
static void test_streams(void **state)
{
    static const struct nuce_message cross[] = {
        {0, 1, 1},
        {0, 2, 2},
        {3, 2, 3},
        {3, 1, 4},
    };
    struct nuce_schedule_builder builder;
    struct nuce_schedule schedule;
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    (void)state;
    assert_int_equal(nuce_pattern_init(4, cross, 4, &pattern, &error), NUCE_OK);
    nuce_schedule_builder_init(&builder, 4, NUCE_STREAMS);
    for (int k = 0; k < 4; k++) {
        static const int order[] = {0, 2, 1, 3};
        const struct nuce_message *m = &cross[order[k]];

        nuce_schedule_add(&builder, m->source, m->destination, 0, 0, m->bytes);
    }
    nuce_schedule_build_end(&builder, &schedule);
    assert_int_equal(nuce_schedule_validate(&schedule, &pattern, &error), NUCE_OK);
    swap(&schedule.receives[schedule.receive_start[1]],
         &schedule.receives[schedule.receive_start[1] + 1]);
    assert_int_equal(nuce_schedule_validate(&schedule, &pattern, &error), NUCE_OK);
    swap(&schedule.receives[schedule.receive_start[2]],
         &schedule.receives[schedule.receive_start[2] + 1]);
    assert_int_equal(nuce_schedule_validate(&schedule, &pattern, &error), NUCE_CORRUPT);
    assert_string_equal(error.message, "streams of depth 1: 4 of 4 pieces are never done; rank 0 "
                                       "waits with 1 sends and 0 receives in flight");
    schedule.depth = 2;
    assert_int_equal(nuce_schedule_validate(&schedule, &pattern, &error), NUCE_OK);
    schedule.depth = 1;
    schedule.discipline = NUCE_POST_ALL;
    assert_int_equal(nuce_schedule_validate(&schedule, &pattern, &error), NUCE_OK);
    nuce_pattern_fini(&pattern);
    nuce_schedule_fini(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),          cmocka_unit_test(test_broken),
        cmocka_unit_test(test_extra_message), cmocka_unit_test(test_lockstep_peers),
        cmocka_unit_test(test_streams),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
