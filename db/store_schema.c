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

/* The text of a file that nuce ships; freed by the caller. NULL: *error stands. */
static char *schema_shipped(const char *name, struct nuce_error *error)
{
    char *path = nuce_data_path(name, error);
    char *text = NULL;

    if (path != NULL && nuce_text_read(path, &text, NULL, error) != NUCE_OK)
        text = NULL;
    free(path);
    return text;
}

/* The files at first and behind it, NULL-ended, as one script; freed by the caller. NULL: *error
 * stands. One script and not one call a file, as the version is the hash of the same text. */
static char *script_of(const char *const *names, struct nuce_error *error)
{
    char *all = schema_shipped(*names, error);

    while (all != NULL && *++names != NULL) {
        char *next = schema_shipped(*names, error);
        char *longer = next == NULL ? NULL : nuce_text_format("%s\n%s", all, next);

        free(next);
        free(all);
        all = longer;
    }
    return all;
}

/* What a new database is made of, what is made when it has been filled (an index that is kept up to
 * date row by row costs more than one made at the end), and both, whose hash is the version. The
 * order is that of running them: views read tables. */
static const char *const schema_files[] = {"db/schema.sql", "db/views.sql", NULL};
static const char *const index_files[] = {"db/indexes.sql", NULL};
static const char *const all_files[] = {"db/schema.sql", "db/views.sql", "db/indexes.sql", NULL};

/* The first 31 bits of the files' hash, as a user_version has 32 and a sign: nobody has to remember
 * to count up, and two branches that change the schema never mean two things by one number. */
static nuce_status version_of(const char *text, int64_t *out, struct nuce_error *error)
{
    char hash[NUCE_HASH_BYTES];

    if (nuce_hash(text, strlen(text), hash, error) != NUCE_OK)
        return error->status;
    /* 8 hexadecimal digits are 32 bits; the shift drops one, for the sign. */
    hash[8] = '\0';
    *out = (int64_t)(strtoul(hash, NULL, 16) >> 1);
    return NUCE_OK;
}

nuce_status nuce_store_schema_version(int64_t *out, struct nuce_error *error)
{
    char *text = script_of(all_files, error);
    nuce_status status = text == NULL ? error->status : version_of(text, out, error);

    free(text);
    return status;
}

/* Runs the files' statements. An error is prefixed with the first file's name; SQLite's own message
 * names the table or view that it stumbled over. */
static nuce_status run_files(struct nuce_store *store, const char *const *files,
                             struct nuce_error *error)
{
    char *text = script_of(files, error);
    nuce_status status = text == NULL ? error->status : nuce_store_execute(store, text, error);

    if (text != NULL && status != NUCE_OK)
        status = nuce_error_prefix(error, "%s", *files);
    free(text);
    return status;
}

nuce_status nuce_store_create_schema(struct nuce_store *store, struct nuce_error *error)
{
    char identity[128];
    int64_t version = 0;

    if (nuce_store_schema_version(&version, error) != NUCE_OK ||
        run_files(store, schema_files, error) != NUCE_OK)
        return error->status;
    snprintf(identity, sizeof identity, "PRAGMA application_id = %d; PRAGMA user_version = %lld",
             NUCE_STORE_APPLICATION_ID, (long long)version);
    return nuce_store_execute(store, identity, error);
}

nuce_status nuce_store_create_indexes(struct nuce_store *store, struct nuce_error *error)
{
    return run_files(store, index_files, error);
}

nuce_status nuce_store_derive_raced(struct nuce_store *store, struct nuce_error *error)
{
    static const char *const files[] = {"db/raced.sql", NULL};

    return run_files(store, files, error);
}

nuce_status nuce_store_derive_outcome(struct nuce_store *store, struct nuce_error *error)
{
    static const char *const files[] = {"db/outcome.sql", NULL};

    return run_files(store, files, error);
}
