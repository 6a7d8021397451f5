/* Messages on stderr, from main's level only. */
#ifndef NUCE_MESSAGE_H
#define NUCE_MESSAGE_H

#include "error.h"

/* Prints "nuce: " and the message; control characters other than newlines become '?', since parts
 * of it may come from files. */
void nuce_message_print(const char *message);

/* The same for an error; returns the exit status. */
int nuce_message_error(const struct nuce_error *error);

#endif
