/* The derived tables: medians with their intervals, per point, environment and kind, from runs that
 * ended ok. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect_rows.h"
#include "memory.h"
#include "record.h"
#include "statistics.h"

/* Quantities: the parts of a step, sample by sample, then what happens once a run. Their names are
 * the columns' without _s. */
static const char *const once[] = {"index", "gather", "schedule", "first"};
enum {
    ONCE = 4,
    QUANTITIES = NUCE_SAMPLE_PARTS + ONCE,
    ONCE_COLUMN = 3, /* of the query of runs, where the first of `once` stands */
};

static const char runs_sql[] =
    "SELECT run.id, job.environment, run.kind, index_s, gather_s, schedule_s, first_s"
    " FROM run JOIN job ON job.id = run.job WHERE run.point = ?1 AND run.status = 'ok'"
    " ORDER BY job.environment, run.kind, run.started, run.hash";
static const char samples_sql[] = "SELECT step_s, pack_s, communication_s, unpack_s, computation_s"
                                  " FROM sample WHERE run = ?1";
static const char outcome_sql[] =
    "INSERT INTO outcome (point, environment, kind, runs, latest) VALUES (?1, ?2, ?3, ?4, ?5)";
static const char summary_sql[] =
    "INSERT INTO summary (point, environment, kind, quantity, n,"
    " median_s, low_s, high_s) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

struct values {
    double *data;
    int64_t count, capacity;
};

struct summary {
    struct nuce_store *store;
    sqlite3_stmt *runs, *samples, *outcome, *summary;
    struct values values[QUANTITIES];
    /* The group of runs that is being added up. */
    const char *point; /* borrowed */
    char environment[NUCE_HASH_BYTES];
    char kind[16];
    int64_t count, latest;
};

static nuce_status add_value(struct values *values, double value, struct nuce_error *error)
{
    void *data = values->data;

    if (nuce_grow(&data, &values->capacity, values->count + 1, sizeof value, error) != NUCE_OK)
        return error->status;
    values->data = data;
    values->data[values->count++] = value;
    return NUCE_OK;
}

/* Adds count columns of the current row, from column first, to the values from quantity on. */
static nuce_status add_columns(struct summary *summary, sqlite3_stmt *row, int first, int count,
                               int quantity, struct nuce_error *error)
{
    for (int i = 0; i < count; i++) {
        if (sqlite3_column_type(row, first + i) != SQLITE_NULL &&
            add_value(&summary->values[quantity + i], sqlite3_column_double(row, first + i),
                      error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

static nuce_status add_samples(struct summary *summary, int64_t run, struct nuce_error *error)
{
    nuce_status status = NUCE_OK;
    int code = SQLITE_DONE;

    (void)sqlite3_bind_int64(summary->samples, 1, run);
    while (status == NUCE_OK && (code = sqlite3_step(summary->samples)) == SQLITE_ROW)
        status = add_columns(summary, summary->samples, 0, NUCE_SAMPLE_PARTS, 0, error);
    if (status == NUCE_OK && code != SQLITE_DONE)
        status = nuce_store_fail(summary->store, error);
    (void)sqlite3_reset(summary->samples);
    return status;
}

/* Runs an insertion to its end. */
static nuce_status insert(struct summary *summary, sqlite3_stmt *statement,
                          struct nuce_error *error)
{
    int code = sqlite3_step(statement);
    nuce_status status = code == SQLITE_DONE ? NUCE_OK : nuce_store_fail(summary->store, error);

    (void)sqlite3_reset(statement);
    return status;
}

static void bind_group(const struct summary *summary, sqlite3_stmt *statement)
{
    (void)sqlite3_bind_text(statement, 1, summary->point, -1, SQLITE_STATIC);
    (void)sqlite3_bind_text(statement, 2, summary->environment, -1, SQLITE_STATIC);
    (void)sqlite3_bind_text(statement, 3, summary->kind, -1, SQLITE_STATIC);
}

static nuce_status write_quantity(struct summary *summary, int quantity, struct nuce_error *error)
{
    struct values *values = &summary->values[quantity];
    sqlite3_stmt *statement = summary->summary;
    struct nuce_interval interval;

    nuce_sort(values->data, values->count);
    interval = nuce_median_interval(values->data, values->count, 0.95);
    bind_group(summary, statement);
    (void)sqlite3_bind_text(statement, 4,
                            quantity < NUCE_SAMPLE_PARTS ? nuce_sample_parts[quantity]
                                                         : once[quantity - NUCE_SAMPLE_PARTS],
                            -1, SQLITE_STATIC);
    (void)sqlite3_bind_int64(statement, 5, values->count);
    (void)sqlite3_bind_double(statement, 6, nuce_median(values->data, values->count));
    (void)sqlite3_bind_double(statement, 7, interval.low);
    (void)sqlite3_bind_double(statement, 8, interval.high);
    return insert(summary, statement, error);
}

/* Writes the rows of the group that has been added up, if any, and empties it. */
static nuce_status end_group(struct summary *summary, struct nuce_error *error)
{
    if (summary->count == 0)
        return NUCE_OK;
    bind_group(summary, summary->outcome);
    (void)sqlite3_bind_int64(summary->outcome, 4, summary->count);
    (void)sqlite3_bind_int64(summary->outcome, 5, summary->latest);
    if (insert(summary, summary->outcome, error) != NUCE_OK)
        return error->status;
    for (int i = 0; i < QUANTITIES; i++) {
        if (summary->values[i].count > 0 && write_quantity(summary, i, error) != NUCE_OK)
            return error->status;
        summary->values[i].count = 0;
    }
    summary->count = 0;
    return NUCE_OK;
}

static nuce_status add_run(struct summary *summary, struct nuce_error *error)
{
    sqlite3_stmt *row = summary->runs;
    const char *environment = (const char *)sqlite3_column_text(row, 1);
    const char *kind = (const char *)sqlite3_column_text(row, 2);

    if (strcmp(environment, summary->environment) != 0 || strcmp(kind, summary->kind) != 0) {
        if (end_group(summary, error) != NUCE_OK)
            return error->status;
        (void)snprintf(summary->environment, sizeof summary->environment, "%s", environment);
        (void)snprintf(summary->kind, sizeof summary->kind, "%s", kind);
    }
    summary->count++;
    summary->latest = sqlite3_column_int64(row, 0);
    if (add_columns(summary, row, ONCE_COLUMN, ONCE, NUCE_SAMPLE_PARTS, error) != NUCE_OK)
        return error->status;
    return add_samples(summary, summary->latest, error);
}

static nuce_status refresh_point(struct summary *summary, const char *point,
                                 struct nuce_error *error)
{
    nuce_status status = NUCE_OK;
    int code = SQLITE_DONE;

    summary->point = point;
    (void)sqlite3_bind_text(summary->runs, 1, point, -1, SQLITE_STATIC);
    while (status == NUCE_OK && (code = sqlite3_step(summary->runs)) == SQLITE_ROW)
        status = add_run(summary, error);
    if (status == NUCE_OK && code != SQLITE_DONE)
        status = nuce_store_fail(summary->store, error);
    if (status == NUCE_OK)
        status = end_group(summary, error);
    (void)sqlite3_reset(summary->runs);
    return status;
}

static nuce_status refresh_all(struct summary *summary, struct nuce_error *error)
{
    sqlite3_stmt *points = NULL;
    nuce_status status =
        nuce_store_prepare(summary->store, "SELECT point FROM temp.touched", &points, error);
    int code = SQLITE_DONE;

    while (status == NUCE_OK && (code = sqlite3_step(points)) == SQLITE_ROW)
        status = refresh_point(summary, (const char *)sqlite3_column_text(points, 0), error);
    if (status == NUCE_OK && code != SQLITE_DONE)
        status = nuce_store_fail(summary->store, error);
    (void)sqlite3_finalize(points);
    return status;
}

nuce_status nuce_summary_refresh(struct nuce_store *store, struct nuce_error *error)
{
    static const char clear[] =
        "DELETE FROM summary WHERE point IN (SELECT point FROM temp.touched);"
        "DELETE FROM outcome WHERE point IN (SELECT point FROM temp.touched)";
    struct summary summary = {.store = store};
    nuce_status status = nuce_store_execute(store, clear, error);

    if (status == NUCE_OK)
        status = nuce_store_prepare(store, runs_sql, &summary.runs, error);
    if (status == NUCE_OK)
        status = nuce_store_prepare(store, samples_sql, &summary.samples, error);
    if (status == NUCE_OK)
        status = nuce_store_prepare(store, outcome_sql, &summary.outcome, error);
    if (status == NUCE_OK)
        status = nuce_store_prepare(store, summary_sql, &summary.summary, error);
    if (status == NUCE_OK)
        status = refresh_all(&summary, error);
    if (status == NUCE_OK)
        status = nuce_store_execute(store, "DELETE FROM temp.touched", error);
    for (int i = 0; i < QUANTITIES; i++)
        free(summary.values[i].data);
    (void)sqlite3_finalize(summary.runs);
    (void)sqlite3_finalize(summary.samples);
    (void)sqlite3_finalize(summary.outcome);
    (void)sqlite3_finalize(summary.summary);
    return status;
}
