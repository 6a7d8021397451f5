/* Runs of launches that nobody watched to their end: a node failed, a job was killed with its
 * harness. Their record file ends with a "begin", and the run gets a record in a file beside it,
 * LABEL-lost.jsonl, since the first may still be somebody's. Two nuces may settle the same run: the
 * file is created exclusively, and who comes second is content. */
#include "campaigns/settle.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/jsonl.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/follow.h"
#include "campaigns/lost.h"

static const char ending[] = ".jsonl", lost_ending[] = "-lost.jsonl";

/* Whether the file has the record of a run, or is being given one. */
static int has_run(const struct nuce_campaign *campaign, const char *path)
{
    struct nuce_follow follow;
    int found = nuce_jsonl_is_open(path);

    if (found)
        return found;
    nuce_follow_init(&follow, path);
    nuce_follow_poll(&follow, campaign, NULL, NULL);
    nuce_follow_end(&follow, campaign);
    found = follow.runs > 0;
    nuce_follow_fini(&follow);
    return found;
}

/* NUCE_OK, and nothing done, where the last run was recorded, where the launch still writes, or
 * where another nuce has settled it. A full disk, or a kill at the wrong moment, may have left a
 * file without the record. */
static nuce_status settle_launch(struct nuce_campaign *campaign, const char *label,
                                 const char *message, int64_t *settled, struct nuce_error *error)
{
    char *path = nuce_campaign_file(campaign, "records", label, ending);
    char *lost = nuce_campaign_file(campaign, "records", label, lost_ending);
    struct nuce_follow follow = {.in_flight = -1};

    error->status = NUCE_OK;
    if (!has_run(campaign, lost) && !nuce_jsonl_is_open(path)) {
        nuce_follow_init(&follow, path);
        nuce_follow_poll(&follow, campaign, NULL, NULL);
        nuce_follow_end(&follow, campaign);
    }
    /* Without the record of its job, in a file that was damaged, a run cannot be recorded: its
     * point is just missing. */
    if (follow.in_flight >= 0 && follow.job != NULL) {
        if (unlink(lost) != 0 && errno != ENOENT)
            nuce_error_set(error, NUCE_FAILED, "%s: %s", lost, strerror(errno));
        else if (nuce_lost_record(campaign, label, &follow, "interrupted", message, error) ==
                 NUCE_OK)
            ++*settled;
        else if (has_run(campaign, lost)) /* another nuce was faster */
            error->status = NUCE_OK;
    }
    nuce_follow_fini(&follow);
    free(lost);
    free(path);
    return error->status;
}

/* Record files of launches are called PREFIX-... */
nuce_status nuce_settle(struct nuce_campaign *campaign, const char *prefix, const char *message,
                        int64_t *settled, struct nuce_error *error)
{
    size_t length = strlen(prefix);
    struct nuce_folder records;
    nuce_status status = nuce_folder_read(&records, error, "%s/records", campaign->path);

    for (int i = 0; i < records.count && status == NUCE_OK; i++) {
        const char *name = records.entries[i]->d_name;
        char *label;

        if (!nuce_campaign_is_record_file(name) || nuce_text_ends(name, lost_ending) ||
            strncmp(name, prefix, length) != 0 || name[length] != '-')
            continue;
        label = nuce_text_format("%.*s", (int)(strlen(name) - strlen(ending)), name);
        status = settle_launch(campaign, label, message, settled, error);
        free(label);
    }
    nuce_folder_fini(&records);
    return status;
}

/* The last line of a record file tells, and a begin line is a few hundred bytes: no more than its
 * end is read, of files that may be gigabytes. */
#define TAIL_BYTES 4096
#define BEGIN_BYTES 512

/* Whether the file may end with a run that has begun: where what is read does not show the begin of
 * its last whole line, it may unless the line is too long for that. */
static int may_end_with_begin(const char *path)
{
    char text[TAIL_BYTES + 1], *end, *line;
    long length = nuce_text_read_end(path, text, sizeof text);

    if (length < 0)
        return 0;
    /* What follows the last newline is torn: the record of the run that had begun. */
    end = strrchr(text, '\n');
    if (end == NULL)
        return length == TAIL_BYTES;
    *end = '\0';
    line = strrchr(text, '\n');
    if (line == NULL && length == TAIL_BYTES)
        return end - text < BEGIN_BYTES;
    return strstr(line != NULL ? line : text, "\"record\":\"begin\"") != NULL;
}

/* The same question as settle_launch asks, as far as it can be told from the ends of the files
 * without a campaign: it may say 1 where there is nothing to settle. */
int nuce_settle_is_pending(const char *path)
{
    struct nuce_error ignored;
    struct nuce_folder records;
    int pending = 0;

    nuce_folder_read(&records, &ignored, "%s/records", path);
    for (int i = 0; i < records.count && !pending; i++) {
        const char *entry = records.entries[i]->d_name;
        char *file, *lost;
        struct stat found;

        if (!nuce_campaign_is_record_file(entry) || nuce_text_ends(entry, lost_ending))
            continue;
        file = nuce_text_format("%s/%s", records.path, entry);
        lost = nuce_text_format("%s/%.*s%s", records.path, (int)(strlen(entry) - strlen(ending)),
                                entry, lost_ending);
        pending = (stat(lost, &found) != 0 || found.st_size == 0) && may_end_with_begin(file);
        free(lost);
        free(file);
    }
    nuce_folder_fini(&records);
    return pending;
}
