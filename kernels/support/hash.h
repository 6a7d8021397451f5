/* SHA-256, by libcrypto: the identity of points, records and environments. */
#ifndef NUCE_HASH_H
#define NUCE_HASH_H

#include "support/error.h"

#define NUCE_HASH_BYTES 65 /* 64 hexadecimal digits and the end */

/* Writes the SHA-256 of length bytes at data to hex, as `sha256sum` prints it. */
nuce_status nuce_hash(const void *data, size_t length, char hex[NUCE_HASH_BYTES],
                      struct nuce_error *error);

/* The same of a file's content. NUCE_BAD_INPUT if it cannot be read. */
nuce_status nuce_hash_file(const char *path, char hex[NUCE_HASH_BYTES], struct nuce_error *error);

#endif
