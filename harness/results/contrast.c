/* Compares two sides for `nuce compare`: the values of each launch at the points common to both
 * sides go to base/comparison, and come back as estimates and verdicts.
 *
 * plots/compare/ defines which launches belong together: its scripts make temporary tables, one
 * after the other, of the request (the table `asked`). contrast_gather runs them, and read_points
 * reads rows of launches into arrays of all points. contrast_estimate makes an estimate of each
 * point, and contrast_average one of the mean over points. Verdicts are drawn of all together. All
 * values are logarithms of seconds or of ratios until they are printed, because ratios are averaged
 * geometrically. */
#include "results/contrast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/record.h"
#include "base/statistics.h"
#include "results/grid_read.h"

/* The values of the launches, point by point, and their identities. of_points: the range of each
 * point in the arrays. For contenders that raced, A is empty: a launch has one ratio, stored under
 * B. */
struct contrast_making {
    const struct nuce_contrast_choice *choice;
    struct nuce_contrast *out;
    double *logarithms;
    int64_t *launches;
    struct nuce_comparison_launches *of_points;
};

/* Ways to start ranks are of launches of their own, on one machine: of one campaign, and of no
 * launch that had both. */
static nuce_status contrast_check_ways(struct nuce_store *store, const struct nuce_contrast *out,
                                       struct nuce_error *error)
{
    const struct nuce_side *a = out->sides[0], *b = out->sides[1];
    int64_t both = 0, several = 0;

    if (nuce_store_count(store, &both, error,
                         "SELECT count(*) FROM (SELECT launch FROM compared"
                         " GROUP BY launch HAVING count(DISTINCT side) = 2)") != NUCE_OK ||
        nuce_store_count(store, &several, error, "SELECT count(DISTINCT campaign) FROM compared") !=
            NUCE_OK)
        return error->status;
    if (both > 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s and %s: both ran in one launch: expected a way to start ranks, "
                              "such as mpi=openmpi",
                              a->name, b->name);
    if (several > 1)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s and %s: runs of %lld campaigns have them, maybe of several "
                              "machines: expected --campaign NAME ('nuce show campaigns')",
                              a->name, b->name, (long long)several);
    return NUCE_OK;
}

/* Makes the table `timed` of the runs of matched points: the time of the part, which is a column of
 * `run`. A modelled run has only the prediction, of communication. */
static nuce_status time_parts(struct nuce_store *store, const char *kind, struct nuce_error *error)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    nuce_status status;
    char *sql;

    sqlite3_str_appendall(text, "CREATE TEMP TABLE timed AS SELECT c.run, CASE m.part");
    if (strcmp(kind, "modelled") == 0)
        sqlite3_str_appendall(text, " WHEN 'communication' THEN r.predicted_s");
    else
        for (int i = 0; nuce_record_sample_parts[i] != NULL; i++)
            sqlite3_str_appendf(text, " WHEN %Q THEN r.%s_s", nuce_record_sample_parts[i],
                                nuce_record_sample_parts[i]);
    sqlite3_str_appendall(text, " END AS seconds FROM matched AS m JOIN compared AS c"
                                " ON c.match = m.match JOIN run AS r ON r.id = c.run");
    sql = sqlite3_str_finish(text);
    NUCE_ASSERT(sql != NULL);
    status = nuce_store_execute(store, sql, error);
    sqlite3_free(sql);
    return status;
}

/* Reads the numbers of the table `told`, by their names. */
static nuce_status read_told(struct nuce_store *store, struct nuce_contrast *out,
                             struct nuce_error *error)
{
    const struct {
        const char *name;
        int64_t *count;
        double *real;
    } rows[] = {
        {"other kind", &out->other_kind, NULL},
        {"not ok 0", &out->not_ok[0], NULL},
        {"not ok 1", &out->not_ok[1], NULL},
        {"interrupted 0", &out->interrupted[0], NULL},
        {"interrupted 1", &out->interrupted[1], NULL},
        {"jobs 0", &out->jobs[0], NULL},
        {"jobs 1", &out->jobs[1], NULL},
        {"busy 0", &out->busy[0], NULL},
        {"busy 1", &out->busy[1], NULL},
        {"campaigns", &out->campaign_count, NULL},
        {"drifting", &out->drifting, NULL},
        {"by campaign", &out->by_campaign, NULL},
        {"untimed", &out->untimed, NULL},
        {"unraced", &out->unraced, NULL},
        {"noise low", NULL, &out->noise_low},
        {"noise high", NULL, &out->noise_high},
        {"noise reach", NULL, &out->noise_reach},
    };
    struct nuce_grid told = {0};

    if (nuce_grid_query(store, &told, error, "SELECT name, value FROM told") != NUCE_OK)
        return error->status;
    for (int64_t row = 0; row < told.rows; row++) {
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            const char *value = nuce_grid_text(&told, row, "value");

            if (strcmp(rows[i].name, nuce_grid_text(&told, row, "name")) != 0)
                continue;
            if (rows[i].count != NULL)
                *rows[i].count = strtoll(value, NULL, 10);
            else
                *rows[i].real = strtod(value, NULL);
        }
    }
    nuce_grid_fini(&told);
    /* For races and exact times, the order of the launches has no meaning. */
    if (out->design != NUCE_CONTRAST_APART)
        out->drifting = out->by_campaign = 0;
    return NUCE_OK;
}

/* Makes the temporary tables, and reads from them all data except the points. */
static nuce_status contrast_gather(struct nuce_store *store,
                                   const struct nuce_contrast_choice *choice,
                                   struct nuce_contrast *out, struct nuce_error *error)
{
    const struct nuce_side *a = out->sides[0], *b = out->sides[1];
    const char *launches = out->design == NUCE_CONTRAST_RACED ? "plots/compare/4-raced.sql"
                                                              : "plots/compare/4-apart.sql";
    char *keys;

    if (nuce_store_run(store, error,
                       "CREATE TEMP TABLE asked AS SELECT %Q AS class, %Q AS a, %Q AS b, %Q AS key,"
                       " %Q AS kind, %Q AS part, %Q AS campaign",
                       nuce_side_classes[a->class], a->ids, b->ids, a->key, choice->kind,
                       choice->part, choice->campaign) != NUCE_OK ||
        nuce_store_run_shipped(store, "plots/compare/1-runs.sql", error) != NUCE_OK ||
        (a->class == NUCE_SIDE_WAY && contrast_check_ways(store, out, error) != NUCE_OK) ||
        nuce_store_run_shipped(store, "plots/compare/2-points.sql", error) != NUCE_OK ||
        time_parts(store, choice->kind, error) != NUCE_OK ||
        nuce_store_run_shipped(store, "plots/compare/3-launches.sql", error) != NUCE_OK ||
        nuce_store_run_shipped(store, launches, error) != NUCE_OK ||
        nuce_store_run_shipped(store, "plots/compare/5-told.sql", error) != NUCE_OK ||
        read_told(store, out, error) != NUCE_OK ||
        nuce_grid_query(store, &out->lone, error, "SELECT side, name FROM lone") != NUCE_OK ||
        nuce_grid_query(store, &out->told, error, "SELECT * FROM told_point ORDER BY place") !=
            NUCE_OK)
        return error->status;
    out->campaigns =
        nuce_store_text(store, error,
                        "SELECT group_concat(campaign, ', ') FROM"
                        " (SELECT DISTINCT campaign FROM launch_of ORDER BY campaign)");
    out->nonblocking = nuce_store_text(store, error,
                                       "SELECT coalesce(max(value), '') FROM told"
                                       " WHERE name = 'nonblocking'");
    if (out->nonblocking == NULL)
        return error->status;
    keys = out->campaigns == NULL
               ? NULL
               : nuce_store_text(store, error, "SELECT json_group_array(key) FROM shown");
    out->keys = keys == NULL ? NULL : json_loads(keys, 0, NULL);
    free(keys);
    return error->status;
}

/* Reads the values of the launches into the arrays, in the order of the points. For contenders that
 * raced the value is the ratio, stored under B. point->seconds is the sum of logarithms so far. */
static nuce_status read_points(struct contrast_making *making, struct nuce_store *store,
                               struct nuce_error *error)
{
    static const char sql[] =
        "SELECT t.place, l.side, l.launch, l.logarithm, l.effect, t.noise, l.known"
        " FROM launched AS l JOIN told_point AS t ON t.match = l.match"
        " ORDER BY t.place, l.side, l.launch";
    struct nuce_contrast *out = making->out;
    int is_raced = out->design == NUCE_CONTRAST_RACED, code;
    int64_t launches = 0, filled = 0;
    sqlite3_stmt *row = NULL;

    if (nuce_store_count(store, &launches, error, "SELECT count(*) FROM launched") != NUCE_OK ||
        nuce_store_prepare(store, sql, &row, error) != NUCE_OK)
        return error->status;
    out->rule.points = out->told.rows;
    out->points = nuce_allocate(out->told.rows, sizeof *out->points);
    making->of_points = nuce_allocate(out->told.rows, sizeof *making->of_points);
    making->logarithms = nuce_allocate(launches, sizeof *making->logarithms);
    making->launches = nuce_allocate(launches, sizeof *making->launches);
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        int64_t place = sqlite3_column_int64(row, 0);
        int side = sqlite3_column_int(row, 1);
        struct nuce_contrast_point *point = &out->points[place];
        struct nuce_comparison_side *of = &making->of_points[place].sides[side];

        point->place = place;
        point->result.noise = sqlite3_column_double(row, 5); /* 0 for NULL */
        point->launches[side]++;
        point->seconds[side] += sqlite3_column_double(row, 3);
        if (is_raced && side == 0)
            continue;
        if (of->count++ == 0)
            *of = (struct nuce_comparison_side){making->logarithms + filled,
                                                making->launches + filled, 1, false};
        of->is_stopped |= sqlite3_column_int(row, 6) != 0;
        making->logarithms[filled] = sqlite3_column_double(row, is_raced ? 4 : 3);
        making->launches[filled++] = sqlite3_column_int64(row, 2);
    }
    if (code != SQLITE_DONE)
        nuce_store_fail(store, error);
    sqlite3_finalize(row);
    return code == SQLITE_DONE ? NUCE_OK : error->status;
}

/* SimGrid places events on a grid of 1 ns (its precision/timing, which platforms and smpirun set).
 * A time is the difference of two of them, so the same step varies by up to 1 ns, and two such
 * times differ by up to 2 ns. The rest is for the rounding of the clock's own double. */
#define SIMULATED_RESOLUTION_S 2.1e-9

/* A tick of the clocks that measure steps. */
#define TICK_S 1e-9

/* The estimate of the point from its launches. point->seconds, a sum of logarithms before, becomes
 * the geometric mean.
 *
 * Launches that agree to the last digit do not prove equality: the clock is too coarse to show
 * their differences. The result is therefore a minimum for the standard error of the logarithm of
 * the ratio. A difference of two readings of a clock that ticks once a nanosecond has an error that
 * is uniform over one tick, with variance 1/12 of its square. The error of a ratio adds those of
 * both sides, each over its launches. */
static struct nuce_comparison contrast_estimate(const struct contrast_making *making,
                                                struct nuce_contrast_point *point,
                                                const struct nuce_comparison_launches *launches)
{
    const char *kind = making->choice->kind;
    struct nuce_comparison found;
    double sum = 0;

    for (int side = 0; side < 2; side++) {
        point->seconds[side] = exp(point->seconds[side] / (double)point->launches[side]);
        sum += 1 / (point->seconds[side] * point->seconds[side] * (double)point->launches[side]);
    }
    if (making->out->design == NUCE_CONTRAST_EXACT)
        return nuce_comparison_exact(point->seconds[0], point->seconds[1],
                                     strcmp(kind, "simulated") == 0 ? SIMULATED_RESOLUTION_S : 0);
    found = nuce_comparison_estimate(launches);
    found.noise = point->result.noise;
    if (!isnan(found.error) && !(found.error > 0))
        found.error = TICK_S * sqrt(sum / 12);
    return found;
}

/* The mean over the points, concluded like a point. If every launch agreed to the last digit, its
 * error is that of the clock, as for a single point. Points with one launch have no error; the mean
 * of several points excludes them. */
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
    out->mean.noise = out->noise_reach;
    nuce_comparison_conclude(&out->mean, &rule);
}

/* Largest ratio first. Equal ones keep the order in which points were read, which qsort does not
 * guarantee. */
static int contrast_compare_points(const void *left, const void *right)
{
    const struct nuce_contrast_point *a = left, *b = right;

    if (a->result.effect < b->result.effect || a->result.effect > b->result.effect)
        return a->result.effect > b->result.effect ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

/* Half the width of an interval, a logarithm. */
static double contrast_reach(const struct nuce_comparison *result,
                             const struct nuce_comparison_rule *rule)
{
    return nuce_statistics_student(result->degrees, rule->confidence) * result->error;
}

/* A launch alone makes an interval wide if the interval is at least this many times as wide as
 * without it. Of launches with one normal distribution, 3 a side, the widest does so in 2.2 % of
 * the points, and of 4 in 0.3 % (4000 draws). */
#define ODD_WIDTHS 4

/* With fewer launches per side, the odd one is unknown. */
#define ODD_LAUNCHES 3

/* The launches of the point without launch k of that side. kept has room for its logarithms. */
static struct nuce_comparison_launches
contrast_leave_out(const struct nuce_comparison_launches *all, int side, int64_t k, double *kept)
{
    struct nuce_comparison_launches rest = *all;
    struct nuce_comparison_side *of = &rest.sides[side];

    memcpy(kept, of->logarithms, (size_t)k * sizeof *kept);
    memcpy(kept + k, of->logarithms + k + 1, (size_t)(of->count - k - 1) * sizeof *kept);
    of->logarithms = kept;
    of->count--;
    return rest;
}

/* Finds the launch that makes the interval of an inconclusive point wide: out->points is 1, or 0 if
 * there is none. */
static void contrast_find_odd(const struct contrast_making *making,
                              const struct nuce_contrast_point *point,
                              struct nuce_contrast_odd *out)
{
    const struct nuce_comparison_launches *all = &making->of_points[point->place];
    struct nuce_comparison_rule rule = making->out->rule;
    double narrow = contrast_reach(&point->result, &rule) / ODD_WIDTHS;

    *out = (struct nuce_contrast_odd){.point = point};
    if (point->result.verdict != NUCE_VERDICT_UNKNOWN || isnan(point->result.error))
        return;
    rule.points = 1;
    for (int side = 0; side < 2; side++) {
        const struct nuce_comparison_side *of = &all->sides[side];
        double *kept = nuce_allocate(of->count, sizeof *kept);

        for (int64_t k = 0; of->count >= ODD_LAUNCHES && k < of->count; k++) {
            struct nuce_comparison_launches rest = contrast_leave_out(all, side, k, kept);
            struct nuce_comparison without = nuce_comparison_estimate(&rest);

            if (!(contrast_reach(&without, &rule) <= narrow))
                continue;
            narrow = contrast_reach(&without, &rule);
            nuce_comparison_conclude(&without, &rule);
            nuce_statistics_sort(kept, of->count - 1);
            out->points = 1;
            out->unit = of->launches[k];
            out->side = side;
            out->seconds = exp(of->logarithms[k]);
            out->others = exp(nuce_statistics_median(kept, of->count - 1));
            out->without = without;
        }
        free(kept);
    }
}

/* Finds the launch that makes the widest interval wide, and its name. In files a launch has a
 * number, and no run has a hash. */
static nuce_status contrast_name_odd(const struct contrast_making *making, struct nuce_store *store,
                                     struct nuce_error *error)
{
    struct nuce_contrast *out = making->out;
    struct nuce_contrast_odd found, *odd = &out->odd;
    int64_t points = 0;
    const char *place = out->by_campaign ? "c.campaign" : "c.launch";

    for (int64_t i = 0; i < out->rule.points; i++) {
        contrast_find_odd(making, &out->points[i], &found);
        points += found.points;
        if (found.points > 0 &&
            (odd->points == 0 || found.point->result.error > odd->point->result.error))
            *odd = found;
    }
    odd->points = points;
    if (points == 0)
        return NUCE_OK;
    odd->name = nuce_store_text(store, error,
                                "SELECT iif(%d, '', 'job ' || r.job || ' of ') || r.campaign"
                                " FROM compared AS c JOIN run AS r ON r.id = c.run"
                                " WHERE %s = %lld LIMIT 1",
                                (int)out->by_campaign, place, (long long)llabs(odd->unit));
    odd->run =
        odd->name == NULL
            ? NULL
            : nuce_store_text(store, error,
                              "SELECT substr(r.hash, 1, 12) FROM told_point AS t"
                              " JOIN compared AS c ON c.match = t.match"
                              " JOIN run AS r ON r.id = c.run"
                              " WHERE t.place = %lld AND %s = %lld LIMIT 1",
                              (long long)odd->point->place, place, (long long)llabs(odd->unit));
    return odd->run != NULL ? NUCE_OK : error->status;
}

/* Verdicts need all points, because the correction for multiple tests covers the whole family. */
static void contrast_conclude(struct contrast_making *making)
{
    struct nuce_contrast *out = making->out;
    int64_t count = out->rule.points;
    struct nuce_comparison *results = nuce_allocate(count, sizeof *results);

    for (int64_t i = 0; i < count; i++)
        results[i] = contrast_estimate(making, &out->points[i], &making->of_points[i]);
    contrast_average(out, making->of_points, results);
    nuce_comparison_conclude(results, &out->rule);
    for (int64_t i = 0; i < count; i++)
        out->points[i].result = results[i];
    qsort(out->points, (size_t)count, sizeof *out->points, contrast_compare_points);
    free(results);
}

nuce_status nuce_contrast_make(struct nuce_store *store, const struct nuce_side *a,
                               const struct nuce_side *b, const struct nuce_contrast_choice *choice,
                               struct nuce_contrast *out, struct nuce_error *error)
{
    struct contrast_making making = {.choice = choice, .out = out};
    nuce_status status;

    NUCE_ASSERT(a->class == b->class);
    *out = (struct nuce_contrast){
        .sides = {a, b},
        .design = strcmp(choice->kind, "measured") != 0 ? NUCE_CONTRAST_EXACT
                  : a->class == NUCE_SIDE_CONTENDER     ? NUCE_CONTRAST_RACED
                                                        : NUCE_CONTRAST_APART,
        .rule = {.confidence = choice->confidence, .threshold = choice->threshold},
    };
    status = contrast_gather(store, choice, out, error);
    if (status == NUCE_OK && out->told.rows > 0)
        status = read_points(&making, store, error);
    if (status == NUCE_OK && out->rule.points > 0)
        contrast_conclude(&making);
    if (status == NUCE_OK && out->rule.points > 0 && out->design == NUCE_CONTRAST_APART)
        status = contrast_name_odd(&making, store, error);
    free(making.logarithms);
    free(making.launches);
    free(making.of_points);
    return status;
}

void nuce_contrast_fini(struct nuce_contrast *contrast)
{
    json_decref(contrast->keys);
    nuce_grid_fini(&contrast->told);
    nuce_grid_fini(&contrast->lone);
    free(contrast->campaigns);
    free(contrast->nonblocking);
    free(contrast->odd.name);
    free(contrast->odd.run);
    free(contrast->points);
    *contrast = (struct nuce_contrast){0};
}

const char *nuce_contrast_text(const struct nuce_contrast *contrast,
                               const struct nuce_contrast_point *point, const char *name)
{
    return nuce_grid_text(&contrast->told, point->place, name);
}

const char *nuce_contrast_unit(const struct nuce_contrast *contrast,
                               const struct nuce_contrast_point *point)
{
    const struct nuce_grid *told = &contrast->told;

    return nuce_grid_cell(told, point->place, nuce_grid_column(told, "unit"))->text;
}

double nuce_contrast_value(const struct nuce_contrast *contrast,
                           const struct nuce_contrast_point *point, double seconds)
{
    int is_rate = nuce_contrast_unit(contrast, point) != NULL &&
                  strcmp(nuce_contrast_text(contrast, point, "is_rate"), "1") == 0;

    return is_rate ? 1 / seconds : seconds;
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
