/* Files by which the harness and a program tell each other of a launch. */

#include "../folder.h"

#include "base/hash.h"
#include "base/jsonl.h"
#include "run/environment.h"
#include "run/point_loop.h"

/* Two ranks on these hosts, under a file of this text: which hosts are one, and what a file of host
 * names may look like. */
static void test_hosts(void **state)
{
#define TEXT(text) text, sizeof(text) - 1
    static const struct {
        const char *first, *second, *text;
        size_t length;
        nuce_status status;
        const char *says;
    } cases[] = {
        {"n1", "n3", TEXT("n1\nn3\n"), NUCE_OK, NULL},
        {"n1.site", "n3", TEXT("n1\nn3.site\n"), NUCE_OK, NULL},
        {"n1.site", "n3.site", TEXT("n1.site\nn3.site"), NUCE_OK, NULL},
        {"n1", "n3", TEXT("n1\nn3\n\n\n"), NUCE_OK, NULL},
        {"n1.site", "n3", TEXT("n1.elsewhere\nn3\n"), NUCE_FAILED,
         "hosts:1: rank 0 runs on n1.site, expected n1.elsewhere"},
        /* One name that begins another is no short form of it. */
        {"n1", "n3", TEXT("n1\nn30\n"), NUCE_FAILED, "hosts:2: rank 1 runs on n3, expected n30"},
        {"n1", "n30.site", TEXT("n1\nn3\n"), NUCE_FAILED, ""},
        {"n3", "n1", TEXT("n1\nn3\n"), NUCE_FAILED, "hosts:1: rank 0 runs on n3, expected n1"},
        {"n1", "n3", TEXT("n1\n\n\nn3\n"), NUCE_BAD_INPUT,
         "hosts:2: the line is empty; expected a host name"},
        {"n1", "n3", TEXT("n1\nn3 n4\n"), NUCE_BAD_INPUT,
         "hosts:2: 'n3 n4': expected one host name"},
        {"n1", "n3", TEXT("n1\r\nn3\r\n"), NUCE_BAD_INPUT, ""},
        {"n1", "n3", TEXT("n1\0\nn3\n"), NUCE_BAD_INPUT, ""},
        {"n1", "n3", TEXT(""), NUCE_FAILED, "hosts: 0 host names; expected 2, one a rank"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        json_t *hosts = json_pack("[s, s]", cases[i].first, cases[i].second);
        struct nuce_error error = {0};
        FILE *file = fopen("hosts", "w");

        assert_non_null(file);
        assert_int_equal(fwrite(cases[i].text, 1, cases[i].length, file), cases[i].length);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(nuce_launch_check_hosts("hosts", hosts, &error), cases[i].status);
        if (cases[i].status != NUCE_OK)
            assert_says(&error, cases[i].says);
        json_decref(hosts);
    }
}

/* Reals with more figures than a record holds: a reader of the record must find the same hash. */
static void test_figures(void **state)
{
    static const char text[] =
        "{\"cluster\": {\"share\": 0.1234567890123456789, \"list\": [1e-9]}}";
    struct nuce_error error;
    json_t *facts, *read;
    char *line;

    file_write("facts", text);
    facts = nuce_launch_read_facts("facts", &error);
    assert_non_null(facts);
    line = json_dumps(facts, JSON_REAL_PRECISION(NUCE_JSONL_PRECISION));
    read = json_loads(line, 0, NULL);
    assert_true(json_equal(facts, read));
    assert_string_equal(line, "{\"cluster\": {\"share\": 0.123456789012, \"list\": [1e-9]}}");
    json_decref(read);
    json_decref(facts);
    free(line);
}

#define A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

/* The file that says whose turn it is outlives a process that dies, and goes with one that does
 * not. */
static void test_turns(void **state)
{
    static const char *const ids[] = {"", A, B};
    struct nuce_turn turn = {NULL, NULL};
    struct nuce_error error;

    assert_ok(nuce_turn_open("0001.jsonl", &turn, &error));
    for (size_t i = 0; i < COUNT(ids); i++) {
        char text[2 * NUCE_HASH_BYTES] = "";
        FILE *file = fopen("0001.jsonl.turn", "r");

        if (i > 0)
            nuce_turn_set(&turn, ids[i]);
        assert_non_null(file);
        assert_int_equal(fread(text, 1, sizeof text - 1, file), NUCE_HASH_BYTES);
        assert_int_equal(fclose(file), 0);
        assert_string_equal(text, ids[i]);
    }
    nuce_turn_close(&turn);
    assert_int_equal(access("0001.jsonl.turn", F_OK), -1);
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

RUN_TESTS(folder_setup, folder_teardown, CASE(test_hosts), CASE(test_figures), CASE(test_turns),
          CASE(test_none))
