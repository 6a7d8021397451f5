/* Statuses, error messages and assertions: how every function of nuce fails.
 *
 * A function that can fail returns a nuce_status. On failure it also fills the caller's struct
 * nuce_error. Outputs are written only on success. Nothing below main prints or exits.
 *
 * The parts of an error are separate: the wrong option or key (its subject), the file and place of
 * it, and the message. A caller that knows the origin of an option (a command line, a sweep, a line
 * of a plan) can add that, and no code has to parse a message. Only nuce_error_text joins the
 * parts.
 *
 * Memory that runs out is not an error: it ends the job (allocate.h). A function that fails returns
 * the status that it put into error->status, so that `return error->status` after a failed call
 * passes both on. */
#ifndef NUCE_ERROR_H
#define NUCE_ERROR_H

#include <stddef.h>
#include <stdint.h>

typedef enum nuce_status {
    NUCE_OK = 0,
    NUCE_FAILED,      /* files, a library: exit status 1 */
    NUCE_BAD_INPUT,   /* the user's input is wrong: exit status 2 */
    NUCE_CORRUPT,     /* a payload or result was wrong: exit status 1 */
    NUCE_INTERRUPTED, /* stopped by a signal, resumable: exit status 75 (EX_TEMPFAIL) */
} nuce_status;

#define NUCE_MESSAGE_BYTES 2048

/* Sizes with the final NUL. Longer texts are cut: both are for people. */
#define NUCE_SUBJECT_BYTES 128
#define NUCE_ERROR_PATH_BYTES 1024

/* No pointers: a rank sends the struct to the others as it is. */
struct nuce_error {
    nuce_status status;
    int64_t line, column;             /* in path, from 1; 0: not known */
    char path[NUCE_ERROR_PATH_BYTES]; /* file of the place; "": no file, or no place */
    char subject[NUCE_SUBJECT_BYTES]; /* the option or key that is wrong; "": no single one */
    char message[NUCE_MESSAGE_BYTES]; /* one line or several, no newline at the end */
};

/* Formats the message into *error and returns status. The error has no subject and no place. Longer
 * messages are cut; unprintable characters become question marks. */
nuce_status nuce_error_set(struct nuce_error *error, nuce_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Refuses the value of the option or key called subject: NUCE_BAD_INPUT with a message that does
 * not name it, such as "'%d': expected at most %d". */
nuce_status nuce_error_refuse(struct nuce_error *error, const char *subject, const char *format,
                              ...) __attribute__((format(printf, 3, 4)));

/* The following three add a caller's knowledge to the error in *error, and return its status.
 * Earlier parts that would be lost become part of the message: the place in a mesh file stays when
 * the sweep's option `mesh` is named. */

/* Sets the option or key that is wrong. */
nuce_status nuce_error_about(struct nuce_error *error, const char *subject);

/* Sets the place in the file at path; line and column from 1, 0: not known. */
nuce_status nuce_error_at(struct nuce_error *error, const char *path, int64_t line, int64_t column);

/* Puts the formatted text and ": " before the whole error. */
nuce_status nuce_error_prefix(struct nuce_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

enum nuce_error_style {
    NUCE_ERROR_KEYS,    /* "subject: message": keys of a file, and texts for a record */
    NUCE_ERROR_OPTIONS, /* "--subject: message" if no file is named: of a command line */
};

#define NUCE_ERROR_TEXT_BYTES (NUCE_ERROR_PATH_BYTES + NUCE_SUBJECT_BYTES + NUCE_MESSAGE_BYTES + 64)

/* The whole *error for people, "path:line:column: subject: message", of which only the known parts;
 * written to text and returned. */
const char *nuce_error_text(const struct nuce_error *error, enum nuce_error_style style,
                            char text[NUCE_ERROR_TEXT_BYTES]);

/* Makes the other parts of *error part of its message, in the style of keys, and returns the
 * message: for a record, or for use within another message. */
const char *nuce_error_flatten(struct nuce_error *error);

/* Prints "program: text" on stderr, in the style of options; for mains, and for the watchdog, which
 * ends a program in main's place. */
void nuce_error_print(const struct nuce_error *error, const char *program);

/* The process exit status for status: 0, 1, 2 or 75. */
int nuce_error_exit_status(nuce_status status);

/* A broken assumption is a bug: prints the place and aborts. SIGABRT makes the MPI launcher end the
 * whole job, so no other rank is left waiting. Active in every build type. */
#define NUCE_ASSERT(condition)                                                                     \
    ((condition) ? (void)0 : nuce_error_assertion_failed(#condition, __FILE__, __LINE__))

_Noreturn void nuce_error_assertion_failed(const char *condition, const char *file, int line);

#endif
