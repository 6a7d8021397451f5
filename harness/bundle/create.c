/* Making a bundle. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bundle/bundle.h"
#include "bundle/contents.h"
#include "bundle/examine.h"
#include "bundle/manifest.h"
#include "bundle/pack.h"
#include "bundle/sums.h"
#include "launch/campaign.h"
#include "support/jsonl.h"
#include "support/memory.h"
#include "support/text.h"
#include "support/text_file.h"

/* One campaign to be bundled. */
struct part {
    char *path, *name; /* of its folder */
    struct nuce_folder_list files;
};

struct making {
    struct part *parts; /* by name, ascending */
    int count;
    struct nuce_sums sums;
    json_t *entries; /* of the manifest; NULL: there is none yet */
    char *manifest;
};

/* Opening a campaign says whether it is one, and where. */
static nuce_status locate(const char *folder, const char *name, struct part *part,
                          struct nuce_error *error)
{
    struct nuce_campaign campaign;

    if (nuce_campaign_open(folder, name, NUCE_CAMPAIGN_READ, &campaign, error) != NUCE_OK)
        return error->status;
    part->path = nuce_text_format(error, "%s", campaign.path);
    part->name = nuce_text_format(error, "%s", campaign.name);
    nuce_campaign_fini(&campaign);
    return part->path != NULL && part->name != NULL ? NUCE_OK : error->status;
}

/* Records that somebody still writes would end where they happen to be. */
static nuce_status check_quiet(const struct part *part, struct nuce_error *error)
{
    for (int64_t i = 0; i < part->files.count; i++) {
        char *path = nuce_text_format(error, "%s/%s", part->path, part->files.entries[i].path);
        int is_open = path != NULL && nuce_jsonl_is_open(path);

        if (is_open)
            (void)nuce_error_set(error, NUCE_FAILED,
                                 "%s: a job is still writing records: wait for it or stop it",
                                 path);
        if (path == NULL || is_open) {
            free(path);
            return error->status;
        }
        free(path);
    }
    return NUCE_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct part *)a)->name, ((const struct part *)b)->name);
}

static nuce_status find_parts(struct making *making, const char *folder, char *const *names,
                              int count, struct nuce_error *error)
{
    making->parts = nuce_allocate(count, sizeof *making->parts, error);
    if (making->parts == NULL)
        return error->status;
    for (int i = 0; i < count; i++) {
        struct part *part = &making->parts[making->count++];

        if (locate(folder, names[i], part, error) != NUCE_OK ||
            nuce_contents_read(part->path, &part->files, error) != NUCE_OK ||
            check_quiet(part, error) != NUCE_OK)
            return error->status;
    }
    qsort(making->parts, (size_t)count, sizeof *making->parts, by_name);
    for (int i = 1; i < count; i++) {
        if (strcmp(making->parts[i - 1].name, making->parts[i].name) == 0)
            return nuce_error_set(error, NUCE_BAD_INPUT, "%s: named twice", making->parts[i].name);
    }
    return NUCE_OK;
}

/* The folder that the campaign's folder is in. */
static char *parent_of(const struct part *part, struct nuce_error *error)
{
    const char *slash = strrchr(part->path, '/');

    return slash == NULL ? nuce_text_format(error, ".")
                         : nuce_text_format(error, "%.*s", (int)(slash - part->path), part->path);
}

static nuce_status examine(struct making *making, const struct part *part,
                           struct nuce_bundle_counts *total, struct nuce_findings *findings,
                           struct nuce_error *error)
{
    struct nuce_bundle_counts counts = {0};
    char *parent = parent_of(part, error);
    json_t *entry = NULL;

    if (parent == NULL)
        return error->status;
    error->status = nuce_examine(parent, part->name, "campaigns", &counts, findings, error);
    free(parent);
    if (error->status == NUCE_OK)
        entry = nuce_manifest_entry(part->name, &counts, error);
    if (entry == NULL)
        return error->status;
    if (json_array_append_new(making->entries, entry) != 0)
        return nuce_error_set(error, NUCE_FAILED, "out of memory for a manifest");
    nuce_bundle_counts_add(total, &counts);
    return NUCE_OK;
}

static nuce_status add_sums(struct making *making, const struct part *part,
                            struct nuce_error *error)
{
    for (int64_t i = 0; i < part->files.count; i++) {
        const char *file = part->files.entries[i].path;
        char *name = nuce_text_format(error, "campaigns/%s/%s", part->name, file);
        char *path = name != NULL ? nuce_text_format(error, "%s/%s", part->path, file) : NULL;

        if (path != NULL)
            error->status = nuce_sums_add(&making->sums, name, path, NULL, 0, error);
        free(path);
        free(name);
        if (error->status != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* What is written down of the campaigns before the first byte of the archive. */
static nuce_status describe(struct making *making, struct nuce_bundle_counts *total,
                            struct nuce_findings *findings, struct nuce_error *error)
{
    error->status = NUCE_OK;
    making->entries = json_array();
    for (int i = 0; i < making->count; i++) {
        if (examine(making, &making->parts[i], total, findings, error) != NUCE_OK ||
            add_sums(making, &making->parts[i], error) != NUCE_OK)
            return error->status;
    }
    making->manifest = nuce_manifest_text(making->entries, error);
    making->entries = NULL; /* the manifest has taken them */
    if (making->manifest == NULL)
        return error->status;
    return nuce_sums_add(&making->sums, NUCE_BUNDLE_MANIFEST, NULL, making->manifest,
                         strlen(making->manifest), error);
}

/* Adds a campaign's file, which must still be what its checksum is of. */
static nuce_status pack_file(struct nuce_pack *pack, const struct making *making,
                             const struct part *part, const char *file, struct nuce_error *error)
{
    char *name = nuce_text_format(error, NUCE_BUNDLE_FOLDER "/campaigns/%s/%s", part->name, file);
    char *path = name != NULL ? nuce_text_format(error, "%s/%s", part->path, file) : NULL;
    char *text = NULL, hash[NUCE_HASH_BYTES];
    size_t length = 0;

    if (path != NULL && nuce_text_read(path, &text, &length, error) == NUCE_OK &&
        nuce_hash(text, length, hash, error) == NUCE_OK) {
        const struct nuce_sum *sum =
            nuce_sums_find(&making->sums, name + strlen(NUCE_BUNDLE_FOLDER "/"));

        if (strcmp(sum->hash, hash) != 0)
            (void)nuce_error_set(error, NUCE_FAILED, "%s: has changed meanwhile: bundle it again",
                                 path);
        else
            error->status = nuce_pack_add(pack, name, text, length, error);
    }
    free(text);
    free(path);
    free(name);
    return error->status;
}

static nuce_status pack_all(struct nuce_pack *pack, const struct making *making,
                            struct nuce_error *error)
{
    char *sums = nuce_sums_text(&making->sums, error);
    nuce_status status;

    if (sums == NULL)
        return error->status;
    status =
        nuce_pack_add(pack, NUCE_BUNDLE_FOLDER "/" NUCE_BUNDLE_SUMS, sums, strlen(sums), error);
    free(sums);
    for (int i = 0; status == NUCE_OK && i < making->count; i++) {
        const struct part *part = &making->parts[i];

        for (int64_t j = 0; status == NUCE_OK && j < part->files.count; j++)
            status = pack_file(pack, making, part, part->files.entries[j].path, error);
    }
    if (status == NUCE_OK)
        status = nuce_pack_add(pack, NUCE_BUNDLE_FOLDER "/" NUCE_BUNDLE_MANIFEST, making->manifest,
                               strlen(making->manifest), error);
    return status;
}

/* Writes to FOLDER/.NAME.new beside output, so that nothing that looks like a bundle is less than
 * one. */
static nuce_status write_archive(const struct making *making, const char *output,
                                 struct nuce_error *error)
{
    const char *slash = strrchr(output, '/'), *name = slash != NULL ? slash + 1 : output;
    char *fresh = nuce_text_format(error, "%.*s.%s.new", (int)(name - output), output, name);
    struct nuce_pack *pack;

    if (fresh == NULL)
        return error->status;
    (void)unlink(fresh);
    pack = nuce_pack_create(fresh, error);
    if (pack != NULL && pack_all(pack, making, error) != NUCE_OK)
        nuce_pack_abandon(pack);
    else if (pack != NULL && nuce_pack_finish(pack, error) == NUCE_OK) {
        error->status = NUCE_OK;
        if (rename(fresh, output) != 0) {
            (void)nuce_error_set(error, NUCE_FAILED, "%s: %s", output, strerror(errno));
            (void)unlink(fresh);
        }
    }
    free(fresh);
    return error->status;
}

static void making_fini(struct making *making)
{
    for (int i = 0; i < making->count; i++) {
        free(making->parts[i].path);
        free(making->parts[i].name);
        nuce_folder_list_fini(&making->parts[i].files);
    }
    free(making->parts);
    nuce_sums_fini(&making->sums);
    json_decref(making->entries);
    free(making->manifest);
}

nuce_status nuce_bundle_create(const char *folder, char *const *names, int count,
                               const char *output, struct nuce_bundle_counts *counts,
                               struct nuce_findings *findings, struct nuce_error *error)
{
    struct nuce_bundle_counts total = {0};
    struct making making = {0};
    struct stat there;

    if (lstat(output, &there) == 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: is there already: remove it, or name another by --output",
                              output);
    if (find_parts(&making, folder, names, count, error) == NUCE_OK &&
        describe(&making, &total, findings, error) == NUCE_OK &&
        write_archive(&making, output, error) == NUCE_OK)
        *counts = total;
    making_fini(&making);
    return error->status;
}
