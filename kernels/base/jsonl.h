/* JSON lines: records appended so that a crash can tear at most the last one. The reader
 * distinguishes a torn line from a damaged file. The JSON library is jansson. */
#ifndef NUCE_JSONL_H
#define NUCE_JSONL_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"

/* Significant figures of a real in a line: nanosecond resolution up to a quarter of an hour. */
#define NUCE_JSONL_PRECISION 12

struct nuce_jsonl_writer {
    int descriptor; /* -1: not open */
    char *path;     /* owned; for messages */
    off_t kept;     /* bytes known to be on the disk */
};

/* Creates path, which must not exist (O_EXCL: two jobs never share a record file), and locks it
 * (flock) for as long as it is open, so that others can see that its writer lives.
 * Released with nuce_jsonl_close. */
nuce_status nuce_jsonl_create(const char *path, struct nuce_jsonl_writer *out,
                              struct nuce_error *error);

/* The line of value (borrowed) as nuce_jsonl_append writes it, without the newline: a new string,
 * or NULL. */
char *nuce_jsonl_sealed(const json_t *value, struct nuce_error *error);

/* Appends value (borrowed) as one compact line with sorted keys, reals of NUCE_JSONL_PRECISION
 * figures, and the line's checksum at its end (base/seal.h). One write: others see the line, and it
 * survives the end of this process. On failure (a full disk) the file is cut back to its complete
 * lines. */
nuce_status nuce_jsonl_write(struct nuce_jsonl_writer *writer, const json_t *value,
                             struct nuce_error *error);

/* Makes the written lines survive a crash of the machine, by one fdatasync: some milliseconds on a
 * busy disk. On failure the file is cut back to the lines that are known to be on the disk. */
nuce_status nuce_jsonl_keep(struct nuce_jsonl_writer *writer, struct nuce_error *error);

/* nuce_jsonl_write and nuce_jsonl_keep. */
nuce_status nuce_jsonl_append(struct nuce_jsonl_writer *writer, const json_t *value,
                              struct nuce_error *error);

/* Prints value (borrowed) as one compact line with sorted keys and exact reals: reading it back
 * gives an equal value. Returns nonzero if the write succeeded. */
int nuce_jsonl_print(const json_t *value, FILE *stream);

/* Closes the file; accepts a writer that is not open. */
void nuce_jsonl_close(struct nuce_jsonl_writer *writer);

/* True if a living writer holds path open. Always false on a file system without locks. */
int nuce_jsonl_is_open(const char *path);

struct nuce_jsonl_counts {
    int64_t lines; /* complete lines handed to the callback */
    int64_t torn;  /* 1 if the file ends in the middle of a line, else 0 */
};

/* Is given a line of a file: text is the line without its newline, value its JSON (borrowed, an
 * object). */
typedef nuce_status nuce_jsonl_each(void *context, int64_t line, const char *text, size_t length,
                                    json_t *value, struct nuce_error *error);

/* Reads path and calls each with every complete line, in order. For a line that is not a JSON
 * object it returns NUCE_BAD_INPUT and names path and line. The first status other than NUCE_OK
 * from each ends the reading and is returned. A last line without a newline is torn: it is counted,
 * but not passed on, and is not an error. */
nuce_status nuce_jsonl_read(const char *path, nuce_jsonl_each *each, void *context,
                            struct nuce_jsonl_counts *counts, struct nuce_error *error);

/* Makes the value of a line of its kind in less time than reading all of it takes; NULL: all of it
 * must be read. A newline follows the text. */
typedef json_t *nuce_jsonl_parse(const char *text, size_t length);

/* As nuce_jsonl_read, for lines of nuce_jsonl_append. A line with a wrong checksum is passed on
 * with the value NULL and without an error. parse may be NULL. */
nuce_status nuce_jsonl_read_sealed(const char *path, nuce_jsonl_parse *parse, nuce_jsonl_each *each,
                                   void *context, struct nuce_jsonl_counts *counts,
                                   struct nuce_error *error);

#endif
