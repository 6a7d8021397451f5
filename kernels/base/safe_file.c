/* Replaces a file by writing a new one in its folder and renaming that, so that a crash leaves the
 * old one or the new one.
 *
 * The content is on the disk before the name is (fsync before rename), and then the folder is
 * synchronised. So even a power cut leaves one of the two. Two simultaneous writers of one file are
 * not supported: both use the same .NAME.new. */
#include "base/safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* Does not follow a symbolic link (O_NOFOLLOW): a user who can make one in the folder could have
 * another file overwritten. A signal may end a write before any byte is written (EINTR), and a
 * write may be partial. errno of the first failure survives the closing. The result of close is
 * checked, too: some network file systems report a full disk only there. */
static int write_new(const char *path, const char *data, size_t length)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    int good = descriptor >= 0, reason;

    if (!good)
        return 0;
    while (good && length > 0) {
        ssize_t written = write(descriptor, data, length);

        if (written > 0) {
            data += written;
            length -= (size_t)written;
        } else {
            good = written < 0 && errno == EINTR;
        }
    }
    good = good && fsync(descriptor) == 0;
    reason = errno;
    good = close(descriptor) == 0 && good;
    errno = good ? errno : reason;
    return good;
}

void nuce_safe_synchronise(const char *folder, int (*synchronise)(int descriptor))
{
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (descriptor < 0)
        return;
    synchronise(descriptor);
    close(descriptor);
}

nuce_status nuce_safe_write(const char *folder, const char *name, const void *data, size_t length,
                            struct nuce_error *error)
{
    char *fresh = nuce_text_format("%s/.%s.new", folder, name);
    char *path = nuce_text_format("%s/%s", folder, name);

    error->status = NUCE_OK;
    if (!write_new(fresh, data, length) || rename(fresh, path) != 0) {
        nuce_error_set(error, NUCE_FAILED, "%s: cannot write: %s", path, strerror(errno));
        unlink(fresh);
    }
    nuce_safe_synchronise(*folder == '\0' ? "/" : folder, fsync);
    free(fresh);
    free(path);
    return error->status;
}

nuce_status nuce_safe_write_path(const char *path, const void *data, size_t length,
                                 struct nuce_error *error)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? nuce_text_duplicate(".")
                                 : nuce_text_format("%.*s", (int)(slash - path), path);

    nuce_safe_write(folder, slash == NULL ? path : slash + 1, data, length, error);
    free(folder);
    return error->status;
}
