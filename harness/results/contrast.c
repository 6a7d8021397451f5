/* What `nuce compare` sets side by side: gathers the runs of both sides into the temporary table
 * `compared`, finds the points that both have (`matched`) and what each launch says of them
 * (`launched`), and hands the launches to support/comparison. A campaign or an environment is
 * matched point by point, its launches being others than the other side's. A contender is matched
 * by all of the point but itself, in one environment, and in each launch that raced both in a heat
 * it is the ratio of the two that counts, as the view `against` has it. Runs of different wait
 * policies are never matched: they wait for each other in different ways. */
#include "results/contrast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/narrow.h"
#include "results/instances.h"
#include "support/allocate.h"
#include "support/record.h"

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

/* A row for each run of the sides. Its arguments are of `classes`, in the order of the columns. */
static const char gather_sql[] =
    "CREATE TEMP TABLE compared (run INTEGER PRIMARY KEY, side INTEGER, status TEXT, kind TEXT,"
    " started TEXT, launch INTEGER, heat TEXT, workload TEXT, ranks INTEGER, problem TEXT,"
    " wait TEXT, match TEXT, contender TEXT, point TEXT, environment TEXT);"
    "INSERT INTO compared SELECT r.id, (%s) IN (SELECT value FROM json_each(%Q)), r.status,"
    " r.kind, r.started, dense_rank() OVER (ORDER BY r.campaign, r.job), r.heat,"
    " p.workload, p.ranks, p.problem, r.wait,"
    " %s || '/' || coalesce(r.wait, ''), %s, %s, %s"
    " FROM run AS r JOIN point AS p ON p.id = r.point"
    " JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job"
    " WHERE (%s) IN (SELECT value FROM json_each(%Q) UNION ALL SELECT value FROM json_each(%Q));"
    "CREATE INDEX temp.compared_by_match ON compared (match, side);";

/* What is left of them of a kind. */
static const char keep_sql[] = "DELETE FROM compared WHERE kind <> %Q OR status <> 'ok';";

/* The points that both sides have, and what their runs took; times that are not above 0 have no
 * ratio. The arguments are the part asked for, and the part's time of a run `r`. */
static const char match_sql[] =
    "CREATE TEMP TABLE matched AS SELECT c.match, coalesce(%Q,"
    "  CASE WHEN count(r.criterion) = count(*) AND min(r.criterion) = max(r.criterion)"
    "   THEN min(r.criterion)"
    "   WHEN count(r.communication_s) = count(*) THEN 'communication' ELSE 'step' END) AS part,"
    "  0 AS untimed"
    " FROM compared AS c JOIN run AS r ON r.id = c.run GROUP BY c.match"
    " HAVING count(DISTINCT c.side) = 2;"
    "CREATE TEMP TABLE valued AS SELECT c.run, c.match, c.side, c.launch, c.heat, part,"
    " %s AS seconds"
    " FROM matched AS m JOIN compared AS c ON c.match = m.match JOIN run AS r ON r.id = c.run;"
    "CREATE INDEX temp.valued_by_match ON valued (match, launch);"
    "UPDATE matched SET untimed = 1 WHERE EXISTS (SELECT 1 FROM valued AS v"
    " WHERE v.match = matched.match AND coalesce(v.seconds <= 0, 1));"
    "DELETE FROM valued WHERE match IN (SELECT match FROM matched WHERE untimed);";

/* What each launch says: the logarithm of its median. */
static const char apart_sql[] =
    "CREATE TEMP TABLE launched AS SELECT match, side, launch, avg(ln(seconds)) AS logarithm,"
    " NULL AS effect FROM valued GROUP BY match, side, launch;";

/* What contenders came to in each launch, over its reference: of the part that the heat compares,
 * and of another. */
static const char turn_sql[] = "CREATE TEMP TABLE turn (run INTEGER PRIMARY KEY, ratio REAL);"
                               "INSERT INTO turn SELECT run, ratio FROM launch_ratio"
                               " WHERE contender <> 'twin' AND run IN (SELECT run FROM valued);";
static const char part_turn_sql[] =
    "CREATE TEMP TABLE turn (run INTEGER PRIMARY KEY, ratio REAL);"
    "INSERT INTO turn SELECT v.run, iif(v.run = a.reference, 1.0,"
    "  race_ratio(s.times, base.times, sample_part(v.part)) ->> 1)"
    " FROM valued AS v JOIN raced AS a ON a.run = v.run"
    " JOIN sampled AS s ON s.run = v.run JOIN sampled AS base ON base.run = a.reference;";

/* The same of a launch that had both: the logarithms of both medians, and of the ratio. */
static const char raced_sql[] =
    "CREATE TEMP TABLE paired AS SELECT a.match, a.launch, avg(ln(a.seconds)) AS a_logarithm,"
    " avg(ln(b.seconds)) AS b_logarithm, avg(ln(mine.ratio / theirs.ratio)) AS effect"
    " FROM valued AS a JOIN valued AS b ON b.match = a.match AND b.launch = a.launch"
    "  AND b.heat = a.heat AND b.side = 1"
    " JOIN turn AS theirs ON theirs.run = a.run JOIN turn AS mine ON mine.run = b.run"
    " WHERE a.side = 0 AND theirs.ratio > 0 AND mine.ratio > 0 GROUP BY a.match, a.launch;"
    "CREATE TEMP TABLE launched AS SELECT match, 0 AS side, launch, a_logarithm AS logarithm,"
    " NULL AS effect FROM paired"
    " UNION ALL SELECT match, 1, launch, b_logarithm, effect FROM paired;";

static const char points_sql[] =
    "SELECT l.match, l.side, l.launch, l.logarithm, l.effect, m.part, c.workload, c.contender,"
    " c.ranks, i.instance, i.described, i.cells, c.point, c.environment"
    " FROM launched AS l JOIN matched AS m ON m.match = l.match"
    " JOIN (SELECT match, workload, contender, ranks, problem, point, environment FROM compared"
    "  GROUP BY match) AS c ON c.match = l.match"
    " JOIN instance AS i ON i.problem = c.problem AND i.workload = c.workload"
    " ORDER BY c.workload, c.ranks, i.place, c.contender, l.match, l.side, l.launch";

enum {
    MATCH_COLUMN,
    SIDE_COLUMN,
    LAUNCH_COLUMN,
    LOGARITHM_COLUMN,
    EFFECT_COLUMN,
    PART_COLUMN,
    WORKLOAD_COLUMN,
    CONTENDER_COLUMN,
    RANKS_COLUMN,
    INSTANCE_COLUMN,
    DESCRIBED_COLUMN,
    CELLS_COLUMN,
    POINT_COLUMN,
    ENVIRONMENT_COLUMN,
};

static const char lone_sql[] =
    "SELECT side, name FROM (SELECT DISTINCT c.side, c.workload, c.ranks, i.place, c.contender,"
    " c.workload || ', ' || c.ranks || CASE c.ranks WHEN 1 THEN ' rank' ELSE ' ranks' END"
    " || coalesce(', ' || c.contender, '')"
    " || CASE i.described WHEN '' THEN '' ELSE ', ' || i.described END AS name"
    " FROM compared AS c JOIN instance AS i ON i.problem = c.problem AND i.workload = c.workload"
    " WHERE c.match NOT IN (SELECT match FROM matched))"
    " ORDER BY side, workload, ranks, place, contender, name";

/* The values of a point in the arrays of all points. */
struct contrast_range {
    int64_t first[2], count[2]; /* of A and B */
};

/* One comparison under way. */
struct contrast_making {
    struct nuce_store *store;
    const struct nuce_contrast_choice *choice;
    struct nuce_contrast *out;
    int is_modelled;
    char *value; /* SQL: the time of the part called `part` of a run `r` */
    /* What the launches say, point by point, and which they are. */
    double *logarithms;
    int64_t *launches;
    int64_t filled, logarithm_capacity, launch_capacity;
    struct contrast_range *ranges;
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

/* A choice among the columns of a run, freed with sqlite3_free. Of what is modelled the prediction,
 * of communication, is the only time. */
static char *value_sql(const struct contrast_making *making, struct nuce_error *error)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    char *sql;

    sqlite3_str_appendall(text, "CASE part");
    for (int i = 0; !making->is_modelled && nuce_record_sample_parts[i] != NULL; i++)
        sqlite3_str_appendf(text, " WHEN %Q THEN r.%s_s", nuce_record_sample_parts[i],
                            nuce_record_sample_parts[i]);
    if (making->is_modelled)
        sqlite3_str_appendall(text, " WHEN 'communication' THEN r.predicted_s");
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

/* What each launch says of the points that both sides have. */
static nuce_status read_launches(struct contrast_making *making, struct nuce_error *error)
{
    static const char lost_sql[] = "SELECT count(*) FROM matched WHERE untimed = 0"
                                   " AND match NOT IN (SELECT match FROM launched)";
    struct nuce_store *store = making->store;
    struct nuce_contrast *out = making->out;
    int is_raced = out->design == NUCE_CONTRAST_RACED;
    nuce_status status = nuce_store_integer(store, "SELECT count(*) FROM matched WHERE untimed = 1",
                                            &out->untimed, error);

    if (status == NUCE_OK && is_raced)
        status = nuce_store_execute(store, making->choice->part == NULL ? turn_sql : part_turn_sql,
                                    error);
    if (status == NUCE_OK)
        status = nuce_store_execute(store, is_raced ? raced_sql : apart_sql, error);
    if (status == NUCE_OK)
        status = nuce_store_integer(store, lost_sql, &out->unraced, error);
    return status;
}

/* Between which ratios the references of the heats and their twins lie. */
static nuce_status read_control(struct contrast_making *making, struct nuce_error *error)
{
    static const char sql[] =
        "SELECT coalesce(min(control), 0), coalesce(max(control), 0) FROM"
        " (SELECT exp(avg(ln(ratio))) AS control FROM launch_ratio WHERE contender = 'twin'"
        "  AND (heat, environment) IN (SELECT heat, environment FROM compared)"
        "  GROUP BY heat, environment, kind, wait)";
    sqlite3_stmt *row = NULL;
    nuce_status status = nuce_store_prepare(making->store, sql, &row, error);

    if (status == NUCE_OK && sqlite3_step(row) != SQLITE_ROW)
        status = nuce_store_fail(making->store, error);
    if (status == NUCE_OK) {
        making->out->control_low = sqlite3_column_double(row, 0);
        making->out->control_high = sqlite3_column_double(row, 1);
    }
    (void)sqlite3_finalize(row);
    return status;
}

/* Adds what the row's launch says to the point in hand: of contenders that raced the ratio, which
 * stands with B. seconds is the sum of logarithms so far. */
static nuce_status contrast_add_launch(struct contrast_making *making, sqlite3_stmt *row,
                                       struct nuce_contrast_point *point,
                                       struct contrast_range *range, struct nuce_error *error)
{
    int side = sqlite3_column_int(row, SIDE_COLUMN);
    int is_raced = making->out->design == NUCE_CONTRAST_RACED;
    void *logarithms = making->logarithms, *launches = making->launches;

    point->launches[side]++;
    point->seconds[side] += sqlite3_column_double(row, LOGARITHM_COLUMN);
    if (is_raced && side == 0)
        return NUCE_OK;
    if (nuce_allocate_more(&logarithms, &making->logarithm_capacity, making->filled + 1,
                           sizeof *making->logarithms, error) != NUCE_OK)
        return error->status;
    making->logarithms = logarithms;
    if (nuce_allocate_more(&launches, &making->launch_capacity, making->filled + 1,
                           sizeof *making->launches, error) != NUCE_OK)
        return error->status;
    making->launches = launches;
    if (range->count[side]++ == 0)
        range->first[side] = making->filled;
    making->logarithms[making->filled] =
        sqlite3_column_double(row, is_raced ? EFFECT_COLUMN : LOGARITHM_COLUMN);
    making->launches[making->filled++] = sqlite3_column_int64(row, LAUNCH_COLUMN);
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
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (copy_column(row, texts[i].column, texts[i].field, error) != NUCE_OK)
            return error->status;
    }
    return nuce_instances_array(row, CELLS_COLUMN, &point->values, error);
}

/* Rows come point by point, since the query sorts by `match` behind what points are shown by. */
static nuce_status read_compared_rows(struct contrast_making *making, sqlite3_stmt *row,
                                      struct nuce_error *error)
{
    int64_t at = -1;
    char *match = NULL;
    nuce_status status = NUCE_OK;
    int code = SQLITE_DONE;

    while (status == NUCE_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        const char *here = (const char *)sqlite3_column_text(row, MATCH_COLUMN);

        if (match == NULL || strcmp(match, here) != 0) {
            free(match);
            match = NULL;
            at++;
            status = copy_column(row, MATCH_COLUMN, &match, error);
            if (status == NUCE_OK)
                status = begin_point(row, &making->out->points[at], error);
        }
        if (status == NUCE_OK)
            status = contrast_add_launch(making, row, &making->out->points[at], &making->ranges[at],
                                         error);
    }
    if (status == NUCE_OK && code != SQLITE_DONE)
        status = nuce_store_fail(making->store, error);
    free(match);
    return status;
}

/* All points of which launches say something. */
static nuce_status contrast_read_points(struct contrast_making *making, struct nuce_error *error)
{
    struct nuce_contrast *out = making->out;
    sqlite3_stmt *row = NULL;
    int64_t count = 0;
    nuce_status status = nuce_store_integer(
        making->store, "SELECT count(DISTINCT match) FROM launched", &count, error);

    if (status != NUCE_OK || count == 0)
        return status;
    out->points = nuce_allocate(count, sizeof *out->points, error);
    making->ranges = nuce_allocate(count, sizeof *making->ranges, error);
    if (out->points == NULL || making->ranges == NULL)
        return error->status;
    out->rule.points = count;
    status = nuce_store_prepare(making->store, points_sql, &row, error);
    if (status == NUCE_OK)
        status = read_compared_rows(making, row, error);
    (void)sqlite3_finalize(row);
    return status;
}

/* SimGrid places events on a grid of 1 ns (its precision/timing, which platforms and smpirun set
 * so). A time is the difference of two of them, so that the same step takes up to 1 ns more or
 * less, and two such times differ by up to 2 ns; the rest is for the rounding of the clock's own
 * double. */
#define SIMULATED_RESOLUTION_S 2.1e-9

/* The launches of the point that range says, in *launches, and what they come to. */
static struct nuce_comparison contrast_estimate(const struct contrast_making *making,
                                                struct nuce_contrast_point *point,
                                                const struct contrast_range *range,
                                                struct nuce_comparison_launches *launches)
{
    const char *kind = making->choice->kind;

    for (int side = 0; side < 2; side++) {
        launches->sides[side] = (struct nuce_comparison_side){
            making->logarithms + range->first[side], making->launches + range->first[side],
            range->count[side]};
        point->seconds[side] = exp(point->seconds[side] / (double)point->launches[side]);
    }
    if (making->out->design != NUCE_CONTRAST_EXACT)
        return nuce_comparison_estimate(launches);
    return nuce_comparison_exact(point->seconds[0], point->seconds[1],
                                 strcmp(kind, "simulated") == 0 ? SIMULATED_RESOLUTION_S : 0);
}

/* The mean over the points, concluded as one of its own. */
static nuce_status contrast_average(struct nuce_contrast *out,
                                    const struct nuce_comparison_launches *launches,
                                    const struct nuce_comparison *results, struct nuce_error *error)
{
    struct nuce_comparison_rule rule = out->rule;

    rule.points = 1;
    if (out->design == NUCE_CONTRAST_EXACT) {
        out->mean = (struct nuce_comparison){.degrees = 1};
        for (int64_t i = 0; i < out->rule.points; i++)
            out->mean.effect += results[i].effect / (double)out->rule.points;
    } else if (nuce_comparison_mean(launches, results, out->rule.points, &out->mean, error) !=
               NUCE_OK) {
        return error->status;
    }
    for (int64_t i = 0; i < out->rule.points; i++)
        out->in_mean += !isnan(results[i].error);
    return nuce_comparison_conclude(&out->mean, &rule, error);
}

/* Verdicts need all points: the correction for testing many is over the family. */
static nuce_status contrast_conclude(struct contrast_making *making, struct nuce_error *error)
{
    struct nuce_contrast *out = making->out;
    int64_t count = out->rule.points;
    struct nuce_comparison *results = nuce_allocate(count, sizeof *results, error);
    struct nuce_comparison_launches *launches =
        results == NULL ? NULL : nuce_allocate(count, sizeof *launches, error);
    nuce_status status = launches == NULL ? error->status : NUCE_OK;

    for (int64_t i = 0; i < count && status == NUCE_OK; i++)
        results[i] = contrast_estimate(making, &out->points[i], &making->ranges[i], &launches[i]);
    if (status == NUCE_OK)
        status = contrast_average(out, launches, results, error);
    if (status == NUCE_OK)
        status = nuce_comparison_conclude(results, &out->rule, error);
    for (int64_t i = 0; i < count && status == NUCE_OK; i++)
        out->points[i].result = results[i];
    free(results);
    free(launches);
    return status;
}

/* Largest ratio first. */
static int contrast_compare_points(const void *left, const void *right)
{
    struct nuce_contrast_point a, b;

    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    if (a.result.effect < b.result.effect || a.result.effect > b.result.effect)
        return a.result.effect > b.result.effect ? -1 : 1;
    return (a.place > b.place) - (a.place < b.place);
}

/* All that is read before there are points, one after the other. */
static nuce_status contrast_read(struct contrast_making *making, const struct nuce_side *a,
                                 const struct nuce_side *b, struct nuce_error *error)
{
    nuce_status status = nuce_store_narrow(making->store, making->choice->campaign, error);

    if (status == NUCE_OK)
        status = contrast_gather(making, a, b, error);
    if (status == NUCE_OK)
        status = leave_out(making, error);
    if (status == NUCE_OK)
        status = read_lone(making, error);
    if (status == NUCE_OK)
        status = read_turns(making, error);
    if (status == NUCE_OK)
        status = read_launches(making, error);
    if (status == NUCE_OK && making->out->design == NUCE_CONTRAST_RACED)
        status = read_control(making, error);
    if (status == NUCE_OK)
        status = contrast_read_points(making, error);
    return status;
}

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
        .design = strcmp(choice->kind, "measured") != 0 ? NUCE_CONTRAST_EXACT
                  : a->class == NUCE_SIDE_CONTENDER     ? NUCE_CONTRAST_RACED
                                                        : NUCE_CONTRAST_APART,
        .rule = {.confidence = choice->confidence, .threshold = choice->threshold},
    };
    making.value = value_sql(&making, error);
    status = making.value == NULL ? error->status : contrast_read(&making, a, b, error);
    if (status == NUCE_OK && out->rule.points > 0)
        status = contrast_conclude(&making, error);
    if (status == NUCE_OK && out->rule.points > 0) {
        for (int64_t i = 0; i < out->rule.points; i++)
            out->points[i].place = i;
        qsort(out->points, (size_t)out->rule.points, sizeof *out->points, contrast_compare_points);
    }
    sqlite3_free(making.value);
    free(making.logarithms);
    free(making.launches);
    free(making.ranges);
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
