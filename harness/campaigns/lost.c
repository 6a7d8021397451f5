/* The record of a run that could not be written by the program that ran it, because it died. The
 * harness knows which point had begun and how the processes ended, and takes from the log what the
 * program said last. Such a record has no samples: those taken were the program's and died with
 * it. */
#include "campaigns/lost.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/hash.h"
#include "base/jsonl.h"
#include "base/printable.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/inputs.h"
#include "points/point.h"

/* A log may end with a backtrace of many lines; more than this from its end is not looked at. */
#define LOG_BYTES 65536

/* Whether line says something: not a rule, and not a frame of a backtrace, which has a number
 * first. Rules are what mpiexec draws around its own message (= characters). */
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

/* A line of a log without its end, in printable ASCII: what is not, a broken terminal sequence for
 * instance, becomes question marks. */
static void make_printable(char *line)
{
    line[strcspn(line, "\r\n")] = '\0';
    for (; *line != '\0'; line++) {
        if (!isprint((unsigned char)*line) || !isascii((unsigned char)*line))
            *line = '?';
    }
}

/* mpiexec and MPI speak after the program has, of processes that have ended; so once a line of
 * nuce-... has come, only such lines take its place. What a program says of the machine before it
 * begins, "BUSY: ...", is no last word. */
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
    /* Where no user but root can write anything more to its disk there was no room to say so. */
    if (*best != '\0' || statvfs(path, &system) != 0 || system.f_bavail != 0)
        return best;
    free(best);
    return nuce_text_duplicate(strerror(ENOSPC));
}

/* All of the log is looked at: the watchdog's line may be followed by any number of others. */
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

/* What a program said last is near the reason why it ended; a log may be of any length. */
#define TAIL_BYTES 8192

void nuce_lost_print_tail(const char *path, int most)
{
    char text[TAIL_BYTES + 1], *at;
    long length = nuce_text_read_end(path, text, sizeof text);

    if (length <= 0)
        return;
    /* Where the last so many lines begin; the last one need not have ended. */
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

/* The run record, from the plan's line; only what the harness can know, and no samples. A new
 * reference; NULL with *error. */
static json_t *make_record(const struct nuce_campaign *campaign, const struct nuce_point *point,
                           const struct nuce_follow *follow, const char *job, const char *status,
                           const char *message, struct nuce_error *error)
{
    char heat[NUCE_HASH_BYTES], *text = nuce_point_instance_text(point, error);
    json_t *record, *rest;

    if (text == NULL || nuce_hash(text, strlen(text), heat, error) != NUCE_OK) {
        free(text);
        return NULL;
    }
    free(text);
    rest = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:O, s:{s:[]}}", "heat", heat,
                     "point", point->id, "campaign", campaign->name, "kind",
                     nuce_campaign_kind(campaign), "status", status, "message", message, "started",
                     follow->started, "workload", point->workload->name, "ranks", point->ranks,
                     "params", point->canonical, "samples", "step");
    record = nuce_record_create("run", job, error);
    if (rest == NULL)
        nuce_error_set(error, NUCE_FAILED, "a record with a text that is not valid UTF-8");
    if (rest == NULL || record == NULL || json_object_update(record, rest) != 0) {
        json_decref(record);
        record = NULL;
    }
    json_decref(rest);
    return record;
}

/* The job's record again and then the run's, since each file of records is read alone. The point is
 * as planned, with its canonical form; files that it names are those that the campaign keeps copies
 * of, by their paths. On failure the file may be there without the run; nuce_settle removes such.
 */
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
    struct nuce_point point;

    json_object_del(job, "sum"); /* written anew, it gets its own */
    if (name == NULL) {
        nuce_error_set(error, NUCE_FAILED, "%s: no record of the job that ran a point",
                       follow->path);
    } else if (line == NULL) {
        nuce_error_set(error, NUCE_FAILED, "%s: a path that is not valid UTF-8", campaign->path);
    } else if (nuce_point_from_json(line, facts, &point, error) == NUCE_OK) {
        record = make_record(campaign, &point, follow, name, status, message, error);
        if (record != NULL && nuce_jsonl_create(path, &writer, error) == NUCE_OK) {
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
