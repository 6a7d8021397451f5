/* Makes text of any origin fit for a terminal. The lowest layer: it depends on nothing else of
 * nuce. */
#ifndef NUCE_PRINTABLE_H
#define NUCE_PRINTABLE_H

#include <stdio.h>

/* Makes text harmless on a terminal and valid in JSON, in place and without changing its length.
 * Bytes that are no complete UTF-8 character, control characters other than newlines, and marks
 * that change the direction of text or end a line become question marks. */
void nuce_printable_make(char *text);

/* The same, and also replaces newlines: for a text of one line, such as a name. */
void nuce_printable_make_line(char *text);

/* Writes text of any origin as nuce_printable_make does. Each line after a newline is indented by
 * two blanks, so that it does not look like one of nuce's own. NULL is "?". */
void nuce_printable_put(const char *text, FILE *file);

/* The width of text on a terminal in columns: one per character, four for a control character that
 * a table writes as \x1b. The second function returns the number of bytes that take at most
 * columns. */
int nuce_printable_width(const char *text);
size_t nuce_printable_bytes(const char *text, int columns);

/* The width for output to file in columns: 100 on a terminal, else 0 (no limit). */
int nuce_printable_columns(FILE *file);

/* Writes text, which is fit for a terminal, broken between words so that no line exceeds columns
 * (0: not broken). The first line already has `at` columns; each further line begins with `indent`
 * blanks. A word longer than a line is broken after a comma, or stays whole. */
void nuce_printable_fold(const char *text, int columns, int at, int indent, FILE *file);

#endif
