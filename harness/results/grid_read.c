/* Grids of the database's answers.
 *
 * All rows are in memory; nuce_grid_read_some reads tables of any size in blocks. An integer is
 * copied as text, and a real is printed in full, so both are read back as the same number. */
#include "results/grid_read.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/allocate.h"

/* A full block does not show whether more rows follow: *ended is 0 then, and the next block may be
 * empty. */
nuce_status nuce_grid_read_some(struct nuce_store *store, sqlite3_stmt *statement, int64_t most,
                                struct nuce_grid *out, int *ended, struct nuce_error *error)
{
    int columns = sqlite3_column_count(statement), code = SQLITE_ROW;
    const char **names = nuce_allocate(columns, sizeof *names);
    struct nuce_grid grid = {0};

    for (int i = 0; i < columns; i++)
        names[i] = sqlite3_column_name(statement, i);
    nuce_grid_init(columns, names, &grid);
    free(names);
    while (grid.rows < most && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        struct nuce_cell *row = NULL;

        nuce_grid_add_row(&grid, &row);
        /* A NULL leaves the cell empty, as in a new row. A blob is read as text. */
        for (int i = 0; i < columns; i++) {
            int type = sqlite3_column_type(statement, i);

            if (type == SQLITE_FLOAT)
                nuce_cell_set_real(&row[i], sqlite3_column_double(statement, i));
            else if (type != SQLITE_NULL)
                nuce_cell_copy(&row[i], type == SQLITE_INTEGER ? NUCE_CELL_INTEGER : NUCE_CELL_TEXT,
                               (const char *)sqlite3_column_text(statement, i));
        }
    }
    if (code != SQLITE_DONE && code != SQLITE_ROW) {
        nuce_grid_fini(&grid);
        return nuce_store_fail(store, error);
    }
    *ended = code == SQLITE_DONE;
    *out = grid;
    return NUCE_OK;
}

nuce_status nuce_grid_read(struct nuce_store *store, sqlite3_stmt *statement, struct nuce_grid *out,
                           struct nuce_error *error)
{
    int ended;

    return nuce_grid_read_some(store, statement, INT64_MAX, out, &ended, error);
}

nuce_status nuce_grid_query(struct nuce_store *store, struct nuce_grid *out,
                            struct nuce_error *error, const char *format, ...)
{
    sqlite3_stmt *statement = NULL;
    va_list arguments;
    char *sql;

    va_start(arguments, format);
    sql = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    NUCE_ASSERT(sql != NULL);
    error->status = nuce_store_prepare(store, sql, &statement, error);
    if (error->status == NUCE_OK)
        error->status = nuce_grid_read(store, statement, out, error);
    sqlite3_finalize(statement);
    sqlite3_free(sql);
    return error->status;
}
