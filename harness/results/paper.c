/* The papers' numbers, from plots/paper, as the temporary table `paper`, so that queries can
 * compare them with ours. Its columns have no types: some tables have words among their numbers.
 *
 * Fields are separated by tabs, without any quoting; a table has at most COLUMNS_MAX columns. */
#include "results/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/text_file.h"

/* More than any table of the papers has. */
enum { COLUMNS_MAX = 32 };

/* A field that is entirely a number is stored as one, so that it compares numerically with ours. */
static void bind_field(sqlite3_stmt *insert, int index, const char *text)
{
    char *end = NULL;
    double value = strtod(text, &end);

    if (*text == '\0')
        sqlite3_bind_null(insert, index);
    else if (*end != '\0' || !isfinite(value))
        sqlite3_bind_text(insert, index, text, -1, SQLITE_TRANSIENT);
    else if (strpbrk(text, ".eE") == NULL)
        sqlite3_bind_int64(insert, index, strtoll(text, NULL, 10));
    else
        sqlite3_bind_double(insert, index, value);
}

/* The first line names the columns: it makes the table and prepares the insertion. Names become
 * parts of SQL, so only letters, digits and underscores are accepted. A name has at most 64
 * characters, for which there is room. The other lines are rows. All have the same number of
 * fields. */
static nuce_status paper_add_line(struct nuce_store *store, char *line, int *columns,
                                  sqlite3_stmt **insert, struct nuce_error *error)
{
    char columns_sql[COLUMNS_MAX * 72] = "", values_sql[COLUMNS_MAX * 3] = "";
    char *fields[COLUMNS_MAX + 1], *sql;
    int count = 0;

    while (count <= COLUMNS_MAX && (fields[count] = strsep(&line, "\t")) != NULL)
        count++;
    if (count > COLUMNS_MAX || (*columns > 0 && count != *columns))
        return nuce_error_set(error, NUCE_BAD_INPUT, "%d fields, expected %d", count,
                              *columns > 0 ? *columns : COLUMNS_MAX);
    if (*columns > 0) {
        for (int i = 0; i < count; i++)
            bind_field(*insert, i + 1, fields[i]);
        if (sqlite3_step(*insert) != SQLITE_DONE)
            return nuce_store_fail(store, error);
        sqlite3_reset(*insert);
        return NUCE_OK;
    }
    *columns = count;
    for (int i = 0; i < count; i++) {
        if (!nuce_text_is_name(fields[i]) || strpbrk(fields[i], ".-") != NULL)
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "column '%s': expected letters, digits and '_'", fields[i]);
        strcat(strcat(strcat(columns_sql, i > 0 ? ", \"" : "\""), fields[i]), "\"");
        strcat(values_sql, i > 0 ? ", ?" : "?");
    }
    sql = nuce_text_format("CREATE TEMP TABLE IF NOT EXISTS paper (%s)", columns_sql);
    error->status = nuce_store_execute(store, sql, error);
    free(sql);
    if (error->status != NUCE_OK)
        return error->status;
    sql = nuce_text_format("INSERT INTO paper (%s) VALUES (%s)", columns_sql, values_sql);
    error->status = nuce_store_prepare(store, sql, insert, error);
    free(sql);
    return error->status;
}

nuce_status nuce_paper_load(struct nuce_store *store, const char *path, struct nuce_error *error)
{
    sqlite3_stmt *insert = NULL;
    char *text = NULL, *rest, *line;
    nuce_status status = nuce_text_read(path, &text, NULL, error);
    int columns = 0;

    rest = text;
    for (int number = 1; status == NUCE_OK && (line = strsep(&rest, "\n")) != NULL; number++) {
        if (line[0] == '#' || line[0] == '\0')
            continue;
        status = paper_add_line(store, line, &columns, &insert, error);
        if (status != NUCE_OK)
            status = nuce_error_prefix(error, "%s:%d", path, number);
    }
    sqlite3_finalize(insert);
    free(text);
    if (status == NUCE_OK && columns == 0)
        status =
            nuce_error_set(error, NUCE_BAD_INPUT, "%s:1: expected a line of column names", path);
    return status;
}
