/* What squeue is asked to print, and what is made of it. */
#ifndef NUCE_QUEUE_PARSE_H
#define NUCE_QUEUE_PARSE_H

#include "campaigns/queue.h"

/* "|", eight hexadecimal digits, "|", and the end, with some to spare */
#define NUCE_QUEUE_SEPARATOR_BYTES 16

/* A separator that was never used before: names of jobs are anybody's and hold anything, line ends
 * too, but not what is drawn only after they were given. */
void nuce_queue_separator(char separator[NUCE_QUEUE_SEPARATOR_BYTES]);

/* The value of squeue's --format with that separator behind every field. A new string; NULL with
 * *error. */
char *nuce_queue_format(const char *separator);

/* Rows printed so; lines that are none (rests of a name with line ends, messages) are left out.
 * NUCE_FAILED if the row of titles, which squeue prints first, is not there: then text is not what
 * was asked for. Freed with nuce_queue_fini. */
nuce_status nuce_queue_parse(const char *text, const char *separator, struct nuce_queue *out,
                             struct nuce_error *error);

/* The value of NAME in the lines "NAME   = VALUE" of text, or -1 if it is not there as a number. */
int64_t nuce_queue_setting(const char *text, const char *name);

#endif
