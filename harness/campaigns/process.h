/* Child processes of nuce, and nothing of them left behind. */
#ifndef NUCE_PROCESS_H
#define NUCE_PROCESS_H

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

#endif
