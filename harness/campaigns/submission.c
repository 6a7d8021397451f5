/* Reads submissions back: the folder jobs/ is nuce's only memory of its submissions to Slurm.
 *
 * Order: the missing runs of a part; names of files; a part, from its plan lines and its files; a
 * submission, from its intent; all of them, from the folder; profiles. submission.h describes the
 * files. A submission counts once its script exists, because sbatch may have been called from then
 * on. An intent without a script comes from a nuce that was killed earlier; it only uses up a
 * number.
 *
 * Lines of a plan that do not fit the intent are an error and not skipped: points of an unknown
 * part could be measured twice. */
#include "campaigns/submission.h"

#include <ctype.h>
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
#include "base/folder.h"
#include "base/jsonl.h"
#include "base/record.h"
#include "base/safe_file.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/script.h"

/* The points and their good runs are those of the whole campaign. The names of record files show
 * which of these runs the part made (nuce_campaign_good_of_part). */
int64_t nuce_submission_part_lacks(const struct nuce_campaign *campaign,
                                   const struct nuce_submission_part *part, int64_t i)
{
    const struct nuce_campaign_point *point = &campaign->points[part->points[i]];
    int64_t lacks = part->wanted[i] - nuce_campaign_good_of_part(point, part->name);
    int64_t all = nuce_campaign_lacks(point);

    lacks = lacks < all ? lacks : all;
    return lacks > 0 ? lacks : 0;
}

int64_t nuce_submission_part_left(const struct nuce_campaign *campaign,
                                  const struct nuce_submission_part *part)
{
    int64_t left = 0;

    for (int64_t i = 0; i < part->count; i++)
        left += nuce_submission_part_lacks(campaign, part, i) > 0;
    return left;
}

static void submission_fini(struct nuce_submission *submission)
{
    for (int64_t k = 0; k < submission->count; k++) {
        free(submission->parts[k].points);
        free(submission->parts[k].wanted);
    }
    free(submission->parts);
    json_decref(submission->profile);
}

void nuce_submissions_fini(struct nuce_submissions *submissions)
{
    for (int64_t i = 0; i < submissions->count; i++)
        submission_fini(&submissions->list[i]);
    free(submissions->list);
    *submissions = (struct nuce_submissions){0};
}

/* jobs/NNNN+ending or jobs/NNNN-K+ending. part -1: a file of the submission as a whole. A new
 * string. */
static char *job_file(const struct nuce_campaign *campaign, int number, int64_t part,
                      const char *ending)
{
    return part < 0 ? nuce_text_format("%s/jobs/%04d%s", campaign->path, number, ending)
                    : nuce_text_format("%s/jobs/%04d-%lld%s", campaign->path, number,
                                       (long long)part, ending);
}

/* Returns nonzero if that file exists. These files are marks: their content does not matter. */
static int job_file_exists(const struct nuce_campaign *campaign, int number, int64_t part,
                           const char *ending)
{
    char *path = job_file(campaign, number, part, ending);
    int exists = access(path, F_OK) == 0;

    free(path);
    return exists;
}

/* Reading a part. */

/* The state of reading a part's lines; the capacities are those of its two lists. */
struct part_reader {
    const struct nuce_campaign *campaign;
    const char *path;
    struct nuce_submission_part *part;
    int64_t capacity, wanted_capacity;
};

/* Called for each line of a part's plan. A line without "wanted" dates from when each part had
 * every point once. */
static nuce_status take_point(void *context, int64_t line, const char *text, size_t length,
                              json_t *value, struct nuce_error *error)
{
    struct part_reader *reader = context;
    const char *id = json_string_value(json_object_get(value, "point"));
    int64_t point = id != NULL ? nuce_campaign_find(reader->campaign, id) : -1;
    const json_t *wanted = json_object_get(value, "wanted");

    (void)text;
    (void)length;
    if (point < 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s:%lld:1: not a point of this campaign",
                              reader->path, (long long)line);
    nuce_allocate_more((void **)&reader->part->points, &reader->capacity, reader->part->count + 1,
                       sizeof *reader->part->points);
    nuce_allocate_more((void **)&reader->part->wanted, &reader->wanted_capacity,
                       reader->part->count + 1, sizeof *reader->part->wanted);
    reader->part->wanted[reader->part->count] = wanted != NULL ? json_integer_value(wanted) : 1;
    reader->part->runs += reader->part->wanted[reader->part->count];
    reader->part->points[reader->part->count++] = point;
    return NUCE_OK;
}

/* Returns nonzero if another process holds the part's lock. Takes the lock and releases it at once;
 * a nuce-job that wants it at that moment tries again (campaigns/nuce_job.c). A file that is
 * missing, or that we may not open, is not locked. */
static int is_locked(const struct nuce_campaign *campaign, int number, int64_t part)
{
    char *path = job_file(campaign, number, part, ".lock");
    int descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    int locked =
        descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;

    if (descriptor >= 0)
        close(descriptor);
    free(path);
    return locked;
}

/* Reading a submission. */

/* Reads the submission with that number: NNNN.json, the noted id of its job, and of each part its
 * points, whose number must match the intent, and the files that show its fate. A void part needs
 * no lock. Without a note, or with a truncated one, the job is found by its name. A file that is no
 * JSON is NUCE_BAD_INPUT with line and column. On failure *out holds what was read so far. */
static nuce_status read_submission(const struct nuce_campaign *campaign, int number,
                                   struct nuce_submission *out, struct nuce_error *error)
{
    char *path = job_file(campaign, number, -1, ".json"), *id_path;
    json_error_t problem;
    json_t *intent = json_load_file(path, JSON_REJECT_DUPLICATES, &problem);
    const char *name = json_string_value(json_object_get(intent, "name"));
    json_t *parts = json_object_get(intent, "parts"), *part;
    long long id = 0;
    FILE *file;
    size_t k;

    *out = (struct nuce_submission){.number = number};
    error->status = NUCE_OK;
    if (intent == NULL)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s:%d:%d: %s", path,
                       problem.line > 0 ? problem.line : 1, problem.column > 0 ? problem.column : 1,
                       problem.text);
    else if (name == NULL || !nuce_text_copy(out->name, sizeof out->name, name) ||
             json_array_size(parts) == 0)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s:1:1: not the intent of a submission", path);
    free(path);
    if (error->status != NUCE_OK) {
        json_decref(intent);
        return error->status;
    }
    id_path = job_file(campaign, number, -1, ".id");
    file = fopen(id_path, "re");
    if (file != NULL && (fscanf(file, "%lld", &id) != 1 || id < 0))
        id = 0;
    if (file != NULL)
        fclose(file);
    free(id_path);
    out->job = id;
    out->ranks = (int)json_integer_value(json_object_get(intent, "ranks"));
    out->nodes = (int)json_integer_value(json_object_get(intent, "nodes"));
    out->profile = json_incref(json_object_get(intent, "profile"));
    out->parts = nuce_allocate((int64_t)json_array_size(parts), sizeof *out->parts);
    json_array_foreach(parts, k, part)
    {
        /* Counted before it is read, so that submission_fini frees its members after a failure. */
        struct nuce_submission_part *read = &out->parts[out->count];
        long long wanted = json_integer_value(json_object_get(part, "points"));
        struct part_reader reader = {.campaign = campaign, .part = read};
        struct nuce_jsonl_counts counts;
        char *lines;

        if (error->status != NUCE_OK)
            continue;
        out->count++;
        read->estimate_s = json_number_value(json_object_get(part, "estimate_s"));
        snprintf(read->name, sizeof read->name, "%04d-%zu", number, k);
        reader.path = lines = job_file(campaign, number, (int64_t)k, ".jsonl");
        error->status = nuce_jsonl_read(lines, take_point, &reader, &counts, error);
        if (error->status == NUCE_OK && read->count != wanted)
            nuce_error_set(error, NUCE_BAD_INPUT,
                           "%s: %lld whole lines: expected the %lld points of jobs/%04d.json",
                           lines, (long long)read->count, wanted, number);
        free(lines);
        read->is_void = job_file_exists(campaign, number, (int64_t)k, ".void");
        read->is_stopped = job_file_exists(campaign, number, (int64_t)k, ".stopped");
        read->is_locked = !read->is_void && is_locked(campaign, number, (int64_t)k);
    }
    json_decref(intent);
    return error->status;
}

/* The folder lists its files in any order. */
static int submission_by_number(const void *a, const void *b)
{
    const struct nuce_submission *first = a, *second = b;

    return (first->number > second->number) - (first->number < second->number);
}

/* Files of jobs/ are named NNNN.ENDING or NNNN-K.ENDING; others are ignored. */
nuce_status nuce_submissions_read(const struct nuce_campaign *campaign,
                                  struct nuce_submissions *out, struct nuce_error *error)
{
    struct nuce_submissions all = {.next = 1};
    struct nuce_folder jobs;

    error->status = nuce_folder_read(&jobs, error, "%s/jobs", campaign->path);
    for (int i = 0; i < jobs.count && error->status == NUCE_OK; i++) {
        const char *name = jobs.entries[i]->d_name;
        struct nuce_submission read;
        char *end, intent[32];
        long number = isdigit((unsigned char)*name) ? strtol(name, &end, 10) : 0;

        if (number < 1 || number > NUCE_SUBMISSIONS_MOST || (*end != '.' && *end != '-'))
            continue;
        if (number >= all.next)
            all.next = (int)number + 1;
        snprintf(intent, sizeof intent, "%04ld.json", number);
        if (strcmp(name, intent) != 0 || !job_file_exists(campaign, (int)number, -1, ".sh"))
            continue;
        if (read_submission(campaign, (int)number, &read, error) != NUCE_OK) {
            submission_fini(&read);
            continue;
        }
        nuce_allocate_more((void **)&all.list, &all.capacity, all.count + 1, sizeof *all.list);
        all.list[all.count++] = read;
    }
    nuce_folder_fini(&jobs);
    if (error->status != NUCE_OK) {
        nuce_submissions_fini(&all);
        return error->status;
    }
    if (all.count > 0)
        qsort(all.list, (size_t)all.count, sizeof *all.list, submission_by_number);
    *out = all;
    return NUCE_OK;
}

int nuce_submission_is_requeued(const struct nuce_campaign *campaign,
                                const struct nuce_submission *submission)
{
    const json_t *profile = submission->profile != NULL
                                ? submission->profile
                                : json_object_get(campaign->description, "profile");

    return json_is_true(json_object_get(profile, "requeue"));
}

/* The profile of the newest submission, or else the one that `nuce submit` froze in
 * campaign.json. */
nuce_status nuce_submissions_profile(const struct nuce_campaign *campaign,
                                     const struct nuce_submissions *submissions,
                                     struct nuce_profile *out, struct nuce_error *error)
{
    const struct nuce_submission *last =
        submissions->count > 0 ? &submissions->list[submissions->count - 1] : NULL;
    int is_own = last != NULL && last->profile != NULL;
    const json_t *profile =
        is_own ? last->profile : json_object_get(campaign->description, "profile");

    if (nuce_profile_from_json(profile, out, error) == NUCE_OK)
        return NUCE_OK;
    if (is_own)
        return nuce_error_prefix(error, "%s/jobs/%04d.json: profile", campaign->path, last->number);
    return nuce_error_prefix(error, "%s/campaign.json: profile", campaign->path);
}

/* Writes a submission: parts, intent, script, in this order.
 *
 * A crash at any moment leaves a state that nuce understands. Before the script nothing was
 * submitted. With it sbatch may have been called, and the name in the intent finds the job. Each
 * file is written under another name and renamed (nuce_safe_write), so none is incomplete. No file
 * of a submission is written twice. `programs` is rewritten with each submission: it holds the
 * folder of the nuce that submitted last. */

/* A name must not follow from the campaign's alone: two campaigns of one name in two folders would
 * find each other's jobs. 32 random bits and the number distinguish them. */
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

/* Writes text to jobs/NAME; makes jobs/ if necessary. */
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

/* jobs/NNNN-K.jsonl: for each point its line of the plan and the number of its good runs wanted
 * there. */
static nuce_status write_part(const struct nuce_campaign *campaign, int number, int64_t k,
                              const struct nuce_packing_part *part, struct nuce_error *error)
{
    char name[NUCE_PART_BYTES];
    struct nuce_text_print lines;

    nuce_text_print_begin(&lines);
    for (int64_t i = 0; i < part->count; i++) {
        const struct nuce_campaign_point *point = &campaign->points[part->points[i]];
        json_t *line = nuce_campaign_part_line(point, part->launches[i]);

        nuce_jsonl_print(line, lines.file);
        json_decref(line);
    }
    nuce_text_print_end(&lines);
    snprintf(name, sizeof name, "%04d-%lld.jsonl", number, (long long)k);
    submission_write_file(campaign, name, lines.text, error);
    free(lines.text);
    return error->status;
}

/* The file that SLURM_HOSTFILE names and the ranks check. It is a copy, because the user's file may
 * change before the job starts. */
static nuce_status write_hosts(const struct nuce_campaign *campaign, int number,
                               const struct nuce_profile *profile, int ranks,
                               struct nuce_error *error)
{
    json_t *hosts = nuce_script_rank_hosts(profile->hosts, ranks, error), *host;
    char name[NUCE_PART_BYTES], *lines = NULL;
    size_t i;

    if (hosts == NULL)
        return error->status;
    json_array_foreach(hosts, i, host)
    {
        nuce_text_append(&lines, "%s\n", json_string_value(host));
    }
    json_decref(hosts);
    snprintf(name, sizeof name, "%04d.hosts", number);
    error->status = submission_write_file(campaign, name, lines, error);
    free(lines);
    return error->status;
}

/* jobs/NNNN.json. campaigns/nuce_job.c has the members that nuce-job reads. argv and profile are
 * for people who check the submission, and for `resume`. Points and estimate of each part serve to
 * check its file when it is read. */
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

/* Writes all files of a submission. The script comes last, because it shows that sbatch may have
 * been called. */
static nuce_status write_files(const struct nuce_campaign *campaign,
                               const struct nuce_script_input *input, json_t *argv,
                               struct nuce_error *error)
{
    char *programs = nuce_script_programs(input->profile, error), *line, *text;
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

/* The script names the campaign by its full path: a job may start in another folder. */
nuce_status nuce_submission_write(const struct nuce_campaign *campaign,
                                  const struct nuce_pack *pack, const struct nuce_profile *profile,
                                  struct nuce_submissions *submissions, json_t **argv,
                                  struct nuce_error *error)
{
    struct nuce_submission made = {.number = submissions->next};
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
    if (read_submission(campaign, made.number, &made, error) != NUCE_OK) {
        submission_fini(&made);
        json_decref(line);
        return error->status;
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

/* The mark is written while this process holds the part's lock. nuce-job looks for the mark while
 * it holds the lock. So either it finds the mark, or its lock prevents the mark. A file system
 * without locks has no such guarantee. */
nuce_status nuce_submission_void(const struct nuce_campaign *campaign,
                                 struct nuce_submission *submission, int64_t part, const char *why,
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
        error->status = submission_write_file(campaign, name, why, error);
        submission->parts[part].is_void = error->status == NUCE_OK;
    }
    if (lock >= 0)
        close(lock);
    free(path);
    return error->status;
}
