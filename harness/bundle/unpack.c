#include "bundle/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "bundle/folder.h"
#include "support/memory.h"
#include "support/text.h"
#include "support/units.h"

#define CHUNK_BYTES 65536
#define GZIP_WINDOW (15 + 16) /* the largest, and a gzip header */

struct unpacking {
    const char *path; /* of the archive */
    const char *folder;
    const struct nuce_bundle_limits *limits;
    struct nuce_findings *findings;
    struct nuce_error *error; /* status other than NUCE_OK: over */
    int descriptor;
    z_stream stream;
    int ended;             /* the gzip stream is */
    int64_t bytes, stored; /* of the tar, and written to files */
    int64_t files;
    const char *damage; /* what is wrong with the gzip stream; NULL: nothing so far */
    unsigned char packed[CHUNK_BYTES], plain[CHUNK_BYTES];
    struct archive *archive;
};

static int is_interrupted(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t pending;

    (void)sigpending(&pending);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (sigismember(&pending, signals[i]))
            return 1;
    }
    return 0;
}

static nuce_status refuse_size(struct unpacking *at)
{
    char text[NUCE_UNITS_BYTES];

    return nuce_error_set(at->error, NUCE_BAD_INPUT,
                          "%s: unpacks to more than %s or %lld files (--limit)", at->path,
                          nuce_format_bytes(at->limits->bytes, text), (long long)at->limits->files);
}

/* The gzip layer. */

/* Fills the input of the stream; 0 at the end of the file, or with at->damage. */
static int read_packed(struct unpacking *at)
{
    ssize_t length;

    do {
        length = read(at->descriptor, at->packed, sizeof at->packed);
    } while (length < 0 && errno == EINTR);
    if (length < 0)
        (void)nuce_error_set(at->error, NUCE_FAILED, "%s: %s", at->path, strerror(errno));
    at->stream.next_in = at->packed;
    at->stream.avail_in = length > 0 ? (unsigned)length : 0;
    return length > 0;
}

/* Makes the next bytes of the tar; 0: there are none, or at->damage says why not. */
static size_t inflate_some(struct unpacking *at)
{
    at->stream.next_out = at->plain;
    at->stream.avail_out = CHUNK_BYTES;
    while (!at->ended && at->damage == NULL && at->stream.avail_out == CHUNK_BYTES) {
        int code;

        if (at->stream.avail_in == 0 && !read_packed(at)) {
            at->damage = "ends too early";
            break;
        }
        code = inflate(&at->stream, Z_NO_FLUSH);
        if (code == Z_STREAM_END)
            at->ended = 1;
        else if (code != Z_OK && code != Z_BUF_ERROR)
            at->damage = at->stream.msg != NULL ? at->stream.msg : "damaged";
    }
    at->bytes += CHUNK_BYTES - at->stream.avail_out;
    if (at->bytes > at->limits->bytes)
        (void)refuse_size(at);
    else if (is_interrupted())
        (void)nuce_error_set(at->error, NUCE_INTERRUPTED, "%s: interrupted", at->path);
    return at->error->status == NUCE_OK ? CHUNK_BYTES - at->stream.avail_out : 0;
}

static la_ssize_t give_bytes(struct archive *archive, void *context, const void **buffer)
{
    struct unpacking *at = context;
    size_t length = inflate_some(at);

    *buffer = at->plain;
    if (length > 0 || (at->damage == NULL && at->error->status == NUCE_OK))
        return (la_ssize_t)length;
    archive_set_error(archive, EILSEQ, "%s", at->damage != NULL ? at->damage : at->error->message);
    return ARCHIVE_FATAL;
}

/* The tar layer. */

/* Whether path is that of the bundle's folder or below it, of plain components; a folder's may end
 * in a slash. */
static int is_of_bundle(const char *path, int is_folder)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-+=,@";
    size_t first = strlen(NUCE_BUNDLE_FOLDER);

    if (path == NULL || strncmp(path, NUCE_BUNDLE_FOLDER, first) != 0 ||
        (path[first] != '/' && !(path[first] == '\0' && is_folder)))
        return 0;
    for (const char *at = path;; at++) {
        size_t length = strspn(at, allowed);

        if (length == 0 && *at == '\0' && is_folder)
            return 1;
        if (length == 0 || length > NAME_MAX || at[0] == '.' || at[0] == '-')
            return 0;
        at += length;
        if (*at != '/')
            return *at == '\0' && at - path < PATH_MAX / 2;
    }
}

/* Refuses what no bundle has; *name is the entry's path below the folder, NULL for a folder. */
static nuce_status judge(struct unpacking *at, struct archive_entry *entry, const char **name)
{
    const char *path = archive_entry_pathname(entry);
    int is_folder = archive_entry_filetype(entry) == AE_IFDIR;

    *name = is_folder ? NULL : path;
    if (++at->files > at->limits->files ||
        archive_entry_size(entry) > at->limits->bytes - at->stored)
        return refuse_size(at);
    if (!is_of_bundle(path, is_folder))
        return nuce_error_set(at->error, NUCE_BAD_INPUT,
                              "%s: refused: '%s' is no path of a bundle (" NUCE_BUNDLE_FOLDER
                              "/...)",
                              at->path, path != NULL ? path : "");
    if (archive_entry_hardlink(entry) != NULL || archive_entry_symlink(entry) != NULL ||
        (!is_folder && archive_entry_filetype(entry) != AE_IFREG))
        return nuce_error_set(at->error, NUCE_BAD_INPUT,
                              "%s: refused: '%s' is a link, a device or such: a bundle has only "
                              "files",
                              at->path, path);
    return NUCE_OK;
}

/* The archive's bytes from here on cannot be read: that is a finding about the entry. */
static nuce_status note_damage(struct unpacking *at, const char *name)
{
    const char *reason = at->damage != NULL ? at->damage : archive_error_string(at->archive);
    const char *file = name != NULL ? name : at->path;
    const size_t above = strlen(NUCE_BUNDLE_FOLDER "/");

    if (strncmp(file, NUCE_BUNDLE_FOLDER "/", above) == 0)
        file += above;
    return nuce_findings_add(at->findings, NUCE_FINDING_ALTERED, file, 0, at->error,
                             "the archive is damaged here: %s", reason != NULL ? reason : "");
}

static nuce_status write_failed(struct unpacking *at, const char *path)
{
    if (errno == EEXIST || errno == EISDIR || errno == ENOTDIR)
        return nuce_error_set(at->error, NUCE_BAD_INPUT,
                              "%s: refused: '%s' is there twice, or a file and a folder", at->path,
                              path + strlen(at->folder) + 1);
    return nuce_error_set(at->error, NUCE_FAILED, "%s: %s", path, strerror(errno));
}

/* Writes the content; *damaged: it could not be read to its end. */
static nuce_status store_content(struct unpacking *at, int descriptor, const char *path,
                                 int *damaged)
{
    char buffer[CHUNK_BYTES];
    la_ssize_t length;

    while ((length = archive_read_data(at->archive, buffer, sizeof buffer)) > 0) {
        at->stored += length;
        if (at->stored > at->limits->bytes)
            return refuse_size(at);
        for (la_ssize_t done = 0; done < length;) {
            ssize_t written = write(descriptor, buffer + done, (size_t)(length - done));

            if (written < 0 && errno != EINTR)
                return write_failed(at, path);
            done += written > 0 ? written : 0;
        }
    }
    *damaged = length < 0;
    return at->error->status;
}

/* *damaged: nothing can be read behind it. A file that is not whole is removed again. */
static nuce_status store_file(struct unpacking *at, const char *name, int *damaged)
{
    char *path;
    int descriptor;

    if (nuce_folder_make_above(at->folder, name, at->error) != NUCE_OK)
        return at->error->status;
    path = nuce_text_format(at->error, "%s/%s", at->folder, name);
    if (path == NULL)
        return at->error->status;
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        (void)write_failed(at, path);
    } else {
        (void)store_content(at, descriptor, path, damaged);
        if (close(descriptor) != 0 && at->error->status == NUCE_OK)
            (void)write_failed(at, path);
        if (*damaged || at->error->status != NUCE_OK)
            (void)unlink(path);
    }
    free(path);
    return at->error->status;
}

/* Takes entry by entry; *damaged: not to the end. */
static nuce_status take_entries(struct unpacking *at, int *damaged)
{
    struct archive_entry *entry;
    const char *name;
    int code;

    while ((code = archive_read_next_header(at->archive, &entry)) == ARCHIVE_OK ||
           code == ARCHIVE_WARN) {
        if (judge(at, entry, &name) != NUCE_OK)
            return at->error->status;
        if (name != NULL && store_file(at, name, damaged) != NUCE_OK)
            return at->error->status;
        if (*damaged)
            return note_damage(at, name);
    }
    *damaged = code != ARCHIVE_EOF;
    if (at->error->status == NUCE_OK && *damaged)
        (void)note_damage(at, NULL);
    return at->error->status;
}

/* What follows the tar: no more than its padding and gzip's checksums, which cover all bytes. */
static nuce_status take_end(struct unpacking *at)
{
    while (at->error->status == NUCE_OK && !at->ended && at->damage == NULL)
        (void)inflate_some(at);
    if (at->error->status == NUCE_OK && at->damage == NULL && at->stream.avail_in == 0)
        (void)read_packed(at);
    if (at->error->status == NUCE_OK && at->damage == NULL && at->stream.avail_in > 0)
        at->damage = "there are bytes behind its end";
    if (at->error->status == NUCE_OK && at->damage != NULL)
        (void)note_damage(at, NULL);
    return at->error->status;
}

static nuce_status take_archive(struct unpacking *at)
{
    int damaged = 0;

    if (inflateInit2(&at->stream, GZIP_WINDOW) != Z_OK)
        return nuce_error_set(at->error, NUCE_FAILED, "out of memory for an archive");
    at->archive = archive_read_new();
    if (at->archive == NULL || archive_read_support_format_tar(at->archive) != ARCHIVE_OK)
        (void)nuce_error_set(at->error, NUCE_FAILED, "out of memory for an archive");
    else if (archive_read_open(at->archive, at, NULL, give_bytes, NULL) != ARCHIVE_OK)
        (void)(at->error->status == NUCE_OK ? note_damage(at, NULL) : NUCE_OK);
    else if (take_entries(at, &damaged) == NUCE_OK && !damaged)
        (void)take_end(at);
    (void)archive_read_free(at->archive);
    (void)inflateEnd(&at->stream);
    return at->error->status;
}

nuce_status nuce_unpack(const char *path, const char *folder,
                        const struct nuce_bundle_limits *limits, struct nuce_findings *findings,
                        struct nuce_error *error)
{
    struct unpacking *at = nuce_allocate(1, sizeof *at, error);
    struct stat there;

    if (at == NULL)
        return error->status;
    *at = (struct unpacking){.path = path,
                             .folder = folder,
                             .limits = limits,
                             .findings = findings,
                             .error = error,
                             .descriptor = open(path, O_RDONLY | O_CLOEXEC)};
    error->status = NUCE_OK;
    if (at->descriptor < 0)
        (void)nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    else if (fstat(at->descriptor, &there) == 0 && S_ISDIR(there.st_mode))
        (void)nuce_error_set(error, NUCE_BAD_INPUT, "%s: a folder, expected the archive", path);
    else
        (void)take_archive(at);
    if (at->descriptor >= 0)
        (void)close(at->descriptor);
    free(at);
    return error->status;
}
