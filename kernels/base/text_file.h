/* Whole files in memory, and texts that are printed into memory. */
#ifndef NUCE_TEXT_FILE_H
#define NUCE_TEXT_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* Reads the file at path. *text is new, ends in a NUL after its *length bytes (length may be NULL),
 * and is freed by the caller. NUCE_BAD_INPUT if it cannot be read. */
nuce_status nuce_text_read(const char *path, char **text, size_t *length, struct nuce_error *error);

/* The same from an open descriptor of a regular file, which stays open; name is its name in
 * messages. */
nuce_status nuce_text_read_descriptor(int descriptor, const char *name, char **text, size_t *length,
                                      struct nuce_error *error);

/* Reads at most size - 1 bytes of the end of the file into text, which ends in a NUL. Returns their
 * number, or -1 if it cannot be opened. */
long nuce_text_read_end(const char *path, char *text, size_t size);

/* A text that is printed into memory. Memory that runs out ends the program. */
struct nuce_text_print {
    FILE *file;    /* stream to print to */
    char *text;    /* the text, once it has ended; freed by the caller */
    size_t length; /* of text, without its NUL */
};

void nuce_text_print_begin(struct nuce_text_print *out);
void nuce_text_print_end(struct nuce_text_print *print);

#endif
