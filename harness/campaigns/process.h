/* Child processes of nuce, and nothing of them left behind. */
#ifndef NUCE_PROCESS_H
#define NUCE_PROCESS_H

#include <jansson.h>
#include <signal.h>
#include <sys/types.h>

#include "base/error.h"

/* What the caller's process was before nuce_process_prepare. */
struct nuce_signals {
    sigset_t before;
};

/* Blocks INT, TERM, HUP, USR1 and CHLD, which nuce_process_wait then takes one by one, and makes
 * this process the parent of descendants whose own parent dies: MPI's proxies and ranks are in
 * sessions of their own and would otherwise be out of reach. nuce_process_restore undoes both; the
 * two do not nest. */
void nuce_process_prepare(struct nuce_signals *out);
void nuce_process_restore(const struct nuce_signals *signals);

/* Starts argv (NULL-ended; argv[0] without a slash is searched in PATH) in a process group of its
 * own, stdin from /dev/null, stdout and stderr appended to the files out and err (NULL: /dev/null),
 * with the signal mask of before nuce_process_prepare. It gets SIGTERM if this process dies.
 * NUCE_FAILED if it cannot be started; then there is no process. *pid is also its group's id. */
nuce_status nuce_process_start(const char *const *argv, const char *out, const char *err,
                               const struct nuce_signals *signals, pid_t *pid,
                               struct nuce_error *error);

enum nuce_event {
    NUCE_EVENT_TIME,   /* nothing happened */
    NUCE_EVENT_SIGNAL, /* INT, TERM, HUP or USR1 came: stop */
    NUCE_EVENT_ENDED,  /* pid ended; *status is what waitpid says */
};

/* Waits at most milliseconds for one of these. */
enum nuce_event nuce_process_wait(pid_t pid, int milliseconds, int *status);

/* Ends all descendants of this process: gives them grace_ms milliseconds to end by themselves, then
 * kills them. Returns how many were killed, or -1 if some could not be within 10 s. For a process
 * whose only children are those of nuce_process_start: it collects all that it has. */
int nuce_process_reap(int grace_ms);

/* Calling other programs, Slurm's and SimGrid's: by argv, with a time limit, and with what they say
 * kept. */

/* What a program has said and how it ended. */
struct nuce_process_reply {
    int status; /* as waitpid says; -1: killed because it took too long */
    char *out;  /* standard output, NUL-ended; owned */
    char *err;  /* of its standard error the first line that speaks of an error, or else the first;
                   without the newline, printable ASCII; owned */
};

/* Runs argv (array of texts; argv[0] is searched in PATH) with stdin from /dev/null and waits for
 * its end, limit_s seconds at most; then it is ended with all that it started. NUCE_FAILED when it
 * cannot be started, with the reason: everything else, also a bad end, is in *reply. Signals that
 * stop nuce stop the wait as NUCE_INTERRUPTED, and the program is ended too. Not between
 * nuce_process_prepare and nuce_process_restore. Freed with nuce_process_reply_fini. */
nuce_status nuce_process_run(const json_t *argv, int limit_s, struct nuce_process_reply *reply,
                             struct nuce_error *error);
/* Accepts one that is all zero. */
void nuce_process_reply_fini(struct nuce_process_reply *reply);

/* A word of an argv, formatted as by printf, of any bytes: a path need not be UTF-8, which texts of
 * JSON elsewhere must be. New reference. */
json_t *nuce_process_word(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* via (may be NULL) and program as the beginning of an argv, then further words up to a NULL. New
 * reference. */
json_t *nuce_process_argv(const char *via, const char *program, ...) __attribute__((sentinel));

/* Whether execvp would find it; sets errno where it does not. */
int nuce_process_exists(const char *program);

/* Whether it ended by itself with status 0. */
int nuce_process_succeeded(const struct nuce_process_reply *reply);

/* What to tell of a program that did not succeed: "sbatch ended with status 1: sbatch: error: ..."
 * or "sbatch took too long and was stopped". A new string. */
char *nuce_process_complaint(const char *program, const struct nuce_process_reply *reply);

/* The machine that nuce itself runs on. */

/* Processors that this process may use (its affinity mask), at least 1. */
int nuce_process_processors(void);

#endif
