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
    recorder = nuce_recorder_create(path, &header);
    if (recorder == NULL)
        (void)nuce_error_set(error, NUCE_FAILED, "%s: %m", path);
    free(path);
    return recorder;
}

/* Clocks that cannot be compared say nothing of who came how late: skews and arrivals are taken out
 * as if none had been measured. */
static void forget_arrivals(struct nuce_capture *capture)
{
    for (int i = 0; i < capture->patterns; i++) {
        struct nuce_capture_pattern *pattern = &capture->pattern[i];

        free(pattern->skew.classes);
        free(pattern->kept_class);
        pattern->kept_class = NULL;
        pattern->kept = 0;
        pattern->skew = (struct nuce_capture_times){0};
        for (int k = 0;
             pattern->arrival_ns != NULL && k < capture->communicator[pattern->communicator].size;
             k++)
            pattern->arrival_ns[k] = 0;
    }
}

nuce_status nuce_traced_merge(const struct nuce_import_input *input, int are_clocks_one,
                              struct nuce_capture *out, struct nuce_error *error)
{
    if (nuce_capture_merge(input->folder, (struct nuce_capture_merging){0}, out, error) != NUCE_OK)
        return error->status;
    if (!are_clocks_one)
        forget_arrivals(out);
    return NUCE_OK;
}
