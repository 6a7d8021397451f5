/* Calling other programs, Slurm's and SimGrid's: by argv, with a time limit, and with what they say
 * kept. */
#ifndef NUCE_COMMAND_H
#define NUCE_COMMAND_H

#include <jansson.h>

#include "base/error.h"

/* What a program has said and how it ended. */
struct nuce_command_reply {
    int status; /* as waitpid says; -1: killed because it took too long */
    char *out;  /* standard output, NUL-ended; owned */
    char *err;  /* of its standard error the first line that speaks of an error, or else the first;
                   without the newline, printable ASCII; owned */
};

/* Runs argv (array of texts; argv[0] is searched in PATH) with stdin from /dev/null and waits for
 * its end, limit_s seconds at most; then it is ended with all that it started. NUCE_FAILED when it
 * cannot be started, with the reason: everything else, also a bad end, is in *reply. Signals that
 * stop nuce stop the wait as NUCE_INTERRUPTED, and the program is ended too. Not between
 * nuce_process_prepare and nuce_process_restore. Freed with nuce_command_reply_fini. */
nuce_status nuce_command_run(const json_t *argv, int limit_s, struct nuce_command_reply *reply,
                             struct nuce_error *error);
/* Accepts one that is all zero. */
void nuce_command_reply_fini(struct nuce_command_reply *reply);

/* A word of an argv, formatted as by printf, of any bytes: a path need not be UTF-8, which texts of
 * JSON elsewhere must be. New reference. */
json_t *nuce_command_word(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* via (may be NULL) and program as the beginning of an argv, then further words up to a NULL. New
 * reference. */
json_t *nuce_command_argv(const char *via, const char *program, ...) __attribute__((sentinel));

/* Whether execvp would find it; sets errno where it does not. */
int nuce_command_exists(const char *program);

/* Whether it ended by itself with status 0. */
int nuce_command_succeeded(const struct nuce_command_reply *reply);

/* What to tell of a program that did not succeed: "sbatch ended with status 1: sbatch: error: ..."
 * or "sbatch took too long and was stopped". A new string. */
char *nuce_command_complaint(const char *program, const struct nuce_command_reply *reply);

#endif
