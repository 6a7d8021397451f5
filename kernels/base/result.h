/* Results as data, like options: tables declare all results of a run, one row per quantity. Their
 * owners are a workload, the schedules or a placement. Records, the database, the programs' output
 * and --help use the rows, so a new quantity is one row and the code that finds it. */
#ifndef NUCE_RESULT_H
#define NUCE_RESULT_H

#include <jansson.h>
#include <stdint.h>

#include "base/error.h"

enum nuce_result_type {
    NUCE_TEXT,
    NUCE_INTEGER,
    NUCE_REAL,
};

/* Units that decide how a value is shown. Any other unit is only for the reader. */
#define NUCE_UNIT_SECONDS "s"
#define NUCE_UNIT_BYTES "bytes"
#define NUCE_UNIT_RATE "bytes/s"
#define NUCE_UNIT_RATIO                                                                            \
    "ratio" /* two digits after the point; with NAME_low and NAME_high if known */

enum {
    /* A processor's own time: unknown if a simulator charges no computation. */
    NUCE_RESULT_COMPUTATION = 1,
    /* Not recorded: computed from the record when the run is shown. */
    NUCE_RESULT_DERIVED = 2,
    /* The median of several values, shown with NAME_low and NAME_high, the ends of its interval
     * (before the unit: iteration_s has iteration_low_s). */
    NUCE_RESULT_INTERVAL = 4,
    /* 1 for several instances only if it is 1 for each. */
    NUCE_RESULT_EVERY = 8,
};

/* A row, static; a table ends with one whose name is NULL. */
struct nuce_result {
    const char *name; /* key in a record's "metrics" and in printed output; never reuse one */
    enum nuce_result_type type;
    const char *unit;    /* "s", "bytes", "edges"; "": a text or a number without unit */
    const char *meaning; /* for the reader of a record */
    const char *head;    /* its column's head in the programs' tables; NULL: not shown there */
    unsigned flags;
};

/* Tables of rows end with a row whose name is NULL, lists of tables with NULL. */

/* The row called name in any of the tables, or NULL. */
const struct nuce_result *nuce_result_find(const struct nuce_result *const *tables,
                                           const char *name);

/* The results of one run. Setting a name that no table has, or has with another type, is a bug. */
struct nuce_metrics {
    const struct nuce_result *const *tables; /* borrowed */
    json_t *values;                          /* name -> value; an unknown value is absent */
    int is_incomplete;                       /* memory ran out: some value was lost */
};

/* Released with nuce_metrics_fini, which accepts a zeroed struct. */
void nuce_metrics_init(const struct nuce_result *const *tables, struct nuce_metrics *out);
void nuce_metrics_fini(struct nuce_metrics *found);

/* Each sets or replaces a value. NaN and infinities, NULL and "" are unknown: nothing is set. */
void nuce_metrics_integer(struct nuce_metrics *found, const char *name, int64_t value);
void nuce_metrics_real(struct nuce_metrics *found, const char *name, double value);
void nuce_metrics_text(struct nuce_metrics *found, const char *name, const char *value);

/* Removes all values whose row has one of the flags: they become unknown. */
void nuce_metrics_forget(struct nuce_metrics *found, unsigned flags);

/* Adds values (borrowed), an object of another process's results. */
void nuce_metrics_merge(struct nuce_metrics *found, json_t *values);

/* The values for a record, a new reference; NULL with *error if memory had run out. */
json_t *nuce_metrics_values(const struct nuce_metrics *found, struct nuce_error *error);

#endif
