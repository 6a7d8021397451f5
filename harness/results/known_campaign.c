#include "known_campaign.h"

nuce_status nuce_known_campaign(struct nuce_store *store, const char *campaign,
                                struct nuce_error *error)
{
    sqlite3_stmt *statement = NULL;
    nuce_status status = NUCE_OK;
    int code;

    if (campaign == NULL)
        return NUCE_OK;
    if (nuce_store_prepare(store, "SELECT 1 FROM campaign WHERE id = ?1", &statement, error) !=
        NUCE_OK)
        return error->status;
    (void)sqlite3_bind_text(statement, 1, campaign, -1, SQLITE_STATIC);
    code = sqlite3_step(statement);
    if (code == SQLITE_DONE)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "--campaign: '%s' is not in %s: see 'nuce show campaigns'",
                                campaign, store->path);
    else if (code != SQLITE_ROW)
        status = nuce_store_fail(store, error);
    (void)sqlite3_finalize(statement);
    return status;
}
