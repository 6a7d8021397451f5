#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/allocate.h"
#include "base/command_line.h"
#include "base/int.h"

static void test_allocate(void **state)
{
    int64_t *values = nuce_allocate(1000, sizeof *values);
    char *nothing = nuce_allocate(0, 16);

    (void)state;
    assert_non_null(values);
    assert_non_null(nothing);
    for (int i = 0; i < 1000; i++)
        assert_true(values[i] == 0);
    free(values);
    free(nothing);
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

    (void)state;
    for (size_t i = 0; i < sizeof impossible / sizeof *impossible; i++) {
        char wanted[128];

        snprintf(wanted, sizeof wanted,
                 "nuce: out of memory: asked for %lld elements of %zu bytes\n",
                 (long long)impossible[i].count, impossible[i].size);
        ends(allocate, impossible[i].count, impossible[i].size, wanted);
        ends(grow, impossible[i].count, impossible[i].size, wanted);
        assert_int_equal(nuce_allocate_check(impossible[i].count, impossible[i].size, &error),
                         NUCE_FAILED);
        assert_non_null(strstr(error.message, "out of memory"));
    }
    ends(allocate_unset, INT64_MAX, 1,
         "nuce: out of memory: asked for 9223372036854775807 bytes\n");
    ends(json_text, INT64_MAX, 1, "nuce: out of memory: asked for 9223372036854775807 bytes\n");
    assert_int_equal(nuce_allocate_check(5 << 20, 2, &error), NUCE_OK);
}

/* Zeroed to the last byte, at the start of a cache line; small, large, and none at all. */
static void test_buffer(void **state)
{
    const int64_t sizes[] = {0, 1, 1000, (2 << 20) - 1, 2 << 20, (5 << 20) + 3};
    struct nuce_error error;

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
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
    assert_non_null(strstr(error.message, "out of memory"));
}

/* What was stored stays; the capacity at least doubles, so that n steps cost O(n). */
static void test_grow(void **state)
{
    int64_t capacity = 0, growths = 0, before = 0;
    void *data = NULL;

    (void)state;
    for (int i = 0; i < 10000; i++) {
        nuce_allocate_more(&data, &capacity, i + 1, sizeof(int));
        assert_true(capacity > i);
        growths += capacity != before;
        before = capacity;
        ((int *)data)[i] = i;
    }
    for (int i = 0; i < 10000; i++)
        assert_int_equal(((int *)data)[i], i);
    assert_true(growths <= 14);
    free(data);
}

static void test_int(void **state)
{
    (void)state;
    assert_int_equal(nuce_int(INT_MAX), INT_MAX);
    assert_int_equal(nuce_int(INT_MIN), INT_MIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocate), cmocka_unit_test(test_allocate_overflow),
        cmocka_unit_test(test_grow),     cmocka_unit_test(test_int),
        cmocka_unit_test(test_buffer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
