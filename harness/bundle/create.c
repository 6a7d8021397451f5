/* Making a bundle: the files with their checksums, the archive, and a look at what came of it.
 *
 * Order: campaigns are opened and their files listed and hashed (bundle_find_files), checksums
 * written and signed (make_sums), all of it packed into a file beside the output (write_archive),
 * that file unpacked and checked as any reader would (read_back), and only then renamed. A file
 * that changes between hashing and packing is thus found.
 *
 * The same campaigns give the same bytes, whoever bundles them, when and where: entries are in the
 * order of their paths, have the time of the campaign and nobody's name, and gzip's header has no
 * time. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bundle/parts.h"
#include "bundle/patterns.h"
#include "launch/campaign.h"
#include "support/allocate.h"
#include "support/jsonl.h"
#include "support/text.h"
#include "support/text_file.h"

/* A bundle under way. count: campaigns that are open by now, to be closed in the end. */
struct making {
    const struct nuce_bundle_request *request;
    struct nuce_campaign *campaigns; /* opened for reading */
    int64_t count;
    struct nuce_bundle_files files;
    char *sums; /* text of SHA256SUMS */
    size_t sums_length;
    char *signature; /* of it; NULL: none */
    struct archive *archive;
};

/* When the campaign was made, as campaign.json says it; zero if it does not. The time of entries of
 * an archive: an import gives it to the files, by which the newest campaign is found. */
static struct timespec time_created(const struct nuce_campaign *campaign)
{
    const char *created = json_string_value(json_object_get(campaign->description, "created"));
    struct tm parts = {0};
    const char *rest = created != NULL ? strptime(created, "%Y-%m-%dT%H:%M:%S", &parts) : NULL;
    long milliseconds = rest != NULL && *rest == '.' ? strtol(rest + 1, NULL, 10) % 1000 : 0;

    if (rest == NULL)
        return (struct timespec){0};
    return (struct timespec){.tv_sec = timegm(&parts), .tv_nsec = labs(milliseconds) * 1000000};
}

/* Where the file is that the bundle has. A new string. */
static char *source_of(const struct making *making, const struct nuce_bundle_file *file,
                       struct nuce_error *error)
{
    const struct nuce_campaign *campaign = &making->campaigns[file->campaign];

    return nuce_text_format(error, "%s/%s", campaign->path,
                            nuce_bundle_name_in_campaign(file->path));
}

/* Records that somebody still writes would end where they happen to be. Such a file would also have
 * another checksum by the time it is packed. */
static nuce_status check_quiet(const struct making *making, struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    for (int64_t i = 0; status == NUCE_OK && i < making->files.count; i++) {
        char *path = source_of(making, &making->files.list[i], error);

        if (path == NULL)
            status = error->status;
        else if (nuce_jsonl_is_open(path))
            status =
                nuce_error_set(error, NUCE_FAILED,
                               "%s: a job is still writing records: wait for it or stop it", path);
        free(path);
    }
    return status;
}

/* Lists the files of all campaigns. Opening a campaign says whether it is one, and where; opened
 * ones are closed by the caller, making->count of them. */
static nuce_status bundle_find_files(struct making *making, struct nuce_error *error)
{
    const struct nuce_bundle_request *request = making->request;
    struct nuce_bundle_files *files = &making->files;

    making->campaigns = nuce_allocate(request->count, sizeof *making->campaigns, error);
    if (making->campaigns == NULL)
        return error->status;
    for (int i = 0; i < request->count; i++) {
        struct nuce_campaign *campaign = &making->campaigns[i];
        int64_t first = files->count;

        if (nuce_campaign_open(request->folder, request->names[i], NUCE_CAMPAIGN_READ, campaign,
                               error) != NUCE_OK)
            return error->status;
        making->count++;
        if (nuce_patterns_keep(campaign, error) != NUCE_OK)
            return error->status;
        if (nuce_bundle_add_campaign(files, campaign->path, campaign->name, error) != NUCE_OK)
            return error->status;
        for (int64_t j = first; j < files->count; j++)
            files->list[j].campaign = i;
    }
    nuce_bundle_sort(files);
    for (int64_t i = 1; i < files->count; i++) {
        if (strcmp(files->list[i - 1].path, files->list[i].path) == 0)
            return nuce_error_set(error, NUCE_BAD_INPUT, "%s: named twice",
                                  making->campaigns[files->list[i].campaign].name);
    }
    return check_quiet(making, error);
}

/* Nothing in an entry depends on who bundles, or where or when. All of the content is in memory,
 * one file at a time. */
static nuce_status add_entry(struct making *making, const char *path, struct timespec time,
                             const char *data, size_t length, struct nuce_error *error)
{
    struct archive_entry *entry = archive_entry_new();
    char *name = nuce_text_format(error, NUCE_BUNDLE_FOLDER "/%s", path);
    nuce_status status = NUCE_OK;

    if (entry == NULL || name == NULL) {
        status = nuce_error_set(error, NUCE_FAILED, "out of memory for an archive");
    } else {
        archive_entry_set_pathname(entry, name);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_mtime(entry, time.tv_sec, time.tv_nsec);
        archive_entry_set_size(entry, (la_int64_t)length);
        if (archive_write_header(making->archive, entry) != ARCHIVE_OK ||
            archive_write_data(making->archive, data, length) != (la_ssize_t)length)
            status =
                nuce_error_set(error, NUCE_FAILED, "%s", archive_error_string(making->archive));
    }
    archive_entry_free(entry);
    free(name);
    return status;
}

/* The file is read a second time: that it has changed since it was hashed is found by read_back. */
static nuce_status bundle_add_file(struct making *making, const struct nuce_bundle_file *file,
                                   struct nuce_error *error)
{
    char *path = source_of(making, file, error), *text = NULL;
    size_t length = 0;
    nuce_status status = path != NULL ? nuce_text_read(path, &text, &length, error) : error->status;

    if (status == NUCE_OK)
        status = add_entry(making, file->path, time_created(&making->campaigns[file->campaign]),
                           text, length, error);
    free(text);
    free(path);
    return status;
}

/* SHA256SUMS and its signature. Before the archive is begun: a key that does not sign costs nothing
 * then. */
static nuce_status make_sums(struct making *making, struct nuce_error *error)
{
    FILE *stream = open_memstream(&making->sums, &making->sums_length);

    for (int64_t i = 0; stream != NULL && i < making->files.count; i++)
        (void)fprintf(stream, "%s  %s\n", making->files.list[i].sha256, making->files.list[i].path);
    if (stream == NULL || fclose(stream) != 0)
        return nuce_error_set(error, NUCE_FAILED, "out of memory for checksums");
    if (making->request->key == NULL)
        return NUCE_OK;
    making->signature =
        nuce_signature_make(making->request->key, making->sums, making->sums_length, error);
    return making->signature != NULL ? NUCE_OK : error->status;
}

/* The checksums come first, for who reads the archive as a stream. */
static nuce_status add_sums(struct making *making, struct nuce_error *error)
{
    const struct timespec none = {0};
    nuce_status status =
        add_entry(making, NUCE_BUNDLE_SUMS, none, making->sums, making->sums_length, error);

    if (status == NUCE_OK && making->signature != NULL)
        status = add_entry(making, NUCE_BUNDLE_SIGNATURE, none, making->signature,
                           strlen(making->signature), error);
    return status;
}

static nuce_status bundle_add_all(struct making *making, struct nuce_error *error)
{
    nuce_status status = add_sums(making, error);

    for (int64_t i = 0; status == NUCE_OK && i < making->files.count; i++)
        status = bundle_add_file(making, &making->files.list[i], error);
    return status;
}

/* The same bytes for the same files: gzip's header has no time. The format is pax, whose times have
 * fractions of seconds. descriptor is the caller's to close. */
static nuce_status write_archive(struct making *making, int descriptor, struct nuce_error *error)
{
    struct archive *archive = archive_write_new();
    nuce_status status;

    if (archive == NULL)
        return nuce_error_set(error, NUCE_FAILED, "out of memory for an archive");
    making->archive = archive;
    if (archive_write_add_filter_gzip(archive) != ARCHIVE_OK ||
        archive_write_set_format_pax(archive) != ARCHIVE_OK ||
        archive_write_set_options(archive, "gzip:!timestamp,gzip:compression-level=9") !=
            ARCHIVE_OK ||
        archive_write_open_fd(archive, descriptor) != ARCHIVE_OK)
        status = nuce_error_set(error, NUCE_FAILED, "%s", archive_error_string(archive));
    else
        status = bundle_add_all(making, error);
    if (status != NUCE_OK)
        (void)archive_write_fail(archive); /* else freeing it writes what is still to come */
    else if (archive_write_close(archive) != ARCHIVE_OK)
        status = nuce_error_set(error, NUCE_FAILED, "%s", archive_error_string(archive));
    else if (fsync(descriptor) != 0)
        status = nuce_error_set(error, NUCE_FAILED, "%s", strerror(errno));
    (void)archive_write_free(archive);
    return status;
}

/* Reads the new archive as anybody will: that is how its problems are found, and whether a file has
 * changed since its checksum was made. */
static nuce_status read_back(const char *path, struct nuce_bundle *out,
                             struct nuce_bundle_report *report, struct nuce_error *error)
{
    const struct nuce_bundle_limits limits = {INT64_MAX, INT64_MAX};

    if (nuce_bundle_open(path, NULL, &limits, out, report, error) != NUCE_OK)
        return error->status;
    if (report->altered == 0)
        return NUCE_OK;
    nuce_bundle_close(out);
    return nuce_error_set(error, NUCE_FAILED, "files have changed meanwhile: bundle them again");
}

/* Writes FOLDER/.NAME.new beside output and renames it, so that nothing that looks like a bundle is
 * less than one. */
static nuce_status bundle_write_file(struct making *making, struct nuce_bundle *out,
                                     struct nuce_bundle_report *report, struct nuce_error *error)
{
    const char *output = making->request->output;
    const char *slash = strrchr(output, '/'), *name = slash != NULL ? slash + 1 : output;
    char *fresh = nuce_text_format(error, "%.*s.%s.new", (int)(name - output), output, name);
    nuce_status status = NUCE_OK;
    int descriptor;

    if (fresh == NULL)
        return error->status;
    (void)unlink(fresh);
    descriptor = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        status = nuce_error_set(error, NUCE_FAILED, "%s", strerror(errno));
    } else {
        status = write_archive(making, descriptor, error);
        (void)close(descriptor);
    }
    if (status == NUCE_OK)
        status = read_back(fresh, out, report, error);
    if (status == NUCE_OK && rename(fresh, output) != 0) {
        nuce_bundle_close(out);
        status = nuce_error_set(error, NUCE_FAILED, "%s", strerror(errno));
    }
    if (status != NUCE_OK && descriptor >= 0)
        (void)unlink(fresh);
    free(fresh);
    return status == NUCE_OK ? NUCE_OK : nuce_error_prefix(error, "%s", output);
}

nuce_status nuce_bundle_create(const struct nuce_bundle_request *request, struct nuce_bundle *out,
                               struct nuce_bundle_report *report, struct nuce_error *error)
{
    struct making making = {.request = request};
    struct stat there;
    nuce_status status;

    if (lstat(request->output, &there) == 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: is there already: remove it, or name another by --output",
                              request->output);
    status = bundle_find_files(&making, error);
    if (status == NUCE_OK && make_sums(&making, error) != NUCE_OK)
        status = nuce_error_prefix(error, "%s", request->output);
    if (status == NUCE_OK)
        status = bundle_write_file(&making, out, report, error);
    for (int64_t i = 0; i < making.count; i++)
        nuce_campaign_fini(&making.campaigns[i]);
    free(making.campaigns);
    nuce_bundle_files_fini(&making.files);
    free(making.signature);
    free(making.sums);
    return status;
}
