/* The rows of a run record: run, point, launch, samples, and what few records have beside them.
 *
 * Order: what the run refers to (add_parents), the run, its samples (add_run); then the tables that
 * refer to the run (add_details). Foreign keys hold at once, so nothing can be stored before its
 * parent. What the record says has been checked (collect.c) before the first row; here values are
 * only carried over, and one that is missing becomes NULL. */
#include <stdlib.h>
#include <string.h>

#include "db/collect_rows.h"
#include "support/record.h"
#include "support/text.h"

/* The first 63 bits of the hash: the same run has the same id in every database, and SQLite's
 * rowids are 64 bits with a sign. Two of a million runs share one with a probability of 5e-8; the
 * second would break a constraint and be reported. */
static int64_t run_id(const char *hash)
{
    char digits[17];

    memcpy(digits, hash, 16);
    digits[16] = '\0';
    return (int64_t)(strtoull(digits, NULL, 16) >> 1);
}

/* The campaign and the job of a run, unless they were the last run's too: nearly all runs of a file
 * are of one launch, and need not ask for it again. rows->launch is set before its rows are there.
 * Where they are rolled back nuce_rows_forget comes before the next run (collect_start_over). */
static nuce_status add_launch(struct nuce_rows *rows, const json_t *record,
                              struct nuce_error *error)
{
    const json_t *campaign = json_object_get(record, "campaign");
    const json_t *job = json_object_get(record, "job");
    char *launch =
        nuce_text_format(error, "%s/%s", json_string_value(campaign), json_string_value(job));
    int is_known;

    if (launch == NULL)
        return error->status;
    is_known = rows->launch != NULL && strcmp(launch, rows->launch) == 0;
    free(rows->launch);
    rows->launch = launch;
    if (is_known)
        return NUCE_OK;
    nuce_rows_json_text(rows, NUCE_INSERT_CAMPAIGN, 1, campaign);
    if (nuce_rows_run(rows, NUCE_INSERT_CAMPAIGN, NULL, error) != NUCE_OK)
        return error->status;
    nuce_rows_json_text(rows, NUCE_INSERT_JOB, 1, job);
    nuce_rows_json_text(rows, NUCE_INSERT_JOB, 2, campaign);
    nuce_rows_text(rows, NUCE_INSERT_JOB, 3, rows->unknown);
    return nuce_rows_run(rows, NUCE_INSERT_JOB, NULL, error);
}

/* The rows that the run refers to, its point and its launch, and that the point is to be summed up
 * again. */
static nuce_status add_parents(struct nuce_rows *rows, const json_t *record, const char *params,
                               struct nuce_error *error)
{
    const json_t *point = json_object_get(record, "point");

    if (add_launch(rows, record, error) != NUCE_OK)
        return error->status;
    nuce_rows_json_text(rows, NUCE_INSERT_POINT, 1, point);
    nuce_rows_json_text(rows, NUCE_INSERT_POINT, 2, json_object_get(record, "workload"));
    (void)sqlite3_bind_int64(rows->statements[NUCE_INSERT_POINT], 3,
                             json_integer_value(json_object_get(record, "ranks")));
    nuce_rows_text(rows, NUCE_INSERT_POINT, 4, params);
    if (nuce_rows_run(rows, NUCE_INSERT_POINT, NULL, error) != NUCE_OK)
        return error->status;
    nuce_rows_json_text(rows, NUCE_TOUCH_POINT, 1, point);
    return nuce_rows_run(rows, NUCE_TOUCH_POINT, NULL, error);
}

/* Binds a field as its type says; absent and null leave the NULL that stands there. The record has
 * been checked, so its value is of that type. */
static void run_bind_field(sqlite3_stmt *statement, int index,
                           const struct nuce_record_field *field, const json_t *value)
{
    if (value == NULL || json_is_null(value))
        return;
    switch (field->type) {
    case NUCE_FIELD_TEXT:
        (void)sqlite3_bind_text(statement, index, json_string_value(value), -1, SQLITE_STATIC);
        break;
    case NUCE_FIELD_INTEGER:
        (void)sqlite3_bind_int64(statement, index, json_integer_value(value));
        break;
    case NUCE_FIELD_REAL:
        (void)sqlite3_bind_double(statement, index, json_number_value(value));
        break;
    }
}

/* What is no number is for nobody: the column stays NULL. */
static void run_bind_others(sqlite3_stmt *statement, int index, const json_t *found)
{
    const json_t *others = json_object_get(found, "others_cpus");

    if (json_is_number(others))
        (void)sqlite3_bind_double(statement, index, json_number_value(others));
}

/* The row of `run`, its parameters as run_sql in collect_job.c names them. */
static nuce_status insert_run(struct nuce_rows *rows, const json_t *record, const char *hash,
                              const char *file, const struct nuce_collect_samples *samples,
                              struct nuce_error *error)
{
    const json_t *found = json_object_get(record, "found");
    char *text = found != NULL ? json_dumps(found, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    sqlite3_stmt *statement = rows->statements[NUCE_INSERT_RUN];
    int index = 4;

    if (found != NULL && text == NULL)
        return nuce_error_set(error, NUCE_FAILED, "out of memory for a point");
    (void)sqlite3_bind_int64(statement, 1, run_id(hash));
    nuce_rows_text(rows, NUCE_INSERT_RUN, 2, hash);
    nuce_rows_text(rows, NUCE_INSERT_RUN, 3, file);
    for (const struct nuce_record_field *field = nuce_record_fields; field->name != NULL; field++)
        run_bind_field(statement, index++, field, json_object_get(record, field->name));
    (void)sqlite3_bind_text(statement, index++, text == NULL ? "{}" : text, -1, SQLITE_STATIC);
    run_bind_others(statement, index++, found);
    (void)sqlite3_bind_int64(statement, index++, samples->count);
    /* SQLite takes NaN, a part that the run has not, for NULL. */
    for (int i = 0; i < NUCE_SAMPLE_PARTS; i++)
        (void)sqlite3_bind_double(statement, index++, samples->medians[i]);
    error->status = nuce_rows_run(rows, NUCE_INSERT_RUN, NULL, error);
    free(text);
    return error->status;
}

/* A row of `sampled` or `twin`; places: the JSON array, NULL where the record has none. A run
 * without samples, as one that was lost or that a model computed, has no row. */
static nuce_status insert_samples(struct nuce_rows *rows, enum nuce_insert which,
                                  const struct nuce_collect_samples *samples, const json_t *places,
                                  int64_t run, struct nuce_error *error)
{
    sqlite3_stmt *statement = rows->statements[which];
    char *text = places == NULL ? NULL : json_dumps(places, JSON_COMPACT);
    nuce_status status = NUCE_OK;

    if (samples->count > 0) {
        (void)sqlite3_bind_int64(statement, 1, run);
        (void)sqlite3_bind_text(statement, 2, samples->times, -1, SQLITE_STATIC);
        (void)sqlite3_bind_text(statement, 3, text, -1, SQLITE_STATIC);
        status = nuce_rows_run(rows, which, NULL, error);
    }
    free(text);
    return status;
}

/* What the reference's twin took, where the record is the reference's. */
static nuce_status insert_twin(struct nuce_rows *rows, const json_t *record, int64_t run,
                               struct nuce_error *error)
{
    const json_t *twin = json_object_get(record, "twin");
    struct nuce_collect_samples samples;
    nuce_status status;

    if (twin == NULL)
        return NUCE_OK;
    if (nuce_collect_samples_from_json(twin, &samples, error) != NUCE_OK)
        return error->status;
    status = insert_samples(rows, NUCE_INSERT_TWIN, &samples, json_object_get(twin, "place"), run,
                            error);
    nuce_collect_samples_fini(&samples);
    return status;
}

/* The step of each rank in each sample, where the run kept them: an array a sample, a time a rank.
 */
static nuce_status insert_rank_samples(struct nuce_rows *rows, const json_t *record, int64_t run,
                                       struct nuce_error *error)
{
    sqlite3_stmt *statement = rows->statements[NUCE_INSERT_RANK_SAMPLE];
    const json_t *ranks, *value;
    size_t number, rank;

    json_array_foreach(json_object_get(record, "per_rank"), number, ranks)
    {
        json_array_foreach(ranks, rank, value)
        {
            (void)sqlite3_bind_int64(statement, 1, run);
            (void)sqlite3_bind_int64(statement, 2, (int64_t)number);
            (void)sqlite3_bind_int64(statement, 3, (int64_t)rank);
            (void)sqlite3_bind_double(statement, 4, json_number_value(value));
            if (nuce_rows_run(rows, NUCE_INSERT_RANK_SAMPLE, NULL, error) != NUCE_OK)
                return error->status;
        }
    }
    return NUCE_OK;
}

/* A counter that could not be read is a row with NULL: that it was asked for is worth knowing. */
static nuce_status insert_counters(struct nuce_rows *rows, const json_t *record, int64_t run,
                                   struct nuce_error *error)
{
    sqlite3_stmt *statement = rows->statements[NUCE_INSERT_COUNTER];
    const json_t *counter;
    size_t index;

    json_array_foreach(json_object_get(record, "counters"), index, counter)
    {
        const json_t *value = json_object_get(counter, "value");

        (void)sqlite3_bind_int64(statement, 1, run);
        nuce_rows_json_text(rows, NUCE_INSERT_COUNTER, 2, json_object_get(counter, "part"));
        nuce_rows_json_text(rows, NUCE_INSERT_COUNTER, 3, json_object_get(counter, "event"));
        if (json_is_integer(value))
            (void)sqlite3_bind_int64(statement, 4, json_integer_value(value));
        if (nuce_rows_run(rows, NUCE_INSERT_COUNTER, NULL, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* An event's number is its place in its rank's list. Of the traced step or of the model; each event
 * is an array as record.h says: rank, direction, peer, phase, bytes, start, end. The events of a
 * rank stand together in the list. */
static nuce_status insert_events(struct nuce_rows *rows, enum nuce_insert insert,
                                 const json_t *events, int64_t run, struct nuce_error *error)
{
    sqlite3_stmt *statement = rows->statements[insert];
    json_int_t rank = -1;
    int64_t number = 0;
    const json_t *event;
    size_t index;

    json_array_foreach(events, index, event)
    {
        if (json_integer_value(json_array_get(event, 0)) != rank) {
            rank = json_integer_value(json_array_get(event, 0));
            number = 0;
        }
        (void)sqlite3_bind_int64(statement, 1, run);
        (void)sqlite3_bind_int64(statement, 2, rank);
        (void)sqlite3_bind_int64(statement, 3, number++);
        nuce_rows_json_text(rows, insert, 4, json_array_get(event, 1));
        for (int i = 2; i <= 4; i++)
            (void)sqlite3_bind_int64(statement, i + 3,
                                     json_integer_value(json_array_get(event, (size_t)i)));
        for (int i = 5; i <= 6; i++)
            (void)sqlite3_bind_double(statement, i + 3,
                                      json_number_value(json_array_get(event, (size_t)i)));
        if (nuce_rows_run(rows, insert, NULL, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* Rows of whole numbers, reals and nulls, each as long as the statement has parameters behind the
 * run. A null, and what a shorter row lacks, stays NULL: unbound. */
static nuce_status insert_numbers(struct nuce_rows *rows, enum nuce_insert insert,
                                  const json_t *all, int64_t run, struct nuce_error *error)
{
    sqlite3_stmt *statement = rows->statements[insert];
    const json_t *row, *value;
    size_t index, column;

    json_array_foreach(all, index, row)
    {
        (void)sqlite3_bind_int64(statement, 1, run);
        json_array_foreach(row, column, value)
        {
            if (json_is_integer(value))
                (void)sqlite3_bind_int64(statement, (int)column + 2, json_integer_value(value));
            else if (json_is_real(value))
                (void)sqlite3_bind_double(statement, (int)column + 2, json_real_value(value));
        }
        if (nuce_rows_run(rows, insert, NULL, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* What a record lists in rows of numbers, table by table. */
static nuce_status insert_lists(struct nuce_rows *rows, const json_t *record, int64_t run,
                                struct nuce_error *error)
{
    static const struct {
        const char *key;
        enum nuce_insert insert;
    } lists[] = {
        {"links", NUCE_INSERT_LINK},
        {"ports", NUCE_INSERT_PORT},
        {"contention", NUCE_INSERT_CONTENTION},
        {"rectangles", NUCE_INSERT_RECTANGLE},
        {"speeds", NUCE_INSERT_SPEED},
        {"switches", NUCE_INSERT_SWITCH},
        {"switch_links", NUCE_INSERT_SWITCH_LINK},
        {"placed", NUCE_INSERT_PLACED},
    };

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (insert_numbers(rows, lists[i].insert, json_object_get(record, lists[i].key), run,
                           error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* The run itself and what it belongs to. */
static nuce_status add_run(struct nuce_rows *rows, const json_t *record, const char *hash,
                           const char *file, struct nuce_error *error)
{
    char *params = json_dumps(json_object_get(record, "params"), JSON_COMPACT | JSON_SORT_KEYS);
    struct nuce_collect_samples samples = {0};

    if (params == NULL)
        return nuce_error_set(error, NUCE_FAILED, "out of memory for a point");
    error->status =
        nuce_collect_samples_from_json(json_object_get(record, "samples"), &samples, error);
    if (error->status == NUCE_OK &&
        (error->status = add_parents(rows, record, params, error)) == NUCE_OK &&
        (error->status = insert_run(rows, record, hash, file, &samples, error)) == NUCE_OK)
        error->status = insert_samples(rows, NUCE_INSERT_SAMPLES, &samples,
                                       json_object_get(record, "place"), run_id(hash), error);
    nuce_collect_samples_fini(&samples);
    free(params);
    return error->status;
}

/* What few records have, each a list that is mostly absent: an absent one is no rows. */
static nuce_status add_details(struct nuce_rows *rows, const json_t *record, int64_t run,
                               struct nuce_error *error)
{
    if (insert_twin(rows, record, run, error) != NUCE_OK ||
        insert_rank_samples(rows, record, run, error) != NUCE_OK ||
        insert_counters(rows, record, run, error) != NUCE_OK ||
        insert_lists(rows, record, run, error) != NUCE_OK ||
        insert_events(rows, NUCE_INSERT_EVENT, json_object_get(record, "events"), run, error) !=
            NUCE_OK)
        return error->status;
    return insert_events(rows, NUCE_INSERT_PLANNED, json_object_get(record, "planned"), run, error);
}

nuce_status nuce_rows_add_run(struct nuce_rows *rows, const json_t *record, const char *hash,
                              const char *file, struct nuce_error *error)
{
    if (add_run(rows, record, hash, file, error) != NUCE_OK)
        return error->status;
    return add_details(rows, record, run_id(hash), error);
}

/* By the hash of the line, so that a record copied to another file is the same run. */
nuce_status nuce_rows_find_run(struct nuce_rows *rows, const char *hash, const char *file,
                               int *found, struct nuce_error *error)
{
    (void)sqlite3_bind_int64(rows->statements[NUCE_FIND_RUN], 1, run_id(hash));
    nuce_rows_text(rows, NUCE_FIND_RUN, 2, hash);
    if (nuce_rows_run(rows, NUCE_FIND_RUN, found, error) != NUCE_OK)
        return error->status;
    if (!*found)
        return NUCE_OK;
    (void)sqlite3_bind_int64(rows->statements[NUCE_MOVE_RUN], 1, run_id(hash));
    nuce_rows_text(rows, NUCE_MOVE_RUN, 2, file);
    return nuce_rows_run(rows, NUCE_MOVE_RUN, NULL, error);
}
