#include "cli.h"

#include <errno.h>
#include <jansson.h>
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum nuce_format nuce_cli_format(const char *text, struct argp_state *state)
{
    static const char *const names[] = {"text", "json", "csv"};

    for (int i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) == 0)
            return (enum nuce_format)i;
    }
    argp_error(state, "--format: '%s': expected text, json or csv", text);
    return NUCE_FORMAT_TEXT;
}

int nuce_cli_fail(const struct nuce_error *error)
{
    (void)fprintf(stderr, "nuce: %s\n", error->message);
    return nuce_exit_status(error->status);
}

int nuce_cli_finish(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    (void)fprintf(stderr, "nuce: cannot write the results: %s\n", strerror(errno));
    return status == 0 ? 1 : status;
}

nuce_status nuce_table_add(struct nuce_table *table, const char *const *cells,
                           struct nuce_error *error)
{
    int64_t first = table->rows * table->width;

    if (nuce_grow((void **)&table->cells, &table->capacity, first + table->width,
                  sizeof *table->cells, error) != NUCE_OK)
        return error->status;
    for (int i = 0; i < table->width; i++) {
        table->cells[first + i] = cells[i] != NULL ? strdup(cells[i]) : NULL;
        if (cells[i] != NULL && table->cells[first + i] == NULL) {
            while (--i >= 0)
                free(table->cells[first + i]);
            return nuce_error_set(error, NUCE_FAILED, "out of memory for a table");
        }
    }
    table->rows++;
    return NUCE_OK;
}

void nuce_table_fini(struct nuce_table *table)
{
    for (int64_t i = 0; i < table->rows * table->width; i++)
        free(table->cells[i]);
    free(table->cells);
    *table = (struct nuce_table){0};
}

static int fill_lines(const struct nuce_table *table, struct libscols_table *lines)
{
    for (int i = 0; i < table->width; i++) {
        if (scols_table_new_column(lines, table->columns[i].heading, 0,
                                   table->columns[i].numeric ? SCOLS_FL_RIGHT : 0) == NULL)
            return 0;
    }
    for (int64_t row = 0; row < table->rows; row++) {
        struct libscols_line *line = scols_table_new_line(lines, NULL);

        if (line == NULL)
            return 0;
        for (int i = 0; i < table->width; i++) {
            const char *cell = table->cells[row * table->width + i];

            if (scols_line_set_data(line, (size_t)i, cell != NULL ? cell : "-") != 0)
                return 0;
        }
    }
    return 1;
}

static nuce_status print_text(const struct nuce_table *table, FILE *out, struct nuce_error *error)
{
    struct libscols_table *lines = scols_new_table();
    int good = lines != NULL && scols_table_set_stream(lines, out) == 0 &&
               fill_lines(table, lines) && scols_print_table(lines) == 0;

    scols_unref_table(lines);
    return good ? NUCE_OK : nuce_error_set(error, NUCE_FAILED, "cannot print a table");
}

static json_t *cell_json(const struct nuce_column *column, const char *cell)
{
    if (cell == NULL)
        return json_null();
    if (column->numeric) {
        json_t *number = json_loads(cell, JSON_DECODE_ANY, NULL);

        if (number != NULL)
            return number;
    }
    return json_string(cell);
}

static nuce_status print_json(const struct nuce_table *table, FILE *out, struct nuce_error *error)
{
    for (int64_t row = 0; row < table->rows; row++) {
        json_t *object = json_object();
        int good = object != NULL;

        for (int i = 0; good && i < table->width; i++)
            good = json_object_set_new(
                       object, table->columns[i].name,
                       cell_json(&table->columns[i], table->cells[row * table->width + i])) == 0;
        good = good && json_dumpf(object, out, JSON_COMPACT) == 0 && fputc('\n', out) != EOF;
        json_decref(object);
        if (!good)
            return nuce_error_set(error, NUCE_FAILED, "cannot write a row as JSON");
    }
    return NUCE_OK;
}

static void print_quoted(const char *cell, FILE *out)
{
    if (cell[strcspn(cell, ",\"\r\n")] == '\0') {
        (void)fputs(cell, out);
        return;
    }
    (void)fputc('"', out);
    for (; *cell != '\0'; cell++) {
        if (*cell == '"')
            (void)fputc('"', out);
        (void)fputc(*cell, out);
    }
    (void)fputc('"', out);
}

static void print_csv(const struct nuce_table *table, FILE *out)
{
    for (int i = 0; i < table->width; i++)
        (void)fprintf(out, "%s%s", i > 0 ? "," : "", table->columns[i].name);
    (void)fputs("\r\n", out);
    for (int64_t row = 0; row < table->rows; row++) {
        for (int i = 0; i < table->width; i++) {
            const char *cell = table->cells[row * table->width + i];

            if (i > 0)
                (void)fputc(',', out);
            print_quoted(cell != NULL ? cell : "", out);
        }
        (void)fputs("\r\n", out);
    }
}

nuce_status nuce_table_print(const struct nuce_table *table, enum nuce_format format, FILE *out,
                             struct nuce_error *error)
{
    if (format == NUCE_FORMAT_TEXT)
        return print_text(table, out, error);
    if (format == NUCE_FORMAT_JSON)
        return print_json(table, out, error);
    print_csv(table, out);
    return NUCE_OK;
}
