/* nuce env diff: what differs between two environments, key by key. An environment is stored as one
 * JSON text (described), so the database's own json_tree takes both apart, and values are compared
 * as texts. A campaign stands for its environment if it has only one. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
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

/* The environments that a side (?1) stands for: a campaign for those of its jobs. */
static const char *const side_sql[] = {
    [NUCE_SIDE_CAMPAIGN] = "SELECT DISTINCT environment FROM job"
                           " WHERE campaign IN (SELECT value FROM json_each(?1)) ORDER BY 1",
    [NUCE_SIDE_ENVIRONMENT] = "SELECT value FROM json_each(?1)",
};

/* Values as text, by their path in the JSON: an array is one value; ?1 and ?2 are the ids. Keys of
 * an object are a group. */
static const char diff_sql[] =
    "WITH leaf AS (SELECT e.id, substr(t.fullkey, 3) AS path,"
    "  CASE t.type WHEN 'null' THEN 'null' WHEN 'true' THEN 'true' WHEN 'false' THEN 'false'"
    "   ELSE CAST(t.value AS TEXT) END AS value"
    "  FROM environment AS e, json_tree(e.described) AS t"
    "  WHERE e.id IN (?1, ?2) AND t.type <> 'object' AND instr(t.fullkey, '[') = 0),"
    " a AS (SELECT path, value FROM leaf WHERE id = ?1),"
    " b AS (SELECT path, value FROM leaf WHERE id = ?2)"
    " SELECT CASE instr(k.path, '.') WHEN 0 THEN 'general'"
    "  ELSE substr(k.path, 1, instr(k.path, '.') - 1) END AS \"group\","
    " substr(k.path, instr(k.path, '.') + 1) AS key, a.value AS A, b.value AS B"
    " FROM (SELECT DISTINCT path FROM leaf) AS k"
    " LEFT JOIN a ON a.path = k.path LEFT JOIN b ON b.path = k.path"
    " WHERE a.value IS NOT b.value"
    " ORDER BY instr(k.path, '.') > 0, 1, k.path";

#define ID_BYTES 65 /* 64 hexadecimal digits and the end */

/* The id of the one environment that text names. NUCE_BAD_INPUT: text is something else, or has
 * none or several. */
static nuce_status find_environment(struct nuce_store *store, const char *text, char id[ID_BYTES],
                                    struct nuce_error *error)
{
    struct nuce_side side = {0};
    sqlite3_stmt *row = NULL;
    nuce_status status = nuce_side_find(store, text, &side, error);
    int count = 0, code = SQLITE_DONE;

    if (status == NUCE_OK && side.class != NUCE_SIDE_CAMPAIGN &&
        side.class != NUCE_SIDE_ENVIRONMENT)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "'%s' is a %s: expected the beginning of an environment's id, or a "
                                "campaign that has one",
                                text, nuce_side_classes[side.class]);
    if (status == NUCE_OK)
        status = nuce_store_prepare(store, side_sql[side.class], &row, error);
    if (status == NUCE_OK) {
        sqlite3_bind_text(row, 1, side.ids, -1, SQLITE_STATIC);
        for (; (code = sqlite3_step(row)) == SQLITE_ROW; count++)
            nuce_text_copy(id, ID_BYTES, (const char *)sqlite3_column_text(row, 0));
        if (code != SQLITE_DONE)
            status = nuce_store_fail(store, error);
        else if (count != 1)
            status = nuce_error_set(error, NUCE_BAD_INPUT,
                                    "'%s' has %d environments: give the beginning of one's id "
                                    "('nuce show environments --campaign')",
                                    text, count);
    }
    sqlite3_finalize(row);
    nuce_side_fini(&side);
    return status;
}

/* Rows of group, key, A and B; none where nothing differs. */
static nuce_status read_differences(struct nuce_store *store, const char *a, const char *b,
                                    struct nuce_grid *out, struct nuce_error *error)
{
    sqlite3_stmt *statement = NULL;
    nuce_status status = nuce_store_prepare(store, diff_sql, &statement, error);

    if (status == NUCE_OK) {
        sqlite3_bind_text(statement, 1, a, -1, SQLITE_STATIC);
        sqlite3_bind_text(statement, 2, b, -1, SQLITE_STATIC);
        status = nuce_grid_read(store, statement, out, error);
    }
    sqlite3_finalize(statement);
    return status;
}

/* The rows alone are on stdout, so that nothing printed means no difference; which two environments
 * they are is told on stderr. Exit status 0 whatever differs: unlike diff(1), since two
 * environments of one machine differ nearly always in something. */
static nuce_status env_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct env_arguments *arguments = call->arguments;
    struct nuce_store store = {.lock = -1};
    struct nuce_grid grid = {0};
    char a[ID_BYTES], b[ID_BYTES];
    nuce_status status;

    if (strcmp(arguments->words[0], "diff") != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': expected diff", arguments->words[0]);
    status = nuce_store_open_reading(arguments->database, &store, error);
    if (status == NUCE_OK)
        status = find_environment(&store, arguments->words[1], a, error);
    if (status == NUCE_OK)
        status = find_environment(&store, arguments->words[2], b, error);
    if (status == NUCE_OK)
        status = read_differences(&store, a, b, &grid, error);
    if (status == NUCE_OK)
        fprintf(stderr, "nuce: A is environment %.8s, B %.8s: %lld key%s\n", a, b,
                (long long)grid.rows, grid.rows == 1 ? " differs" : "s differ");
    status = nuce_cli_print(&grid, arguments->format, status, error);
    nuce_store_close(&store);
    return status;
}

const struct nuce_subcommand nuce_subcommand_env = {
    .name = "env",
    .summary = "what differs between two environments",
    .about = "Show what differs between two environments, key by key: machine, library, "
             "compiler, the program itself, variables. A and B are the beginnings of ids of "
             "'nuce show environments', or campaigns that have one environment.",
    .after = "Nothing is printed where nothing differs. Exit status: 0 done, whatever differs, "
             "2 bad input or usage.",
    .operands = {.usage = "diff A B",
                 .least = 3,
                 .most = 3,
                 .expected = "diff and two environments, A and B"},
    .options = options,
    .arguments_bytes = sizeof(struct env_arguments),
    .operand = offsetof(struct env_arguments, words),
    .run = env_command,
};
