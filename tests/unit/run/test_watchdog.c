/* The watchdog, in processes of their own: its message when time is up, and the signals that stop a
 * run. No MPI is started; no time is asserted, only the outcome. */
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

static void start(struct nuce_watchdog *watchdog)
{
    struct nuce_error error;

    if (nuce_watchdog_start(watchdog, &error) != NUCE_OK)
        _exit(70);
}

/* Writes the record to stderr. */
static void note(void *context, const char *message)
{
    fprintf(stderr, "%s: %s\n", (const char *)context, message);
}

static char context[] = "record";

/* Time is up: the message, then the record, then exit status 1. */
static void before_ranks(double allowed_s)
{
    struct nuce_watchdog watchdog;

    start(&watchdog);
    nuce_watchdog_arm(&watchdog, allowed_s, note, context);
    for (;;)
        pause();
}

static void after_ranks(double allowed_s)
{
    struct nuce_watch watch = {.rank = 1};
    struct nuce_watchdog watchdog;

    start(&watchdog);
    nuce_watchdog_look_at(&watchdog, &watch, &watch, 1);
    nuce_watchdog_end(&watchdog, 0, allowed_s);
    for (;;)
        pause();
}

/* Rank 0 waits for rank 2 in the exchange, rank 1 too; rank 2 has not left the barrier. */
static void among_ranks(double allowed_s)
{
    struct nuce_watch watch[3] = {{.rank = 0}, {.rank = 1}, {.rank = 2}};
    struct nuce_watchdog watchdog;

    for (int rank = 0; rank < 3; rank++)
        nuce_watch_set(&watch[rank], NUCE_ACTIVITY_BARRIER, rank == 2 ? 1 : -1, 2);
    nuce_watch_set(&watch[0], NUCE_ACTIVITY_EXCHANGE, 2, 5);
    nuce_watch_set(&watch[1], NUCE_ACTIVITY_EXCHANGE, 2, -1);
    start(&watchdog);
    nuce_watchdog_look_at(&watchdog, &watch[0], watch, 3);
    nuce_watchdog_arm(&watchdog, allowed_s, NULL, NULL);
    for (;;)
        pause();
}

/* The rank that all wait for reports only that; the state of a library's call is unknown. */
static void alone(double allowed_s)
{
    struct nuce_watch watch[2] = {{.rank = 0}, {.rank = 1}};
    struct nuce_watchdog watchdog;

    nuce_watch_set(&watch[0], NUCE_ACTIVITY_EXCHANGE, -1, -1);
    for (int i = 0; i < 4; i++)
        nuce_watch_set(&watch[1], NUCE_ACTIVITY_COMPUTE, -1, 0);
    start(&watchdog);
    nuce_watchdog_look_at(&watchdog, &watch[0], watch, 2);
    nuce_watchdog_arm(&watchdog, allowed_s, NULL, NULL);
    for (;;)
        pause();
}

/* A signal is remembered, and interrupts nothing; once the flag is up the child ends well. */
static void get_signal(double number)
{
    struct nuce_watchdog watchdog;

    start(&watchdog);
    if (atomic_load(&watchdog.interrupted))
        _exit(71);
    kill(getpid(), (int)number);
    while (!atomic_load(&watchdog.interrupted))
        usleep(1000);
    nuce_watchdog_stop(&watchdog);
    _exit(0);
}

/* A run that is done in time, then a longer one: the first one's time means nothing any more. */
static void done_in_time(double allowed_s)
{
    struct nuce_watchdog watchdog;

    start(&watchdog);
    nuce_watchdog_arm(&watchdog, allowed_s, note, context);
    nuce_watchdog_disarm(&watchdog);
    usleep(1500000);
    nuce_watchdog_arm(&watchdog, NEVER, note, context);
    nuce_watchdog_disarm(&watchdog);
    nuce_watchdog_stop(&watchdog);
    _exit(0);
}

/* Armed for longer than the clock counts; the thread looks at the deadline once more before it
 * ends. */
static void for_ever(double allowed_s)
{
    struct nuce_watchdog watchdog;

    start(&watchdog);
    nuce_watchdog_arm(&watchdog, allowed_s, note, context);
    nuce_watchdog_stop(&watchdog);
    _exit(0);
}

/* Each child in a process of its own: its exit status, and its output on stderr. */
static void test_children(void **state)
{
    static const struct {
        void (*child)(double);
        double with;
        int status;
        const char *says;
    } cases[] = {
        {after_ranks, 0.05, 1, "nuce: timeout: after 0.05 s the ranks had not left MPI_Finalize\n"},
        {before_ranks, 0.05, 1,
         "nuce: timeout: after 0.05 s the ranks had not started\n"
         "record: timeout: after 0.05 s the ranks had not started\n"},
        {among_ranks, 0.05, 1,
         "nuce: timeout: after 0.05 s rank 0 was in the exchange, phase 5, and "
         "waited for rank 2; furthest behind, rank 2 was in the barrier, "
         "round 2, and waited for rank 1\n"},
        {alone, 0.05, 1, "nuce: timeout: after 0.05 s rank 0 was in the exchange, phase unknown\n"},
        {get_signal, SIGTERM, 0, ""},
        {get_signal, SIGINT, 0, ""},
        {get_signal, SIGUSR1, 0, ""},
        {done_in_time, 1, 0, ""},
        {for_ever, 1e19, 0, ""},
        {for_ever, 1e300, 0, ""},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        char said[512];
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
            cases[i].child(cases[i].with);
            _exit(77); /* a child says how it ends */
        }
        close(ends[1]);
        while ((got = read(ends[0], said + length, sizeof said - 1 - length)) > 0)
            length += (size_t)got;
        said[length] = '\0';
        close(ends[0]);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFEXITED(status));
        assert_string_equal(said, cases[i].says);
        assert_int_equal(WEXITSTATUS(status), cases[i].status);
    }
}

RUN(test_children)
