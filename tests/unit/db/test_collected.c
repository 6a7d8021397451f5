/* What is in a database after collecting. */
#include "../test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collecting.h"

/* Every status is stored; only ok reaches the views. */
static void test_statuses(void **state)
{
    static const char *const statuses[] = {"ok", "failed", "corrupt", "timeout", "interrupted"};
    struct fixture *f = *state;

    append_record(f->folder, "a", "1.jsonl", job_record("a", "j1", "cpu"));
    for (int i = 0; i < 5; i++) {
        json_t *record = run_record("a", "j1", "ac", 16, 10 * i);

        json_object_set_new(record, "status", json_string(statuses[i]));
        append_record(f->folder, "a", "1.jsonl", record);
        record = run_record("a", "j1", "lp", 16, 10 * i + 1);
        json_object_set_new(record, "status", json_string(statuses[1 + i % 4]));
        append_record(f->folder, "a", "1.jsonl", record);
    }
    assert_int_equal(collect(f, f->database).added, 10);
    assert_int_equal(query_integer(f->database, "SELECT count(DISTINCT status) FROM run"), 5);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM result"), 1);
    assert_int_equal(query_integer(f->database, "SELECT n FROM result WHERE contender = 'ac'"), 6);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM outcome JOIN point"
                                                " ON id = point WHERE contender = 'lp'"),
                     0);
}

/* Points without anything to compare are results, with all their parameters, but win nothing; a
 * result leads to the samples of its runs. */
static void test_without_contender(void **state)
{
    struct fixture *f = *state;

    append_record(f->folder, "a", "1.jsonl", run_record("a", "j1", "ac", 16, 1));
    append_record(f->folder, "a", "1.jsonl",
                  workload_record(
                      "contention", 2,
                      json_pack("{s:s, s:i}", "direction", "to-one", "partners", 1),
                      json_pack("{s:[f,f], s:[f,f]}", "step", 3.0, 4.0, "communication", 3.0, 4.0),
                      json_pack("[[f,f],[f,f]]", 1.0, 3.0, 2.0, 4.0)));
    collect(f, f->database);
    assert_int_equal(query_integer(f->database,
                                   "SELECT json_extract(params, '$.partners') FROM result"
                                   " WHERE contender IS NULL"),
                     1);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM best"), 0);
    assert_int_equal(
        query_integer(f->database,
                      "SELECT total(s.step_s) FROM result JOIN pooled_run AS p"
                      " USING (point, environment, kind, wait)"
                      " JOIN rank_sample AS s ON s.run = p.run WHERE workload = 'contention'"),
        10);
}

/* Medians over all samples of a point's runs; another environment and another kind stay apart. */
static void test_summary(void **state)
{
    struct fixture *f = *state;
    json_t *simulated = run_record("a", "j1", "ac", 16, 9);

    write_campaigns(f);
    json_object_set_new(simulated, "kind", json_string("simulated"));
    append_record(f->folder, "a", "1.jsonl", simulated);
    collect(f, f->database);
    assert_int_equal(
        query_integer(f->database, "SELECT count(*) FROM result WHERE contender = 'ac'"), 3);
    assert_int_equal(
        query_integer(f->database, "SELECT n FROM result WHERE contender = 'ac' AND runs = 2"), 12);
    /* Medians of 1.25 - 1 and 4.375 or so: their geometric mean, with 12.7 standard errors. */
    assert_int_equal(
        query_integer(f->database,
                      "SELECT abs(communication_s - sqrt(m)) < 1e-9"
                      " AND abs(ln(communication_high_s / communication_s)"
                      "   - 12.7062047362 * abs(d) / 2) < 1e-6"
                      " AND abs(ln(communication_high_s * communication_low_s / m)) < 1e-9"
                      " FROM result, (SELECT exp(sum(ln(communication_s))) AS m,"
                      "   ln(max(communication_s) / min(communication_s)) AS d"
                      "   FROM run JOIN point AS p ON p.id = run.point"
                      "   WHERE kind = 'measured' AND p.contender = 'ac'"
                      "   AND (job, campaign) IN (SELECT j.id, j.campaign FROM job AS j"
                      "    JOIN result AS o ON o.environment = j.environment"
                      "    WHERE o.runs = 2))"
                      " WHERE contender = 'ac' AND runs = 2"),
        1);
    /* They ran in no heat: nobody can say which is faster. */
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM against"), 0);
}

/* The view `sample` unfolds what a run has in one row, with the figures that the record has. */
static void test_samples(void **state)
{
    static const char *const rows[] = {
        "number = 0 AND step_s = 3.0 AND communication_s = 1e-7 AND pack_s IS NULL",
        "number = 1 AND step_s = 0.25 AND communication_s = 4.0 AND computation_s IS NULL",
    };
    struct fixture *f = *state;

    for (int i = 0; i < 2; i++)
        append_record(
            f->folder, "a", "1.jsonl",
            workload_record(
                "contention", 2, json_pack("{s:i}", "partners", i),
                json_pack("{s:[f,f], s:[f,f]}", "step", 3.0, 0.25, "communication", 1e-7, 4.0),
                i == 0 ? NULL : json_pack("[[f,f],[f,f]]", 1.0, 3.0, 0.25, 0.125)));
    assert_int_equal(collect(f, f->database).added, 2);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM sample"), 4);
    for (int i = 0; i < 2; i++) {
        char sql[256];

        snprintf(sql, sizeof sql, "SELECT count(DISTINCT run) FROM sample WHERE %s", rows[i]);
        assert_int_equal(query_integer(f->database, sql), 2);
    }
    assert_int_equal(query_integer(f->database,
                                   "SELECT count(*) FROM sampled WHERE times = '[[3.0,null,1e-7],"
                                   "[0.25,null,4.0]]'"),
                     2);
}

/* What a run found does not keep it apart: the runs of a point that were as long about their index
 * are pooled with those that were not. */
static void test_pooled_whatever_found(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 3; i++) {
        json_t *record = run_record("a", "j1", "ac", 16, i);

        if (i < 2)
            json_object_set_new(record, "index_s", json_real(1e-6 * (i + 1)));
        append_record(f->folder, "a", "1.jsonl", record);
    }
    assert_int_equal(collect(f, f->database).added, 3);
    assert_int_equal(query_integer(f->database, "SELECT runs FROM result"), 3);
    assert_int_equal(query_integer(f->database, "SELECT round(1e7 * index_s) FROM result"), 15);
}

/* Runs under other wait policies are not pooled, nor are those that do not say. */
static void test_conditions(void **state)
{
    static const char *const waits[] = {NULL, "yield", "yield", "spin"};
    struct fixture *f = *state;

    append_record(f->folder, "a", "1.jsonl", job_record("a", "j1", "cpu"));
    for (int i = 0; i < 4; i++) {
        json_t *record = run_record("a", "j1", "ac", 16, i);

        if (waits[i] != NULL)
            json_object_set_new(record, "wait", json_string(waits[i]));
        append_record(f->folder, "a", "1.jsonl", record);
    }
    collect(f, f->database);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM result"), 3);
    assert_int_equal(
        query_integer(f->database, "SELECT n FROM result WHERE runs = 2 AND wait = 'yield'"), 12);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM result WHERE n = 6"), 2);
}

/* Runs whose job record is lost are kept, and find their environment when it turns up. */
static void test_lost_job(void **state)
{
    struct fixture *f = *state;

    append_record(f->folder, "a", "1.jsonl", run_record("a", "j1", "ac", 16, 1));
    collect(f, f->database);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM result JOIN environment"
                                                " ON id = environment AND described = '{}'"),
                     1);
    append_record(f->folder, "a", "2.jsonl", job_record("a", "j1", "cpu"));
    collect(f, f->database);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM result JOIN environment"
                                                " ON id = environment AND described <> '{}'"),
                     1);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM result"), 1);
}

static void test_hostile_strings(void **state)
{
    static const char text[] =
        "'); DROP TABLE run; -- \" ` $(touch x) \x1b[31m \xf0\x9f\x92\xa5 \n";
    struct fixture *f = *state;
    json_t *record = run_record(text, text, text, 16, 1);

    json_object_set_new(record, "message", json_string(text));
    json_object_set_new(record, "counters",
                        json_pack("[{s:s, s:s, s:n}]", "part", text, "event", text, "value"));
    append_record(f->folder, "a", "1.jsonl", job_record(text, text, text));
    append_record(f->folder, "a", "1.jsonl", record);
    assert_int_equal(collect(f, f->database).added, 1);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM run WHERE message = campaign"
                                                " AND message = job"),
                     1);
    assert_int_equal(query_integer(f->database,
                                   "SELECT count(*) FROM run JOIN counter ON run = id"
                                   " WHERE part = message AND event = message AND value IS NULL"),
                     1);
    assert_int_equal(query_integer(f->database, "SELECT length(message) FROM run"),
                     (int64_t)strlen(text) - 3);
}

static void test_per_rank(void **state)
{
    struct fixture *f = *state;
    json_t *record = run_record("a", "j1", "ac", 16, 1);
    json_t *per_rank = json_array();

    for (int sample = 0; sample < 6; sample++) {
        json_t *ranks = json_array();

        for (int rank = 0; rank < 32; rank++)
            json_array_append_new(ranks, json_real(0.5 + rank));
        json_array_append_new(per_rank, ranks);
    }
    json_object_set_new(record, "per_rank", per_rank);
    append_record(f->folder, "a", "1.jsonl", record);
    collect(f, f->database);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM rank_sample"
                                                " WHERE step_s = rank + 0.5"),
                     192);
}

static void test_events(void **state)
{
    struct fixture *f = *state;
    json_t *record = run_record("a", "j1", "ac", 16, 1);

    json_object_update_new(
        record,
        json_pack("{s:[[i,s,i,i,i,f,f],[i,s,i,i,i,f,f],[i,s,i,i,i,f,f]], s:i, s:f}", "events", 0,
                  "send", 31, 2, 64, 0.25, 0.5, 31, "receive", 0, 2, 64, 0.125, 0.75, 31, "send", 1,
                  3, 8, 0.5, 0.5, "events_lost", 4, "clock_error_s", 0.0625));
    append_record(f->folder, "a", "1.jsonl", record);
    append_record(f->folder, "a", "1.jsonl", run_record("a", "j1", "lp", 16, 1));
    collect(f, f->database);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM event JOIN run ON run = id"
                                                " WHERE events_lost = 4"
                                                " AND clock_error_s = 0.0625"),
                     3);
    assert_int_equal(query_integer(f->database,
                                   "SELECT count(*) FROM event WHERE rank = 31 AND number = 0"
                                   " AND peer = 0 AND direction = 'receive' AND phase = 2"
                                   " AND bytes = 64 AND start_s = 0.125 AND end_s = 0.75"),
                     1);
    assert_int_equal(query_integer(f->database, "SELECT peer FROM event WHERE rank = 31"
                                                " AND number = 1 AND direction = 'send'"),
                     1);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM run WHERE events_lost IS NULL"
                                                " AND clock_error_s IS NULL"),
                     1);
}

static void test_links(void **state)
{
    struct fixture *f = *state;
    json_t *record = run_record("a", "j1", "ac", 16, 1);

    json_object_update_new(record, json_pack("{s:[[i,i,f,n,f,n],[i,i,f,f,f,f]], s:[[i,f,n]],"
                                             " s:[[i,f,f,f],[i,f,f,f]], s:s}",
                                             "links", 0, 31, 0.25, 8e6, 31, 0, 0.5, 0.125, 4e6, 2e3,
                                             "ports", 31, 16e6, "contention", 1, 1.0, 1.0, 0.875,
                                             31, 2.0, 3.0, 1.75, "network_file", "n/t.network"));
    append_record(f->folder, "a", "1.jsonl", record);
    collect(f, f->database);
    assert_int_equal(
        query_integer(f->database,
                      "SELECT count(*) FROM link JOIN run ON run = id"
                      " WHERE json_extract(found, '$.network_file') = 'n/t.network' AND source = 31"
                      " AND destination = 0 AND startup_s = 0.5"
                      " AND startup_error_s = 0.125 AND bandwidth = 4e6"
                      " AND bandwidth_error = 2e3"),
        1);
    assert_int_equal(query_integer(f->database,
                                   "SELECT destination FROM link WHERE source = 0"
                                   " AND startup_error_s IS NULL AND bandwidth_error IS NULL"),
                     31);
    assert_int_equal(query_integer(f->database, "SELECT rank FROM port WHERE out_bandwidth = 16e6"
                                                " AND in_bandwidth IS NULL"),
                     31);
    assert_int_equal(query_integer(f->database,
                                   "SELECT sum(partners) FROM contention WHERE relative = out_gain"
                                   " OR (relative, out_gain, in_gain) = (2.0, 3.0, 1.75)"),
                     32);
}

/* What a decomposition costs, and its parts by the run that the view names. */
static void test_rectangles(void **state)
{
    struct fixture *f = *state;
    json_t *record = run_record("a", "j1", "xy2", 16, 1);

    json_object_update_new(record,
                           json_pack("{s:[[i,f,f,f,f],[i,f,f,f,f]], s:f, s:f, s:f, s:f, s:f, s:i}",
                                     "rectangles", 0, 0.0, 0.0, 10.0, 2.5, 1, 0.0, 2.5, 10.0, 7.5,
                                     "acost", 10.0, "bcost", 20.0, "internal_edges", 1.5, "cost",
                                     160.0, "decompose_s", 1e-6, "settled", 1));
    append_record(f->folder, "a", "1.jsonl", record);
    collect(f, f->database);
    assert_int_equal(
        query_integer(f->database,
                      "SELECT count(*) FROM result JOIN rectangle ON run = latest"
                      " WHERE (acost, bcost, internal_edges, cost, decompose_s, settled)"
                      " = (10, 20, 1.5, 160, 1e-6, 1) AND first_row = 0 AND rows = 10"
                      " AND (owner, first_column, columns) IN (VALUES (0, 0, 2.5), (1, 2.5, 7.5))"),
        2);
}

static void test_campaign_facts(void **state)
{
    struct fixture *f = *state;
    char path[2 * PATH_BYTES];
    static const char facts[] = "{\"campaign\":\"a\",\"name\":\"wing\",\"points\":7}";

    write_campaigns(f);
    snprintf(path, sizeof path, "%s/a/campaign.json", f->folder);
    write_bytes(path, facts, strlen(facts));
    collect(f, f->database);
    assert_int_equal(query_integer(f->database, "SELECT points FROM campaign WHERE id = 'a'"
                                                " AND name = 'wing' AND created IS NULL"),
                     7);
    assert_int_equal(query_integer(f->database, "SELECT count(*) FROM campaign"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_samples),        TEST(test_statuses),        TEST(test_without_contender),
        TEST(test_summary),        TEST(test_conditions),      TEST(test_pooled_whatever_found),
        TEST(test_lost_job),       TEST(test_hostile_strings), TEST(test_per_rank),
        TEST(test_events),         TEST(test_links),           TEST(test_rectangles),
        TEST(test_campaign_facts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
