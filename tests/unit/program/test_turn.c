/* The file that says whose turn it is outlives a process that dies, and goes with one that does
 * not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "run/turn.h"

#define A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static void check_file(const char *path, const char *wanted)
{
    char text[2 * NUCE_HASH_BYTES] = "";
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    assert_int_equal(fread(text, 1, sizeof text - 1, file), NUCE_HASH_BYTES);
    fclose(file);
    assert_string_equal(text, wanted);
}

static void test_turns(void **state)
{
    char folder[] = "/tmp/nuce-turn-XXXXXX", path[64], turns[80];
    struct nuce_turn turn = {NULL, NULL};
    struct nuce_error error;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/0001.jsonl", folder);
    snprintf(turns, sizeof turns, "%s.turn", path);
    assert_int_equal(nuce_turn_open(path, &turn, &error), NUCE_OK);
    check_file(turns, "");
    nuce_turn_set(&turn, A);
    check_file(turns, A);
    nuce_turn_set(&turn, B);
    check_file(turns, B);
    nuce_turn_close(&turn);
    assert_int_equal(access(turns, F_OK), -1);
    assert_int_equal(rmdir(folder), 0);
}

static void test_none(void **state)
{
    struct nuce_turn turn = {NULL, NULL};
    struct nuce_error error;

    (void)state;
    nuce_turn_set(NULL, A);
    nuce_turn_set(&turn, A);
    nuce_turn_close(&turn);
    assert_int_equal(nuce_turn_open("/nowhere/0001.jsonl", &turn, &error), NUCE_FAILED);
    assert_non_null(strstr(nuce_error_flatten(&error), "/nowhere/0001.jsonl.turn: No such file"));
    assert_null(turn.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
