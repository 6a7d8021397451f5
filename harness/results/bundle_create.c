/* Makes a bundle: the files with their checksums, the archive, and a check of the result.
 *
 * Order: open campaigns, list and hash their files (find_files); pack them into a file next to the
 * output (write_archive); unpack and check that file as any reader would; only then rename it. This
 * finds a file that changes between hashing and packing.
 *
 * The same campaigns give the same bytes for every user, place and time. Entries are in the order
 * of their paths, have the time of the campaign and no owner's name, and gzip's header has no
 * time. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/jsonl.h"
#include "base/record.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/campaign.h"
#include "results/bundle_parts.h"

/* A bundle being made. */
struct making {
    json_t *files;  /* as in results/bundle_parts.h, campaigns by name */
    json_t *places; /* campaign -> [its folder, its creation time in milliseconds]: the time of
                       archive entries. An import gives it to the files, and the newest campaign is
                       found by it. */
    struct archive *archive;
};

/* Refuses records that are still being written: they would be cut at an arbitrary place. */
static nuce_status check_quiet(const char *folder, json_t *files, struct nuce_error *error)
{
    const char *name;
    json_t *value;

    error->status = NUCE_OK;
    json_object_foreach(files, name, value)
    {
        char *path = nuce_text_format("%s/%s", folder, name);

        if (error->status == NUCE_OK && nuce_jsonl_is_open(path))
            nuce_error_set(error, NUCE_FAILED,
                           "%s: a job is still writing records: wait for it or stop it", path);
        free(path);
    }
    return error->status;
}

/* Lists the files of the campaign that the user calls name. Opening it finds its folder, or shows
 * that it is none. */
static nuce_status find_files(struct making *making, const char *folder, const char *name,
                              struct nuce_error *error)
{
    struct nuce_campaign campaign = {.lock = -1};

    if (nuce_campaign_open(folder, name, NUCE_CAMPAIGN_READ, &campaign, error) != NUCE_OK)
        return error->status;
    error->status = NUCE_OK;
    if (json_object_get(making->places, campaign.name) != NULL)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: named twice", campaign.name);
    else if (nuce_bundle_add_campaign(making->files, campaign.path, campaign.name, error) ==
             NUCE_OK)
        check_quiet(campaign.path, json_object_get(making->files, campaign.name), error);
    json_object_set_new(
        making->places, campaign.name,
        json_pack("[s, I]", campaign.path,
                  (json_int_t)nuce_record_parse_time_ms(nuce_campaign_created(&campaign))));
    nuce_campaign_fini(&campaign);
    return error->status;
}

/* No part of an entry depends on the user, place or time of bundling. */
static nuce_status add_entry(struct making *making, const char *path, int64_t time_ms,
                             const char *data, size_t length, struct nuce_error *error)
{
    struct archive_entry *entry = archive_entry_new();
    char *name = nuce_text_format(NUCE_BUNDLE_FOLDER "/%s", path);

    error->status = NUCE_OK;
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_mtime(entry, time_ms / 1000, time_ms % 1000 * 1000000);
    archive_entry_set_size(entry, (la_int64_t)length);
    if (archive_write_header(making->archive, entry) != ARCHIVE_OK ||
        archive_write_data(making->archive, data, length) != (la_ssize_t)length)
        nuce_error_set(error, NUCE_FAILED, "%s", archive_error_string(making->archive));
    archive_entry_free(entry);
    free(name);
    return error->status;
}

/* The checksums come first, for readers that process the archive as a stream. */
static nuce_status add_sums(struct making *making, struct nuce_error *error)
{
    const char *campaign, *name;
    json_t *files, *sha256;
    struct nuce_text_print sums;

    nuce_text_print_begin(&sums);
    json_object_foreach(making->files, campaign, files)
    {
        json_object_foreach(files, name, sha256)
        {
            fprintf(sums.file, "%s  campaigns/%s/%s\n", json_string_value(sha256), campaign, name);
        }
    }
    nuce_text_print_end(&sums);
    add_entry(making, NUCE_BUNDLE_SUMS, 0, sums.text, sums.length, error);
    free(sums.text);
    return error->status;
}

/* Holds one whole file in memory at a time. */
static nuce_status add_all(struct making *making, struct nuce_error *error)
{
    const char *campaign, *name;
    json_t *files, *value;

    if (add_sums(making, error) != NUCE_OK)
        return error->status;
    json_object_foreach(making->files, campaign, files)
    {
        json_t *place = json_object_get(making->places, campaign);

        json_object_foreach(files, name, value)
        {
            char *target = nuce_text_format("campaigns/%s/%s", campaign, name);
            char *source =
                nuce_text_format("%s/%s", json_string_value(json_array_get(place, 0)), name);
            char *text = NULL;
            size_t length = 0;

            if (nuce_text_read(source, &text, &length, error) == NUCE_OK)
                add_entry(making, target, json_integer_value(json_array_get(place, 1)), text,
                          length, error);
            free(text);
            free(source);
            free(target);
            if (error->status != NUCE_OK)
                return error->status;
        }
    }
    return NUCE_OK;
}

/* The format is pax, whose times have fractions of seconds. The caller closes descriptor. */
static nuce_status write_archive(struct making *making, int descriptor, struct nuce_error *error)
{
    struct archive *archive = making->archive = archive_write_new();

    nuce_error_set(error, NUCE_FAILED, "out of memory for an archive");
    if (archive_write_add_filter_gzip(archive) == ARCHIVE_OK &&
        archive_write_set_format_pax(archive) == ARCHIVE_OK &&
        archive_write_set_options(archive, "gzip:!timestamp,gzip:compression-level=9") ==
            ARCHIVE_OK &&
        archive_write_open_fd(archive, descriptor) == ARCHIVE_OK &&
        add_all(making, error) == NUCE_OK && archive_write_close(archive) == ARCHIVE_OK) {
        if (fsync(descriptor) != 0)
            nuce_error_set(error, NUCE_FAILED, "%s", strerror(errno));
    } else {
        if (archive_error_string(archive) != NULL)
            nuce_error_set(error, NUCE_FAILED, "%s", archive_error_string(archive));
        archive_write_fail(archive); /* otherwise freeing it would write the rest */
    }
    archive_write_free(archive);
    return error->status;
}

/* Writes FOLDER/.NAME.new next to output and renames it, so that no incomplete file looks like a
 * bundle. */
static nuce_status write_file(struct making *making, const char *output, struct nuce_bundle *out,
                              struct nuce_bundle_report *report, struct nuce_error *error)
{
    const struct nuce_bundle_limits limits = {INT64_MAX, INT64_MAX};
    const char *name = basename(output);
    char *fresh = nuce_text_format("%.*s.%s.new", (int)(name - output), output, name);
    int descriptor;

    unlink(fresh);
    descriptor = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        nuce_error_set(error, NUCE_FAILED, "%s", strerror(errno));
        goto done;
    }
    write_archive(making, descriptor, error);
    close(descriptor);
    if (error->status == NUCE_OK &&
        nuce_bundle_open(fresh, NULL, &limits, out, report, error) == NUCE_OK) {
        error->status = NUCE_OK;
        if (report->altered > 0)
            nuce_error_set(error, NUCE_FAILED, "files have changed meanwhile: bundle them again");
        else if (rename(fresh, output) != 0)
            nuce_error_set(error, NUCE_FAILED, "%s", strerror(errno));
        if (error->status != NUCE_OK)
            nuce_bundle_close(out);
    }
    if (error->status != NUCE_OK)
        unlink(fresh);
done:
    free(fresh);
    return error->status == NUCE_OK ? NUCE_OK : nuce_error_prefix(error, "%s", output);
}

/* Campaigns and their files are in the order of their names, independent of the user's order. */
nuce_status nuce_bundle_archive_create(const struct nuce_bundle_request *request,
                                       struct nuce_bundle *out, struct nuce_bundle_report *report,
                                       struct nuce_error *error)
{
    struct making making = {.files = json_object(), .places = json_object()};
    struct stat there;
    char *sorted;

    error->status = NUCE_OK;
    if (lstat(request->output, &there) == 0)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: exists: remove it, or name another by --output",
                       request->output);
    for (int i = 0; i < request->count && error->status == NUCE_OK; i++)
        find_files(&making, request->folder, request->names[i], error);
    sorted = json_dumps(making.files, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(making.files);
    making.files = sorted != NULL ? json_loads(sorted, 0, NULL) : NULL;
    free(sorted);
    if (error->status == NUCE_OK)
        write_file(&making, request->output, out, report, error);
    json_decref(making.files);
    json_decref(making.places);
    return error->status;
}
