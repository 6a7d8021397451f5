/* Which way of waiting a policy is, on machines with processors to spare and without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/wait.h"

static void check_policy(const struct nuce_wait *machine, const char *policy, const char *wanted)
{
    struct nuce_wait wait = nuce_wait_under(machine, policy);

    assert_string_equal(nuce_wait_name(&wait), wanted);
    assert_int_equal(wait.oversubscribed, machine->oversubscribed);
    assert_int_equal(wait.block, machine->block);
    assert_int_equal(wait.sleep, strcmp(wanted, "sleep") == 0);
}

static void test_policies(void **state)
{
    const struct nuce_wait roomy = {0}, crowded = {.yield = 1, .oversubscribed = 1};
    const struct nuce_wait simulated = {.block = 1};

    (void)state;
    check_policy(&roomy, "auto", "spin");
    check_policy(&crowded, "auto", "yield");
    check_policy(&roomy, "yield", "yield");
    check_policy(&crowded, "spin", "spin");
    check_policy(&roomy, "sleep", "sleep");
    check_policy(&crowded, "sleep", "sleep");
    check_policy(&simulated, "sleep", "block");
    check_policy(&simulated, "auto", "block");
    check_policy(&simulated, "spin", "block");
    check_policy(&simulated, "yield", "block");
}

/* A few polls come before the first yield; without leave to yield they only count. */
static void test_pause(void **state)
{
    const struct nuce_wait ways[] = {{0}, {.yield = 1}, {.yield = 1, .sleep = 1}};
    unsigned polls = 0;

    (void)state;
    for (unsigned i = 1; i <= 3 * NUCE_POLLS_BEFORE_YIELD; i++) {
        nuce_wait_pause(&ways[i % 3], &polls);
        assert_int_equal(polls, i);
    }
}

/* Who has begun the fewest activities keeps the others waiting: each one counts, a detail does
 * not. */
static void test_watch(void **state)
{
    struct nuce_watch watch = {.rank = 2};

    (void)state;
    nuce_watch_set(&watch, NUCE_ACTIVITY_BARRIER, 5, 1);
    nuce_watch_set(&watch, NUCE_ACTIVITY_EXCHANGE, -1, 3);
    nuce_watch_detail(&watch, 4, 9);
    assert_int_equal(atomic_load(&watch.steps), 2);
    assert_int_equal(atomic_load(&watch.activity), NUCE_ACTIVITY_EXCHANGE);
    assert_int_equal(atomic_load(&watch.peer), 4);
    assert_int_equal(atomic_load(&watch.detail), 9);
    assert_int_equal(watch.rank, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_policies),
        cmocka_unit_test(test_pause),
        cmocka_unit_test(test_watch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
