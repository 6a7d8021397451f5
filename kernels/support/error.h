/* Statuses, error messages and assertions: how every function of nuce fails.
 *
 * A function that can fail returns a nuce_status and, unless that is NUCE_OK, fills the caller's
 * struct nuce_error. Outputs are written only on success. Nothing below main prints or exits. */
#ifndef NUCE_ERROR_H
#define NUCE_ERROR_H

#include <stddef.h>

typedef enum nuce_status {
    NUCE_OK = 0,
    NUCE_FAILED,      /* memory, files, a library: exit status 1 */
    NUCE_BAD_INPUT,   /* what the user gave is wrong: exit status 2 */
    NUCE_CORRUPT,     /* a payload or result was wrong: exit status 1 */
    NUCE_INTERRUPTED, /* stopped by a signal, resumable: exit status 75 (EX_TEMPFAIL) */
} nuce_status;

#define NUCE_MESSAGE_BYTES 2048

struct nuce_error {
    nuce_status status;
    char message[NUCE_MESSAGE_BYTES]; /* one line or several, no newline at the end */
};

/* Formats the message into *error (longer ones are cut, what is not printable becomes question
 * marks) and returns status. */
nuce_status nuce_error_set(struct nuce_error *error, nuce_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts text formatted from format, then ": ", before the message that stands in *error; returns
 * the status that stands there. */
nuce_status nuce_error_prefix(struct nuce_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The process exit status that status stands for: 0, 1, 2 or 75. */
int nuce_exit_status(nuce_status status);

/* A broken assumption is a bug: says where and aborts. SIGABRT makes the MPI launcher end the whole
 * job, so no other rank is left waiting. Active in every build type. */
#define NUCE_ASSERT(condition)                                                                     \
    ((condition) ? (void)0 : nuce_assertion_failed(#condition, __FILE__, __LINE__))

_Noreturn void nuce_assertion_failed(const char *condition, const char *file, int line);

#endif
