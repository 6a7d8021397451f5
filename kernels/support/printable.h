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

#endif
