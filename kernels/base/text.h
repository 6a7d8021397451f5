/* Strings: copies that report when they do not fit, and the nearest of several names. */
#ifndef NUCE_TEXT_H
#define NUCE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Copies text with its NUL into destination of size bytes; false, and nothing written, if it does
 * not fit. */
bool nuce_text_copy(char *destination, size_t size, const char *text);

/* The name of count names that is nearest to text, if near enough to be a typing error (a third of
 * its length, at least 1); else NULL. Borrowed from names. */
const char *nuce_text_nearest(const char *text, const char *const *names, size_t count);

/* "" for one, else "s": the plural of a noun after a number. */
const char *nuce_text_plural(int64_t count);

/* True if text is a valid name of a campaign, figure or algorithm: 1 to 64 of A-Z a-z 0-9 . _ -,
 * not beginning with a dot or a dash. Such a name is safe as a file name and in a shell. */
bool nuce_text_is_name(const char *text);

/* True if text has that ending, with something before it. */
bool nuce_text_ends(const char *text, const char *ending);

/* Takes the next word (characters other than blanks) of *text into word, cut to size - 1
 * characters, and moves *text past it; false at the end, or if *text is NULL. */
bool nuce_text_word(const char **text, char *word, size_t size);

/* True if text contains an ASCII control character, such as a newline or a tab. */
bool nuce_text_has_control(const char *text);

/* Copies the text behind key (""; from the start) up to the end of its line, with single blanks,
 * cut to size - 1 characters. Returns false if text does not contain key. */
bool nuce_text_line(const char *text, const char *key, char *out, size_t size);

/* The common name of the MPI library whose version text is given (MPI_Get_library_version), cut to
 * size - 1 characters: "MPICH 4.2.1" for "MPICH Version: 4.2.1", "Open MPI 5.0.7" for "Open MPI
 * v5.0.7, package: ...", for others the first sentence. Returns out. */
const char *nuce_text_library(const char *version, char *out, size_t size);

/* Gives report one line, formatted as by printf; a line longer than a message is cut. */
void nuce_text_report(void (*report)(void *context, const char *line), void *context,
                      const char *format, ...) __attribute__((format(printf, 3, 4)));

/* New strings, freed by the caller: formatted as by printf, and a copy. Never NULL. */
char *nuce_text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *nuce_text_format_list(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0)));
char *nuce_text_duplicate(const char *text);

/* Appends the formatted text to *text, such a string or NULL, which may move. */
void nuce_text_append(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
