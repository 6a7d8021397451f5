#include "records_case.h"

static nuce_status run_ours(void *self, struct nuce_error *error)
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
    .create = nuce_records_case_create_collected,
    .run_ours = run_ours,
    .run_reference = nuce_records_case_query,
    .destroy = nuce_records_case_destroy,
};
