#include "../test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/jsonl.h"
#include "base/record.h"
#include "collecting.h"

static void assert_same(const char *a, const char *b)
{
    char *first = dump_database(a), *second = dump_database(b);

    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void test_twice(void **state)
{
    struct fixture *f = *state;
    struct nuce_collect_counts counts;

    write_campaigns(f);
    counts = collect(f, f->database);
    assert_int_equal(counts.added, 5);
    assert_int_equal(counts.files, 3);
    collect(f, f->other);
    counts = collect(f, f->other);
    assert_int_equal(counts.added, 0);
    assert_int_equal(counts.known, 5);
    assert_int_equal(counts.skipped, 3);
    assert_same(f->database, f->other);
}

/* Collects one campaign after the other, in both orders: the content is that of f->database. */
static void assert_any_order(const struct fixture *f)
{
    static const char *const orders[2][2] = {{"a", "b"}, {"b", "a"}};

    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            struct nuce_store store;
            struct nuce_error error;
            struct nuce_collect one = {.store = &store, .campaigns = f->campaigns};

            assert_ok(nuce_store_open_writing(f->other, &store, &error));
            assert_ok(nuce_collect(&one, orders[i][k], &error));
            assert_ok(nuce_store_commit(&store, &error));
            nuce_store_close(&store);
        }
        assert_same(f->database, f->other);
        assert_int_equal(unlink(f->other), 0);
    }
}

static void test_orders(void **state)
{
    struct fixture *f = *state;

    write_campaigns(f);
    collect(f, f->database);
    assert_any_order(f);
}

/* Jobs of two clusters, or of one whose ids wrap, have one name: each campaign's is its own. */
static void test_same_name(void **state)
{
    struct fixture *f = *state;

    append_record(f->folder, "a", "1.jsonl", job_record("a", "slurm-7-0-0", "cpu"));
    append_record(f->folder, "a", "1.jsonl", run_record("a", "slurm-7-0-0", "ac", 16, 1));
    append_record(f->folder, "b", "1.jsonl", job_record("b", "slurm-7-0-0", "other cpu"));
    append_record(f->folder, "b", "1.jsonl", run_record("b", "slurm-7-0-0", "ac", 16, 4));
    assert_int_equal(collect(f, f->database).bad, 0);
    assert_any_order(f);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM job"), 2);
    assert_int_equal(query_integer(f->database, "SELECT count(DISTINCT environment) FROM result"),
                     2);
    assert_int_equal(
        query_integer(f->database,
                      "SELECT count(*) FROM result JOIN environment AS e"
                      " ON e.id = environment WHERE campaign = CASE"
                      " json_extract(described, '$.processor') WHEN 'cpu' THEN 'a' ELSE 'b' END"),
        2);
}

/* What may be a credential comes into no database, whatever a record holds. */
static void test_unknown_variables(void **state)
{
    struct fixture *f = *state;
    json_t *record = job_record("a", "j1", "cpu");

    set_described(record, "variables",
                  json_pack("{s:s, s:s, s:s}", "UCX_TLS", "tcp", "UCX_TOKEN", "x", "FI_FOO", "y"));
    assert_int_equal(
        json_object_set_new(json_object_get(record, "facts"), "variables",
                            json_pack("{s:s, s:s}", "SLURM_JWT", "x", "SLURM_JOB_ID", "7")),
        0);
    append_record(f->folder, "a", "1.jsonl", record);
    append_record(f->folder, "a", "1.jsonl", run_record("a", "j1", "ac", 16, 1));
    assert_int_equal(collect(f, f->database).bad, 0);
    assert_int_equal(
        query_integer(f->database,
                      "SELECT json_extract(described, '$.variables') = '{\"UCX_TLS\":\"tcp\"}'"
                      " FROM environment"),
        1);
    assert_int_equal(query_integer(f->database, "SELECT json_extract(facts, '$.variables') ="
                                                " '{\"SLURM_JOB_ID\":\"7\"}' FROM job"),
                     1);
}

/* A transfer that ends lines as another system does changes no record. */
static void test_line_ends(void **state)
{
    struct fixture *f = *state;
    json_t *records[] = {job_record("a", "j1", "cpu"), run_record("a", "j1", "ac", 16, 1)};

    for (int i = 0; i < 2; i++) {
        struct nuce_error error;
        char *line = nuce_jsonl_sealed(records[i], &error), *text = NULL;

        assert_non_null(line);
        assert_true(asprintf(&text, "%s\r\n", line) > 0);
        append_text(f->folder, "a", "1.jsonl", text);
        text[strlen(line)] = '\n';
        text[strlen(line) + 1] = '\0';
        append_text(f->folder, "a", "2.jsonl", text);
        free(line);
        free(text);
        json_decref(records[i]);
    }
    assert_int_equal(collect(f, f->database).bad, 0);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM run"), 1);
}

/* One name in one campaign, described in two ways: whose a run of that name is nobody can say. */
static void test_conflict(void **state)
{
    struct fixture *f = *state;
    struct nuce_collect_counts counts;
    struct nuce_error error;
    char *messages = NULL;

    write_campaigns(f);
    collect(f, f->other);
    append_record(f->folder, "a", "3.jsonl", job_record("a", "j1", "other cpu"));
    append_record(f->folder, "a", "3.jsonl", run_record("a", "j1", "ac", 64, 6));
    append_record(f->folder, "a", "3.jsonl", run_record("a", "j1", "ac", 16, 1));
    for (int i = 0; i < 2; i++) { /* said every time */
        assert_ok(collect_all(f->database, f->campaigns, &counts, &messages, &error));
        assert_int_equal(counts.bad, 1);
        assert_int_equal(counts.added, i == 0 ? 5 : 0);
        assert_int_equal(counts.known, i == 0 ? 0 : 5);
        assert_non_null(strstr(messages, "a/records/3.jsonl:1:1: job 'j1' of campaign 'a' is "
                                         "described in another file too"));
        free(messages);
        assert_same(f->database, f->other);
    }
}

/* A record that stands in two files is one run, whichever file is met first. */
static void test_copied_file(void **state)
{
    struct fixture *f = *state;
    char from[2 * PATH_BYTES], to[2 * PATH_BYTES];
    size_t length = 0;
    char *bytes;

    write_campaigns(f);
    collect(f, f->other);
    snprintf(from, sizeof from, "%s/a/records/1.jsonl", f->folder);
    snprintf(to, sizeof to, "%s/a/records/0.jsonl", f->folder);
    bytes = read_bytes(from, &length);
    write_bytes(to, bytes, length);
    free(bytes);
    assert_int_equal(collect(f, f->other).added, 0);
    assert_int_equal(collect(f, f->database).added, 5);
    assert_same(f->database, f->other);
}

static void test_at_once(void **state)
{
    enum { PROCESSES = 20 };
    struct fixture *f = *state;
    pid_t children[PROCESSES];

    write_campaigns(f);
    collect(f, f->other);
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            struct nuce_error error;

            _exit(collect_all(f->database, f->campaigns, NULL, NULL, &error) == NUCE_OK ? 0 : 1);
        }
        assert_true(children[i] > 0);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int result = -1;

        assert_int_equal(waitpid(children[i], &result, 0), children[i]);
        assert_int_equal(result, 0);
    }
    assert_same(f->database, f->other);
}

/* Cut off at every byte of its last line, a file gives what is before; made whole, it gives all. */
static void test_torn(void **state)
{
    struct fixture *f = *state;
    struct nuce_collect_counts counts;
    char path[2 * PATH_BYTES];
    size_t length = 0, first;
    char *bytes;

    append_record(f->folder, "a", "1.jsonl", job_record("a", "j1", "cpu"));
    append_record(f->folder, "a", "1.jsonl", run_record("a", "j1", "ac", 16, 1));
    snprintf(path, sizeof path, "%s/a/records/1.jsonl", f->folder);
    bytes = read_bytes(path, &length);
    first = (size_t)(strchr(bytes, '\n') - bytes) + 1;
    for (size_t cut = first + 1; cut < length; cut += 37) {
        write_bytes(path, bytes, cut);
        counts = collect(f, f->database);
        assert_int_equal(counts.torn, 1);
        assert_int_equal(counts.bad, 0);
        assert_int_equal(counts.added, 0);
        counts = collect(f, f->database); /* not read again, but still said */
        assert_int_equal(counts.skipped, 1);
        assert_int_equal(counts.torn, 1);
    }
    write_bytes(path, bytes, length);
    free(bytes);
    counts = collect(f, f->database);
    assert_int_equal(counts.torn, 0);
    assert_int_equal(counts.added, 1);
}

static void test_bad_lines(void **state)
{
    struct fixture *f = *state;
    struct nuce_collect_counts counts;
    struct nuce_error error;
    char *messages = NULL;
    json_t *other_point = run_record("a", "j1", "lp", 16, 7);
    json_t *older = run_record("a", "j1", "lp", 16, 8);

    append_record(f->folder, "a", "1.jsonl", job_record("a", "j1", "cpu"));
    append_text(f->folder, "a", "1.jsonl", "{\"record\":\"run\",\"ver\n");
    append_record(f->folder, "a", "1.jsonl", run_record("a", "j1", "ac", 16, 1));
    json_object_set_new(json_object_get(other_point, "params"), "unit", json_integer(64));
    append_record(f->folder, "a", "1.jsonl", other_point);
    append_record(f->folder, "a", "1.jsonl", nuce_record_create("ran", "j1", &error));
    set_param(older, "algorithm", json_string("lp"));
    append_record(f->folder, "a", "1.jsonl", older);
    for (int i = 0; i < 2; i++) { /* reported every time */
        assert_ok(collect_all(f->database, f->campaigns, &counts, &messages, &error));
        assert_int_equal(counts.bad, 4);
        assert_non_null(strstr(messages, "/a/records/1.jsonl:2:1: damaged"));
        assert_non_null(strstr(messages, "algorithm: ended: say schedule, decomposition or "
                                         "placement: the record is of an older nuce: run the "
                                         "point anew"));
        assert_non_null(strstr(messages, "/a/records/1.jsonl:4:1: "));
        assert_non_null(strstr(messages, "/a/records/1.jsonl:5:1: unknown record 'ran'"));
        free(messages);
    }
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM run"), 1);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM point"), 1);
}

/* A line that is found bad when half of it is stored leaves nothing behind, and takes nothing with
 * it. */
static void test_late(void **state)
{
    struct fixture *f = *state;
    struct nuce_collect_counts counts;
    struct nuce_error error;
    char *messages = NULL;
    json_t *twice = run_record("a", "j1", "lp", 16, 2);
    json_t *one = json_pack("{s:s, s:s, s:i}", "part", "step", "event", "L1", "value", 1);

    json_object_set_new(twice, "counters", json_pack("[O, o]", one, one));
    append_record(f->folder, "a", "1.jsonl", job_record("a", "j1", "cpu"));
    append_record(f->folder, "a", "1.jsonl", run_record("a", "j1", "ac", 16, 1));
    append_text(f->folder, "a", "1.jsonl", "{\n");
    append_record(f->folder, "a", "1.jsonl", twice);
    for (int i = 0; i < 2; i++) {
        assert_ok(collect_all(f->database, f->campaigns, &counts, &messages, &error));
        assert_int_equal(counts.bad, 2);
        assert_int_equal(counts.added, i == 0);
        assert_int_equal(counts.known, i);
        assert_non_null(strstr(messages, "1.jsonl:3:"));
        assert_non_null(strstr(messages, "1.jsonl:4:1: UNIQUE constraint failed: counter"));
        /* Once each, though the file is read twice. */
        assert_null(strstr(strstr(messages, "1.jsonl:3:") + 1, "1.jsonl:3:"));
        free(messages);
    }
    append_record(f->folder, "a", "1.jsonl", run_record("a", "j1", "rs-n", 16, 3));
    assert_ok(collect_all(f->database, f->campaigns, &counts, NULL, &error));
    assert_int_equal(counts.added, 1);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM point"), 2);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM sample"), 12);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM counter"), 0);
}

/* Writes a file that is long enough to be read ahead (collect_ahead.c): runs from first to last,
 * of which one line is no JSON and another is found bad when half of it is stored. */
static void append_many(const struct fixture *f, int first, int last)
{
    for (int number = first; number <= last; number++) {
        json_t *record = run_record("a", "j1", number % 2 == 0 ? "ac" : "lp", 16, number);
        json_t *one = json_pack("{s:s, s:s, s:i}", "part", "step", "event", "L1", "value", 1);

        if (number == 150)
            append_text(f->folder, "a", "1.jsonl", "{\n");
        json_object_set_new(record, "counters",
                            number == 250 ? json_pack("[O, O]", one, one) : json_pack("[O]", one));
        json_decref(one);
        append_record(f->folder, "a", "1.jsonl", record);
    }
}

/* What is read ahead, and what is not since the file was known when it was shorter, gives one
 * database and one report. */
static void test_large(void **state)
{
    struct fixture *f = *state;
    struct nuce_collect_counts counts, piecewise;
    struct nuce_error error;
    char *messages = NULL, *later = NULL, *whole, *pieces;

    append_record(f->folder, "a", "1.jsonl", job_record("a", "j1", "cpu"));
    append_many(f, 1, 10);
    collect(f, f->other);
    append_many(f, 11, 400);
    append_text(f->folder, "a", "1.jsonl", "{\"record\":");
    assert_ok(collect_all(f->database, f->campaigns, &counts, &messages, &error));
    assert_ok(collect_all(f->other, f->campaigns, &piecewise, &later, &error));
    assert_int_equal(counts.added, 399);
    assert_int_equal(piecewise.added, 389);
    assert_int_equal(counts.bad, 2);
    assert_int_equal(counts.torn, 1);
    assert_non_null(strstr(messages, "1.jsonl:151:1: damaged"));
    assert_non_null(strstr(messages, "1.jsonl:252:1: UNIQUE constraint failed: counter"));
    assert_string_equal(messages, later);
    whole = dump_database(f->database);
    pieces = dump_database(f->other);
    assert_string_equal(whole, pieces);
    free(whole);
    free(pieces);
    free(messages);
    free(later);
}

/* A file of another version is refused by name, and none of it is stored; what is beside it is. */
static void test_other_version(void **state)
{
    struct fixture *f = *state;
    struct nuce_collect_counts counts;
    struct nuce_error error;
    char *messages = NULL;
    json_t *old = run_record("a", "j1", "ac", 16, 1);

    write_campaigns(f);
    append_record(f->folder, "a", "0.jsonl", run_record("a", "j1", "lp", 64, 8));
    json_object_set_new(old, "version", json_integer(1));
    append_record(f->folder, "a", "0.jsonl", old);
    append_record(f->folder, "a", "0.jsonl", run_record("a", "j1", "lp", 128, 9));
    for (int i = 0; i < 2; i++) { /* reported every time */
        assert_ok(collect_all(f->database, f->campaigns, &counts, &messages, &error));
        assert_int_equal(counts.bad, 1);
        assert_non_null(strstr(messages, "/a/records/0.jsonl:2:1: record version 1"));
        assert_non_null(strstr(messages, "'nuce resume'"));
        assert_null(strstr(messages, "0.jsonl:3"));
        free(messages);
        assert_int_equal(query_integer(f->database, "SELECT count(*) FROM run"), 5);
        assert_int_equal(
            query_integer(f->database, "SELECT count(*) FROM record_file WHERE name = 'a/0.jsonl'"),
            0);
    }
}

static void test_not_records(void **state)
{
    struct fixture *f = *state;
    struct nuce_error error;

    write_campaigns(f);
    append_text(f->folder, "b", "2.jsonl", "{\"recipe\":\"soup\"}\n");
    assert_int_equal(collect_all(f->database, f->campaigns, NULL, NULL, &error), NUCE_BAD_INPUT);
    assert_says(&error, "b/records/2.jsonl: not a record file");
    assert_int_not_equal(access(f->database, F_OK), 0);
}

static void test_link_is_not_followed(void **state)
{
    struct fixture *f = *state;
    struct nuce_error error;
    char from[2 * PATH_BYTES], to[2 * PATH_BYTES];

    write_campaigns(f);
    snprintf(from, sizeof from, "%s/a/records/1.jsonl", f->folder);
    snprintf(to, sizeof to, "%s/b/records/9.jsonl", f->folder);
    assert_int_equal(symlink(from, to), 0);
    assert_int_equal(collect_all(f->database, f->campaigns, NULL, NULL, &error), NUCE_BAD_INPUT);
    assert_says(&error, "link");
}

/* What ports hold before they drop packets is a number of the environment, and NULL where a record
 * does not say, or says no number. */
static void test_buffers(void **state)
{
    struct fixture *f = *state;
    json_t *clusters[] = {json_pack("{s:i}", "buffer_bytes", 12000), json_object(),
                          json_pack("{s:s}", "buffer_bytes", "deep")};

    for (int i = 0; i < 3; i++) {
        char job[8];
        json_t *record;

        snprintf(job, sizeof job, "j%d", i + 2);
        record = job_record("a", job, "cpu");
        set_described(record, "cluster", clusters[i]);
        append_record(f->folder, "a", "1.jsonl", record);
        append_record(f->folder, "a", "1.jsonl", run_record("a", job, "ac", 16, i + 1));
    }
    collect(f, f->database);
    assert_int_equal(query_integer(f->database,
                                   "SELECT count(*) FROM environment WHERE buffer_bytes IS NULL"
                                   " AND id IN (SELECT environment FROM job)"),
                     2);
    assert_int_equal(query_integer(f->database, "SELECT sum(buffer_bytes) FROM environment"),
                     12000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_twice),
        TEST(test_orders),
        TEST(test_same_name),
        TEST(test_unknown_variables),
        TEST(test_line_ends),
        TEST(test_conflict),
        TEST(test_copied_file),
        TEST(test_at_once),
        TEST(test_late),
        TEST(test_large),
        TEST(test_other_version),
        TEST(test_torn),
        TEST(test_bad_lines),
        TEST(test_not_records),
        TEST(test_link_is_not_followed),
        TEST(test_buffers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
