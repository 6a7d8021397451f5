/* Child processes of nuce; none is left behind. */
#ifndef NUCE_PROCESS_H
#define NUCE_PROCESS_H

#include <jansson.h>
#include <signal.h>
#include <sys/types.h>

#include "base/error.h"

/* The signal state of the caller's process before nuce_process_prepare. */
struct nuce_signals {
    sigset_t before;
};

/* Blocks INT, TERM, HUP, USR1 and CHLD, which nuce_process_wait then takes one by one. Makes this
 * process the parent of descendants whose own parent dies: MPI's proxies and ranks have sessions of
 * their own and would otherwise be out of reach. nuce_process_restore undoes both; the two do not
 * nest. */
void nuce_process_prepare(struct nuce_signals *out);
void nuce_process_restore(const struct nuce_signals *signals);

/* Starts argv (NULL-ended; argv[0] without a slash is searched in PATH) in a process group of its
 * own. stdin is /dev/null; stdout and stderr are appended to the files out and err (NULL:
 * /dev/null). The signal mask is that of before nuce_process_prepare. The process gets SIGTERM if
 * this one dies. NUCE_FAILED if it cannot be started; there is no process then. *pid is also its
 * group's id. */
nuce_status nuce_process_start(const char *const *argv, const char *out, const char *err,
                               const struct nuce_signals *signals, pid_t *pid,
                               struct nuce_error *error);

enum nuce_event {
    NUCE_EVENT_TIME,   /* nothing happened */
    NUCE_EVENT_SIGNAL, /* INT, TERM, HUP or USR1 came: stop */
    NUCE_EVENT_ENDED,  /* pid ended; *status is that of waitpid */
};

/* Waits at most `milliseconds` for one of these. */
enum nuce_event nuce_process_wait(pid_t pid, int milliseconds, int *status);

/* Takes such a signal if one waits; returns nonzero if so. */
int nuce_process_take_signal(void);

/* Ends all descendants of this process: waits grace_ms milliseconds, then kills those that are
 * left. Returns the number killed, or -1 if some survive for 10 s. Only for a process whose
 * children all come from nuce_process_start, because it collects every child. */
int nuce_process_reap(int grace_ms);

/* Calls other programs by argv, with a time limit, and keeps their output. */

/* The output of a program and how it ended. */
struct nuce_process_reply {
    enum nuce_event event; /* NUCE_EVENT_ENDED: by itself; else it was ended, after its time or for
                              a signal */
    int status;            /* as from waitpid; -1: it did not end by itself */
    double wall_s;         /* from its start to that event */
    char *out, *err;       /* standard output and error, NUL-ended; owned */
};

/* Runs argv (array of strings; argv[0] is searched in PATH) in the directory (NULL: the current
 * one) with stdin from /dev/null, in a process group of its own, until it ends, for limit_s seconds
 * at most, or until a signal comes. Then the group gets SIGTERM, and all descendants end with it.
 * Those that a program leaves behind live on if left_ms is negative; else they are killed after
 * that many milliseconds. NUCE_FAILED when it cannot be started, with the reason. Between
 * nuce_process_prepare and nuce_process_restore. Freed with nuce_process_reply_fini. */
nuce_status nuce_process_follow(const char *directory, const json_t *argv, double limit_s,
                                int left_ms, const struct nuce_signals *signals,
                                struct nuce_process_reply *out, struct nuce_error *error);

/* The same for other programs, such as Slurm's and SimGrid's: in the current folder, and with err
 * cut to the first line with the word error, or else the first line; without the newline, printable
 * ASCII. A signal is NUCE_INTERRUPTED. Not between nuce_process_prepare and
 * nuce_process_restore. */
nuce_status nuce_process_run(const json_t *argv, int limit_s, struct nuce_process_reply *reply,
                             struct nuce_error *error);
/* Accepts an all zero struct. */
void nuce_process_reply_fini(struct nuce_process_reply *reply);

/* A word of an argv, formatted as by printf. Any bytes are allowed: a path need not be UTF-8,
 * unlike other strings in JSON. New reference. */
json_t *nuce_process_word(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The beginning of an argv: via (may be NULL), program, then further words up to a NULL. New
 * reference. */
json_t *nuce_process_argv(const char *via, const char *program, ...) __attribute__((sentinel));

/* argv with env before it, which unsets the variables called names, with blanks between. Takes over
 * argv; new reference. */
json_t *nuce_process_without(const char *names, json_t *argv);

/* The path at which execvp would find it, a new string; NULL, and errno set, if it would not. */
char *nuce_process_find(const char *program);

/* Returns nonzero if execvp would find it; otherwise sets errno. */
int nuce_process_exists(const char *program);

/* True if it ended by itself with status 0. */
int nuce_process_succeeded(const struct nuce_process_reply *reply);

/* The message for a program that did not succeed: "sbatch ended with status 1: sbatch: error: ..."
 * or "sbatch took too long and was stopped". A new string. */
char *nuce_process_complaint(const char *program, const struct nuce_process_reply *reply);

/* The machine that runs nuce itself. */

/* Processors that this process may use (its affinity mask), at least 1. */
int nuce_process_processors(void);

#endif
