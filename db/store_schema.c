/* The schema: its tables and views, from the SQL files shipped with nuce, and the version of
 * those files.
 *
 * There are no migrations before the first release: a database of another version is made again
 * from the records (store.h). So it suffices to recognise an old one, by the hash of the files. */
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/text_file.h"
#include "db/store.h"
#include "schedules/schedule.h"

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

/* Replaces the comment, which stands once in *text, by the words, which are freed. */
static void fill_in(char **text, const char *comment, char *words)
{
    char *at = strstr(*text, comment), *whole;

    NUCE_ASSERT(at != NULL);
    whole = nuce_text_format("%.*s%s%s", (int)(at - *text), *text, words, at + strlen(comment));
    free(*text);
    free(words);
    *text = whole;
}

/* db/schema.sql with the rows of schedules and of their tuning: a new string, or NULL with *error.
 * The columns `contender` and `problem` depend on these rows. An option that the file words itself
 * has its path there, as $."radix". */
static char *schema_text(struct nuce_error *error)
{
    static const char *const tuning[] = {
#define NUCE_TUNING(bit, type, member, value, name, ...) name,
#include "schedules/tuning.inc"
#undef NUCE_TUNING
    };
    char *text = nuce_store_shipped("db/schema.sql", error), *depths, *words, *paths;

    if (text == NULL)
        return NULL;
    depths = nuce_text_duplicate("");
    words = nuce_text_duplicate("");
    paths = nuce_text_duplicate("");
    for (size_t i = 0; nuce_schedules[i] != NULL; i++) {
        const struct nuce_schedule_ops *ops = nuce_schedules[i];

        if (ops->uses & NUCE_USES_IN_FLIGHT && ops->in_flight == 0)
            nuce_text_append(&depths, " WHEN '%s' THEN NULL", ops->name);
        else if (ops->in_flight > 1)
            nuce_text_append(&depths, " WHEN '%s' THEN %d", ops->name, ops->in_flight);
    }
    for (size_t i = 0; i < sizeof tuning / sizeof *tuning; i++) {
        char *path = nuce_text_format("'$.\"%s\"'", tuning[i]);

        nuce_text_append(&paths, ", %s", path);
        if (strstr(text, path) == NULL)
            nuce_text_append(&words, "|| coalesce(' %s ' || json_extract(params, %s), '')",
                             tuning[i], path);
        free(path);
    }
    fill_in(&text, "/* rows: depths */", depths);
    fill_in(&text, "/* rows: words */", words);
    fill_in(&text, "/* rows: paths */", paths);
    return text;
}

/* The first 31 bits of the hash of three kinds of files. The first make a new database. The
 * second make its indexes after filling it, which is cheaper than updating them row by row. The
 * third make the derived tables, whose rows would otherwise stay those of another nuce. A hash
 * needs no manual counting, and two branches that change the schema never share a number. A
 * user_version has 32 bits with a sign. 8 hexadecimal digits are 32 bits; the shift drops one,
 * for the sign. */
nuce_status nuce_store_schema_version(int64_t *out, struct nuce_error *error)
{
    static const char *const files[] = {"db/schema.sql", "db/views.sql", "db/indexes.sql",
                                        "db/raced.sql", "db/outcome.sql"};
    char *all = nuce_text_duplicate(""), hash[NUCE_HASH_BYTES];

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *next = i == 0 ? schema_text(error) : nuce_store_shipped(files[i], error);
        char *longer = next == NULL ? NULL : nuce_text_format("%s%s", all, next);

        free(next);
        free(all);
        all = longer;
        if (all == NULL)
            return error->status;
    }
    nuce_hash(all, strlen(all), hash);
    hash[8] = '\0';
    *out = (int64_t)(strtoul(hash, NULL, 16) >> 1);
    free(all);
    return NUCE_OK;
}

nuce_status nuce_store_create_schema(struct nuce_store *store, struct nuce_error *error)
{
    int64_t version = 0;
    char *schema = schema_text(error);

    if (schema == NULL)
        return error->status;
    error->status = nuce_store_execute(store, schema, error);
    free(schema);
    if (error->status != NUCE_OK)
        return nuce_error_prefix(error, "db/schema.sql");
    if (nuce_store_schema_version(&version, error) != NUCE_OK ||
        nuce_store_run_shipped(store, "db/views.sql", error) != NUCE_OK)
        return error->status;
    return nuce_store_run(store, error, "PRAGMA application_id = %d; PRAGMA user_version = %lld",
                          NUCE_STORE_APPLICATION_ID, (long long)version);
}
