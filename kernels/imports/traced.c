/* From traces to captures: each rank's recorder writes a raw file (recorder/raw.h) into the folder
 * of the import, as it does while an application runs, and capture/merge.c makes one capture of
 * them. */
#include "imports/traced.h"

#include <stdlib.h>
#include <string.h>

#include "support/text.h"

/* Files are named by the rank, RANK.raw. */
struct nuce_recorder *nuce_traced_recorder(const struct nuce_import_input *input, int rank,
                                           int ranks, const char *host, struct nuce_error *error)
{
    struct nuce_raw_header header = {.rank = rank, .ranks = ranks};
    char *path = nuce_text_format(error, "%s/%d" NUCE_RAW_ENDING, input->folder, rank);
    struct nuce_recorder *recorder;

    if (path == NULL)
        return NULL;
    memcpy(header.host, host, sizeof header.host);
    recorder = nuce_recorder_create(path, &header, NULL);
    if (recorder == NULL)
        (void)nuce_error_set(error, NUCE_FAILED, "%s: %m", path);
    free(path);
    return recorder;
}

nuce_status nuce_traced_merge(const struct nuce_import_input *input, int are_clocks_one,
                              struct nuce_capture *out, struct nuce_error *error)
{
    const struct nuce_capture_merging merging = {.clocks_differ = !are_clocks_one};

    return nuce_capture_merge(input->folder, merging, out, error);
}
