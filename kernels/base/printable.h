/* Text from anywhere, made fit for a terminal. The lowest layer: it needs nothing of nuce. */
#ifndef NUCE_PRINTABLE_H
#define NUCE_PRINTABLE_H

#include <stdio.h>

/* Makes text harmless on a terminal and valid in JSON, in place and without changing its length:
 * what is no whole UTF-8 character, control characters other than newlines, and marks that turn the
 * direction of what follows or end a line become question marks. */
void nuce_printable_make(char *text);

/* The same, of newlines too: what is to be one line, such as a name. */
void nuce_printable_make_line(char *text);

/* Writes text of any origin as nuce_printable_make has it; what follows a newline is indented by
 * two blanks, so that no line of it passes for one of ours. NULL is "?". */
void nuce_printable_put(const char *text, FILE *file);

/* How many columns text takes on a terminal: a character each, four where a table writes a control
 * character as \x1b; and the bytes at its beginning that take at most so many. */
int nuce_printable_width(const char *text);
size_t nuce_printable_bytes(const char *text, int columns);

/* How wide what goes to file may be: 100 on a terminal, 0 (as wide as it is) else. */
int nuce_printable_columns(FILE *file);

/* Writes text, which is fit for a terminal, broken between words so that no line has more than so
 * many columns (0: it is not broken); `at` stand on the first line already, `indent` blanks come in
 * front of each further one. A word that is longer than a line is
 * broken behind a comma, or stays whole. */
void nuce_printable_fold(const char *text, int columns, int at, int indent, FILE *file);

#endif
