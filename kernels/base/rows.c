/* Rows of results as text, JSON lines or CSV. The columns' values become a grid, which is printed
 * as every grid is. JSON has the unchanged objects. Cost: O(rows x columns), a copy of each value.
 * A column shows the value under its key. Its look decides the form for people; programs get all
 * digits. The interval of a value is found by name (step_low_s for step_s), so no column has to
 * name it. */
#include "base/rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/units.h"

/* NULL if the row has none. */
static const json_t *rows_value_of(const struct nuce_row_column *column, const json_t *row)
{
    const json_t *value = json_object_get(row, column->key);

    return column->within == NULL ? value : json_object_get(value, column->within);
}

/* The value under the key made from column and ending: step_s and low give step_low_s, gain and
 * high give gain_high. NULL: the row has none. */
static const json_t *rows_value_beside(const struct nuce_row_column *column, const char *ending,
                                       const json_t *row)
{
    size_t length = strlen(column->key);
    int is_time = length > 2 && strcmp(column->key + length - 2, "_s") == 0;
    char key[128];

    snprintf(key, sizeof key, "%.*s_%s%s", (int)(is_time ? length - 2 : length), column->key,
             ending, is_time ? "_s" : "");
    return json_object_get(row, key);
}

/* For people: as few digits as distinguish numbers, and a dash for an unknown value. */
static void show_plain(const json_t *value, char cell[NUCE_ROW_CELL_BYTES])
{
    if (json_is_string(value))
        snprintf(cell, NUCE_ROW_CELL_BYTES, "%s", json_string_value(value));
    else if (json_is_integer(value))
        snprintf(cell, NUCE_ROW_CELL_BYTES, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(cell, NUCE_ROW_CELL_BYTES, "%g", json_real_value(value));
    else if (json_is_boolean(value))
        snprintf(cell, NUCE_ROW_CELL_BYTES, "%s", json_is_true(value) ? "yes" : "no");
    else
        snprintf(cell, NUCE_ROW_CELL_BYTES, "-");
}

/* A dash if there are too few samples for an interval. */
static void show_interval(const struct nuce_row_column *column, const json_t *row,
                          char cell[NUCE_ROW_CELL_BYTES])
{
    const json_t *from = rows_value_beside(column, "low", row),
                 *to = rows_value_beside(column, "high", row);
    char low[NUCE_UNITS_BYTES], high[NUCE_UNITS_BYTES];

    if (from == NULL)
        snprintf(cell, NUCE_ROW_CELL_BYTES, "-");
    else
        snprintf(cell, NUCE_ROW_CELL_BYTES, "%s .. %s",
                 nuce_units_format_seconds(json_number_value(from), low),
                 nuce_units_format_seconds(json_number_value(to), high));
}

/* A whole number is exact, such as the ratio of a value to itself. */
static void show_ratio(const struct nuce_row_column *column, const json_t *row,
                       char cell[NUCE_ROW_CELL_BYTES])
{
    const json_t *low = rows_value_beside(column, "low", row),
                 *high = rows_value_beside(column, "high", row);
    const json_t *ratio = rows_value_of(column, row);
    const char *mark = column->look == NUCE_LOOK_TIMES ? "x" : "";
    double value = json_number_value(ratio);

    if (json_is_integer(ratio))
        show_plain(ratio, cell);
    else if (json_is_number(low))
        snprintf(cell, NUCE_ROW_CELL_BYTES, "%.2f%s [%.2f, %.2f]", value, mark,
                 json_number_value(low), json_number_value(high));
    else
        snprintf(cell, NUCE_ROW_CELL_BYTES, "%.2f%s", value, mark);
}

void nuce_rows_show(const struct nuce_row_column *column, const json_t *row,
                    char cell[NUCE_ROW_CELL_BYTES])
{
    const json_t *value = rows_value_of(column, row);
    char text[NUCE_UNITS_BYTES];

    if (column->look == NUCE_LOOK_INTERVAL)
        show_interval(column, row, cell);
    else if (column->look == NUCE_LOOK_BYTES && json_is_integer(value))
        snprintf(cell, NUCE_ROW_CELL_BYTES, "%s",
                 nuce_units_format_bytes(json_integer_value(value), text));
    else if (column->look == NUCE_LOOK_SECONDS && json_is_number(value))
        snprintf(cell, NUCE_ROW_CELL_BYTES, "%s",
                 nuce_units_format_seconds(json_number_value(value), text));
    else if (column->look == NUCE_LOOK_RATE && json_is_number(value))
        /* Network bandwidths are usually given in powers of ten. */
        snprintf(cell, NUCE_ROW_CELL_BYTES,
                 json_number_value(value) >= 1e9 ? "%.3g GB/s" : "%.3g MB/s",
                 json_number_value(value) / (json_number_value(value) >= 1e9 ? 1e9 : 1e6));
    else if ((column->look == NUCE_LOOK_RATIO || column->look == NUCE_LOOK_TIMES) &&
             json_is_number(value))
        show_ratio(column, row, cell);
    else
        show_plain(value, cell);
}

/* Text omits a column that has only dashes. */
int nuce_row_column_is_used(const struct nuce_row_column *column, const json_t *rows)
{
    char cell[NUCE_ROW_CELL_BYTES];
    size_t index;
    const json_t *row;

    json_array_foreach(rows, index, row)
    {
        nuce_rows_show(column, row, cell);
        if (strcmp(cell, "-") != 0)
            return 1;
    }
    return 0;
}

/* Sets the cell to the value with all digits, a list or object as JSON; null leaves it NULL.
 * digits: significant ones of a real; 0: as many as give it back. */
static void set_cell(struct nuce_cell *cell, const json_t *value, int digits)
{
    char text[32], *list;

    if (json_is_string(value)) {
        nuce_cell_copy(cell, NUCE_CELL_TEXT, json_string_value(value));
    } else if (json_is_real(value)) {
        snprintf(text, sizeof text, "%.*g", digits > 0 ? digits : 17, json_real_value(value));
        nuce_cell_set_real(cell, strtod(text, NULL));
    } else if (json_is_integer(value)) {
        nuce_cell_set_integer(cell, json_integer_value(value));
    } else if (value != NULL && !json_is_null(value)) {
        list = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
        nuce_cell_copy(cell, NUCE_CELL_TEXT, list);
        free(list);
    }
}

/* Text has the columns that are used and fit, CSV all of them. */
static nuce_status print_columns(const json_t *rows, const struct nuce_row_column *columns,
                                 size_t count, int digits, enum nuce_grid_format format, FILE *file,
                                 struct nuce_error *error)
{
    int is_text = format == NUCE_GRID_TEXT, chosen = 0;
    const struct nuce_row_column **taken = nuce_allocate((int64_t)count, sizeof *taken);
    const char **heads = nuce_allocate((int64_t)count, sizeof *heads);
    struct nuce_grid grid = {0};
    nuce_status status;
    size_t index;
    const json_t *row;

    for (size_t i = 0; i < count; i++) {
        if (is_text && (columns[i].is_wide || !nuce_row_column_is_used(&columns[i], rows)))
            continue;
        heads[chosen] = columns[i].head;
        taken[chosen++] = &columns[i];
    }
    nuce_grid_init(chosen, heads, &grid);
    json_array_foreach(rows, index, row)
    {
        char shown[NUCE_ROW_CELL_BYTES];
        struct nuce_cell *cells;

        nuce_grid_add_row(&grid, &cells);
        for (int i = 0; i < chosen; i++) {
            if (is_text) {
                nuce_rows_show(taken[i], row, shown);
                nuce_cell_copy(&cells[i], NUCE_CELL_TEXT, shown);
            } else {
                set_cell(&cells[i], rows_value_of(taken[i], row), digits);
            }
        }
    }
    status = nuce_grid_print(&grid, format, file, error);
    nuce_grid_fini(&grid);
    free(heads);
    free(taken);
    return status;
}

/* JSON is one object per line, with all its keys. CSV may have every key of any row, in the order
 * of their first appearance. */
nuce_status nuce_rows_print(const json_t *rows, const struct nuce_row_layout *layout,
                            enum nuce_grid_format format, FILE *file, struct nuce_error *error)
{
    json_t *keys, *value;
    struct nuce_row_column *columns;
    size_t index, count = 0;
    const json_t *row;
    const char *key;
    nuce_status status;

    if (format == NUCE_GRID_JSON) {
        json_array_foreach(rows, index, row)
        {
            json_dumpf(row, file, JSON_COMPACT | JSON_REAL_PRECISION((size_t)layout->digits));
            fputc('\n', file);
        }
        if (fflush(file) == 0 && !ferror(file))
            return NUCE_OK;
        return nuce_error_set(error, NUCE_FAILED, "cannot write: %s", strerror(errno));
    }
    if (format != NUCE_GRID_CSV || !layout->csv_has_all)
        return print_columns(rows, layout->columns, layout->count, layout->digits, format, file,
                             error);
    keys = json_object();
    json_array_foreach(rows, index, row)
    {
        json_object_update_missing(keys, (json_t *)row);
    }
    columns = nuce_allocate((int64_t)json_object_size(keys), sizeof *columns);
    json_object_foreach(keys, key, value)
    {
        columns[count++] = (struct nuce_row_column){.key = key, .head = key};
    }
    status = print_columns(rows, columns, count, layout->digits, format, file, error);
    free(columns);
    json_decref(keys);
    return status;
}
