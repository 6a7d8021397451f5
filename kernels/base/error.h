/* Statuses, error messages and assertions: how every function of nuce fails.
 *
 * A function that can fail returns a nuce_status and, unless that is NUCE_OK, fills the caller's
 * struct nuce_error. Outputs are written only on success. Nothing below main prints or exits.
 *
 * What is known of an error is kept apart: the option or key that is wrong (its subject), the file
 * and place where it stands, and what is wrong with it. So the caller who knows where an option
 * came from (a command line, a sweep, a line of a plan) can point there, and nobody takes a message
 * apart. Only nuce_error_text puts the parts together.
 *
 * Memory that runs out is no error: it ends the job (allocate.h). A function that fails returns
 * what it put into error->status, so that `return error->status` after a call that failed hands
 * both on. */
#ifndef NUCE_ERROR_H
#define NUCE_ERROR_H

#include <stddef.h>
#include <stdint.h>

typedef enum nuce_status {
    NUCE_OK = 0,
    NUCE_FAILED,      /* files, a library: exit status 1 */
    NUCE_BAD_INPUT,   /* what the user gave is wrong: exit status 2 */
    NUCE_CORRUPT,     /* a payload or result was wrong: exit status 1 */
    NUCE_INTERRUPTED, /* stopped by a signal, resumable: exit status 75 (EX_TEMPFAIL) */
} nuce_status;

#define NUCE_MESSAGE_BYTES 2048

/* Longer ones are cut: both are for people. */
#define NUCE_SUBJECT_BYTES 128
#define NUCE_ERROR_PATH_BYTES 1024

/* Without pointers: a rank sends it to the others as it is. */
struct nuce_error {
    nuce_status status;
    int64_t line, column;             /* in path, from 1; 0: not known */
    char path[NUCE_ERROR_PATH_BYTES]; /* of the file where it stands; "": no file, or no place */
    char subject[NUCE_SUBJECT_BYTES]; /* the option or key that is wrong; "": no single one */
    char message[NUCE_MESSAGE_BYTES]; /* one line or several, no newline at the end */
};

/* Formats the message into *error, which gets no subject and no place (longer ones are cut, what
 * is not printable becomes question marks), and returns status. */
nuce_status nuce_error_set(struct nuce_error *error, nuce_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Refuses the value of the option or key called subject: NUCE_BAD_INPUT with a message that does
 * not name it, such as "'%d': expected at most %d". */
nuce_status nuce_error_refuse(struct nuce_error *error, const char *subject, const char *format,
                              ...) __attribute__((format(printf, 3, 4)));

/* The following three add to an error that stands in *error what a caller further out knows, and
 * return its status. What was there becomes part of the message where it would otherwise be lost:
 * the place in a mesh file stays when the sweep's option `mesh` is named. */

/* It is subject that is wrong. */
nuce_status nuce_error_about(struct nuce_error *error, const char *subject);

/* It stands there in the file at path; line and column from 1, 0: not known. */
nuce_status nuce_error_at(struct nuce_error *error, const char *path, int64_t line, int64_t column);

/* Puts text formatted from format, then ": ", before all of it. */
nuce_status nuce_error_prefix(struct nuce_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

enum nuce_error_style {
    NUCE_ERROR_KEYS,    /* "subject: message": keys of a file, and what goes into a record */
    NUCE_ERROR_OPTIONS, /* "--subject: message" where no file is named: of a command line */
};

#define NUCE_ERROR_TEXT_BYTES (NUCE_ERROR_PATH_BYTES + NUCE_SUBJECT_BYTES + NUCE_MESSAGE_BYTES + 64)

/* All of *error as people read it, "path:line:column: subject: message", of that what is known;
 * written to text and returned. */
const char *nuce_error_text(const struct nuce_error *error, enum nuce_error_style style,
                            char text[NUCE_ERROR_TEXT_BYTES]);

/* Makes what is known beside it part of the message, in the style of keys, and returns the message:
 * for a record, or where another message takes it in. */
const char *nuce_error_flatten(struct nuce_error *error);

/* Prints "program: text" on stderr, in the style of options; for mains, and the watchdog that ends
 * a program in main's place. */
void nuce_error_print(const struct nuce_error *error, const char *program);

/* The process exit status that status stands for: 0, 1, 2 or 75. */
int nuce_error_exit_status(nuce_status status);

/* A broken assumption is a bug: says where and aborts. SIGABRT makes the MPI launcher end the whole
 * job, so no other rank is left waiting. Active in every build type. */
#define NUCE_ASSERT(condition)                                                                     \
    ((condition) ? (void)0 : nuce_error_assertion_failed(#condition, __FILE__, __LINE__))

_Noreturn void nuce_error_assertion_failed(const char *condition, const char *file, int line);

#endif
