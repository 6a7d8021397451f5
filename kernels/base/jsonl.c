/* JSON lines that survive a crash: each line is one synchronised write, and the reader counts a
 * torn last line instead of failing on it.
 *
 * Cost of a line: JSON, its SHA-256, one write and one fdatasync; some milliseconds on a disk.
 * Records are written while nothing is timed. The reader holds one line at a time in memory, for
 * any size of the file. */
#include "base/jsonl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/seal.h"
#include "base/text.h"

nuce_status nuce_jsonl_create(const char *path, struct nuce_jsonl_writer *out,
                              struct nuce_error *error)
{
    struct nuce_jsonl_writer writer = {.descriptor = -1, .path = nuce_text_duplicate(path)};

    writer.descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (writer.descriptor < 0) {
        nuce_status status = errno == EEXIST ? NUCE_BAD_INPUT : NUCE_FAILED;

        nuce_error_set(error, status, "%s: %s", path, strerror(errno));
        free(writer.path);
        return status;
    }
    /* Waits at most for the short lock of nuce_jsonl_is_open. On a file system without locks others
     * only do not see that a writer is alive. */
    while (flock(writer.descriptor, LOCK_EX) != 0 && errno == EINTR)
        continue;
    *out = writer;
    return NUCE_OK;
}

char *nuce_jsonl_sealed(const json_t *value, struct nuce_error *error)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS |
                                       JSON_REAL_PRECISION(NUCE_JSONL_PRECISION));
    char *line = text != NULL ? realloc(text, strlen(text) + NUCE_SEAL_BYTES + 1) : NULL;

    if (line == NULL) {
        nuce_error_set(error, NUCE_FAILED, "a record cannot be written as JSON");
        free(text);
        return NULL;
    }
    nuce_seal_add(line, strlen(line));
    return line;
}

/* Called after a failure, which is in errno. */
static nuce_status cut_back(struct nuce_jsonl_writer *writer, off_t bytes, struct nuce_error *error)
{
    nuce_status status = nuce_error_set(error, NUCE_FAILED, "%s: cannot write a record: %s",
                                        writer->path, strerror(errno));

    if (bytes >= 0 && ftruncate(writer->descriptor, bytes) != 0)
        status = nuce_error_set(error, NUCE_FAILED,
                                "%s: cannot write a record, nor cut it off again: %s", writer->path,
                                strerror(errno));
    return status;
}

/* lseek finds the length to cut back to. One writer appends to the file, so the write goes
 * there. A short one (full disk, signal) is not continued: the file is cut back, so that the line
 * is complete or absent. */
nuce_status nuce_jsonl_write(struct nuce_jsonl_writer *writer, const json_t *value,
                             struct nuce_error *error)
{
    off_t end = lseek(writer->descriptor, 0, SEEK_END);
    nuce_status status = NUCE_OK;
    char *text = nuce_jsonl_sealed(value, error);
    ssize_t length, written;

    if (text == NULL)
        return error->status;
    length = (ssize_t)strlen(text);
    text[length] = '\n'; /* replaces the NUL: line and newline are one write */
    written = write(writer->descriptor, text, (size_t)length + 1);
    if (written >= 0 && written <= length)
        errno = ENOSPC;
    if (written <= length)
        status = cut_back(writer, end, error);
    free(text);
    return status;
}

nuce_status nuce_jsonl_keep(struct nuce_jsonl_writer *writer, struct nuce_error *error)
{
    off_t end = lseek(writer->descriptor, 0, SEEK_END);

    if (fdatasync(writer->descriptor) != 0)
        return cut_back(writer, writer->kept, error);
    writer->kept = end;
    return NUCE_OK;
}

nuce_status nuce_jsonl_append(struct nuce_jsonl_writer *writer, const json_t *value,
                              struct nuce_error *error)
{
    if (nuce_jsonl_write(writer, value, error) != NUCE_OK)
        return error->status;
    return nuce_jsonl_keep(writer, error);
}

int nuce_jsonl_print(const json_t *value, FILE *stream)
{
    return json_dumpf(value, stream, JSON_COMPACT | JSON_SORT_KEYS) == 0 &&
           fputc('\n', stream) != EOF;
}

void nuce_jsonl_close(struct nuce_jsonl_writer *writer)
{
    if (writer->descriptor >= 0)
        close(writer->descriptor);
    free(writer->path);
    writer->descriptor = -1;
    writer->path = NULL;
}

/* Tries to get a shared lock without waiting, and releases it at once. */
int nuce_jsonl_is_open(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    int is_open = 0;

    if (descriptor < 0)
        return 0;
    is_open = flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(descriptor);
    return is_open;
}

/* getline's buffer grows to the longest line and is reused. A damaged sealed line is not an error
 * of the file: each gets the value NULL, and reading continues with the next line. A line with a
 * right sum, or that needs none, has to be a JSON object. The counts are set only if all lines were
 * read. */
static nuce_status read_lines(const char *path, int is_sealed, nuce_jsonl_parse *parse,
                              nuce_jsonl_each *each, void *context,
                              struct nuce_jsonl_counts *counts, struct nuce_error *error)
{
    struct nuce_jsonl_counts seen = {0, 0};
    FILE *file = fopen(path, "rb");
    nuce_status status = NUCE_OK;
    size_t capacity = 0;
    char *text = NULL;
    ssize_t length;

    if (file == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    while (status == NUCE_OK && (length = getline(&text, &capacity, file)) > 0) {
        json_error_t problem;
        json_t *value;

        if (text[--length] != '\n') {
            seen.torn = 1;
            break;
        }
        seen.lines++;
        if (is_sealed && nuce_seal_check(text, (size_t)length, error) != NUCE_OK) {
            status = each(context, seen.lines, text, (size_t)length, NULL, error);
            continue;
        }
        value = parse == NULL ? NULL : parse(text, (size_t)length);
        if (value == NULL)
            value = json_loadb(text, (size_t)length, JSON_REJECT_DUPLICATES, &problem);
        if (json_is_object(value)) {
            status = each(context, seen.lines, text, (size_t)length, value, error);
        } else if (value != NULL) {
            nuce_error_set(error, NUCE_BAD_INPUT, "expected a JSON object");
            status = nuce_error_at(error, path, seen.lines, 1);
        } else {
            nuce_error_set(error, NUCE_BAD_INPUT, "not a JSON line: %s", problem.text);
            status =
                nuce_error_at(error, path, seen.lines, problem.column > 0 ? problem.column : 1);
        }
        json_decref(value);
    }
    /* ferror is not enough: getline sets neither flag if memory runs out. */
    if (status == NUCE_OK && !feof(file))
        status = nuce_error_set(error, NUCE_FAILED, "%s: %s", path, strerror(errno));
    free(text);
    fclose(file);
    if (status == NUCE_OK)
        *counts = seen;
    return status;
}

nuce_status nuce_jsonl_read(const char *path, nuce_jsonl_each *each, void *context,
                            struct nuce_jsonl_counts *counts, struct nuce_error *error)
{
    return read_lines(path, 0, NULL, each, context, counts, error);
}

nuce_status nuce_jsonl_read_sealed(const char *path, nuce_jsonl_parse *parse, nuce_jsonl_each *each,
                                   void *context, struct nuce_jsonl_counts *counts,
                                   struct nuce_error *error)
{
    return read_lines(path, 1, parse, each, context, counts, error);
}
