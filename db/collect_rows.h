/* Inside collect: the statements that are prepared once, and the rows that one line gives.
 *
 * Everything here works on a store that is open for writing. Nothing here begins or ends a
 * transaction or a savepoint: collect.c does, and undoes what a bad line or a refused file has
 * changed. */
#ifndef NUCE_COLLECT_ROWS_H
#define NUCE_COLLECT_ROWS_H

#include <jansson.h>

#include "db/collect_samples.h"
#include "db/store.h"
#include "support/error.h"
#include "support/hash.h"
#include "support/record.h"

/* The statements, each with its parameters from 1. Those without a remark insert one row into the
 * table of their name; the texts stand in collect_job.c. */
enum nuce_insert {
    NUCE_INSERT_CAMPAIGN,    /* id; nothing if it is there */
    NUCE_INSERT_ENVIRONMENT, /* id, its text; nothing if it is there */
    NUCE_INSERT_JOB,     /* id, campaign, environment: of a run whose job record is not known yet */
    NUCE_DESCRIBE_JOB,   /* the same and facts: fills in what NUCE_INSERT_JOB left open, once */
    NUCE_SAME_JOB,       /* the same four: a row if the job is known as exactly that */
    NUCE_TOUCH_JOB,      /* id, campaign: the points of its runs are summed up anew */
    NUCE_INSERT_POINT,   /* id, workload, ranks, params; nothing if it is there */
    NUCE_INSERT_RUN,     /* as run_sql in collect_job.c lists them */
    NUCE_INSERT_SAMPLES, /* run, times, places: a row of `sampled` */
    NUCE_INSERT_TWIN,
    NUCE_INSERT_RANK_SAMPLE,
    NUCE_INSERT_COUNTER,
    NUCE_INSERT_EVENT,
    NUCE_INSERT_PLANNED,
    NUCE_INSERT_LINK,
    NUCE_INSERT_PORT,
    NUCE_INSERT_CONTENTION,
    NUCE_INSERT_RECTANGLE,
    NUCE_INSERT_SPEED,
    NUCE_INSERT_SWITCH,
    NUCE_INSERT_SWITCH_LINK,
    NUCE_INSERT_PLACED,
    NUCE_FIND_RUN,     /* hash: a row if the run is there */
    NUCE_MOVE_RUN,     /* hash, file: the run's file becomes that one if it is the lesser name */
    NUCE_TOUCH_POINT,  /* id: the point is summed up anew */
    NUCE_DROP_UNKNOWN, /* id: removes that environment if no job has it */
    NUCE_INSERTS,      /* how many there are */
};

/* Prepared once for all that a collect stores. store is borrowed, the rest owned. */
struct nuce_rows {
    struct nuce_store *store;
    sqlite3_stmt *statements[NUCE_INSERTS];
    char unknown[NUCE_HASH_BYTES]; /* the environment of runs whose job record is lost */
    char *launch; /* "CAMPAIGN/JOB" of the last run: those of a file mostly have one; or NULL */
};

/* After a rollback: what was stored before may be gone, so the campaign and the job of the next run
 * are inserted again. */
void nuce_rows_forget(struct nuce_rows *rows);

/* Prepares the statements and the temporary table `touched` of points whose derived rows must be
 * computed anew. Released with nuce_rows_fini, also after failure. */
nuce_status nuce_rows_init(struct nuce_store *store, struct nuce_rows *out,
                           struct nuce_error *error);
/* After the derived tables: takes the environment of lost jobs, which nuce_rows_init inserted, away
 * again if there are none. */
nuce_status nuce_rows_finish(struct nuce_rows *rows, struct nuce_error *error);
/* Finalises the statements. `touched` goes with the connection. */
void nuce_rows_fini(struct nuce_rows *rows);

/* Binds to parameter index (from 1) of the statement; the text stays where it is until the
 * statement has run. NULL, JSON null and what is no text bind NULL. */
void nuce_rows_text(struct nuce_rows *rows, enum nuce_insert which, int index, const char *text);
void nuce_rows_json_text(struct nuce_rows *rows, enum nuce_insert which, int index,
                         const json_t *value);

/* Runs the statement to its first row or its end, resets it and unbinds its parameters. A broken
 * constraint is NUCE_BAD_INPUT: something in the record is not as the schema wants it. *rows_found
 * (may be NULL) says whether it gave a row. */
nuce_status nuce_rows_run(struct nuce_rows *rows, enum nuce_insert which, int *rows_found,
                          struct nuce_error *error);

/* The rows of a job record: its campaign, its environment, itself. NUCE_BAD_INPUT: something in the
 * line is wrong. *conflict: the job, of that name in that campaign, is known and was described
 * differently, so that nobody can say whose the runs that name it are; the error says so too. */
nuce_status nuce_rows_add_job(struct nuce_rows *rows, const json_t *record, int *conflict,
                              struct nuce_error *error);

/* The row of a job that ended before a rank was started, as message says; none if there is one of a
 * job that began. */
nuce_status nuce_rows_add_lost_start(struct nuce_rows *rows, const char *campaign, const char *job,
                                     const char *message, struct nuce_error *error);

/* The rows of a valid run that is not there yet, in all tables. hash: of the
 * record's line; file: where it stands, as record_file.name. NUCE_BAD_INPUT: the schema refuses
 * something in it; rows may be there then, which the caller rolls back. */
nuce_status nuce_rows_add_run(struct nuce_rows *rows, const json_t *record, const char *hash,
                              const char *file, struct nuce_error *error);

/* Whether the run with that hash is there; if so, its file becomes the lesser of the two names, so
 * that a record that stands in two files does not depend on the order of collecting. */
nuce_status nuce_rows_find_run(struct nuce_rows *rows, const char *hash, const char *file,
                               int *found, struct nuce_error *error);

#endif
