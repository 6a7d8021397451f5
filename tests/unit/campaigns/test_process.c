/* Children of the launcher: their output, their end, and that none is left. */
#include "../test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "campaigns/process.h"

static enum nuce_event wait_end(pid_t pid, int *status)
{
    enum nuce_event event = NUCE_EVENT_TIME;

    for (int i = 0; i < 100 && event == NUCE_EVENT_TIME; i++)
        event = nuce_process_wait(pid, 100, status);
    return event;
}

static void test_output(void **state)
{
    const char *argv[] = {"sh", "-c", "echo out; echo err >&2; exit 3", NULL};
    char path[] = "/tmp/nuce-test-XXXXXX", text[32] = "";
    int descriptor = mkstemp(path), status = 0;
    struct nuce_signals signals;
    struct nuce_error error;
    pid_t pid;

    nuce_process_prepare(&signals);
    assert_ok(nuce_process_start(argv, path, path, &signals, &pid, &error));
    assert_int_equal(wait_end(pid, &status), NUCE_EVENT_ENDED);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    assert_int_equal(pread(descriptor, text, sizeof text - 1, 0), 8);
    assert_string_equal(text, "out\nerr\n");
    assert_int_equal(nuce_process_reap(0), 0);
    nuce_process_restore(&signals);
    close(descriptor);
    unlink(path);
}

static void test_missing(void **state)
{
    const char *argv[] = {"/nowhere/mpiexec", NULL};
    struct nuce_signals signals;
    struct nuce_error error;
    pid_t pid;

    nuce_process_prepare(&signals);
    assert_int_equal(nuce_process_start(argv, NULL, NULL, &signals, &pid, &error), NUCE_FAILED);
    assert_string_equal(error.message, "cannot start /nowhere/mpiexec: No such file or directory");
    nuce_process_restore(&signals);
}

static void test_signal(void **state)
{
    const char *argv[] = {"sleep", "100", NULL};
    struct nuce_signals signals;
    struct nuce_error error;
    int status = 0;
    pid_t pid;

    nuce_process_prepare(&signals);
    assert_ok(nuce_process_start(argv, NULL, NULL, &signals, &pid, &error));
    assert_int_equal(nuce_process_wait(pid, 10, &status), NUCE_EVENT_TIME);
    raise(SIGINT);
    assert_int_equal(nuce_process_wait(pid, 1000, &status), NUCE_EVENT_SIGNAL);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(wait_end(pid, &status), NUCE_EVENT_ENDED);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    nuce_process_restore(&signals);
}

/* A grandchild in a session of its own, whose parent has gone, is ours to end. */
static void test_orphan(void **state)
{
    const char *argv[] = {"sh", "-c", "setsid sh -c 'sleep 100 & sleep 100' & exit 0", NULL};
    struct nuce_signals signals;
    struct nuce_error error;
    int status = 0;
    pid_t pid;

    nuce_process_prepare(&signals);
    assert_ok(nuce_process_start(argv, NULL, NULL, &signals, &pid, &error));
    assert_int_equal(wait_end(pid, &status), NUCE_EVENT_ENDED);
    assert_true(nuce_process_reap(0) > 0);
    assert_int_equal(waitpid(-1, &status, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    nuce_process_restore(&signals);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_signal),
        cmocka_unit_test(test_orphan),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
