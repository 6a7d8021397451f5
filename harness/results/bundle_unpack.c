/* From an archive, possibly a stranger's, to files. libarchive reads gzip and tar and writes the
 * files. A list of names decides, entry by entry, which may become a file. So "..", absolute paths,
 * links or odd characters need no treatment of their own. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"
#include "results/bundle_parts.h"

#define BLOCK_BYTES 65536 /* block size of reads */

/* An archive during unpacking: libarchive reads by archive, and writes by disk. */
struct unpacking {
    const char *path, *folder; /* of the archive, and of the output */
    const struct nuce_bundle_limits *limits;
    json_t *files;
    struct nuce_bundle_report *report;
    struct archive *archive, *disk;
    int64_t entries, bytes; /* accepted so far */
    int damaged;            /* the rest is unreadable */
};

/* Refuses entries that no bundle has. *name becomes the entry's path in the bundle's folder, or
 * NULL for a folder, which needs no action. Sizes are those that the archive claims. The bytes read
 * also count, because an archive may have no entries and never end. */
static nuce_status unpack_judge(struct unpacking *at, struct archive_entry *entry,
                                const char **name, struct nuce_error *error)
{
    const char *path = archive_entry_pathname(entry);
    size_t length = strlen(NUCE_BUNDLE_FOLDER "/");
    char campaign[NUCE_BUNDLE_NAME_BYTES], limit[NUCE_UNITS_BYTES];

    if (++at->entries > at->limits->files ||
        archive_entry_size(entry) > at->limits->bytes - at->bytes ||
        archive_filter_bytes(at->archive, 0) > at->limits->bytes)
        return nuce_error_set(
            error, NUCE_BAD_INPUT, "%s: unpacks to more than %s or %lld files (--limit)", at->path,
            nuce_units_format_bytes(at->limits->bytes, limit), (long long)at->limits->files);
    at->bytes += archive_entry_size(entry);
    *name = NULL;
    if (archive_entry_filetype(entry) == AE_IFDIR)
        return NUCE_OK; /* files make their own folders */
    if (path == NULL || strncmp(path, NUCE_BUNDLE_FOLDER "/", length) != 0 ||
        !nuce_bundle_is_path(path + length, campaign))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: refused: '%s' is not a path of a bundle (" NUCE_BUNDLE_FOLDER
                              "/...)",
                              at->path, path != NULL ? path : "");
    if (archive_entry_hardlink(entry) != NULL || archive_entry_filetype(entry) != AE_IFREG)
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "%s: refused: '%s' is not a regular file: a bundle holds nothing else", at->path, path);
    *name = path + length;
    return NUCE_OK;
}

/* where: the file of the bundle, or the archive itself. Files before the damage remain, and are
 * compared. */
static void note_damage(struct unpacking *at, const char *where)
{
    const char *reason = archive_error_string(at->archive);

    at->damaged = 1;
    nuce_bundle_tell(at->report, NUCE_BUNDLE_ALTERED, "%s: the archive is damaged here: %s", where,
                     reason != NULL ? reason : "");
}

/* Writes the file, without its owner. It keeps its age, because other subcommands use the newest
 * campaign by default, and that must not be an old one from elsewhere. The name comes from
 * nuce_bundle_is_path, so it is below the folder. NUCE_OK also for damaged content: at->damaged is
 * set then, and the incomplete file is removed. NUCE_FAILED: our disk failed, not the bundle. */
static nuce_status store_file(struct unpacking *at, struct archive_entry *entry, const char *name,
                              struct nuce_error *error)
{
    char *path = nuce_text_format("%s/" NUCE_BUNDLE_FOLDER "/%s", at->folder, name);
    char *own = nuce_text_duplicate(name); /* name belongs to the entry and is freed with it */
    int is_written, code = ARCHIVE_EOF;
    const void *block;
    la_int64_t offset;
    size_t length;

    error->status = NUCE_OK;
    if (access(path, F_OK) == 0) {
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: refused: '%s' is there twice", at->path, own);
        goto done;
    }
    archive_entry_copy_pathname(entry, path);
    archive_entry_set_perm(entry, 0644);
    if (archive_entry_mtime(entry) > time(NULL))
        archive_entry_unset_mtime(entry);
    is_written = archive_write_header(at->disk, entry) >= ARCHIVE_WARN;
    while (is_written &&
           (code = archive_read_data_block(at->archive, &block, &length, &offset)) == ARCHIVE_OK) {
        is_written = archive_write_data_block(at->disk, block, length, offset) >= 0;
        if (is_written && nuce_bundle_is_interrupted()) {
            nuce_error_set(error, NUCE_INTERRUPTED, "%s: interrupted", at->path);
            goto done;
        }
    }
    if (is_written && code != ARCHIVE_EOF)
        note_damage(at, own);
    if (!is_written || archive_write_finish_entry(at->disk) < ARCHIVE_WARN)
        nuce_error_set(error, NUCE_FAILED, "%s", archive_error_string(at->disk));
    else if (at->damaged)
        unlink(path);
    else
        error->status = nuce_bundle_add_file(at->files, path, own, error);
done:
    free(path);
    free(own);
    return error->status;
}

/* Takes the entries one by one, until the end, damage or a signal. */
static nuce_status take_entries(struct unpacking *at, struct nuce_error *error)
{
    nuce_status status = NUCE_OK;
    struct archive_entry *entry;
    const char *name = NULL;
    int code;

    while (status == NUCE_OK && !at->damaged) {
        code = archive_read_next_header(at->archive, &entry);
        if (nuce_bundle_is_interrupted())
            return nuce_error_set(error, NUCE_INTERRUPTED, "%s: interrupted", at->path);
        if (code == ARCHIVE_EOF)
            break;
        if (code != ARCHIVE_OK && code != ARCHIVE_WARN) {
            note_damage(at, at->path);
            break;
        }
        status = unpack_judge(at, entry, &name, error);
        if (status == NUCE_OK && name != NULL)
            status = store_file(at, entry, name, error);
    }
    return status;
}

/* libarchive sets only the time of a file (ARCHIVE_EXTRACT_TIME) from the archive's metadata: no
 * owner, no set-user-ID, no attributes. */
nuce_status nuce_bundle_archive_unpack(const char *path, const char *folder,
                                       const struct nuce_bundle_limits *limits, json_t *files,
                                       struct nuce_bundle_report *report, struct nuce_error *error)
{
    struct unpacking at = {.path = path,
                           .folder = folder,
                           .limits = limits,
                           .files = files,
                           .report = report,
                           .archive = archive_read_new(),
                           .disk = archive_write_disk_new()};
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    nuce_status status = NUCE_OK;

    if (descriptor < 0)
        status = nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    else if (at.archive == NULL || at.disk == NULL ||
             archive_read_support_filter_gzip(at.archive) != ARCHIVE_OK ||
             archive_read_support_format_tar(at.archive) != ARCHIVE_OK ||
             archive_write_disk_set_options(at.disk, ARCHIVE_EXTRACT_TIME) != ARCHIVE_OK)
        status = nuce_error_set(error, NUCE_FAILED, "out of memory for an archive");
    else if (archive_read_open_fd(at.archive, descriptor, BLOCK_BYTES) != ARCHIVE_OK)
        note_damage(&at, path);
    else
        status = take_entries(&at, error);
    archive_read_free(at.archive);
    archive_write_free(at.disk);
    if (descriptor >= 0)
        close(descriptor);
    return status;
}
