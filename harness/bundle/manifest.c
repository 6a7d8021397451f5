#include "bundle/manifest.h"

#include <stdlib.h>

#include "support/text.h"

void nuce_bundle_counts_add(struct nuce_bundle_counts *total, const struct nuce_bundle_counts *one)
{
    total->campaigns += one->campaigns;
    total->points += one->points;
    total->record_files += one->record_files;
    total->runs += one->runs;
    total->ok += one->ok;
    total->jobs += one->jobs;
    total->environments += one->environments;
}

json_t *nuce_manifest_entry(const char *campaign, const struct nuce_bundle_counts *counts,
                            struct nuce_error *error)
{
    json_t *entry =
        json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I}", "campaign", campaign, "points",
                  (json_int_t)counts->points, "record_files", (json_int_t)counts->record_files,
                  "runs", (json_int_t)counts->runs, "ok", (json_int_t)counts->ok, "jobs",
                  (json_int_t)counts->jobs, "environments", (json_int_t)counts->environments);

    if (entry == NULL)
        (void)nuce_error_set(error, NUCE_FAILED, "out of memory for a manifest");
    return entry;
}

char *nuce_manifest_text(json_t *entries, struct nuce_error *error)
{
    json_t *manifest = json_pack("{s:i, s:s, s:o}", "format", NUCE_BUNDLE_FORMAT, "nuce",
                                 NUCE_VERSION, "campaigns", entries);
    char *json = manifest != NULL ? json_dumps(manifest, JSON_INDENT(2) | JSON_SORT_KEYS) : NULL;
    char *text = json != NULL ? nuce_text_format(error, "%s\n", json) : NULL;

    if (json == NULL)
        (void)nuce_error_set(error, NUCE_FAILED, "out of memory for a manifest");
    json_decref(manifest);
    free(json);
    return text;
}

static nuce_status note(struct nuce_findings *findings, const char *problem,
                        struct nuce_error *error)
{
    return nuce_findings_add(findings, NUCE_FINDING_INVALID, NUCE_BUNDLE_MANIFEST, 0, error, "%s",
                             problem);
}

nuce_status nuce_manifest_check(const char *path, const json_t *entries,
                                struct nuce_findings *findings, struct nuce_error *error)
{
    json_error_t problem;
    json_t *manifest = json_load_file(path, JSON_REJECT_DUPLICATES, &problem);

    error->status = NUCE_OK;
    if (!json_is_object(manifest))
        (void)note(findings, "not a JSON object", error);
    else if (json_integer_value(json_object_get(manifest, "format")) != NUCE_BUNDLE_FORMAT)
        (void)note(findings, "'format' is not that of this nuce", error);
    else if (!json_equal(json_object_get(manifest, "campaigns"), entries))
        (void)note(findings, "'campaigns' is not what is there", error);
    json_decref(manifest);
    return error->status;
}
