/* Launches that ended unwatched. Follows the record file of a launch; writes the record of a run if
 * the program died before it could; and does so for the launches of a job that died. */
#include "campaigns/lost.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/hash.h"
#include "base/jsonl.h"
#include "base/printable.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/inputs.h"
#include "points/point.h"

/* Reads a record file while it grows: at each poll the complete lines since the last one. A line
 * without its end waits for the next poll. A read error counts as "not there yet". */

void nuce_follow_init(struct nuce_follow *follow, const char *path)
{
    *follow = (struct nuce_follow){.in_flight = -1, .ended = json_object()};
    follow->path = nuce_text_format("%s", path);
}

void nuce_follow_fini(struct nuce_follow *follow)
{
    free(follow->path);
    free(follow->job);
    json_decref(follow->ended);
    *follow = (struct nuce_follow){.in_flight = -1};
}

/* Keeps the record of the latest job as text, for the record of a lost run. A point that begins
 * without a time gets the current one. If the point is not of the campaign, no point is in flight.
 * A valid run of this plan ends the point in flight, whichever that was. */
static void follow_note(struct nuce_follow *follow, const struct nuce_campaign *campaign,
                        const char *line, const json_t *record,
                        void (*each)(void *, int64_t, const json_t *), void *context)
{
    const char *kind = json_string_value(json_object_get(record, "record"));
    const char *id = json_string_value(json_object_get(record, "point"));
    const char *started = json_string_value(json_object_get(record, "started"));
    int64_t point;

    if (kind == NULL)
        return;
    if (strcmp(kind, "job") == 0 && json_is_string(json_object_get(record, "job"))) {
        free(follow->job);
        follow->job = nuce_text_duplicate(line);
    }
    if (strcmp(kind, "begin") == 0) {
        follow->in_flight = id != NULL ? nuce_campaign_find(campaign, id) : -1;
        if (started == NULL || !nuce_text_copy(follow->started, sizeof follow->started, started))
            nuce_record_time_now(follow->started);
    }
    point = nuce_campaign_find_run(campaign, record);
    if (point < 0)
        return;
    follow->in_flight = -1;
    follow->runs++;
    json_object_set_new(follow->ended, campaign->points[point].id, json_true());
    if (each != NULL)
        each(context, point, record);
}

/* Opens the file at each poll, because it may not exist yet; offset counts the bytes read so far. A
 * file that is cut short or replaced meanwhile is not noticed, because records are never treated
 * so. O_NONBLOCK and O_NOFOLLOW: a pipe or a link of that name must not stop nuce. */
void nuce_follow_poll(struct nuce_follow *follow, const struct nuce_campaign *campaign,
                      void (*each)(void *context, int64_t point, const json_t *record),
                      void *context)
{
    int descriptor = open(follow->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "r") : NULL;
    size_t capacity = 0;
    char *line = NULL;
    ssize_t length;

    if (file == NULL) {
        if (descriptor >= 0)
            close(descriptor);
        return;
    }
    if (fseeko(file, (off_t)follow->offset, SEEK_SET) == 0) {
        while ((length = getline(&line, &capacity, file)) > 0 && line[length - 1] == '\n') {
            json_t *record;

            follow->offset += length;
            line[length - 1] = '\0';
            /* Nearly all bytes are in such lines. Quotation marks inside a JSON text are escaped.
             */
            if (follow->skips_good && strstr(line, "\"status\":\"ok\"") != NULL) {
                follow->in_flight = -1;
                continue;
            }
            record = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
            follow_note(follow, campaign, line, record, each, context);
            json_decref(record);
        }
    }
    free(line);
    fclose(file);
}

/* The file holds the id of one point (run/point_loop.h). Kernels write it in the rounds of a race.
 * All contenders have begun there, so begin lines no longer show whose turn it is. */
void nuce_follow_end(struct nuce_follow *follow, const struct nuce_campaign *campaign)
{
    char id[NUCE_HASH_BYTES] = "";
    char *path = nuce_text_format("%s.turn", follow->path);
    FILE *file = fopen(path, "re");
    int64_t point;

    if (file != NULL) {
        (void)!fread(id, 1, sizeof id - 1, file);
        fclose(file);
        unlink(path);
        point = nuce_campaign_find(campaign, id);
        if (point >= 0 && json_object_get(follow->ended, id) == NULL)
            follow->in_flight = point;
    }
    free(path);
}

/* Writes the record of a run whose program died before it could. The harness knows which point had
 * begun and how the processes ended, and takes the program's last words from the log. Such a record
 * has no samples: the program held them and they died with it. */

/* A log may end with a backtrace of many lines. Only this many bytes at its end are searched. */
#define LOG_BYTES 65536

/* True if line has words: it is not a rule, and no frame of a backtrace, which begins with a
 * number. mpiexec draws rules of = characters around its own message. */
static int has_words(const char *line)
{
    line += strspn(line, " \t");
    if (*line == '=' || isdigit((unsigned char)*line))
        return 0;
    for (; *line != '\0'; line++) {
        if (isalpha((unsigned char)*line))
            return 1;
    }
    return 0;
}

/* A line of a log without its end, in printable ASCII: other bytes, such as a broken terminal
 * sequence, become question marks. */
static void make_printable(char *line)
{
    line[strcspn(line, "\r\n")] = '\0';
    for (; *line != '\0'; line++) {
        if (!isprint((unsigned char)*line) || !isascii((unsigned char)*line))
            *line = '?';
    }
}

/* mpiexec and MPI print after the program, about processes that have ended. So after a line of
 * nuce-..., only another such line replaces it. Remarks of a program about the machine before it
 * begins, "BUSY: ...", do not count. */
char *nuce_lost_last_words(const char *path)
{
    FILE *file = fopen(path, "re");
    char *line = NULL, *best = nuce_text_duplicate("");
    struct statvfs system;
    size_t capacity = 0;
    int is_ours = 0;

    if (file == NULL)
        return best;
    if (fseeko(file, -LOG_BYTES, SEEK_END) != 0)
        rewind(file);
    while (getline(&line, &capacity, file) > 0) {
        int ours = strncmp(line, "nuce-", 5) == 0;
        size_t capitals = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        int is_notice = (capitals > 1 && line[capitals] == ':') ||
                        strstr(line, "SMPI process did not return 0") != NULL;

        if (!has_words(line) || is_notice || (is_ours && !ours))
            continue;
        is_ours |= ours;
        make_printable(line);
        free(best);
        best = nuce_text_duplicate(line);
    }
    free(line);
    fclose(file);
    /* On a disk without free space for ordinary users, the log may be empty for lack of room. */
    if (*best != '\0' || statvfs(path, &system) != 0 || system.f_bavail != 0)
        return best;
    free(best);
    return nuce_text_duplicate(strerror(ENOSPC));
}

/* Searches the whole log: any number of lines may follow that of the watchdog. */
char *nuce_lost_timeout(const char *path)
{
    static const char says[] = "nuce: timeout: ";
    FILE *file = fopen(path, "re");
    char *line = NULL, *found = NULL;
    size_t capacity = 0;

    while (file != NULL && found == NULL && getline(&line, &capacity, file) > 0) {
        if (strncmp(line, says, sizeof says - 1) != 0)
            continue;
        make_printable(line);
        found = nuce_text_duplicate(line + strlen("nuce: "));
    }
    free(line);
    if (file != NULL)
        fclose(file);
    return found;
}

/* The last words of a program are near the reason why it ended; a log may be of any length. */
#define TAIL_BYTES 8192

void nuce_lost_print_tail(const char *path, int most)
{
    char text[TAIL_BYTES + 1], *at;
    long length = nuce_text_read_end(path, text, sizeof text);

    if (length <= 0)
        return;
    /* Finds the beginning of the last `most` lines; the last line may lack its end. */
    at = text + length - (text[length - 1] == '\n');
    while (at > text && most > 0) {
        at--;
        most -= *at == '\n';
    }
    for (char *line = *at == '\n' ? at + 1 : at; *line != '\0';) {
        size_t ends = strcspn(line, "\n");
        char *next = line + ends + (line[ends] == '\n');

        line[ends] = '\0';
        nuce_printable_make(line);
        printf("             | %s\n", line);
        line = next;
    }
}

/* Writes the job's record again and then the run's, because each file of records is read alone. The
 * point is as planned, with its canonical form; files are named by the paths of the campaign's
 * copies. On failure the file may exist without the run; nuce_lost_settle removes it then. */
nuce_status nuce_lost_record(struct nuce_campaign *campaign, const char *label,
                             const struct nuce_follow *follow, const char *status,
                             const char *message, struct nuce_error *error)
{
    char *path = nuce_campaign_file(campaign, "records", label, "-lost.jsonl");
    json_t *job = json_loads(follow->job != NULL ? follow->job : "", 0, NULL), *record = NULL;
    const char *name = json_string_value(json_object_get(job, "job"));
    json_t *line = nuce_inputs_resolve(campaign->path, campaign->points[follow->in_flight].line);
    struct nuce_facts *facts = nuce_facts_create();
    struct nuce_jsonl_writer writer;
    char race[NUCE_HASH_BYTES];
    struct nuce_point point;

    error->status = NUCE_OK;
    json_object_del(job, "sum"); /* the new line gets its own */
    if (name == NULL) {
        nuce_error_set(error, NUCE_FAILED, "%s: no record of the job that ran a point",
                       follow->path);
    } else if (line == NULL) {
        nuce_error_set(error, NUCE_FAILED, "%s: a path that is not valid UTF-8", campaign->path);
    } else if (nuce_point_from_json(line, facts, &point, error) == NUCE_OK) {
        /* Only facts that the harness can know, and no samples. */
        record = nuce_point_run_record(&point, name, campaign->id, nuce_campaign_kind(campaign),
                                       status, follow->started, error);
        if (record != NULL && nuce_point_race(&point, race, error) == NUCE_OK &&
            (json_object_set_new(record, "race", json_string(race)) != 0 ||
             json_object_set_new(record, "message", json_string(message)) != 0 ||
             json_object_set_new(record, "samples", json_pack("{s:[]}", "step")) != 0))
            nuce_error_set(error, NUCE_FAILED, "a record with a text that is not valid UTF-8");
        if (record != NULL && error->status == NUCE_OK &&
            nuce_jsonl_create(path, &writer, error) == NUCE_OK) {
            error->status = nuce_jsonl_append(&writer, job, error);
            if (error->status == NUCE_OK)
                error->status = nuce_jsonl_append(&writer, record, error);
            nuce_jsonl_close(&writer);
            if (error->status == NUCE_OK)
                nuce_campaign_note(campaign, follow->in_flight, record);
        }
        nuce_point_fini(&point);
    }
    nuce_facts_destroy(facts);
    json_decref(line);
    json_decref(record);
    json_decref(job);
    free(path);
    return error->status;
}

/* Runs of launches without a harness to their end: a node failed, or a job was killed together with
 * its harness. Their record file ends with a "begin". The run gets a record in another file,
 * LABEL-lost.jsonl, because a process may still write the first. Two nuces may settle the same run:
 * the file is created exclusively, and the second accepts the first one's file. */

static const char ending[] = ".jsonl", lost_ending[] = "-lost.jsonl";

/* True if the file has the record of a run, or another process is writing one. */
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

/* NUCE_OK, without action, if the last run was recorded, the launch still writes, or another nuce
 * has settled it. A full disk or a kill may have left a file without the record. */
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
    /* A damaged file may lack the record of its job. The run cannot be recorded then: its point
     * counts as missing. */
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

/* Record files of launches are named PREFIX-... */
nuce_status nuce_lost_settle(struct nuce_campaign *campaign, const char *prefix,
                             const char *message, int64_t *settled, struct nuce_error *error)
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

/* The last line of a record file decides, and a begin line has a few hundred bytes. So only the end
 * of a file is read, which may have gigabytes. */
#define END_BYTES 4096
#define BEGIN_BYTES 512

/* True if the file may end with a run that has begun. If its last complete line begins before the
 * bytes read, that line may be a begin, unless it is too long for one. */
static int may_end_with_begin(const char *path)
{
    char text[END_BYTES + 1], *end, *line;
    long length = nuce_text_read_end(path, text, sizeof text);

    if (length < 0)
        return 0;
    /* Bytes after the last newline are torn: the record of the run that had begun. */
    end = strrchr(text, '\n');
    if (end == NULL)
        return length == END_BYTES;
    *end = '\0';
    line = strrchr(text, '\n');
    if (line == NULL && length == END_BYTES)
        return end - text < BEGIN_BYTES;
    return strstr(line != NULL ? line : text, "\"record\":\"begin\"") != NULL;
}

/* The question of settle_launch, answered from the ends of the files and without a campaign: it may
 * return 1 although there is nothing to settle. */
int nuce_lost_is_pending(const char *path)
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
