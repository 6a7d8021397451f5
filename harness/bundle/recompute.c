/* Recomputing: the points of a plan once more by nuce-model, beside what the runs recorded.
 *
 * The kernels and nuce-model share the code that makes an instance, its pattern, a schedule, the
 * bounds and the prediction, so that equality says: what was run is what the plan in the bundle
 * says, on the files that the bundle holds, and this build finds the same of it. */
#include "bundle/recompute.h"

#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bundle/parts.h"
#include "launch/campaign.h"
#include "launch/command.h"
#include "launch/inputs.h"
#include "launch/points_file.h"
#include "launch/words.h"
#include "support/allocate.h"
#include "support/jsonl.h"
#include "support/record.h"
#include "support/result.h"
#include "support/text.h"

/* More than any plan of the papers takes; a plan that takes longer is told, not waited for. */
#define MODEL_LIMIT_S 3600

/* Reals are recorded in NUCE_JSONL_PRECISION = 12 figures, by sums that may be in another order. */
#define REAL_TOLERANCE 1e-9

struct recomputing {
    struct nuce_bundle_report *report;
    struct nuce_bundle_recomputed *counts;
    struct nuce_campaign *campaign;
    const char *entry;  /* the record file that is read */
    json_t *recomputed; /* point -> its record by the model */
    char *reason;       /* why the first run that was skipped was; NULL: none was */
};

/* Whether both say the same. Reals may have been written as integers. */
static int recompute_agrees(const json_t *was, const json_t *is)
{
    double a = json_number_value(was), b = json_number_value(is);

    if (!json_is_number(was) || !json_is_number(is))
        return json_equal(was, is);
    return fabs(a - b) <= REAL_TOLERANCE * fmax(fabs(a), fabs(b));
}

/* "phases is 4, was recorded as 3" */
static void tell_differing(const struct recomputing *at, const char *point, const char *name,
                           const json_t *was, const json_t *is)
{
    size_t flags = JSON_ENCODE_ANY | JSON_REAL_PRECISION(NUCE_JSONL_PRECISION);
    char *recorded = json_dumps(was, flags), *recomputed = json_dumps(is, flags);

    nuce_bundle_tell(
        at->report, NUCE_BUNDLE_INVALID,
        "campaigns/%s/records/%s: point %.12s: %s was recorded as %s, recomputed it is "
        "%s",
        at->campaign->name, at->entry, point, name, recorded != NULL ? recorded : "?",
        recomputed != NULL ? recomputed : "?");
    free(recorded);
    free(recomputed);
}

/* Compares what a run found with what the model does; the number of quantities that both have. */
static int64_t compare_found(const struct recomputing *at, const json_t *record,
                             const json_t *recomputed, const struct nuce_result *const *tables)
{
    const char *point = json_string_value(json_object_get(record, "point")), *name;
    json_t *found = json_object_get(recomputed, "found"), *was;
    int64_t compared = 0;

    json_object_foreach(json_object_get(record, "found"), name, was)
    {
        const struct nuce_result *row = nuce_result_find(tables, name);
        const json_t *is = json_object_get(found, name);

        if (is == NULL || row == NULL || (row->flags & NUCE_RESULT_COMPUTATION))
            continue;
        compared++;
        if (!recompute_agrees(was, is))
            tell_differing(at, point, name, was, is);
    }
    return compared;
}

static void recompute_skip(struct recomputing *at, const json_t *recomputed)
{
    const char *message = json_string_value(json_object_get(recomputed, "message"));
    struct nuce_error ignored;

    at->counts->skipped++;
    if (at->reason == NULL)
        at->reason = nuce_text_format(&ignored, "campaigns/%s: %s", at->campaign->name,
                                      message != NULL ? message
                                      : recomputed == NULL
                                          ? "a file that its points name is not in the bundle"
                                          : "has no model");
}

static nuce_status recompute_take(void *context, int64_t line, const char *text, size_t length,
                                  json_t *record, struct nuce_error *error)
{
    struct recomputing *at = context;
    int64_t point = record != NULL ? nuce_campaign_find_run(at->campaign, record) : -1;
    const char *status = json_string_value(json_object_get(record, "status"));
    const json_t *recomputed;
    int64_t compared;

    (void)line;
    (void)text;
    (void)length;
    (void)error;
    if (point < 0 || strcmp(status, "ok") != 0)
        return NUCE_OK;
    recomputed = json_object_get(at->recomputed, at->campaign->points[point].id);
    compared = compare_found(at, record, recomputed, at->campaign->points[point].workload->results);
    at->counts->quantities += compared;
    at->counts->runs += compared > 0;
    if (compared == 0)
        recompute_skip(at, recomputed);
    return NUCE_OK;
}

static nuce_status compare_records(struct recomputing *at, struct nuce_error *error)
{
    char *folder = nuce_text_format(error, "%s/records", at->campaign->path);
    struct dirent **entries = NULL;
    int count = folder != NULL ? scandir(folder, &entries, NULL, alphasort) : -1;
    nuce_status status = folder != NULL ? NUCE_OK : error->status;

    for (int i = 0; i < count; i++) {
        struct nuce_jsonl_counts lines;
        char *path;

        at->entry = entries[i]->d_name;
        path = nuce_campaign_file(at->campaign, "records", at->entry, "", error);
        if (path == NULL)
            status = error->status;
        else if (status == NUCE_OK && nuce_campaign_is_record_file(at->entry))
            status = nuce_jsonl_read_sealed(path, nuce_record_read_brief, recompute_take, at,
                                            &lines, error);
        free(path);
        free(entries[i]);
    }
    free(entries);
    free(folder);
    return status;
}

/* A line of the model's records. */
static nuce_status take_recomputed(void *context, int64_t line, const char *text, size_t length,
                                   json_t *record, struct nuce_error *error)
{
    const char *kind = json_string_value(json_object_get(record, "record"));
    const char *point = json_string_value(json_object_get(record, "point"));

    (void)line;
    (void)text;
    (void)length;
    if (kind != NULL && point != NULL && strcmp(kind, "run") == 0 &&
        json_object_set(context, point, record) != 0)
        return nuce_error_set(error, NUCE_FAILED, "out of memory for recomputed points");
    return NUCE_OK;
}

static nuce_status run_model(const struct nuce_campaign *campaign, const char *points,
                             const char *records, struct nuce_error *error)
{
    static const char *const none[] = {NULL};
    const char *rest[] = {"--points", points, "--records", records, "--campaign", campaign->name};
    const struct nuce_words words = {.ops = &nuce_launcher_model,
                                     .command = none,
                                     .workload = campaign->points[0].workload,
                                     .ranks = 1,
                                     .rest = rest,
                                     .rest_count = sizeof rest / sizeof *rest};
    struct nuce_command_reply reply = {0};
    json_t *argv = NULL;
    char *complaint;

    if (nuce_words_make(&words, &argv, error) != NUCE_OK)
        return error->status;
    error->status = nuce_command_run(argv, MODEL_LIMIT_S, &reply, error);
    json_decref(argv);
    if (error->status == NUCE_OK && !nuce_command_succeeded(&reply)) {
        int is_bad = WIFEXITED(reply.status) &&
                     WEXITSTATUS(reply.status) == nuce_error_exit_status(NUCE_BAD_INPUT);

        complaint = nuce_command_complaint("nuce-model", &reply);
        (void)nuce_error_set(error, is_bad ? NUCE_BAD_INPUT : NUCE_FAILED, "campaigns/%s: %s",
                             campaign->name, complaint != NULL ? complaint : "nuce-model failed");
        free(complaint);
    }
    nuce_command_reply_fini(&reply);
    return error->status;
}

/* Whether all files that the point names are in the bundle. */
static int has_files(const struct recomputing *at, const struct nuce_campaign_point *point)
{
    const char *name;
    json_t *value;
    int has_all = 1;

    json_object_foreach(json_object_get(point->line, "params"), name, value)
    {
        const char *path = json_string_value(value);
        int is_input = path != NULL && nuce_inputs_is_name(path);
        char *full;
        struct nuce_error ignored;

        if (path == NULL || (!is_input && path[0] != '/'))
            continue;
        full = is_input ? nuce_text_format(&ignored, "%s/%s", at->campaign->path, path) : NULL;
        has_all = has_all && full != NULL && access(full, R_OK) == 0;
        free(full);
    }
    return has_all;
}

/* The points of the plan that can be recomputed: *count indices in a new array, NULL with *error.
 */
static int64_t *points_with_files(const struct recomputing *at, int64_t *count,
                                  struct nuce_error *error)
{
    int64_t *points = nuce_allocate(at->campaign->count + 1, sizeof *points, error);

    *count = 0;
    for (int64_t i = 0; points != NULL && i < at->campaign->count; i++) {
        if (has_files(at, &at->campaign->points[i]))
            points[(*count)++] = i;
    }
    return points;
}

/* The points of the plan by the model, into at->recomputed. NUCE_BAD_INPUT: a point, or a file that
 * it names, is not what the plan says. */
static nuce_status recompute_points(struct recomputing *at, const char *folder,
                                    struct nuce_error *error)
{
    char *points = nuce_text_format(error, "%s/%s.points", folder, at->campaign->name);
    char *records = nuce_text_format(error, "%s/%s.recomputed", folder, at->campaign->name);
    int64_t count = 0, *with_files = points_with_files(at, &count, error);
    struct nuce_jsonl_counts lines;

    error->status = with_files != NULL ? NUCE_OK : error->status;
    if (points != NULL && records != NULL && count > 0 &&
        nuce_points_file_write(at->campaign, with_files, count, folder, strrchr(points, '/') + 1,
                               error) == NUCE_OK &&
        run_model(at->campaign, points, records, error) == NUCE_OK)
        error->status =
            nuce_jsonl_read_sealed(records, NULL, take_recomputed, at->recomputed, &lines, error);
    free(with_files);
    free(points);
    free(records);
    return error->status;
}

static nuce_status recompute_campaign(struct recomputing *at, const char *folder,
                                      const char *campaigns, const char *name,
                                      struct nuce_error *error)
{
    struct nuce_campaign campaign = {.lock = -1};
    nuce_status status = nuce_campaign_open(campaigns, name, NUCE_CAMPAIGN_READ, &campaign, error);

    at->campaign = &campaign;
    at->reason = NULL;
    at->recomputed = json_object();
    if (status == NUCE_OK)
        status = recompute_points(at, folder, error);
    if (status == NUCE_OK)
        status = compare_records(at, error);
    if (status == NUCE_BAD_INPUT) {
        nuce_bundle_tell(at->report, NUCE_BUNDLE_INVALID, "%s", nuce_error_flatten(error));
        status = NUCE_OK;
    }
    json_decref(at->recomputed);
    nuce_campaign_fini(&campaign);
    return status;
}

nuce_status nuce_bundle_recompute(const struct nuce_bundle *bundle,
                                  struct nuce_bundle_report *report,
                                  void (*why)(void *context, const char *reason), void *context,
                                  struct nuce_bundle_recomputed *out, struct nuce_error *error)
{
    struct recomputing at = {.report = report, .counts = out};
    char *campaigns =
        nuce_text_format(error, "%s/" NUCE_BUNDLE_FOLDER "/campaigns", bundle->scratch.path);
    char name[NUCE_BUNDLE_NAME_BYTES];
    nuce_status status = campaigns != NULL ? NUCE_OK : error->status;
    int64_t next = 0;

    *out = (struct nuce_bundle_recomputed){0};
    while (status == NUCE_OK && nuce_bundle_next_campaign(&bundle->files, &next, name)) {
        status = recompute_campaign(&at, bundle->scratch.path, campaigns, name, error);
        if (status == NUCE_OK && at.reason != NULL)
            why(context, at.reason);
        free(at.reason);
    }
    free(campaigns);
    return status;
}
