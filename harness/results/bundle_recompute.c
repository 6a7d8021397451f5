/* Recomputes the points of a plan by nuce-model, and compares them with the records of the runs.
 *
 * * The kernels and nuce-model share the code for an instance, its pattern, a schedule, the bounds
 * and the prediction. Equality therefore shows two facts: the runs follow the plan and the files in
 * the bundle, and this build computes the same values. The program is started, as for a modelled
 * campaign, and not called as a function: a bundle may hold any content, and a failure of the
 * program is only reported.
 *
 * * Order: group good runs by the findings of their launch that the plan lacks: a measured network
 * with its hosts, or weights (runs_sql, on the database of the check). For each group nuce-model
 * computes the points (model), and their runs are compared. */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/jsonl.h"
#include "base/result.h"
#include "base/safe_file.h"
#include "base/text.h"
#include "campaigns/campaign.h"
#include "campaigns/inputs.h"
#include "campaigns/process.h"
#include "campaigns/start.h"
#include "campaigns/words.h"
#include "db/store.h"
#include "points/stencil_instance.h"
#include "results/bundle_parts.h"
#include "results/grid_read.h"
#include "schedules/words.h"

/* Reals are recorded in NUCE_JSONL_PRECISION = 12 figures, and sums may be in another order: 9
 * figures must agree. */
#define REAL_TOLERANCE 1e-9

/* Longer than any plan of the papers takes; a plan beyond it is reported and stopped. */
#define MODEL_LIMIT_S 3600

/* One campaign of the bundle. */
struct recomputing {
    struct nuce_bundle_report *report;
    struct nuce_bundle_recomputed *counts;
    const struct nuce_campaign *campaign;
    const char *scratch;
    struct nuce_grid runs; /* of runs_sql */
    json_t *modelled;      /* id of a point -> the model's record */
    char *reason;          /* reason for the first skipped run; NULL: none was skipped */
};

/* The good runs of a campaign, those of one launch together. "launch" holds the launch's findings
 * that parameters leave open, NULL if a record lacks them. Hosts are by rank. */
static const char runs_sql[] =
    "SELECT point, file, metrics, iif((taken IS NOT NULL AND hosts IS NOT NULL) >= is_network"
    "  AND (weights IS NOT NULL) >= is_weights,"
    "  json_object('network', iif(is_network, taken, NULL),"
    "   'hosts', json(iif(is_network, hosts, 'null')),"
    "   'weights', iif(is_weights, weights, NULL)), NULL) AS launch"
    " FROM (SELECT r.point, substr(r.file, instr(r.file, '/') + 1) AS file, r.metrics, r.started,"
    "  json_extract(p.params, '$.network') IS '" NUCE_NETWORK_MEASURED "' AS is_network,"
    "  json_extract(p.params, '$.weights') IS '" NUCE_WEIGHTS_MEASURED "' AS is_weights,"
    "  json_extract(r.metrics, '$.network_taken') AS taken,"
    "  json_extract(r.metrics, '$.weights_taken') AS weights,"
    "  json_extract(j.facts, '$.hosts') AS hosts"
    "  FROM run AS r JOIN point AS p ON p.id = r.point"
    "  JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job"
    "  WHERE r.campaign = %Q AND r.status = 'ok') ORDER BY launch, file, started, point";

#define NO_FILE "a file that its points name is not in the bundle"

/* Counts a run without anything to compare, and keeps the first reason of the campaign. */
static void recompute_skip(struct recomputing *at, const char *reason)
{
    at->counts->skipped++;
    if (at->reason == NULL)
        at->reason = nuce_text_format("campaigns/%s: %s", at->campaign->name, reason);
}

/* Handles a line of the model's records. */
static nuce_status take_modelled(void *context, int64_t line, const char *text, size_t length,
                                 json_t *record, struct nuce_error *error)
{
    struct recomputing *at = context;
    const char *kind = json_string_value(json_object_get(record, "record"));
    const char *point = json_string_value(json_object_get(record, "point"));

    (void)line;
    (void)text;
    (void)length;
    (void)error;
    if (kind != NULL && point != NULL && strcmp(kind, "run") == 0)
        json_object_set(at->modelled, point, record);
    return NUCE_OK;
}

/* True if all files that the point names are in the campaign's folder. A file with an absolute path
 * is not in the bundle, even if it exists here, and so counts as missing. Words such as the names
 * of shipped meshes are no files of the bundle. */
static int has_files(const struct nuce_campaign *campaign, const struct nuce_campaign_point *point)
{
    const char *name;
    json_t *value;
    int has_all = 1;

    json_object_foreach(json_object_get(point->line, "params"), name, value)
    {
        const char *path = json_string_value(value);
        char *full;

        if (path == NULL || (!nuce_inputs_is_name(path) && path[0] != '/'))
            continue;
        full = nuce_text_format("%s/%s", campaign->path, path);
        has_all = has_all && path[0] != '/' && access(full, R_OK) == 0;
        free(full);
    }
    return has_all;
}

/* Starts nuce-model as for a modelled campaign, with its own plan and record file. rest: its
 * options. NUCE_BAD_INPUT if the program refuses the points, which are the bundle's. */
static nuce_status run_model(const struct nuce_campaign *campaign, const char *const *rest,
                             size_t rest_count, struct nuce_error *error)
{
    static const char *const none[] = {NULL};
    const struct nuce_words words = {.ops = &nuce_launcher_model,
                                     .command = none,
                                     .workload = campaign->points[0].workload,
                                     .ranks = 1,
                                     .rest = rest,
                                     .rest_count = rest_count};
    struct nuce_process_reply reply = {0};
    json_t *argv = NULL;

    if (nuce_words_make(&words, &argv, error) != NUCE_OK)
        return error->status;
    error->status = nuce_process_run(argv, MODEL_LIMIT_S, &reply, error);
    json_decref(argv);
    if (error->status == NUCE_OK && !nuce_process_succeeded(&reply)) {
        int is_bad = WIFEXITED(reply.status) &&
                     WEXITSTATUS(reply.status) == nuce_error_exit_status(NUCE_BAD_INPUT);
        char *complaint = nuce_process_complaint("nuce-model", &reply);

        nuce_error_set(error, is_bad ? NUCE_BAD_INPUT : NUCE_FAILED, "campaigns/%s: %s",
                       campaign->name, complaint);
        free(complaint);
    }
    nuce_process_reply_fini(&reply);
    return error->status;
}

/* nuce-model computes the points of the runs first .. end - 1, which belong to one launch, into
 * at->modelled. Skips points whose files are missing. A network that the launch found is a copy in
 * the campaign's folder. The hosts of the ranks select its links. */
static nuce_status model(struct recomputing *at, const json_t *launch, int64_t first, int64_t end,
                         struct nuce_error *error)
{
    const struct nuce_campaign *campaign = at->campaign;
    const char *taken = json_string_value(json_object_get(launch, "network"));
    const char *weights = json_string_value(json_object_get(launch, "weights"));
    char *hosts = json_dumps(json_object_get(launch, "hosts"), JSON_COMPACT);
    char *copy = taken != NULL ? nuce_inputs_name_of_taken(taken) : NULL;
    char *hosts_file = nuce_text_format("%s/hosts.json", at->scratch);
    char *points_file = nuce_text_format("%s/recompute.points", at->scratch);
    char *records_file = nuce_text_format("%s/recomputed", at->scratch);
    char *networks = copy != NULL ? nuce_text_format("%s/%.*s", campaign->path,
                                                     (int)(strrchr(copy, '/') - copy), copy)
                                  : NULL;
    const char *rest[] = {"--points",
                          points_file,
                          "--records",
                          records_file,
                          "--campaign",
                          campaign->name,
                          networks != NULL ? "--hosts" : NULL,
                          networks != NULL ? hosts_file : NULL,
                          networks != NULL ? "--networks" : NULL,
                          networks,
                          weights != NULL ? "--weights" : NULL,
                          weights};
    int64_t *points = nuce_allocate(end - first, sizeof *points), count = 0;
    struct nuce_jsonl_counts lines;
    json_t *seen = json_object();

    for (int64_t i = first; i < end; i++) {
        const char *id = nuce_grid_text(&at->runs, i, "point");
        int64_t point = nuce_campaign_find(campaign, id);

        if (point >= 0 && json_object_get(seen, id) == NULL &&
            (taken == NULL || (networks != NULL && access(networks, F_OK) == 0)) &&
            has_files(campaign, &campaign->points[point]))
            points[count++] = point;
        json_object_set_new(seen, id, json_true());
    }
    error->status = NUCE_OK;
    unlink(records_file);
    if (networks != NULL && hosts != NULL)
        error->status = nuce_safe_write(at->scratch, "hosts.json", hosts, strlen(hosts), error);
    if (count > 0 && error->status == NUCE_OK &&
        nuce_start_write_points(campaign, points, count, points_file, error) == NUCE_OK &&
        run_model(campaign, rest, sizeof rest / sizeof *rest, error) == NUCE_OK)
        error->status =
            nuce_jsonl_read_sealed(records_file, NULL, take_modelled, at, &lines, error);
    json_decref(seen);
    free(points);
    free(networks);
    free(records_file);
    free(points_file);
    free(hosts_file);
    free(copy);
    free(hosts);
    return error->status;
}

/* True if both are equal. Reals may have been written as integers. 0 agrees only with 0. */
static int recompute_agrees(const json_t *was, const json_t *is)
{
    double a = json_number_value(was), b = json_number_value(is);

    if (!json_is_number(was) || !json_is_number(is))
        return json_equal(was, is);
    return fabs(a - b) <= REAL_TOLERANCE * fmax(fabs(a), fabs(b));
}

/* Compares the results of a run with those of the model, if both have them. Skips results of clocks
 * and counters, which the tables flag as computation. */
static void compare_run(struct recomputing *at, int64_t run)
{
    const size_t flags = JSON_ENCODE_ANY | JSON_REAL_PRECISION(NUCE_JSONL_PRECISION);
    const char *id = nuce_grid_text(&at->runs, run, "point"), *name;
    int64_t point = nuce_campaign_find(at->campaign, id), compared = 0;
    json_t *found = json_loads(nuce_grid_text(&at->runs, run, "metrics"), 0, NULL), *was;
    json_t *recomputed = json_object_get(at->modelled, id);
    const char *message = json_string_value(json_object_get(recomputed, "message"));

    json_object_foreach(recomputed != NULL ? found : NULL, name, was)
    {
        const struct nuce_result *row =
            nuce_result_find(at->campaign->points[point].workload->results, name);
        const json_t *is = json_object_get(json_object_get(recomputed, "metrics"), name);

        if (is == NULL || row == NULL || (row->flags & NUCE_RESULT_COMPUTATION))
            continue;
        compared++;
        if (!recompute_agrees(was, is)) {
            char *recorded = json_dumps(was, flags), *now = json_dumps(is, flags);

            nuce_bundle_tell(
                at->report, NUCE_BUNDLE_INVALID,
                "campaigns/%s/records/%s: point %.12s: %s was recorded as %s, recomputed it is "
                "%s",
                at->campaign->name, nuce_grid_text(&at->runs, run, "file"), id, name,
                recorded != NULL ? recorded : "?", now != NULL ? now : "?");
            free(recorded);
            free(now);
        }
    }
    json_decref(found);
    at->counts->quantities += compared;
    at->counts->runs += compared > 0;
    if (compared == 0 && point >= 0)
        recompute_skip(at, message != NULL      ? message
                           : recomputed == NULL ? NO_FILE
                                                : "has no model");
}

/* Launch by launch. Skips runs whose record lacks the launch's findings, because the model cannot
 * compute them. */
static nuce_status recompute_campaign(struct recomputing *at, struct nuce_store *store,
                                      struct nuce_error *error)
{
    int column;

    if (nuce_grid_query(store, &at->runs, error, runs_sql, at->campaign->name) != NUCE_OK)
        return error->status;
    column = nuce_grid_column(&at->runs, "launch");
    for (int64_t first = 0, end; error->status == NUCE_OK && first < at->runs.rows; first = end) {
        json_t *launch = json_loads(nuce_grid_text(&at->runs, first, "launch"), 0, NULL);

        for (end = first + 1;
             end < at->runs.rows && nuce_grid_is_same(&at->runs, column, end, first);)
            end++;
        if (launch != NULL)
            error->status = model(at, launch, first, end, error);
        for (int64_t i = first; error->status == NUCE_OK && i < end; i++)
            compare_run(at, i);
        json_object_clear(at->modelled);
        json_decref(launch);
    }
    return error->status;
}

nuce_status nuce_bundle_recompute(const struct nuce_bundle *bundle,
                                  struct nuce_bundle_report *report,
                                  void (*why)(void *context, const char *reason), void *context,
                                  struct nuce_bundle_recomputed *out, struct nuce_error *error)
{
    char *campaigns = nuce_text_format("%s/" NUCE_BUNDLE_FOLDER "/campaigns", bundle->scratch.path);
    char *database = nuce_text_format("%s/" NUCE_BUNDLE_DATABASE, bundle->scratch.path);
    struct nuce_store store = {.lock = -1};
    nuce_status status = nuce_store_open_reading(database, &store, error);
    const char *name;
    json_t *files;

    *out = (struct nuce_bundle_recomputed){0};
    json_object_foreach(bundle->files, name, files)
    {
        struct nuce_campaign campaign = {.lock = -1};
        struct recomputing at = {.report = report,
                                 .counts = out,
                                 .campaign = &campaign,
                                 .scratch = bundle->scratch.path,
                                 .modelled = json_object()};

        if (status == NUCE_OK)
            status = nuce_campaign_open(campaigns, name, NUCE_CAMPAIGN_READ, &campaign, error);
        if (status == NUCE_OK)
            status = recompute_campaign(&at, &store, error);
        if (status == NUCE_BAD_INPUT) {
            nuce_bundle_tell(report, NUCE_BUNDLE_INVALID, "%s", nuce_error_flatten(error));
            status = NUCE_OK;
        }
        if (status == NUCE_OK && at.reason != NULL)
            why(context, at.reason);
        free(at.reason);
        json_decref(at.modelled);
        nuce_grid_fini(&at.runs);
        nuce_campaign_fini(&campaign);
    }
    nuce_store_close(&store);
    free(database);
    free(campaigns);
    return status;
}
