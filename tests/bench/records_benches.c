/* The benches of the database: synthetic records of 100 000 runs with 20 samples each, every run
 * another point, all in exchange-table7: the largest amount that a reader may need. */
#include <errno.h>
#include <glob.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "base/text.h"
#include "bench.h"

static void records_collect(void *self)
{
    const struct nuce_scratch *scratch = self;
    const char *rest[] = {"collect",    "--campaigns",     scratch->campaigns,
                          "--database", scratch->database, NULL};

    nuce_scratch_run("nuce", rest);
}

/* of: NULL, or "all is collected already". */
static void records_create(const void *of, struct nuce_bench_case *out)
{
    struct nuce_scratch *self = nuce_allocate(1, sizeof *self);
    const char *rest[] = {NULL, "100000", "20", "1", NULL};

    nuce_scratch_init(self);
    rest[0] = self->campaigns;
    nuce_scratch_run("../libexec/nuce/nuce-bench-records", rest);
    if (of != NULL)
        records_collect(self);
    out->self = self;
}

static void records_destroy(void *self)
{
    nuce_scratch_fini(self);
    free(self);
}

static void check(int code, const char *path, sqlite3 *handle)
{
    if (code != SQLITE_OK && code != SQLITE_DONE)
        MUST(nuce_error_set(&error, NUCE_FAILED, "%s: %s", path, sqlite3_errmsg(handle)));
}

static void records_query(void *self)
{
    static const char sql[] =
        "SELECT * FROM result WHERE kind = 'measured' AND workload = 'exchange'"
        " AND pattern = 'mesh' AND partition = 'rcb' AND ranks = 32"
        " AND mesh IN ('wing-2800', 'wing-53961') AND overlap = 0";
    const struct nuce_scratch *scratch = self;
    sqlite3_stmt *statement = NULL;
    sqlite3 *handle = NULL;
    int code;

    check(sqlite3_open_v2(scratch->database, &handle, SQLITE_OPEN_READONLY, NULL),
          scratch->database, handle);
    check(sqlite3_prepare_v2(handle, sql, -1, &statement, NULL), scratch->database, handle);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        continue;
    check(code, scratch->database, handle);
    sqlite3_finalize(statement);
    sqlite3_close(handle);
}

static void collect_anew(void *self)
{
    const struct nuce_scratch *scratch = self;

    if (unlink(scratch->database) != 0 && errno != ENOENT)
        MUST(nuce_error_set(&error, NUCE_FAILED, "%s: %s", scratch->database, strerror(errno)));
    records_collect(self);
}

/* 100 000 times 20 samples; the bound values differ, as times do. */
static void insert_samples(void *self)
{
    static const char table[] =
        "DROP TABLE IF EXISTS sample; BEGIN; CREATE TABLE sample (run INTEGER NOT NULL,"
        " number INTEGER NOT NULL, step_s REAL, communication_s REAL, computation_s REAL,"
        " PRIMARY KEY (run, number)) STRICT, WITHOUT ROWID";
    const struct nuce_scratch *scratch = self;
    sqlite3_stmt *statement = NULL;
    sqlite3 *handle = NULL;

    check(sqlite3_open(scratch->other, &handle), scratch->other, handle);
    check(sqlite3_exec(handle, table, NULL, NULL, NULL), scratch->other, handle);
    check(sqlite3_prepare_v2(handle, "INSERT INTO sample VALUES (?, ?, ?, ?, ?)", -1, &statement,
                             NULL),
          scratch->other, handle);
    for (int run = 0; run < 100000; run++) {
        for (int number = 0; number < 20; number++) {
            sqlite3_bind_int(statement, 1, run);
            sqlite3_bind_int(statement, 2, number);
            for (int part = 0; part < 3; part++)
                sqlite3_bind_double(statement, 3 + part, 1e-6 * (run + number + part));
            check(sqlite3_step(statement), scratch->other, handle);
            sqlite3_reset(statement);
        }
    }
    check(sqlite3_exec(handle, "COMMIT", NULL, NULL, NULL), scratch->other, handle);
    sqlite3_finalize(statement);
    sqlite3_close(handle);
}

/* Reads every record file and computes its SHA-256, which shows that nothing has changed. */
static void hash_files(void *self)
{
    const struct nuce_scratch *scratch = self;
    char *pattern = nuce_text_format("%s/*/records/*.jsonl", scratch->campaigns);
    glob_t files = {0};

    if (glob(pattern, 0, NULL, &files) != 0)
        MUST(nuce_error_set(&error, NUCE_FAILED, "%s: no files", pattern));
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char hash[NUCE_HASH_BYTES];

        MUST(nuce_hash_file(files.gl_pathv[i], hash, &error));
    }
    globfree(&files);
    free(pattern);
}

static void make_table(void *self)
{
    const struct nuce_scratch *scratch = self;
    const char *rest[] = {"table", "exchange-table7", "--database", scratch->database, NULL};

    nuce_scratch_run("nuce", rest);
}

static void make_figure(void *self)
{
    const struct nuce_scratch *scratch = self;
    const char *rest[] = {"figure",   "exchange-figure16", "--database", scratch->database,
                          "--output", scratch->figures,    NULL};

    nuce_scratch_run("nuce", rest);
}

#define RECORDS .is_command = 1, .create = records_create, .destroy = records_destroy
#define COLLECTED RECORDS, .of = "collected"

const struct nuce_bench nuce_bench_records[] = {
    {.name = "collect-100k",
     .summary = "nuce collect of 100 000 runs with 20 samples each",
     .reference = "inserting 2 000 000 such samples, and nothing else",
     .budget_s = 60,
     .least_turns = 3,
     RECORDS,
     .run_ours = collect_anew,
     .run_reference = insert_samples},
    {.name = "collect-again",
     .summary = "nuce collect of 100 000 runs that are all known",
     .reference = "reading the record files and their SHA-256",
     .budget_s = 5,
     COLLECTED,
     .run_ours = records_collect,
     .run_reference = hash_files},
    {.name = "table-100k",
     .summary = "nuce table exchange-table7 from 100 000 runs",
     .reference = "SQLite alone reading the same rows",
     .budget_s = 2,
     COLLECTED,
     .run_ours = make_table,
     .run_reference = records_query},
    {.name = "figure-100k",
     .summary = "nuce figure exchange-figure16, three formats from 100 000 runs",
     .reference = "SQLite alone reading the same rows",
     .budget_s = 2,
     COLLECTED,
     .run_ours = make_figure,
     .run_reference = records_query},
    {.name = NULL},
};
