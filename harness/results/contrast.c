/* What `nuce compare` sets side by side: gathers the runs of both sides into the temporary table
 * `compared`, finds the points that both have (`matched`), and hands the samples of each to the
 * tests of support/comparison. A campaign or an environment is matched point by point; a contender
 * by all of the point but itself, in one environment, since two contenders are two points. Runs of
 * different wait policies are never matched: they wait for each other in different ways. */
#include "results/contrast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/narrow.h"
#include "results/instances.h"
#include "support/allocate.h"
#include "support/record.h"
#include "support/text.h"

/* Which column of the runs names what a class compares, and what else is equal on both sides. */
static const struct {
    const char *column, *match, *contender, *point, *environment;
} classes[] = {
    [NUCE_SIDE_CAMPAIGN] = {"r.campaign", "p.id", "p.contender", "p.id", "NULL"},
    [NUCE_SIDE_ENVIRONMENT] = {"j.environment", "p.id", "p.contender", "p.id", "NULL"},
    [NUCE_SIDE_CONTENDER] = {"p.contender",
                             "p.workload || '/' || p.ranks || '/' || p.problem || j.environment",
                             "NULL", "NULL", "j.environment"},
};

/* A row for each run of the sides; a load of more than half the processors is others', as the
 * programs say when they begin. Its arguments are of `classes`, in the order of the columns. */
static const char gather_sql[] =
    "CREATE TEMP TABLE compared (run INTEGER PRIMARY KEY, side INTEGER, status TEXT, kind TEXT,"
    " started TEXT, busy INTEGER, workload TEXT, ranks INTEGER, problem TEXT, wait TEXT,"
    " match TEXT, contender TEXT, point TEXT, environment TEXT);"
    "INSERT INTO compared SELECT r.id, (%s) IN (SELECT value FROM json_each(%Q)), r.status,"
    " r.kind, r.started, coalesce(json_extract(j.facts, '$.load')"
    "  > 0.5 * json_extract(e.described, '$.processors'), 0),"
    " p.workload, p.ranks, p.problem, r.wait,"
    " %s || '/' || coalesce(r.wait, ''), %s, %s, %s"
    " FROM run AS r JOIN point AS p ON p.id = r.point"
    " JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job"
    " JOIN environment AS e ON e.id = j.environment"
    " WHERE (%s) IN (SELECT value FROM json_each(%Q) UNION ALL SELECT value FROM json_each(%Q));"
    "CREATE INDEX temp.compared_by_match ON compared (match, side);";

/* What is left of them of a kind. */
static const char keep_sql[] = "DELETE FROM compared WHERE kind <> %Q OR status <> 'ok';";

/* Where the times are: of what is modelled the prediction, of communication, is the only one. */
static const char timed_sql[] = "CREATE TEMP VIEW timed AS SELECT * FROM sample;";
static const char predicted_sql[] =
    "CREATE TEMP VIEW timed AS SELECT id AS run, 0 AS number, predicted_s AS communication_s"
    " FROM run WHERE predicted_s IS NOT NULL;";

/* The points that both sides have; times that are not above 0 have no ratio. Its arguments are the
 * part asked for, and the part's time in a row of `timed`. */
static const char match_sql[] =
    "CREATE TEMP TABLE matched AS SELECT c.match, coalesce(%Q,"
    "  CASE WHEN count(*) = count(r.communication_s) THEN 'communication' ELSE 'step' END) AS part,"
    "  0 AS untimed"
    " FROM compared AS c JOIN run AS r ON r.id = c.run GROUP BY c.match"
    " HAVING count(DISTINCT c.side) = 2;"
    "UPDATE matched SET untimed = 1 WHERE EXISTS (SELECT 1 FROM compared AS c"
    " JOIN timed AS s ON s.run = c.run WHERE c.match = matched.match"
    " AND coalesce(%s <= 0, 1))"
    " OR EXISTS (SELECT 1 FROM compared AS c WHERE c.match = matched.match"
    " AND NOT EXISTS (SELECT 1 FROM timed AS s WHERE s.run = c.run));";

static const char points_sql[] =
    "SELECT c.match, c.side, c.run, m.part, c.workload, c.contender, c.ranks, i.instance,"
    " i.described, i.cells, c.point, c.environment,"
    " max(c.busy) OVER (PARTITION BY c.match) AS busy"
    " FROM compared AS c JOIN matched AS m ON m.match = c.match"
    " JOIN instance AS i ON i.problem = c.problem AND i.workload = c.workload WHERE m.untimed = 0"
    " ORDER BY c.workload, c.ranks, i.place, c.contender, c.match, c.side, c.started, c.run";

enum {
    MATCH_COLUMN,
    SIDE_COLUMN,
    RUN_COLUMN,
    PART_COLUMN,
    WORKLOAD_COLUMN,
    CONTENDER_COLUMN,
    RANKS_COLUMN,
    INSTANCE_COLUMN,
    DESCRIBED_COLUMN,
    CELLS_COLUMN,
    POINT_COLUMN,
    ENVIRONMENT_COLUMN,
    BUSY_COLUMN,
};

static const char lone_sql[] =
    "SELECT side, name FROM (SELECT DISTINCT c.side, c.workload, c.ranks, i.place, c.contender,"
    " c.workload || ', ' || c.ranks || CASE c.ranks WHEN 1 THEN ' rank' ELSE ' ranks' END"
    " || coalesce(', ' || c.contender, '')"
    " || CASE i.described WHEN '' THEN '' ELSE ', ' || i.described END AS name"
    " FROM compared AS c JOIN instance AS i ON i.problem = c.problem AND i.workload = c.workload"
    " WHERE c.match NOT IN (SELECT match FROM matched))"
    " ORDER BY side, workload, ranks, place, contender, name";

/* ?1 is the run, ?2 the part. The argument is the part's time. */
static const char samples_sql[] =
    "SELECT %s FROM timed AS s, (SELECT ?2 AS part) WHERE s.run = ?1 ORDER BY s.number";

/* One comparison under way. */
struct contrast_making {
    struct nuce_store *store;
    const struct nuce_contrast_choice *choice;
    struct nuce_contrast *out;
    int is_modelled;
    char *value; /* SQL: the time of the part called `part` in a row `s` of `timed` */
    sqlite3_stmt *samples;
    struct nuce_series *runs[2]; /* of the point in hand */
    int64_t run_count[2], run_capacity[2];
};

/* Runs sql, which is from sqlite3_mprintf and freed; NULL: there was no memory for it. */
static nuce_status contrast_execute(struct nuce_store *store, char *sql, struct nuce_error *error)
{
    nuce_status status = sql == NULL ? nuce_error_set(error, NUCE_FAILED, "out of memory")
                                     : nuce_store_execute(store, sql, error);

    sqlite3_free(sql);
    return status;
}

/* Columns are from `classes`; what the user wrote is quoted by %Q. */
static nuce_status contrast_gather(struct contrast_making *making, const struct nuce_side *a,
                                   const struct nuce_side *b, struct nuce_error *error)
{
    const char *column = classes[a->class].column;

    return contrast_execute(making->store,
                            sqlite3_mprintf(gather_sql, column, b->ids, classes[a->class].match,
                                            classes[a->class].contender, classes[a->class].point,
                                            classes[a->class].environment, column, a->ids, b->ids),
                            error);
}

/* A choice among the columns of `timed`, freed with sqlite3_free. */
static char *value_sql(const struct contrast_making *making, struct nuce_error *error)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    char *sql;

    sqlite3_str_appendall(text, "CASE part");
    for (int i = 0; nuce_record_sample_parts[i] != NULL; i++) {
        if (!making->is_modelled || strcmp(nuce_record_sample_parts[i], "communication") == 0)
            sqlite3_str_appendf(text, " WHEN %Q THEN s.%s_s", nuce_record_sample_parts[i],
                                nuce_record_sample_parts[i]);
    }
    sqlite3_str_appendall(text, " END");
    sql = sqlite3_str_finish(text);
    if (sql == NULL)
        (void)nuce_error_set(error, NUCE_FAILED, "out of memory");
    return sql;
}

/* The number that sql gives, which is freed here. */
static nuce_status contrast_count(struct nuce_store *store, char *sql, int64_t *out,
                                  struct nuce_error *error)
{
    nuce_status status = sql == NULL ? nuce_error_set(error, NUCE_FAILED, "out of memory")
                                     : nuce_store_integer(store, sql, out, error);

    sqlite3_free(sql);
    return status;
}

/* Counts what is left out, then leaves it out. */
static nuce_status leave_out(struct contrast_making *making, struct nuce_error *error)
{
    static const char failed[] = "SELECT count(*) FROM compared WHERE kind = %Q"
                                 " AND status <> 'ok' AND side = %d";
    struct nuce_contrast *out = making->out;
    struct nuce_store *store = making->store;
    const char *kind = making->choice->kind, *part = making->choice->part;
    nuce_status status = contrast_count(
        store, sqlite3_mprintf("SELECT count(*) FROM compared WHERE kind <> %Q", kind),
        &out->other_kind, error);

    if (part == NULL && making->is_modelled)
        part = "communication";
    for (int side = 0; side < 2 && status == NUCE_OK; side++)
        status =
            contrast_count(store, sqlite3_mprintf(failed, kind, side), &out->not_ok[side], error);
    if (status == NUCE_OK)
        status = contrast_execute(store, sqlite3_mprintf(keep_sql, kind), error);
    if (status == NUCE_OK)
        status = nuce_instances_make(store, &out->keys, error);
    if (status == NUCE_OK)
        status = nuce_store_execute(store, making->is_modelled ? predicted_sql : timed_sql, error);
    if (status == NUCE_OK)
        status = contrast_execute(store, sqlite3_mprintf(match_sql, part, making->value), error);
    return status;
}

/* A column as a new string, NULL for NULL. */
static nuce_status copy_column(sqlite3_stmt *row, int column, char **out, struct nuce_error *error)
{
    const char *text = (const char *)sqlite3_column_text(row, column);

    *out = text == NULL ? NULL : strdup(text);
    if (text != NULL && *out == NULL)
        return nuce_error_set(error, NUCE_FAILED, "out of memory");
    return NUCE_OK;
}

/* Points of one side alone: they are named, so that nobody takes them for equal. */
static nuce_status read_lone(struct contrast_making *making, struct nuce_error *error)
{
    struct nuce_contrast *out = making->out;
    sqlite3_stmt *row = NULL;
    nuce_status status = nuce_store_prepare(making->store, lone_sql, &row, error);
    int code = SQLITE_DONE;

    while (status == NUCE_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        void *data = out->lone;

        status = nuce_allocate_more(&data, &out->lone_capacity, out->lone_count + 1,
                                    sizeof *out->lone, error);
        out->lone = data;
        if (status == NUCE_OK)
            status = copy_column(row, 1, &out->lone[out->lone_count].name, error);
        if (status == NUCE_OK)
            out->lone[out->lone_count++].side = sqlite3_column_int(row, 0);
    }
    if (status == NUCE_OK && code != SQLITE_DONE)
        status = nuce_store_fail(making->store, error);
    (void)sqlite3_finalize(row);
    return status;
}

/* Whether runs of A and of B took turns. */
static nuce_status read_turns(struct contrast_making *making, struct nuce_error *error)
{
    static const char sql[] =
        "SELECT max(CASE side WHEN 0 THEN started END) > min(CASE side WHEN 1 THEN started END)"
        " AND max(CASE side WHEN 1 THEN started END) > min(CASE side WHEN 0 THEN started END)"
        " FROM compared WHERE match IN (SELECT match FROM matched)";
    int64_t turns = 0;
    nuce_status status = nuce_store_integer(making->store, sql, &turns, error);

    making->out->in_turn = turns != 0;
    return status;
}

/* The samples of a run, in order; *out->values is the caller's to free. */
static nuce_status read_samples(struct contrast_making *making, int64_t run, const char *part,
                                struct nuce_series *out, struct nuce_error *error)
{
    double *values = NULL;
    int64_t count = 0, capacity = 0;
    nuce_status status = NUCE_OK;
    int code = SQLITE_DONE;

    (void)sqlite3_bind_int64(making->samples, 1, run);
    (void)sqlite3_bind_text(making->samples, 2, part, -1, SQLITE_STATIC);
    while (status == NUCE_OK && (code = sqlite3_step(making->samples)) == SQLITE_ROW) {
        void *data = values;

        status = nuce_allocate_more(&data, &capacity, count + 1, sizeof *values, error);
        values = data;
        if (status == NUCE_OK)
            values[count++] = sqlite3_column_double(making->samples, 0);
    }
    if (status == NUCE_OK && code != SQLITE_DONE)
        status = nuce_store_fail(making->store, error);
    (void)sqlite3_reset(making->samples);
    *out = (struct nuce_series){.values = values, .count = count};
    if (status != NUCE_OK)
        free(values);
    return status;
}

/* Frees the samples of the point in hand; the arrays of runs are kept for the next. */
static void drop_runs(struct contrast_making *making)
{
    for (int side = 0; side < 2; side++) {
        for (int64_t i = 0; i < making->run_count[side]; i++)
            free((void *)making->runs[side][i].values);
        making->run_count[side] = 0;
    }
}

/* Adds the row's run to those of the point in hand. */
static nuce_status contrast_add_run(struct contrast_making *making, sqlite3_stmt *row,
                                    struct nuce_contrast_point *point, struct nuce_error *error)
{
    int side = sqlite3_column_int(row, SIDE_COLUMN);
    int64_t *count = &making->run_count[side];
    void *data = making->runs[side];
    nuce_status status = nuce_allocate_more(&data, &making->run_capacity[side], *count + 1,
                                            sizeof *making->runs[side], error);

    making->runs[side] = data;
    if (status == NUCE_OK)
        status = read_samples(making, sqlite3_column_int64(row, RUN_COLUMN), point->part,
                              &making->runs[side][*count], error);
    if (status != NUCE_OK)
        return status;
    point->runs[side]++;
    point->samples[side] += making->runs[side][*count].count;
    (*count)++;
    return NUCE_OK;
}

/* What is the same in all rows of a point. */
static nuce_status begin_point(sqlite3_stmt *row, struct nuce_contrast_point *point,
                               struct nuce_error *error)
{
    const struct {
        int column;
        char **field;
    } texts[] = {
        {WORKLOAD_COLUMN, &point->workload}, {CONTENDER_COLUMN, &point->contender},
        {INSTANCE_COLUMN, &point->instance}, {DESCRIBED_COLUMN, &point->described},
        {POINT_COLUMN, &point->point},       {ENVIRONMENT_COLUMN, &point->environment},
        {PART_COLUMN, &point->part},
    };

    point->ranks = sqlite3_column_int(row, RANKS_COLUMN);
    point->is_busy = sqlite3_column_int(row, BUSY_COLUMN);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (copy_column(row, texts[i].column, texts[i].field, error) != NUCE_OK)
            return error->status;
    }
    return nuce_instances_array(row, CELLS_COLUMN, &point->values, error);
}

/* Times that are computed have nothing to test. Else runs are the unit wherever there are enough of
 * them on both sides: samples of one run share what the machine was doing. */
static enum nuce_comparison_unit unit_of(const struct contrast_making *making,
                                         const struct nuce_contrast_point *point)
{
    if (strcmp(making->choice->kind, "measured") != 0)
        return NUCE_UNIT_EXACT;
    if (making->choice->unit == NUCE_CONTRAST_RUNS ||
        nuce_comparison_has_enough_runs(point->runs[0], point->runs[1], &making->out->rule))
        return NUCE_UNIT_RUNS;
    return NUCE_UNIT_SAMPLES;
}

/* Compares the point in hand. One launch that began while others used the machine tells nothing of
 * the next. */
static nuce_status end_point(struct contrast_making *making, struct nuce_contrast_point *point,
                             struct nuce_error *error)
{
    const struct nuce_comparison_side a = {making->runs[0], making->run_count[0]};
    const struct nuce_comparison_side b = {making->runs[1], making->run_count[1]};
    enum nuce_comparison_unit unit = unit_of(making, point);
    nuce_status status =
        nuce_comparison_test(&a, &b, unit, &making->out->rule, &point->result, error);

    drop_runs(making);
    point->is_distrusted = unit == NUCE_UNIT_SAMPLES && point->is_busy &&
                           making->choice->unit != NUCE_CONTRAST_SAMPLES;
    point->is_despite = unit == NUCE_UNIT_SAMPLES && point->is_busy && !point->is_distrusted;
    if (status == NUCE_OK && point->is_distrusted)
        nuce_comparison_distrust(&point->result);
    return status;
}

/* Rows come point by point, since the query sorts by `match` behind what points are shown by. */
static nuce_status compare_points(struct contrast_making *making, sqlite3_stmt *row,
                                  struct nuce_error *error)
{
    struct nuce_contrast_point *point = NULL;
    char *match = NULL;
    nuce_status status = NUCE_OK;
    int code = SQLITE_DONE;

    while (status == NUCE_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        const char *here = (const char *)sqlite3_column_text(row, MATCH_COLUMN);

        if (match == NULL || strcmp(match, here) != 0) {
            if (match != NULL)
                status = end_point(making, point, error);
            free(match);
            match = NULL;
            point = point == NULL ? making->out->points : point + 1;
            if (status == NUCE_OK)
                status = copy_column(row, MATCH_COLUMN, &match, error);
            if (status == NUCE_OK)
                status = begin_point(row, point, error);
        }
        if (status == NUCE_OK)
            status = contrast_add_run(making, row, point, error);
    }
    if (status == NUCE_OK && code != SQLITE_DONE)
        status = nuce_store_fail(making->store, error);
    if (status == NUCE_OK && match != NULL)
        status = end_point(making, point, error);
    free(match);
    return status;
}

/* The times of one run after another, by one statement. */
static nuce_status prepare_samples(struct contrast_making *making, struct nuce_error *error)
{
    char *sql = nuce_text_format(error, samples_sql, making->value);
    nuce_status status = sql == NULL
                             ? error->status
                             : nuce_store_prepare(making->store, sql, &making->samples, error);

    free(sql);
    return status;
}

/* All points of `matched` with times. */
static nuce_status contrast_read_points(struct contrast_making *making, struct nuce_error *error)
{
    struct nuce_contrast *out = making->out;
    sqlite3_stmt *row = NULL;
    int64_t count = 0;
    nuce_status status = nuce_store_integer(
        making->store, "SELECT count(*) FROM matched WHERE untimed = 0", &count, error);

    if (status == NUCE_OK)
        status = nuce_store_integer(making->store, "SELECT count(*) FROM matched WHERE untimed = 1",
                                    &out->untimed, error);
    if (status != NUCE_OK || count == 0)
        return status;
    out->points = nuce_allocate(count, sizeof *out->points, error);
    if (out->points == NULL)
        return error->status;
    out->rule.points = count;
    status = prepare_samples(making, error);
    if (status == NUCE_OK)
        status = nuce_store_prepare(making->store, points_sql, &row, error);
    if (status == NUCE_OK)
        status = compare_points(making, row, error);
    (void)sqlite3_finalize(row);
    (void)sqlite3_finalize(making->samples);
    return status;
}

/* Verdicts need all points: the correction for testing many is over the family. */
static nuce_status contrast_conclude(struct nuce_contrast *contrast, struct nuce_error *error)
{
    struct nuce_comparison *results = nuce_allocate(contrast->rule.points, sizeof *results, error);
    nuce_status status;

    if (results == NULL)
        return error->status;
    for (int64_t i = 0; i < contrast->rule.points; i++)
        results[i] = contrast->points[i].result;
    status = nuce_comparison_conclude(results, &contrast->rule, error);
    for (int64_t i = 0; i < contrast->rule.points && status == NUCE_OK; i++)
        contrast->points[i].result = results[i];
    free(results);
    return status;
}

/* SimGrid places events on a grid of 1 ns (its precision/timing, which platforms and smpirun set
 * so). A time is the difference of two of them, so that the same step takes up to 1 ns more or
 * less, and two such times differ by up to 2 ns; the rest is for the rounding of the clock's own
 * double. */
#define SIMULATED_RESOLUTION_S 2.1e-9

nuce_status nuce_contrast_make(struct nuce_store *store, const struct nuce_side *a,
                               const struct nuce_side *b, const struct nuce_contrast_choice *choice,
                               struct nuce_contrast *out, struct nuce_error *error)
{
    struct contrast_making making = {.store = store,
                                     .choice = choice,
                                     .out = out,
                                     .is_modelled = strcmp(choice->kind, "modelled") == 0};
    nuce_status status;

    NUCE_ASSERT(a->class == b->class);
    *out = (struct nuce_contrast){
        .sides = {a, b},
        .rule = {.confidence = choice->confidence,
                 .threshold = choice->threshold,
                 .resolution_s =
                     strcmp(choice->kind, "simulated") == 0 ? SIMULATED_RESOLUTION_S : 0},
    };
    making.value = value_sql(&making, error);
    status =
        making.value == NULL ? error->status : nuce_store_narrow(store, choice->campaign, error);
    if (status == NUCE_OK)
        status = contrast_gather(&making, a, b, error);
    if (status == NUCE_OK)
        status = leave_out(&making, error);
    if (status == NUCE_OK)
        status = read_lone(&making, error);
    if (status == NUCE_OK)
        status = read_turns(&making, error);
    if (status == NUCE_OK)
        status = contrast_read_points(&making, error);
    if (status == NUCE_OK && out->rule.points > 0)
        status = contrast_conclude(out, error);
    drop_runs(&making);
    sqlite3_free(making.value);
    free(making.runs[0]);
    free(making.runs[1]);
    return status;
}

void nuce_contrast_fini(struct nuce_contrast *contrast)
{
    for (int64_t i = 0; i < contrast->rule.points && contrast->points != NULL; i++) {
        struct nuce_contrast_point *point = &contrast->points[i];

        free(point->workload);
        free(point->contender);
        free(point->instance);
        free(point->described);
        json_decref(point->values);
        free(point->point);
        free(point->environment);
        free(point->part);
    }
    for (int64_t i = 0; i < contrast->lone_count; i++)
        free(contrast->lone[i].name);
    json_decref(contrast->keys);
    free(contrast->points);
    free(contrast->lone);
    *contrast = (struct nuce_contrast){0};
}
