/* Inside collect: what one line of a record file says, as far as that can be told without the
 * database. So it can be read ahead by another thread (collect_ahead.h) while rows are inserted. */
#ifndef NUCE_COLLECT_LINE_H
#define NUCE_COLLECT_LINE_H

#include <jansson.h>
#include <stdint.h>

#include "db/collect_samples.h"
#include "support/error.h"
#include "support/hash.h"

/* A line of a record file on its way to the database. Number, text, its length in bytes and is_torn
 * are the caller's; hash is filled by nuce_collect_line_hash, and from record on by
 * nuce_collect_line_read. Freed with nuce_collect_line_fini. */
struct nuce_collect_line {
    int64_t number;   /* in its file, from 1 */
    const char *text; /* of the file, borrowed; without what ends the line */
    size_t length;
    int is_torn; /* 1: nothing ends it; it is not hashed, nor read */
    char hash[NUCE_HASH_BYTES];
    /* Of hashing and reading it. NUCE_BAD_INPUT without a record: the line is none, and column says
     * from where on; with a record: it is that of a run, which is not valid. */
    nuce_status status;
    struct nuce_error error; /* set where status is not NUCE_OK */
    int64_t column;          /* from 1 */
    int is_damaged;          /* 1: it is not as it was written */
    int is_read;             /* 1: what follows has been looked for */
    /* Of any kind and version, perhaps without its samples; NULL: status says why. */
    json_t *record;
    /* Of a valid run: its parameters and what it found as JSON (NULL: nothing), and its samples. */
    char *params, *found;
    struct nuce_collect_samples samples;
};

/* Hashes the line, whose text is set; a carriage return at its end is left out of it. */
void nuce_collect_line_hash(struct nuce_collect_line *line);

/* Reads and checks a line that has been hashed, once: a second call does nothing. */
void nuce_collect_line_read(struct nuce_collect_line *line);

/* Frees what reading it has made; accepts one that is all zero. */
void nuce_collect_line_fini(struct nuce_collect_line *line);

#endif
