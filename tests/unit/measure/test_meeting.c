/* How long windows get, after turns that are made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "run/turn_start.h"

#define ROUNDS 100
#define TURNS ((int64_t)2 * ROUNDS)

/* A meeting of two, by windows, of which the first was given 1 s and the second 2 s. */
static struct nuce_meeting make_meeting(void)
{
    static const double step_s[] = {0.5, 1};
    struct nuce_meeting meeting;

    nuce_meeting_init(NULL, "window", 2, step_s, &meeting);
    assert_true(meeting.is_window);
    assert_true(fabs(meeting.window_s[0] - 1) < 1e-12 && fabs(meeting.window_s[1] - 2) < 1e-12);
    return meeting;
}

/* Turns in turn, as they were given; a turn of the first takes first_s, one of the second second_s,
 * and one in `every` of either 5 s more. */
static void take_turns(struct nuce_meeting *meeting, struct nuce_taken taken[TURNS], double first_s,
                       double second_s, int64_t every)
{
    double given_s = 1000, free_s = 999;

    for (int64_t i = 0; i < TURNS; i++) {
        int number = (int)(i % 2);

        taken[i] = (struct nuce_taken){number, given_s, free_s, 0};
        free_s = fmax(free_s, given_s) + (number == 0 ? first_s : second_s);
        if (i % every == every - 1)
            free_s += 5;
        given_s += meeting->window_s[number];
    }
}

/* Each gets what it needs and a little more, though late ones were late for those before. */
static void test_windows(void **state)
{
    struct nuce_meeting meeting = make_meeting();
    struct nuce_taken taken[TURNS];
    double scratch[TURNS];

    (void)state;
    take_turns(&meeting, taken, 3, 0.25, TURNS + 1);
    nuce_meeting_adapt(&meeting, taken, TURNS, scratch);
    assert_true(meeting.window_s[0] > 3 && meeting.window_s[0] < 1.5 * 3);
    assert_true(meeting.window_s[1] > 0.25 && meeting.window_s[1] < 1.5 * 0.25);
    nuce_meeting_fini(&meeting);
}

/* What happens to one turn in fifty is no reason to wait for it in all; to one in ten it is. */
static void test_interruptions(void **state)
{
    struct nuce_meeting meeting = make_meeting();
    struct nuce_taken taken[TURNS];
    double scratch[TURNS];

    (void)state;
    take_turns(&meeting, taken, 0.5, 0.5, 50);
    nuce_meeting_adapt(&meeting, taken, TURNS, scratch);
    assert_true(meeting.window_s[1] < 1);
    take_turns(&meeting, taken, 0.5, 0.5, 10);
    nuce_meeting_adapt(&meeting, taken, TURNS, scratch);
    assert_true(meeting.window_s[1] > 5);
    assert_true(meeting.window_s[0] < 1);
    nuce_meeting_fini(&meeting);
}

/* Too few turns for a quantile: the longest has room. One alone says nothing. */
static void test_few(void **state)
{
    const struct nuce_taken taken[] = {{0, 10, 9, 0}, {1, 11, 10.5, 0}, {0, 13, 12.75, 0}};
    struct nuce_meeting meeting = make_meeting();
    double scratch[3];

    (void)state;
    nuce_meeting_adapt(&meeting, taken, 1, scratch);
    assert_true(fabs(meeting.window_s[0] - 1) < 1e-12);
    nuce_meeting_adapt(&meeting, taken, 3, scratch);
    assert_true(meeting.window_s[0] >= 0.5 && meeting.window_s[0] <= 1);
    assert_true(meeting.window_s[1] >= 1.75 && meeting.window_s[1] <= 3.5);
    nuce_meeting_fini(&meeting);
}

/* A pause after a turn makes the next one begin later, with room, and no window longer; turns begun
 * by barriers need none. */
static void test_pause(void **state)
{
    const struct nuce_taken taken[] = {{0, 10, 9, 2}, {1, 14, 12.5, 0}};
    struct nuce_meeting meeting = make_meeting();
    double scratch[2], next_s = meeting.next_s, pause_s = nuce_meeting_pause(&meeting, 0.5);

    (void)state;
    assert_true(pause_s >= 0.5 && fabs(meeting.next_s - next_s - pause_s) < 1e-12);
    nuce_meeting_adapt(&meeting, taken, 2, scratch);
    assert_true(meeting.window_s[0] >= 0.5 && meeting.window_s[0] <= 1);
    meeting.is_window = 0;
    assert_true(nuce_meeting_pause(&meeting, 0.5) == 0);
    nuce_meeting_fini(&meeting);
}

/* Who is late for the first turn heard of it too late. */
static void test_lead(void **state)
{
    const struct nuce_taken late[] = {{0, 10, 10.5, 0}}, in_time[] = {{0, 10, 9.5, 0}};
    struct nuce_meeting meeting = make_meeting();
    double scratch[1], lead_s = meeting.lead_s;

    (void)state;
    nuce_meeting_adapt(&meeting, late, 1, scratch);
    assert_true(meeting.lead_s > lead_s);
    for (int i = 0; i < 10; i++)
        nuce_meeting_adapt(&meeting, in_time, 1, scratch);
    assert_true(meeting.lead_s <= lead_s && meeting.lead_s > 0);
    nuce_meeting_fini(&meeting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows), cmocka_unit_test(test_interruptions),
        cmocka_unit_test(test_few),     cmocka_unit_test(test_lead),
        cmocka_unit_test(test_pause),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
