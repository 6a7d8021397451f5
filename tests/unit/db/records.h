/* Campaign folders, record files and databases for tests. Every function fails the running test
 * if it cannot do its work. */
#ifndef NUCE_TEST_RECORDS_H
#define NUCE_TEST_RECORDS_H

#include "../folder.h"

#include <jansson.h>

#include "base/hash.h"
#include "base/jsonl.h"
#include "base/record.h"
#include "base/text_file.h"
#include "db/collect.h"
#include "db/store.h"

#define PATH_BYTES 512

/* A folder with campaigns, the current one, and databases of them. */
struct fixture {
    char folder[PATH_BYTES];
    char campaigns[PATH_BYTES + 16]; /* the folder, named as users do */
    char database[PATH_BYTES + 16];
    char other[PATH_BYTES + 16];
    int number; /* of records so far, where a test counts them */
};

/* Rounds of made-up races whose ratios are known: ac, the reference, against lp and rs-n. */
enum { RACE_ROUNDS = 7 };

static inline json_t *json_of_list(const char *format, va_list list)
{
    char *text = NULL;
    json_t *value;

    assert_true(vasprintf(&text, format, list) >= 0);
    for (char *at = text; (at = strchr(at, '\'')) != NULL;)
        *at = '"';
    value = json_loads(text, JSON_DECODE_ANY, NULL);
    if (value == NULL)
        fail_msg("no JSON: %s", text);
    free(text);
    return value;
}

/* The JSON that the text is, ' for ". New. */
__attribute__((format(printf, 1, 2))) static inline json_t *json_of(const char *format, ...)
{
    va_list list;
    json_t *value;

    va_start(list, format);
    value = json_of_list(format, list);
    va_end(list);
    return value;
}

/* Adds members to an object. */
static inline void add_members(json_t *object, const char *format, va_list list)
{
    char *braced = NULL;
    json_t *members;

    assert_true(asprintf(&braced, "{%s}", format) > 0);
    members = json_of_list(braced, list);
    json_object_update(object, members);
    json_decref(members);
    free(braced);
}

/* The record with members as json_of has them, without braces; the second adds to a run's params,
 * the third to the environment of a job record, with its hash. */
__attribute__((format(printf, 2, 3))) static inline json_t *with(json_t *record, const char *format,
                                                                 ...)
{
    va_list list;

    va_start(list, format);
    add_members(record, format, list);
    va_end(list);
    return record;
}

static inline void hash_json(const json_t *value, char hash[NUCE_HASH_BYTES])
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS);

    assert_non_null(text);
    nuce_hash(text, strlen(text), hash);
    free(text);
}

/* A job record; text stands in it wherever a string of the user's can. New. */
static inline json_t *job_record(const char *campaign, const char *job, const char *text)
{
    struct nuce_error error;
    json_t *record = nuce_record_create("job", job, &error);
    json_t *described =
        json_pack("{s:s, s:{s:s}}", "processor", text, "mpi", "library", "MPICH Version: 4.0.2");
    char id[NUCE_HASH_BYTES];

    hash_json(described, id);
    json_object_update_new(record, json_pack("{s:s, s:s, s:o, s:{s:[s,s]}}", "campaign", campaign,
                                             "environment", id, "described", described, "facts",
                                             "hosts", text, text));
    return record;
}

/* Six, the least that have a 95 % interval: the whole range. Sums of powers of two: milliseconds of
 * them print without a tail. */
static inline json_t *samples_json(int number)
{
    return json_of("{'step':[%1$d.25,%1$d.125,%1$d.5,%1$d.25,%1$d.125,%1$d.5],"
                   "'communication':[%2$d.25,%2$d.125,%2$d.5,%2$d.25,%2$d.125,%2$d.5]}",
                   number + 1, number);
}

/* A record of a run of point (released), whose samples (released) it has. */
static inline json_t *make_run(const char *campaign, const char *job, json_t *point,
                               json_t *samples, int number)
{
    struct nuce_error error;
    json_t *record = nuce_record_create("run", job, &error);
    char id[NUCE_HASH_BYTES], started[NUCE_TIME_BYTES];

    hash_json(point, id);
    snprintf(started, sizeof started, "2026-11-21T10:00:00.%03dZ", number);
    json_object_update_new(record, point);
    json_object_update_new(record, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "point", id,
                                             "campaign", campaign, "race", id, "kind", "measured",
                                             "status", "ok", "started", started));
    json_object_set_new(record, "samples", samples);
    return record;
}

/* A run record of schedule on wing-2800, items of that many bytes, with samples that depend on
 * number. New. */
static inline json_t *run_record(const char *campaign, const char *job, const char *schedule,
                                 int item_bytes, int number)
{
    json_t *point = json_pack("{s:s, s:i, s:{s:s, s:s, s:s, s:s, s:i, s:i, s:b}}", "workload",
                              "exchange", "ranks", 32, "params", "schedule", schedule, "pattern",
                              "mesh", "mesh", "wing-2800", "partition", "rcb", "item-bytes",
                              item_bytes, "seed", 1, "overlap", 0);

    return with(make_run(campaign, job, point, samples_json(number), number),
                "'phases':15,'schedule_s':5e-05");
}

/* A run record of campaign a, job j1 and a workload without schedules; params, samples (of parts)
 * and per_rank (NULL: not kept) are released. New. */
static inline json_t *workload_record(const char *workload, int ranks, json_t *params,
                                      json_t *samples, json_t *per_rank)
{
    json_t *point =
        json_pack("{s:s, s:i, s:o}", "workload", workload, "ranks", ranks, "params", params);
    json_t *record = make_run("a", "j1", point, samples, 0);

    if (per_rank != NULL)
        json_object_set_new(record, "per_rank", per_rank);
    return record;
}

__attribute__((format(printf, 2, 3))) static inline json_t *with_params(json_t *record,
                                                                        const char *format, ...)
{
    json_t *params = json_object_get(record, "params"), *point;
    char id[NUCE_HASH_BYTES];
    va_list list;

    va_start(list, format);
    add_members(params, format, list);
    va_end(list);
    point = json_pack("{s:O, s:O, s:O}", "workload", json_object_get(record, "workload"), "ranks",
                      json_object_get(record, "ranks"), "params", params);
    hash_json(point, id);
    json_decref(point);
    return with(record, "'point':'%s'", id);
}

__attribute__((format(printf, 2, 3))) static inline json_t *describing(json_t *record,
                                                                       const char *format, ...)
{
    char id[NUCE_HASH_BYTES];
    va_list list;

    va_start(list, format);
    add_members(json_object_get(record, "described"), format, list);
    va_end(list);
    hash_json(json_object_get(record, "described"), id);
    return with(record, "'environment':'%s'", id);
}

static inline FILE *open_records(const char *folder, const char *campaign, const char *file)
{
    char path[2 * PATH_BYTES];
    FILE *stream;

    snprintf(path, sizeof path, "%s/%s", folder, campaign);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/records", folder, campaign);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/records/%s", folder, campaign, file);
    stream = fopen(path, "ab");
    assert_non_null(stream);
    return stream;
}

/* Tests name the metrics of a run beside its fields; here they go to where they belong. */
static inline void gather_metrics(json_t *record)
{
    static const char *const known[] = {"record", "version", "workload", "ranks"};
    json_t *metrics = json_object(), *value;
    const char *key;
    void *next;

    json_object_foreach_safe(record, next, key, value)
    {
        int is_field = json_is_array(value) || json_is_object(value);

        for (size_t i = 0; i < COUNT(known); i++)
            is_field |= strcmp(known[i], key) == 0;
        for (const struct nuce_record_field *f = nuce_record_fields; f->name != NULL; f++)
            is_field |= strcmp(f->name, key) == 0;
        if (is_field)
            continue;
        json_object_set(metrics, key, value);
        json_object_del(record, key);
    }
    if (json_object_size(metrics) > 0)
        json_object_set(record, "metrics", metrics);
    json_decref(metrics);
}

/* Appends to FOLDER/CAMPAIGN/records/FILE, made as needed: a record (released here), or text; put
 * to a/records/1.jsonl. */
static inline void append_record(const char *folder, const char *campaign, const char *file,
                                 json_t *record)
{
    FILE *stream = open_records(folder, campaign, file);
    struct nuce_error error;
    char *line;

    assert_non_null(record);
    if (strcmp(json_string_value(json_object_get(record, "record")), "run") == 0)
        gather_metrics(record);
    line = nuce_jsonl_sealed(record, &error);
    assert_non_null(line);
    fprintf(stream, "%s\n", line);
    fclose(stream);
    free(line);
    json_decref(record);
}

static inline void append_text(const char *folder, const char *campaign, const char *file,
                               const char *text)
{
    FILE *stream = open_records(folder, campaign, file);

    fputs(text, stream);
    fclose(stream);
}

static inline void put(const struct fixture *f, json_t *record)
{
    append_record(f->folder, "a", "1.jsonl", record);
}

static inline void note(void *context, const char *message)
{
    fprintf(context, "%s\n", message);
}

/* Collects all of folder into database and commits; the messages, each ended by a newline, go to
 * messages (NULL: none wanted). The others collect the fixture's without an error. */
static inline nuce_status collect_all(const char *database, const char *folder,
                                      struct nuce_collect_counts *counts, char **messages,
                                      struct nuce_error *error)
{
    struct nuce_store store = {.lock = -1};
    struct nuce_collect collect = {.store = &store, .campaigns = folder, .report = note};
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    nuce_status status;

    assert_non_null(stream);
    collect.context = stream;
    status = nuce_store_open_writing(database, &store, error);
    if (status == NUCE_OK)
        status = nuce_collect(&collect, NULL, error);
    if (status == NUCE_OK)
        status = nuce_store_commit(&store, error);
    nuce_store_close(&store);
    fclose(stream);
    if (counts != NULL)
        *counts = collect.counts;
    if (messages != NULL)
        *messages = text;
    else
        free(text);
    return status;
}

static inline struct nuce_collect_counts collect_into(const struct fixture *f, const char *database)
{
    struct nuce_collect_counts counts;

    assert_ok(collect_all(database, f->campaigns, &counts, NULL, ANY_ERROR));
    return counts;
}

static inline struct nuce_collect_counts collect(const struct fixture *f)
{
    return collect_into(f, f->database);
}

static inline void dump_table(sqlite3 *handle, const char *table, FILE *stream)
{
    char sql[256];
    sqlite3_stmt *statement = NULL;

    snprintf(sql, sizeof sql, "SELECT * FROM \"%s\" ORDER BY 1", table);
    assert_int_equal(sqlite3_prepare_v2(handle, sql, -1, &statement, NULL), SQLITE_OK);
    fprintf(stream, "== %s\n", table);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(statement); i++) {
            const unsigned char *text = sqlite3_column_text(statement, i);

            fprintf(stream, "%s|", text == NULL ? "NULL" : (const char *)text);
        }
        fputc('\n', stream);
    }
    sqlite3_finalize(statement);
}

/* All rows of all tables as text, in the order of their keys (the first
 * column; tables without rowid are stored in the order of the rest); freed by the caller. */
static inline char *dump_database(const char *database)
{
    static const char tables[] = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1";
    sqlite3 *handle = NULL;
    sqlite3_stmt *statement = NULL;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);

    assert_non_null(stream);
    assert_int_equal(sqlite3_open_v2(database, &handle, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(handle, tables, -1, &statement, NULL), SQLITE_OK);
    while (sqlite3_step(statement) == SQLITE_ROW)
        dump_table(handle, (const char *)sqlite3_column_text(statement, 0), stream);
    sqlite3_finalize(statement);
    sqlite3_close(handle);
    fclose(stream);
    return text;
}

/* The integer that a query gives; the second: of the fixture's database, and it is that. */
static inline int64_t query_integer(const char *database, const char *sql)
{
    struct nuce_store store;
    int64_t value = -1;

    assert_ok(nuce_store_open_reading(database, &store, ANY_ERROR));
    assert_ok(nuce_store_count(&store, &value, ANY_ERROR, "%s", sql));
    nuce_store_close(&store);
    return value;
}

static inline void gives(const struct fixture *f, int64_t expected, const char *sql)
{
    int64_t found = query_integer(f->database, sql);

    if (found != expected)
        fail_msg("%lld, expected %lld: %s", (long long)found, (long long)expected, sql);
}

/* The bytes of a file; freed by the caller. */
static inline char *read_bytes(const char *path, size_t *length)
{
    char *bytes = NULL;

    assert_ok(nuce_text_read(path, &bytes, length, ANY_ERROR));
    return bytes;
}

static inline void write_bytes(const char *path, const char *bytes, size_t length)
{
    FILE *stream = fopen(path, "wb");

    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, length, stream), length);
    assert_int_equal(fclose(stream), 0);
}

/* Times of a contender that takes factor times as long as the reference in the middle round, a
 * little less or more in the others; the rounds themselves differ by far more. */
static inline json_t *times_json(double factor)
{
    json_t *step = json_array(), *communication = json_array();

    for (int i = 0; i < RACE_ROUNDS; i++) {
        double slowed = (1 + i % 3) * factor * (1 + 0.001 * (i - RACE_ROUNDS / 2) * (factor != 1));

        json_array_append_new(step, json_real(2 * slowed));
        json_array_append_new(communication, json_real(slowed));
    }
    return json_pack("{s:o, s:o}", "step", step, "communication", communication);
}

/* Makes record one of a launch of a race of that number, whose criterion is the step, in job
 * j<launch> (whose record the caller appends), with its times multiplied by noise; the reference
 * has a duplicate that is as it is. Returns it. */
static inline json_t *enter_race(json_t *record, int race, int launch, double noise,
                                 int is_reference)
{
    json_t *samples = json_object_get(record, "samples"), *values, *value, *places = json_array();
    const char *part;
    size_t i;

    json_object_foreach(samples, part, values)
    {
        json_array_foreach(values, i, value) json_real_set(value, noise * json_real_value(value));
    }
    for (i = 0; i < json_array_size(json_object_get(samples, "step")); i++)
        json_array_append_new(places, json_integer(0));
    json_object_set_new(record, "place", places);
    if (is_reference) {
        json_t *duplicate = json_deep_copy(samples);

        json_object_set(duplicate, "place", places);
        json_object_set_new(record, "duplicate", duplicate);
    }
    return with(record,
                "'job':'j%2$d','started':'2026-11-21T10:00:0%2$d.000Z','race':'%1$064d',"
                "'order_seed':%2$d,'criterion':'step'",
                race, launch);
}

/* Appends to campaign a the run of schedule in one launch of the race of the instance with that
 * seed; it takes factor times as long as the reference. duplicate > 0: it is the reference, whose
 * duplicate took so many times as long. */
static inline void append_entrant(const struct fixture *f, int launch, int seed,
                                  const char *schedule, double factor, double duplicate)
{
    json_t *record = run_record("a", "", schedule, 16, launch);

    if (seed != 1)
        with_params(record, "'seed':%d", seed);
    json_object_set_new(record, "samples", times_json(factor));
    enter_race(record, seed, launch, 1, duplicate > 0);
    if (duplicate > 0)
        json_object_update_new(json_object_get(record, "duplicate"), times_json(duplicate));
    put(f, with(record, "'criterion':'communication'"));
}

/* The job of a launch. */
static inline void append_job_of(const struct fixture *f, int launch)
{
    put(f, job_record("a", (const char[]){'j', (char)('0' + launch), '\0'}, "cpu"));
}

/* A race in one launch, whose job there is: duplicate, lp and rs_n are so many times the reference.
 */
static inline void append_race(const struct fixture *f, int launch, int seed, double duplicate,
                               double lp, double rs_n)
{
    append_entrant(f, launch, seed, "ac", 1, duplicate);
    append_entrant(f, launch, seed, "lp", lp, 0);
    append_entrant(f, launch, seed, "rs-n", rs_n, 0);
}

/* A launch, its job first, of the race of seed 1. */
static inline void append_launch(const struct fixture *f, int launch, double duplicate, double lp,
                                 double rs_n)
{
    append_job_of(f, launch);
    append_race(f, launch, 1, duplicate, lp, rs_n);
}

/* For cmocka; the state is the fixture. The second has the record of job j1 of campaign a. */
static inline int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    strcpy(f->folder, folder_enter().path);
    snprintf(f->campaigns, sizeof f->campaigns, "%s/", f->folder);
    snprintf(f->database, sizeof f->database, "%s/nuce.db", f->folder);
    snprintf(f->other, sizeof f->other, "%s/other.db", f->folder);
    *state = f;
    return 0;
}

static inline int set_up_job(void **state)
{
    set_up(state);
    put(*state, job_record("a", "j1", "cpu"));
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *f = *state;
    struct folder folder;

    snprintf(folder.path, sizeof folder.path, "%.63s", f->folder);
    folder_leave(&folder);
    free(f);
    return 0;
}

/* Another fixture with such a job, in the place of that. */
static inline struct fixture *set_up_again(void **state)
{
    tear_down(state);
    set_up_job(state);
    return *state;
}

#endif
