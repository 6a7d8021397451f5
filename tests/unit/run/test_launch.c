/* Files by which the harness and a program tell each other of a launch. */
#include "../test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/jsonl.h"
#include "run/environment.h"
#include "run/point_loop.h"

/* The files of a launcher: which hosts are one, what a file of host names may look like, and facts
 * whose hash survives a record. */

#define FILE_NAME "test_launch.txt"

static void write_file(const char *text, size_t length)
{
    FILE *file = fopen(FILE_NAME, "w");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* Two ranks, on these hosts, under a file of this text. */
static nuce_status check(const char *first, const char *second, const char *text, size_t length,
                         struct nuce_error *error)
{
    json_t *hosts = json_pack("[s, s]", first, second);
    nuce_status status;

    write_file(text, length);
    status = nuce_launch_check_hosts(FILE_NAME, hosts, error);
    json_decref(hosts);
    assert_int_equal(unlink(FILE_NAME), 0);
    return status;
}

#define CHECK(first, second, text, error) check(first, second, text, sizeof(text) - 1, error)

static void test_names(void **state)
{
    struct nuce_error error;

    assert_ok(CHECK("n1", "n3", "n1\nn3\n", &error));
    assert_ok(CHECK("n1.site", "n3", "n1\nn3.site\n", &error));
    assert_ok(CHECK("n1.site", "n3.site", "n1.site\nn3.site", &error));
    assert_int_equal(CHECK("n1.site", "n3", "n1.elsewhere\nn3\n", &error), NUCE_FAILED);
    assert_string_equal(nuce_error_flatten(&error),
                        FILE_NAME ":1: rank 0 runs on n1.site, expected n1.elsewhere");
    /* One name that begins another is no short form of it. */
    assert_int_equal(CHECK("n1", "n3", "n1\nn30\n", &error), NUCE_FAILED);
    assert_string_equal(nuce_error_flatten(&error),
                        FILE_NAME ":2: rank 1 runs on n3, expected n30");
    assert_int_equal(CHECK("n1", "n30.site", "n1\nn3\n", &error), NUCE_FAILED);
    assert_int_equal(CHECK("n3", "n1", "n1\nn3\n", &error), NUCE_FAILED);
    assert_string_equal(nuce_error_flatten(&error), FILE_NAME ":1: rank 0 runs on n3, expected n1");
}

static void test_lines(void **state)
{
    struct nuce_error error;

    assert_ok(CHECK("n1", "n3", "n1\nn3\n\n\n", &error));
    assert_int_equal(CHECK("n1", "n3", "n1\n\n\nn3\n", &error), NUCE_BAD_INPUT);
    assert_string_equal(nuce_error_flatten(&error),
                        FILE_NAME ":2: the line is empty; expected a host name");
    assert_int_equal(CHECK("n1", "n3", "n1\nn3 n4\n", &error), NUCE_BAD_INPUT);
    assert_string_equal(nuce_error_flatten(&error),
                        FILE_NAME ":2: 'n3 n4': expected one host name");
    assert_int_equal(CHECK("n1", "n3", "n1\r\nn3\r\n", &error), NUCE_BAD_INPUT);
    assert_int_equal(CHECK("n1", "n3", "n1\0\nn3\n", &error), NUCE_BAD_INPUT);
    assert_int_equal(CHECK("n1", "n3", "", &error), NUCE_FAILED);
    assert_string_equal(nuce_error_flatten(&error),
                        FILE_NAME ": 0 host names; expected 2, one a rank");
}

/* Reals with more figures than a record holds: a reader of the record must find the same hash. */
static void test_figures(void **state)
{
    static const char text[] =
        "{\"cluster\": {\"share\": 0.1234567890123456789, \"list\": [1e-9]}}";
    struct nuce_error error;
    json_t *facts, *read;
    char *line;

    write_file(text, sizeof text - 1);
    facts = nuce_launch_read_facts(FILE_NAME, &error);
    assert_non_null(facts);
    assert_int_equal(unlink(FILE_NAME), 0);
    line = json_dumps(facts, JSON_REAL_PRECISION(NUCE_JSONL_PRECISION));
    read = json_loads(line, 0, NULL);
    assert_true(json_equal(facts, read));
    assert_string_equal(line, "{\"cluster\": {\"share\": 0.123456789012, \"list\": [1e-9]}}");
    json_decref(read);
    json_decref(facts);
    free(line);
}

/* The file that says whose turn it is outlives a process that dies, and goes with one that does
 * not. */

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

    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/0001.jsonl", folder);
    snprintf(turns, sizeof turns, "%s.turn", path);
    assert_ok(nuce_turn_open(path, &turn, &error));
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

    nuce_turn_set(NULL, A);
    nuce_turn_set(&turn, A);
    nuce_turn_close(&turn);
    assert_int_equal(nuce_turn_open("/nowhere/0001.jsonl", &turn, &error), NUCE_FAILED);
    assert_says(&error, "/nowhere/0001.jsonl.turn: No such file");
    assert_null(turn.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names), cmocka_unit_test(test_lines), cmocka_unit_test(test_figures),
        cmocka_unit_test(test_turns), cmocka_unit_test(test_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
