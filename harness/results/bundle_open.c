/* Opens a bundle: unpacks it, then checks it. Also moves its campaigns to the folder of campaigns.
 *
 * A bundle is intact if two lists of checksums are equal. It is valid if collect accepts it: the
 * campaigns are collected into a temporary database, so that no rule about records is written
 * twice. Queries on that database then check what no single line shows. */
#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/printable.h"
#include "base/safe_file.h"
#include "base/text.h"
#include "campaigns/campaign.h"
#include "db/collect.h"
#include "db/store.h"
#include "results/bundle_parts.h"

void nuce_bundle_tell(struct nuce_bundle_report *report, const char *kind, const char *format, ...)
{
    char text[NUCE_MESSAGE_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    nuce_printable_make(text);
    *(strcmp(kind, NUCE_BUNDLE_ALTERED) == 0 ? &report->altered : &report->invalid) += 1;
    report->tell(report->context, kind, text);
}

/* Intact. */

/* report: receives each difference. */
struct comparing {
    struct nuce_bundle_report *report;
    int was_damaged; /* missing files are not reported one by one */
};

static void tell_altered(void *context, const char *path, const char *was, const char *is)
{
    const struct comparing *at = context;

    if (was != NULL && is != NULL)
        nuce_bundle_tell(at->report, NUCE_BUNDLE_ALTERED, "%s: SHA-256 is %s, was %s", path, is,
                         was);
    else if (was == NULL)
        nuce_bundle_tell(at->report, NUCE_BUNDLE_ALTERED, "%s: extra: not in " NUCE_BUNDLE_SUMS,
                         path);
    else if (!at->was_damaged)
        nuce_bundle_tell(at->report, NUCE_BUNDLE_ALTERED, "%s: missing", path);
}

/* Without readable checksums there is nothing to compare the files with. All defects are reported;
 * *error is for failures of the check itself. */
static nuce_status check_intact(struct nuce_bundle *bundle, json_t *unpacked,
                                struct nuce_bundle_report *report, struct nuce_error *error)
{
    struct comparing at = {report, report->altered > 0};
    char *sums =
        nuce_text_format("%s/" NUCE_BUNDLE_FOLDER "/" NUCE_BUNDLE_SUMS, bundle->scratch.path);
    nuce_status status = NUCE_OK;
    struct stat there;

    if (lstat(sums, &there) == 0)
        status = nuce_bundle_add_sums(bundle->files, sums, error);
    free(sums);
    if (status == NUCE_BAD_INPUT)
        nuce_bundle_tell(report, NUCE_BUNDLE_ALTERED, "%s", nuce_error_flatten(error));
    else if (status == NUCE_OK && json_object_size(bundle->files) == 0)
        nuce_bundle_tell(report, NUCE_BUNDLE_ALTERED, NUCE_BUNDLE_SUMS ": missing");
    else if (status == NUCE_OK)
        nuce_bundle_compare(bundle->files, unpacked, tell_altered, &at);
    return status == NUCE_BAD_INPUT ? NUCE_OK : status;
}

/* Valid. */

/* An intact bundle during the check of its validity. */
struct validating {
    struct nuce_bundle *bundle;
    struct nuce_bundle_report *report;
    char *campaigns; /* folder of its campaigns, in the scratch folder */
    struct nuce_store store;
};

/* Messages of collect and of campaigns begin with the path of a file in at->campaigns, which users
 * do not know. In the bundle that folder is `campaigns`. */
static void tell_invalid(void *context, const char *message)
{
    struct validating *at = context;
    size_t length = strlen(at->campaigns);
    int is_path = strncmp(message, at->campaigns, length) == 0;

    nuce_bundle_tell(at->report, NUCE_BUNDLE_INVALID, "%s%s", is_path ? "campaigns" : "",
                     message + (is_path ? length : 0));
}

/* Reports bad input, the fault of the bundle; any other status ends the check. */
static nuce_status bundle_tell_invalid(struct validating *at, nuce_status status,
                                       struct nuce_error *error)
{
    if (status != NUCE_BAD_INPUT)
        return status;
    tell_invalid(at, nuce_error_flatten(error));
    return NUCE_OK;
}

/* Opening a campaign reads its description and its plan; its folders exist even when they are
 * empty. Records use the name in campaign.json. It must be that of the folder, or they would be
 * collected as two campaigns. */
static nuce_status check_campaign(struct validating *at, const char *name, struct nuce_error *error)
{
    static const char *const folders[] = {"records", "launches", "logs"};
    struct nuce_campaign campaign = {.lock = -1};
    const char *said;
    nuce_status status;

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *path = nuce_text_format("%s/%s/%s", at->campaigns, name, folders[i]);
        int is_there = (mkdir(path, 0777) == 0 || errno == EEXIST);

        if (!is_there)
            nuce_error_set(error, NUCE_FAILED, "%s: %s", path, strerror(errno));
        free(path);
        if (!is_there)
            return error->status;
    }
    status = nuce_campaign_open(at->campaigns, name, NUCE_CAMPAIGN_READ, &campaign, error);
    said = json_string_value(json_object_get(campaign.description, "campaign"));
    if (status == NUCE_OK && (said == NULL || strcmp(said, name) != 0))
        nuce_bundle_tell(at->report, NUCE_BUNDLE_INVALID,
                         "campaigns/%s/campaign.json: 'campaign' is not the name of its folder",
                         name);
    at->bundle->campaigns++;
    at->bundle->points += campaign.count;
    nuce_campaign_fini(&campaign);
    return bundle_tell_invalid(at, status, error);
}

/* Finds content that collect accepts silently. Each row is a problem; ?1 is the list of files. The
 * database names a record file CAMPAIGN/FILE. A run whose job has no record would have an unknown
 * environment. The folder of an input's copy is named by the beginning of its SHA-256
 * (campaigns/inputs.h): other content is not what the points ran on. */
static const char *const problem_queries[] = {
    "SELECT DISTINCT replace(file, '/', '/records/') || ': a run of campaign '''"
    " || campaign || '''' FROM run"
    " WHERE campaign <> substr(file, 1, instr(file, '/') - 1)",
    "SELECT DISTINCT replace(file, '/', '/records/') || ': no record describes"
    " job ''' || job.id || '''' FROM run"
    " JOIN job ON job.id = run.job AND job.campaign = run.campaign"
    " WHERE job.facts IS NULL",
    "SELECT c.key || '/' || f.key || ': not the file that points were run on: its SHA-256 begins"
    " with ' || substr(f.value, 1, 16) FROM json_each(?1) AS c, json_each(c.value) AS f"
    " WHERE f.key LIKE 'inputs/%' AND f.value NOT LIKE substr(f.key, 8,"
    " instr(substr(f.key, 8), '/') - 1) || '%'",
    "SELECT DISTINCT c.key || '/" NUCE_PLATFORM_FILE ": not the machine that runs were simulated"
    " on: its SHA-256 begins with ' || substr(f.value, 1, 16)"
    " FROM json_each(?1) AS c, json_each(c.value) AS f JOIN job ON job.campaign = c.key"
    " JOIN environment AS e ON e.id = job.environment WHERE f.key = '" NUCE_PLATFORM_FILE "'"
    " AND json_extract(e.described, '$.cluster.platform_sha256') <> f.value",
};

/* Collects all campaigns into the database of the check; each of collect's reports means
 * invalid. */
static nuce_status collect_all(struct validating *at, struct nuce_error *error)
{
    struct nuce_collect collect = {
        .store = &at->store, .campaigns = at->campaigns, .report = tell_invalid, .context = at};
    nuce_status status = bundle_tell_invalid(at, nuce_collect(&collect, NULL, error), error);
    char *files = json_dumps(at->bundle->files, JSON_COMPACT);

    at->bundle->record_files = collect.counts.files;
    at->bundle->runs = collect.counts.added;
    for (size_t i = 0; status == NUCE_OK && i < sizeof problem_queries / sizeof *problem_queries;
         i++) {
        sqlite3_stmt *row = NULL;

        status = nuce_store_prepare(&at->store, problem_queries[i], &row, error);
        if (status != NUCE_OK)
            break;
        sqlite3_bind_text(row, 1, files, -1, SQLITE_STATIC);
        while (sqlite3_step(row) == SQLITE_ROW)
            nuce_bundle_tell(at->report, NUCE_BUNDLE_INVALID, "campaigns/%s",
                             (const char *)sqlite3_column_text(row, 0));
        if (sqlite3_finalize(row) != SQLITE_OK)
            status = nuce_store_fail(&at->store, error);
    }
    free(files);
    return status;
}

/* The database stays in the scratch folder and is removed with it: results/bundle_recompute.c
 * queries it. */
static nuce_status check_valid(struct nuce_bundle *bundle, struct nuce_bundle_report *report,
                               struct nuce_error *error)
{
    struct validating at = {.bundle = bundle, .report = report, .store = {.lock = -1}};
    char *database = nuce_text_format("%s/" NUCE_BUNDLE_DATABASE, bundle->scratch.path);
    nuce_status status;
    const char *name;
    json_t *files;

    at.campaigns = nuce_text_format("%s/" NUCE_BUNDLE_FOLDER "/campaigns", bundle->scratch.path);
    status = nuce_store_open_writing(database, &at.store, error);
    json_object_foreach(bundle->files, name, files)
    {
        if (status == NUCE_OK)
            status = check_campaign(&at, name, error);
    }
    if (status == NUCE_OK)
        status = collect_all(&at, error);
    if (status == NUCE_OK)
        status = nuce_store_commit(&at.store, error);
    nuce_store_close(&at.store);
    free(at.campaigns);
    free(database);
    return status;
}

nuce_status nuce_bundle_open(const char *path, const char *parent,
                             const struct nuce_bundle_limits *limits, struct nuce_bundle *out,
                             struct nuce_bundle_report *report, struct nuce_error *error)
{
    struct nuce_bundle bundle = {.files = NULL};
    json_t *unpacked;
    struct stat there;
    nuce_status status;

    if (stat(path, &there) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    if (S_ISDIR(there.st_mode))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: a folder, expected an archive; 'sha256sum -c " NUCE_BUNDLE_SUMS
                              "' checks what it unpacks to",
                              path);
    bundle.files = json_object();
    unpacked = json_object();
    status = nuce_bundle_scratch_make(parent, &bundle.scratch, error);
    if (status == NUCE_OK)
        status = nuce_bundle_unpack(path, bundle.scratch.path, limits, unpacked, report, error);
    if (status == NUCE_OK)
        status = check_intact(&bundle, unpacked, report, error);
    if (status == NUCE_OK && report->altered == 0)
        status = check_valid(&bundle, report, error);
    json_decref(unpacked);
    if (status == NUCE_OK)
        *out = bundle;
    else
        nuce_bundle_close(&bundle);
    return status;
}

void nuce_bundle_close(struct nuce_bundle *bundle)
{
    json_decref(bundle->files);
    bundle->files = NULL;
    nuce_bundle_scratch_remove(&bundle->scratch);
}

void nuce_bundle_print_problem(void *context, const char *kind, const char *problem)
{
    fprintf(context, "%s: %s\n", kind, problem);
}

void nuce_bundle_print_counts(const struct nuce_bundle *bundle, FILE *file)
{
    fprintf(file, "%lld campaign%s, %lld point%s, %lld run%s in %lld record file%s",
            (long long)bundle->campaigns, nuce_text_plural(bundle->campaigns),
            (long long)bundle->points, nuce_text_plural(bundle->points), (long long)bundle->runs,
            nuce_text_plural(bundle->runs), (long long)bundle->record_files,
            nuce_text_plural(bundle->record_files));
}

/* Moves the campaigns of an open bundle to the folder of campaigns. */

/* The first file that differs, as a new string. */
static void name_difference(void *context, const char *path, const char *was, const char *is)
{
    char **differs = context;

    (void)was;
    (void)is;
    if (*differs == NULL)
        *differs = nuce_text_duplicate(path);
}

/* Sets *was_there if the identical campaign exists at the path `there`; a different one is an
 * error. The comparison is file by file, by checksums. Files that no bundle has (logs, the mark of
 * an import) do not count. */
static nuce_status check_place(const char *name, json_t *files, const char *there, int *was_there,
                               struct nuce_error *error)
{
    json_t *was = json_pack("{s:O}", name, files), *is = json_object();
    char *differs = NULL;
    struct stat facts;

    error->status = NUCE_OK;
    *was_there = lstat(there, &facts) == 0;
    if (*was_there && nuce_bundle_add_campaign(is, there, name, error) == NUCE_OK)
        nuce_bundle_compare(was, is, name_difference, &differs);
    if (differs != NULL)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "%s: a different campaign of this name exists (%s differs); import into "
                       "another folder and database with --campaigns DIR --database FILE",
                       there, differs);
    free(differs);
    json_decref(was);
    json_decref(is);
    return error->status;
}

/* Visits the campaigns, and moves them if each is not NULL. A moved campaign gets a mark: from then
 * on nuce starts no program that it names. Another process may have created the same campaign
 * first. */
static nuce_status go_through(struct nuce_bundle *bundle, const char *folder,
                              void (*each)(void *context, const char *campaign, int was_there),
                              void *context, struct nuce_error *error)
{
    const char *name;
    json_t *files;

    error->status = NUCE_OK;
    json_object_foreach(bundle->files, name, files)
    {
        char *there = nuce_text_format("%s/%s", folder, name);
        char *fresh =
            nuce_text_format("%s/" NUCE_BUNDLE_FOLDER "/campaigns/%s", bundle->scratch.path, name);
        int was_there = 0;

        if (error->status == NUCE_OK &&
            (each == NULL ||
             nuce_safe_write(fresh, NUCE_CAMPAIGN_IMPORTED, "", 0, error) == NUCE_OK) &&
            check_place(name, files, there, &was_there, error) == NUCE_OK && each != NULL) {
            if (!was_there && rename(fresh, there) != 0) {
                if (errno == ENOTEMPTY || errno == EEXIST)
                    check_place(name, files, there, &was_there, error);
                else
                    nuce_error_set(error, NUCE_FAILED, "%s: %s", there, strerror(errno));
            }
            if (error->status == NUCE_OK)
                each(context, name, was_there);
        }
        free(there);
        free(fresh);
    }
    return error->status;
}

/* Two passes: the first checks that each campaign has a place, the second moves them. So a name
 * conflict does not leave half of a bundle. Existing files are never written or replaced. An
 * existing campaign must be complete even after a power failure: all of it is on the disk before it
 * gets its name. */
nuce_status nuce_bundle_take(struct nuce_bundle *bundle, const char *folder,
                             void (*each)(void *context, const char *campaign, int was_there),
                             void *context, struct nuce_error *error)
{
    nuce_status status = go_through(bundle, folder, NULL, NULL, error);

    if (status != NUCE_OK)
        return status;
    nuce_safe_synchronise(bundle->scratch.path, syncfs);
    status = go_through(bundle, folder, each, context, error);
    nuce_safe_synchronise(folder, syncfs);
    return status;
}
