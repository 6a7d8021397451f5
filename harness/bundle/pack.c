/* The tar is libarchive's; the gzip around it is made here, since only so does its header have a
 * checksum too (RFC 1952, FHCRC): no byte of the file can change unnoticed. */
#include "bundle/pack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "support/memory.h"
#include "support/text.h"

#define CHUNK_BYTES 65536
#define GZIP_WINDOW (15 + 16) /* the largest, and a gzip header */
#define GZIP_MEMORY 8         /* zlib's usual */
#define GZIP_UNIX 3           /* the header names the system */

struct nuce_pack {
    char *path;
    int descriptor;
    struct archive *archive;
    z_stream stream;
    gz_header header;
    unsigned char chunk[CHUNK_BYTES];
};

static int write_all(int descriptor, const unsigned char *data, size_t length)
{
    while (length > 0) {
        ssize_t written = write(descriptor, data, length);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return 0;
        data += written;
        length -= (size_t)written;
    }
    return 1;
}

/* Compresses length bytes at data, or, with flush Z_FINISH, what is left. */
static int compress_bytes(struct nuce_pack *pack, const void *data, size_t length, int flush)
{
    int code;

    NUCE_ASSERT(length <= UINT_MAX);
    pack->stream.next_in = (unsigned char *)data;
    pack->stream.avail_in = (unsigned)length;
    do {
        pack->stream.next_out = pack->chunk;
        pack->stream.avail_out = CHUNK_BYTES;
        code = deflate(&pack->stream, flush);
        if (code == Z_STREAM_ERROR ||
            !write_all(pack->descriptor, pack->chunk, CHUNK_BYTES - pack->stream.avail_out))
            return 0;
    } while (pack->stream.avail_out == 0);
    return 1;
}

static la_ssize_t take_bytes(struct archive *archive, void *context, const void *data,
                             size_t length)
{
    if (compress_bytes(context, data, length, Z_NO_FLUSH))
        return (la_ssize_t)length;
    archive_set_error(archive, errno, "%s", strerror(errno));
    return ARCHIVE_FATAL;
}

static nuce_status fail(struct nuce_pack *pack, struct nuce_error *error)
{
    const char *reason = archive_error_string(pack->archive);

    return nuce_error_set(error, NUCE_FAILED, "%s: cannot write: %s", pack->path,
                          reason != NULL ? reason : strerror(errno));
}

struct nuce_pack *nuce_pack_create(const char *path, struct nuce_error *error)
{
    struct nuce_pack *pack = nuce_allocate(1, sizeof *pack, error);

    if (pack == NULL)
        return NULL;
    pack->path = nuce_text_format(error, "%s", path);
    pack->descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    pack->archive = pack->path != NULL && pack->descriptor >= 0 ? archive_write_new() : NULL;
    if (pack->archive == NULL) {
        (void)nuce_error_set(error, errno == EEXIST ? NUCE_BAD_INPUT : NUCE_FAILED, "%s: %s", path,
                             strerror(errno));
        free(pack->path);
        free(pack);
        return NULL;
    }
    pack->header = (gz_header){.os = GZIP_UNIX, .hcrc = 1};
    if (deflateInit2(&pack->stream, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
                     Z_DEFAULT_STRATEGY) == Z_OK &&
        deflateSetHeader(&pack->stream, &pack->header) == Z_OK &&
        archive_write_set_format_pax_restricted(pack->archive) == ARCHIVE_OK &&
        archive_write_open(pack->archive, pack, NULL, take_bytes, NULL) == ARCHIVE_OK)
        return pack;
    (void)fail(pack, error);
    nuce_pack_abandon(pack);
    return NULL;
}

nuce_status nuce_pack_add(struct nuce_pack *pack, const char *name, const void *data, size_t length,
                          struct nuce_error *error)
{
    struct archive_entry *entry = archive_entry_new();
    const char *at = data;
    int good = entry != NULL;

    if (good) {
        archive_entry_set_pathname(entry, name);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_mtime(entry, 0, 0);
        archive_entry_set_size(entry, (la_int64_t)length);
        good = archive_write_header(pack->archive, entry) == ARCHIVE_OK;
    }
    while (good && length > 0) {
        size_t part = length < CHUNK_BYTES ? length : CHUNK_BYTES;

        good = archive_write_data(pack->archive, at, part) == (la_ssize_t)part;
        at += part;
        length -= part;
    }
    archive_entry_free(entry);
    return good ? NUCE_OK : fail(pack, error);
}

static void release(struct nuce_pack *pack)
{
    (void)archive_write_free(pack->archive);
    (void)deflateEnd(&pack->stream);
    if (pack->descriptor >= 0)
        (void)close(pack->descriptor);
    free(pack->path);
    free(pack);
}

nuce_status nuce_pack_finish(struct nuce_pack *pack, struct nuce_error *error)
{
    if (archive_write_close(pack->archive) != ARCHIVE_OK ||
        !compress_bytes(pack, NULL, 0, Z_FINISH) || fsync(pack->descriptor) != 0) {
        (void)fail(pack, error);
        nuce_pack_abandon(pack);
        return error->status;
    }
    release(pack);
    return NUCE_OK;
}

void nuce_pack_abandon(struct nuce_pack *pack)
{
    (void)unlink(pack->path);
    /* Else freeing would write what is still to come. */
    (void)archive_write_fail(pack->archive);
    release(pack);
}
