#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"

static void test_set(void **state)
{
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_error_set(&error, NUCE_BAD_INPUT, "%s:%d", "file", 7), NUCE_BAD_INPUT);
    assert_int_equal(error.status, NUCE_BAD_INPUT);
    assert_string_equal(error.message, "file:7");
    nuce_error_set(&error, NUCE_BAD_INPUT, "'%s'", "\033[2J\xff");
    assert_string_equal(error.message, "'?[2J?'");
}

static void test_prefix(void **state)
{
    struct nuce_error error;

    (void)state;
    nuce_error_set(&error, NUCE_CORRUPT, "byte 3 is wrong");
    assert_int_equal(nuce_error_prefix(&error, "rank %d", 5), NUCE_CORRUPT);
    assert_string_equal(error.message, "rank 5: byte 3 is wrong");
}

/* Messages that are too long are cut, never overrun. */
static void test_long(void **state)
{
    char text[2 * NUCE_MESSAGE_BYTES];
    struct nuce_error error;

    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    nuce_error_set(&error, NUCE_FAILED, "%s", text);
    assert_int_equal(strlen(error.message), NUCE_MESSAGE_BYTES - 1);
    nuce_error_prefix(&error, "where");
    assert_int_equal(strlen(error.message), NUCE_MESSAGE_BYTES - 1);
    assert_memory_equal(error.message, "where: xxx", 10);
    nuce_error_prefix(&error, "%s", text);
    assert_int_equal(strlen(error.message), NUCE_MESSAGE_BYTES - 1);
    assert_memory_equal(error.message, "xxx", 3);
}

static void assert_text(const struct nuce_error *error, enum nuce_error_style style,
                        const char *expected)
{
    char text[NUCE_ERROR_TEXT_BYTES];

    assert_string_equal(nuce_error_text(error, style, text), expected);
}

/* The subject is data; how it is shown depends on whether it came from a file. */
static void test_refuse(void **state)
{
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_error_refuse(&error, "ranks", "'%d': expected at least 2", 1),
                     NUCE_BAD_INPUT);
    assert_int_equal(error.status, NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "ranks");
    assert_string_equal(error.message, "'1': expected at least 2");
    assert_text(&error, NUCE_ERROR_KEYS, "ranks: '1': expected at least 2");
    assert_text(&error, NUCE_ERROR_OPTIONS, "--ranks: '1': expected at least 2");
    assert_int_equal(nuce_error_at(&error, "plan.jsonl", 7, 1), NUCE_BAD_INPUT);
    assert_text(&error, NUCE_ERROR_OPTIONS, "plan.jsonl:7:1: ranks: '1': expected at least 2");
    nuce_error_set(&error, NUCE_FAILED, "no more memory");
    assert_text(&error, NUCE_ERROR_OPTIONS, "no more memory");
}

static void test_place(void **state)
{
    struct nuce_error error;

    (void)state;
    nuce_error_set(&error, NUCE_BAD_INPUT, "empty");
    nuce_error_at(&error, "a.mesh", 0, 0);
    assert_text(&error, NUCE_ERROR_KEYS, "a.mesh: empty");
    nuce_error_set(&error, NUCE_BAD_INPUT, "'x'");
    nuce_error_at(&error, "a.mesh", 3, 0);
    assert_text(&error, NUCE_ERROR_KEYS, "a.mesh:3: 'x'");
}

/* What is known further in becomes part of the message: nothing is lost, nothing said twice. */
static void test_about(void **state)
{
    struct nuce_error error;

    (void)state;
    nuce_error_set(&error, NUCE_BAD_INPUT, "'x': expected a number");
    nuce_error_at(&error, "a.mesh", 3, 5);
    assert_int_equal(nuce_error_about(&error, "mesh"), NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "mesh");
    assert_string_equal(error.message, "a.mesh:3:5: 'x': expected a number");
    assert_string_equal(error.path, "");
    nuce_error_about(&error, "mesh");
    assert_text(&error, NUCE_ERROR_OPTIONS, "--mesh: a.mesh:3:5: 'x': expected a number");
    nuce_error_at(&error, "plan.jsonl", 7, 1);
    nuce_error_at(&error, "jobs.json", 1, 0);
    assert_text(&error, NUCE_ERROR_KEYS,
                "jobs.json:1: plan.jsonl:7:1: mesh: a.mesh:3:5: 'x': expected a number");
    assert_string_equal(nuce_error_flatten(&error),
                        "jobs.json:1: plan.jsonl:7:1: mesh: a.mesh:3:5: 'x': expected a number");
    assert_string_equal(error.path, "");
}

static void test_prefix_keeps_parts(void **state)
{
    struct nuce_error error;

    (void)state;
    nuce_error_refuse(&error, "unit", "'x'");
    nuce_error_prefix(&error, "rank %d", 2);
    assert_string_equal(error.message, "rank 2: unit: 'x'");
    assert_string_equal(error.subject, "");
}

static void test_exit_status(void **state)
{
    (void)state;
    assert_int_equal(nuce_error_exit_status(NUCE_OK), 0);
    assert_int_equal(nuce_error_exit_status(NUCE_FAILED), 1);
    assert_int_equal(nuce_error_exit_status(NUCE_CORRUPT), 1);
    assert_int_equal(nuce_error_exit_status(NUCE_BAD_INPUT), 2);
    assert_int_equal(nuce_error_exit_status(NUCE_INTERRUPTED), 75);
}

/* In a child: a broken assumption says what and where on stderr, and ends by SIGABRT. */
static void test_assert(void **state)
{
    const struct rlimit no_core = {0, 0};
    char said[256] = "";
    int ends[2], status = 0;
    pid_t child;

    (void)state;
    NUCE_ASSERT(1 + 1 == 2);
    assert_int_equal(pipe(ends), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        setrlimit(RLIMIT_CORE, &no_core);
        dup2(ends[1], STDERR_FILENO);
        NUCE_ASSERT(1 + 1 == 3);
        _exit(0);
    }
    close(ends[1]);
    assert_true(read(ends[0], said, sizeof said - 1) > 0);
    close(ends[0]);
    assert_true(waitpid(child, &status, 0) == child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_non_null(strstr(said, "test_error.c"));
    assert_non_null(strstr(said, "1 + 1 == 3"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set),    cmocka_unit_test(test_refuse),
        cmocka_unit_test(test_place),  cmocka_unit_test(test_about),
        cmocka_unit_test(test_prefix), cmocka_unit_test(test_prefix_keeps_parts),
        cmocka_unit_test(test_long),   cmocka_unit_test(test_exit_status),
        cmocka_unit_test(test_assert),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
