/* nuce export: the rows of a table or view of the database, for other tools. Rows are read and
 * written in blocks, so that a table may have any size. They are ordered by their first columns, so
 * that two exports of the same runs are the same file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "campaigns/cli.h"
#include "commands/capturing.h"
#include "commands/subcommand.h"
#include "results/grid_read.h"

/* Number of rows in memory at once: there may be many millions of samples. */
#define BLOCK_ROWS 4096

/* Number of columns, including the keys, that determine the order of rows. */
#define ORDER_COLUMNS 5

/* Size of the list of names for a misspelt one; the schema has some twenty tables and views.
 * Further names would only not be suggested. */
#define MOST_TABLES 64

/* table: also the path of a capture; NULL: list the tables. call: of a capture, NULL: all
 * patterns. */
struct export_arguments {
    const char *table, *campaign, *database, *call, *folder;
    int format; /* EXPORT_... */
};

/* In the order of the words of --format. */
enum { EXPORT_CSV, EXPORT_JSON, EXPORT_COM, EXPORT_BENCHER, EXPORT_OPENMETRICS };

static const char *const formats[] = {"csv", "json", "com", "bencher", "openmetrics", NULL};

/* The queries of formats that have one: each row is a line. */
static const char *const queries[] = {
    [EXPORT_BENCHER] = "plots/export/bencher.sql",
    [EXPORT_OPENMETRICS] = "plots/export/openmetrics.sql",
};

static const struct nuce_option options[] = {
    NUCE_CLI_CAMPAIGN(struct export_arguments),
    NUCE_CLI_DATABASE(struct export_arguments),
    NUCE_OPTION(WORD, "format", offsetof(struct export_arguments, format), "csv", "FORMAT",
                "output format: csv, or json (one object per line); for a capture json, or com "
                "(one COM file per pattern); for the medians, ratios and intervals of a campaign "
                "bencher (Bencher Metric Format) or openmetrics (for Prometheus)",
                .letter = 'f', .words = formats),
    NUCE_OPTION(
        TEXT, "call", offsetof(struct export_arguments, call), NULL, "ID",
        "one pattern of a capture, as COM on stdout: its id or its place by time; default: all"),
    NUCE_OPTION(TEXT, "output", offsetof(struct export_arguments, folder), ".", "DIR",
                "folder for the COM files of a capture", .letter = 'o'),
    {.name = NULL},
};

/* The rows of each table that belong to the campaign to which the store was narrowed; tables not
 * listed belong to it entirely. */
static const struct {
    const char *table, *column, *where; /* table NULL: any table with that column */
} belongings[] = {
    {"point", "id", "id IN (SELECT point FROM run)"},
    {"environment", "id", "id IN (SELECT environment FROM job)"},
    {"samples", "run", "run IN (SELECT hash FROM run)"},
    {NULL, "run", "run IN (SELECT id FROM run)"},
};

/* The number of columns of the table, which is known to exist; if name is not NULL, of those with
 * that name. */
static nuce_status count_columns(struct nuce_store *store, const char *table, const char *name,
                                 int64_t *count, struct nuce_error *error)
{
    return nuce_store_count(store, count, error,
                            "SELECT count(*) FROM pragma_table_info(%Q) WHERE name = coalesce(%Q,"
                            " name)",
                            table, name);
}

/* Prints the table, which is known to exist: all rows, or those of the campaign. If it has none of
 * the columns of belongings, all rows count. It is printed block by block, the first with its head
 * of names, even without any row. Rows are ordered by the numbers of columns, so that no column
 * name gets into the text. */
static nuce_status export_table(struct nuce_store *store, const struct export_arguments *arguments,
                                enum nuce_grid_format format, struct nuce_error *error)
{
    static const char *const orders[ORDER_COLUMNS] = {"1", "1, 2", "1, 2, 3", "1, 2, 3, 4",
                                                      "1, 2, 3, 4, 5"};
    const char *table = arguments->table, *where = NULL;
    int64_t found = 0, count = 0;
    sqlite3_stmt *statement = NULL;
    int ended = 0;
    char *sql;

    if (nuce_store_narrow(store, arguments->campaign, error) != NUCE_OK ||
        count_columns(store, table, NULL, &count, error) != NUCE_OK)
        return error->status;
    for (size_t i = 0;
         arguments->campaign != NULL && where == NULL && i < sizeof belongings / sizeof *belongings;
         i++) {
        if (belongings[i].table != NULL && strcmp(belongings[i].table, table) != 0)
            continue;
        if (count_columns(store, table, belongings[i].column, &found, error) != NUCE_OK)
            return error->status;
        where = found > 0 ? belongings[i].where : NULL;
    }
    NUCE_ASSERT(count > 0);
    sql = nuce_text_format("SELECT * FROM \"%s\" WHERE %s ORDER BY %s", table,
                           where == NULL ? "1" : where,
                           orders[(count < ORDER_COLUMNS ? count : ORDER_COLUMNS) - 1]);
    error->status = nuce_store_prepare(store, sql, &statement, error);
    for (int first = 1; error->status == NUCE_OK && !ended; first = 0) {
        struct nuce_grid grid = {0};

        error->status = nuce_grid_read_some(store, statement, BLOCK_ROWS, &grid, &ended, error);
        if (error->status == NUCE_OK)
            error->status = first ? nuce_grid_print(&grid, format, stdout, error)
                                  : nuce_grid_print_more(&grid, format, stdout, error);
        nuce_grid_fini(&grid);
    }
    sqlite3_finalize(statement);
    free(sql);
    return error->status;
}

/* Prints the medians and ratios of the campaign in a format of others. */
static nuce_status export_results(struct nuce_store *store,
                                  const struct export_arguments *arguments,
                                  struct nuce_error *error)
{
    char *sql = NULL;
    struct nuce_grid lines = {0};
    int64_t count = 0;

    if (nuce_store_narrow(store, arguments->campaign, error) != NUCE_OK ||
        nuce_store_run_shipped(store, "plots/export/rows.sql", error) != NUCE_OK ||
        nuce_store_count(store, &count, error, "SELECT count(*) FROM exported") != NUCE_OK)
        return error->status;
    if (count == 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "campaign '%s' has no result that ended well",
                              arguments->campaign);
    sql = nuce_store_shipped(queries[arguments->format], error);
    if (sql != NULL && nuce_grid_query(store, &lines, error, "%s", sql) == NUCE_OK) {
        for (int64_t row = 0; row < lines.rows; row++)
            puts(nuce_grid_cell(&lines, row, 0)->text);
    }
    nuce_grid_fini(&lines);
    free(sql);
    return error->status;
}

/* A file that is a capture wins over a table of the same name. It is not in the database: its
 * patterns are printed as JSON lines, or each as a COM file. Without a table: lists the tables. The
 * name becomes part of a query's text, because SQLite has no parameters for names of tables. So
 * only a name in the database is accepted; NUCE_BAD_INPUT with the nearest one. The database is
 * only read. After a failure in the middle of a table, the rows printed remain, and the exit status
 * is 1. */
static nuce_status export_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct export_arguments *arguments = call->arguments;
    enum nuce_grid_format format =
        arguments->format == EXPORT_JSON ? NUCE_GRID_JSON : NUCE_GRID_CSV;
    const char *names[MOST_TABLES], *nearest, *table = arguments->table;
    struct nuce_store store = {.lock = -1};
    struct nuce_capture capture = {0};
    struct nuce_grid tables = {0};
    size_t count = 0;
    int is_known = 0;
    nuce_status status;

    if (table != NULL && nuce_capturing_is_file(table)) {
        if (arguments->format == EXPORT_CSV)
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "--format: of a capture expected json or com (as a table: 'nuce "
                                  "show %s --format csv')",
                                  table);
        status = nuce_capture_read(table, &capture, error);
        if (status == NUCE_OK)
            status =
                arguments->format == EXPORT_JSON
                    ? nuce_capture_print_json(&capture, stdout, error)
                    : nuce_capturing_print_com(&capture, arguments->call, arguments->folder, error);
        nuce_capture_fini(&capture);
        return status;
    }
    if (table != NULL && nuce_capturing_is_missing(table, error))
        return error->status;
    if (arguments->format == EXPORT_COM)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--format: 'com': expected a capture, or csv or json");
    if (queries[arguments->format] != NULL && (table != NULL || arguments->campaign == NULL))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--format: '%s': expected --campaign NAME and no TABLE",
                              formats[arguments->format]);
    status = nuce_store_open_reading(arguments->database, &store, error);
    if (queries[arguments->format] != NULL) {
        if (status == NUCE_OK)
            status = export_results(&store, arguments, error);
        nuce_store_close(&store);
        return status;
    }
    if (status == NUCE_OK)
        status =
            nuce_grid_query(&store, &tables, error,
                            "SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view')"
                            " AND name NOT GLOB 'sqlite_*' ORDER BY name");
    for (int64_t row = 0; status == NUCE_OK && table != NULL && row < tables.rows; row++) {
        const char *name = nuce_grid_cell(&tables, row, 0)->text;

        is_known |= strcmp(name, table) == 0;
        if (count < MOST_TABLES)
            names[count++] = name;
    }
    if (status == NUCE_OK && table == NULL) {
        status = nuce_grid_print(&tables, format, stdout, error);
    } else if (status == NUCE_OK && is_known) {
        status = export_table(&store, arguments, format, error);
    } else if (status == NUCE_OK) {
        nearest = nuce_text_nearest(table, names, count);
        status = nuce_error_set(
            error, NUCE_BAD_INPUT,
            "export: '%s'%s%s%s: expected a table of the database ('nuce export' lists them, "
            "--campaign takes one campaign's rows) or a capture",
            table, nearest != NULL ? " (did you mean '" : "", nearest != NULL ? nearest : "",
            nearest != NULL ? "'?)" : "");
    }
    nuce_grid_fini(&tables);
    nuce_store_close(&store);
    return status;
}

const struct nuce_subcommand nuce_subcommand_export = {
    .name = "export",
    .summary = "write a table of the database as CSV or JSON",
    .about =
        "Writes the rows of a table or view of the database to stdout, for R, pandas and "
        "spreadsheets: result (a row for each point and environment), run, sample, ... "
        "Without TABLE: their names. For a FILE of 'nuce capture': its patterns. With a format "
        "of others: the results of a campaign.",
    .after = "Numbers are in full, NULL is an empty field or null. For a whole campaign, to be "
             "read by another nuce: 'nuce bundle'.",
    .examples =
        NUCE_EXAMPLES({"nuce export result", "write a row for each point and environment as CSV"},
                      {"nuce export --format bencher --campaign quick.1",
                       "write medians and ratios for 'bencher run --adapter json'"},
                      {"nuce export nuce.capture --format com --output patterns",
                       "write the patterns of a capture as COM files"}),
    .operands = {.usage = "[TABLE|FILE]", .least = 0, .most = 1, .expected = "one TABLE or FILE"},
    .options = options,
    .arguments_bytes = sizeof(struct export_arguments),
    .operand = offsetof(struct export_arguments, table),
    .run = export_command,
};
