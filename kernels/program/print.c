/* The table of a measuring program: what all points share in a line, then what varies between them
 * and what was found. */
#include "program/print.h"

#include <stdio.h>
#include <string.h>

#include "networks/words.h"
#include "tables/rows.h"

/* Columns of the text table as they are written here. */
#define PLAIN NUCE_LOOK_PLAIN
#define BYTES NUCE_LOOK_BYTES
#define SECONDS NUCE_LOOK_SECONDS
#define RATE NUCE_LOOK_RATE
#define INTERVAL NUCE_LOOK_INTERVAL
#define RATIO NUCE_LOOK_RATIO

static const struct {
    const char *key, *head;
    enum nuce_look look;
} results[] = {
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

static struct nuce_row_column parameter_column(const struct nuce_option *option)
{
    return (struct nuce_row_column){.key = option->name,
                                    .head = option->name,
                                    .look = option->type == NUCE_OPTION_BYTES ? BYTES : PLAIN};
}

static size_t choose_columns(const json_t *rows, const struct nuce_option *options,
                             struct nuce_row_column columns[COLUMNS_MOST])
{
    const struct nuce_row_column algorithm = {.key = "algorithm", .head = "algorithm"};
    size_t count = 0;

    for (; options->name != NULL && count < COLUMNS_MOST - 1; options++) {
        if (strcmp(options->name, algorithm.key) != 0 && varies(options->name, rows))
            columns[count++] = parameter_column(options);
    }
    if (nuce_row_column_is_used(&algorithm, rows))
        columns[count++] = algorithm;
    for (size_t i = 0; i < sizeof results / sizeof *results && count < COLUMNS_MOST; i++) {
        struct nuce_row_column column = {
            .key = results[i].key, .head = results[i].head, .look = results[i].look};
        const struct nuce_row_column parts = {.key = "communication_s", .look = SECONDS};

        /* The interval of what decides when to stop: the step's only where it is not timed in
         * parts. */
        if (column.look == INTERVAL && strcmp(column.key, "step") == 0 &&
            nuce_row_column_is_used(&parts, rows))
            continue;
        if (nuce_row_column_is_used(&column, rows))
            columns[count++] = column;
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
    char cell[NUCE_ROW_CELL_BYTES];

    (void)fprintf(file, "%s, ranks %lld", json_string_value(json_object_get(first, "workload")),
                  (long long)json_integer_value(json_object_get(first, "ranks")));
    for (; options->name != NULL; options++) {
        struct nuce_row_column column = parameter_column(options);

        if (varies(options->name, rows) || json_object_get(first, options->name) == NULL)
            continue;
        nuce_row_show(&column, first, cell);
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

nuce_status nuce_print_rows(const json_t *rows, const struct nuce_option *options,
                            enum nuce_grid_format format, FILE *file, struct nuce_error *error)
{
    struct nuce_row_column columns[COLUMNS_MOST];
    struct nuce_row_layout layout = {.columns = columns, .csv_has_all = 1};

    if (format == NUCE_GRID_TEXT) {
        if (json_array_size(rows) == 0)
            return NUCE_OK;
        print_shared(rows, options, file);
        layout.count = choose_columns(rows, options, columns);
    }
    return nuce_rows_print(rows, &layout, format, file, error);
}
