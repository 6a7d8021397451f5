/* Inside collect: the statements that are prepared once, and the rows that one line gives.
 *
 * Everything here works on a store that is open for writing. Nothing here begins or ends a
 * transaction or a savepoint: collect.c does, and undoes what a bad line or a refused file has
 * changed. */
#ifndef NUCE_COLLECT_ROWS_H
#define NUCE_COLLECT_ROWS_H

#include <jansson.h>

#include "base/error.h"
#include "base/hash.h"
#include "db/store.h"
#include "db/times.h"

/* The statements, each with its parameters from 1; the texts stand in collect_job.c and, of those
 * from NUCE_INSERT_RUN on, in collect_run.c. */
enum nuce_insert {
    NUCE_INSERT_CAMPAIGN,    /* id; nothing if it is there */
    NUCE_INSERT_ENVIRONMENT, /* id, its text; nothing if it is there */
    NUCE_FIND_JOB,           /* id, campaign: a row if it is there */
    NUCE_INSERT_JOB,     /* id, campaign, environment: of a run whose job record is not known yet */
    NUCE_DESCRIBE_JOB,   /* the same and facts: fills in what NUCE_INSERT_JOB left open, once */
    NUCE_SAME_JOB,       /* the same four: a row if the job is known as exactly that */
    NUCE_TOUCH_JOB,      /* id, campaign: the points of its runs are summed up anew */
    NUCE_INSERT_POINT,   /* id, workload, ranks, params; nothing if it is there */
    NUCE_INSERT_SAMPLES, /* run, times, places */
    NUCE_INSERT_TWIN,    /* the same */
    NUCE_FIND_REFERENCE, /* campaign, job, heat, criterion, order_seed: a row if one is there */
    NUCE_FIND_RUN,       /* hash: a row if the run is there */
    NUCE_MOVE_RUN,       /* hash, file: the run's file becomes that one if it is the lesser name */
    NUCE_TOUCH_POINT,    /* id: the point is summed up anew */
    NUCE_DROP_UNKNOWN,   /* id: removes that environment if no job has it */
    NUCE_TAKE_APART,     /* a line: key, type and value of each member */
    NUCE_TAKE_PARTS,     /* an object of samples: a column for each part, and the places */
    NUCE_TAKE_FOUND,     /* found: the same */
    NUCE_INSERT_RUN,
    NUCE_INSERT_LISTS, /* the first of NUCE_LISTS: run, list */
    NUCE_LISTS = 12,
    NUCE_INSERTS = NUCE_INSERT_LISTS + NUCE_LISTS,
};

/* Prepared once for all that a collect stores. store is borrowed, the rest owned. */
struct nuce_rows {
    struct nuce_store *store;
    sqlite3_stmt *statements[NUCE_INSERTS];
    char unknown[NUCE_HASH_BYTES]; /* the environment of runs whose job record is lost */
    /* Of the line that was taken apart last: */
    json_t *head; /* its point, workload, ranks, params, campaign and job */
    struct nuce_times samples, twin;
    int64_t places;                 /* how many there are; -1: none are said */
    uint64_t fields, others, lists; /* bits: those members that it has */
};

/* Prepares the statements and the temporary table `touched` of points whose derived rows must be
 * computed anew. Released with nuce_rows_fini, also after failure. */
nuce_status nuce_rows_init(struct nuce_store *store, struct nuce_rows *out,
                           struct nuce_error *error);
/* Prepares those statements whose texts stand in collect_run.c. */
nuce_status nuce_rows_init_run(struct nuce_rows *rows, struct nuce_error *error);
/* After the derived tables: takes the environment of lost jobs, which nuce_rows_init inserted, away
 * again if there are none. */
nuce_status nuce_rows_finish(struct nuce_rows *rows, struct nuce_error *error);
/* Finalises the statements. `touched` goes with the connection. */
void nuce_rows_fini(struct nuce_rows *rows);

/* Binds what stands behind types to the statement's parameters from 1 on, a letter each: t, a text
 * or NULL; j, a JSON value, whose text is bound, NULL where it is none; i, an int64_t. "" leaves
 * them as they are bound. Then runs the statement to its first row or its end, resets it and
 * unbinds its parameters. A broken constraint is NUCE_BAD_INPUT: something in the record is not as
 * the schema wants it. *rows_found (may be NULL) says whether it gave a row. */
nuce_status nuce_rows_run(struct nuce_rows *rows, enum nuce_insert which, int *rows_found,
                          struct nuce_error *error, const char *types, ...);

/* The rows of a job record: its campaign, its environment, itself. NUCE_BAD_INPUT: something in the
 * line is wrong. *conflict: the job, of that name in that campaign, is known and was described
 * differently, so that nobody can say whose the runs that name it are; the error says so too. */
nuce_status nuce_rows_add_job(struct nuce_rows *rows, const json_t *record, int *conflict,
                              struct nuce_error *error);

/* Takes jobs/JOB.prologue of the campaign, whose folder is open: what jobs noted that ended before
 * a rank was started. A row of `job` each, whose facts have the note's line as "failed". path names
 * the folder in messages. A note that cannot be read is passed over, since the job's log says the
 * same. */
nuce_status nuce_collect_notes(struct nuce_rows *rows, int folder, const char *path,
                               const char *campaign, struct nuce_error *error);

/* Takes a line apart, for nuce_rows_add_run; text ends behind length bytes or stays as it is until
 * then. Returns nonzero if it is a run of the common kind, and as a run must be
 * (nuce_record_check_run): good, measured, in a heat, without lists. Of any other the caller has to
 * find out. */
int nuce_rows_take_apart(struct nuce_rows *rows, const char *text, size_t length);

/* The rows of the run that was taken apart, which is valid but for its point and not there yet, in
 * all tables. hash: of the record's line; file: where it stands, as record_file.name.
 * NUCE_BAD_INPUT: the point is not what it says, or the schema refuses something; rows may be there
 * then, which the caller rolls back. */
nuce_status nuce_rows_add_run(struct nuce_rows *rows, const char *hash, const char *file,
                              struct nuce_error *error);

/* Whether the run with that hash is there; if so, its file becomes the lesser of the two names, so
 * that a record that stands in two files does not depend on the order of collecting. */
nuce_status nuce_rows_find_run(struct nuce_rows *rows, const char *hash, const char *file,
                               int *found, struct nuce_error *error);

/* Names of a folder's entries, without the folder; all zero: none. */
struct nuce_file_names {
    char **names; /* ascending */
    size_t count;
};

/* The entries of the open folder that end in ending ("": all) and do not begin with a dot: files
 * and folders alike. path names the folder in messages. The descriptor stays open. Released with
 * nuce_file_names_fini. NUCE_FAILED: the folder cannot be read. */
nuce_status nuce_collect_names_read(int folder, const char *path, const char *ending,
                                    struct nuce_file_names *out, struct nuce_error *error);
/* Accepts one that is all zero, and leaves it so. */
void nuce_file_names_fini(struct nuce_file_names *names);

#endif
