#include "model/mapping_row.h"

#include <libsmartcols.h>
#include <math.h>
#include <string.h>

#include "support/text.h"
#include "support/units.h"

static const char *const cases[NUCE_MAPPING_CASES] = {"0", "10", "20"};

/* Welford, Technometrics 4(3), 1962. */
void nuce_mapping_mean_add(struct nuce_mapping_mean *mean, double value)
{
    double before = value - mean->mean;

    mean->count++;
    mean->mean += before / (double)mean->count;
    mean->squares += before * (value - mean->mean);
}

static double deviation(const struct nuce_mapping_mean *mean)
{
    return sqrt(mean->squares / (double)(mean->count - 1));
}

void nuce_mapping_row_add(struct nuce_mapping_row *row, const struct nuce_mapping_sample *sample,
                          double bound, const struct nuce_mapping_sample *rm)
{
    nuce_mapping_mean_add(&row->cardinality, sample->cardinality);
    nuce_mapping_mean_add(&row->bound, bound);
    nuce_mapping_mean_add(&row->seconds, sample->seconds);
    for (int i = 0; i < NUCE_MAPPING_CASES; i++)
        nuce_mapping_mean_add(&row->latency_us[i], 1e6 * sample->latency_s[i]);
    if (rm == NULL)
        return;
    nuce_mapping_mean_add(&row->percent, 100 * sample->cardinality / rm->cardinality);
    for (int i = 0; i < NUCE_MAPPING_CASES; i++)
        nuce_mapping_mean_add(&row->gain[i], 100 * (1 - sample->latency_s[i] / rm->latency_s[i]));
}

/* Null where it is no number: nobody talks, or nothing to set it beside. */
static json_t *real(double value)
{
    if (!isfinite(value))
        return json_null();
    if (value >= 0 && value < 9e15 && !(floor(value) < value))
        return json_integer((json_int_t)value);
    return json_real(value);
}

static json_t *case_object(const struct nuce_mapping_mean *means, double (*of)(double, double))
{
    json_t *object = json_object();

    for (int i = 0; i < NUCE_MAPPING_CASES; i++)
        (void)json_object_set_new(
            object, cases[i],
            real(of(means[i].mean, means[i].count > 1 ? deviation(&means[i]) : 0)));
    return object;
}

static double mean_of(double mean, double sd)
{
    (void)sd;
    return mean;
}

static double sd_of(double mean, double sd)
{
    (void)mean;
    return sd;
}

nuce_status nuce_mapping_row_json(const struct nuce_mapping_row *row, json_t *json,
                                  struct nuce_error *error)
{
    int several = row->cardinality.count > 1, bad = 0;

    bad |= json_object_set_new(json, "cardinality", real(row->cardinality.mean));
    if (several)
        bad |= json_object_set_new(json, "cardinality_sd", real(deviation(&row->cardinality)));
    bad |= json_object_set_new(json, "latency_us", case_object(row->latency_us, mean_of));
    if (several)
        bad |= json_object_set_new(json, "latency_us_sd", case_object(row->latency_us, sd_of));
    bad |= json_object_set_new(json, "seconds", json_real(row->seconds.mean));
    bad |= json_object_set_new(json, "cardinality_bound", real(row->bound.mean));
    if (row->percent.count > 0) {
        bad |= json_object_set_new(json, "cardinality_percent", real(row->percent.mean));
        bad |= json_object_set_new(json, "gain_percent", case_object(row->gain, mean_of));
    }
    if (row->percent.count > 1) {
        bad |= json_object_set_new(json, "cardinality_percent_sd", real(deviation(&row->percent)));
        bad |= json_object_set_new(json, "gain_percent_sd", case_object(row->gain, sd_of));
    }
    return bad == 0 ? NUCE_OK : nuce_error_set(error, NUCE_FAILED, "out of memory for a result");
}

/* The columns of text and CSV: a key, and within it one of a case. */
static const struct column {
    const char *name, *key, *within;
    int is_time, is_wide; /* wide: not in text */
} columns[] = {
    {"algorithm",              "algorithm",              NULL, 0, 0},
    {"routing",                "routing",                NULL, 0, 1},
    {"ranks",                  "ranks",                  NULL, 0, 0},
    {"nodes",                  "nodes",                  NULL, 0, 1},
    {"switches",               "switches",               NULL, 0, 1},
    {"links",                  "links",                  NULL, 0, 1},
    {"samples",                "samples",                NULL, 0, 0},
    {"cardinality",            "cardinality",            NULL, 0, 0},
    {"cardinality_sd",         "cardinality_sd",         NULL, 0, 1},
    {"cardinality_bound",      "cardinality_bound",      NULL, 0, 0},
    {"cardinality_percent",    "cardinality_percent",    NULL, 0, 0},
    {"cardinality_percent_sd", "cardinality_percent_sd", NULL, 0, 1},
    {"latency_us_0",           "latency_us",             "0",  0, 0},
    {"latency_us_10",          "latency_us",             "10", 0, 0},
    {"latency_us_20",          "latency_us",             "20", 0, 0},
    {"latency_us_sd_0",        "latency_us_sd",          "0",  0, 1},
    {"latency_us_sd_10",       "latency_us_sd",          "10", 0, 1},
    {"latency_us_sd_20",       "latency_us_sd",          "20", 0, 1},
    {"gain_percent_0",         "gain_percent",           "0",  0, 0},
    {"gain_percent_10",        "gain_percent",           "10", 0, 0},
    {"gain_percent_20",        "gain_percent",           "20", 0, 0},
    {"gain_percent_sd_0",      "gain_percent_sd",        "0",  0, 0},
    {"gain_percent_sd_10",     "gain_percent_sd",        "10", 0, 1},
    {"gain_percent_sd_20",     "gain_percent_sd",        "20", 0, 1},
    {"seconds",                "seconds",                NULL, 1, 0},
};

#define COLUMNS (sizeof columns / sizeof *columns)
#define CELL_BYTES 64

static const json_t *value_of(const json_t *row, const struct column *column)
{
    const json_t *value = json_object_get(row, column->key);

    return column->within == NULL ? value : json_object_get(value, column->within);
}

static void show(const json_t *value, int digits, char cell[CELL_BYTES])
{
    if (value == NULL || json_is_null(value))
        cell[0] = '\0';
    else if (json_is_string(value))
        (void)snprintf(cell, CELL_BYTES, "%s", json_string_value(value));
    else if (json_is_integer(value))
        (void)snprintf(cell, CELL_BYTES, "%lld", (long long)json_integer_value(value));
    else
        (void)snprintf(cell, CELL_BYTES, "%.*g", digits, json_number_value(value));
}

static void print_csv(const json_t *rows, FILE *file)
{
    size_t index;
    const json_t *row;

    for (size_t i = 0; i < COLUMNS; i++)
        (void)fprintf(file, "%s%s", i == 0 ? "" : ",", columns[i].name);
    (void)fputc('\n', file);
    json_array_foreach(rows, index, row)
    {
        char cell[CELL_BYTES];

        for (size_t i = 0; i < COLUMNS; i++) {
            show(value_of(row, &columns[i]), 17, cell);
            (void)fprintf(file, "%s%s", i == 0 ? "" : ",", cell);
        }
        (void)fputc('\n', file);
    }
}

/* Whether a column of text has anything to show. */
static int is_shown(const json_t *rows, const struct column *column)
{
    const json_t *value = value_of(json_array_get(rows, 0), column);

    return !column->is_wide && value != NULL;
}

static int add_line(struct libscols_table *table, const json_t *rows, const json_t *row)
{
    struct libscols_line *line = scols_table_new_line(table, NULL);
    size_t shown = 0;
    int good = line != NULL;

    for (size_t i = 0; good && i < COLUMNS; i++) {
        const json_t *value = value_of(row, &columns[i]);
        char cell[CELL_BYTES], seconds[NUCE_UNITS_BYTES];

        if (!is_shown(rows, &columns[i]))
            continue;
        show(value, 5, cell);
        if (columns[i].is_time && json_is_number(value))
            (void)nuce_text_copy(cell, sizeof cell,
                                 nuce_format_seconds(json_number_value(value), seconds));
        good = scols_line_set_data(line, shown++, cell) == 0;
    }
    return good;
}

static nuce_status print_text(const json_t *rows, FILE *file, struct nuce_error *error)
{
    struct libscols_table *table = scols_new_table();
    int good = table != NULL && scols_table_set_stream(table, file) == 0;
    size_t index;
    const json_t *row;

    for (size_t i = 0; good && i < COLUMNS; i++) {
        if (is_shown(rows, &columns[i]))
            good = scols_table_new_column(table, columns[i].name, 0, i == 0 ? 0 : SCOLS_FL_RIGHT) !=
                   NULL;
    }
    json_array_foreach(rows, index, row) good = good && add_line(table, rows, row);
    good = good && scols_print_table(table) == 0;
    scols_unref_table(table);
    return good ? NUCE_OK : nuce_error_set(error, NUCE_FAILED, "out of memory for a table");
}

nuce_status nuce_mapping_rows_print(const json_t *rows, const char *format, FILE *file,
                                    struct nuce_error *error)
{
    size_t index;
    const json_t *row;

    if (strcmp(format, "text") == 0)
        return print_text(rows, file, error);
    if (strcmp(format, "csv") == 0) {
        print_csv(rows, file);
        return NUCE_OK;
    }
    json_array_foreach(rows, index, row)
    {
        if (json_dumpf(row, file, JSON_COMPACT) != 0 || fputc('\n', file) == EOF)
            return nuce_error_set(error, NUCE_FAILED, "cannot write the results");
    }
    return NUCE_OK;
}
