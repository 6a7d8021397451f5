#include "records_case.h"

static nuce_status run_ours(void *self, struct nuce_error *error)
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
    .create = nuce_records_case_create_collected,
    .run_ours = run_ours,
    .run_reference = nuce_records_case_query,
    .destroy = nuce_records_case_destroy,
};
