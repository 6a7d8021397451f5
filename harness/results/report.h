/* Messages on stderr, from main's level only. */
#ifndef NUCE_REPORT_H
#define NUCE_REPORT_H

#include "error.h"

/* Prints "nuce: " and the message; control characters other than newlines become '?', since parts
 * of it may come from files. */
void nuce_report_line(const char *message);

/* The same for an error; returns the exit status. */
int nuce_report_error(const struct nuce_error *error);

#endif
