/* JSON lines: records appended so that a crash can tear at most the last one, and read back so that
 * a torn one is told apart from a damaged file. The JSON itself is jansson's. */
#ifndef NUCE_JSONL_H
#define NUCE_JSONL_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"

/* Significant figures of a real in a line: nanoseconds of a quarter of an hour. */
#define NUCE_JSONL_PRECISION 12

struct nuce_jsonl_writer {
    int descriptor; /* -1: not open */
    char *path;     /* owned; for messages */
    off_t kept;     /* bytes that are known to be on the disk */
};

/* Creates path, which must not exist (O_EXCL: two jobs never share a record file), and locks it
 * (flock) for as long as it is open, so that others can see that its writer lives.
 * Released with nuce_jsonl_close. */
nuce_status nuce_jsonl_create(const char *path, struct nuce_jsonl_writer *out,
                              struct nuce_error *error);

/* value (borrowed) as nuce_jsonl_append writes it, without the newline: a new string, or NULL. */
char *nuce_jsonl_sealed(const json_t *value, struct nuce_error *error);

/* Appends value (borrowed) as one compact line with sorted keys and
 * reals of NUCE_JSONL_PRECISION figures, and the line's checksum behind them (base/seal.h),
 * with one write: others see it, and it is there should this process die.
 * On failure (a full disk) the file is cut back to the lines that were complete. */
nuce_status nuce_jsonl_write(struct nuce_jsonl_writer *writer, const json_t *value,
                             struct nuce_error *error);

/* With one fdatasync, some milliseconds on a busy disk: what was written is there should the
 * machine die. On failure the file is cut back to the lines of which that is so. */
nuce_status nuce_jsonl_keep(struct nuce_jsonl_writer *writer, struct nuce_error *error);

/* Both. */
nuce_status nuce_jsonl_append(struct nuce_jsonl_writer *writer, const json_t *value,
                              struct nuce_error *error);

/* Prints value (borrowed) as one compact line with sorted keys and reals as exact as they are: what
 * is read back is equal. Whether stream took it. */
int nuce_jsonl_print(const json_t *value, FILE *stream);

/* Closes; accepts a writer that is not open. */
void nuce_jsonl_close(struct nuce_jsonl_writer *writer);

/* Whether a living writer holds path open. 0 also where the file system knows no locks. */
int nuce_jsonl_is_open(const char *path);

struct nuce_jsonl_counts {
    int64_t lines; /* complete lines handed to the callback */
    int64_t torn;  /* 1 if the file ends in the middle of a line, else 0 */
};

/* Reads path and calls each(context, line_number, text, length, value) for every complete line, in
 * order; text is the line without its newline, value its JSON (borrowed, an object). A line that is
 * not a JSON object is NUCE_BAD_INPUT naming path and line. The first status that each returns
 * other than NUCE_OK ends the reading and is returned. A last line without a newline is torn:
 * counted, not handed out, no error. */
nuce_status
nuce_jsonl_read(const char *path,
                nuce_status (*each)(void *context, int64_t line, const char *text, size_t length,
                                    json_t *value, struct nuce_error *error),
                void *context, struct nuce_jsonl_counts *counts, struct nuce_error *error);

/* As nuce_jsonl_read, of lines that nuce_jsonl_append wrote: one whose checksum does not fit it is
 * handed out with the value NULL and no error. */
nuce_status
nuce_jsonl_read_sealed(const char *path,
                       nuce_status (*each)(void *context, int64_t line, const char *text,
                                           size_t length, json_t *value, struct nuce_error *error),
                       void *context, struct nuce_jsonl_counts *counts, struct nuce_error *error);

#endif
