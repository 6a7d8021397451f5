/* Messages and their parts, assertions, and memory that runs out. */
#include "../test.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/command_line.h"
#include "base/error.h"
#include "base/int.h"

static void test_set(void **state)
{
    struct nuce_error error;

    assert_int_equal(nuce_error_set(&error, NUCE_BAD_INPUT, "%s:%d", "file", 7), NUCE_BAD_INPUT);
    assert_int_equal(error.status, NUCE_BAD_INPUT);
    assert_string_equal(error.message, "file:7");
    nuce_error_set(&error, NUCE_BAD_INPUT, "'%s'", "\033[2J\xff");
    assert_string_equal(error.message, "'?[2J?'");
}

/* Messages that are too long are cut, never overrun. */
static void test_long(void **state)
{
    char text[2 * NUCE_MESSAGE_BYTES];
    struct nuce_error error;

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

/* Details of the inner error become part of the message: nothing is lost or repeated. */
static void test_about(void **state)
{
    struct nuce_error error;

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

/* In a child: a failed assertion prints its text and place on stderr, and ends by SIGABRT. */
static void test_assert(void **state)
{
    const struct rlimit no_core = {0, 0};
    char said[256] = "";
    int ways[2], status = 0;
    pid_t child;

    NUCE_ASSERT(1 + 1 == 2);
    assert_int_equal(pipe(ways), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        setrlimit(RLIMIT_CORE, &no_core);
        dup2(ways[1], STDERR_FILENO);
        NUCE_ASSERT(1 + 1 == 3);
        _exit(0);
    }
    close(ways[1]);
    assert_true(read(ways[0], said, sizeof said - 1) > 0);
    close(ways[0]);
    assert_true(waitpid(child, &status, 0) == child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_non_null(strstr(said, "test_error.c"));
    assert_non_null(strstr(said, "1 + 1 == 3"));
}

static void allocate(int64_t count, size_t size)
{
    free(nuce_allocate(count, size));
}

static void allocate_unset(int64_t count, size_t size)
{
    free(nuce_allocate_unset(count * (int64_t)size));
}

/* As in every program, behind its command line. */
static void json_text(int64_t count, size_t size)
{
    struct nuce_command_line line = {.about = ""};
    char name[] = "program", *argv[] = {name, NULL};
    struct nuce_error error;

    nuce_command_line_read(&line, 1, argv, &error);
    json_decref(json_stringn_nocheck("", (size_t)count * size - 1));
}

static void grow(int64_t count, size_t size)
{
    int64_t capacity = 0;
    void *data = NULL;

    nuce_allocate_more(&data, &capacity, count, size);
    free(data);
}

/* That the call ends its process with exit status 1 and these bytes on stderr. */
static void ends(void (*call)(int64_t count, size_t size), int64_t count, size_t size,
                 const char *wanted)
{
    char said[256] = "";
    size_t length = 0;
    ssize_t got;
    int ways[2], status;
    pid_t child;

    assert_int_equal(pipe(ways), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ways[1], STDERR_FILENO);
        call(count, size);
        _Exit(0);
    }
    close(ways[1]);
    while ((got = read(ways[0], said + length, sizeof said - 1 - length)) > 0)
        length += (size_t)got;
    close(ways[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_string_equal(said, wanted);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

/* Sizes that wrap around, or that no pointer difference can hold. */
static void test_allocate_overflow(void **state)
{
    static const struct {
        int64_t count;
        size_t size;
    } impossible[] = {
        {INT64_MAX, 8},
        {INT64_MAX / 8 + 1, 8},
        {(INT64_MAX / 2) + 1, 4},
        {2, SIZE_MAX / 2 + 1},
    };
    struct nuce_error error;

    for (size_t i = 0; i < COUNT(impossible); i++) {
        char wanted[128];

        snprintf(wanted, sizeof wanted,
                 "nuce: out of memory: asked for %lld elements of %zu bytes\n",
                 (long long)impossible[i].count, impossible[i].size);
        ends(allocate, impossible[i].count, impossible[i].size, wanted);
        ends(grow, impossible[i].count, impossible[i].size, wanted);
        assert_int_equal(nuce_allocate_check(impossible[i].count, impossible[i].size, &error),
                         NUCE_FAILED);
        assert_says(&error, "out of memory");
    }
    ends(allocate_unset, INT64_MAX, 1,
         "nuce: out of memory: asked for 9223372036854775807 bytes\n");
    ends(json_text, INT64_MAX, 1, "nuce: out of memory: asked for 9223372036854775807 bytes\n");
    assert_ok(nuce_allocate_check(5 << 20, 2, &error));
}

/* Zeroed to the last byte, at the start of a cache line; small, large, and none at all. */
static void test_buffer(void **state)
{
    const int64_t sizes[] = {0, 1, 1000, (2 << 20) - 1, 2 << 20, (5 << 20) + 3};
    struct nuce_error error;

    for (size_t i = 0; i < COUNT(sizes); i++) {
        unsigned char *data = nuce_allocate_buffer(sizes[i], &error);

        assert_non_null(data);
        assert_int_equal((uintptr_t)data % 64, 0);
        for (int64_t k = 0; k < sizes[i]; k++)
            assert_true(data[k] == 0);
        free(data);
    }
    error.status = NUCE_OK;
    assert_null(nuce_allocate_buffer(INT64_MAX, &error));
    assert_int_equal(error.status, NUCE_FAILED);
    assert_says(&error, "out of memory");
}

RUN(test_set, test_refuse, test_about, test_long, test_assert, test_allocate_overflow, test_buffer)
