/* nuce query: SELECT statements on the database, read-only. */
#include <argp.h>
#include <stdio.h>

#include "commands/subcommand.h"
#include "results/grid_read.h"
#include "results/message.h"

struct arguments {
    const char *sql, *database, *format;
};

static const struct argp_option options[] = {
    {"database", 'd', "FILE", 0, "database (default: nuce.db)", 0},
    {"format", 'f', "FORMAT", 0, "text, json or csv (default: text)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case 'd':
        arguments->database = text;
        return 0;
    case 'f':
        arguments->format = text;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            return ARGP_ERR_UNKNOWN;
        arguments->sql = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "SQL expected, such as 'SELECT * FROM result'");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

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

/* Runs each statement in turn; comments and blanks between them are none. */
static nuce_status run_all(struct nuce_store *store, const char *sql, enum nuce_grid_format format,
                           struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    nuce_store_restrict(store);
    while (status == NUCE_OK && *sql != '\0') {
        sqlite3_stmt *statement = NULL;
        int code = sqlite3_prepare_v2(store->handle, sql, -1, &statement, &sql);

        if ((code & 0xff) == SQLITE_AUTH)
            status = nuce_error_set(error, NUCE_BAD_INPUT,
                                    "query: only SELECT is allowed: the database is collect's "
                                    "alone to write");
        else if (code != SQLITE_OK)
            status = nuce_store_fail(store, error);
        else if (statement != NULL && !sqlite3_stmt_readonly(statement))
            status = nuce_error_set(error, NUCE_BAD_INPUT,
                                    "query: only SELECT is allowed: the database is collect's "
                                    "alone to write");
        else if (statement != NULL)
            status = print_statement(store, statement, format, error);
        (void)sqlite3_finalize(statement);
    }
    return status;
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options,
                                     parse,
                                     "SQL",
                                     "Run one or more SELECT statements on the database."
                                     "\vStart with the views result, best and against.",
                                     NULL,
                                     NULL,
                                     NULL};
    struct arguments arguments = {.database = "nuce.db", .format = "text"};
    struct nuce_store store = {.lock = -1};
    struct nuce_error error;
    enum nuce_grid_format format;
    nuce_status status;

    if (argp_parse(&argp, argc, argv, 0, NULL, &arguments) != 0)
        return 2;
    status = nuce_grid_format_parse(arguments.format, 3, &format, &error);
    if (status == NUCE_OK)
        status = nuce_store_open_reading(arguments.database, &store, &error);
    if (status == NUCE_OK)
        status = run_all(&store, arguments.sql, format, &error);
    nuce_store_close(&store);
    return status == NUCE_OK ? 0 : nuce_message_error(&error);
}

const struct nuce_subcommand nuce_subcommand_query = {
    .name = "query",
    .summary = "run SELECT statements on the database",
    .run = run,
};
