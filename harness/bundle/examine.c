#include "bundle/examine.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bundle/contents.h"
#include "support/hash.h"
#include "support/jsonl.h"
#include "support/memory.h"
#include "support/record.h"
#include "support/text.h"
#include "workloads/workload.h"

/* A text that occurs, and what is known of it. */
struct word {
    char *text, *meaning;
    const char *file; /* borrowed: where it was first */
    int64_t line;
};

struct words {
    struct word *list;
    int64_t count, capacity;
};

struct examination {
    const char *path, *name; /* the campaign's folder and name */
    const char *prefix;      /* for findings */
    struct nuce_bundle_counts *counts;
    struct nuce_findings *findings;
    char (*points)[NUCE_HASH_BYTES]; /* of the plan, ascending */
    int64_t count, capacity;
    struct words jobs;         /* name -> hash of what is said of it */
    struct words run_jobs;     /* that runs name */
    struct words environments; /* ids */
    const char *file;          /* the one that is read, below the campaign's folder */
};

static void words_fini(struct words *words)
{
    for (int64_t i = 0; i < words->count; i++) {
        free(words->list[i].text);
        free(words->list[i].meaning);
    }
    free(words->list);
}

/* The word of that text, added if it is new; NULL when out of memory. The newest are looked at
 * first: records of one job follow one another. */
static struct word *find_or_add(struct words *words, const char *text, struct nuce_error *error)
{
    void *list = words->list;

    for (int64_t i = words->count; i-- > 0;) {
        if (strcmp(words->list[i].text, text) == 0)
            return &words->list[i];
    }
    if (nuce_grow(&list, &words->capacity, words->count + 1, sizeof *words->list, error) != NUCE_OK)
        return NULL;
    words->list = list;
    words->list[words->count] = (struct word){.text = strdup(text)};
    if (words->list[words->count].text == NULL) {
        (void)nuce_error_set(error, NUCE_FAILED, "out of memory");
        return NULL;
    }
    return &words->list[words->count++];
}

static nuce_status note_in(struct examination *at, const char *file, int64_t line,
                           const char *problem, struct nuce_error *error)
{
    char *path = nuce_text_format(error, "%s/%s/%s", at->prefix, at->name, file);

    if (path == NULL)
        return error->status;
    error->status =
        nuce_findings_add(at->findings, NUCE_FINDING_INVALID, path, line, error, "%s", problem);
    free(path);
    return error->status;
}

static nuce_status note(struct examination *at, int64_t line, const char *problem,
                        struct nuce_error *error)
{
    return note_in(at, at->file, line, problem, error);
}

/* What a check of one line gave: bad input is a finding, all else ends the examination. */
static nuce_status settle(struct examination *at, int64_t line, nuce_status status,
                          struct nuce_error *error)
{
    char problem[NUCE_MESSAGE_BYTES];

    if (status != NUCE_BAD_INPUT)
        return status;
    (void)nuce_text_copy(problem, sizeof problem, error->message);
    return note(at, line, problem, error);
}

/* Reads at->file line by line. */
static nuce_status read_lines(struct examination *at,
                              nuce_status (*each)(void *, int64_t, const char *, size_t, json_t *,
                                                  struct nuce_error *),
                              struct nuce_error *error)
{
    struct nuce_jsonl_counts counts = {0, 0};
    char *path = nuce_text_format(error, "%s/%s", at->path, at->file);
    nuce_status status;

    if (path == NULL)
        return error->status;
    status = nuce_jsonl_read(path, each, at, &counts, error);
    if (status == NUCE_BAD_INPUT && strncmp(error->message, path, strlen(path)) == 0) {
        char problem[NUCE_MESSAGE_BYTES], *rest;
        long line = strtol(error->message + strlen(path) + 1, &rest, 10);

        (void)nuce_text_copy(problem, sizeof problem, rest + strspn(rest, ":0123456789 "));
        status = note(at, line, problem, error);
    } else if (status == NUCE_OK && counts.torn > 0) {
        status = note(at, counts.lines + 1, "torn: ends in the middle of a line", error);
    }
    free(path);
    return status;
}

/* The plan. */

static int is_hash(const char *text)
{
    return text != NULL && strlen(text) == NUCE_HASH_BYTES - 1 &&
           strspn(text, "0123456789abcdef") == NUCE_HASH_BYTES - 1;
}

/* Whether one of the point's parameters is a file by its path: the point's name is then a hash of
 * what was in the file, which is not here. Its records have that hash, and are held against it. */
static int names_file(const json_t *point)
{
    const char *name = json_string_value(json_object_get(point, "workload"));
    const struct nuce_workload_ops *workload = name != NULL ? nuce_workload_find(name) : NULL;
    const json_t *params = json_object_get(point, "params");

    if (workload == NULL)
        return 0;
    for (const struct nuce_option *row = workload->options; row->name != NULL; row++) {
        if (row->type == NUCE_OPTION_FILE && json_object_get(params, row->name) != NULL)
            return 1;
    }
    return 0;
}

static nuce_status take_point(void *context, int64_t line, const char *text, size_t length,
                              json_t *value, struct nuce_error *error)
{
    struct examination *at = context;
    const char *id = json_string_value(json_object_get(value, "point"));
    void *points = at->points;
    nuce_status status = nuce_record_check_point(value, error);

    (void)text;
    (void)length;
    if (status == NUCE_BAD_INPUT && is_hash(id) && names_file(value))
        status = NUCE_OK;
    if (status != NUCE_OK)
        return settle(at, line, status, error);
    if (nuce_grow(&points, &at->capacity, at->count + 1, sizeof *at->points, error) != NUCE_OK)
        return error->status;
    at->points = points;
    memcpy(at->points[at->count++], id, NUCE_HASH_BYTES);
    return NUCE_OK;
}

static int by_id(const void *a, const void *b)
{
    return strcmp(a, b);
}

static nuce_status examine_plan(struct examination *at, struct nuce_error *error)
{
    at->file = "plan.jsonl";
    if (read_lines(at, take_point, error) != NUCE_OK)
        return error->status;
    if (at->count > 0)
        qsort(at->points, (size_t)at->count, sizeof *at->points, by_id);
    for (int64_t i = 1; i < at->count; i++) {
        char problem[NUCE_HASH_BYTES + 32];

        if (strcmp(at->points[i - 1], at->points[i]) != 0)
            continue;
        (void)snprintf(problem, sizeof problem, "point %s is there twice", at->points[i]);
        if (note(at, 0, problem, error) != NUCE_OK)
            return error->status;
    }
    at->counts->points += at->count;
    return NUCE_OK;
}

/* What the campaign says of itself. */

static nuce_status examine_sweep(struct examination *at, const char *said, struct nuce_error *error)
{
    char *path = nuce_text_format(error, "%s/sweep.yaml", at->path);
    char hash[NUCE_HASH_BYTES];

    if (path == NULL)
        return error->status;
    error->status = nuce_hash_file(path, hash, error);
    free(path);
    if (error->status != NUCE_OK)
        return settle(at, 0, error->status, error);
    if (said == NULL || strcmp(said, hash) != 0)
        return note_in(at, "sweep.yaml", 0,
                       "its SHA-256 is not the 'sweep_sha256' of campaign.json", error);
    return NUCE_OK;
}

static nuce_status examine_description(struct examination *at, struct nuce_error *error)
{
    char *path = nuce_text_format(error, "%s/campaign.json", at->path);
    json_error_t problem;
    const char *name;
    json_t *facts;

    if (path == NULL)
        return error->status;
    at->file = "campaign.json";
    facts = json_load_file(path, JSON_REJECT_DUPLICATES, &problem);
    free(path);
    if (!json_is_object(facts)) {
        error->status =
            note(at, problem.line, facts == NULL ? problem.text : "not a JSON object", error);
        json_decref(facts);
        return error->status;
    }
    name = json_string_value(json_object_get(facts, "campaign"));
    error->status = NUCE_OK;
    if (name == NULL || strcmp(name, at->name) != 0)
        (void)note(at, 0, "'campaign' is not the name of its folder", error);
    if (error->status == NUCE_OK &&
        json_integer_value(json_object_get(facts, "points")) != at->count)
        (void)note(at, 0, "'points' is not how many points plan.jsonl has", error);
    if (error->status == NUCE_OK)
        (void)examine_sweep(at, json_string_value(json_object_get(facts, "sweep_sha256")), error);
    json_decref(facts);
    return error->status;
}

/* The records. */

static nuce_status check_name(const struct examination *at, const json_t *record,
                              struct nuce_error *error)
{
    const char *campaign = json_string_value(json_object_get(record, "campaign"));

    if (campaign != NULL && strcmp(campaign, at->name) == 0)
        return NUCE_OK;
    return nuce_error_set(error, NUCE_BAD_INPUT, "'campaign' is '%s'",
                          campaign != NULL ? campaign : "");
}

/* A job is described once, or more often in the same words: of two descriptions nobody could say
 * whose the runs are. */
static nuce_status take_job(struct examination *at, const json_t *record, struct nuce_error *error)
{
    char *described = NULL, *facts = NULL, hash[NUCE_HASH_BYTES];
    const char *environment = json_string_value(json_object_get(record, "environment"));
    char *said = NULL;
    struct word *job = NULL;
    int64_t jobs = at->jobs.count;
    nuce_status status = check_name(at, record, error);

    if (status == NUCE_OK)
        status = nuce_record_check_job(record, &described, &facts, error);
    if (status == NUCE_OK) {
        said = nuce_text_format(error, "%s%s", environment, facts);
        status = said != NULL ? nuce_hash(said, strlen(said), hash, error) : error->status;
    }
    if (status == NUCE_OK) {
        job = find_or_add(&at->jobs, json_string_value(json_object_get(record, "job")), error);
        if (job == NULL || find_or_add(&at->environments, environment, error) == NULL)
            status = error->status;
        else if (job->meaning == NULL)
            job->meaning = strdup(hash);
        else if (strcmp(job->meaning, hash) != 0)
            status = nuce_error_set(error, NUCE_BAD_INPUT,
                                    "job '%s' is described twice, and differently", job->text);
    }
    at->counts->jobs += at->jobs.count - jobs;
    free(said);
    free(described);
    free(facts);
    return status;
}

/* A sample of the step is the longest of its ranks' times, where those were kept. */
static nuce_status check_longest(const json_t *record, struct nuce_error *error)
{
    const json_t *steps = json_object_get(json_object_get(record, "samples"), "step");
    const json_t *ranks, *seconds;
    size_t number, rank;

    json_array_foreach(json_object_get(record, "per_rank"), number, ranks)
    {
        double step = json_number_value(json_array_get(steps, number)), longest = 0;

        json_array_foreach(ranks, rank, seconds)
        {
            longest = fmax(longest, json_number_value(seconds));
        }
        if (fabs(longest - step) > 1e-9 * step)
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "run record: sample %zu of 'step' is %.9g s, the longest of its "
                                  "ranks %.9g s",
                                  number, step, longest);
    }
    return NUCE_OK;
}

static nuce_status check_run(const struct examination *at, const json_t *record,
                             struct nuce_error *error)
{
    const char *id = json_string_value(json_object_get(record, "point"));

    if (nuce_record_check_run(record, error) != NUCE_OK || check_name(at, record, error) != NUCE_OK)
        return error->status;
    if (nuce_record_check_point(record, error) != NUCE_OK ||
        check_longest(record, error) != NUCE_OK)
        return error->status;
    if (at->count == 0 ||
        bsearch(id, at->points, (size_t)at->count, sizeof *at->points, by_id) == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "point %s is not in plan.jsonl", id);
    return NUCE_OK;
}

static nuce_status take_run(struct examination *at, int64_t line, const json_t *record,
                            struct nuce_error *error)
{
    nuce_status status = check_run(at, record, error);
    struct word *job;

    if (status != NUCE_OK)
        return status;
    at->counts->runs++;
    at->counts->ok += strcmp(json_string_value(json_object_get(record, "status")), "ok") == 0;
    job = find_or_add(&at->run_jobs, json_string_value(json_object_get(record, "job")), error);
    if (job == NULL)
        return error->status;
    if (job->file == NULL) {
        job->file = at->file;
        job->line = line;
    }
    return NUCE_OK;
}

static nuce_status take_record(void *context, int64_t line, const char *text, size_t length,
                               json_t *record, struct nuce_error *error)
{
    struct examination *at = context;
    const char *kind = json_string_value(json_object_get(record, "record"));
    nuce_status status = NUCE_OK;

    (void)text;
    (void)length;
    if (kind == NULL)
        status = nuce_error_set(error, NUCE_BAD_INPUT, "not a record: no 'record'");
    else if (json_integer_value(json_object_get(record, "version")) != NUCE_RECORD_VERSION)
        status = nuce_error_set(error, NUCE_BAD_INPUT, "'version' is not %d", NUCE_RECORD_VERSION);
    else if (strcmp(kind, "run") == 0)
        status = take_run(at, line, record, error);
    else if (strcmp(kind, "job") == 0)
        status = take_job(at, record, error);
    else if (strcmp(kind, "begin") != 0)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "unknown record '%s', expected job, begin or run", kind);
    return settle(at, line, status, error);
}

/* Every job that runs name must be described: else nobody knows where they ran. */
static nuce_status examine_jobs(struct examination *at, struct nuce_error *error)
{
    for (int64_t i = 0; i < at->run_jobs.count; i++) {
        const struct word *job = &at->run_jobs.list[i];
        int found = 0;
        char problem[NUCE_MESSAGE_BYTES];

        for (int64_t j = 0; !found && j < at->jobs.count; j++)
            found = strcmp(at->jobs.list[j].text, job->text) == 0;
        if (found)
            continue;
        (void)snprintf(problem, sizeof problem, "no record describes job '%.200s'", job->text);
        if (note_in(at, job->file, job->line, problem, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

static nuce_status examine_records(struct examination *at, const struct nuce_folder_list *files,
                                   struct nuce_error *error)
{
    for (int64_t i = 0; i < files->count; i++) {
        if (strncmp(files->entries[i].path, "records/", strlen("records/")) != 0)
            continue;
        at->file = files->entries[i].path;
        at->counts->record_files++;
        if (read_lines(at, take_record, error) != NUCE_OK)
            return error->status;
    }
    return examine_jobs(at, error);
}

nuce_status nuce_examine(const char *folder, const char *name, const char *prefix,
                         struct nuce_bundle_counts *counts, struct nuce_findings *findings,
                         struct nuce_error *error)
{
    struct examination at = {
        .name = name, .prefix = prefix, .counts = counts, .findings = findings};
    char *path = nuce_text_format(error, "%s/%s", folder, name);
    struct nuce_folder_list files = {0};
    nuce_status status;

    if (path == NULL)
        return error->status;
    at.path = path;
    at.file = "campaign.json";
    counts->campaigns++;
    status = nuce_contents_read(path, &files, error);
    if (status == NUCE_BAD_INPUT)
        status = settle(&at, 0, status, error);
    else if (status == NUCE_OK && examine_plan(&at, error) == NUCE_OK &&
             examine_description(&at, error) == NUCE_OK)
        status = examine_records(&at, &files, error);
    else
        status = error->status;
    counts->environments += at.environments.count;
    nuce_folder_list_fini(&files);
    words_fini(&at.jobs);
    words_fini(&at.run_jobs);
    words_fini(&at.environments);
    free(at.points);
    free(path);
    return status;
}
