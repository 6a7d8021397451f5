/* Calling Slurm's programs: by argv, with a time limit, and with what they say kept. */
#ifndef NUCE_SLURM_COMMAND_H
#define NUCE_SLURM_COMMAND_H

#include <jansson.h>

#include "error.h"

struct nuce_slurm_reply {
    int status; /* as waitpid says; -1: killed because it took too long */
    char *out;  /* standard output, NUL-ended; owned */
    char *err;  /* of its standard error the first line that speaks of an error, or else the first;
                   without the newline, printable ASCII; owned */
};

/* Runs argv (array of texts; argv[0] is searched in PATH) with stdin from /dev/null and waits for
 * its end, limit_s seconds at most; then it is ended with all that it started. NUCE_FAILED when it
 * cannot be started, with the reason: everything else, also a bad end, is in *reply. Signals that
 * stop nuce stop the wait as NUCE_INTERRUPTED, and the program is ended too. Not between
 * nuce_process_prepare and nuce_process_restore. Freed with nuce_slurm_reply_fini. */
nuce_status nuce_slurm_command(const json_t *argv, int limit_s, struct nuce_slurm_reply *reply,
                               struct nuce_error *error);
void nuce_slurm_reply_fini(struct nuce_slurm_reply *reply);

/* via (may be NULL) and program as the beginning of an argv. New reference. */
json_t *nuce_slurm_argv(const char *via, const char *program, ...) __attribute__((sentinel));

/* NUCE_BAD_INPUT that says what is missing, unless Slurm's program can be started: via, where it is
 * not NULL, or program itself, by its path or in PATH. */
nuce_status nuce_slurm_find(const char *via, const char *program, struct nuce_error *error);

/* Whether it ended by itself with status 0. */
int nuce_slurm_succeeded(const struct nuce_slurm_reply *reply);

/* "sbatch ended with status 1: sbatch: error: ..." or "sbatch took too long and was stopped"; a new
 * string. */
char *nuce_slurm_complaint(const char *program, const struct nuce_slurm_reply *reply);

#endif
