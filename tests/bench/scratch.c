#include "scratch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/text.h"
#include "bench.h"

#define MOST_ARGUMENTS 16

nuce_status nuce_scratch_init(struct nuce_scratch *out, struct nuce_error *error)
{
    const char *parent = getenv("TMPDIR");

    *out = (struct nuce_scratch){
        .folder = nuce_text_format("%s/nuce-bench-XXXXXX", parent == NULL ? "/tmp" : parent),
    };
    if (mkdtemp(out->folder) == NULL) {
        nuce_error_set(error, NUCE_FAILED, "%s: %s", out->folder, strerror(errno));
        free(out->folder);
        out->folder = NULL;
        return error->status;
    }
    out->campaigns = nuce_text_format("%s/campaigns", out->folder);
    out->database = nuce_text_format("%s/nuce.db", out->folder);
    out->figures = nuce_text_format("%s/figures", out->folder);
    out->other = nuce_text_format("%s/other", out->folder);
    return NUCE_OK;
}

void nuce_scratch_fini(struct nuce_scratch *scratch)
{
    const char *argv[] = {"rm", "-rf", "--", scratch->folder, NULL};
    struct nuce_error error;

    if (scratch->folder != NULL)
        nuce_bench_run(argv, &error);
    free(scratch->folder);
    free(scratch->campaigns);
    free(scratch->database);
    free(scratch->figures);
    free(scratch->other);
    *scratch = (struct nuce_scratch){0};
}

nuce_status nuce_scratch_run(const char *program, const char *const *rest, struct nuce_error *error)
{
    const char *argv[MOST_ARGUMENTS + 2];
    char *path = nuce_data_program_path(program, error);
    nuce_status status;
    int count = 0;

    if (path == NULL)
        return error->status;
    argv[count++] = path;
    while (*rest != NULL) {
        NUCE_ASSERT(count <= MOST_ARGUMENTS);
        argv[count++] = *rest++;
    }
    argv[count] = NULL;
    status = nuce_bench_run(argv, error);
    free(path);
    return status;
}
