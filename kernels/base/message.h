/* Messages on stderr, from main's level only: libraries return errors and print nothing. Every line
 * that nuce says about itself begins with "nuce: ", so that it is told from what programs say. */
#ifndef NUCE_MESSAGE_H
#define NUCE_MESSAGE_H

#include "base/error.h"

/* Prints "nuce: " and the message (NULL: "?"), folded to the width of a terminal; control
 * characters other than newlines become '?', since parts of it may come from files. */
void nuce_message_print(const char *message);

/* The same as a function that others report through, which needs no context. */
void nuce_message_report(void *context, const char *message);

/* What a shell says of a program that the signal SIGPIPE ended. */
#define NUCE_EXIT_PIPE 141

/* Whether something could not be written on stdout because its reader went away, as head does. */
int nuce_message_pipe_broke(void);

/* Prints the error, with the place and the subject that it knows; returns the exit status. Nothing
 * is said, and the status is NUCE_EXIT_PIPE, where the reader of stdout went away: the error is
 * then most likely of that. */
int nuce_message_error(const struct nuce_error *error);

#endif
