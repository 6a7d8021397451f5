/* The derived table `outcome`: medians with their intervals from runs that ended ok. What varies
 * from launch to launch is in an interval as soon as there are two runs; that of one run knows of
 * its launch alone.
 *
 * For each point in the temporary table `touched`: its old rows go (nuce_summary_refresh), its runs
 * are read in groups of what is never pooled, environment, kind and wait policy (refresh_point),
 * values are gathered run by run (summary_add_run), and each group becomes a row (end_group). Kept
 * as a table and not as a view, since a view would read all samples of a campaign whenever somebody
 * looks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/collect_rows.h"
#include "support/allocate.h"
#include "support/race_ratio.h"
#include "support/record.h"
#include "support/statistics.h"
#include "support/text.h"

/* What happens once a run, and is found by it as NAME_s: the median over runs is of interest too.
 */
static const char *const once[] = {"index", "gather", "schedule", "first"};
enum { ONCE = sizeof once / sizeof *once };

/* Quantities: the parts of a step, sample by sample, then what happens once a run. The rest counts
 * columns of the query runs_sql (from 0) and parameters of the insertion outcome_sql (from 1),
 * which stand in the same order in both. */
enum {
    QUANTITIES = NUCE_SAMPLE_PARTS + ONCE,
    /* Columns of the query of runs. */
    KEYS_COLUMN = 1,
    KEYS = 3,
    SHORT_COLUMN = KEYS_COLUMN + KEYS,
    ONCE_COLUMN,
    /* Parameters of the insertion. */
    KEYS_PARAMETER = 2,
    RUNS_PARAMETER = KEYS_PARAMETER + KEYS,
    LATEST_PARAMETER,
    N_PARAMETER,
    SHORT_PARAMETER,
    QUANTITY_PARAMETER,
};

/* Seconds, or logarithms of them, of the group that is being added up; emptied and used again for
 * the next one. */
struct summary_values {
    double *data;
    int64_t count, capacity;
};

struct summary {
    struct nuce_store *store;
    sqlite3_stmt *runs, *samples, *outcome;
    struct summary_values values[QUANTITIES];
    struct summary_values logarithms[NUCE_SAMPLE_PARTS]; /* of the medians of the runs */
    char *group;           /* the keys of the runs that are being added up; or NULL */
    int64_t count, latest; /* of them */
    int64_t told, shorts;  /* runs that say whether a step is too short, and that it is */
};

/* The point's runs, group by group: what stands between the id and the parts keeps them apart. The
 * last of a group is the latest; the hash decides between two that started in one millisecond, so
 * that the order never depends on that of collecting. A new string; NULL: *error stands. */
static char *runs_sql(struct nuce_error *error)
{
    char parts[256] = "";

    for (int i = 0; i < ONCE; i++) {
        size_t length = strlen(parts);
        int added = snprintf(parts + length, sizeof parts - length,
                             ", json_extract(run.found, '$.%s_s')", once[i]);

        NUCE_ASSERT((size_t)added < sizeof parts - length);
    }
    return nuce_text_format(
        error,
        "SELECT run.id, job.environment, run.kind, coalesce(run.wait, '') AS waited,"
        " run.too_short%s"
        " FROM run JOIN job ON job.campaign = run.campaign AND job.id = run.job WHERE run.point = "
        "?1 AND run.status = 'ok'"
        " ORDER BY environment, kind, waited, run.started, run.hash",
        parts);
}

/* As columns of `outcome` are named. */
static const char *quantity_name(int quantity)
{
    return quantity < NUCE_SAMPLE_PARTS ? nuce_record_sample_parts[quantity]
                                        : once[quantity - NUCE_SAMPLE_PARTS];
}

/* The insertion of a row, with three columns for each quantity. A new string; NULL: *error
 * stands. */
static char *outcome_sql(struct nuce_error *error)
{
    char columns[1024] = "", values[256] = "";

    for (int i = 0; i < QUANTITIES; i++) {
        const char *name = quantity_name(i);
        size_t length = strlen(columns);
        int added = snprintf(columns + length, sizeof columns - length,
                             ", %s_s, %s_low_s, %s_high_s", name, name, name);

        NUCE_ASSERT((size_t)added < sizeof columns - length);
        NUCE_ASSERT(strlen(values) + sizeof ", ?, ?, ?" <= sizeof values);
        strcat(values, ", ?, ?, ?");
    }
    return nuce_text_format(error,
                            "INSERT INTO outcome (point, environment, kind, wait, runs,"
                            " latest, n, too_short%s) VALUES (?, ?, ?, ?, ?, ?, ?, ?%s)",
                            columns, values);
}

/* Appends a value; the room is kept for the next group. */
static nuce_status add_value(struct summary_values *values, double value, struct nuce_error *error)
{
    void *data = values->data;

    if (nuce_allocate_more(&data, &values->capacity, values->count + 1, sizeof value, error) !=
        NUCE_OK)
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

/* Adds the times of a row of `sampled`, "[[step, pack, ...], ...]", to the values of their parts.
 */
static nuce_status summary_add_times(struct summary *summary, const char *text,
                                     struct nuce_error *error)
{
    json_t *samples = json_loads(text, 0, NULL), *sample, *time;
    nuce_status status = NUCE_OK;
    size_t i, part;

    json_array_foreach(samples, i, sample)
    {
        json_array_foreach(sample, part, time)
        {
            if (json_is_number(time) && part < NUCE_SAMPLE_PARTS && status == NUCE_OK)
                status = add_value(&summary->values[part], json_number_value(time), error);
        }
    }
    json_decref(samples);
    return status;
}

/* A run without samples has no row in `sampled`, and adds nothing. */
static nuce_status summary_add_samples(struct summary *summary, int64_t run,
                                       struct nuce_error *error)
{
    nuce_status status = NUCE_OK;
    int code;

    (void)sqlite3_bind_int64(summary->samples, 1, run);
    code = sqlite3_step(summary->samples);
    if (code == SQLITE_ROW)
        status = summary_add_times(summary, (const char *)sqlite3_column_text(summary->samples, 0),
                                   error);
    else if (code != SQLITE_DONE)
        status = nuce_store_fail(summary->store, error);
    (void)sqlite3_reset(summary->samples);
    return status;
}

#define CONFIDENCE 0.95

/* Binds the median and the ends of its interval, of one run's samples or of what happens once a
 * run; nothing if there are no values. Fewer than six have no interval of that confidence: its ends
 * stay NULL. */
static void bind_median(sqlite3_stmt *outcome, int parameter, struct summary_values *values)
{
    struct nuce_interval interval;

    if (values->count == 0)
        return;
    nuce_statistics_sort(values->data, values->count);
    interval = nuce_statistics_median_interval(values->data, values->count, CONFIDENCE);
    (void)sqlite3_bind_double(outcome, parameter,
                              nuce_statistics_median(values->data, values->count));
    if (interval.confidence >= CONFIDENCE) {
        (void)sqlite3_bind_double(outcome, parameter + 1, interval.low);
        (void)sqlite3_bind_double(outcome, parameter + 2, interval.high);
    }
}

/* Binds what several runs' medians say together: as the ratios of heats, by launches. */
static void bind_launches(sqlite3_stmt *outcome, int parameter,
                          const struct summary_values *logarithms)
{
    struct nuce_launches_mean found = nuce_race_over_launches(logarithms->data, logarithms->count);

    (void)sqlite3_bind_double(outcome, parameter, exp(found.mean));
    (void)sqlite3_bind_double(outcome, parameter + 1, exp(found.mean - found.reach));
    (void)sqlite3_bind_double(outcome, parameter + 2, exp(found.mean + found.reach));
}

/* Binds a quantity and empties it. Two runs are needed to see what differs between launches; where
 * a part took no time in some run there may be fewer logarithms, and its samples are taken as if
 * all were of one run. */
static void bind_quantity(struct summary *summary, int quantity)
{
    int parameter = QUANTITY_PARAMETER + 3 * quantity;

    if (quantity < NUCE_SAMPLE_PARTS && summary->logarithms[quantity].count > 1)
        bind_launches(summary->outcome, parameter, &summary->logarithms[quantity]);
    else
        bind_median(summary->outcome, parameter, &summary->values[quantity]);
    summary->values[quantity].count = 0;
    if (quantity < NUCE_SAMPLE_PARTS)
        summary->logarithms[quantity].count = 0;
}

/* Writes the row of the group that has been added up, if any, and empties it. A point's steps are
 * too short where most of its runs that say anything about it say so. */
static nuce_status end_group(struct summary *summary, struct nuce_error *error)
{
    sqlite3_stmt *outcome = summary->outcome;
    nuce_status status = NUCE_OK;

    if (summary->count == 0)
        return NUCE_OK;
    (void)sqlite3_bind_int64(outcome, RUNS_PARAMETER, summary->count);
    (void)sqlite3_bind_int64(outcome, LATEST_PARAMETER, summary->latest);
    (void)sqlite3_bind_int64(outcome, N_PARAMETER, summary->values[NUCE_PART_STEP].count);
    if (summary->told > 0)
        (void)sqlite3_bind_int64(outcome, SHORT_PARAMETER, 2 * summary->shorts > summary->told);
    for (int i = 0; i < QUANTITIES; i++)
        bind_quantity(summary, i);
    if (sqlite3_step(outcome) != SQLITE_DONE)
        status = nuce_store_fail(summary->store, error);
    (void)sqlite3_reset(outcome);
    (void)sqlite3_clear_bindings(outcome);
    summary->count = summary->told = summary->shorts = 0;
    return status;
}

/* The samples of the run, and of each part the logarithm of its median; a part that took no time
 * has none. Sorts the run's own part of the values, no others. */
static nuce_status add_samples_of(struct summary *summary, int64_t run, struct nuce_error *error)
{
    int64_t first[NUCE_SAMPLE_PARTS];

    for (int part = 0; part < NUCE_SAMPLE_PARTS; part++)
        first[part] = summary->values[part].count;
    if (summary_add_samples(summary, run, error) != NUCE_OK)
        return error->status;
    for (int part = 0; part < NUCE_SAMPLE_PARTS; part++) {
        double *own = summary->values[part].data + first[part];
        int64_t count = summary->values[part].count - first[part];
        double median;

        if (count == 0)
            continue;
        nuce_statistics_sort(own, count);
        median = nuce_statistics_median(own, count);
        if (median > 0 && add_value(&summary->logarithms[part], log(median), error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* Until the next step of `runs`. */
static const char *key_text(const struct summary *summary, int key)
{
    return (const char *)sqlite3_column_text(summary->runs, KEYS_COLUMN + key);
}

/* Whether the row of `runs` is of another group than the one before it, which it then names. */
static nuce_status summary_compare_keys(struct summary *summary, int *begins,
                                        struct nuce_error *error)
{
    char *group;

    _Static_assert(KEYS == 3, "all keys make the group's name, and nothing else");
    group = nuce_text_format(error, "%s|%s|%s", key_text(summary, 0), key_text(summary, 1),
                             key_text(summary, 2));

    if (group == NULL)
        return error->status;
    *begins = summary->count == 0 || strcmp(group, summary->group) != 0;
    free(summary->group);
    summary->group = group;
    return NUCE_OK;
}

/* Adds the current row of `runs`; where it begins a group, the row of the one before is written
 * first, and the keys of the new one are bound to the insertion. latest becomes the last run of the
 * group in the order of runs_sql. */
static nuce_status summary_add_run(struct summary *summary, const char *point,
                                   struct nuce_error *error)
{
    sqlite3_stmt *row = summary->runs;
    int begins = 0;

    if (summary_compare_keys(summary, &begins, error) != NUCE_OK)
        return error->status;
    if (begins) {
        if (end_group(summary, error) != NUCE_OK)
            return error->status;
        (void)sqlite3_bind_text(summary->outcome, 1, point, -1, SQLITE_TRANSIENT);
        for (int i = 0; i < KEYS; i++)
            (void)sqlite3_bind_value(summary->outcome, KEYS_PARAMETER + i,
                                     sqlite3_column_value(row, KEYS_COLUMN + i));
    }
    summary->count++;
    summary->latest = sqlite3_column_int64(row, 0);
    summary->told += sqlite3_column_type(row, SHORT_COLUMN) != SQLITE_NULL;
    summary->shorts += sqlite3_column_int64(row, SHORT_COLUMN) != 0;
    if (add_columns(summary, row, ONCE_COLUMN, ONCE, NUCE_SAMPLE_PARTS, error) != NUCE_OK)
        return error->status;
    return add_samples_of(summary, summary->latest, error);
}

/* All rows of one point. The runs come sorted by group, so one group at a time is in memory. */
static nuce_status refresh_point(struct summary *summary, const char *point,
                                 struct nuce_error *error)
{
    nuce_status status = NUCE_OK;
    int code = SQLITE_DONE;

    (void)sqlite3_bind_text(summary->runs, 1, point, -1, SQLITE_STATIC);
    while (status == NUCE_OK && (code = sqlite3_step(summary->runs)) == SQLITE_ROW)
        status = summary_add_run(summary, point, error);
    if (status == NUCE_OK && code != SQLITE_DONE)
        status = nuce_store_fail(summary->store, error);
    if (status == NUCE_OK)
        status = end_group(summary, error);
    (void)sqlite3_reset(summary->runs);
    return status;
}

/* Points in the order of their ids, which is that of `outcome`: its rows are appended, not
 * inserted. */
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

/* Prepares sql (freed here; NULL: *error stands). */
static nuce_status summary_prepare(struct summary *summary, char *sql, sqlite3_stmt **out,
                                   struct nuce_error *error)
{
    nuce_status status =
        sql == NULL ? error->status : nuce_store_prepare(summary->store, sql, out, error);

    free(sql);
    return status;
}

nuce_status nuce_summary_refresh(struct nuce_store *store, struct nuce_error *error)
{
    static const char clear[] =
        "DELETE FROM outcome WHERE point IN (SELECT point FROM temp.touched)";
    struct summary summary = {.store = store};
    nuce_status status = nuce_store_execute(store, clear, error);

    if (status == NUCE_OK)
        status = summary_prepare(&summary, runs_sql(error), &summary.runs, error);
    if (status == NUCE_OK)
        status = nuce_store_prepare(store, "SELECT times FROM sampled WHERE run = ?1",
                                    &summary.samples, error);
    if (status == NUCE_OK)
        status = summary_prepare(&summary, outcome_sql(error), &summary.outcome, error);
    if (status == NUCE_OK)
        status = refresh_all(&summary, error);
    if (status == NUCE_OK)
        status = nuce_store_execute(store, "DELETE FROM temp.touched", error);
    for (int i = 0; i < QUANTITIES; i++)
        free(summary.values[i].data);
    for (int i = 0; i < NUCE_SAMPLE_PARTS; i++)
        free(summary.logarithms[i].data);
    free(summary.group);
    (void)sqlite3_finalize(summary.runs);
    (void)sqlite3_finalize(summary.samples);
    (void)sqlite3_finalize(summary.outcome);
    return status;
}
