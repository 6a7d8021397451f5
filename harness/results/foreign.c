/* Files of other benchmarks become two sides of a comparison: their rows go into a database in
 * memory, as runs of campaigns. So `nuce compare` has one way to choose, to compare and to print,
 * and plots/compare/0-files.sql is the only place that knows what a launch of a file is. */
#include "results/foreign.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/printable.h"
#include "base/text.h"

static const char prefix[] = "file:";

int nuce_foreign_is_side(const char *text)
{
    char *first = nuce_text_format("%.*s", (int)strcspn(text, ","), text);
    struct stat file;
    int is_file = stat(first, &file) == 0 && S_ISREG(file.st_mode);

    free(first);
    return is_file || strncmp(text, prefix, sizeof prefix - 1) == 0;
}

/* Reads one file of a side. Its name, fit for JSON and a terminal, becomes the id of a campaign. A
 * file that is given twice would count twice, or be compared with itself. */
static nuce_status read_file(const char *path, int side, json_t *rows, json_t *files,
                             struct nuce_side *out, struct nuce_error *error)
{
    char *name = nuce_text_duplicate(path);
    size_t first = json_array_size(rows);

    error->status = NUCE_OK;
    nuce_printable_make_line(name);
    if (json_object_get(files, name) != NULL)
        nuce_error_set(error, NUCE_BAD_INPUT, "file %s is given twice", name);
    else if (nuce_foreign_read(path, rows, &out->again, error) == NUCE_OK) {
        for (size_t i = first; i < json_array_size(rows); i++)
            json_object_update_new(json_array_get(rows, i),
                                   json_pack("{s:i, s:s}", "side", side, "file", name));
        json_object_set_new(files, name, json_integer(side));
        nuce_text_append(&out->name, "%s%s", out->count++ > 0 ? ", " : "", name);
    }
    free(name);
    return error->status;
}

/* Reads all files of a side. Without its folder a name may be short enough for a column. */
static nuce_status read_side(const char *text, int side, json_t *rows, json_t *files,
                             struct nuce_side *out, struct nuce_error *error)
{
    json_t *ids = json_array();
    const char *slash, *name;
    json_t *value;

    out->class = NUCE_SIDE_FILE;
    if (strncmp(text, prefix, sizeof prefix - 1) == 0)
        text += sizeof prefix - 1;
    error->status = NUCE_OK;
    for (const char *at = text; error->status == NUCE_OK && at != NULL;) {
        size_t length = strcspn(at, ",");
        char *path = nuce_text_format("%.*s", (int)length, at);

        free(out->again);
        out->again = NULL;
        read_file(path, side, rows, files, out, error);
        free(path);
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    json_object_foreach(files, name, value)
    {
        if (json_integer_value(value) == side)
            json_array_append_new(ids, json_string(name));
    }
    out->ids = json_dumps(ids, JSON_COMPACT);
    json_decref(ids);
    if (error->status != NUCE_OK)
        return error->status;
    slash = strrchr(out->name, '/');
    if (out->count > 1 ||
        !nuce_text_copy(out->label, sizeof out->label, slash != NULL ? slash + 1 : out->name))
        nuce_text_copy(out->label, sizeof out->label, side == 0 ? "A" : "B");
    return NUCE_OK;
}

/* Makes runs of the rows, a JSON array. It is bound, because SQLite limits the length of SQL. */
static nuce_status fill_store(struct nuce_store *store, const char *rows, struct nuce_error *error)
{
    sqlite3_stmt *statement = NULL;

    if (nuce_store_execute(store, "CREATE TEMP TABLE given (rows TEXT)", error) != NUCE_OK ||
        nuce_store_prepare(store, "INSERT INTO given VALUES (?1)", &statement, error) != NUCE_OK)
        return error->status;
    sqlite3_bind_text(statement, 1, rows, -1, SQLITE_STATIC);
    error->status =
        sqlite3_step(statement) == SQLITE_DONE ? NUCE_OK : nuce_store_fail(store, error);
    sqlite3_finalize(statement);
    return error->status != NUCE_OK
               ? error->status
               : nuce_store_run_shipped(store, "plots/compare/0-files.sql", error);
}

nuce_status nuce_foreign_open(const char *const texts[2], struct nuce_store *store,
                              struct nuce_side *a, struct nuce_side *b, struct nuce_error *error)
{
    struct nuce_side sides[2] = {{0}, {0}};
    struct nuce_store opened = {.lock = -1};
    json_t *rows = json_array(), *files = json_object();
    char *text;

    if (read_side(texts[0], 0, rows, files, &sides[0], error) == NUCE_OK &&
        read_side(texts[1], 1, rows, files, &sides[1], error) == NUCE_OK &&
        nuce_store_open_memory(&opened, error) == NUCE_OK) {
        text = json_dumps(rows, JSON_COMPACT | JSON_SORT_KEYS);
        fill_store(&opened, text, error);
        free(text);
    }
    json_decref(rows);
    json_decref(files);
    if (error->status != NUCE_OK) {
        nuce_side_fini(&sides[0]);
        nuce_side_fini(&sides[1]);
        nuce_store_close(&opened);
        return error->status;
    }
    if (strcmp(sides[0].label, sides[1].label) == 0) {
        nuce_text_copy(sides[0].label, sizeof sides[0].label, "A");
        nuce_text_copy(sides[1].label, sizeof sides[1].label, "B");
    }
    *store = opened;
    *a = sides[0];
    *b = sides[1];
    return NUCE_OK;
}
