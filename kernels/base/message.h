/* Messages on stderr, from main's level only: libraries return errors and print nothing. Every line
 * from nuce itself begins with "nuce: ", which distinguishes it from the output of programs. */
#ifndef NUCE_MESSAGE_H
#define NUCE_MESSAGE_H

#include "base/error.h"

/* Prints "nuce: " and the message (NULL: "?"), folded to the width of a terminal; control
 * characters other than newlines become '?', since parts of it may come from files. */
void nuce_message_print(const char *message);

/* The same as a callback for reports; it ignores its context. */
void nuce_message_report(void *context, const char *message);

/* The exit status that a shell reports for a program ended by SIGPIPE. */
#define NUCE_EXIT_PIPE 141

/* True if a write to stdout failed because its reader, such as head, has gone. */
int nuce_message_pipe_broke(void);

/* Prints the error with its place and subject, and returns the exit status. If the reader of stdout
 * has gone, it prints nothing and returns NUCE_EXIT_PIPE, as that most likely caused the error. */
int nuce_message_error(const struct nuce_error *error);

#endif
