#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "records_case.h"

static nuce_status run_ours(void *self, struct nuce_error *error)
{
    const struct nuce_scratch *scratch = self;

    if (unlink(scratch->database) != 0 && errno != ENOENT)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", scratch->database, strerror(errno));
    return nuce_records_case_collect(self, error);
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

static nuce_status run_reference(void *self, struct nuce_error *error)
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
    .create = nuce_records_case_create,
    .run_ours = run_ours,
    .run_reference = run_reference,
    .destroy = nuce_records_case_destroy,
};
