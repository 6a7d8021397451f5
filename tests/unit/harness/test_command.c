/* Calling programs as Slurm's are called: what they say, how they end, and how they are ended. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "campaigns/command.h"

static nuce_status shell(const char *script, int limit_s, struct nuce_command_reply *reply,
                         struct nuce_error *error)
{
    json_t *argv = nuce_command_argv(NULL, "sh", "-c", script, NULL);
    nuce_status status = nuce_command_run(argv, limit_s, reply, error);

    json_decref(argv);
    return status;
}

static void test_reply(void **state)
{
    struct nuce_command_reply reply;
    struct nuce_error error;
    char *complaint;

    (void)state;
    assert_int_equal(shell("echo 42; echo note >&2", 10, &reply, &error), NUCE_OK);
    assert_true(nuce_command_succeeded(&reply));
    assert_string_equal(reply.out, "42\n");
    assert_string_equal(reply.err, "note");
    nuce_command_reply_fini(&reply);

    assert_int_equal(
        shell("printf '\\n\\nb\\033[1m \\n\\n' >&2; echo c >&2; exit 3", 10, &reply, &error),
        NUCE_OK);
    assert_false(nuce_command_succeeded(&reply));
    assert_string_equal(reply.err, "b?[1m");
    complaint = nuce_command_complaint("sbatch", &reply);
    assert_string_equal(complaint, "sbatch ended with status 3: b?[1m");
    free(complaint);
    nuce_command_reply_fini(&reply);

    assert_int_equal(
        shell("printf \"sbatch: unrecognized option '--x'\\nTry 'sbatch --help'\\n\" >&2; exit 1",
              10, &reply, &error),
        NUCE_OK);
    assert_string_equal(reply.err, "sbatch: unrecognized option '--x'");
    nuce_command_reply_fini(&reply);

    assert_int_equal(shell("printf 'Welcome\\nsbatch: error: a\\nsbatch: error: b\\n' >&2; exit 1",
                           10, &reply, &error),
                     NUCE_OK);
    assert_string_equal(reply.err, "sbatch: error: a");
    nuce_command_reply_fini(&reply);

    assert_int_equal(shell("kill -9 $$", 10, &reply, &error), NUCE_OK);
    complaint = nuce_command_complaint("sbatch", &reply);
    assert_string_equal(complaint, "sbatch was killed by signal 9");
    free(complaint);
    nuce_command_reply_fini(&reply);
}

/* More than a pipe holds, on both. */
static void test_much(void **state)
{
    struct nuce_command_reply reply;
    struct nuce_error error;

    (void)state;
    assert_int_equal(
        shell("yes out | head -c 1000000; yes err | head -c 1000000 >&2", 30, &reply, &error),
        NUCE_OK);
    assert_int_equal(strlen(reply.out), 1000000);
    assert_string_equal(reply.err, "err");
    nuce_command_reply_fini(&reply);
}

static void test_missing(void **state)
{
    json_t *argv = nuce_command_argv("/nowhere/cluster", "sbatch", "--parsable", NULL);
    struct nuce_command_reply reply;
    struct nuce_error error;

    (void)state;
    assert_int_equal(json_array_size(argv), 3);
    assert_int_equal(nuce_command_run(argv, 10, &reply, &error), NUCE_FAILED);
    assert_string_equal(error.message, "cannot start /nowhere/cluster: No such file or directory");
    json_decref(argv);
}

/* Words are words: nothing is a shell's. */
static void test_words(void **state)
{
    json_t *argv = nuce_command_argv(NULL, "printf", "%s\n", "$(echo no) 'a'\n*", NULL);
    struct nuce_command_reply reply;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_command_run(argv, 10, &reply, &error), NUCE_OK);
    assert_string_equal(reply.out, "$(echo no) 'a'\n*\n");
    nuce_command_reply_fini(&reply);
    json_decref(argv);
}

/* It and its children are gone after the limit, those that do not listen too. */
static void test_limit(void **state)
{
    struct nuce_command_reply reply;
    struct nuce_error error;
    char *complaint;
    pid_t child;

    (void)state;
    assert_int_equal(shell("(trap '' TERM; exec sleep 1000) & echo $!; wait", 3, &reply, &error),
                     NUCE_OK);
    assert_int_equal(reply.status, -1);
    assert_false(nuce_command_succeeded(&reply));
    complaint = nuce_command_complaint("sbatch", &reply);
    assert_string_equal(complaint, "sbatch took too long and was stopped");
    free(complaint);
    child = (pid_t)strtol(reply.out, NULL, 10);
    assert_true(child > 1);
    assert_int_equal(kill(child, 0), -1);
    nuce_command_reply_fini(&reply);
}

static void test_interrupted(void **state)
{
    struct nuce_command_reply reply;
    struct nuce_error error;

    (void)state;
    assert_int_equal(shell("kill -TERM $PPID; sleep 1000", 900, &reply, &error), NUCE_INTERRUPTED);
    assert_non_null(strstr(error.message, "signal"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reply),   cmocka_unit_test(test_much),
        cmocka_unit_test(test_missing), cmocka_unit_test(test_words),
        cmocka_unit_test(test_limit),   cmocka_unit_test(test_interrupted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
