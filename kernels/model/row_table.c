#include "model/row_table.h"

#include <libsmartcols.h>
#include <string.h>

#include "support/text.h"
#include "support/units.h"

#define CELL_BYTES 64

/* digits: significant ones of a real number. */
static void show(const json_t *value, int digits, char cell[CELL_BYTES])
{
    if (json_is_null(value))
        cell[0] = '\0';
    else if (json_is_string(value))
        (void)snprintf(cell, CELL_BYTES, "%s", json_string_value(value));
    else if (json_is_boolean(value))
        (void)snprintf(cell, CELL_BYTES, "%d", json_is_true(value));
    else if (json_is_integer(value))
        (void)snprintf(cell, CELL_BYTES, "%lld", (long long)json_integer_value(value));
    else
        (void)snprintf(cell, CELL_BYTES, "%.*g", digits, json_number_value(value));
}

static void print_csv(const json_t *rows, const struct nuce_row_column *columns, int digits,
                      FILE *file)
{
    size_t index;
    const json_t *row;

    for (int i = 0; columns[i].key != NULL; i++)
        (void)fprintf(file, "%s%s", i == 0 ? "" : ",", columns[i].key);
    (void)fputc('\n', file);
    json_array_foreach(rows, index, row)
    {
        char cell[CELL_BYTES];

        for (int i = 0; columns[i].key != NULL; i++) {
            show(json_object_get(row, columns[i].key), digits, cell);
            (void)fprintf(file, "%s%s", i == 0 ? "" : ",", cell);
        }
        (void)fputc('\n', file);
    }
}

static nuce_status print_text(const json_t *rows, const struct nuce_row_column *columns, FILE *file,
                              struct nuce_error *error)
{
    struct libscols_table *table = scols_new_table();
    int good = table != NULL && scols_table_set_stream(table, file) == 0;
    size_t index;
    const json_t *row;

    for (int i = 0; good && columns[i].key != NULL; i++)
        good =
            scols_table_new_column(table, columns[i].key, 0, i == 0 ? 0 : SCOLS_FL_RIGHT) != NULL;
    json_array_foreach(rows, index, row)
    {
        struct libscols_line *line = good ? scols_table_new_line(table, NULL) : NULL;
        char cell[CELL_BYTES], seconds[NUCE_UNITS_BYTES];

        for (int i = 0; columns[i].key != NULL; i++) {
            const json_t *value = json_object_get(row, columns[i].key);

            show(value, 5, cell);
            if (columns[i].is_time && json_is_number(value))
                (void)nuce_text_copy(cell, sizeof cell,
                                     nuce_format_seconds(json_number_value(value), seconds));
            good = good && line != NULL && scols_line_set_data(line, (size_t)i, cell) == 0;
        }
    }
    good = good && scols_print_table(table) == 0;
    scols_unref_table(table);
    return good ? NUCE_OK : nuce_error_set(error, NUCE_FAILED, "out of memory for a table");
}

nuce_status nuce_row_table_print(const json_t *rows, const struct nuce_row_column *columns,
                                 const char *format, int digits, FILE *file,
                                 struct nuce_error *error)
{
    size_t index;
    const json_t *row;

    if (strcmp(format, "text") == 0)
        return print_text(rows, columns, file, error);
    if (strcmp(format, "csv") == 0) {
        print_csv(rows, columns, digits, file);
        return NUCE_OK;
    }
    json_array_foreach(rows, index, row)
    {
        if (json_dumpf(row, file, JSON_COMPACT | JSON_REAL_PRECISION((size_t)digits)) != 0 ||
            fputc('\n', file) == EOF)
            return nuce_error_set(error, NUCE_FAILED, "cannot write the results");
    }
    return NUCE_OK;
}
