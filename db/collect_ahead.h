/* Inside collect: the lines of a record file, one after another, read ahead by a thread of its own
 * while the caller inserts rows. What is read and in which order does not depend on the thread. */
#ifndef NUCE_COLLECT_AHEAD_H
#define NUCE_COLLECT_AHEAD_H

#include "db/collect_line.h"

struct nuce_collect_lines;

/* Begins with the first of the lines of text (borrowed until nuce_collect_lines_destroy). is_ahead:
 * they are read ahead, all of them; 0, or where a thread is not worth it or refused: each is hashed
 * when it is asked for, and it is the caller's to read those that it does not know. NULL: *error
 * says why. */
struct nuce_collect_lines *nuce_collect_lines_create(const char *text, size_t length, int is_ahead,
                                                     struct nuce_error *error);

/* The next line, until the next call; NULL: there is none. */
struct nuce_collect_line *nuce_collect_lines_next(struct nuce_collect_lines *lines);

/* Also before the last line; accepts NULL. */
void nuce_collect_lines_destroy(struct nuce_collect_lines *lines);

#endif
