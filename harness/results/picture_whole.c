/* The last bytes of a picture are what its format ends with: what was cut off on a full disk ends
 * otherwise. */
#include "results/picture_whole.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Blanks and newlines may follow the end in text. */
#define TAIL_BYTES 64

static int picture_is_blank(char c)
{
    return c == '\n' || c == '\r' || c == ' ';
}

/* Whether the length bytes at tail end as format does. A png's last chunk is empty, and its
 * checksum is always the same (ISO 15948, 11.2.5). */
static int ends_as(const char *tail, size_t length, const char *format)
{
    static const struct {
        const char *format, *end;
        size_t length;
        int is_text;
    } ends[] = {
        {"png", "\0\0\0\0IEND\xae\x42\x60\x82", 12, 0},
        {"svg", "</svg>", 6, 1},
        {"pdf", "%%EOF", 5, 1},
    };

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (strcmp(ends[i].format, format) != 0)
            continue;
        while (ends[i].is_text && length > 0 && picture_is_blank(tail[length - 1]))
            length--;
        return length >= ends[i].length &&
               memcmp(tail + length - ends[i].length, ends[i].end, ends[i].length) == 0;
    }
    return 0;
}

/* fsync comes first: that the disk is full may be told only then. */
nuce_status nuce_picture_check_whole(int folder, const char *name, const char *format,
                                     struct nuce_error *error)
{
    int descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    char tail[TAIL_BYTES];
    struct stat status;
    off_t begin = 0;
    ssize_t length = -1;

    if (descriptor >= 0 && fsync(descriptor) == 0 && fstat(descriptor, &status) == 0) {
        begin = status.st_size > TAIL_BYTES ? status.st_size - TAIL_BYTES : 0;
        length = pread(descriptor, tail, sizeof tail, begin);
    }
    if (length < 0)
        nuce_error_set(error, NUCE_FAILED, "%s: %s", name, strerror(errno));
    else if (!ends_as(tail, (size_t)length, format))
        nuce_error_set(error, NUCE_FAILED, "%s: gnuplot wrote no whole picture: is the disk full?",
                       name);
    else
        error->status = NUCE_OK;
    if (descriptor >= 0)
        close(descriptor);
    return error->status;
}
