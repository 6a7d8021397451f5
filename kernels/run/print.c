/* The table of a measuring program: a line of all shared parameters, then the varying ones and
 * the results. A parameter that is equal in all rows is printed once above them; an empty column
 * is omitted. Rows are compared as JSON, O(rows x columns). */
#include "run/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rows.h"
#include "run/run_record.h"
#include "schedules/words.h"

/* The look of a unit that has its own; any other unit is printed as it is. */
static enum nuce_look look_of(const struct nuce_result *result)
{
    static const struct {
        const char *unit;
        enum nuce_look look;
    } looks[] = {
        {NUCE_UNIT_SECONDS, NUCE_LOOK_SECONDS},
        {NUCE_UNIT_BYTES, NUCE_LOOK_BYTES},
        {NUCE_UNIT_RATE, NUCE_LOOK_RATE},
        {NUCE_UNIT_RATIO, NUCE_LOOK_RATIO},
    };

    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        if (strcmp(looks[i].unit, result->unit) == 0)
            return looks[i].look;
    }
    return NUCE_LOOK_PLAIN;
}

/* True if the rows differ in the column. A missing key counts as a value of its own. */
static int print_column_varies(const char *key, const json_t *rows)
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

/* More than all parameters and results that a workload shows as text. */
#define COLUMNS_MOST 64

static struct nuce_row_column parameter_column(const struct nuce_option *option)
{
    return (struct nuce_row_column){.key = option->name,
                                    .head = option->name,
                                    .look = option->type == NUCE_OPTION_BYTES ? NUCE_LOOK_BYTES
                                                                              : NUCE_LOOK_PLAIN};
}

/* Adds a column, unless it is empty. */
static void add_column(struct nuce_row_column *columns, struct nuce_row_layout *layout,
                       struct nuce_row_column column, const json_t *rows)
{
    if (layout->count < COLUMNS_MOST && nuce_row_column_is_used(&column, rows))
        columns[layout->count++] = column;
}

/* Columns in order: varying parameters, the compared option, the ratio, then the results that
 * are found and declared with a header, in the order of the tables. A median's interval follows
 * it, for the part that decides when to stop. That part is the step only if the communication is
 * not timed. */
static void choose_columns(const json_t *rows, const struct nuce_workload_ops *workload,
                           struct nuce_row_column *columns, struct nuce_row_layout *layout)
{
    const char *race = nuce_run_race_key(workload);
    const struct nuce_row_column communication = {.key = "communication_s",
                                                  .look = NUCE_LOOK_SECONDS};
    const struct nuce_option *compared = nuce_option_compared(workload->options);
    int is_in_parts = nuce_row_column_is_used(&communication, rows);

    for (const struct nuce_option *option = workload->options; option->name != NULL; option++) {
        if (option != compared && print_column_varies(option->name, rows))
            add_column(columns, layout, parameter_column(option), rows);
    }
    if (compared != NULL)
        add_column(columns, layout, parameter_column(compared), rows);
    add_column(columns, layout,
               (struct nuce_row_column){.key = race, .head = "ratio", .look = NUCE_LOOK_TIMES},
               rows);
    for (const struct nuce_result *const *table = workload->results; *table != NULL; table++) {
        for (const struct nuce_result *result = *table; result->name != NULL; result++) {
            struct nuce_row_column column = {
                .key = result->name, .head = result->head, .look = look_of(result)};

            if (result->head == NULL)
                continue;
            add_column(columns, layout, column, rows);
            column.head = "95 % interval";
            column.look = NUCE_LOOK_INTERVAL;
            if (result->flags & NUCE_RESULT_INTERVAL &&
                !(is_in_parts && strcmp(result->name, "step_s") == 0))
                add_column(columns, layout, column, rows);
        }
    }
}

/* Prints the parameters that all rows share, so that a copied table is complete. These include
 * the measured network used to schedule and predict the rows, and effects of emulation: longer
 * or shorter messages in some row, or slower ranks. */
static void print_shared(const json_t *rows, const struct nuce_option *options, FILE *file)
{
    const json_t *first = json_array_get(rows, 0);
    const char *measured = NULL; /* FILE@HASH */
    int is_emulated = 0, is_slowed = 0;
    char cell[NUCE_ROW_CELL_BYTES];
    size_t index;
    const json_t *row;

    json_array_foreach(rows, index, row)
    {
        const char *network = json_string_value(json_object_get(row, "network"));
        const char *taken = json_string_value(json_object_get(row, "network_taken"));

        is_slowed |= json_object_get(row, "emulate-speeds") != NULL;
        is_emulated |= network != NULL && strcmp(network, NUCE_NETWORK_EMULATED) == 0;
        if (measured == NULL && network != NULL && strcmp(network, NUCE_NETWORK_MEASURED) == 0)
            measured = taken;
    }
    fprintf(file, "%s, ranks %lld", json_string_value(json_object_get(first, "workload")),
            (long long)json_integer_value(json_object_get(first, "ranks")));
    for (; options->name != NULL; options++) {
        struct nuce_row_column column = parameter_column(options);

        if (print_column_varies(options->name, rows) ||
            json_object_get(first, options->name) == NULL)
            continue;
        nuce_rows_show(&column, first, cell);
        fprintf(file, ", %s %s", options->name, cell);
    }
    if (measured != NULL)
        fprintf(file, ", measured network: %.*s", (int)strcspn(measured, "@"), measured);
    fprintf(file, ", wait %s%s%s%s\n", json_string_value(json_object_get(first, "wait")),
            json_integer_value(json_object_get(first, "oversubscribed")) != 0 ? ", OVERSUBSCRIBED"
                                                                              : "",
            is_emulated ? ", EMULATED network: messages are longer or shorter than they were" : "",
            is_slowed ? ", EMULATED speeds: ranks do extra work" : "");
}

/* The noise of the ratios above: the reference against its duplicate, in each race. compared: the
 * option that names it, or NULL. */
static void print_noise(const json_t *rows, const struct nuce_option *compared, FILE *file)
{
    static const char *const keys[] = {"noise", "noise_low", "noise_high"};
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}; /* and of intervals */
    const char *reference = NULL;
    size_t index;
    const json_t *row;

    json_array_foreach(rows, index, row)
    {
        if (compared != NULL && json_is_number(json_object_get(row, keys[0])))
            reference = json_string_value(json_object_get(row, compared->name));
        for (int i = 0; i < 3; i++) {
            const json_t *value = json_object_get(row, keys[i]);

            if (!json_is_number(value))
                continue;
            low[i > 0] = fmin(low[i > 0], json_number_value(value));
            high[i > 0] = fmax(high[i > 0], json_number_value(value));
        }
    }
    if (low[0] > high[0])
        return;
    fputs("noise", file);
    if (reference != NULL)
        fprintf(file, " (%s vs %s)", reference, reference);
    fprintf(file, " %.2fx", low[0]);
    if (low[0] < high[0])
        fprintf(file, " to %.2fx", high[0]);
    if (low[1] <= high[1])
        fprintf(file, "%s [%.2f, %.2f]", low[0] < high[0] ? ", within" : "", low[1], high[1]);
    fputc('\n', file);
}

nuce_status nuce_print_rows(const json_t *rows, const struct nuce_workload_ops *workload,
                            enum nuce_grid_format format, FILE *file, struct nuce_error *error)
{
    struct nuce_row_column columns[COLUMNS_MOST];
    struct nuce_row_layout layout = {.columns = columns, .csv_has_all = 1};

    if (format == NUCE_GRID_TEXT) {
        if (json_array_size(rows) == 0)
            return NUCE_OK;
        print_shared(rows, workload->options, file);
        choose_columns(rows, workload, columns, &layout);
    }
    if (nuce_rows_print(rows, &layout, format, file, error) != NUCE_OK)
        return error->status;
    if (format == NUCE_GRID_TEXT)
        print_noise(rows, nuce_option_compared(workload->options), file);
    return NUCE_OK;
}
