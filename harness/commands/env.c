/* nuce env diff: the differences between two environments, key by key. An environment is stored as
 * one JSON text (described), so the database's own json_tree splits both, and values are compared
 * as texts. A campaign represents its environment if it has only one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "campaigns/cli.h"
#include "commands/subcommand.h"
#include "db/store.h"
#include "results/grid_read.h"
#include "results/sides.h"

struct env_arguments {
    const char *words[3], *database; /* diff and the two sides, borrowed from argv */
    enum nuce_grid_format format;
};

static const struct nuce_option options[] = {
    NUCE_CLI_DATABASE(struct env_arguments),
    NUCE_CLI_FORMAT(struct env_arguments),
    {.name = NULL},
};

/* The id of the one environment that text names, a new string; a campaign represents that of its
 * jobs. NULL with *error: text is something else, or has none or several. */
static char *find_environment(struct nuce_store *store, const char *text, struct nuce_error *error)
{
    struct nuce_side side = {0};
    int64_t count = 0;
    char *id = NULL;

    if (nuce_side_find(store, text, NULL, &side, error) != NUCE_OK)
        return NULL;
    if (side.class != NUCE_SIDE_CAMPAIGN && side.class != NUCE_SIDE_ENVIRONMENT)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "'%s' is a %s: expected the beginning of an environment's id, or a "
                       "campaign that has one",
                       text, nuce_side_classes[side.class]);
    else if (nuce_store_run(store, error,
                            side.class == NUCE_SIDE_CAMPAIGN
                                ? "DROP TABLE IF EXISTS named; CREATE TEMP TABLE named AS"
                                  " SELECT DISTINCT environment AS id FROM job"
                                  " WHERE json_extract(facts, '$.failed') IS NULL"
                                  " AND campaign IN (SELECT value FROM json_each(%Q))"
                                : "DROP TABLE IF EXISTS named; CREATE TEMP TABLE named AS"
                                  " SELECT value AS id FROM json_each(%Q)",
                            side.ids) == NUCE_OK &&
             nuce_store_count(store, &count, error, "SELECT count(*) FROM named") == NUCE_OK) {
        if (count == 1)
            id = nuce_store_text(store, error, "SELECT id FROM named");
        else
            nuce_error_set(error, NUCE_BAD_INPUT,
                           "'%s' has %lld environments: give the beginning of one's id "
                           "('nuce show environments --campaign')",
                           text, (long long)count);
    }
    nuce_side_fini(&side);
    return id;
}

/* Only the rows go to stdout, so that no output means no difference; stderr names the two
 * environments. Exit status 0 even with differences, unlike diff(1), because two environments of
 * one machine nearly always differ in some key. */
static nuce_status env_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct env_arguments *arguments = call->arguments;
    struct nuce_store store = {.lock = -1};
    struct nuce_grid grid = {0};
    char *a = NULL, *b = NULL, *sql = NULL;
    nuce_status status;

    if (strcmp(arguments->words[0], "diff") != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': expected diff", arguments->words[0]);
    status = nuce_store_open_reading(arguments->database, &store, error);
    if (status == NUCE_OK)
        a = find_environment(&store, arguments->words[1], error);
    if (a != NULL)
        b = find_environment(&store, arguments->words[2], error);
    if (b != NULL)
        sql = nuce_store_shipped("plots/show/environments-diff.sql", error);
    if (sql != NULL && nuce_store_run(&store, error,
                                      "CREATE TEMP TABLE asked AS SELECT %Q AS a,"
                                      " %Q AS b",
                                      a, b) == NUCE_OK)
        nuce_grid_query(&store, &grid, error, "%s", sql);
    if (status == NUCE_OK)
        status = error->status;
    if (status == NUCE_OK)
        fprintf(stderr, "nuce: A is environment %.8s, B %.8s: %lld key%s\n", a, b,
                (long long)grid.rows, grid.rows == 1 ? " differs" : "s differ");
    status = nuce_cli_print(&grid, arguments->format, status, error);
    nuce_store_close(&store);
    free(a);
    free(b);
    free(sql);
    return status;
}

const struct nuce_subcommand nuce_subcommand_env = {
    .name = "env",
    .summary = "list differences between two environments",
    .about = "Show the differences between two environments, key by key: machine, library, "
             "compiler, the program itself, variables. A and B are the beginnings of ids of "
             "'nuce show environments', or campaigns that have one environment.",
    .after = "Without a difference nothing is printed. Exit status: 0 done, with or without "
             "differences, 2 bad input or usage.",
    .examples =
        NUCE_EXAMPLES({"nuce env diff quick.1 quick.2", "list what changed between two campaigns"},
                      {"nuce env diff 3f2a 91bc --format json",
                       "compare two environments by the beginnings of their ids"}),
    .operands = {.usage = "diff A B",
                 .least = 3,
                 .most = 3,
                 .expected = "diff and two environments, A and B"},
    .options = options,
    .arguments_bytes = sizeof(struct env_arguments),
    .operand = offsetof(struct env_arguments, words),
    .run = env_command,
};
