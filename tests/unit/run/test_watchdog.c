/* The watchdog, in processes of their own: what it says when time is up, and which signals stop a
 * run. No MPI is started; no time is asserted, only what happens. */
#include "../test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "run/watchdog.h"

/* Long enough for a child to be ended by it when the watchdog is not at work, seconds. */
#define NEVER 600

/* Runs child in a process of its own; its exit status, and what it wrote to stderr. */
static int run(void (*child)(void), char *said, size_t size)
{
    int ends[2], status;
    size_t length = 0;
    ssize_t got;
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        alarm(NEVER);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        child();
        _exit(77); /* a child says how it ends */
    }
    close(ends[1]);
    while ((got = read(ends[0], said + length, size - 1 - length)) > 0)
        length += (size_t)got;
    said[length] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void start(struct nuce_watchdog *watchdog)
{
    struct nuce_error error;

    if (nuce_watchdog_start(watchdog, &error) != NUCE_OK)
        _exit(70);
}

static void wait_for_the_end(void)
{
    for (;;)
        pause();
}

/* Writes what the record would be to stderr. */
static void note(void *context, const char *message)
{
    fprintf(stderr, "%s: %s\n", (const char *)context, message);
}

static void before_ranks(void)
{
    static char context[] = "record";
    struct nuce_watchdog watchdog;

    start(&watchdog);
    nuce_watchdog_arm(&watchdog, 0.05, note, context);
    wait_for_the_end();
}

/* Time is up: the message, then the record, then exit status 1. */
static void test_expired(void **state)
{
    char said[512];

    assert_int_equal(run(before_ranks, said, sizeof said), 1);
    assert_string_equal(said, "nuce: timeout: after 0.05 s the ranks had not started\n"
                              "record: timeout: after 0.05 s the ranks had not started\n");
}

/* Rank 0 waits for rank 2 in the exchange, rank 1 too; rank 2 has not left the barrier. */
static void among_ranks(void)
{
    struct nuce_watch watch[3] = {{.rank = 0}, {.rank = 1}, {.rank = 2}};
    struct nuce_watchdog watchdog;

    for (int rank = 0; rank < 3; rank++)
        nuce_watch_set(&watch[rank], NUCE_ACTIVITY_BARRIER, rank == 2 ? 1 : -1, 2);
    nuce_watch_set(&watch[0], NUCE_ACTIVITY_EXCHANGE, 2, 5);
    nuce_watch_set(&watch[1], NUCE_ACTIVITY_EXCHANGE, 2, -1);
    start(&watchdog);
    nuce_watchdog_look_at(&watchdog, &watch[0], watch, 3);
    nuce_watchdog_arm(&watchdog, 0.05, NULL, NULL);
    wait_for_the_end();
}

static void test_furthest_behind(void **state)
{
    char said[512];

    assert_int_equal(run(among_ranks, said, sizeof said), 1);
    assert_string_equal(said,
                        "nuce: timeout: after 0.05 s rank 0 was in the exchange, phase 5, and "
                        "waited for rank 2; furthest behind, rank 2 was in the barrier, "
                        "round 2, and waited for rank 1\n");
}

/* The rank that all wait for says so of itself alone; what a library does is not known. */
static void alone(void)
{
    struct nuce_watch watch[2] = {{.rank = 0}, {.rank = 1}};
    struct nuce_watchdog watchdog;

    nuce_watch_set(&watch[0], NUCE_ACTIVITY_EXCHANGE, -1, -1);
    for (int i = 0; i < 4; i++)
        nuce_watch_set(&watch[1], NUCE_ACTIVITY_COMPUTE, -1, 0);
    start(&watchdog);
    nuce_watchdog_look_at(&watchdog, &watch[0], watch, 2);
    nuce_watchdog_arm(&watchdog, 0.05, NULL, NULL);
    wait_for_the_end();
}

static void test_alone(void **state)
{
    char said[512];

    assert_int_equal(run(alone, said, sizeof said), 1);
    assert_string_equal(said,
                        "nuce: timeout: after 0.05 s rank 0 was in the exchange, phase unknown\n");
}

/* A signal is remembered, and interrupts nothing; once the flag is up the child ends well. */
static void get_signal(int number)
{
    struct nuce_watchdog watchdog;

    start(&watchdog);
    if (atomic_load(&watchdog.interrupted))
        _exit(71);
    kill(getpid(), number);
    while (!atomic_load(&watchdog.interrupted))
        usleep(1000);
    nuce_watchdog_stop(&watchdog);
    _exit(0);
}

static void get_term(void)
{
    get_signal(SIGTERM);
}

static void get_int(void)
{
    get_signal(SIGINT);
}

static void get_usr1(void)
{
    get_signal(SIGUSR1);
}

static void test_signals(void **state)
{
    char said[512];

    assert_int_equal(run(get_term, said, sizeof said), 0);
    assert_int_equal(run(get_int, said, sizeof said), 0);
    assert_int_equal(run(get_usr1, said, sizeof said), 0);
    assert_string_equal(said, "");
}

/* A run that is done in time, then a longer one: the first one's time means nothing any more. */
static void done_in_time(void)
{
    static char context[] = "record";
    struct nuce_watchdog watchdog;

    start(&watchdog);
    nuce_watchdog_arm(&watchdog, 1, note, context);
    nuce_watchdog_disarm(&watchdog);
    usleep(1500000);
    nuce_watchdog_arm(&watchdog, NEVER, note, context);
    nuce_watchdog_disarm(&watchdog);
    nuce_watchdog_stop(&watchdog);
    _exit(0);
}

static void test_disarmed(void **state)
{
    char said[512];

    assert_int_equal(run(done_in_time, said, sizeof said), 0);
    assert_string_equal(said, "");
}

/* Armed for longer than the clock counts; the thread looks at the deadline once more before it
 * ends.
 */
static void for_ever(double allowed_s)
{
    static char context[] = "record";
    struct nuce_watchdog watchdog;

    start(&watchdog);
    nuce_watchdog_arm(&watchdog, allowed_s, note, context);
    nuce_watchdog_stop(&watchdog);
    _exit(0);
}

static void longer_than_seconds(void)
{
    for_ever(1e19);
}

static void longer_than_anything(void)
{
    for_ever(1e300);
}

static void test_for_ever(void **state)
{
    char said[512];

    assert_int_equal(run(longer_than_seconds, said, sizeof said), 0);
    assert_string_equal(said, "");
    assert_int_equal(run(longer_than_anything, said, sizeof said), 0);
    assert_string_equal(said, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expired),  cmocka_unit_test(test_furthest_behind),
        cmocka_unit_test(test_alone),    cmocka_unit_test(test_signals),
        cmocka_unit_test(test_disarmed), cmocka_unit_test(test_for_ever),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
