/* Opening a bundle: unpacked, then checked.
 *
 * Intact is a comparison of two lists of checksums. Valid is what collect says: the campaigns are
 * collected into a database of their own, which is thrown away, so that no rule about records is
 * written down a second time. Queries then ask that database what no single line can tell. */
#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bundle/parts.h"
#include "bundle/patterns.h"
#include "db/collect.h"
#include "db/store.h"
#include "launch/campaign.h"
#include "launch/inputs.h"
#include "support/printable.h"
#include "support/text.h"

void nuce_bundle_tell(struct nuce_bundle_report *report, const char *kind, const char *format, ...)
{
    char text[NUCE_MESSAGE_BYTES];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    nuce_printable_make(text);
    *(strcmp(kind, NUCE_BUNDLE_ALTERED) == 0 ? &report->altered : &report->invalid) += 1;
    report->tell(report->context, kind, text);
}

/* Intact. */

/* report: who is told of each difference. */
struct comparing {
    struct nuce_bundle_report *report;
    int was_damaged; /* what is missing is not told file by file */
};

/* For nuce_bundle_compare: one path that differs. The checksums and their signature are no files of
 * SHA256SUMS themselves. */
static nuce_status tell_altered(void *context, const struct nuce_bundle_file *was,
                                const struct nuce_bundle_file *is, struct nuce_error *error)
{
    const struct comparing *at = context;

    (void)error;
    if (was != NULL && is != NULL)
        nuce_bundle_tell(at->report, NUCE_BUNDLE_ALTERED, "%s: SHA-256 is %s, was %s", is->path,
                         is->sha256, was->sha256);
    else if (is == NULL && !at->was_damaged)
        nuce_bundle_tell(at->report, NUCE_BUNDLE_ALTERED, "%s: missing", was->path);
    else if (was == NULL && strcmp(is->path, NUCE_BUNDLE_SUMS) != 0 &&
             strcmp(is->path, NUCE_BUNDLE_SIGNATURE) != 0)
        nuce_bundle_tell(at->report, NUCE_BUNDLE_ALTERED, "%s: extra: not in " NUCE_BUNDLE_SUMS,
                         is->path);
    return NUCE_OK;
}

/* Without checksums that can be read there is nothing to hold the files against. Whatever is wrong
 * is told; *error is for what keeps us from looking. */
static nuce_status check_intact(struct nuce_bundle *bundle, struct nuce_bundle_files *unpacked,
                                struct nuce_bundle_report *report, struct nuce_error *error)
{
    struct comparing at = {report, report->altered > 0};
    char *sums = nuce_text_format(error, "%s/" NUCE_BUNDLE_FOLDER "/" NUCE_BUNDLE_SUMS,
                                  bundle->scratch.path);
    nuce_status status = NUCE_OK;
    struct stat there;

    if (sums == NULL)
        return error->status;
    if (lstat(sums, &there) == 0)
        status = nuce_bundle_add_sums(&bundle->files, sums, error);
    free(sums);
    if (status == NUCE_BAD_INPUT || (status == NUCE_OK && bundle->files.count == 0)) {
        nuce_bundle_tell(report, NUCE_BUNDLE_ALTERED, "%s",
                         status == NUCE_OK ? NUCE_BUNDLE_SUMS ": missing"
                                           : nuce_error_flatten(error));
        return NUCE_OK;
    }
    nuce_bundle_sort(&bundle->files);
    nuce_bundle_sort(unpacked);
    return nuce_bundle_compare(&bundle->files, unpacked, tell_altered, &at, error);
}

/* Valid. */

/* A bundle that is intact while it is checked for being valid. */
struct validating {
    struct nuce_bundle *bundle;
    struct nuce_bundle_report *report;
    char *campaigns; /* the folder of them, in the scratch folder */
    struct nuce_store store;
};

/* Messages of collect and of campaigns begin with the path of a file in at->campaigns, which nobody
 * knows: in the bundle it is called campaigns. */
static void tell_invalid(void *context, const char *message)
{
    struct validating *at = context;
    size_t length = strlen(at->campaigns);
    int is_path = strncmp(message, at->campaigns, length) == 0;

    nuce_bundle_tell(at->report, NUCE_BUNDLE_INVALID, "%s%s", is_path ? "campaigns" : "",
                     message + (is_path ? length : 0));
}

/* Bad input is the bundle's, and told; all else ends the check. */
static nuce_status bundle_tell_invalid(struct validating *at, nuce_status status,
                                       struct nuce_error *error)
{
    if (status != NUCE_BAD_INPUT)
        return status;
    tell_invalid(at, nuce_error_flatten(error));
    return NUCE_OK;
}

/* Makes the folders that a campaign has also when they are empty. */
static nuce_status bundle_check_complete(const struct validating *at, const char *campaign,
                                         struct nuce_error *error)
{
    static const char *const folders[] = {"records", "launches", "logs"};
    nuce_status status = NUCE_OK;

    for (size_t i = 0; status == NUCE_OK && i < sizeof folders / sizeof *folders; i++) {
        char *path = nuce_text_format(error, "%s/%s/%s", at->campaigns, campaign, folders[i]);

        if (path == NULL)
            status = error->status;
        else if (mkdir(path, 0777) != 0 && errno != EEXIST)
            status = nuce_error_set(error, NUCE_FAILED, "%s: %s", path, strerror(errno));
        free(path);
    }
    return status;
}

/* Opening a campaign reads its description and its plan. The name in campaign.json is what records
 * call the campaign; under another folder's name they would be collected as two. */
static nuce_status check_campaign(struct validating *at, const char *name, struct nuce_error *error)
{
    struct nuce_campaign campaign = {.lock = -1};
    nuce_status status =
        nuce_campaign_open(at->campaigns, name, NUCE_CAMPAIGN_READ, &campaign, error);
    const char *said = json_string_value(json_object_get(campaign.description, "campaign"));

    if (status == NUCE_OK && (said == NULL || strcmp(said, name) != 0))
        nuce_bundle_tell(at->report, NUCE_BUNDLE_INVALID,
                         "campaigns/%s/campaign.json: 'campaign' is not the name of its folder",
                         name);
    at->bundle->campaigns++;
    at->bundle->points += campaign.count;
    if (status == NUCE_OK)
        status = nuce_patterns_check(campaign.path, error);
    nuce_campaign_fini(&campaign);
    return bundle_tell_invalid(at, status, error);
}

/* The copy of a file that points name is in a folder called by the beginning of its SHA-256
 * (launch/inputs.h): another content was not what they were run on. */
static void check_inputs(const struct validating *at)
{
    for (int64_t i = 0; i < at->bundle->files.count; i++) {
        const struct nuce_bundle_file *file = &at->bundle->files.list[i];
        const char *inputs = strstr(file->path, "/" NUCE_INPUTS_FOLDER "/");
        const char *digits = inputs != NULL ? inputs + sizeof NUCE_INPUTS_FOLDER + 1 : NULL;

        if (inputs != NULL && nuce_inputs_is_name(inputs + 1) &&
            strncmp(digits, file->sha256, strcspn(digits, "/")) != 0)
            nuce_bundle_tell(at->report, NUCE_BUNDLE_INVALID,
                             "%s: not the file that points were run on: its SHA-256 begins with "
                             "%.16s",
                             file->path, file->sha256);
    }
}

/* Each row that the query gives is a problem. */
static nuce_status bundle_check_query(struct validating *at, const char *query,
                                      struct nuce_error *error)
{
    sqlite3_stmt *statement = NULL;
    int code;

    if (nuce_store_prepare(&at->store, query, &statement, error) != NUCE_OK)
        return error->status;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        nuce_bundle_tell(at->report, NUCE_BUNDLE_INVALID, "campaigns/%s",
                         (const char *)sqlite3_column_text(statement, 0));
    (void)sqlite3_finalize(statement);
    return code == SQLITE_DONE ? NUCE_OK : nuce_store_fail(&at->store, error);
}

/* Collects all campaigns into the database of the check. What collect reports is invalid; then two
 * queries ask what it takes without a word: runs in another campaign's folder, and runs of a job
 * that no record describes, which would be of an unknown environment. */
static nuce_status collect_all(struct validating *at, struct nuce_error *error)
{
    struct nuce_collect collect = {
        .store = &at->store, .campaigns = at->campaigns, .report = tell_invalid, .context = at};
    nuce_status status = bundle_tell_invalid(at, nuce_collect(&collect, NULL, error), error);

    at->bundle->record_files = collect.counts.files;
    at->bundle->runs = collect.counts.added;
    /* The database knows a record file as CAMPAIGN/FILE. */
    if (status == NUCE_OK)
        status = bundle_check_query(
            at,
            "SELECT DISTINCT replace(file, '/', '/records/') || ': a run of campaign '''"
            " || campaign || '''' FROM run"
            " WHERE campaign <> substr(file, 1, instr(file, '/') - 1)",
            error);
    if (status == NUCE_OK)
        status = bundle_check_query(
            at,
            "SELECT DISTINCT replace(file, '/', '/records/') || ': no record describes"
            " job ''' || job.id || '''' FROM run"
            " JOIN job ON job.id = run.job AND job.campaign = run.campaign"
            " WHERE job.facts IS NULL",
            error);
    return status;
}

/* The machine that runs were simulated on is the one that their records say. Names of campaigns are
 * known to be plain ones by now (nuce_bundle_is_path), so they may stand in the text of the
 * query. */
static nuce_status check_platforms(struct validating *at, struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    for (int64_t i = 0; status == NUCE_OK && i < at->bundle->files.count; i++) {
        const struct nuce_bundle_file *file = &at->bundle->files.list[i];
        char campaign[NUCE_BUNDLE_NAME_BYTES], *query;

        if (!nuce_bundle_is_path(file->path, campaign) || campaign[0] == '\0' ||
            strcmp(nuce_bundle_name_in_campaign(file->path), NUCE_PLATFORM_FILE) != 0)
            continue;
        query = nuce_text_format(
            error,
            "SELECT '%s/" NUCE_PLATFORM_FILE ": not the machine that runs were simulated on: its"
            " SHA-256 begins with %.16s' FROM job JOIN environment AS e ON e.id = environment"
            " WHERE campaign = '%s' AND described ->> '$.cluster.platform_sha256' <> '%s' LIMIT 1",
            campaign, file->sha256, campaign, file->sha256);
        status = query != NULL ? bundle_check_query(at, query, error) : error->status;
        free(query);
    }
    return status;
}

/* Makes a database in the scratch folder, which goes with it. */
static nuce_status check_valid(struct nuce_bundle *bundle, struct nuce_bundle_report *report,
                               struct nuce_error *error)
{
    struct validating at = {.bundle = bundle, .report = report, .store = {.lock = -1}};
    char *database = nuce_text_format(error, "%s/check.db", bundle->scratch.path);
    char name[NUCE_BUNDLE_NAME_BYTES];
    nuce_status status = NUCE_FAILED;
    int64_t next = 0;

    at.campaigns =
        nuce_text_format(error, "%s/" NUCE_BUNDLE_FOLDER "/campaigns", bundle->scratch.path);
    if (database != NULL && at.campaigns != NULL)
        status = nuce_store_open_writing(database, &at.store, error);
    while (status == NUCE_OK && nuce_bundle_next_campaign(&bundle->files, &next, name)) {
        status = bundle_check_complete(&at, name, error);
        if (status == NUCE_OK)
            status = check_campaign(&at, name, error);
    }
    check_inputs(&at);
    if (status == NUCE_OK)
        status = collect_all(&at, error);
    if (status == NUCE_OK)
        status = check_platforms(&at, error);
    nuce_store_close(&at.store);
    free(at.campaigns);
    free(database);
    return status;
}

nuce_status nuce_bundle_open(const char *path, const char *parent,
                             const struct nuce_bundle_limits *limits, struct nuce_bundle *out,
                             struct nuce_bundle_report *report, struct nuce_error *error)
{
    struct nuce_bundle bundle = {0};
    struct nuce_bundle_files unpacked = {0};
    struct stat there;
    nuce_status status;

    if (stat(path, &there) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    if (S_ISDIR(there.st_mode))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: a folder, expected an archive; 'sha256sum -c " NUCE_BUNDLE_SUMS
                              "' checks what it unpacks to",
                              path);
    status = nuce_bundle_scratch_make(parent, &bundle.scratch, error);
    if (status == NUCE_OK)
        status = nuce_bundle_unpack(path, bundle.scratch.path, limits, &unpacked, report, error);
    if (status == NUCE_OK)
        status = check_intact(&bundle, &unpacked, report, error);
    if (status == NUCE_OK && report->altered == 0)
        status = check_valid(&bundle, report, error);
    for (int64_t i = 0; i < unpacked.count; i++)
        bundle.is_signed |= strcmp(unpacked.list[i].path, NUCE_BUNDLE_SIGNATURE) == 0;
    nuce_bundle_files_fini(&unpacked);
    if (status == NUCE_OK)
        *out = bundle;
    else
        nuce_bundle_close(&bundle);
    return status;
}

void nuce_bundle_close(struct nuce_bundle *bundle)
{
    nuce_bundle_files_fini(&bundle->files);
    nuce_bundle_scratch_remove(&bundle->scratch);
}

nuce_status nuce_bundle_check_signature(const struct nuce_bundle *bundle, const char *signers,
                                        struct nuce_bundle_report *report,
                                        struct nuce_signature *out, struct nuce_error *error)
{
    const char *folder = bundle->scratch.path;
    char *sums = nuce_text_format(error, "%s/" NUCE_BUNDLE_FOLDER "/" NUCE_BUNDLE_SUMS, folder);
    char *signature =
        nuce_text_format(error, "%s/" NUCE_BUNDLE_FOLDER "/" NUCE_BUNDLE_SIGNATURE, folder);
    nuce_status status = NUCE_FAILED;

    if (sums != NULL && signature != NULL)
        status = nuce_signature_check(signature, sums, signers, out, error);
    free(signature);
    free(sums);
    if (status != NUCE_BAD_INPUT)
        return status;
    nuce_bundle_tell(report, out->key == NULL ? NUCE_BUNDLE_ALTERED : NUCE_BUNDLE_INVALID,
                     NUCE_BUNDLE_SIGNATURE ": %s", nuce_error_flatten(error));
    return NUCE_OK;
}
