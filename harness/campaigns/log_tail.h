/* The end of a log, for people. */
#ifndef NUCE_LOG_TAIL_H
#define NUCE_LOG_TAIL_H

/* Prints the last lines of the file at path, at most `most`, behind a margin and without control
 * characters: they come from programs, and from bundles of strangers. A line without its end is
 * left out: it is being written. Nothing where the file cannot be read. */
void nuce_log_tail_print(const char *path, int most);

#endif
