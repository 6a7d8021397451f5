/* Text from anywhere, made fit for a terminal. The lowest layer: it needs nothing of nuce. */
#ifndef NUCE_PRINTABLE_H
#define NUCE_PRINTABLE_H

/* Makes text harmless on a terminal and valid in JSON, in place and without changing its length:
 * what is no whole UTF-8 character, and control characters other than newlines, become question
 * marks. */
void nuce_printable_make(char *text);

#endif
