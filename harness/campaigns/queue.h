/* What Slurm says about jobs: one squeue call; and its limits. */
#ifndef NUCE_QUEUE_H
#define NUCE_QUEUE_H

#include <stdint.h>

#include "base/error.h"

/* Tasks that Slurm did not list one by one although it was asked to. */
#define NUCE_QUEUE_TASKS (-2)

/* One row of squeue. Texts are owned and never NULL; all but name and user are fit for a
 * terminal. */
struct nuce_queue_job {
    int64_t id;        /* of the job; tasks that have not started yet share their array's */
    int64_t array;     /* of the whole array, equal to id where there is none */
    int64_t task;      /* -1: not an array; NUCE_QUEUE_TASKS: several in one row */
    char *name, *user; /* as they are: to be compared */
    char *state;       /* PENDING, RUNNING, COMPLETED, NODE_FAIL, ... as Slurm writes it */
    char *reason;      /* "Resources", or "" */
    char *start;       /* expected or real, local time as 2026-11-21T10:00:00, "" if unknown */
    char *nodes;       /* "n[0-3]", "" if none yet */
};

/* In the order in which squeue printed them. */
struct nuce_queue {
    struct nuce_queue_job *jobs;
    int64_t count, capacity;
};

/* All jobs that Slurm still knows, of every user it shows, ended ones included, a row a task.
 * NUCE_FAILED with what squeue said when it does not answer: then nothing is known about any job;
 * NUCE_BAD_INPUT when it cannot be run at all.
 * Freed with nuce_queue_fini. */
nuce_status nuce_queue_read(const char *via, struct nuce_queue *out, struct nuce_error *error);
/* Frees all rows; *queue is empty then, and may be freed again. */
void nuce_queue_fini(struct nuce_queue *queue);

/* Our user as squeue writes it: a number where the system does not know the name. A new string. */
char *nuce_queue_own_user(void);

/* Whether a job in that state may still run or is running (PENDING, RUNNING, SUSPENDED, REQUEUED,
 * COMPLETING, CONFIGURING, ... ); a state that is not known counts as such. Taking an unknown state
 * for an end would submit its points a second time. */
int nuce_queue_is_live(const char *state);

/* Whether a live job in that state is on its way out: no point of it begins any more. */
int nuce_queue_is_ending(const char *state);

/* Whether Slurm refused the job although it has a number: it failed before it got any nodes, as
 * where a partition or its nodes are not as it wants them (BadConstraints). */
int nuce_queue_is_rejected(const struct nuce_queue_job *job);

/* Pending reasons and bad ends in words: "Resources" -> "waits for nodes that are free",
 * "NODE_FAIL" -> "a node failed". The text itself where there are none. */
const char *nuce_queue_words(const char *text);

struct nuce_limits {
    int64_t array_size; /* MaxArraySize: task numbers are below it */
    int64_t jobs;       /* MaxJobCount */
    int known;          /* 0: Slurm could not be asked; then these are Slurm's defaults */
};

/* From `scontrol show config`. Fails only when interrupted. */
nuce_status nuce_limits_read(const char *via, struct nuce_limits *out, struct nuce_error *error);

/* The text of `scontrol show topology`, for the environment; NULL when there is none. A new string.
 */
char *nuce_queue_topology(const char *via);

/* NUCE_BAD_INPUT that says what is missing, unless Slurm's program can be started: via, where it is
 * not NULL, or program itself, by its path or in PATH. A `via` is taken for all of Slurm's
 * programs: whether it can call this one it says itself. */
nuce_status nuce_slurm_find(const char *via, const char *program, struct nuce_error *error);

/* What squeue is asked to print, and what is made of it. */

/* "|", eight hexadecimal digits, "|", and the end, with some to spare */
#define NUCE_QUEUE_SEPARATOR_BYTES 16

/* A separator that was never used before: names of jobs are anybody's and hold anything, line ends
 * too, but not what is drawn only after they were given. */
void nuce_queue_separator(char separator[NUCE_QUEUE_SEPARATOR_BYTES]);

/* The value of squeue's --format with that separator behind every field. A new string; NULL with
 * *error. */
char *nuce_queue_format(const char *separator);

/* Rows printed so; lines that are none (rests of a name with line ends, messages) are left out.
 * NUCE_FAILED if the row of titles, which squeue prints first, is not there: then text is not what
 * was asked for. Freed with nuce_queue_fini. */
nuce_status nuce_queue_parse(const char *text, const char *separator, struct nuce_queue *out,
                             struct nuce_error *error);

/* The value of NAME in the lines "NAME   = VALUE" of text, or -1 if it is not there as a number. */
int64_t nuce_queue_setting(const char *text, const char *name);

#endif
