/* Internals of collect: the statements that are prepared once, and the rows of one line.
 *
 * Everything here works on a store that is open for writing. Nothing here begins or ends a
 * transaction or a savepoint: collect.c does, and undoes the changes of a bad line or a refused
 * file. */
#ifndef NUCE_COLLECT_ROWS_H
#define NUCE_COLLECT_ROWS_H

#include <jansson.h>

#include "base/error.h"
#include "base/hash.h"
#include "db/store.h"
#include "db/times.h"

/* The statements, each with its parameters from 1. The texts are in collect_job.c and, from
 * NUCE_INSERT_RUN on, in collect_run.c. */
enum nuce_insert {
    NUCE_INSERT_CAMPAIGN,    /* id; nothing if it exists */
    NUCE_INSERT_ENVIRONMENT, /* id, its text; nothing if it exists */
    NUCE_FIND_JOB,           /* id, campaign: a row if it exists */
    NUCE_INSERT_JOB,         /* id, campaign, environment: of a run with an unknown job record */
    NUCE_DESCRIBE_JOB,       /* the same and facts: completes NUCE_INSERT_JOB, once */
    NUCE_SAME_JOB,           /* the same four: a row if the job is stored with exactly that */
    NUCE_TOUCH_JOB,          /* id, campaign: the points of its runs are summed up again */
    NUCE_INSERT_POINT,       /* id, workload, ranks, params; nothing if it exists */
    NUCE_INSERT_SAMPLES,     /* run, times, places */
    NUCE_INSERT_DUPLICATE,   /* the same */
    NUCE_FIND_REFERENCE,     /* campaign, job, race, criterion, order_seed: a row if one exists */
    NUCE_FIND_RUN,           /* hash: a row if the run exists */
    NUCE_MOVE_RUN,           /* hash, file: the run's file becomes that one if its name is less */
    NUCE_TOUCH_POINT,        /* id: the point is summed up again */
    NUCE_DROP_UNKNOWN,       /* id: removes that environment if no job has it */
    NUCE_TAKE_APART,         /* a line: key, type and value of each member */
    NUCE_TAKE_PARTS,         /* an object of samples: a column for each part, and the places */
    NUCE_TAKE_FOUND,         /* found: the same */
    NUCE_INSERT_RUN,
    NUCE_INSERT_LISTS, /* the first of NUCE_LISTS: run, list */
    NUCE_LISTS = 12,
    NUCE_INSERTS = NUCE_INSERT_LISTS + NUCE_LISTS,
};

/* Prepared once for all rows of a collect. store is borrowed, the rest owned. */
struct nuce_rows {
    struct nuce_store *store;
    sqlite3_stmt *statements[NUCE_INSERTS];
    char unknown[NUCE_HASH_BYTES]; /* the environment of runs with a lost job record */
    /* The line that was taken apart last: */
    json_t *head; /* its point, workload, ranks, params, campaign and job */
    struct nuce_times samples, duplicate;
    int64_t places;                 /* number of places; -1: none given */
    uint64_t fields, others, lists; /* bits of the members that it has */
};

/* Prepares the statements and the temporary table `touched` of points whose derived rows must be
 * computed again. Released with nuce_rows_fini, also after failure. */
nuce_status nuce_rows_init(struct nuce_store *store, struct nuce_rows *out,
                           struct nuce_error *error);
/* Prepares the statements with texts in collect_run.c. */
nuce_status nuce_rows_init_run(struct nuce_rows *rows, struct nuce_error *error);
/* Called after the derived tables: removes the environment of lost jobs, which nuce_rows_init
 * inserted, if there are none. */
nuce_status nuce_rows_finish(struct nuce_rows *rows, struct nuce_error *error);
/* Finalises the statements. `touched` goes with the connection. */
void nuce_rows_fini(struct nuce_rows *rows);

/* Binds the arguments after types to the statement's parameters from 1 on, a letter each. t is a
 * text or NULL. j is a JSON value, bound as its text, or NULL if it is not a text. i is an int64_t.
 * "" leaves the parameters bound as they are. Then runs the statement to its first row or its
 * end, resets it and unbinds its parameters. A broken constraint is NUCE_BAD_INPUT: something in
 * the record violates the schema. *rows_found (may be NULL) is set if it gave a row. */
nuce_status nuce_rows_run(struct nuce_rows *rows, enum nuce_insert which, int *rows_found,
                          struct nuce_error *error, const char *types, ...);

/* The rows of a job record: its campaign, its environment, itself. NUCE_BAD_INPUT: something in
 * the line is wrong. *conflict: the job of that name and campaign was described differently
 * before, so the runs that name it are ambiguous; the error reports that, too. */
nuce_status nuce_rows_add_job(struct nuce_rows *rows, const json_t *record, int *conflict,
                              struct nuce_error *error);

/* Takes jobs/JOB.prologue of the campaign, whose folder is open: the notes of jobs that ended
 * before a rank was started. Each becomes a row of `job`, whose facts have the note's line as
 * "failed". path names the folder in messages. An unreadable note is ignored, because the job's
 * log says the same. */
nuce_status nuce_collect_notes(struct nuce_rows *rows, int folder, const char *path,
                               const char *campaign, struct nuce_error *error);

/* Takes a line apart, for nuce_rows_add_run. text has length bytes and must not change until
 * then. Returns nonzero if it is a valid run of the common kind (nuce_record_check_run): good,
 * measured, in a race, without lists. The caller must check any other line. */
int nuce_rows_take_apart(struct nuce_rows *rows, const char *text, size_t length);

/* Adds the rows of the run that was taken apart to all tables. The run is valid except perhaps
 * for its point, and not stored yet. hash: of the record's line; file: the record_file.name.
 * NUCE_BAD_INPUT: the point contradicts its id, or the schema refuses something. Some rows may
 * exist then, which the caller rolls back. */
nuce_status nuce_rows_add_run(struct nuce_rows *rows, const char *hash, const char *file,
                              struct nuce_error *error);

/* True if the run with that hash exists. Its file then becomes the lesser of the two names, so
 * that a record in two files does not depend on the order of collecting. */
nuce_status nuce_rows_find_run(struct nuce_rows *rows, const char *hash, const char *file,
                               int *found, struct nuce_error *error);

#endif
