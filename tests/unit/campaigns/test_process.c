/* Children of the launcher, and programs called as Slurm's are: what they say, how they end, and
 * that none is left. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "../folder.h"
#include "../test.h"
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

static nuce_status shell(const char *script, int limit_s, struct nuce_process_reply *reply,
                         struct nuce_error *error)
{
    json_t *argv = nuce_process_argv(NULL, "sh", "-c", script, NULL);
    nuce_status status = nuce_process_run(argv, limit_s, reply, error);

    json_decref(argv);
    return status;
}

/* Of what a program says in its end the line that tells most is kept. */
static void test_reply(void **state)
{
    static const struct {
        const char *script, *out, *err, *complaint; /* NULL: it succeeded */
    } cases[] = {
        {"echo 42; echo note >&2", "42\n", "note", NULL},
        {"printf '\\n\\nb\\033[1m \\n\\n' >&2; echo c >&2; exit 3", "", "b?[1m",
         "sbatch ended with status 3: b?[1m"},
        {"printf \"sbatch: unrecognized option '--x'\\nTry 'sbatch --help'\\n\" >&2; exit 1", "",
         "sbatch: unrecognized option '--x'",
         "sbatch ended with status 1: sbatch: unrecognized option '--x'"},
        {"printf 'Welcome\\nsbatch: error: a\\nsbatch: error: b\\n' >&2; exit 1", "",
         "sbatch: error: a", "sbatch ended with status 1: sbatch: error: a"},
        {"kill -9 $$", "", "", "sbatch was killed by signal 9"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_process_reply reply;
        struct nuce_error error;
        char *complaint;

        assert_ok(shell(cases[i].script, 10, &reply, &error));
        assert_string_equal(reply.out, cases[i].out);
        assert_string_equal(reply.err, cases[i].err);
        assert_int_equal(nuce_process_succeeded(&reply), cases[i].complaint == NULL);
        complaint = nuce_process_complaint("sbatch", &reply);
        if (cases[i].complaint != NULL)
            assert_string_equal(complaint, cases[i].complaint);
        free(complaint);
        nuce_process_reply_fini(&reply);
    }
}

/* More than a pipe holds, on both; and words that are no shell's. */
static void test_words(void **state)
{
    json_t *argv = nuce_process_argv(NULL, "printf", "%s\n", "$(echo no) 'a'\n*", NULL);
    struct nuce_process_reply reply;
    struct nuce_error error;

    assert_ok(
        shell("yes out | head -c 1000000; yes err | head -c 1000000 >&2", 30, &reply, &error));
    assert_int_equal(strlen(reply.out), 1000000);
    assert_string_equal(reply.err, "err");
    nuce_process_reply_fini(&reply);
    assert_ok(nuce_process_run(argv, 10, &reply, &error));
    assert_string_equal(reply.out, "$(echo no) 'a'\n*\n");
    nuce_process_reply_fini(&reply);
    json_decref(argv);
}

/* The program and its children are gone after the limit, those that do not listen too. */
static void test_ended(void **state)
{
    struct nuce_process_reply reply;
    struct nuce_error error;
    char *complaint;
    pid_t child;

    assert_ok(shell("(trap '' TERM; exec sleep 1000) & echo $!; wait", 3, &reply, &error));
    complaint = nuce_process_complaint("sbatch", &reply);
    assert_string_equal(complaint, "sbatch took too long and was stopped");
    free(complaint);
    child = (pid_t)strtol(reply.out, NULL, 10);
    assert_true(child > 1);
    assert_int_equal(kill(child, 0), -1);
    nuce_process_reply_fini(&reply);
    assert_int_equal(shell("kill -TERM $PPID; sleep 1000", 900, &reply, &error), NUCE_INTERRUPTED);
    assert_says(&error, "signal");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output), cmocka_unit_test(test_missing),
        cmocka_unit_test(test_signal), cmocka_unit_test(test_orphan),
        cmocka_unit_test(test_reply),  cmocka_unit_test(test_words),
        cmocka_unit_test(test_ended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
