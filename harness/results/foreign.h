/* Results of other benchmarks as the sides of `nuce compare`: what OSU's and IMB's benchmarks
 * print, what hyperfine exports, and performance logs of ReFrame. */
#ifndef NUCE_FOREIGN_H
#define NUCE_FOREIGN_H

#include <jansson.h>

#include "base/error.h"
#include "db/store.h"
#include "results/sides.h"

/* True if the text names files: "file:" precedes it, or its first name is a regular file. */
int nuce_foreign_is_side(const char *text);

/* Reads the files of both sides, with commas between them, into a new database in memory. Each file
 * is a campaign there, and a value that a file has several times at a point is one launch each
 * time. On success *store is released with nuce_store_close, and both sides with nuce_side_fini.
 * NUCE_BAD_INPUT: a file is missing, given twice, or of no known format. */
nuce_status nuce_foreign_open(const char *const texts[2], struct nuce_store *store,
                              struct nuce_side *a, struct nuce_side *b, struct nuce_error *error);

/* For foreign.c alone: appends the values of the file at path to rows, an object each: workload
 * (the benchmark's maker), ranks (0: unknown), params (what the point is; unit and better as in the
 * workload `program`, if the value is not a number of seconds), command (hyperfine; else null),
 * value, cost (seconds, or the inverse of a rate; null: 0, or of a unit that is neither). *again is
 * a new string: the options with which `nuce race` measures such values. */
nuce_status nuce_foreign_read(const char *path, json_t *rows, char **again,
                              struct nuce_error *error);

#endif
