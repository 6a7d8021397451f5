/* Functions that views and queries need and SQLite lacks. The statistics themselves are in
 * kernels/base, where the kernels use them too: one estimator serves table, figure, verdict and
 * report (DESIGN, section 6). Here values come from SQLite and go back to it.
 *
 * Order: the aggregates, which gather a group's values first; the functions of one row; the table
 * of them. A result that a function does not set is NULL.
 *
 * Results of several numbers are JSON arrays, because a function of SQLite returns one value:
 * json_extract(over_launches(x), '$[1]') is the mean. An unknown result is NULL, or null in an
 * array. All functions are deterministic and depend only on their arguments:
 *
 *   student(df [, confidence])  half the width of the interval of a mean, in standard errors, by
 *                               its degrees of freedom; default confidence: 95 %
 *   sample_part(name)           the number of a part of a sample, from 0 (record.h)
 *   race_ratio(times, reference's times, part)
 *                               [rounds, ratio, low, high] of one launch (race_ratio.h)
 *   race_side(mean, reach, noise)
 *                               1: significantly slower, -1: faster, 0: neither (race_ratio.h)
 *   is_same(low, high, launches, known)
 *                               1: no more than 5 % apart
 *   tie_of(kind)                largest ratio, a logarithm, at which computed times are a tie
 *   is_slower(launches, mean, error, rivals, noise)
 *                               1: the contender is not among the fastest (race_ratio.h)
 *   launches_needed(launches, mean, error, rivals, noise)
 *                               number of launches that would likely show that
 *   contender_name(contender, params, compared)
 *                               name of a point among its competitors
 *   told_time(s), told_bytes(b) readable form: "3.01 ms"
 *   told_library(version)       name and version of an MPI library
 *   told_nonblocking(names)     the consequence for contenders that ran in a nonblocking form
 *   over_launches(x)            aggregate: [launches, mean, standard error, half its 95 % interval]
 *   over_launches(x, known)     the same; 1: of a race that ended when it was known, 2: its noise
 *                               of one value a launch, mostly logarithms of ratios
 *   median_of(x)                aggregate: the median with its 95 % interval, three figures
 *   medians_of_parts(times)     aggregate: three such figures for each part of the samples of a
 *                               group of runs; several runs are combined
 *   figure_of(figures, i)       one of the figures of these two, which are not text
 *   rank_correlation(x, y)      aggregate: Spearman's, of the pairs without a NULL, as
 *                               [rho, low, high] with its 95 % interval (rank_correlation.h)
 *   ORDER BY x COLLATE by_number  texts in the order of the numbers in them
 */
#include "db/store.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/allocate.h"
#include "base/anytime.h"
#include "base/rank_correlation.h"
#include "base/statistics.h"
#include "base/text.h"
#include "base/units.h"
#include "db/times.h"

/* The state of an aggregate, one per group: SQLite's own memory, zero at first. Its values are
 * ours. The function that ends the group frees them; SQLite calls it even after an error. */
struct sql_values {
    double *values;
    int64_t count, capacity; /* of values */
};

static void sql_keep(struct sql_values *values, double value)
{
    nuce_allocate_more((void **)&values->values, &values->capacity, values->count + 1,
                       sizeof value);
    values->values[values->count++] = value;
}

/* Gathers one row: one value, or x and y in turn. A pair with an unknown value is skipped. */
static void values_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct sql_values *pairs = sqlite3_aggregate_context(context, sizeof *pairs);

    if (pairs == NULL) {
        sqlite3_result_error_nomem(context);
        return;
    }
    for (int i = 0; i < count; i++) {
        if (sqlite3_value_type(values[i]) == SQLITE_NULL)
            return;
    }
    for (int i = 0; i < count; i++)
        sql_keep(pairs, sqlite3_value_double(values[i]));
}

/* The result is a JSON array: count, unless it is below 0, and three numbers, which may be
 * unknown. JSON has no NaN. */
static void sql_result_array(sqlite3_context *context, int64_t count, double a, double b, double c)
{
    const double values[] = {a, b, c};
    json_t *row = json_array();

    if (count >= 0)
        json_array_append_new(row, json_integer(count));
    for (int i = 0; i < 3; i++)
        json_array_append_new(row, isnan(values[i]) ? json_null() : json_real(values[i]));
    sqlite3_result_text(context, json_dumps(row, JSON_COMPACT), -1, free);
    json_decref(row);
}

/* [rho, low, high] of the pairs, which are separated first. SQLite also calls it for a group
 * without rows, which has no state: requesting 0 bytes makes none. */
static void rank_correlation_final(sqlite3_context *context)
{
    struct sql_values none = {0}, *pairs = sqlite3_aggregate_context(context, 0);
    struct nuce_rank_correlation found;
    int64_t count;
    double *x;

    pairs = pairs == NULL ? &none : pairs;
    count = pairs->count / 2;
    x = nuce_allocate(pairs->count + 1, sizeof *x);
    for (int64_t i = 0; i < count; i++) {
        x[i] = pairs->values[2 * i];
        x[count + i] = pairs->values[2 * i + 1];
    }
    nuce_rank_correlation(x, x + count, count, &found);
    free(x);
    sql_result_array(context, -1, found.rho, found.low, found.high);
    free(pairs->values);
}

/* student(df) and student(df, confidence): half the width of an interval of a mean, in standard
 * errors, by its degrees of freedom; default: 95 %. NULL without degrees of freedom, and for an
 * invalid confidence. */
static void result_student(sqlite3_context *context, int64_t df, double confidence)
{
    if (df > 0 && confidence >= 0 && confidence < 1)
        sqlite3_result_double(context, nuce_statistics_student(df, confidence));
}

static void find_student(sqlite3_context *context, sqlite3_value **values)
{
    result_student(context, sqlite3_value_int64(values[0]), sqlite3_value_double(values[1]));
}

static void find_usual_student(sqlite3_context *context, sqlite3_value **values)
{
    result_student(context, sqlite3_value_int64(values[0]), 0.95);
}

/* over_launches(x): [launches, mean, its standard error, half its 95 % interval], as JSON, of
 * one value a launch: logarithms of ratios. Error and interval are null for one launch; NULL for
 * none. */
static void over_launches_final(sqlite3_context *context)
{
    struct sql_values *launches = sqlite3_aggregate_context(context, 0);
    struct nuce_launches_mean found;

    if (launches == NULL || launches->count == 0)
        return;
    found = nuce_race_over_launches(launches->values, launches->count);
    sql_result_array(context, launches->count, found.mean, found.error, found.reach);
    free(launches->values);
}

/* over_launches(x, until known): the same; if the second is 1, the race ended as soon as it was
 * known, and the interval is one that holds at any number of launches (base/anytime.h). If it is 2,
 * the values are of such a race's duplicate: the noise. The error is then the one of which
 * Student's interval would be as wide, for is_slower and launches_needed. */
static void over_known_launches_final(sqlite3_context *context)
{
    struct sql_values *pairs = sqlite3_aggregate_context(context, 0);
    struct nuce_launches_mean found;
    double known = 0;
    int64_t count;

    if (pairs == NULL || pairs->count == 0)
        return;
    count = pairs->count / 2;
    for (int64_t i = 0; i < count; i++) {
        known = fmax(known, pairs->values[2 * i + 1]);
        pairs->values[i] = pairs->values[2 * i];
    }
    found = (known == 0   ? nuce_race_over_launches
             : known == 1 ? nuce_anytime_over_launches
                          : nuce_anytime_noise)(pairs->values, count);
    sql_result_array(context, count, found.mean, found.error, found.reach);
    free(pairs->values);
}

/* For sorted values: the median and the ends of its 95 % interval, which are NaN if there are
 * too few values for one. */
static void sql_median(const struct sql_values *values, double out[3])
{
    struct nuce_interval interval;

    out[0] = nuce_statistics_median(values->values, values->count);
    interval = nuce_statistics_median_interval(values->values, values->count, 0.95);
    if (interval.confidence >= 0.95) {
        out[1] = interval.low;
        out[2] = interval.high;
    }
}

static void median_of_final(sqlite3_context *context)
{
    struct sql_values *values = sqlite3_aggregate_context(context, 0);
    double figures[3] = {NAN, NAN, NAN};

    if (values != NULL && values->count > 0) {
        nuce_statistics_sort(values->values, values->count);
        sql_median(values, figures);
    }
    sqlite3_result_blob(context, figures, sizeof figures, SQLITE_TRANSIENT);
    if (values != NULL)
        free(values->values);
}

/* The samples of a group's runs, part by part, and the logarithm of each run's median, if that
 * is not 0. */
struct sql_parts {
    int64_t runs, timed[NUCE_SAMPLE_PARTS]; /* timed: with samples of the part */
    struct sql_values samples[NUCE_SAMPLE_PARTS], logarithms[NUCE_SAMPLE_PARTS];
};

static void parts_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct sql_parts *parts = sqlite3_aggregate_context(context, sizeof *parts);
    const char *times = (const char *)sqlite3_value_text(values[0]);
    int64_t first[NUCE_SAMPLE_PARTS];
    double sample[NUCE_SAMPLE_PARTS];

    (void)count;
    if (parts == NULL) {
        sqlite3_result_error_nomem(context);
        return;
    }
    parts->runs++;
    for (int i = 0; i < NUCE_SAMPLE_PARTS; i++)
        first[i] = parts->samples[i].count;
    while (times != NULL && nuce_times_next(&times, sample)) {
        for (int i = 0; i < NUCE_SAMPLE_PARTS; i++) {
            if (!isnan(sample[i]))
                sql_keep(&parts->samples[i], sample[i]);
        }
    }
    for (int i = 0; i < NUCE_SAMPLE_PARTS; i++) {
        struct sql_values *all = &parts->samples[i];
        struct sql_values own = {.values = all->values + first[i], .count = all->count - first[i]};
        double median;

        if (own.count == 0)
            continue;
        parts->timed[i]++;
        nuce_statistics_sort(own.values, own.count);
        median = nuce_statistics_median(own.values, own.count);
        if (median > 0)
            sql_keep(&parts->logarithms[i], log(median));
    }
}

/* One run gives the median of its samples. Several runs give the combination of their medians,
 * as ratios of races are combined over launches: at least two are needed to estimate the
 * variation between launches. If a part took no time in some run, that one has no logarithm; its
 * samples are then treated as if all were of one run. Logarithms are sorted, so that their
 * sum does not depend on the order of rows. */
static void parts_final(sqlite3_context *context)
{
    struct sql_parts none = {0}, *parts = sqlite3_aggregate_context(context, 0);
    double figures[NUCE_SAMPLE_PARTS][3];

    parts = parts == NULL ? &none : parts;
    for (int i = 0; i < NUCE_SAMPLE_PARTS; i++) {
        struct sql_values *logarithms = &parts->logarithms[i];

        figures[i][0] = figures[i][1] = figures[i][2] = NAN;
        if (logarithms->count > 1 && logarithms->count == parts->timed[i]) {
            struct nuce_launches_mean found;

            nuce_statistics_sort(logarithms->values, logarithms->count);
            found = nuce_race_over_launches(logarithms->values, logarithms->count);
            figures[i][0] = exp(found.mean);
            figures[i][1] = exp(found.mean - found.reach);
            figures[i][2] = exp(found.mean + found.reach);
        } else if (parts->samples[i].count > 0) {
            if (parts->runs > 1)
                nuce_statistics_sort(parts->samples[i].values, parts->samples[i].count);
            sql_median(&parts->samples[i], figures[i]);
        }
        free(logarithms->values);
        free(parts->samples[i].values);
    }
    sqlite3_result_blob(context, figures, sizeof figures, SQLITE_TRANSIENT);
}

/* figure_of(figures, i): one of the figures of median_of or medians_of_parts; NULL: unknown. */
static void find_figure(sqlite3_context *context, sqlite3_value **values)
{
    const char *figures = sqlite3_value_blob(values[0]);
    int64_t known = sqlite3_value_bytes(values[0]) / (int)sizeof(double);
    int64_t index = sqlite3_value_int64(values[1]);
    double figure;

    if (index < 0 || index >= known)
        return;
    memcpy(&figure, figures + index * (int64_t)sizeof figure, sizeof figure);
    sqlite3_result_double(context, figure);
}

/* sample_part(name): its number among the parts of a sample, from 0; NULL: no such part. */
static void find_part(sqlite3_context *context, sqlite3_value **values)
{
    int part = nuce_times_part((const char *)sqlite3_value_text(values[0]));

    if (part >= 0)
        sqlite3_result_int(context, part);
}

/* race_ratio(times, reference's times, part): [rounds, ratio, low, high], as JSON. rounds is the
 * number of rounds of one launch in which both have a time. ratio is the median of the ratios of
 * these times, low .. high its 95 % interval from order statistics, null with too few rounds.
 * NULL without such a round. */
static void find_ratio(sqlite3_context *context, sqlite3_value **values)
{
    struct nuce_race_ratio found;

    nuce_times_race((const char *)sqlite3_value_text(values[0]),
                    (const char *)sqlite3_value_text(values[1]), sqlite3_value_int(values[2]),
                    &found);
    if (found.rounds > 0)
        sql_result_array(context, found.rounds, found.ratio, found.low, found.high);
}

/* race_side(mean, reach, noise): 1 if a contender is significantly slower than another, -1 if
 * faster, 0 if neither. It depends on the ratio over launches, in logarithms, and the noise's
 * reach (NULL: there is none). NULL for one launch, which has no reach. */
static void find_side(sqlite3_context *context, sqlite3_value **values)
{
    sqlite3_result_int(context, nuce_race_side(sqlite3_value_double(values[0]),
                                               sqlite3_value_double(values[1]),
                                               sqlite3_value_double(values[2])));
}

/* is_same(low, high, launches, known): 1 if the interval of a ratio lies within 5 % of 1; known: it
 * is of a race that could end at any launch, so that few are not enough. */
static void find_same(sqlite3_context *context, sqlite3_value **values)
{
    int is_within =
        sqlite3_value_double(values[0]) >= 1 / 1.05 && sqlite3_value_double(values[1]) <= 1.05;
    int is_early = sqlite3_value_int(values[3]) != 0 &&
                   sqlite3_value_int64(values[2]) < NUCE_ANYTIME_LEAST_FOR_SAME;

    sqlite3_result_int(context, is_within && !is_early);
}

/* tie_of(kind): the largest ratio, in logarithms, at which computed times are a tie. Simulated
 * times of the same messages in another order differ by up to 5.6 % (node by node instead of by
 * receivers, 256 ranks): only larger differences count between schedules. Modelled times differ
 * by rounding errors. */
static void find_tie(sqlite3_context *context, sqlite3_value **values)
{
    const char *kind = (const char *)sqlite3_value_text(values[0]);

    sqlite3_result_double(context,
                          kind != NULL && strcmp(kind, "simulated") == 0 ? log(1.06) : log(1.005));
}

/* is_slower(launches, mean, error, rivals, noise): 1 if a contender is slower than one of its
 * rivals, so that it is not among the fastest. It depends on the mean of the logarithm of its
 * ratio and its standard error over the launches. The ratio must also exceed the noise's reach
 * (NULL: there is none). NULL for one launch. */
static void find_slower(sqlite3_context *context, sqlite3_value **values)
{
    if (sqlite3_value_int64(values[0]) > 1 && sqlite3_value_int64(values[3]) > 0)
        sqlite3_result_int(context, nuce_race_is_slower(sqlite3_value_int64(values[0]),
                                                        sqlite3_value_double(values[1]),
                                                        sqlite3_value_double(values[2]),
                                                        sqlite3_value_int64(values[3]),
                                                        sqlite3_value_double(values[4])));
}

/* launches_needed(launches, mean, error, rivals, noise): the number of launches that would
 * likely suffice (race_ratio.h). NULL for one launch, and if the number is impractical. */
static void find_needed(sqlite3_context *context, sqlite3_value **values)
{
    int64_t needed = 0;

    if (sqlite3_value_int64(values[0]) > 1 && sqlite3_value_int64(values[3]) > 0)
        needed = nuce_race_launches_needed(
            sqlite3_value_int64(values[0]), sqlite3_value_double(values[1]),
            sqlite3_value_double(values[2]), sqlite3_value_int64(values[3]),
            sqlite3_value_double(values[4]));
    if (needed > 0)
        sqlite3_result_int64(context, needed);
}

/* contender_name(contender, params, compared): the name of a point among its competitors. It is
 * contender, unless its sweep lists the compared keys (a JSON array of their names); then it is
 * their values, alone if it is a word, after the key if it is a number or a flag. A point with none
 * of these keys is named as being without the first: a key without effect (`rebalance: never`) is
 * no part of a point. */
static void find_name(sqlite3_context *context, sqlite3_value **values)
{
    json_t *params, *compared, *key;
    sqlite3_str *name;
    size_t i;

    if (sqlite3_value_type(values[2]) == SQLITE_NULL) {
        sqlite3_result_value(context, values[0]);
        return;
    }
    params = json_loads((const char *)sqlite3_value_text(values[1]), 0, NULL);
    compared = json_loads((const char *)sqlite3_value_text(values[2]), 0, NULL);
    name = sqlite3_str_new(NULL);
    json_array_foreach(compared, i, key)
    {
        const char *word = json_string_value(key), *space = sqlite3_str_length(name) > 0 ? " " : "";
        const json_t *value = json_object_get(params, word);

        if (json_is_string(value))
            sqlite3_str_appendf(name, "%s%s", space, json_string_value(value));
        else if (json_is_integer(value))
            sqlite3_str_appendf(name, "%s%s %lld", space, word,
                                (long long)json_integer_value(value));
        else if (json_is_real(value))
            sqlite3_str_appendf(name, "%s%s %g", space, word, json_real_value(value));
        else if (json_is_boolean(value))
            sqlite3_str_appendf(name, "%s%s%s", space, json_is_true(value) ? "" : "no ", word);
    }
    key = json_array_get(compared, 0);
    if (sqlite3_str_length(name) == 0 && json_is_string(key))
        sqlite3_str_appendf(name, "no %s", json_string_value(key));
    sqlite3_result_text(context, sqlite3_str_finish(name), -1, sqlite3_free);
    json_decref(params);
    json_decref(compared);
}

/* A quantity with a blank before its unit: "3.01 ms"; "2h03m" has several units and no blank. */
static void sql_spaced(sqlite3_context *context, const char *text)
{
    size_t number = strspn(text, "-+.0123456789e");
    int has_one = text[number + strcspn(text + number, "0123456789")] == '\0';
    char *spaced =
        sqlite3_mprintf("%.*s%s%s", (int)number, text, has_one ? " " : "", text + number);

    sqlite3_result_text(context, spaced, -1, sqlite3_free);
}

/* told_time(s): seconds in readable form, three figures; NULL for NULL. */
static void tell_time(sqlite3_context *context, sqlite3_value **values)
{
    char buffer[NUCE_UNITS_BYTES];

    sql_spaced(context, nuce_units_format_seconds(sqlite3_value_double(values[0]), buffer));
}

/* told_bytes(b): bytes in readable form, three figures; NULL for NULL. */
static void tell_bytes(sqlite3_context *context, sqlite3_value **values)
{
    char buffer[NUCE_UNITS_BYTES];

    sql_spaced(context, nuce_units_format_size(sqlite3_value_double(values[0]), buffer));
}

/* told_ratio(ratio, low, high): "1.84x [1.69, 1.99]", two decimals, or two digits below 0.1;
 * without an interval where that is NULL or a single number. */
static void tell_ratio(sqlite3_context *context, sqlite3_value **values)
{
    double number[3];
    char text[3][32], *told;

    for (int i = 0; i < 3; i++) {
        number[i] = sqlite3_value_double(values[i]);
        snprintf(text[i], sizeof text[i],
                 number[i] > 0 && number[i] < 0.0995 ? "%.2g"
                 : fabs(number[i]) < 99.995          ? "%.2f"
                                                     : "%.4g",
                 number[i]);
    }
    if (sqlite3_value_type(values[1]) == SQLITE_NULL ||
        sqlite3_value_type(values[2]) == SQLITE_NULL || !(number[1] < number[2]))
        told = sqlite3_mprintf("%sx", text[0]);
    else
        told = sqlite3_mprintf("%sx [%s, %s]", text[0], text[1], text[2]);
    sqlite3_result_text(context, told, -1, sqlite3_free);
}

/* told_library(version): the name and version of an MPI library; NULL for NULL. */
static void tell_library(sqlite3_context *context, sqlite3_value **values)
{
    const char *version = (const char *)sqlite3_value_text(values[0]);
    char name[256];

    sqlite3_result_text(context, nuce_text_library(version, name, sizeof name), -1,
                        SQLITE_TRANSIENT);
}

/* told_nonblocking(names): the sentence about contenders of the library that ran in their
 * nonblocking form, the column ran_as of `result`; NULL for NULL. */
static void tell_nonblocking(sqlite3_context *context, sqlite3_value **values)
{
    char *told = sqlite3_mprintf("%s, since ranks yield while they wait: settings of the blocking "
                                 "form have no effect",
                                 (const char *)sqlite3_value_text(values[0]));

    sqlite3_result_text(context, told, -1, sqlite3_free);
}

static int is_number(sqlite3_value *value)
{
    int type = sqlite3_value_numeric_type(value);

    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static double math_ln(double x)
{
    return x > 0 ? log(x) : NAN;
}

static double math_log10(double x)
{
    return x > 0 ? log10(x) : NAN;
}

/* Some builds of SQLite have these, sign and pow only since 3.35; RHEL 9 has 3.34. As there, an
 * undefined value is NULL, which SQLite makes of NaN. */
static const struct sql_math {
    const char *name;
    double (*function)(double);
} maths[] = {
    {"exp", exp},   {"ln", math_ln}, {"log10", math_log10},
    {"sqrt", sqrt}, {"ceil", ceil},  {"floor", floor},
};

static void find_math(sqlite3_context *context, int count, sqlite3_value **values)
{
    const struct sql_math *math = sqlite3_user_data(context);

    (void)count;
    if (is_number(values[0]))
        sqlite3_result_double(context, math->function(sqlite3_value_double(values[0])));
}

static void find_sign(sqlite3_context *context, sqlite3_value **values)
{
    double x = sqlite3_value_double(values[0]);

    if (is_number(values[0]))
        sqlite3_result_int(context, (x > 0) - (x < 0));
}

static void find_power(sqlite3_context *context, sqlite3_value **values)
{
    if (is_number(values[0]) && is_number(values[1]))
        sqlite3_result_double(
            context, pow(sqlite3_value_double(values[0]), sqlite3_value_double(values[1])));
}

/* Functions of one row: the number of arguments, and how many of these, from the first on, must
 * not be NULL. One name may have two numbers of arguments. */
static const struct sql_function {
    const char *name;
    int arguments, known;
    void (*function)(sqlite3_context *, sqlite3_value **);
} functions[] = {
    {"student", 1, 1, find_usual_student},
    {"student", 2, 1, find_student},
    {"sample_part", 1, 1, find_part},
    {"figure_of", 2, 1, find_figure},
    {"race_ratio", 3, 3, find_ratio},
    {"contender_name", 3, 0, find_name},
    {"is_slower", 5, 3, find_slower},
    {"launches_needed", 5, 3, find_needed},
    {"race_side", 3, 2, find_side},
    {"is_same", 4, 3, find_same},
    {"told_time", 1, 1, tell_time},
    {"told_bytes", 1, 1, tell_bytes},
    {"told_ratio", 3, 1, tell_ratio},
    {"told_library", 1, 1, tell_library},
    {"told_nonblocking", 1, 1, tell_nonblocking},
    {"tie_of", 1, 0, find_tie},
    {"sign", 1, 1, find_sign},
    {"pow", 2, 2, find_power},
};

static void call_function(sqlite3_context *context, int count, sqlite3_value **values)
{
    const struct sql_function *row = sqlite3_user_data(context);

    (void)count;
    for (int i = 0; i < row->known; i++) {
        if (sqlite3_value_type(values[i]) == SQLITE_NULL)
            return;
    }
    row->function(context, values);
}

static const struct {
    const char *name;
    int arguments;
    void (*step)(sqlite3_context *, int, sqlite3_value **);
    void (*final)(sqlite3_context *);
} aggregates[] = {
    {"rank_correlation", 2, values_step, rank_correlation_final},
    {"over_launches", 1, values_step, over_launches_final},
    {"over_launches", 2, values_step, over_known_launches_final},
    {"median_of", 1, values_step, median_of_final},
    {"medians_of_parts", 1, parts_step, parts_final},
};

/* Digits, with a point and digits behind it, are one number: "x 4" comes before "x 10". Only equal
 * texts are equal. SQLite's texts have no end, which strtod needs. */
static int compare_by_number(void *unused, int left_bytes, const void *left_text, int right_bytes,
                             const void *right_text)
{
    char *left = nuce_text_format("%.*s", left_bytes, (const char *)left_text);
    char *right = nuce_text_format("%.*s", right_bytes, (const char *)right_text);
    char *a = left, *b = right;
    int order = 0;

    (void)unused;
    while (order == 0 && *a != '\0' && *b != '\0') {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            double x = strtod(a, &a), y = strtod(b, &b);

            order = (x > y) - (x < y);
        } else {
            order = (unsigned char)*a++ - (unsigned char)*b++;
        }
    }
    if (order == 0)
        order = (*a != '\0') - (*b != '\0');
    if (order == 0)
        order = strcmp(left, right);
    free(left);
    free(right);
    return order;
}

int nuce_sql_functions_add(sqlite3 *handle)
{
    static const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    int code = SQLITE_OK;

    for (size_t i = 0; code == SQLITE_OK && i < sizeof aggregates / sizeof *aggregates; i++)
        code =
            sqlite3_create_function_v2(handle, aggregates[i].name, aggregates[i].arguments, flags,
                                       NULL, NULL, aggregates[i].step, aggregates[i].final, NULL);
    for (size_t i = 0; code == SQLITE_OK && i < sizeof functions / sizeof *functions; i++)
        code = sqlite3_create_function_v2(handle, functions[i].name, functions[i].arguments, flags,
                                          (void *)(uintptr_t)&functions[i], call_function, NULL,
                                          NULL, NULL);
    for (size_t i = 0; code == SQLITE_OK && i < sizeof maths / sizeof *maths; i++)
        code =
            sqlite3_create_function_v2(handle, maths[i].name, 1, flags,
                                       (void *)(uintptr_t)&maths[i], find_math, NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_create_collation(handle, "by_number", SQLITE_UTF8, NULL, compare_by_number);
    return code;
}
