/* A whole file in memory, with a zero after it.
 *
 * Its size is taken when the file is opened. Text appended during the read is ignored; a file that
 * is cut meanwhile makes *length smaller. Pipes and devices have no such size and are refused. */
#include "base/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"

/* Reads up to size bytes; returns the count, or -1. */
static ssize_t read_whole(int descriptor, char *text, size_t size)
{
    size_t done = 0;

    while (done < size) {
        ssize_t count = read(descriptor, text + done, size - done);

        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return -1;
        if (count == 0)
            break;
        done += (size_t)count;
    }
    return (ssize_t)done;
}

nuce_status nuce_text_read_descriptor(int descriptor, const char *name, char **text, size_t *length,
                                      struct nuce_error *error)
{
    struct stat facts;
    ssize_t count;
    char *data;

    if (fstat(descriptor, &facts) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", name, strerror(errno));
    if (!S_ISREG(facts.st_mode))
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: not a regular file", name);
    data = nuce_allocate((int64_t)facts.st_size + 1, 1);
    count = read_whole(descriptor, data, (size_t)facts.st_size);
    if (count < 0) {
        free(data);
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", name, strerror(errno));
    }
    data[count] = '\0';
    *text = data;
    if (length != NULL)
        *length = (size_t)count;
    return NUCE_OK;
}

nuce_status nuce_text_read(const char *path, char **text, size_t *length, struct nuce_error *error)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    nuce_status status;

    if (descriptor < 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    status = nuce_text_read_descriptor(descriptor, path, text, length, error);
    close(descriptor);
    return status;
}

/* Uses fseeko from the end. In a file smaller than size - 1 that fails, and it is read from its
 * start. */
long nuce_text_read_end(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "re");
    size_t length;

    if (file == NULL)
        return -1;
    if (fseeko(file, -(off_t)(size - 1), SEEK_END) != 0)
        rewind(file);
    length = fread(text, 1, size - 1, file);
    fclose(file);
    text[length] = '\0';
    return (long)length;
}

void nuce_text_print_begin(struct nuce_text_print *out)
{
    *out = (struct nuce_text_print){0};
    out->file = open_memstream(&out->text, &out->length);
    if (out->file == NULL)
        nuce_allocate_failed(1, 1);
}

void nuce_text_print_end(struct nuce_text_print *print)
{
    int failed = ferror(print->file);

    if (fclose(print->file) != 0 || failed)
        nuce_allocate_failed((int64_t)print->length, 1);
}
