/* SHA256SUMS: a line "HASH  PATH" a file, as sha256sum writes and checks it. */
#ifndef NUCE_SUMS_H
#define NUCE_SUMS_H

#include <stdint.h>

#include "support/error.h"
#include "support/hash.h"

struct nuce_sum {
    char *path; /* below the bundle's folder */
    char hash[NUCE_HASH_BYTES];
};

struct nuce_sums {
    struct nuce_sum *list; /* by path, ascending, each once */
    int64_t count, capacity;
};

/* Adds path, which is behind all that are there, with the SHA-256 of length bytes at data, or,
 * where data is NULL, of the file at source. */
nuce_status nuce_sums_add(struct nuce_sums *sums, const char *path, const char *source,
                          const void *data, size_t length, struct nuce_error *error);

/* The lines as one text, new, freed by the caller; NULL with *error. */
char *nuce_sums_text(const struct nuce_sums *sums, struct nuce_error *error);

/* Reads the file at path. NUCE_BAD_INPUT names the line that is none, is out of order or has a path
 * that is no file of a bundle. */
nuce_status nuce_sums_read(const char *path, struct nuce_sums *out, struct nuce_error *error);

/* The sum of path, or NULL. */
const struct nuce_sum *nuce_sums_find(const struct nuce_sums *sums, const char *path);

void nuce_sums_fini(struct nuce_sums *sums);

#endif
