/* The benches of the database: made-up records of 100 000 runs with 20 samples each, every run
 * another point, all of them in exchange-table7, which is the most that reading can have to do. */
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

static void records_destroy(void *self);
static nuce_status records_collect(void *self, struct nuce_error *error);

static nuce_status records_create(struct nuce_bench_case *out, struct nuce_error *error)
{
    struct nuce_scratch *self = nuce_allocate(1, sizeof *self);
    nuce_status status = nuce_scratch_init(self, error);

    if (status == NUCE_OK) {
        const char *rest[] = {self->campaigns, "100000", "20", "1", NULL};

        status = nuce_scratch_run("../libexec/nuce/nuce-bench-records", rest, error);
    }
    if (status == NUCE_OK)
        out->self = self;
    else
        records_destroy(self);
    return status;
}

static nuce_status records_create_collected(struct nuce_bench_case *out, struct nuce_error *error)
{
    if (records_create(out, error) != NUCE_OK)
        return error->status;
    if (records_collect(out->self, error) == NUCE_OK)
        return NUCE_OK;
    records_destroy(out->self);
    out->self = NULL;
    return error->status;
}

static void records_destroy(void *self)
{
    if (self != NULL)
        nuce_scratch_fini(self);
    free(self);
}

static nuce_status records_collect(void *self, struct nuce_error *error)
{
    const struct nuce_scratch *scratch = self;
    const char *rest[] = {"collect",    "--campaigns",     scratch->campaigns,
                          "--database", scratch->database, NULL};

    return nuce_scratch_run("nuce", rest, error);
}

static nuce_status records_query(void *self, struct nuce_error *error)
{
    static const char sql[] =
        "SELECT * FROM result WHERE kind = 'measured' AND workload = 'exchange'"
        " AND pattern = 'mesh' AND partition = 'rcb' AND ranks = 32"
        " AND mesh IN ('wing-2800', 'wing-53961') AND overlap = 0";
    const struct nuce_scratch *scratch = self;
    sqlite3_stmt *statement = NULL;
    sqlite3 *handle = NULL;
    nuce_status status = NUCE_OK;
    int code = sqlite3_open_v2(scratch->database, &handle, SQLITE_OPEN_READONLY, NULL);

    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(handle, sql, -1, &statement, NULL);
    if (code == SQLITE_OK) {
        while ((code = sqlite3_step(statement)) == SQLITE_ROW)
            continue;
    }
    if (code != SQLITE_DONE)
        status =
            nuce_error_set(error, NUCE_FAILED, "%s: %s", scratch->database, sqlite3_errmsg(handle));
    sqlite3_finalize(statement);
    sqlite3_close(handle);
    return status;
}

static nuce_status collect_anew(void *self, struct nuce_error *error)
{
    const struct nuce_scratch *scratch = self;

    if (unlink(scratch->database) != 0 && errno != ENOENT)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", scratch->database, strerror(errno));
    return records_collect(self, error);
}

/* 100 000 times 20 samples; what is bound differs, as times do. */
static int insert(sqlite3 *handle, sqlite3_stmt *statement)
{
    int code = SQLITE_DONE;

    for (int run = 0; code == SQLITE_DONE && run < 100000; run++) {
        for (int number = 0; code == SQLITE_DONE && number < 20; number++) {
            sqlite3_bind_int(statement, 1, run);
            sqlite3_bind_int(statement, 2, number);
            for (int part = 0; part < 3; part++)
                sqlite3_bind_double(statement, 3 + part, 1e-6 * (run + number + part));
            code = sqlite3_step(statement);
            sqlite3_reset(statement);
        }
    }
    return code == SQLITE_DONE ? sqlite3_exec(handle, "COMMIT", NULL, NULL, NULL) : code;
}

static nuce_status insert_samples(void *self, struct nuce_error *error)
{
    static const char table[] =
        "DROP TABLE IF EXISTS sample; BEGIN; CREATE TABLE sample (run INTEGER NOT NULL,"
        " number INTEGER NOT NULL, step_s REAL, communication_s REAL, computation_s REAL,"
        " PRIMARY KEY (run, number)) STRICT, WITHOUT ROWID";
    const struct nuce_scratch *scratch = self;
    sqlite3_stmt *statement = NULL;
    sqlite3 *handle = NULL;
    int code;

    code = sqlite3_open(scratch->other, &handle);
    if (code == SQLITE_OK)
        code = sqlite3_exec(handle, table, NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(handle, "INSERT INTO sample VALUES (?, ?, ?, ?, ?)", -1,
                                  &statement, NULL);
    if (code == SQLITE_OK)
        code = insert(handle, statement);
    if (code != SQLITE_OK)
        nuce_error_set(error, NUCE_FAILED, "%s: %s", scratch->other, sqlite3_errmsg(handle));
    sqlite3_finalize(statement);
    sqlite3_close(handle);
    return code == SQLITE_OK ? NUCE_OK : NUCE_FAILED;
}

const struct nuce_bench nuce_bench_collect_100k = {
    .name = "collect-100k",
    .summary = "nuce collect of 100 000 runs with 20 samples each",
    .reference = "inserting 2 000 000 such samples, and nothing else",
    .budget_s = 60,
    .least_turns = 3,
    .is_command = 1,
    .create = records_create,
    .run_ours = collect_anew,
    .run_reference = insert_samples,
    .destroy = records_destroy,
};

/* Reads every record file and computes its SHA-256: what tells that nothing has changed. */
static nuce_status hash_files(void *self, struct nuce_error *error)
{
    const struct nuce_scratch *scratch = self;
    char *pattern = nuce_text_format("%s/*/records/*.jsonl", scratch->campaigns);
    glob_t files = {0};
    nuce_status status = NUCE_OK;

    if (glob(pattern, 0, NULL, &files) != 0)
        status = nuce_error_set(error, NUCE_FAILED, "%s: no files", pattern);
    for (size_t i = 0; status == NUCE_OK && i < files.gl_pathc; i++) {
        char hash[NUCE_HASH_BYTES];

        status = nuce_hash_file(files.gl_pathv[i], hash, error);
    }
    globfree(&files);
    free(pattern);
    return status;
}

const struct nuce_bench nuce_bench_collect_again = {
    .name = "collect-again",
    .summary = "nuce collect of 100 000 runs that are all known",
    .reference = "reading the record files and their SHA-256",
    .budget_s = 5,
    .is_command = 1,
    .create = records_create_collected,
    .run_ours = records_collect,
    .run_reference = hash_files,
    .destroy = records_destroy,
};

static nuce_status make_table(void *self, struct nuce_error *error)
{
    const struct nuce_scratch *scratch = self;
    const char *rest[] = {"table", "exchange-table7", "--database", scratch->database, NULL};

    return nuce_scratch_run("nuce", rest, error);
}

const struct nuce_bench nuce_bench_table_100k = {
    .name = "table-100k",
    .summary = "nuce table exchange-table7 from 100 000 runs",
    .reference = "SQLite alone reading the same rows",
    .budget_s = 2,
    .is_command = 1,
    .create = records_create_collected,
    .run_ours = make_table,
    .run_reference = records_query,
    .destroy = records_destroy,
};

static nuce_status make_figure(void *self, struct nuce_error *error)
{
    const struct nuce_scratch *scratch = self;
    const char *rest[] = {"figure",   "exchange-figure16", "--database", scratch->database,
                          "--output", scratch->figures,    NULL};

    return nuce_scratch_run("nuce", rest, error);
}

const struct nuce_bench nuce_bench_figure_100k = {
    .name = "figure-100k",
    .summary = "nuce figure exchange-figure16, three formats from 100 000 runs",
    .reference = "SQLite alone reading the same rows",
    .budget_s = 2,
    .is_command = 1,
    .create = records_create_collected,
    .run_ours = make_figure,
    .run_reference = records_query,
    .destroy = records_destroy,
};
