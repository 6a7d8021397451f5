/* An environment that was misspelt must not look like one without results.
 *
 * The id is compared by its beginning, as it was typed: no character of it is a pattern. */
#include "results/known_environment.h"

nuce_status nuce_known_environment(struct nuce_store *store, const char *environment,
                                   struct nuce_error *error)
{
    sqlite3_stmt *statement = NULL;
    nuce_status status = NUCE_OK;
    int code;

    if (environment == NULL)
        return NUCE_OK;
    if (nuce_store_prepare(store,
                           "SELECT 1 FROM environment WHERE substr(id, 1, length(?1)) = ?1 LIMIT 1",
                           &statement, error) != NUCE_OK)
        return error->status;
    sqlite3_bind_text(statement, 1, environment, -1, SQLITE_STATIC);
    code = sqlite3_step(statement);
    if (code == SQLITE_DONE)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "--environment: '%s': expected the beginning of the id of one in "
                                "%s: see 'nuce show environments'",
                                environment, store->path);
    else if (code != SQLITE_ROW)
        status = nuce_store_fail(store, error);
    sqlite3_finalize(statement);
    return status;
}
