/* nuce query: SELECT statements on the database, read-only. There are three guards, because SQL may
 * come from a stranger. The file is opened read-only; the authorizer permits only SELECT
 * (nuce_store_restrict); a statement that does not end is stopped (--limit). */
#include <stdio.h>
#include <string.h>

#include "campaigns/cli.h"
#include "commands/subcommand.h"
#include "results/grid_read.h"

struct query_arguments {
    const char *sql, *database;
    enum nuce_grid_format format;
    double limit_s; /* seconds of all statements together */
};

static const struct nuce_option options[] = {
    NUCE_CLI_DATABASE(struct query_arguments),
    NUCE_CLI_FORMAT(struct query_arguments),
    NUCE_OPTION(DURATION, "limit", offsetof(struct query_arguments, limit_s), "60s", "TIME",
                "most time for all statements together", .flags = NUCE_OPTION_POSITIVE),
    {.name = NULL},
};

/* Mistakes in a statement, and where to find the right names. */
static const struct {
    const char *wrong, *where;
} hints[] = {
    {"no such table: ", "all names: nuce query \"SELECT name FROM sqlite_schema\""},
    {"no such column: ", "all columns: nuce list columns"},
};

/* Refuses two columns of one name, as of SELECT p.id, r.id: readers of JSON keep only one. */
static nuce_status check_keys(sqlite3_stmt *statement, struct nuce_error *error)
{
    error->status = NUCE_OK;
    for (int i = 1; i < sqlite3_column_count(statement); i++) {
        const char *name = sqlite3_column_name(statement, i);

        for (int k = 0; k < i; k++) {
            if (strcmp(sqlite3_column_name(statement, k), name) == 0)
                return nuce_error_set(error, NUCE_BAD_INPUT,
                                      "query: columns %d and %d are both '%s': expected different "
                                      "names for json, as in '%s AS other'",
                                      k + 1, i + 1, name, name);
        }
    }
    return NUCE_OK;
}

/* Runs the first statement of sql, if any, and moves sql after it, as sqlite3_prepare_v2 does. Each
 * statement has a grid of its own. All of its rows are in memory before the first is printed,
 * because the widths of columns depend on them. */
static nuce_status run_statement(struct nuce_store *store, const char **sql,
                                 enum nuce_grid_format format, struct nuce_error *error)
{
    sqlite3_stmt *statement = NULL;
    struct nuce_grid grid = {0};
    int code = sqlite3_prepare_v2(store->handle, *sql, -1, &statement, sql);
    const char *message = sqlite3_errmsg(store->handle);

    error->status = NUCE_OK;
    if ((code & 0xff) == SQLITE_AUTH || (statement != NULL && !sqlite3_stmt_readonly(statement))) {
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "query: only SELECT is allowed: the database is collect's alone to write");
    } else if (code != SQLITE_OK) {
        const char *last = strrchr(message, '.') != NULL ? strrchr(message, '.')
                                                         : strrchr(message, ' '),
                   *renamed = last == NULL ? NULL : nuce_option_ended(last + 1);

        nuce_store_fail(store, error);
        for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
            if (strncmp(message, hints[i].wrong, strlen(hints[i].wrong)) == 0)
                nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s (%s)", store->path, message,
                               renamed != NULL ? renamed : hints[i].where);
        }
    } else if (statement != NULL) {
        if (format == NUCE_GRID_JSON)
            check_keys(statement, error);
        if (error->status == NUCE_OK)
            error->status = nuce_grid_read(store, statement, &grid, error);
        if (error->status == NUCE_OK)
            error->status = nuce_grid_print(&grid, format, stdout, error);
    }
    nuce_grid_fini(&grid);
    sqlite3_finalize(statement);
    return error->status;
}

/* Runs each statement in turn; comments and blanks between them do not count. Output of statements
 * before one that fails remains. */
static nuce_status query_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct query_arguments *arguments = call->arguments;
    const char *sql = arguments->sql;
    struct nuce_store store = {.lock = -1};
    nuce_status status = nuce_store_open_reading(arguments->database, &store, error);

    if (status == NUCE_OK) {
        nuce_store_restrict(&store);
        nuce_store_limit(&store, arguments->limit_s);
    }
    while (status == NUCE_OK && *sql != '\0')
        status = run_statement(&store, &sql, arguments->format, error);
    nuce_store_close(&store);
    return status;
}

const struct nuce_subcommand nuce_subcommand_query = {
    .name = "query",
    .summary = "run SELECT statements on the database",
    .about = "Run one or more SELECT statements on the database.",
    .after = "Start with the views result, best, against and ratio.",
    .examples = NUCE_EXAMPLES(
        {"nuce query 'SELECT * FROM best'", "print a view of the database"},
        {"nuce query 'SELECT * FROM ratio' --format json", "print another view as JSON"}),
    .operands = {.usage = "SQL",
                 .least = 1,
                 .most = 1,
                 .expected = "one text of SQL, such as 'SELECT * FROM result'"},
    .options = options,
    .arguments_bytes = sizeof(struct query_arguments),
    .operand = offsetof(struct query_arguments, sql),
    .run = query_command,
};
