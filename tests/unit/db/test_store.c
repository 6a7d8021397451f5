#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "data.h"
#include "record.h"
#include "records.h"

struct fixture {
    char folder[PATH_BYTES];
    char database[PATH_BYTES + 16];
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    make_folder(fixture->folder);
    (void)snprintf(fixture->database, sizeof fixture->database, "%s/nuce.db", fixture->folder);
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

    assert_int_equal(nuce_store_open_writing(database, &store, &error), NUCE_OK);
    assert_int_equal(nuce_store_commit(&store, &error), NUCE_OK);
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
    assert_non_null(strstr(error.message, why));
    assert_non_null(strstr(error.message, database));
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
    (void)sqlite3_close(handle);
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
    (void)snprintf(lock, sizeof lock, "%s.lock", fixture->database);
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

static void test_newer(void **state)
{
    struct fixture *fixture = *state;
    struct nuce_store store;
    struct nuce_error error;

    create(fixture->database);
    execute(fixture->database, "PRAGMA user_version = 1000");
    assert_refused(fixture->database, "newer nuce");
    assert_int_equal(nuce_store_open_reading(fixture->database, &store, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(error.message, "newer nuce"));
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
    assert_non_null(strstr(error.message, "nuce collect"));
    assert_int_not_equal(access(fixture->database, F_OK), 0);
}

/* What is not committed leaves no file behind. */
static void test_not_committed(void **state)
{
    struct fixture *fixture = *state;
    struct nuce_store store;
    struct nuce_error error;

    assert_int_equal(nuce_store_open_writing(fixture->database, &store, &error), NUCE_OK);
    nuce_store_close(&store);
    assert_int_not_equal(access(fixture->database, F_OK), 0);
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
    assert_int_equal(nuce_store_open_reading(fixture->database, &store, &error), NUCE_OK);
    nuce_store_restrict(&store);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        assert_int_not_equal(nuce_store_execute(&store, statements[i], &error), NUCE_OK);
    assert_int_equal(nuce_store_integer(&store, "SELECT 41 + 1", &value, &error), NUCE_OK);
    assert_int_equal(value, 42);
    nuce_store_close(&store);
}

static int64_t has_column(const char *database, const char *table, const char *column)
{
    char sql[256];

    (void)snprintf(sql, sizeof sql,
                   "SELECT count(*) FROM pragma_table_info('%s') WHERE name = '%s'", table, column);
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
            (void)snprintf(column, sizeof column, "%s_%s", *names, endings[i]);
            assert_int_equal(has_column(database, "outcome", column), 1);
        }
    }
    return columns;
}

/* The schema, written by hand, against the one list of fields and the lists of parts. */
static void test_columns(void **state)
{
    enum { OUTCOME_COLUMNS = 9 }; /* the five of the key, runs, latest, n, disagree */
    /* id, hash, file, samples */
    int64_t run_columns = 4, sample_columns = 2;
    struct fixture *fixture = *state;
    char sql[256];

    create(fixture->database);
    for (const struct nuce_record_field *field = nuce_record_fields; field->name != NULL; field++) {
        static const char *const types[] = {"TEXT", "INTEGER", "REAL"};

        (void)snprintf(sql, sizeof sql,
                       "SELECT count(*) FROM pragma_table_info('run') WHERE name = '%s' AND type = "
                       "'%s' AND \"notnull\" = %d",
                       field->name, types[field->type], field->required);
        if (query_integer(fixture->database, sql) != 1)
            fail_msg("run.%s is missing or of another type", field->name);
        run_columns++;
    }
    for (int i = 0; nuce_sample_parts[i] != NULL; i++, run_columns++, sample_columns++) {
        char column[64];

        (void)snprintf(column, sizeof column, "%s_s", nuce_sample_parts[i]);
        assert_int_equal(has_column(fixture->database, "run", column), 1);
        assert_int_equal(has_column(fixture->database, "sample", column), 1);
    }
    assert_int_equal(
        query_integer(fixture->database, "SELECT count(*) FROM pragma_table_info('run')"),
        run_columns);
    assert_int_equal(
        query_integer(fixture->database, "SELECT count(*) FROM pragma_table_info('sample')"),
        sample_columns);
    for (int i = 0; nuce_once_parts[i] != NULL; i++) {
        char column[64];

        (void)snprintf(column, sizeof column, "%s_s", nuce_once_parts[i]);
        assert_int_equal(has_column(fixture->database, "run", column), 1);
    }
    assert_int_equal(
        query_integer(fixture->database, "SELECT count(*) FROM pragma_table_info('outcome')"),
        OUTCOME_COLUMNS + check_quantities(fixture->database, nuce_sample_parts) +
            check_quantities(fixture->database, nuce_once_parts));
}

static int64_t current_version(void)
{
    struct nuce_error error;
    int64_t version = 0;

    assert_int_equal(nuce_store_current_version(&version, &error), NUCE_OK);
    return version;
}

/* A database of version 1, with what old holds. */
static void create_version_1(const char *database, const char *old)
{
    struct nuce_error error;
    char *path = nuce_data_path("db/schema.sql", &error);
    char *schema;
    sqlite3 *handle = NULL;
    char identity[128];

    assert_non_null(path);
    schema = read_bytes(path, NULL);
    (void)snprintf(identity, sizeof identity, "PRAGMA application_id = %d; PRAGMA user_version = 1",
                   NUCE_STORE_APPLICATION_ID);
    assert_int_equal(sqlite3_open(database, &handle), SQLITE_OK);
    assert_int_equal(sqlite3_exec(handle, schema, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(handle, old, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(handle, identity, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(handle), SQLITE_OK);
    free(schema);
    free(path);
}

/* Campaigns a and b have jobs of one name; b's was collected second and taken for a's. The
 * environment is the SHA-256 of no matter what: migrations do not look. */
static const char two_campaigns[] =
    "INSERT INTO campaign (id) VALUES ('a'), ('b');"
    "INSERT INTO environment VALUES (printf('%064d', 1), '{\"processor\":\"a\"}');"
    "INSERT INTO job VALUES ('j1', 'a', printf('%064d', 1), '{}'), ('j2', 'a', printf('%064d', 1), "
    "NULL);"
    "INSERT INTO point VALUES (printf('%064d', 2), 'exchange', 4, '{\"algorithm\":\"ac\"}');"
    "INSERT INTO record_file VALUES ('a/1', 1, 'x', 0, 1, 0), ('b/1', 1, 'x', 0, 1, 1);"
    "INSERT INTO run (id, hash, file, point, campaign, job, kind, status, started, samples)"
    " VALUES (1, 'h1', 'a/1', printf('%064d', 2), 'a', 'j1', 'measured', 'ok', 't', 1),"
    " (2, 'h2', 'b/1', printf('%064d', 2), 'b', 'j1', 'measured', 'ok', 't', 1);"
    "INSERT INTO sample (run, number, step_s) VALUES (1, 0, 1.0), (2, 0, 3.0);";

/* Old content stays, but for what version 1 could not tell apart; the schema is that of a new
 * database; reading an old one says what brings it up to date. */
static void test_migrated(void **state)
{
    struct fixture *fixture = *state;
    char other[PATH_BYTES + 32], attach[PATH_BYTES + 64];
    struct nuce_store store;
    struct nuce_error error;
    int64_t touched = 0;
    static const char schema[] = "SELECT count(*) FROM sqlite_schema WHERE sql IS NOT NULL AND sql"
                                 " NOT IN (SELECT sql FROM other.sqlite_schema WHERE sql IS NOT "
                                 "NULL)";

    create_version_1(fixture->database, two_campaigns);
    assert_int_equal(nuce_store_open_reading(fixture->database, &store, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(error.message, "'nuce collect' brings it up to date"));
    assert_int_equal(nuce_store_open_writing(fixture->database, &store, &error), NUCE_OK);
    assert_int_equal(
        nuce_store_integer(&store, "SELECT count(*) FROM temp.touched", &touched, &error), NUCE_OK);
    assert_int_equal(touched, 1);
    assert_int_equal(nuce_store_commit(&store, &error), NUCE_OK);
    nuce_store_close(&store);
    assert_int_equal(query_integer(fixture->database, "SELECT count(*) FROM job"), 3);
    assert_int_equal(query_integer(fixture->database, "SELECT count(*) FROM run JOIN job ON"
                                                      " job.id = job AND job.campaign ="
                                                      " run.campaign AND facts IS NOT NULL"),
                     1);
    assert_int_equal(query_integer(fixture->database,
                                   "SELECT count(*) FROM run JOIN sample AS s ON s.run = run.id"
                                   " JOIN job ON job.id = run.job AND job.campaign = 'b'"
                                   " JOIN environment AS e ON e.id = environment"
                                   " WHERE described = '{}' AND s.step_s = 3"),
                     1);
    (void)snprintf(other, sizeof other, "%s.new", fixture->database);
    create(other);
    assert_int_equal(query_integer(other, "SELECT count(*) FROM sqlite_schema"),
                     query_integer(fixture->database, "SELECT count(*) FROM sqlite_schema"));
    assert_int_equal(nuce_store_open_reading(fixture->database, &store, &error), NUCE_OK);
    (void)snprintf(attach, sizeof attach, "ATTACH '%s' AS other", other);
    assert_int_equal(nuce_store_execute(&store, attach, &error), NUCE_OK);
    assert_int_equal(nuce_store_integer(&store, schema, &touched, &error), NUCE_OK);
    assert_int_equal(touched, 0);
    nuce_store_close(&store);
}

/* A row that refers to nothing is not carried over: the old file stays as it was. */
static void test_migration_checks(void **state)
{
    struct fixture *fixture = *state;
    struct nuce_store store;
    struct nuce_error error;

    create_version_1(fixture->database,
                     "INSERT INTO campaign (id) VALUES ('a');"
                     "INSERT INTO job VALUES ('j1', 'a', printf('%064d', 1), '{}');");
    assert_int_equal(nuce_store_open_writing(fixture->database, &store, &error), NUCE_OK);
    assert_int_equal(nuce_store_commit(&store, &error), NUCE_FAILED);
    assert_non_null(strstr(error.message, "'job' refers to none of 'environment'"));
    nuce_store_close(&store);
    assert_int_equal(access(fixture->database, F_OK), 0);
    assert_int_equal(nuce_store_open_reading(fixture->database, &store, &error), NUCE_BAD_INPUT);
}

/* Every table of ours is STRICT and the file says whose it is. */
static void test_identity(void **state)
{
    struct fixture *fixture = *state;

    create(fixture->database);
    assert_int_equal(query_integer(fixture->database, "PRAGMA application_id"),
                     NUCE_STORE_APPLICATION_ID);
    assert_int_equal(query_integer(fixture->database, "PRAGMA user_version"), current_version());
    assert_int_equal(query_integer(fixture->database,
                                   "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' "
                                   "AND type = 'table' AND NOT strict AND name <> 'sqlite_schema'"),
                     0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_not_a_database), TEST(test_not_ours),
        TEST(test_newer),          TEST(test_damaged),
        TEST(test_cut_off),        TEST(test_missing),
        TEST(test_not_committed),  TEST(test_reading_writes_nothing),
        TEST(test_columns),        TEST(test_identity),
        TEST(test_migrated),       TEST(test_migration_checks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
