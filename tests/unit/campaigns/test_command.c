/* Calling programs as Slurm's are called: what they say, how they end, and how they are ended. */
#include <signal.h>

#include "../folder.h"
#include "../test.h"
#include "campaigns/process.h"

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
static void test_output(void **state)
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
        cmocka_unit_test(test_reply),
        cmocka_unit_test(test_output),
        cmocka_unit_test(test_ended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
