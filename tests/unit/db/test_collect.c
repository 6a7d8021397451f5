/* Collecting: records that it takes, messages about others, and the database after it. */
#include "base/jsonl.h"
#include "base/record.h"
#include "records.h"

/* Two campaigns, three files, five runs. */
static void write_campaigns(const struct fixture *f)
{
    put(f, job_record("a", "j1", "cpu"));
    put(f, run_record("a", "j1", "ac", 16, 1));
    put(f, run_record("a", "j1", "lp", 16, 2));
    append_record(f->folder, "a", "2.jsonl", job_record("a", "j2", "cpu"));
    append_record(f->folder, "a", "2.jsonl", run_record("a", "j2", "ac", 16, 3));
    append_record(f->folder, "b", "1.jsonl", job_record("b", "j3", "other cpu"));
    append_record(f->folder, "b", "1.jsonl", run_record("b", "j3", "ac", 16, 4));
    append_record(f->folder, "b", "1.jsonl", run_record("b", "j3", "rs-n", 32, 5));
}

static void assert_same(const char *a, const char *b)
{
    char *first = dump_database(a), *second = dump_database(b);

    assert_string_equal(first, second);
    free(first);
    free(second);
}

/* Collects one campaign after the other, in both orders: the content is that of f->database. */
static void assert_any_order(const struct fixture *f)
{
    static const char *const orders[2][2] = {{"a", "b"}, {"b", "a"}};

    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            struct nuce_store store;
            struct nuce_collect one = {.store = &store, .campaigns = f->campaigns};

            assert_ok(nuce_store_open_writing(f->other, &store, ANY_ERROR));
            assert_ok(nuce_collect(&one, orders[i][k], ANY_ERROR));
            assert_ok(nuce_store_commit(&store, ANY_ERROR));
            nuce_store_close(&store);
        }
        assert_same(f->database, f->other);
        assert_int_equal(unlink(f->other), 0);
    }
}

/* Jobs of two clusters, or of one whose ids wrap, have one name: each campaign's is its own. */
static void test_same_name(void **state)
{
    struct fixture *f = *state;

    put(f, job_record("a", "slurm-7-0-0", "cpu"));
    put(f, run_record("a", "slurm-7-0-0", "ac", 16, 1));
    append_record(f->folder, "b", "1.jsonl", job_record("b", "slurm-7-0-0", "other cpu"));
    append_record(f->folder, "b", "1.jsonl", run_record("b", "slurm-7-0-0", "ac", 16, 4));
    assert_int_equal(collect(f).bad, 0);
    assert_any_order(f);
    gives(f, 2, "SELECT count(*) FROM job");
    gives(f, 2, "SELECT count(DISTINCT environment) FROM result");
    gives(f, 2,
          "SELECT count(*) FROM result JOIN environment AS e ON e.id = environment WHERE campaign "
          "= CASE json_extract(described, '$.processor') WHEN 'cpu' THEN 'a' ELSE 'b' END");
}

/* A variable that may be a credential comes into no database, whatever a record holds. */
static void test_unknown_variables(void **state)
{
    struct fixture *f = *state;

    put(f, with(describing(
                    job_record("a", "j1", "cpu"),
                    "'variables':{'UCX_TLS':'tcp','UCX_TOKEN':'x','FI_FOO':'y','LD_PRELOAD':'a.so',"
                    "'OMPI_MCA_pml':'ob1','OMPI_MCA_orte_hnp_uri':'z','UCX_MODULES':'^ib'}"),
                "'facts':{'variables':{'SLURM_JWT':'x','SLURM_JOB_ID':'7'}}"));
    put(f, run_record("a", "j1", "ac", 16, 1));
    assert_int_equal(collect(f).bad, 0);
    gives(
        f, 1,
        "SELECT json_extract(described, '$.variables') = '{\"LD_PRELOAD\":\"a.so\","
        "\"OMPI_MCA_pml\":\"ob1\",\"UCX_MODULES\":\"^ib\",\"UCX_TLS\":\"tcp\"}' FROM environment");
    gives(f, 1, "SELECT json_extract(facts, '$.variables') = '{\"SLURM_JOB_ID\":\"7\"}' FROM job");
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
    assert_int_equal(collect(f).bad, 0);
    gives(f, 1, "SELECT count(*) FROM run");
}

/* Collects twice; each time it reports so many bad lines, and each of the NULL-ended parts. The
 * first time it adds so many runs, the second time all are known. */
static struct nuce_collect_counts collect_twice(const struct fixture *f, int64_t bad, int64_t added,
                                                const char *const *parts)
{
    struct nuce_collect_counts counts;

    for (int i = 0; i < 2; i++) {
        char *messages = NULL;

        assert_ok(collect_all(f->database, f->campaigns, &counts, &messages, ANY_ERROR));
        for (int k = 0; parts[k] != NULL; k++) {
            if (strstr(messages, parts[k]) == NULL)
                fail_msg("no '%s' in:\n%s", parts[k], messages);
        }
        free(messages);
        assert_int_equal(counts.bad, bad);
        assert_int_equal(counts.added, i == 0 ? added : 0);
        assert_int_equal(counts.known, i == 0 ? 0 : added);
    }
    return counts;
}

#define COLLECT_TWICE(f, bad, added, ...)                                                          \
    collect_twice(f, bad, added, (const char *const[]){__VA_ARGS__, NULL})

/* A job of one name and campaign is described in two ways: the job of a run with that name is
 * ambiguous. */
static void test_conflict(void **state)
{
    struct fixture *f = *state;

    write_campaigns(f);
    collect_into(f, f->other);
    append_record(f->folder, "a", "3.jsonl", job_record("a", "j1", "other cpu"));
    append_record(f->folder, "a", "3.jsonl", run_record("a", "j1", "ac", 64, 6));
    append_record(f->folder, "a", "3.jsonl", run_record("a", "j1", "ac", 16, 1));
    COLLECT_TWICE(
        f, 1, 5,
        "a/records/3.jsonl:1:1: job 'j1' of campaign 'a' is described differently in another file");
    assert_same(f->database, f->other);
}

/* A record that stands in two files is one run, whichever file is met first. */
static void test_copied_file(void **state)
{
    struct fixture *f = *state;
    size_t length = 0;
    char *bytes;

    write_campaigns(f);
    collect_into(f, f->other);
    bytes = read_bytes("a/records/1.jsonl", &length);
    write_bytes("a/records/0.jsonl", bytes, length);
    free(bytes);
    assert_int_equal(collect_into(f, f->other).added, 0);
    assert_int_equal(collect(f).added, 5);
    assert_same(f->database, f->other);
}

/* A bad or torn line is reported every time, even if the file is not read again. */
static void test_bad_lines(void **state)
{
    struct fixture *f = *state;
    struct nuce_error error;
    struct nuce_collect_counts counts;
    json_t *other_point = run_record("a", "j1", "lp", 16, 7);

    put(f, job_record("a", "j1", "cpu"));
    append_text(f->folder, "a", "1.jsonl", "{\"record\":\"run\",\"ver\n");
    put(f, run_record("a", "j1", "ac", 16, 1));
    with(json_object_get(other_point, "params"), "'item-bytes':64");
    put(f, other_point);
    put(f, nuce_record_create("ran", "j1", &error));
    put(f, with_params(run_record("a", "j1", "lp", 16, 8), "'algorithm':'lp'"));
    append_text(f->folder, "a", "1.jsonl", "{\"record\":");
    counts = COLLECT_TWICE(
        f, 4, 1, "/a/records/1.jsonl:2:1: damaged",
        "algorithm: removed: say schedule, decomposition or placement: the record is of an older "
        "nuce: run the point again",
        "/a/records/1.jsonl:4:1: ", "/a/records/1.jsonl:5:1: unknown record 'ran'");
    assert_int_equal(counts.torn, 1);
    gives(f, 1, "SELECT count(*) FROM run");
    gives(f, 1, "SELECT count(*) FROM point");
}

#define COUNTER "{'part':'step','event':'L1','value':1}"

/* A line that is found bad when half of it is stored leaves nothing behind, and takes nothing with
 * it. */
static void test_late(void **state)
{
    struct fixture *f = *state;

    put(f, job_record("a", "j1", "cpu"));
    put(f, run_record("a", "j1", "ac", 16, 1));
    append_text(f->folder, "a", "1.jsonl", "{\n");
    put(f, with(run_record("a", "j1", "lp", 16, 2), "'counters':[" COUNTER "," COUNTER "]"));
    /* Two are bad, once each, though the file is read twice. */
    COLLECT_TWICE(f, 2, 1, "1.jsonl:3:", "1.jsonl:4:1: UNIQUE constraint failed: counter");
    put(f, run_record("a", "j1", "rs-n", 16, 3));
    assert_int_equal(collect(f).added, 1);
    gives(f, 2, "SELECT count(*) FROM point");
    gives(f, 12, "SELECT count(*) FROM sample");
    gives(f, 0, "SELECT count(*) FROM counter");
}

/* Writes a long file: runs from first to last,
 * of which one line is no JSON and another is found bad when half of it is stored. */
static void append_many(const struct fixture *f, int first, int last)
{
    for (int number = first; number <= last; number++) {
        if (number == 150)
            append_text(f->folder, "a", "1.jsonl", "{\n");
        put(f, with(run_record("a", "j1", number % 2 == 0 ? "ac" : "lp", 16, number),
                    "'counters':[%s]", number == 250 ? COUNTER "," COUNTER : COUNTER));
    }
}

/* Lines that are read ahead, and those of a file that was known when it was shorter, give one
 * database and one report. */
static void test_large(void **state)
{
    struct fixture *f = *state;
    struct nuce_collect_counts counts, piecewise;
    char *messages = NULL, *later = NULL;

    put(f, job_record("a", "j1", "cpu"));
    append_many(f, 1, 10);
    collect_into(f, f->other);
    append_many(f, 11, 400);
    append_text(f->folder, "a", "1.jsonl", "{\"record\":");
    assert_ok(collect_all(f->database, f->campaigns, &counts, &messages, ANY_ERROR));
    assert_ok(collect_all(f->other, f->campaigns, &piecewise, &later, ANY_ERROR));
    assert_int_equal(counts.added, 399);
    assert_int_equal(piecewise.added, 389);
    assert_int_equal(counts.bad, 2);
    assert_int_equal(counts.torn, 1);
    assert_non_null(strstr(messages, "1.jsonl:151:1: damaged"));
    assert_non_null(strstr(messages, "1.jsonl:252:1: UNIQUE constraint failed: counter"));
    assert_string_equal(messages, later);
    assert_same(f->database, f->other);
    free(messages);
    free(later);
}

/* A file of another version is refused by name, and none of it is stored; files beside it are. */
static void test_other_version(void **state)
{
    struct fixture *f = *state;

    write_campaigns(f);
    append_record(f->folder, "a", "0.jsonl", run_record("a", "j1", "lp", 64, 8));
    append_record(f->folder, "a", "0.jsonl",
                  with(run_record("a", "j1", "ac", 16, 1), "'version':1"));
    append_record(f->folder, "a", "0.jsonl", run_record("a", "j1", "lp", 128, 9));
    COLLECT_TWICE(f, 1, 5, "/a/records/0.jsonl:2:1: record version 1", "'nuce resume'");
    gives(f, 5, "SELECT count(*) FROM run");
    gives(f, 0, "SELECT count(*) FROM record_file WHERE name = 'a/0.jsonl'");
}

/* A link, or a file that is not a record file, is refused, and nothing is collected. */
static void test_not_records(void **state)
{
    struct fixture *f = *state;
    struct nuce_error error;

    write_campaigns(f);
    append_text(f->folder, "b", "2.jsonl", "{\"recipe\":\"soup\"}\n");
    assert_int_equal(collect_all(f->database, f->campaigns, NULL, NULL, &error), NUCE_BAD_INPUT);
    assert_says(&error, "b/records/2.jsonl: not a record file");
    assert_int_not_equal(access(f->database, F_OK), 0);
    assert_int_equal(unlink("b/records/2.jsonl"), 0);
    assert_int_equal(symlink("1.jsonl", "b/records/9.jsonl"), 0);
    assert_int_equal(collect_all(f->database, f->campaigns, NULL, NULL, &error), NUCE_BAD_INPUT);
    assert_says(&error, "link");
}

/* The buffer of ports is a number of the environment, and NULL where a record does not say, or says
 * no number. */
static void test_buffers(void **state)
{
    static const char *const clusters[] = {"'buffer_bytes':12000", "", "'buffer_bytes':'deep'"};
    struct fixture *f = *state;

    for (int i = 0; i < 3; i++) {
        char job[] = {'j', (char)('2' + i), '\0'};

        put(f, describing(job_record("a", job, "cpu"), "'cluster':{%s}", clusters[i]));
        put(f, run_record("a", job, "ac", 16, i + 1));
    }
    collect(f);
    gives(f, 2,
          "SELECT count(*) FROM environment WHERE buffer_bytes IS NULL AND id IN (SELECT "
          "environment FROM job)");
    gives(f, 12000, "SELECT sum(buffer_bytes) FROM environment");
}

/* Every status is stored; only ok reaches the views. */
static void test_statuses(void **state)
{
    static const char *const statuses[] = {"ok", "failed", "corrupt", "timeout", "interrupted"};
    struct fixture *f = *state;

    put(f, job_record("a", "j1", "cpu"));
    for (int i = 0; i < 5; i++) {
        put(f, with(run_record("a", "j1", "ac", 16, 10 * i), "'status':'%s'", statuses[i]));
        put(f, with(run_record("a", "j1", "lp", 16, 10 * i + 1), "'status':'%s'",
                    statuses[1 + i % 4]));
    }
    assert_int_equal(collect(f).added, 10);
    gives(f, 5, "SELECT count(DISTINCT status) FROM run");
    gives(f, 1, "SELECT count(*) FROM result");
    gives(f, 6, "SELECT n FROM result WHERE contender = 'ac'");
    gives(f, 0, "SELECT count(*) FROM outcome JOIN point ON id = point WHERE contender = 'lp'");
}

/* Points without anything to compare are results, with all their parameters, but win nothing; a
 * result leads to the samples of its runs. */
static void test_without_contender(void **state)
{
    struct fixture *f = *state;

    put(f, run_record("a", "j1", "ac", 16, 1));
    put(f, workload_record("contention", 2, json_of("{'direction':'to-one','partners':1}"),
                           json_of("{'step':[3.0,4.0],'communication':[3.0,4.0]}"),
                           json_of("[[1.0,3.0],[2.0,4.0]]")));
    collect(f);
    gives(f, 1, "SELECT json_extract(params, '$.partners') FROM result WHERE contender IS NULL");
    gives(f, 0, "SELECT count(*) FROM best");
    gives(f, 10,
          "SELECT total(s.step_s) FROM result JOIN pooled_run AS p USING (point, environment, "
          "kind, wait) JOIN rank_sample AS s ON s.run = p.run WHERE workload = 'contention'");
    gives(f, 4,
          "SELECT count(*) FROM rank_sample WHERE (number, rank, step_s) IN (VALUES (0, 0, 1.0), "
          "(0, 1, 3.0), (1, 0, 2.0), (1, 1, 4.0))");
}

/* Medians over all samples of a point's runs; another environment and another kind stay apart. */
static void test_summary(void **state)
{
    struct fixture *f = *state;

    write_campaigns(f);
    put(f, with(run_record("a", "j1", "ac", 16, 9), "'kind':'simulated'"));
    collect(f);
    gives(f, 3, "SELECT count(*) FROM result WHERE contender = 'ac'");
    gives(f, 12, "SELECT n FROM result WHERE contender = 'ac' AND runs = 2");
    /* Medians of 1.25 - 1 and 4.375 or so: their geometric mean, with 12.7 standard errors. */
    gives(
        f, 1,
        "SELECT abs(communication_s - sqrt(m)) < 1e-9 AND abs(ln(communication_high_s / "
        "communication_s)   - 12.7062047362 * abs(d) / 2) < 1e-6 AND abs(ln(communication_high_s * "
        "communication_low_s / m)) < 1e-9 FROM result, (SELECT exp(sum(ln(communication_s))) AS m, "
        "  ln(max(communication_s) / min(communication_s)) AS d   FROM run JOIN point AS p ON p.id "
        "= run.point   WHERE kind = 'measured' AND p.contender = 'ac'   AND (job, campaign) IN "
        "(SELECT j.id, j.campaign FROM job AS j    JOIN result AS o ON o.environment = "
        "j.environment    WHERE o.runs = 2)) WHERE contender = 'ac' AND runs = 2");
    /* They ran in no race, so no verdict is possible. */
    gives(f, 0, "SELECT count(*) FROM against");
}

/* The view `sample` unfolds the samples of a run's row, with the record's values. */
static void test_samples(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 2; i++)
        put(f, workload_record("contention", 2, json_of("{'partners':%d}", i),
                               json_of("{'step':[3.0,0.25],'communication':[1e-7,4.0]}"),
                               i == 0 ? NULL : json_of("[[1.0,3.0],[0.25,0.125]]")));
    assert_int_equal(collect(f).added, 2);
    gives(f, 4, "SELECT count(*) FROM sample");
    gives(f, 2,
          "SELECT count(DISTINCT run) FROM sample WHERE number = 0 AND step_s = 3.0 AND "
          "communication_s = 1e-7 AND pack_s IS NULL");
    gives(f, 2,
          "SELECT count(DISTINCT run) FROM sample WHERE number = 1 AND step_s = 0.25 AND "
          "communication_s = 4.0 AND computation_s IS NULL");
    gives(f, 2, "SELECT count(*) FROM sampled WHERE times = '[[3.0,null,1e-7],[0.25,null,4.0]]'");
}

/* Results do not keep a run apart: the runs of a point that were as long about their index are
 * pooled with those that were not. Runs under other wait policies are not pooled, nor are those
 * that do not say. */
static void test_pooled(void **state)
{
    static const char *const members[] = {"'index_s':1e-6", "'index_s':2e-6", "'phases':15",
                                          "'wait':'yield'", "'wait':'yield'", "'wait':'spin'"};
    struct fixture *f = *state;

    put(f, job_record("a", "j1", "cpu"));
    for (int i = 0; i < 6; i++)
        put(f, with(run_record("a", "j1", "ac", 16, i), "%s", members[i]));
    assert_int_equal(collect(f).added, 6);
    gives(f, 3, "SELECT count(*) FROM result");
    gives(f, 1, "SELECT count(*) FROM result WHERE runs = 3 AND round(1e7 * index_s) = 15");
    gives(f, 12, "SELECT n FROM result WHERE runs = 2 AND wait = 'yield'");
    gives(f, 1, "SELECT count(*) FROM result WHERE n = 6");
}

/* A part that took no time in one run has no mean of logarithms there: the median of all samples.
 */
static void test_no_time(void **state)
{
    static const char *const unpack[] = {"0.0", "1e-6", "4e-6"};
    struct fixture *f = *state;

    put(f, job_record("a", "j1", "cpu"));
    for (int i = 0; i < 3; i++)
        put(f, with(run_record("a", "j1", "ac", 16, i), "'samples':{'step':[1.0],'unpack':[%s]}",
                    unpack[i]));
    assert_int_equal(collect(f).added, 3);
    gives(f, 1, "SELECT count(*) FROM result WHERE runs = 3 AND unpack_s = 1e-6");
}

/* Ratios below a tenth keep two digits. */
static void test_small_ratios(void **state)
{
    struct fixture *f = *state;

    collect(f);
    gives(f, 1, "SELECT told_ratio(0.0023, 0.0021, 0.13) = '0.0023x [0.0021, 0.13]'");
    gives(f, 1, "SELECT told_ratio(0, NULL, NULL) || told_ratio(1.5, 1.5, 1.5) = '0.00x1.50x'");
}

/* Runs whose job record is lost are kept, and find their environment when it turns up. */
static void test_lost_job(void **state)
{
    struct fixture *f = *state;

    put(f, run_record("a", "j1", "ac", 16, 1));
    collect(f);
    gives(f, 1,
          "SELECT count(*) FROM result JOIN environment ON id = environment AND described = '{}'");
    append_record(f->folder, "a", "2.jsonl", job_record("a", "j1", "cpu"));
    collect(f);
    gives(f, 1,
          "SELECT count(*) FROM result JOIN environment ON id = environment AND described <> '{}'");
    gives(f, 1, "SELECT count(*) FROM result");
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
    put(f, job_record(text, text, text));
    put(f, record);
    assert_int_equal(collect(f).added, 1);
    gives(f, 1, "SELECT count(*) FROM run WHERE message = campaign AND message = job");
    gives(f, 1,
          "SELECT count(*) FROM run JOIN counter ON run = id WHERE part = message AND event = "
          "message AND value IS NULL");
    gives(f, (int64_t)strlen(text) - 3, "SELECT length(message) FROM run");
}

/* Results besides times are in tables of their own: the cost of a decomposition, and its parts by
 * the run that the view names. */
static void test_found(void **state)
{
    static const struct {
        const char *members;
        struct {
            int64_t expected;
            const char *sql;
        } queries[4];
    } cases[] = {
        {"'events':[[0,'send',31,2,64,0.25,0.5],[31,'receive',0,2,64,0.125,0.75],[31,'send',1,3,8,"
         "0.5,0.5]],'events_lost':4,'clock_error_s':0.0625",
         {{3, "SELECT count(*) FROM event JOIN run ON run = id WHERE events_lost = 4 AND "
              "clock_error_s = 0.0625"},
          {1, "SELECT count(*) FROM event WHERE (rank, number, peer, direction, phase, bytes, "
              "start_s, end_s) = (31, 0, 0, 'receive', 2, 64, 0.125, 0.75)"},
          {1, "SELECT peer FROM event WHERE rank = 31 AND number = 1 AND direction = 'send'"},
          {1, "SELECT count(*) FROM run WHERE events_lost IS NULL AND clock_error_s IS NULL"}}},
        {"'links':[[0,31,0.25,null,8e6,null],[31,0,0.5,0.125,4e6,2e3]],'ports':[[31,16e6,null]],'"
         "contention':[[1,1.0,1.0,0.875],[31,2.0,3.0,1.75]],'network_file':'n/t.network'",
         {{1, "SELECT count(*) FROM link JOIN run ON run = id WHERE json_extract(metrics, "
              "'$.network_file') = 'n/t.network' AND (source, destination, startup_s, "
              "startup_error_s, bandwidth, bandwidth_error) = (31, 0, 0.5, 0.125, 4e6, 2e3)"},
          {31, "SELECT destination FROM link WHERE source = 0 AND startup_error_s IS NULL AND "
               "bandwidth_error IS NULL"},
          {31, "SELECT rank FROM port WHERE out_bandwidth = 16e6 AND in_bandwidth IS NULL"},
          {32, "SELECT sum(partners) FROM contention WHERE relative = out_gain OR (relative, "
               "out_gain, in_gain) = (2.0, 3.0, 1.75)"}}},
        {"'rectangles':[[0,0.0,0.0,10.0,2.5],[1,0.0,2.5,10.0,7.5]],'acost':10.0,'bcost':20.0,'"
         "internal_edges':1.5,'cost':160.0,'decompose_s':1e-6,'settled':1",
         {{2, "SELECT count(*) FROM result JOIN rectangle ON run = latest WHERE (acost, bcost, "
              "internal_edges, cost, decompose_s, settled) = (10, 20, 1.5, 160, 1e-6, 1) AND "
              "first_row = 0 AND rows = 10 AND (owner, first_column, columns) IN (VALUES (0, 0, "
              "2.5), (1, 2.5, 7.5))"}}},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < COUNT(cases); i++) {
        put(f, with(run_record("a", "j1", "ac", 16, 1), "%s", cases[i].members));
        put(f, run_record("a", "j1", "lp", 16, 1));
        collect(f);
        for (size_t k = 0; k < 4 && cases[i].queries[k].sql != NULL; k++)
            gives(f, cases[i].queries[k].expected, cases[i].queries[k].sql);
        assert_int_equal(unlink("a/records/1.jsonl"), 0);
        assert_int_equal(unlink(f->database), 0);
    }
}

/* A file or folder that is no campaign is named, and costs no line. */
static void test_no_campaign(void **state)
{
    struct fixture *f = *state;

    write_campaigns(f);
    assert_int_equal(mkdir("lost+found", 0777), 0);
    file_write("notes (old).txt", "");
    COLLECT_TWICE(f, 0, 5, "/lost+found: not collected: not a campaign's name",
                  "/notes (old).txt: not collected: not a campaign's name");
}

static void test_campaign_facts(void **state)
{
    struct fixture *f = *state;

    write_campaigns(f);
    file_write("a/campaign.json", "{\"campaign\":\"a\",\"name\":\"wing\",\"points\":7}");
    collect(f);
    gives(f, 7, "SELECT points FROM campaign WHERE id = 'a' AND name = 'wing' AND created IS NULL");
    gives(f, 2, "SELECT count(*) FROM campaign");
}

/* Writes campaign.json of campaign a, made in that second, into the folder. */
static void describe_a(const char *folder, int second)
{
    char path[64], text[128];

    snprintf(path, sizeof path, "%s/campaign.json", folder);
    snprintf(text, sizeof text, "{\"campaign\":\"a\",\"created\":\"2026-11-21T10:00:%02d.000Z\"}",
             second);
    file_write(path, text);
}

/* Two campaigns of one name: the second one is left out, beside it all is taken. A copy of the
 * first one, wherever it is, brings nothing new. */
static void test_same_id(void **state)
{
    struct fixture *f = *state;
    struct nuce_store store;
    struct nuce_collect one = {.store = &store, .campaigns = f->campaigns};
    struct nuce_collect_counts counts;
    struct nuce_error error;

    write_campaigns(f);
    describe_a("a", 1);
    collect(f);
    append_record(f->folder, "copy", "2.jsonl", job_record("a", "j2", "cpu"));
    append_record(f->folder, "copy", "2.jsonl", run_record("a", "j2", "ac", 16, 3));
    describe_a("copy", 1);
    assert_int_equal(collect(f).added, 0);
    append_record(f->folder, "again", "1.jsonl", job_record("a", "j4", "cpu"));
    append_record(f->folder, "again", "1.jsonl", run_record("a", "j4", "ac", 16, 8));
    describe_a("again", 2);
    append_record(f->folder, "b", "2.jsonl", run_record("b", "j3", "lp", 16, 9));
    counts = collect(f);
    assert_int_equal(counts.refused, 1);
    assert_int_equal(counts.campaigns, 3);
    assert_int_equal(counts.added, 1);
    gives(f, 3, "SELECT count(*) FROM run WHERE campaign = 'a'");
    gives(f, 1, "SELECT created LIKE '%10:00:01%' FROM campaign WHERE id = 'a'");
    assert_ok(nuce_store_open_writing(f->database, &store, ANY_ERROR));
    assert_int_equal(nuce_collect(&one, "again", &error), NUCE_BAD_INPUT);
    nuce_store_close(&store);
    assert_says(&error, "/again: a, made 2026-11-21T10:00:02.000Z, is not the a in ");
    assert_says(&error, ", made 2026-11-21T10:00:01.000Z: expected another database");
}

/* The number that a new campaign must exceed: of its sweep alone, and of no more than six digits.
 */
static void test_last_number(void **state)
{
    static const char *const ids[] = {"a.2", "a.10", "a.1234567", "a.x.12",
                                      "a.b", "a",    "aa.11",     "A.11"};
    struct fixture *f = *state;

    assert_int_equal(nuce_store_last_number(f->database, "a"), 0);
    for (size_t i = 0; i < COUNT(ids); i++)
        append_record(f->folder, ids[i], "1.jsonl", job_record(ids[i], "j1", "cpu"));
    collect(f);
    assert_int_equal(nuce_store_last_number(f->database, "a"), 10);
    assert_int_equal(nuce_store_last_number(f->database, "a.x"), 12);
    assert_int_equal(nuce_store_last_number(f->database, "b"), 0);
}

RUN_EACH(set_up, tear_down, test_same_name, test_unknown_variables, test_line_ends, test_conflict,
         test_copied_file, test_bad_lines, test_late, test_large, test_other_version,
         test_not_records, test_buffers, test_statuses, test_without_contender, test_summary,
         test_samples, test_pooled, test_no_time, test_small_ratios, test_lost_job,
         test_hostile_strings, test_found, test_no_campaign, test_campaign_facts, test_same_id,
         test_last_number)
