#include "../test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/record.h"
#include "records.h"

struct fixture {
    char folder[PATH_BYTES];
    char database[PATH_BYTES + 16];
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    make_folder(fixture->folder);
    snprintf(fixture->database, sizeof fixture->database, "%s/nuce.db", fixture->folder);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    remove_folder(fixture->folder);
    free(fixture);
    return 0;
}

static void create(const char *database)
{
    struct nuce_store store;
    struct nuce_error error;

    assert_ok(nuce_store_open_writing(database, &store, &error));
    assert_ok(nuce_store_commit(&store, &error));
    nuce_store_close(&store);
}

/* Neither opening takes the file, both say why, and not a byte of it changes. */
static void assert_refused(const char *database, const char *why)
{
    struct nuce_store store;
    struct nuce_error error;
    size_t length = 0, length_after = 0;
    char *before = read_bytes(database, &length);
    char *after;

    assert_int_equal(nuce_store_open_writing(database, &store, &error), NUCE_BAD_INPUT);
    assert_says(&error, why);
    assert_says(&error, database);
    after = read_bytes(database, &length_after);
    assert_int_equal(length, length_after);
    assert_memory_equal(before, after, length);
    free(before);
    free(after);
}

static void execute(const char *database, const char *sql)
{
    sqlite3 *handle = NULL;

    assert_int_equal(sqlite3_open(database, &handle), SQLITE_OK);
    assert_int_equal(sqlite3_exec(handle, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(handle);
}

static void test_not_a_database(void **state)
{
    struct fixture *fixture = *state;
    struct nuce_store store;
    struct nuce_error error;
    char lock[2 * PATH_BYTES];

    write_bytes(fixture->database, "my thesis, chapter 1\n", 21);
    assert_refused(fixture->database, "not a database");
    assert_int_equal(nuce_store_open_reading(fixture->database, &store, &error), NUCE_BAD_INPUT);
    snprintf(lock, sizeof lock, "%s.lock", fixture->database);
    assert_int_not_equal(access(lock, F_OK), 0);
}

static void test_not_ours(void **state)
{
    struct fixture *fixture = *state;
    struct nuce_store store;
    struct nuce_error error;

    execute(fixture->database, "CREATE TABLE photos (id INTEGER)");
    assert_refused(fixture->database, "not one of nuce's");
    assert_int_equal(nuce_store_open_reading(fixture->database, &store, &error), NUCE_BAD_INPUT);
}

/* Bytes flipped all over the page headers; each page is of one table or index. */
static void test_damaged(void **state)
{
    struct fixture *fixture = *state;
    size_t length = 0;
    char *bytes;

    create(fixture->database);
    bytes = read_bytes(fixture->database, &length);
    assert_true(length > 5 * 4096);
    for (size_t page = 1; page < 5; page++) {
        for (size_t i = 0; i < 8; i++)
            bytes[page * 4096 + i] ^= 0x5a;
    }
    write_bytes(fixture->database, bytes, length);
    free(bytes);
    assert_refused(fixture->database, "damaged");
}

static void test_cut_off(void **state)
{
    struct fixture *fixture = *state;
    size_t length = 0;
    char *bytes;

    create(fixture->database);
    bytes = read_bytes(fixture->database, &length);
    write_bytes(fixture->database, bytes, length / 2);
    assert_refused(fixture->database, "damaged");
    write_bytes(fixture->database, bytes, 50);
    assert_refused(fixture->database, "not a database");
    free(bytes);
}

static void test_missing(void **state)
{
    struct fixture *fixture = *state;
    struct nuce_store store;
    struct nuce_error error;

    assert_int_equal(nuce_store_open_reading(fixture->database, &store, &error), NUCE_BAD_INPUT);
    assert_says(&error, "nuce collect");
    assert_int_not_equal(access(fixture->database, F_OK), 0);
}

/* What is not committed leaves no file behind. */
static void test_not_committed(void **state)
{
    struct fixture *fixture = *state;
    struct nuce_store store;
    struct nuce_error error;

    assert_ok(nuce_store_open_writing(fixture->database, &store, &error));
    nuce_store_close(&store);
    assert_int_not_equal(access(fixture->database, F_OK), 0);
}

/* A view in another's database may have no end: what reads has a limit from the start. */
static void test_endless_view(void **state)
{
    struct fixture *fixture = *state;
    struct nuce_store store;
    struct nuce_error error;
    int64_t value;

    create(fixture->database);
    execute(fixture->database,
            "DROP VIEW best; CREATE VIEW best AS"
            " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n");
    assert_ok(nuce_store_open_reading(fixture->database, &store, &error));
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
    struct fixture *fixture = *state;
    struct nuce_store store;
    struct nuce_error error;
    int64_t value = 0;

    create(fixture->database);
    assert_ok(nuce_store_open_reading(fixture->database, &store, &error));
    nuce_store_restrict(&store);
    for (size_t i = 0; i < COUNT(statements); i++)
        assert_int_not_equal(nuce_store_execute(&store, statements[i], &error), NUCE_OK);
    assert_ok(nuce_store_count(&store, &value, &error, "SELECT 41 + 1"));
    assert_int_equal(value, 42);
    nuce_store_close(&store);
}

static int64_t has_column(const char *database, const char *table, const char *column)
{
    char sql[256];

    snprintf(sql, sizeof sql, "SELECT count(*) FROM pragma_table_info('%s') WHERE name = '%s'",
             table, column);
    return query_integer(database, sql);
}

/* outcome has median and interval of each of the quantities; how many columns that makes. */
static int64_t check_quantities(const char *database, const char *const *names)
{
    static const char *const endings[] = {"s", "low_s", "high_s"};
    int64_t columns = 0;
    char column[64];

    for (; *names != NULL; names++) {
        for (int i = 0; i < 3; i++, columns++) {
            snprintf(column, sizeof column, "%s_%s", *names, endings[i]);
            assert_int_equal(has_column(database, "outcome", column), 1);
        }
    }
    return columns;
}

/* The schema, written by hand, against the one list of fields and the lists of parts. */
static void test_columns(void **state)
{
    enum { OUTCOME_COLUMNS = 8 }; /* the four of the key, runs, latest, n, too_short */
    static const char *const once[] = {"index", "gather", "schedule", "first", NULL};
    /* id, hash, file, found, others_cpus, samples; generated columns are hidden. Run, number,
     * place. */
    int64_t run_columns = 6, sample_columns = 3;
    struct fixture *fixture = *state;
    char sql[256];

    create(fixture->database);
    for (const struct nuce_record_field *field = nuce_record_fields; field->name != NULL; field++) {
        static const char *const types[] = {"TEXT", "INTEGER", "REAL"};

        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM pragma_table_info('run') WHERE name = '%s' AND type = "
                 "'%s' AND \"notnull\" = %d",
                 field->name, types[field->type], field->required);
        if (query_integer(fixture->database, sql) != 1)
            fail_msg("run.%s is missing or of another type", field->name);
        run_columns++;
    }
    for (int i = 0; nuce_record_sample_parts[i] != NULL; i++, run_columns++, sample_columns++) {
        char column[64];

        snprintf(column, sizeof column, "%s_s", nuce_record_sample_parts[i]);
        assert_int_equal(has_column(fixture->database, "run", column), 1);
        assert_int_equal(has_column(fixture->database, "sample", column), 1);
    }
    assert_int_equal(
        query_integer(fixture->database, "SELECT count(*) FROM pragma_table_info('run')"),
        run_columns);
    assert_int_equal(
        query_integer(fixture->database, "SELECT count(*) FROM pragma_table_info('sample')"),
        sample_columns);
    assert_int_equal(
        query_integer(fixture->database, "SELECT count(*) FROM pragma_table_info('outcome')"),
        OUTCOME_COLUMNS + check_quantities(fixture->database, nuce_record_sample_parts) +
            check_quantities(fixture->database, once));
}

static int64_t schema_version(void)
{
    struct nuce_error error;
    int64_t version = 0;

    assert_ok(nuce_store_schema_version(&version, &error));
    return version;
}

/* Where the old database goes that is not superseded. */
static void kept_name(const char *database, char name[2 * PATH_BYTES])
{
    snprintf(name, sizeof(char[2 * PATH_BYTES]), "%s.old", database);
}

/* Reading a database of another schema says what makes it anew, and changes nothing. */
static void test_other_schema_read(void **state)
{
    static const char *const versions[] = {"0", "1", "10", "2147483647"};
    struct fixture *fixture = *state;
    struct nuce_store store;
    struct nuce_error error;
    char sql[64];

    create(fixture->database);
    for (size_t i = 0; i < COUNT(versions); i++) {
        snprintf(sql, sizeof sql, "PRAGMA user_version = %s", versions[i]);
        execute(fixture->database, sql);
        assert_int_equal(nuce_store_open_reading(fixture->database, &store, &error),
                         NUCE_BAD_INPUT);
        assert_says(&error, "run 'nuce collect'");
        assert_non_null(strstr(error.message, versions[i]));
    }
}

/* Collecting into one makes it anew from the records; what it held that they do not is gone only if
 * it was nobody's. */
static void test_rebuilt(void **state)
{
    struct fixture *fixture = *state;
    struct nuce_error error;
    char other[PATH_BYTES + 32], kept[2 * PATH_BYTES];
    char *dump, *expected;

    append_record(fixture->folder, "a", "1.jsonl", job_record("a", "j1", "cpu"));
    append_record(fixture->folder, "a", "1.jsonl", run_record("a", "j1", "ac", 16, 1));
    snprintf(other, sizeof other, "%s.fresh", fixture->database);
    assert_ok(collect_all(other, fixture->folder, NULL, NULL, &error));
    assert_ok(collect_all(fixture->database, fixture->folder, NULL, NULL, &error));
    execute(fixture->database, "DELETE FROM sampled; ALTER TABLE run ADD COLUMN colour TEXT;"
                               "PRAGMA user_version = 3");
    assert_ok(collect_all(fixture->database, fixture->folder, NULL, NULL, &error));
    dump = dump_database(fixture->database);
    expected = dump_database(other);
    assert_string_equal(dump, expected);
    assert_true(query_integer(fixture->database, "SELECT count(*) FROM sample") > 0);
    kept_name(fixture->database, kept);
    assert_int_not_equal(access(kept, F_OK), 0);
    free(expected);
    free(dump);
}

/* A database that holds runs of records that are there no more is kept, under a name of its own
 * each time, and so is one that cannot be read. */
static void test_rebuild_keeps(void **state)
{
    struct fixture *fixture = *state;
    struct nuce_error error;
    char kept[2 * PATH_BYTES], second[2 * PATH_BYTES + 8];

    append_record(fixture->folder, "a", "1.jsonl", run_record("a", "j1", "ac", 16, 1));
    assert_ok(collect_all(fixture->database, fixture->folder, NULL, NULL, &error));
    execute(fixture->database, "INSERT INTO record_file VALUES ('b/1.jsonl', 1, 'x', 0, 1, 0);"
                               "PRAGMA user_version = 3");
    assert_ok(collect_all(fixture->database, fixture->folder, NULL, NULL, &error));
    assert_int_equal(query_integer(fixture->database, "SELECT count(*) FROM record_file"), 1);
    kept_name(fixture->database, kept);
    execute(kept, "SELECT * FROM record_file");
    execute(fixture->database, "DROP TABLE record_file; PRAGMA user_version = 3");
    assert_ok(collect_all(fixture->database, fixture->folder, NULL, NULL, &error));
    assert_int_equal(query_integer(fixture->database, "SELECT count(*) FROM record_file"), 1);
    snprintf(second, sizeof second, "%s2", kept);
    assert_int_equal(access(kept, F_OK), 0);
    assert_int_equal(access(second, F_OK), 0);
}

/* A rebuild that does not come to its end leaves the old database as it was, and the next one does
 * not trip over what is left. */
static void test_rebuild_undone(void **state)
{
    struct fixture *fixture = *state;
    struct nuce_store store;
    struct nuce_error error;
    char draft[2 * PATH_BYTES];
    size_t length = 0, length_after = 0;
    char *before, *after;

    create(fixture->database);
    execute(fixture->database, "PRAGMA user_version = 3");
    before = read_bytes(fixture->database, &length);
    assert_ok(nuce_store_open_writing(fixture->database, &store, &error));
    assert_non_null(store.draft);
    snprintf(draft, sizeof draft, "%s", store.draft);
    nuce_store_close(&store);
    assert_int_not_equal(access(draft, F_OK), 0);
    after = read_bytes(fixture->database, &length_after);
    assert_int_equal(length, length_after);
    assert_memory_equal(before, after, length);
    write_bytes(draft, "left by a crash", 15);
    create(fixture->database);
    assert_int_equal(query_integer(fixture->database, "PRAGMA user_version"), schema_version());
    assert_int_not_equal(access(draft, F_OK), 0);
    free(before);
    free(after);
}

/* The file says whose it is, and each number of a table is one: SQLite 3.34 has no STRICT. */
static void test_identity(void **state)
{
    struct fixture *fixture = *state;

    create(fixture->database);
    assert_int_equal(query_integer(fixture->database, "PRAGMA application_id"),
                     NUCE_STORE_APPLICATION_ID);
    assert_int_equal(query_integer(fixture->database, "PRAGMA user_version"), schema_version());
    assert_int_equal(query_integer(fixture->database,
                                   "SELECT count(*) FROM sqlite_master AS m,"
                                   " pragma_table_xinfo(m.name) AS c WHERE m.type = 'table'"
                                   " AND c.type IN ('INTEGER', 'REAL') AND c.hidden = 0"
                                   " AND m.sql NOT LIKE '%typeof(' || c.name || ')%'"
                                   " AND m.sql NOT LIKE '%typeof(\"' || c.name || '\")%'"
                                   " AND NOT (c.pk AND m.sql LIKE '%' || c.name"
                                   " || ' %INTEGER PRIMARY KEY%')"),
                     0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_not_a_database),
        TEST(test_not_ours),
        TEST(test_damaged),
        TEST(test_cut_off),
        TEST(test_missing),
        TEST(test_not_committed),
        TEST(test_reading_writes_nothing),
        TEST(test_columns),
        TEST(test_identity),
        TEST(test_other_schema_read),
        TEST(test_rebuilt),
        TEST(test_endless_view),
        TEST(test_rebuild_keeps),
        TEST(test_rebuild_undone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
