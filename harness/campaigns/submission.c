/* Reading submissions back: the folder jobs/ is all that nuce remembers of what it gave to Slurm.
 *
 * Order: what a part lacks; names of files; a part, from its plan lines and the files beside them;
 * a submission, from its intent; all of them, from the folder; profiles. What the files are is said
 * in submission.h. A submission counts from the moment that its script is there, since sbatch may
 * have been called from then on; an intent without a script is a nuce that was killed before, and
 * is nothing but a number that is used up.
 *
 * Lines of a plan that do not fit the intent are an error and not skipped: a part whose points are
 * not known could be measured twice. */
#include "campaigns/submission.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/folder.h"
#include "base/jsonl.h"
#include "base/text.h"

/* The points and their good runs are those of the whole campaign: which of these the part gave, the
 * names of its record files tell (nuce_campaign_good_of_part). */
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

/* jobs/NNNN+ending or jobs/NNNN-K+ending. part -1: the file is one of the submission. A new
 * string. */
static char *job_file(const struct nuce_campaign *campaign, int number, int64_t part,
                      const char *ending)
{
    return part < 0 ? nuce_text_format("%s/jobs/%04d%s", campaign->path, number, ending)
                    : nuce_text_format("%s/jobs/%04d-%lld%s", campaign->path, number,
                                       (long long)part, ending);
}

/* Whether that file is there. Its content does not matter: these files are marks. */
static int job_file_exists(const struct nuce_campaign *campaign, int number, int64_t part,
                           const char *ending)
{
    char *path = job_file(campaign, number, part, ending);
    int exists = access(path, F_OK) == 0;

    free(path);
    return exists;
}

/* Reading a part. */

/* A part whose lines are being read; the capacities are of its two lists. */
struct part_reader {
    const struct nuce_campaign *campaign;
    const char *path;
    struct nuce_submission_part *part;
    int64_t capacity, wanted_capacity;
};

/* Called for each line of a part's plan. A line without "wanted" was written when each part had
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

/* Whether somebody holds the part's lock. Taking the lock and letting it go at once; who takes it
 * in that moment, a nuce-job, tries again (campaigns/nuce_job.c). A file that is not there, or that
 * we may not open, is not locked. */
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

/* Part k: its points, which must be as many as the intent says, and what the files beside it say of
 * its fate. A void part has no need of its lock. */
static nuce_status submission_read_part(const struct nuce_campaign *campaign, int number, int64_t k,
                                        const json_t *intent, struct nuce_submission_part *part,
                                        struct nuce_error *error)
{
    long long wanted = json_integer_value(json_object_get(intent, "points"));
    char *path = job_file(campaign, number, k, ".jsonl");
    struct part_reader reader = {.campaign = campaign, .path = path, .part = part};
    struct nuce_jsonl_counts counts;

    snprintf(part->name, sizeof part->name, "%04d-%lld", number, (long long)k);
    error->status = nuce_jsonl_read(path, take_point, &reader, &counts, error);
    if (error->status == NUCE_OK && part->count != wanted)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "%s: %lld whole lines: expected the %lld points of jobs/%04d.json", path,
                       (long long)part->count, wanted, number);
    free(path);
    part->is_void = job_file_exists(campaign, number, k, ".void");
    part->is_stopped = job_file_exists(campaign, number, k, ".stopped");
    part->is_locked = !part->is_void && is_locked(campaign, number, k);
    return error->status;
}

/* Reading a submission. */

/* Reads the submission of that number: what NNNN.json says, the job that was noted for it, and the
 * files beside it. Without a note, or with one that was cut off, its name finds the job. A file
 * that is no JSON is NUCE_BAD_INPUT with line and column. On failure *out has what was read so far.
 */
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
        /* Counted before it is read, so that submission_fini frees what a failure leaves of it. */
        struct nuce_submission_part *read = &out->parts[out->count];

        if (error->status != NUCE_OK)
            continue;
        out->count++;
        read->estimate_s = json_number_value(json_object_get(part, "estimate_s"));
        error->status = submission_read_part(campaign, number, (int64_t)k, part, read, error);
    }
    json_decref(intent);
    return error->status;
}

/* The folder gives its files in any order. */
static int submission_by_number(const void *a, const void *b)
{
    const struct nuce_submission *first = a, *second = b;

    return (first->number > second->number) - (first->number < second->number);
}

/* Files of jobs/ are called NNNN.ENDING or NNNN-K.ENDING; others are none of ours. */
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

/* The profile that `nuce submit` froze in campaign.json. */
static nuce_status campaign_profile(const struct nuce_campaign *campaign, struct nuce_profile *out,
                                    struct nuce_error *error)
{
    if (nuce_profile_from_json(json_object_get(campaign->description, "profile"), out, error) ==
        NUCE_OK)
        return NUCE_OK;
    return nuce_error_prefix(error, "%s/campaign.json: profile", campaign->path);
}

nuce_status nuce_submission_profile(const struct nuce_campaign *campaign,
                                    const struct nuce_submission *submission,
                                    struct nuce_profile *out, struct nuce_error *error)
{
    if (submission->profile == NULL)
        return campaign_profile(campaign, out, error);
    if (nuce_profile_from_json(submission->profile, out, error) == NUCE_OK)
        return NUCE_OK;
    return nuce_error_prefix(error, "%s/jobs/%04d.json: profile", campaign->path,
                             submission->number);
}

nuce_status nuce_submissions_profile(const struct nuce_campaign *campaign,
                                     const struct nuce_submissions *submissions,
                                     struct nuce_profile *out, struct nuce_error *error)
{
    if (submissions->count == 0)
        return campaign_profile(campaign, out, error);
    return nuce_submission_profile(campaign, &submissions->list[submissions->count - 1], out,
                                   error);
}
