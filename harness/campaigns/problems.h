/* What is wrong with a file that a user wrote: everything that is found, not only the first. */
#ifndef NUCE_PROBLEMS_H
#define NUCE_PROBLEMS_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* One thing that is wrong at one place. */
struct nuce_problem {
    int64_t line, column; /* from 1 */
    /* Without place and path, one line or several; owned. */
    char *message;
    int is_note; /* printed as one: the file is taken as it is */
};

/* Those of one file, in the order in which they were found until nuce_problems_print sorts them. */
struct nuce_problems {
    const char *path; /* borrowed: what stands before line and column */
    struct nuce_problem *list;
    int64_t count, capacity;
    int64_t notes;    /* of the count */
    int64_t left_out; /* beyond NUCE_PROBLEMS_KEPT */
    int64_t
        given_up; /* combinations that cannot be run, after which no other was looked at; or 0 */
};

/* So many are kept, notes among them; a file with more is not read to the last line by anybody. */
#define NUCE_PROBLEMS_KEPT 20

/* Empty; path is borrowed for as long as *problems lives. Freed with nuce_problems_fini. */
void nuce_problems_init(struct nuce_problems *problems, const char *path);
void nuce_problems_fini(struct nuce_problems *problems);

/* Adds one at a place of the file, unless the same stands there already. What is not printable in
 * the message becomes question marks, since it quotes a file of others. */
void nuce_problems_add(struct nuce_problems *problems, int64_t line, int64_t column,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Adds what a user may not have meant, though it is taken. */
void nuce_problems_note(struct nuce_problems *problems, int64_t line, int64_t column,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Whether there is none, so that the file can be taken; notes are none. */
int nuce_problems_none(const struct nuce_problems *problems);

/* Writes each as a line `path:line:column: message`, a note as `...: note: message`, in the order
 * of the file, folded to the width of a terminal; then, where that is so, that no more were looked
 * for. */
void nuce_problems_print(struct nuce_problems *problems, FILE *out);

#endif
