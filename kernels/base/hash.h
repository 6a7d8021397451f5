/* SHA-256, by nettle: the identity of points, records and environments. */
#ifndef NUCE_HASH_H
#define NUCE_HASH_H

#include <stddef.h>

#include "base/error.h"

#define NUCE_HASH_BYTES 65 /* 64 hexadecimal digits and the NUL */

/* Writes the SHA-256 of length bytes at data to hex, as `sha256sum` prints it. */
void nuce_hash(const void *data, size_t length, char hex[NUCE_HASH_BYTES]);

/* The same of a file's content. NUCE_BAD_INPUT if it cannot be read. */
nuce_status nuce_hash_file(const char *path, char hex[NUCE_HASH_BYTES], struct nuce_error *error);

/* The same for bytes that arrive piece by piece. */
struct nuce_hash_state;

/* A state without any bytes, freed with nuce_hash_destroy, which accepts NULL. */
struct nuce_hash_state *nuce_hash_create(void);
void nuce_hash_add(struct nuce_hash_state *state, const void *data, size_t length);

/* Writes the SHA-256 of all added bytes. Nothing can be added after it. */
void nuce_hash_end(struct nuce_hash_state *state, char hex[NUCE_HASH_BYTES]);
void nuce_hash_destroy(struct nuce_hash_state *state);

#endif
