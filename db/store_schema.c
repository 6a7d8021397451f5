/* The schema: its tables and views, from the SQL files that nuce ships, and the version that those
 * files are.
 *
 * There are no migrations before the first release: a database of another version is made anew from
 * the records (store.h). So all that is needed of an old one is to see that it is another, which
 * the hash of the files tells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/text_file.h"
#include "db/store.h"

char *nuce_store_shipped(const char *name, struct nuce_error *error)
{
    char *path = nuce_data_path(name, error), *text = NULL;

    if (path != NULL && nuce_text_read(path, &text, NULL, error) != NUCE_OK)
        text = NULL;
    free(path);
    return text;
}

nuce_status nuce_store_run_shipped(struct nuce_store *store, const char *name,
                                   struct nuce_error *error)
{
    char *sql = nuce_store_shipped(name, error);

    if (sql == NULL)
        return error->status;
    error->status = nuce_store_execute(store, sql, error);
    free(sql);
    return error->status == NUCE_OK ? NUCE_OK : nuce_error_prefix(error, "%s", name);
}

/* The first 31 bits of the hash of the files that a new database is made of, of what is made when
 * it has been filled (an index that is kept up to date row by row costs more than one made at the
 * end), and of the derived tables, whose rows would else stay those of another nuce. A user_version
 * has 32 and a sign: nobody has to remember to count up, and two branches that change the schema
 * never mean two things by one number. 8 hexadecimal digits are 32 bits; the shift drops one, for
 * the sign. */
nuce_status nuce_store_schema_version(int64_t *out, struct nuce_error *error)
{
    static const char *const files[] = {"db/schema.sql", "db/views.sql", "db/indexes.sql",
                                        "db/raced.sql", "db/outcome.sql"};
    char *all = nuce_text_duplicate(""), hash[NUCE_HASH_BYTES];

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *next = nuce_store_shipped(files[i], error);
        char *longer = next == NULL ? NULL : nuce_text_format("%s%s", all, next);

        free(next);
        free(all);
        all = longer;
        if (all == NULL)
            return error->status;
    }
    error->status = nuce_hash(all, strlen(all), hash, error);
    hash[8] = '\0';
    if (error->status == NUCE_OK)
        *out = (int64_t)(strtoul(hash, NULL, 16) >> 1);
    free(all);
    return error->status;
}

nuce_status nuce_store_create_schema(struct nuce_store *store, struct nuce_error *error)
{
    int64_t version = 0;

    if (nuce_store_schema_version(&version, error) != NUCE_OK ||
        nuce_store_run_shipped(store, "db/schema.sql", error) != NUCE_OK ||
        nuce_store_run_shipped(store, "db/views.sql", error) != NUCE_OK)
        return error->status;
    return nuce_store_run(store, error, "PRAGMA application_id = %d; PRAGMA user_version = %lld",
                          NUCE_STORE_APPLICATION_ID, (long long)version);
}
