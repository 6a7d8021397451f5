/* Whole files in memory. */
#ifndef NUCE_TEXT_FILE_H
#define NUCE_TEXT_FILE_H

#include <stddef.h>

#include "support/error.h"

/* Reads the file at path; *text is new, ends in a NUL beyond its *length bytes (length may be
 * NULL), and is freed by the caller. NUCE_BAD_INPUT if it cannot be read. */
nuce_status nuce_text_read(const char *path, char **text, size_t *length, struct nuce_error *error);

/* The same from an open descriptor of a regular file, which stays open; name stands in messages. */
nuce_status nuce_text_read_descriptor(int descriptor, const char *name, char **text, size_t *length,
                                      struct nuce_error *error);

/* Reads at most size - 1 bytes of the end of the file into text, which ends in a NUL; returns how
 * many, -1 if it cannot be opened. */
long nuce_text_read_end(const char *path, char *text, size_t size);

#endif
