/* Recomputing: the points of a plan once more by nuce-model, beside what the runs recorded.
 *
 * The kernels and nuce-model share the code that makes an instance, its pattern, a schedule, the
 * bounds and the prediction, so that equality says: what was run is what the plan in the bundle
 * says, on the files that the bundle holds, and this build finds the same of it. */
#include "bundle/recompute.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bundle/parts.h"
#include "bundle/remodel.h"
#include "launch/campaign.h"
#include "support/jsonl.h"
#include "support/result.h"
#include "support/text.h"

/* Reals are recorded in NUCE_JSONL_PRECISION = 12 figures, and sums may be in another order: 9
 * figures have to agree. */
#define REAL_TOLERANCE 1e-9

/* One campaign after the other. */
struct recomputing {
    struct nuce_bundle_report *report;
    struct nuce_bundle_recomputed *counts;
    struct nuce_remodel remodel;
    const char *entry; /* the record file that is read */
    char *reason;      /* why the first run that was skipped was; NULL: none was */
};

/* Whether both say the same. Reals may have been written as integers. 0 agrees with 0 alone. */
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
        at->remodel.campaign->name, at->entry, point, name, recorded != NULL ? recorded : "?",
        recomputed != NULL ? recomputed : "?");
    free(recorded);
    free(recomputed);
}

/* Compares what a run found with what the model does; the number of quantities that both have. What
 * a clock or a counter found is flagged as computation in the tables and passed over. */
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

static int by_seconds(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;

    return (one > other) - (one < other);
}

/* last_step_s, the mean of the middle half of the samples, from these: how many quantities that is.
 *
 * As kernels/measure/last_rank.c takes it: a quarter of the samples is dropped at each end. */
static int64_t compare_step(const struct recomputing *at, const json_t *record)
{
    const json_t *steps = json_object_get(json_object_get(record, "samples"), "step");
    const json_t *was = json_object_get(json_object_get(record, "found"), "last_step_s");
    size_t count = json_array_size(steps), first = count / 4, middle = count - 2 * first;
    double *seconds = count > 0 && was != NULL ? calloc(count, sizeof *seconds) : NULL, mean = 0;
    json_t *is;

    if (seconds == NULL)
        return 0;
    for (size_t i = 0; i < count; i++)
        seconds[i] = json_number_value(json_array_get(steps, i));
    qsort(seconds, count, sizeof *seconds, by_seconds);
    for (size_t i = first; i < first + middle; i++)
        mean += seconds[i] / (double)middle;
    free(seconds);
    is = json_real(mean);
    if (!recompute_agrees(was, is))
        tell_differing(at, json_string_value(json_object_get(record, "point")), "last_step_s", was,
                       is);
    json_decref(is);
    return 1;
}

/* Counts a run of which nothing can be compared, and keeps the first reason of the campaign. */
static void recompute_skip(struct recomputing *at, const json_t *recomputed)
{
    const char *message = json_string_value(json_object_get(recomputed, "message"));
    struct nuce_error ignored;

    at->counts->skipped++;
    if (at->reason == NULL)
        at->reason = nuce_text_format(&ignored, "campaigns/%s: %s", at->remodel.campaign->name,
                                      message != NULL ? message
                                      : recomputed == NULL
                                          ? "a file that its points name is not in the bundle"
                                          : "has no model");
}

/* Of one record: NULL, the line is none, is told by who reads the bundle. */
static nuce_status recompute_take(void *context, const char *file, json_t *record,
                                  struct nuce_error *error)
{
    struct recomputing *at = context;
    const struct nuce_campaign *campaign = at->remodel.campaign;
    int64_t point = record != NULL ? nuce_campaign_find_run(campaign, record) : -1;
    const char *status = json_string_value(json_object_get(record, "status"));
    const json_t *recomputed;
    int64_t compared;

    (void)error;
    if (point < 0 || strcmp(status, "ok") != 0)
        return NUCE_OK;
    at->entry = file;
    recomputed = nuce_remodel_of(&at->remodel, record);
    compared = compare_found(at, record, recomputed, campaign->points[point].workload->results);
    at->counts->quantities += compared + compare_step(at, record);
    at->counts->runs += compared > 0;
    if (compared == 0)
        recompute_skip(at, recomputed);
    return NUCE_OK;
}

/* What is wrong with the campaign is told as invalid; at->reason is the caller's to free. */
static nuce_status recompute_campaign(struct recomputing *at, const char *folder,
                                      const char *campaigns, const char *name,
                                      struct nuce_error *error)
{
    struct nuce_campaign campaign = {.lock = -1};
    nuce_status status = nuce_campaign_open(campaigns, name, NUCE_CAMPAIGN_READ, &campaign, error);

    at->remodel = (struct nuce_remodel){.campaign = NULL};
    at->reason = NULL;
    if (status == NUCE_OK)
        status = nuce_remodel_init(&campaign, folder, &at->remodel, error);
    if (status == NUCE_OK)
        status = nuce_remodel_read(&campaign, NULL, recompute_take, at, error);
    if (status == NUCE_BAD_INPUT) {
        nuce_bundle_tell(at->report, NUCE_BUNDLE_INVALID, "%s", nuce_error_flatten(error));
        status = NUCE_OK;
    }
    nuce_remodel_fini(&at->remodel);
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
