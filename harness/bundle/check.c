#include "bundle/check.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bundle/contents.h"
#include "bundle/examine.h"
#include "bundle/folder.h"
#include "bundle/manifest.h"
#include "bundle/scratch.h"
#include "bundle/sums.h"
#include "bundle/unpack.h"
#include "support/text.h"

struct checking {
    const char *folder;
    struct nuce_folder_list files;
    struct nuce_sums sums;
    struct nuce_bundle_counts counts;
    struct nuce_findings *findings;
};

static int by_path(const void *key, const void *entry)
{
    return strcmp(key, ((const struct nuce_folder_entry *)entry)->path);
}

static const struct nuce_folder_entry *find_file(const struct checking *at, const char *path)
{
    if (at->files.count == 0)
        return NULL;
    return bsearch(path, at->files.entries, (size_t)at->files.count, sizeof *at->files.entries,
                   by_path);
}

static nuce_status note(struct checking *at, const char *file, struct nuce_error *error,
                        const char *problem)
{
    return nuce_findings_add(at->findings, NUCE_FINDING_ALTERED, file, 0, error, "%s", problem);
}

/* The file of a checksum. */
static nuce_status check_sum(struct checking *at, const struct nuce_sum *sum, int was_damaged,
                             struct nuce_error *error)
{
    const struct nuce_folder_entry *entry = find_file(at, sum->path);
    char hash[NUCE_HASH_BYTES], *path;

    if (entry == NULL)
        return was_damaged ? NUCE_OK : note(at, sum->path, error, "missing");
    if (!entry->is_file)
        return note(at, sum->path, error, "not a file but a link or such");
    path = nuce_text_format(error, "%s/%s", at->folder, sum->path);
    if (path == NULL)
        return error->status;
    error->status = nuce_hash_file(path, hash, error);
    free(path);
    if (error->status != NUCE_OK)
        return error->status;
    if (strcmp(hash, sum->hash) == 0)
        return NUCE_OK;
    return nuce_findings_add(at->findings, NUCE_FINDING_ALTERED, sum->path, 0, error,
                             "SHA-256 is %s, was %s", hash, sum->hash);
}

/* Every file has its checksum, every checksum its file. */
static nuce_status check_intact(struct checking *at, struct nuce_error *error)
{
    int was_damaged = at->findings->count > 0;

    for (int64_t i = 0; i < at->sums.count; i++) {
        if (check_sum(at, &at->sums.list[i], was_damaged, error) != NUCE_OK)
            return error->status;
    }
    for (int64_t i = 0; i < at->files.count; i++) {
        const char *path = at->files.entries[i].path;

        if (strcmp(path, NUCE_BUNDLE_SUMS) != 0 && nuce_sums_find(&at->sums, path) == NULL &&
            note(at, path, error, "extra: not in " NUCE_BUNDLE_SUMS) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

static nuce_status examine_campaign(struct checking *at, const char *name, json_t *entries,
                                    struct nuce_error *error)
{
    struct nuce_bundle_counts counts = {0};
    char *folder = nuce_text_format(error, "%s/campaigns", at->folder);
    json_t *entry = NULL;

    if (folder == NULL)
        return error->status;
    if (nuce_examine(folder, name, "campaigns", &counts, at->findings, error) == NUCE_OK)
        entry = nuce_manifest_entry(name, &counts, error);
    free(folder);
    if (entry == NULL)
        return error->status;
    nuce_bundle_counts_add(&at->counts, &counts);
    if (json_array_append_new(entries, entry) != 0)
        return nuce_error_set(error, NUCE_FAILED, "out of memory for a manifest");
    return NUCE_OK;
}

/* The campaigns are those that the paths of the checksums name. */
static nuce_status check_valid(struct checking *at, struct nuce_error *error)
{
    char last[NUCE_CONTENTS_NAME_BYTES] = "", name[NUCE_CONTENTS_NAME_BYTES];
    char *manifest = nuce_text_format(error, "%s/" NUCE_BUNDLE_MANIFEST, at->folder);
    json_t *entries = json_array();
    nuce_status status = manifest != NULL ? NUCE_OK : error->status;

    for (int64_t i = 0; status == NUCE_OK && i < at->sums.count; i++) {
        if (!nuce_contents_campaign(at->sums.list[i].path, name) || strcmp(name, last) == 0)
            continue;
        memcpy(last, name, sizeof last);
        status = examine_campaign(at, name, entries, error);
    }
    if (status == NUCE_OK)
        status = nuce_manifest_check(manifest, entries, at->findings, error);
    json_decref(entries);
    free(manifest);
    return status;
}

/* Without checksums that can be read there is nothing to hold the files against. */
static nuce_status read_sums(struct checking *at, struct nuce_error *error)
{
    char *path = nuce_text_format(error, "%s/" NUCE_BUNDLE_SUMS, at->folder);
    char problem[NUCE_MESSAGE_BYTES];
    const struct nuce_folder_entry *entry = find_file(at, NUCE_BUNDLE_SUMS);

    if (path == NULL)
        return error->status;
    if (entry != NULL && entry->is_file)
        error->status = nuce_sums_read(path, &at->sums, error);
    else
        (void)nuce_error_set(error, NUCE_BAD_INPUT, "missing");
    free(path);
    if (error->status != NUCE_BAD_INPUT)
        return error->status;
    (void)nuce_text_copy(problem, sizeof problem, error->message);
    return note(at, NUCE_BUNDLE_SUMS, error, problem);
}

nuce_status nuce_check_folder(const char *folder, struct nuce_bundle_counts *counts,
                              struct nuce_findings *findings, struct nuce_error *error)
{
    struct checking at = {.folder = folder, .findings = findings};
    nuce_status status = nuce_folder_read(folder, &at.files, error);

    if (status == NUCE_OK)
        status = read_sums(&at, error);
    if (status == NUCE_OK && at.sums.count > 0)
        status = check_intact(&at, error);
    else if (status == NUCE_OK && findings->count == 0)
        status = note(&at, NUCE_BUNDLE_SUMS, error, "names no file");
    if (status == NUCE_OK && findings->count == 0)
        status = check_valid(&at, error);
    if (status == NUCE_OK)
        *counts = at.counts;
    nuce_folder_list_fini(&at.files);
    nuce_sums_fini(&at.sums);
    return status;
}

nuce_status nuce_check_unpacked(const char *folder, struct nuce_bundle_counts *counts,
                                struct nuce_findings *findings, struct nuce_error *error)
{
    struct stat there;

    if (lstat(folder, &there) == 0)
        return nuce_check_folder(folder, counts, findings, error);
    if (findings->count > 0)
        return NUCE_OK; /* the archive is damaged from its beginning */
    return nuce_findings_add(findings, NUCE_FINDING_ALTERED, NUCE_BUNDLE_FOLDER, 0, error,
                             "missing: the archive is empty");
}

static nuce_status verify_archive(const char *path, const struct nuce_bundle_limits *limits,
                                  struct nuce_bundle_counts *counts, struct nuce_findings *findings,
                                  struct nuce_error *error)
{
    const char *parent = getenv("TMPDIR");
    struct nuce_scratch scratch;
    char *folder;

    if (nuce_scratch_make(parent != NULL && parent[0] != '\0' ? parent : "/tmp", ".nuce-verify-",
                          &scratch, error) != NUCE_OK)
        return error->status;
    folder = nuce_text_format(error, "%s/" NUCE_BUNDLE_FOLDER, scratch.path);
    if (folder != NULL && nuce_unpack(path, scratch.path, limits, findings, error) == NUCE_OK)
        error->status = nuce_check_unpacked(folder, counts, findings, error);
    free(folder);
    nuce_scratch_remove(&scratch);
    return error->status;
}

/* A folder is that of a bundle, or holds it as it was unpacked. */
static nuce_status verify_folder(const char *path, struct nuce_bundle_counts *counts,
                                 struct nuce_findings *findings, struct nuce_error *error)
{
    static const char *const places[] = {"", "/" NUCE_BUNDLE_FOLDER};

    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *folder = nuce_text_format(error, "%s%s", path, places[i]);
        char *sums =
            folder != NULL ? nuce_text_format(error, "%s/" NUCE_BUNDLE_SUMS, folder) : NULL;
        struct stat there;
        int found = sums != NULL && lstat(sums, &there) == 0;
        nuce_status status = sums != NULL ? NUCE_OK : error->status;

        if (found)
            status = nuce_check_folder(folder, counts, findings, error);
        free(sums);
        free(folder);
        if (found || status != NUCE_OK)
            return status;
    }
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "%s: not a bundle: there is no " NUCE_BUNDLE_SUMS " in it", path);
}

nuce_status nuce_bundle_verify(const char *path, const struct nuce_bundle_limits *limits,
                               struct nuce_bundle_counts *counts, struct nuce_findings *findings,
                               struct nuce_error *error)
{
    struct stat there;

    if (stat(path, &there) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    return S_ISDIR(there.st_mode) ? verify_folder(path, counts, findings, error)
                                  : verify_archive(path, limits, counts, findings, error);
}
