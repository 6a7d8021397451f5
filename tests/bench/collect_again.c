#include <glob.h>

#include "base/hash.h"
#include "base/text.h"
#include "records_case.h"

#include <stdlib.h>

/* Reads every record file and computes its SHA-256: what tells that nothing has changed. */
static nuce_status run_reference(void *self, struct nuce_error *error)
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
    .create = nuce_records_case_create_collected,
    .run_ours = nuce_records_case_collect,
    .run_reference = run_reference,
    .destroy = nuce_records_case_destroy,
};
