#include "records_case.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "base/allocate.h"

nuce_status nuce_records_case_create(struct nuce_bench_case *out, struct nuce_error *error)
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
        nuce_records_case_destroy(self);
    return status;
}

nuce_status nuce_records_case_create_collected(struct nuce_bench_case *out,
                                               struct nuce_error *error)
{
    if (nuce_records_case_create(out, error) != NUCE_OK)
        return error->status;
    if (nuce_records_case_collect(out->self, error) == NUCE_OK)
        return NUCE_OK;
    nuce_records_case_destroy(out->self);
    out->self = NULL;
    return error->status;
}

void nuce_records_case_destroy(void *self)
{
    if (self != NULL)
        nuce_scratch_fini(self);
    free(self);
}

nuce_status nuce_records_case_collect(void *self, struct nuce_error *error)
{
    const struct nuce_scratch *scratch = self;
    const char *rest[] = {"collect",    "--campaigns",     scratch->campaigns,
                          "--database", scratch->database, NULL};

    return nuce_scratch_run("nuce", rest, error);
}

nuce_status nuce_records_case_query(void *self, struct nuce_error *error)
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
