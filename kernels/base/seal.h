/* The checksum of a record's line, so that a line altered by the disk or a transfer does not count
 * as a good run. It is the last member of the line's object: ,"sum":"SUM"} where SUM is the first
 * NUCE_SEAL_DIGITS hexadecimal digits of the SHA-256 of all bytes before the comma. By hand: sed
 * 's/,"sum":"[0-9a-f]*"}$//' LINE | head -c -1 | sha256sum. It finds damage, not forgery. */
#ifndef NUCE_SEAL_H
#define NUCE_SEAL_H

#include <stddef.h>

#include "base/error.h"

#define NUCE_SEAL_DIGITS 16

/* Bytes that sealing adds to a line. */
#define NUCE_SEAL_BYTES (sizeof ",\"sum\":\"\"" - 1 + NUCE_SEAL_DIGITS)

/* Seals text, the compact JSON of an object with at least one member, of length bytes in a buffer
 * of at least length + NUCE_SEAL_BYTES + 1; the result ends in a NUL. */
void nuce_seal_add(char *text, size_t length);

/* NUCE_BAD_INPUT, with a message that names the fault, unless text is sealed and unchanged. text
 * has length bytes without a newline. A carriage return at its end does not count. */
nuce_status nuce_seal_check(const char *text, size_t length, struct nuce_error *error);

#endif
