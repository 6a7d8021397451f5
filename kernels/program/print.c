#include "program/print.h"

#include <libsmartcols.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "networks/words.h"
#include "support/units.h"

#define CELL_BYTES 128

/* How a column of the text table shows its value. */
enum look {
    PLAIN,
    BYTES,
    SECONDS,
    RATE,     /* bytes per second */
    INTERVAL, /* of the median that the key names: low .. high */
    RATIO,    /* with its interval, KEY_low .. KEY_high, where it is known */
};

struct column {
    const char *key;
    const char *head;
    enum look look;
};

static const struct column results[] = {
    {"phases",                "phases",              PLAIN   },
    {"messages",              "messages",            PLAIN   },
    {"bytes",                 "bytes",               BYTES   },
    {"placement_moved",       "moved",               PLAIN   },
    {"placement_cardinality", "bytes x links",       PLAIN   },
    {"placement_latency_s",   "latency, modelled",   SECONDS },
    {"index_s",               "index (once)",        SECONDS },
    {"pack_s",                "pack",                SECONDS },
    {"communication_s",       "communication",       SECONDS },
    {"communication",         "95 % interval",       INTERVAL},
    {"unpack_s",              "unpack",              SECONDS },
    {"port_bytes",            "bound: bytes",        BYTES   },
    {"predicted_s",           "predicted",           SECONDS },
    {"single_port_bound_s",   "single-port bound",   SECONDS },
    {"bound_s",               "bound",               SECONDS },
    {"computation_s",         "computation",         SECONDS },
    {"load_balance",          "max / mean",          RATIO   },
    {"rebalances",            "cut anew",            PLAIN   },
    {"moved_bytes",           "bytes moved",         BYTES   },
    {"rebalance_s",           "cutting",             SECONDS },
    {"move_s",                "moving",              SECONDS },
    {"iteration_before_s",    "before",              SECONDS },
    {"iteration_changed_s",   "changed",             SECONDS },
    {"iteration_after_s",     "after",               SECONDS },
    {"step_s",                "step",                SECONDS },
    {"step",                  "95 % interval",       INTERVAL},
    {"iteration_s",           "iteration",           SECONDS },
    {"iteration",             "95 % interval",       INTERVAL},
    {"weights_taken",         "measured weights",    PLAIN   },
    {"schedule_s",            "scheduling (once)",   SECONDS },
    {"one_s",                 "one",                 SECONDS },
    {"partner_max_s",         "partners: max",       SECONDS },
    {"partner_min_s",         "min",                 SECONDS },
    {"partner_mean_s",        "mean",                SECONDS },
    {"gain",                  "gain",                RATIO   },
    {"growth",                "growth",              PLAIN   },
    {"regime",                "regime",              PLAIN   },
    {"mean_s",                "mean",                SECONDS },
    {"least_s",               "least",               SECONDS },
    {"most_s",                "most",                SECONDS },
    {"within_tenth",          "within 10 % of mean", RATIO   },
    {"against_random",        "mean / random",       RATIO   },
    {"pairs",                 "pairs",               PLAIN   },
    {"startup_s",             "startup",             SECONDS },
    {"bandwidth_least",       "bandwidth: least",    RATE    },
    {"bandwidth_median",      "median",              RATE    },
    {"bandwidth_most",        "most",                RATE    },
    {"bandwidth_error",       "error",               RATIO   },
    {"unfitted",              "unfitted",            PLAIN   },
    {"ports_out",             "ports limited: out",  PLAIN   },
    {"ports_in",              "in",                  PLAIN   },
    {"depth_auto",            "depth auto",          PLAIN   },
    {"cells_least",           "cells/s: least",      PLAIN   },
    {"cells_most",            "most",                PLAIN   },
    {"cells_error",           "error",               RATIO   },
    {"relative_speeds",       "relative speeds",     PLAIN   },
    {"network_file",          "network file",        PLAIN   },
    {"n",                     "samples",             PLAIN   },
    {"stopped",               "stopped by",          PLAIN   },
    {"status",                "status",              PLAIN   },
};

static const json_t *interval_end(const json_t *row, const char *part, const char *end)
{
    char key[64];

    (void)snprintf(key, sizeof key, "%s_%s_s", part, end);
    return json_object_get(row, key);
}

static void show_plain(const json_t *value, char cell[CELL_BYTES])
{
    if (json_is_string(value))
        (void)snprintf(cell, CELL_BYTES, "%s", json_string_value(value));
    else if (json_is_integer(value))
        (void)snprintf(cell, CELL_BYTES, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        (void)snprintf(cell, CELL_BYTES, "%g", json_real_value(value));
    else if (json_is_boolean(value))
        (void)snprintf(cell, CELL_BYTES, "%s", json_is_true(value) ? "yes" : "no");
    else
        (void)snprintf(cell, CELL_BYTES, "-");
}

static void show_rate(double rate, char cell[CELL_BYTES])
{
    if (rate >= 1e9)
        (void)snprintf(cell, CELL_BYTES, "%.3g GB/s", rate / 1e9);
    else
        (void)snprintf(cell, CELL_BYTES, "%.3g MB/s", rate / 1e6);
}

static void show_ratio(const char *key, const json_t *row, char cell[CELL_BYTES])
{
    double value = json_number_value(json_object_get(row, key));
    char low[64], high[64];

    (void)snprintf(low, sizeof low, "%s_low", key);
    (void)snprintf(high, sizeof high, "%s_high", key);
    if (json_is_number(json_object_get(row, low)))
        (void)snprintf(cell, CELL_BYTES, "%.2f (%.2f .. %.2f)", value,
                       json_number_value(json_object_get(row, low)),
                       json_number_value(json_object_get(row, high)));
    else
        (void)snprintf(cell, CELL_BYTES, "%.2f", value);
}

static void show(const struct column *column, const json_t *row, char cell[CELL_BYTES])
{
    const json_t *value = json_object_get(row, column->key);
    char low[NUCE_UNITS_BYTES], high[NUCE_UNITS_BYTES];

    if (column->look == INTERVAL) {
        const json_t *from = interval_end(row, column->key, "low");
        const json_t *to = interval_end(row, column->key, "high");

        if (from == NULL)
            (void)snprintf(cell, CELL_BYTES, "-");
        else
            (void)snprintf(cell, CELL_BYTES, "%s .. %s",
                           nuce_format_seconds(json_number_value(from), low),
                           nuce_format_seconds(json_number_value(to), high));
    } else if (column->look == BYTES && json_is_integer(value)) {
        (void)snprintf(cell, CELL_BYTES, "%s", nuce_format_bytes(json_integer_value(value), low));
    } else if (column->look == SECONDS && json_is_number(value)) {
        (void)snprintf(cell, CELL_BYTES, "%s", nuce_format_seconds(json_number_value(value), low));
    } else if (column->look == RATE && json_is_number(value)) {
        show_rate(json_number_value(value), cell);
    } else if (column->look == RATIO && json_is_number(value)) {
        show_ratio(column->key, row, cell);
    } else {
        show_plain(value, cell);
    }
}

/* Whether any row has something to show there. */
static int is_used(const struct column *column, const json_t *rows)
{
    char cell[CELL_BYTES];
    size_t index;
    const json_t *row;

    json_array_foreach(rows, index, row)
    {
        show(column, row, cell);
        if (strcmp(cell, "-") != 0)
            return 1;
    }
    return 0;
}

static int varies(const char *key, const json_t *rows)
{
    const json_t *first = json_object_get(json_array_get(rows, 0), key);
    size_t index;
    const json_t *row;

    json_array_foreach(rows, index, row)
    {
        const json_t *value = json_object_get(row, key);

        if (value != first && !json_equal(value, first))
            return 1;
    }
    return 0;
}

#define COLUMNS_MOST 64

static struct column parameter_column(const struct nuce_option *option)
{
    return (struct column){option->name, option->name,
                           option->type == NUCE_OPTION_BYTES ? BYTES : PLAIN};
}

static size_t choose_columns(const json_t *rows, const struct nuce_option *options,
                             struct column columns[COLUMNS_MOST])
{
    const struct column algorithm = {"algorithm", "algorithm", PLAIN};
    size_t count = 0;

    for (; options->name != NULL && count < COLUMNS_MOST - 1; options++) {
        if (strcmp(options->name, algorithm.key) != 0 && varies(options->name, rows))
            columns[count++] = parameter_column(options);
    }
    if (is_used(&algorithm, rows))
        columns[count++] = algorithm;
    for (size_t i = 0; i < sizeof results / sizeof *results && count < COLUMNS_MOST; i++) {
        /* The interval of what decides when to stop: the step's only where it is not timed in
         * parts. */
        if (results[i].look == INTERVAL && strcmp(results[i].key, "step") == 0 &&
            is_used(&(struct column){"communication_s", "", SECONDS}, rows))
            continue;
        if (is_used(&results[i], rows))
            columns[count++] = results[i];
    }
    return count;
}

/* Whether messages of any row were made longer or shorter than they are. */
static int is_emulated(const json_t *rows)
{
    size_t index;
    const json_t *row;

    json_array_foreach(rows, index, row)
    {
        const char *network = json_string_value(json_object_get(row, "network"));

        if (network != NULL && strcmp(network, NUCE_NETWORK_EMULATED) == 0)
            return 1;
    }
    return 0;
}

/* Whether ranks of any row were made slower than they are. */
static int is_slowed(const json_t *rows)
{
    size_t index;
    const json_t *row;

    json_array_foreach(rows, index, row)
    {
        if (json_object_get(row, "emulate-speeds") != NULL)
            return 1;
    }
    return 0;
}

/* The file of the measured network that a row was scheduled and predicted by, which others share;
 * NULL: none was. */
static const char *measured_file(const json_t *rows)
{
    size_t index;
    const json_t *row;

    json_array_foreach(rows, index, row)
    {
        const char *network = json_string_value(json_object_get(row, "network"));
        const char *taken = json_string_value(json_object_get(row, "network_taken"));

        if (network != NULL && taken != NULL && strcmp(network, NUCE_NETWORK_MEASURED) == 0)
            return taken;
    }
    return NULL;
}

/* What all rows share, so that a table that is copied somewhere still says what it is of. */
static void print_shared(const json_t *rows, const struct nuce_option *options, FILE *file)
{
    const json_t *first = json_array_get(rows, 0);
    const char *measured = measured_file(rows);
    char cell[CELL_BYTES];

    (void)fprintf(file, "%s, ranks %lld", json_string_value(json_object_get(first, "workload")),
                  (long long)json_integer_value(json_object_get(first, "ranks")));
    for (; options->name != NULL; options++) {
        struct column column = parameter_column(options);

        if (varies(options->name, rows) || json_object_get(first, options->name) == NULL)
            continue;
        show(&column, first, cell);
        (void)fprintf(file, ", %s %s", options->name, cell);
    }
    if (measured != NULL)
        (void)fprintf(file, ", measured network: %.*s", (int)strcspn(measured, "@"), measured);
    (void)fprintf(
        file, ", wait %s%s%s%s\n", json_string_value(json_object_get(first, "wait")),
        json_integer_value(json_object_get(first, "oversubscribed")) != 0 ? ", OVERSUBSCRIBED" : "",
        is_emulated(rows) ? ", EMULATED network: messages are longer or shorter than they were"
                          : "",
        is_slowed(rows) ? ", EMULATED speeds: ranks do extra work" : "");
}

static nuce_status fill_table(struct libscols_table *table, const json_t *rows,
                              const struct column *columns, size_t count, struct nuce_error *error)
{
    size_t index;
    const json_t *row;

    for (size_t i = 0; i < count; i++) {
        int flags = columns[i].look != PLAIN ? SCOLS_FL_RIGHT : 0;

        if (scols_table_new_column(table, columns[i].head, 0, flags) == NULL)
            return nuce_error_set(error, NUCE_FAILED, "out of memory for a table");
    }
    json_array_foreach(rows, index, row)
    {
        struct libscols_line *line = scols_table_new_line(table, NULL);
        char cell[CELL_BYTES];

        for (size_t i = 0; i < count; i++) {
            show(&columns[i], row, cell);
            if (line == NULL || scols_line_set_data(line, i, cell) != 0)
                return nuce_error_set(error, NUCE_FAILED, "out of memory for a table");
        }
    }
    return NUCE_OK;
}

static nuce_status print_text(const json_t *rows, const struct nuce_option *options, FILE *file,
                              struct nuce_error *error)
{
    struct column columns[COLUMNS_MOST];
    size_t count = choose_columns(rows, options, columns);
    struct libscols_table *table = scols_new_table();
    nuce_status status;

    if (table == NULL)
        return nuce_error_set(error, NUCE_FAILED, "out of memory for a table");
    (void)scols_table_set_stream(table, file);
    (void)scols_table_enable_nowrap(table, 1);
    print_shared(rows, options, file);
    status = fill_table(table, rows, columns, count, error);
    if (status == NUCE_OK && scols_print_table(table) != 0)
        status = nuce_error_set(error, NUCE_FAILED, "cannot print a table");
    scols_unref_table(table);
    return status;
}

static void print_csv_text(const char *text, FILE *file)
{
    (void)fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            (void)fputc('"', file);
        (void)fputc(*text, file);
    }
    (void)fputc('"', file);
}

static void print_csv_cell(const json_t *value, FILE *file)
{
    if (json_is_string(value)) {
        print_csv_text(json_string_value(value), file);
    } else if (json_is_array(value)) {
        char *text = json_dumps(value, JSON_COMPACT);

        print_csv_text(text == NULL ? "" : text, file);
        free(text);
    } else if (value != NULL && !json_is_null(value)) {
        (void)json_dumpf(value, file, JSON_ENCODE_ANY);
    }
}

/* The header has every key of any row, in the order in which they turn up. */
static void print_csv(const json_t *rows, FILE *file)
{
    json_t *keys = json_object();
    const char *key;
    const json_t *row;
    json_t *value;
    size_t index;
    int column = 0;

    json_array_foreach(rows, index, row)
    {
        (void)json_object_update_missing(keys, (json_t *)row);
    }
    json_object_foreach(keys, key, value)
    {
        (void)fprintf(file, "%s%s", column++ > 0 ? "," : "", key);
    }
    (void)fputc('\n', file);
    json_array_foreach(rows, index, row)
    {
        column = 0;
        json_object_foreach(keys, key, value)
        {
            if (column++ > 0)
                (void)fputc(',', file);
            print_csv_cell(json_object_get(row, key), file);
        }
        (void)fputc('\n', file);
    }
    json_decref(keys);
}

nuce_status nuce_print_rows(const json_t *rows, const struct nuce_option *options,
                            const char *format, FILE *file, struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    if (strcmp(format, "text") == 0) {
        status = json_array_size(rows) > 0 ? print_text(rows, options, file, error) : NUCE_OK;
    } else if (strcmp(format, "csv") == 0) {
        print_csv(rows, file);
    } else {
        size_t index;
        const json_t *row;

        json_array_foreach(rows, index, row)
        {
            (void)json_dumpf(row, file, JSON_COMPACT);
            (void)fputc('\n', file);
        }
    }
    if (status == NUCE_OK && (fflush(file) != 0 || ferror(file)))
        status = nuce_error_set(error, NUCE_FAILED, "cannot write the results");
    return status;
}
