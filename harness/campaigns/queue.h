/* Slurm's information about jobs, by one call of squeue, and its limits. */
#ifndef NUCE_QUEUE_H
#define NUCE_QUEUE_H

#include <stdint.h>

#include "base/error.h"

/* Tasks that Slurm did not list one by one, despite the request. */
#define NUCE_QUEUE_TASKS (-2)

/* One row of squeue. Strings are owned and never NULL; all but name and user are safe on a
 * terminal. */
struct nuce_queue_job {
    int64_t id;        /* of the job; tasks that have not started yet share their array's */
    int64_t array;     /* of the whole array; equal to id without one */
    int64_t task;      /* -1: not an array; NUCE_QUEUE_TASKS: several in one row */
    char *name, *user; /* unchanged, for comparisons */
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

/* All jobs that Slurm still knows and shows, of every user, including ended ones; one row per task.
 * NUCE_FAILED with squeue's message when Slurm does not answer: nothing is known about any job
 * then. NUCE_BAD_INPUT when squeue cannot run at all. Freed with nuce_queue_fini. */
nuce_status nuce_queue_read(const char *via, struct nuce_queue *out, struct nuce_error *error);
/* Frees all rows; *queue is empty then, and may be freed again. */
void nuce_queue_fini(struct nuce_queue *queue);

/* Our user as squeue writes it: a number if the system does not know the name. A new string. */
char *nuce_queue_own_user(void);

/* True if a job in that state may still run or is running (PENDING, RUNNING, SUSPENDED, REQUEUED,
 * COMPLETING, CONFIGURING, ... ). An unknown state counts as live: if it counted as ended, its
 * points would be submitted a second time. */
int nuce_queue_is_live(const char *state);

/* True if a live job in that state is about to end: no point of it begins any more. */
int nuce_queue_is_ending(const char *state);

/* True if a job that ended in that state was ended from outside: the same start may succeed another
 * time. */
int nuce_queue_is_from_outside(const char *state);

/* True if Slurm refused the job although it has a number. It failed before it got any nodes, for
 * example because no partition or nodes meet its request (BadConstraints). */
int nuce_queue_is_rejected(const struct nuce_queue_job *job);

/* Pending reasons and bad ends in words: "Resources" -> "waits for nodes that are free",
 * "NODE_FAIL" -> "a node failed". Returns text itself if it is unknown. */
const char *nuce_queue_words(const char *text);

struct nuce_limits {
    int64_t array_size; /* MaxArraySize: task numbers are below it */
    int64_t jobs;       /* MaxJobCount */
    int known;          /* 0: Slurm could not be asked; the others are then Slurm's defaults */
};

/* From `scontrol show config`. Fails only when interrupted. */
nuce_status nuce_limits_read(const char *via, struct nuce_limits *out, struct nuce_error *error);

/* The text of `scontrol show topology`, for the environment; NULL when there is none. A new string.
 */
char *nuce_queue_topology(const char *via);

/* NUCE_BAD_INPUT with the missing program, unless via, if not NULL, or else program can be started,
 * by its path or in PATH. A `via` counts for all of Slurm's programs; it reports itself if it
 * cannot call this one. */
nuce_status nuce_slurm_find(const char *via, const char *program, struct nuce_error *error);

/* The format for squeue, and the parser of its output. */

/* "|", eight hexadecimal digits, "|", and the end; the rest is spare */
#define NUCE_QUEUE_SEPARATOR_BYTES 16

/* A new random separator. Any user can name jobs, with any bytes and newlines, but cannot know a
 * separator drawn after the name was given. */
void nuce_queue_separator(char separator[NUCE_QUEUE_SEPARATOR_BYTES]);

/* The value of squeue's --format with that separator after every field. A new string; NULL with
 * *error. */
char *nuce_queue_format(const char *separator);

/* Parses rows in that format; skips other lines (rests of a name with newlines, messages).
 * NUCE_FAILED without the row of titles, which squeue prints first: text is something else then.
 * Freed with nuce_queue_fini. */
nuce_status nuce_queue_parse(const char *text, const char *separator, struct nuce_queue *out,
                             struct nuce_error *error);

/* The value of NAME in the lines "NAME   = VALUE" of text; -1 if it is missing or no number. */
int64_t nuce_queue_setting(const char *text, const char *name);

#endif
