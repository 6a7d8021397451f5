/* Writing a submission: parts, intent, script, in this order.
 *
 * A crash at any point leaves something that is understood: before the script nothing was
 * submitted; with it sbatch may have been called, and the name in the intent finds the job. Each
 * file is written aside and renamed (nuce_safe_write), so none is half there. No file of a
 * submission is ever written again; `programs` is, with each submission: the folder of the nuce
 * that submitted last. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/jsonl.h"
#include "base/record.h"
#include "base/safe_file.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/script_parts.h"
#include "campaigns/submission.h"
#include "campaigns/submit.h"

/* A name must not be guessed from the campaign's: two campaigns of one name in two folders would
 * find each other's jobs. 32 random bits and the number tell them apart. */
nuce_status nuce_submission_name(const struct nuce_campaign *campaign, int number,
                                 char name[NUCE_JOB_NAME_BYTES], struct nuce_error *error)
{
    uint32_t token = 0;

    if (getrandom(&token, sizeof token, 0) != (ssize_t)sizeof token)
        return nuce_error_set(error, NUCE_FAILED, "no random number for the name of a job: %s",
                              strerror(errno));
    snprintf(name, NUCE_JOB_NAME_BYTES, "nuce-%s-%04d-%08x", campaign->name, number,
             (unsigned)token);
    return NUCE_OK;
}

/* Writes text to jobs/NAME. jobs/ is made where it is not there yet. */
static nuce_status submission_write_file(const struct nuce_campaign *campaign, const char *name,
                                         const char *text, struct nuce_error *error)
{
    char *folder = nuce_text_format("%s/jobs", campaign->path);

    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        nuce_error_set(error, NUCE_FAILED, "%s: %s", folder, strerror(errno));
    else
        error->status = nuce_safe_write(folder, name, text, strlen(text), error);
    free(folder);
    return error->status;
}

/* jobs/NNNN-K.jsonl: of each point its line of the plan and how many good runs it is to have
 * there. */
static nuce_status write_part(const struct nuce_campaign *campaign, int number, int64_t k,
                              const struct nuce_packing_part *part, struct nuce_error *error)
{
    char name[NUCE_PART_BYTES];
    struct nuce_text_print lines;
    nuce_status status = nuce_text_print_begin(&lines, error);

    for (int64_t i = 0; status == NUCE_OK && i < part->count; i++) {
        const struct nuce_campaign_point *point = &campaign->points[part->points[i]];
        json_t *line = nuce_campaign_part_line(point, part->launches[i]);

        if (line == NULL || !nuce_jsonl_print(line, lines.file))
            status = nuce_error_set(error, NUCE_FAILED, "out of memory for a list of points");
        json_decref(line);
    }
    status = nuce_text_print_end(&lines, status, error);
    snprintf(name, sizeof name, "%04d-%lld.jsonl", number, (long long)k);
    if (status == NUCE_OK)
        status = submission_write_file(campaign, name, lines.text, error);
    free(lines.text);
    return status;
}

/* What SLURM_HOSTFILE names and the ranks check. A copy: the user's file may change before the job
 * starts. */
static nuce_status write_hosts(const struct nuce_campaign *campaign, int number,
                               const struct nuce_profile *profile, int ranks,
                               struct nuce_error *error)
{
    json_t *hosts = nuce_script_rank_hosts(profile->hosts, ranks, error), *host;
    struct nuce_text_print lines = {0};
    nuce_status status = hosts == NULL ? error->status : nuce_text_print_begin(&lines, error);
    char name[NUCE_PART_BYTES];
    size_t i;

    json_array_foreach(hosts, i, host)
    {
        if (status == NUCE_OK)
            fprintf(lines.file, "%s\n", json_string_value(host));
    }
    json_decref(hosts);
    status = nuce_text_print_end(&lines, status, error);
    snprintf(name, sizeof name, "%04d.hosts", number);
    if (status == NUCE_OK)
        status = submission_write_file(campaign, name, lines.text, error);
    free(lines.text);
    return status;
}

/* jobs/NNNN.json. What nuce-job reads of it stands in campaigns/nuce_job.c; argv and profile are
 * there for who looks for what was submitted, and for `resume`. By points and estimate of each part
 * its file is checked when it is read. */
static nuce_status write_intent(const struct nuce_campaign *campaign,
                                const struct nuce_script_input *input, const char *programs,
                                json_t *argv, struct nuce_error *error)
{
    const struct nuce_pack *pack = input->pack;
    const struct nuce_profile *profile = input->profile;
    json_t *frozen = nuce_profile_to_json(profile, error), *launcher, *parts, *intent;
    char now[NUCE_TIME_BYTES], name[NUCE_PART_BYTES], *text;

    if (frozen == NULL)
        return error->status;
    launcher = nuce_script_launcher(profile, pack, error);
    if (launcher == NULL) {
        json_decref(frozen);
        return error->status;
    }
    parts = json_array();
    for (int64_t k = 0; k < pack->count; k++)
        json_array_append_new(parts,
                              json_pack("{s:I, s:f}", "points", (json_int_t)pack->parts[k].count,
                                        "estimate_s", pack->parts[k].estimate_s));
    intent = json_pack(
        "{s:i, s:s, s:s, s:s, s:i, s:i, s:I, s:s, s:o, s:O?, s:O, s:O, s:O, s:s?, s:O, s:o, s:o}",
        "number", input->number, "name", input->name, "created", nuce_record_time_now(now),
        "workload", pack->workload->name, "ranks", pack->ranks, "nodes", pack->nodes, "time_s",
        (json_int_t)pack->time_s, "programs", programs, "launcher", launcher, "set", profile->set,
        "modules", profile->modules, "prologue", profile->prologue, "describe", profile->describe,
        "via", profile->via, "argv", argv, "profile", frozen, "parts", parts);
    if (intent == NULL)
        return nuce_error_set(error, NUCE_FAILED, "jobs/%04d.json: a text that is not valid UTF-8",
                              input->number);
    text = json_dumps(intent, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_REAL_PRECISION(6));
    snprintf(name, sizeof name, "%04d.json", input->number);
    error->status = submission_write_file(campaign, name, text, error);
    free(text);
    json_decref(intent);
    return error->status;
}

/* All files of a submission. The script comes last: it is what says that sbatch may have been
 * called. */
static nuce_status write_files(const struct nuce_campaign *campaign,
                               const struct nuce_script_input *input, json_t *argv,
                               struct nuce_error *error)
{
    char *programs = nuce_submit_programs(input->profile, error), *line, *text;
    char name[NUCE_PART_BYTES];

    if (programs == NULL)
        return error->status;
    error->status = NUCE_OK;
    for (int64_t k = 0; k < input->pack->count && error->status == NUCE_OK; k++)
        error->status = write_part(campaign, input->number, k, &input->pack->parts[k], error);
    if (error->status == NUCE_OK && input->profile->hosts != NULL)
        error->status =
            write_hosts(campaign, input->number, input->profile, input->pack->ranks, error);
    if (error->status == NUCE_OK)
        error->status = write_intent(campaign, input, programs, argv, error);
    text = error->status == NUCE_OK ? nuce_script_text(input, error) : NULL;
    if (text != NULL) {
        snprintf(name, sizeof name, "%04d.sh", input->number);
        line = nuce_text_format("%s\n", programs);
        error->status = submission_write_file(campaign, "programs", line, error);
        if (error->status == NUCE_OK)
            error->status = submission_write_file(campaign, name, text, error);
        free(line);
    }
    free(text);
    free(programs);
    return error->status;
}

/* The script names the campaign by its full path: a job may start in another folder. What was
 * written is not read again, as a campaign of thousands of parts would read its own files for
 * nothing: what reading it back would give is added here. */
nuce_status nuce_submission_write(const struct nuce_campaign *campaign,
                                  const struct nuce_pack *pack, const struct nuce_profile *profile,
                                  struct nuce_submissions *submissions, json_t **argv,
                                  struct nuce_error *error)
{
    struct nuce_submission made = {
        .number = submissions->next, .ranks = pack->ranks, .nodes = pack->nodes};
    char *path = realpath(campaign->path, NULL);
    struct nuce_script_input input = {.campaign = path,
                                      .name = made.name,
                                      .number = made.number,
                                      .pack = pack,
                                      .profile = profile};
    json_t *line = NULL;

    if (path == NULL)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", campaign->path, strerror(errno));
    if (made.number > NUCE_SUBMISSIONS_MOST)
        nuce_error_set(error, NUCE_FAILED, "%s/jobs: more than %d submissions", path,
                       NUCE_SUBMISSIONS_MOST);
    else if (nuce_submission_name(campaign, made.number, made.name, error) == NUCE_OK)
        line = nuce_script_argv(&input, error);
    if (line != NULL)
        error->status = write_files(campaign, &input, line, error);
    free(path);
    if (line == NULL || error->status != NUCE_OK) {
        json_decref(line);
        return error->status;
    }
    made.parts = nuce_allocate(pack->count, sizeof *made.parts);
    for (; made.count < pack->count; made.count++) {
        const struct nuce_packing_part *part = &pack->parts[made.count];
        struct nuce_submission_part *own = &made.parts[made.count];

        snprintf(own->name, sizeof own->name, "%04d-%lld", made.number, (long long)made.count);
        own->estimate_s = part->estimate_s;
        own->points = nuce_allocate(part->count, sizeof *own->points);
        own->wanted = nuce_allocate(part->count, sizeof *own->wanted);
        memcpy(own->points, part->points, (size_t)part->count * sizeof *own->points);
        memcpy(own->wanted, part->launches, (size_t)part->count * sizeof *own->wanted);
        for (; own->count < part->count; own->count++)
            own->runs += part->launches[own->count];
    }
    nuce_allocate_more((void **)&submissions->list, &submissions->capacity, submissions->count + 1,
                       sizeof made);
    submissions->list[submissions->count++] = made;
    submissions->next = made.number + 1;
    *argv = line;
    return NUCE_OK;
}

nuce_status nuce_submission_note_job(const struct nuce_campaign *campaign,
                                     struct nuce_submission *submission, int64_t job,
                                     struct nuce_error *error)
{
    char name[NUCE_PART_BYTES], text[32];

    snprintf(name, sizeof name, "%04d.id", submission->number);
    snprintf(text, sizeof text, "%lld\n", (long long)job);
    if (submission_write_file(campaign, name, text, error) != NUCE_OK)
        return error->status;
    submission->job = job;
    return NUCE_OK;
}

/* The mark is written while the part's lock is held, and nuce-job looks for it when it has that
 * lock: so either it finds the mark, or its lock keeps the mark from being written. A file system
 * without locks has no such guarantee. */
nuce_status nuce_submission_void(const struct nuce_campaign *campaign,
                                 struct nuce_submission *submission, int64_t part,
                                 struct nuce_error *error)
{
    char *path = nuce_text_format("%s/jobs/%04d-%lld.lock", campaign->path, submission->number,
                                  (long long)part);
    char name[NUCE_PART_BYTES];
    int lock;

    lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    error->status = NUCE_OK;
    if (lock < 0) {
        nuce_error_set(error, NUCE_FAILED, "%s: %s", path, strerror(errno));
    } else if (flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        submission->parts[part].is_locked = 1;
    } else {
        snprintf(name, sizeof name, "%04d-%lld.void", submission->number, (long long)part);
        error->status = submission_write_file(campaign, name, "", error);
        submission->parts[part].is_void = error->status == NUCE_OK;
    }
    if (lock >= 0)
        close(lock);
    free(path);
    return error->status;
}
