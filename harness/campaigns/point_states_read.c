/* What is being measured now, by the records of jobs that live.
 *
 * A kernel writes a line when it begins a point and one when it has ended it. So the last line of
 * the newest file of a job names the point in flight, or says that there is none.
 *
 * Order: the files of live parts by their names; each part's files in the order of its launches;
 * each file line by line. Files of parts that have ended are not opened: what they say the campaign
 * knows already. A last line without an end is being written just now and is left for the next
 * time. Nothing here is an error but lack of memory and a folder that cannot be read: a file that
 * vanishes was packed or cleaned up, and says nothing. */
#include "campaigns/point_states_read.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/folder.h"
#include "base/text.h"

/* A record file of a live part: records/NNNN-K-slurm-JOB-RESTART-LAUNCH.jsonl. */
struct record_file {
    int64_t submission, part; /* indices */
    char *path;
};

/* Those of all live parts; paths are owned. */
struct record_files {
    struct record_file *list;
    int64_t count, capacity;
};

static void files_fini(struct record_files *files)
{
    for (int64_t i = 0; i < files->count; i++)
        free(files->list[i].path);
    free(files->list);
}

/* For bsearch: the submissions are by number, ascending. */
static int standing_by_number(const void *key, const void *entry)
{
    int number = *(const int *)key;
    const struct nuce_submission *submission = entry;

    return (number > submission->number) - (number < submission->number);
}

/* Whether name is a record file of a live part, and of which. Files of a local run, or of another
 * program, have other names. Nine digits at most, so that no number overflows: longer ones are none
 * of nuce's. */
static int standing_belongs(const char *name, const struct nuce_submissions *submissions,
                            const struct nuce_standing *standing, struct record_file *out)
{
    const struct nuce_submission *submission;
    long long part;
    int number;

    if (sscanf(name, "%9d-%9lld-slurm-", &number, &part) != 2 || submissions->count == 0 ||
        !nuce_campaign_is_record_file(name))
        return 0;
    submission = bsearch(&number, submissions->list, (size_t)submissions->count,
                         sizeof *submissions->list, standing_by_number);
    if (submission == NULL || part < 0 || part >= submission->count)
        return 0;
    out->submission = submission - submissions->list;
    out->part = part;
    return !submission->parts[part].is_void &&
           standing->parts[out->submission][part].fate == NUCE_FATE_LIVE;
}

/* Adds the file of that name in folder. */
static void standing_add_file(struct record_files *files, struct record_file file,
                              const char *folder, const char *name)
{
    nuce_allocate_more((void **)&files->list, &files->capacity, files->count + 1, sizeof file);
    file.path = nuce_text_format("%s/%s", folder, name);
    files->list[files->count++] = file;
}

/* By part, and in it in the order of jobs, restarts and launches. strverscmp: job 10 comes behind
 * job 9, which a comparison by characters would put in front. */
static int by_part(const void *left, const void *right)
{
    const struct record_file *a = left, *b = right;

    if (a->submission != b->submission)
        return a->submission < b->submission ? -1 : 1;
    if (a->part != b->part)
        return a->part < b->part ? -1 : 1;
    return strverscmp(a->path, b->path);
}

/* *files is for the caller to free, also on failure. Of all files in records/, which may be
 * thousands, only the names are looked at. */
static nuce_status standing_find_files(const struct nuce_campaign *campaign,
                                       const struct nuce_submissions *submissions,
                                       const struct nuce_standing *standing,
                                       struct record_files *files, struct nuce_error *error)
{
    struct record_file file = {.path = NULL};
    struct nuce_folder records;
    nuce_status status = nuce_folder_read(&records, error, "%s/records", campaign->path);

    for (int i = 0; i < records.count && status == NUCE_OK; i++) {
        const char *name = records.entries[i]->d_name;

        if (standing_belongs(name, submissions, standing, &file))
            standing_add_file(files, file, records.path, name);
    }
    nuce_folder_fini(&records);
    if (status == NUCE_OK && files->count > 0)
        qsort(files->list, (size_t)files->count, sizeof *files->list, by_part);
    return status;
}

/* Takes one line: *begun is the point that runs according to the lines so far, or -1. */
static void standing_take_line(const struct nuce_campaign *campaign, const char *line,
                               unsigned char *marks, int64_t *begun)
{
    const char *kind, *id, *status;
    json_t *record;
    int64_t point;

    /* Good runs, nearly all of the bytes, are known from the campaign. Inside a JSON text the
     * quotation marks would be escaped. */
    if (strstr(line, "\"status\":\"ok\"") != NULL) {
        *begun = -1;
        return;
    }
    record = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    kind = json_string_value(json_object_get(record, "record"));
    id = json_string_value(json_object_get(record, "point"));
    if (kind != NULL && id != NULL && strcmp(kind, "begin") == 0)
        *begun = nuce_campaign_find(campaign, id);
    status = json_string_value(json_object_get(record, "status"));
    point = nuce_campaign_find_run(campaign, record);
    if (point >= 0) {
        /* A job that starts again runs what was stopped again. */
        if (strcmp(status, "interrupted") != 0)
            marks[point] |= NUCE_MARK_TRIED;
        *begun = -1;
    }
    json_decref(record);
}

/* The point that runs according to the file, or -1. O_NONBLOCK and O_NOFOLLOW: a name that somebody
 * made a pipe or a link must not stop nuce. */
static int64_t standing_read_file(const struct nuce_campaign *campaign, const char *path,
                                  unsigned char *marks)
{
    int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "r") : NULL;
    int64_t begun = -1;
    size_t capacity = 0;
    char *line = NULL;
    ssize_t length;

    if (file == NULL) {
        if (descriptor >= 0)
            close(descriptor);
        return -1;
    }
    while ((length = getline(&line, &capacity, file)) > 0 && line[length - 1] == '\n')
        standing_take_line(campaign, line, marks, &begun);
    free(line);
    fclose(file);
    return begun;
}

/* A run that died with its launch is recorded in a file of its own: it is no launch. */
static int is_lost(const char *path)
{
    static const char ending[] = "-lost.jsonl";
    size_t length = strlen(path), tail = sizeof ending - 1;

    return length > tail && strcmp(path + length - tail, ending) == 0;
}

int nuce_standing_is_running(const struct nuce_submission_part *part,
                             const struct nuce_standing_part *standing)
{
    static const char *const running[] = {"RUNNING", "SUSPENDED", "STOPPED", "SIGNALING",
                                          "RESIZING"};

    for (size_t i = 0; standing->job != NULL && i < sizeof running / sizeof *running; i++) {
        if (strcmp(standing->job->state, running[i]) == 0)
            return 1;
    }
    return part->is_locked;
}

/* Reads the files of one part, count from first on. Only its newest launch can have a point in
 * flight, and only while the job runs. */
static void standing_read_part(const struct nuce_campaign *campaign,
                               const struct nuce_submission_part *part,
                               const struct nuce_standing_part *standing,
                               const struct record_file *first, int64_t count, unsigned char *marks)
{
    int64_t newest = -1;

    for (int64_t i = 0; i < count; i++) {
        int64_t begun = standing_read_file(campaign, first[i].path, marks);

        newest = is_lost(first[i].path) ? newest : begun;
    }
    if (newest >= 0 && !(marks[newest] & NUCE_MARK_TRIED) &&
        nuce_standing_is_running(part, standing))
        marks[newest] |= NUCE_MARK_BEGUN;
}

nuce_status nuce_standing_mark(const struct nuce_campaign *campaign,
                               const struct nuce_submissions *submissions,
                               const struct nuce_standing *standing, unsigned char *marks,
                               struct nuce_error *error)
{
    struct record_files files = {.count = 0};
    nuce_status status = standing_find_files(campaign, submissions, standing, &files, error);

    for (int64_t i = 0, next; status == NUCE_OK && i < files.count; i = next) {
        const struct record_file *file = &files.list[i];

        for (next = i + 1; next < files.count; next++) {
            if (files.list[next].submission != file->submission ||
                files.list[next].part != file->part)
                break;
        }
        standing_read_part(campaign, &submissions->list[file->submission].parts[file->part],
                           &standing->parts[file->submission][file->part], file, next - i, marks);
    }
    files_fini(&files);
    return status;
}
