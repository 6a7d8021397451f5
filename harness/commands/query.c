/* nuce query: SELECT statements on the database, read-only. Three guards, since SQL comes from
 * anywhere: the file is opened read-only, the authorizer lets nothing but SELECT pass
 * (nuce_store_restrict), and a statement that does not end is stopped (--limit). */
#include <stdio.h>
#include <string.h>

#include "base/message.h"
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
                "end statements that take longer in all", .flags = NUCE_OPTION_POSITIVE),
    {.name = NULL},
};

/* A grid of its own for each statement; all of its rows are in memory before the first is printed,
 * as the widths of columns depend on them. */
static nuce_status print_statement(struct nuce_store *store, sqlite3_stmt *statement,
                                   enum nuce_grid_format format, struct nuce_error *error)
{
    struct nuce_grid grid = {0};
    nuce_status status = nuce_grid_read(store, statement, &grid, error);

    if (status == NUCE_OK)
        status = nuce_grid_print(&grid, format, stdout, error);
    nuce_grid_fini(&grid);
    return status;
}

/* What is wrong with a statement, and where names stand that it does not have right. */
static nuce_status query_fail(struct nuce_store *store, struct nuce_error *error)
{
    static const struct {
        const char *wrong, *where;
    } hints[] = {
        {"no such table: ", "all names: nuce query \"SELECT name FROM sqlite_schema\""},
        {"no such column: ", "docs/results.md has the columns"},
    };
    const char *message = sqlite3_errmsg(store->handle);

    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        if (strncmp(message, hints[i].wrong, strlen(hints[i].wrong)) == 0)
            return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s (%s)", store->path, message,
                                  hints[i].where);
    }
    return nuce_store_fail(store, error);
}

/* Runs each statement in turn; comments and blanks between them are none. sqlite3_prepare_v2 moves
 * sql behind the statement that it has compiled. */
static nuce_status query_run_all(struct nuce_store *store, const char *sql,
                                 enum nuce_grid_format format, double limit_s,
                                 struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    nuce_store_restrict(store);
    nuce_store_limit(store, limit_s);
    while (status == NUCE_OK && *sql != '\0') {
        sqlite3_stmt *statement = NULL;
        int code = sqlite3_prepare_v2(store->handle, sql, -1, &statement, &sql);

        if ((code & 0xff) == SQLITE_AUTH)
            status = nuce_error_set(error, NUCE_BAD_INPUT,
                                    "query: only SELECT is allowed: the database is collect's "
                                    "alone to write");
        else if (code != SQLITE_OK)
            status = query_fail(store, error);
        else if (statement != NULL && !sqlite3_stmt_readonly(statement))
            status = nuce_error_set(error, NUCE_BAD_INPUT,
                                    "query: only SELECT is allowed: the database is collect's "
                                    "alone to write");
        else if (statement != NULL)
            status = print_statement(store, statement, format, error);
        sqlite3_finalize(statement);
    }
    return status;
}

/* What statements in front of one that fails have printed stays printed. */
static nuce_status query_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct query_arguments *arguments = call->arguments;
    struct nuce_store store = {.lock = -1};
    nuce_status status = nuce_store_open_reading(arguments->database, &store, error);
    if (status == NUCE_OK)
        status =
            query_run_all(&store, arguments->sql, arguments->format, arguments->limit_s, error);
    nuce_store_close(&store);
    return status;
}

const struct nuce_subcommand nuce_subcommand_query = {
    .name = "query",
    .summary = "run SELECT statements on the database",
    .about = "Run one or more SELECT statements on the database.",
    .after = "Start with the views result, best, against and ratio.",
    .operands = {.usage = "SQL",
                 .least = 1,
                 .most = 1,
                 .expected = "one text of SQL, such as 'SELECT * FROM result'"},
    .options = options,
    .arguments_bytes = sizeof(struct query_arguments),
    .operand = offsetof(struct query_arguments, sql),
    .run = query_command,
};
