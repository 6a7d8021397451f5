/* What `nuce compare` sets side by side: what each launch says of the points that both sides have
 * (contrast_gather.c) goes to base/comparison, and comes back as estimates and verdicts.
 *
 * Order: rows of launches are read into arrays of all points (contrast_read_points), each point
 * becomes an estimate (contrast_estimate), the mean over points is one as well (contrast_average),
 * and verdicts are drawn of all together (contrast_conclude). All is in logarithms of seconds or of
 * ratios until it is told, since ratios are averaged geometrically. */
#include "results/contrast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "results/contrast_gather.h"
#include "results/instances.h"

/* A row for each launch of each side of each point, points in the order in which they are told
 * where their ratios are the same. */
static const char points_sql[] =
    "SELECT l.match, l.side, l.launch, l.logarithm, l.effect, m.part, c.workload, c.contender,"
    " c.ranks, i.instance, i.described, i.cells, c.point, c.environment,"
    " (SELECT o.reach FROM controlled AS o WHERE o.match = l.match)"
    " FROM launched AS l JOIN matched AS m ON m.match = l.match"
    " JOIN (SELECT match, workload, contender, ranks, problem, point, environment FROM compared"
    "  GROUP BY match) AS c ON c.match = l.match"
    " JOIN instance AS i ON i.problem = c.problem AND i.workload = c.workload"
    " ORDER BY c.workload, c.ranks, i.place, c.contender, l.match, l.side, l.launch";

/* Columns of points_sql, from 0. */
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
    CONTROL_COLUMN,
};

/* Which part of the arrays of all points is a point's. Of contenders that raced A has none: a
 * launch has one ratio, B's. first and count are of the arrays of struct contrast_making; A's and
 * B's parts are neighbours in them. */
struct contrast_range {
    int64_t first[2], count[2]; /* of A and B */
};

/* One comparison under way. */
struct contrast_making {
    struct nuce_store *store;
    const struct nuce_contrast_choice *choice;
    struct nuce_contrast *out;
    /* What the launches say, point by point, and which they are. */
    double *logarithms;
    int64_t *launches;
    int64_t filled, logarithm_capacity, launch_capacity;
    struct contrast_range *ranges;
};
/* Adds what the row's launch says to the point in hand: of contenders that raced the ratio, which
 * stands with B. seconds is the sum of logarithms so far. */
static void contrast_add_launch(struct contrast_making *making, sqlite3_stmt *row,
                                struct nuce_contrast_point *point, struct contrast_range *range)
{
    int side = sqlite3_column_int(row, SIDE_COLUMN);
    int is_raced = making->out->design == NUCE_CONTRAST_RACED;
    void *logarithms = making->logarithms, *launches = making->launches;

    point->launches[side]++;
    point->seconds[side] += sqlite3_column_double(row, LOGARITHM_COLUMN);
    if (is_raced && side == 0)
        return;
    nuce_allocate_more(&logarithms, &making->logarithm_capacity, making->filled + 1,
                       sizeof *making->logarithms);
    making->logarithms = logarithms;
    nuce_allocate_more(&launches, &making->launch_capacity, making->filled + 1,
                       sizeof *making->launches);
    making->launches = launches;
    if (range->count[side]++ == 0)
        range->first[side] = making->filled;
    making->logarithms[making->filled] =
        sqlite3_column_double(row, is_raced ? EFFECT_COLUMN : LOGARITHM_COLUMN);
    making->launches[making->filled++] = sqlite3_column_int64(row, LAUNCH_COLUMN);
}

/* What is the same in all rows of a point: its texts, its control (0 where there is none) and the
 * values of its parameters. */
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
    point->result.control = sqlite3_column_double(row, CONTROL_COLUMN); /* 0 for NULL */
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i].field = nuce_contrast_copy(row, texts[i].column);
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
            match = nuce_contrast_copy(row, MATCH_COLUMN);
            at++;
            status = begin_point(row, &making->out->points[at], error);
        }
        if (status == NUCE_OK)
            contrast_add_launch(making, row, &making->out->points[at], &making->ranges[at]);
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
    out->points = nuce_allocate(count, sizeof *out->points);
    making->ranges = nuce_allocate(count, sizeof *making->ranges);
    out->rule.points = count;
    status = nuce_store_prepare(making->store, points_sql, &row, error);
    if (status == NUCE_OK)
        status = read_compared_rows(making, row, error);
    sqlite3_finalize(row);
    return status;
}

/* SimGrid places events on a grid of 1 ns (its precision/timing, which platforms and smpirun set
 * so). A time is the difference of two of them, so that the same step takes up to 1 ns more or
 * less, and two such times differ by up to 2 ns; the rest is for the rounding of the clock's own
 * double. */
#define SIMULATED_RESOLUTION_S 2.1e-9

/* A tick of the clocks that steps are measured by. */
#define TICK_S 1e-9

/* Launches that agree to the last digit do not show that they are all alike, but that the clock is
 * too coarse to tell how they differ: by so much at least, as a standard error of the logarithm of
 * the ratio. A difference of two readings of a clock that ticks once a nanosecond has an error that
 * is uniform over one tick, of variance 1/12 of its square; the error of a ratio adds those of both
 * sides, each over its launches. */
static double tick_error(const struct nuce_contrast_point *point)
{
    double sum = 0;

    for (int side = 0; side < 2; side++)
        sum += 1 / (point->seconds[side] * point->seconds[side] * (double)point->launches[side]);
    return TICK_S * sqrt(sum / 12);
}

/* The launches of the point that range says, in *launches, and what they come to. point->seconds, a
 * sum of logarithms until here, becomes the geometric mean. */
static struct nuce_comparison contrast_estimate(const struct contrast_making *making,
                                                struct nuce_contrast_point *point,
                                                const struct contrast_range *range,
                                                struct nuce_comparison_launches *launches)
{
    const char *kind = making->choice->kind;
    struct nuce_comparison found;

    for (int side = 0; side < 2; side++) {
        launches->sides[side] = (struct nuce_comparison_side){
            making->logarithms + range->first[side], making->launches + range->first[side],
            range->count[side]};
        point->seconds[side] = exp(point->seconds[side] / (double)point->launches[side]);
    }
    if (making->out->design == NUCE_CONTRAST_EXACT)
        return nuce_comparison_exact(point->seconds[0], point->seconds[1],
                                     strcmp(kind, "simulated") == 0 ? SIMULATED_RESOLUTION_S : 0);
    found = nuce_comparison_estimate(launches);
    found.control = point->result.control;
    if (!isnan(found.error) && !(found.error > 0))
        found.error = tick_error(point);
    return found;
}

/* The mean over the points, concluded as one of its own. Where every launch agreed to the last
 * digit its error is that of the clock, as of a single point. Points with one launch have no error
 * and are not in the mean of several. */
static void contrast_average(struct nuce_contrast *out,
                             const struct nuce_comparison_launches *launches,
                             const struct nuce_comparison *results)
{
    struct nuce_comparison_rule rule = out->rule;

    rule.points = 1;
    if (out->design == NUCE_CONTRAST_EXACT) {
        out->mean = (struct nuce_comparison){.degrees = 1};
        for (int64_t i = 0; i < out->rule.points; i++)
            out->mean.effect += results[i].effect / (double)out->rule.points;
    } else
        nuce_comparison_mean(launches, results, out->rule.points, &out->mean);
    for (int64_t i = 0; i < out->rule.points; i++)
        out->in_mean += !isnan(results[i].error);
    if (out->design != NUCE_CONTRAST_EXACT && !isnan(out->mean.error) && !(out->mean.error > 0)) {
        for (int64_t i = 0; i < out->rule.points; i++)
            out->mean.error += isnan(results[i].error) ? 0 : results[i].error;
        out->mean.error /= (double)out->in_mean;
    }
    out->mean.control = out->control_reach;
    nuce_comparison_conclude(&out->mean, &rule);
}

/* Verdicts need all points: the correction for testing many is over the family. The sides in
 * launches borrow from the arrays of making, which live until nuce_contrast_make ends. */
static void contrast_conclude(struct contrast_making *making)
{
    struct nuce_contrast *out = making->out;
    int64_t count = out->rule.points;
    struct nuce_comparison *results = nuce_allocate(count, sizeof *results);
    struct nuce_comparison_launches *launches = nuce_allocate(count, sizeof *launches);

    for (int64_t i = 0; i < count; i++)
        results[i] = contrast_estimate(making, &out->points[i], &making->ranges[i], &launches[i]);
    contrast_average(out, launches, results);
    nuce_comparison_conclude(results, &out->rule);
    for (int64_t i = 0; i < count; i++)
        out->points[i].result = results[i];
    free(results);
    free(launches);
}

/* Largest ratio first. Copied out, as qsort gives untyped memory. Where they are the same the order
 * in which points were read stays, which qsort does not promise. */
static int contrast_compare_points(const void *left, const void *right)
{
    struct nuce_contrast_point a, b;

    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    if (a.result.effect < b.result.effect || a.result.effect > b.result.effect)
        return a.result.effect > b.result.effect ? -1 : 1;
    return (a.place > b.place) - (a.place < b.place);
}
nuce_status nuce_contrast_make(struct nuce_store *store, const struct nuce_side *a,
                               const struct nuce_side *b, const struct nuce_contrast_choice *choice,
                               struct nuce_contrast *out, struct nuce_error *error)
{
    struct contrast_making making = {.store = store, .choice = choice, .out = out};
    nuce_status status;

    NUCE_ASSERT(a->class == b->class);
    *out = (struct nuce_contrast){
        .sides = {a, b},
        .design = strcmp(choice->kind, "measured") != 0 ? NUCE_CONTRAST_EXACT
                  : a->class == NUCE_SIDE_CONTENDER     ? NUCE_CONTRAST_RACED
                                                        : NUCE_CONTRAST_APART,
        .rule = {.confidence = choice->confidence, .threshold = choice->threshold},
    };
    status = nuce_contrast_gather(store, choice, out, error);
    if (status == NUCE_OK)
        status = contrast_read_points(&making, error);
    if (status == NUCE_OK && out->rule.points > 0)
        contrast_conclude(&making);
    if (status == NUCE_OK && out->rule.points > 0) {
        for (int64_t i = 0; i < out->rule.points; i++)
            out->points[i].place = i;
        qsort(out->points, (size_t)out->rule.points, sizeof *out->points, contrast_compare_points);
    }
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
    free(contrast->campaigns);
    free(contrast->points);
    free(contrast->lone);
    *contrast = (struct nuce_contrast){0};
}

int nuce_contrast_is_disturbed(const struct nuce_contrast *contrast)
{
    int is_mostly_busy[2];

    for (int side = 0; side < 2; side++)
        is_mostly_busy[side] =
            contrast->busy[side] > 0 && 2 * contrast->busy[side] >= contrast->jobs[side];
    return contrast->design == NUCE_CONTRAST_APART && is_mostly_busy[0] != is_mostly_busy[1];
}

int nuce_contrast_may_drift(const struct nuce_contrast *contrast)
{
    return contrast->design == NUCE_CONTRAST_APART && !isnan(contrast->mean.error) &&
           contrast->rule.points > 0 && contrast->drifting > 0;
}
