/* Shows a database as if it held one campaign, or a few. SQLite looks up a name among the temporary
 * tables and views first ("CREATE TABLE", section on database names), so a query of `run` or
 * `outcome` gets these without change. Views of the database itself still read its own tables, so
 * they are made once more, as temporary ones. All of this goes with the connection, and the file is
 * not touched.
 *
 * The alternative, a WHERE in each query of plots/ and of the commands, could be forgotten in
 * every new one. */
#include "db/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* A campaign by its name, NAME.K, or the newest of a sweep's by NAME: an exact name wins, then the
 * time of creation; where that is unknown (records without campaign.json) the greater number, which
 * is the longer name or, of two that are as long, the later one. */
char *nuce_store_campaign(struct nuce_store *store, const char *name, struct nuce_error *error)
{
    char *id = nuce_store_text(
        store, error,
        "SELECT coalesce((SELECT id FROM campaign WHERE id = %Q"
        " OR (id GLOB '*.[0-9]*' AND rtrim(id, '0123456789') = %Q || '.')"
        " ORDER BY id = %Q DESC, created DESC, length(id) DESC, id DESC LIMIT 1), '')",
        name, name, name);

    if (id == NULL || *id != '\0')
        return id;
    free(id);
    nuce_error_set(error, NUCE_BAD_INPUT, "campaign '%s' is not in %s: see 'nuce show campaigns'",
                   name, store->path);
    return NULL;
}

nuce_status nuce_store_check_campaign(struct nuce_store *store, const char *id, const char *created,
                                      struct nuce_error *error)
{
    char *other =
        nuce_store_text(store, error,
                        "SELECT created FROM campaign WHERE id = %Q AND created IS NOT NULL"
                        " AND created IS NOT %Q",
                        id, created);

    if (other != NULL && *other != '\0')
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "%s, made %s, is not the %s in %s, made %s: expected another database "
                       "(--database FILE)",
                       id, created != NULL ? created : "at an unknown time", id, store->path,
                       other);
    free(other);
    return error->status;
}

int64_t nuce_store_last_number(const char *path, const char *name)
{
    struct nuce_store store = {.lock = -1};
    struct nuce_error ignored;
    int64_t last = 0;

    if (nuce_store_open_reading(path, &store, &ignored) == NUCE_OK)
        nuce_store_count(&store, &last, &ignored,
                         "SELECT max(CAST(substr(id, length(%Q) + 2) AS INTEGER)) FROM campaign"
                         " WHERE id GLOB '*.[0-9]*' AND rtrim(id, '0123456789') = %Q || '.'"
                         " AND length(id) <= length(%Q) + 7",
                         name, name, name);
    nuce_store_close(&store);
    return last;
}

/* Makes the database's views once more, as temporary ones: those read temporary tables. Uses the
 * text that the database keeps of each, which begins with CREATE VIEW as nuce wrote it. */
static const char views_sql[] =
    "SELECT group_concat(replace(sql, 'CREATE VIEW ', 'CREATE TEMP VIEW '), ';')"
    " FROM main.sqlite_schema WHERE type = 'view'";

nuce_status nuce_store_narrow(struct nuce_store *store, const char *campaigns,
                              struct nuce_error *error)
{
    char *views, *list, *rest, *name;
    nuce_status status;

    if (campaigns == NULL)
        return NUCE_OK;
    status = nuce_store_execute(store, "CREATE TEMP TABLE narrowed (id TEXT PRIMARY KEY)", error);
    list = rest = nuce_text_duplicate(campaigns);
    while (status == NUCE_OK && (name = strsep(&rest, ",")) != NULL) {
        char *id = nuce_store_campaign(store, name, error);

        status = id == NULL ? error->status
                            : nuce_store_run(store, error,
                                             "INSERT OR IGNORE INTO narrowed VALUES (%Q)", id);
        free(id);
    }
    free(list);
    if (status != NUCE_OK || nuce_store_run_shipped(store, "db/narrow.sql", error) != NUCE_OK ||
        nuce_store_run_shipped(store, "db/outcome.sql", error) != NUCE_OK)
        return error->status;
    views = nuce_store_text(store, error, views_sql);
    if (views != NULL)
        nuce_store_execute(store, views, error);
    free(views);
    return error->status;
}

/* The id is compared by its beginning, as typed: none of its characters is a pattern. */
nuce_status nuce_store_check_environment(struct nuce_store *store, const char *environment,
                                         struct nuce_error *error)
{
    int64_t count = 1;

    if (environment != NULL &&
        nuce_store_count(store, &count, error,
                         "SELECT count(*) FROM environment WHERE substr(id, 1, length(%Q)) = %Q",
                         environment, environment) != NUCE_OK)
        return error->status;
    if (count == 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--environment: '%s': expected the beginning of the id of one in "
                              "%s: see 'nuce show environments'",
                              environment, store->path);
    return NUCE_OK;
}
