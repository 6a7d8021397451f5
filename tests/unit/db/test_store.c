/* The database's file: operations that leave it unchanged, and agreement of its schema with the
 * records. */
#include "base/record.h"
#include "records.h"
#include "schedules/schedule.h"

static void create(const char *database)
{
    struct nuce_store store;

    assert_ok(nuce_store_open_writing(database, &store, ANY_ERROR));
    assert_ok(nuce_store_commit(&store, ANY_ERROR));
    nuce_store_close(&store);
}

static void execute(const char *database, const char *sql)
{
    sqlite3 *handle = NULL;

    assert_int_equal(sqlite3_open(database, &handle), SQLITE_OK);
    assert_int_equal(sqlite3_exec(handle, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(handle);
}

/* Each option that tunes schedules makes another contender of the same problem, by its row. */
static void test_tuning(void **state)
{
    static const char *const tuning[] = {
#define NUCE_TUNING(bit, type, member, value, name, ...) name,
#include "schedules/tuning.inc"
#undef NUCE_TUNING
    };
    struct fixture *f = *state;

    create("nuce.db");
    for (size_t i = 0; i < COUNT(tuning); i++) {
        char sql[256];

        snprintf(sql, sizeof sql,
                 "INSERT INTO point (id, workload, ranks, params) VALUES (printf('%%064d', %zu), "
                 "'exchange', 4, '{\"%s\":1,\"schedule\":\"lpt\",\"seed\":1}')",
                 i, tuning[i]);
        execute("nuce.db", sql);
    }
    gives(f, 0, "SELECT count(*) FROM point WHERE problem <> '{\"seed\":1}'");
    /* tau and phi are named together, and lpt has one message in flight by default. */
    gives(f, (int64_t)COUNT(tuning) - 3,
          "SELECT count(DISTINCT contender) FROM point WHERE contender LIKE 'lpt %'");
    execute("nuce.db", "UPDATE point SET params = json_set(params, '$.schedule', 'twill')");
    gives(f, 1, "SELECT count(*) FROM point WHERE contender = 'twill in-flight 1'");
}

/* A view in another's database may never end: readers have a limit from the start. */
static void test_endless_view(void **state)
{
    struct nuce_store store;
    struct nuce_error error;
    int64_t value;

    create("nuce.db");
    execute("nuce.db", "DROP VIEW best; CREATE VIEW best AS WITH RECURSIVE n(i) AS (SELECT 1 UNION "
                       "ALL SELECT i + 1 FROM n) SELECT i FROM n");
    assert_ok(nuce_store_open_reading("nuce.db", &store, &error));
    assert_true(store.limit_s > 0);
    nuce_store_limit(&store, 0.05);
    assert_int_equal(nuce_store_count(&store, &value, &error, "SELECT count(*) FROM best"),
                     NUCE_FAILED);
    assert_says(&error, "not done after 0.05 s");
    nuce_store_close(&store);
}

static void test_reading_writes_nothing(void **state)
{
    static const char *const statements[] = {"DELETE FROM run", "DROP TABLE run",
                                             "ATTACH '/tmp/x' AS x", "PRAGMA user_version = 7",
                                             "VACUUM INTO 'copy.db'"};
    struct nuce_store store;
    struct nuce_error error;
    int64_t value = 0;

    create("nuce.db");
    assert_ok(nuce_store_open_reading("nuce.db", &store, &error));
    nuce_store_restrict(&store);
    for (size_t i = 0; i < COUNT(statements); i++)
        assert_int_not_equal(nuce_store_execute(&store, statements[i], &error), NUCE_OK);
    assert_ok(nuce_store_count(&store, &value, &error, "SELECT 41 + 1"));
    assert_int_equal(value, 42);
    nuce_store_close(&store);
}

/* outcome has median and interval of each of the quantities; how many columns that makes. */
static int64_t check_quantities(const struct fixture *f, const char *const *names)
{
    int64_t columns = 0;

    for (; *names != NULL; names++, columns += 3) {
        char sql[256];

        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM pragma_table_info('outcome') WHERE name IN ('%1$s_s', "
                 "'%1$s_low_s', '%1$s_high_s')",
                 *names);
        gives(f, 3, sql);
    }
    return columns;
}

/* The schema, written by hand, against the one list of fields and the lists of parts. */
static void test_columns(void **state)
{
    enum { OUTCOME_COLUMNS = 8 }; /* the four of the key, runs, latest, n, too_short */
    static const char *const once[] = {"index", "gather", "schedule", "first", NULL};
    static const char *const types[] = {"TEXT", "INTEGER", "REAL"};
    /* id, hash, file, found, others_cpus, samples; generated columns are hidden. Run, number,
     * place. */
    int64_t run_columns = 6, sample_columns = 3;
    struct fixture *f = *state;
    char sql[256];

    create("nuce.db");
    for (const struct nuce_record_field *field = nuce_record_fields; field->name != NULL; field++) {
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM pragma_table_info('run') WHERE name = '%s' AND type = '%s' "
                 "AND \"notnull\" = %d",
                 field->name, types[field->type], field->required);
        gives(f, 1, sql);
        run_columns++;
    }
    for (int i = 0; nuce_record_sample_parts[i] != NULL; i++, run_columns++, sample_columns++) {
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM (SELECT name FROM pragma_table_info('run') UNION ALL SELECT "
                 "name FROM pragma_table_info('sample')) WHERE name = '%s_s'",
                 nuce_record_sample_parts[i]);
        gives(f, 2, sql);
    }
    gives(f, run_columns, "SELECT count(*) FROM pragma_table_info('run')");
    gives(f, sample_columns, "SELECT count(*) FROM pragma_table_info('sample')");
    gives(f,
          OUTCOME_COLUMNS + check_quantities(f, nuce_record_sample_parts) +
              check_quantities(f, once),
          "SELECT count(*) FROM pragma_table_info('outcome')");
}

static int64_t schema_version(void)
{
    int64_t version = 0;

    assert_ok(nuce_store_schema_version(&version, ANY_ERROR));
    return version;
}

/* A database that holds runs of records that are there no more is kept, under a name of its own
 * each time, and so is one that cannot be read; one that holds no more is not. */
static void test_rebuild_keeps(void **state)
{
    static const struct {
        const char *sql;
        int kept;
    } cases[] = {
        {"DELETE FROM sampled; ALTER TABLE run ADD COLUMN colour TEXT", 0},
        {"INSERT INTO record_file VALUES ('b/1.jsonl', 1, 'x', 0, 1, 0)", 1},
        {"DROP TABLE record_file", 2},
    };
    struct fixture *f = *state;
    char *fresh, *rebuilt;

    put(f, run_record("a", "j1", "ac", 16, 1));
    collect(f);
    fresh = dump_database("nuce.db");
    for (size_t i = 0; i < COUNT(cases); i++) {
        execute("nuce.db", cases[i].sql);
        execute("nuce.db", "PRAGMA user_version = 3");
        collect(f);
        rebuilt = dump_database("nuce.db");
        assert_string_equal(rebuilt, fresh);
        free(rebuilt);
        assert_int_equal(access("nuce.db.old", F_OK) == 0, cases[i].kept > 0);
        assert_int_equal(access("nuce.db.old2", F_OK) == 0, cases[i].kept > 1);
    }
    free(fresh);
    execute("nuce.db.old", "SELECT * FROM record_file");
}

/* An open without a commit leaves no file behind. A rebuild that does not come to its end leaves
 * the old database as it was, and the next one works beside the remains. */
static void test_undone(void **state)
{
    struct fixture *f = *state;
    struct nuce_store store;
    char draft[2 * PATH_BYTES];
    size_t length = 0, length_after = 0;
    char *before, *after;

    assert_ok(nuce_store_open_writing("nuce.db", &store, ANY_ERROR));
    nuce_store_close(&store);
    assert_int_not_equal(access("nuce.db", F_OK), 0);
    create("nuce.db");
    execute("nuce.db", "PRAGMA user_version = 3");
    before = read_bytes("nuce.db", &length);
    assert_ok(nuce_store_open_writing("nuce.db", &store, ANY_ERROR));
    assert_non_null(store.draft);
    snprintf(draft, sizeof draft, "%s", store.draft);
    nuce_store_close(&store);
    assert_int_not_equal(access(draft, F_OK), 0);
    after = read_bytes("nuce.db", &length_after);
    assert_int_equal(length, length_after);
    assert_memory_equal(before, after, length);
    write_bytes(draft, "left by a crash", 15);
    create("nuce.db");
    gives(f, schema_version(), "PRAGMA user_version");
    assert_int_not_equal(access(draft, F_OK), 0);
    free(before);
    free(after);
}

/* The file says whose it is, and each number of a table is one: SQLite 3.34 has no STRICT. */
static void test_identity(void **state)
{
    struct fixture *f = *state;

    create("nuce.db");
    gives(f, NUCE_STORE_APPLICATION_ID, "PRAGMA application_id");
    gives(f, schema_version(), "PRAGMA user_version");
    gives(f, 0,
          "SELECT count(*) FROM sqlite_master AS m, pragma_table_xinfo(m.name) AS c WHERE m.type = "
          "'table' AND c.type IN ('INTEGER', 'REAL') AND c.hidden = 0 AND m.sql NOT LIKE "
          "'%typeof(' || c.name || ')%' AND m.sql NOT LIKE '%typeof(\"' || c.name || '\")%' AND "
          "NOT (c.pk AND m.sql LIKE '%' || c.name || ' %INTEGER PRIMARY KEY%')");
}

RUN_EACH(set_up, tear_down, test_reading_writes_nothing, test_columns, test_identity, test_tuning,
         test_endless_view, test_rebuild_keeps, test_undone)
