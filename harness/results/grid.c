#include "results/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

nuce_status nuce_grid_init(int columns, const char *const *names, struct nuce_grid *out,
                           struct nuce_error *error)
{
    struct nuce_grid grid = {.columns = columns};

    grid.names = nuce_allocate(columns, sizeof *grid.names, error);
    if (grid.names == NULL)
        return error->status;
    for (int i = 0; i < columns; i++) {
        grid.names[i] = strdup(names[i]);
        if (grid.names[i] == NULL) {
            nuce_grid_fini(&grid);
            return nuce_error_set(error, NUCE_FAILED, "out of memory");
        }
    }
    *out = grid;
    return NUCE_OK;
}

void nuce_grid_fini(struct nuce_grid *grid)
{
    for (int64_t i = 0; i < grid->rows * grid->columns; i++)
        free(grid->cells[i].text);
    for (int i = 0; i < grid->columns && grid->names != NULL; i++)
        free(grid->names[i]);
    free(grid->names);
    free(grid->cells);
    *grid = (struct nuce_grid){0};
}

nuce_status nuce_grid_add_row(struct nuce_grid *grid, struct nuce_cell **row,
                              struct nuce_error *error)
{
    int64_t first = grid->rows * grid->columns;
    void *data = grid->cells;

    if (nuce_grow(&data, &grid->capacity, first + grid->columns, sizeof *grid->cells, error) !=
        NUCE_OK)
        return error->status;
    grid->cells = data;
    for (int i = 0; i < grid->columns; i++)
        grid->cells[first + i] = (struct nuce_cell){.type = NUCE_CELL_NULL};
    grid->rows++;
    *row = grid->cells + first;
    return NUCE_OK;
}

nuce_status nuce_cell_copy(struct nuce_cell *cell, enum nuce_cell_type type, const char *text,
                           struct nuce_error *error)
{
    char *copy = type == NUCE_CELL_NULL ? NULL : strdup(text);

    if (type != NUCE_CELL_NULL && copy == NULL)
        return nuce_error_set(error, NUCE_FAILED, "out of memory");
    free(cell->text);
    *cell = (struct nuce_cell){.type = type, .text = copy};
    return NUCE_OK;
}

static int is_empty(const struct nuce_grid *grid, int column)
{
    for (int64_t row = 0; row < grid->rows; row++) {
        if (nuce_grid_cell(grid, row, column)->type != NUCE_CELL_NULL)
            return 0;
    }
    return 1;
}

/* The cells of an empty column own nothing. */
static void drop_column(struct nuce_grid *grid, int column)
{
    int64_t kept = 0;

    for (int64_t i = 0; i < grid->rows * grid->columns; i++) {
        if (i % grid->columns != column)
            grid->cells[kept++] = grid->cells[i];
    }
    free(grid->names[column]);
    grid->columns--;
    for (int i = column; i < grid->columns; i++)
        grid->names[i] = grid->names[i + 1];
}

void nuce_grid_drop_empty(struct nuce_grid *grid, int first)
{
    for (int i = grid->columns - 1; i >= first; i--) {
        if (is_empty(grid, i))
            drop_column(grid, i);
    }
}

int nuce_grid_column(const struct nuce_grid *grid, const char *name)
{
    for (int i = 0; i < grid->columns; i++) {
        if (strcmp(grid->names[i], name) == 0)
            return i;
    }
    return -1;
}

struct nuce_cell *nuce_grid_cell(const struct nuce_grid *grid, int64_t row, int column)
{
    return &grid->cells[row * grid->columns + column];
}

const char *nuce_grid_text(const struct nuce_grid *grid, int64_t row, const char *name)
{
    int column = nuce_grid_column(grid, name);
    const char *text = column < 0 ? NULL : nuce_grid_cell(grid, row, column)->text;

    return text == NULL ? "" : text;
}

/* The shortest decimal that reads back as value. */
static void format_real(double value, char text[32])
{
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, 32, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}

static nuce_status read_cell(sqlite3_stmt *statement, int column, struct nuce_cell *cell,
                             struct nuce_error *error)
{
    char text[32];

    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
        return NUCE_OK;
    case SQLITE_INTEGER:
        return nuce_cell_copy(cell, NUCE_CELL_INTEGER,
                              (const char *)sqlite3_column_text(statement, column), error);
    case SQLITE_FLOAT:
        if (!isfinite(sqlite3_column_double(statement, column)))
            return NUCE_OK;
        format_real(sqlite3_column_double(statement, column), text);
        return nuce_cell_copy(cell, NUCE_CELL_REAL, text, error);
    default:
        return nuce_cell_copy(cell, NUCE_CELL_TEXT,
                              (const char *)sqlite3_column_text(statement, column), error);
    }
}

static nuce_status init_from(sqlite3_stmt *statement, struct nuce_grid *out,
                             struct nuce_error *error)
{
    int columns = sqlite3_column_count(statement);
    const char **names = nuce_allocate(columns, sizeof *names, error);
    nuce_status status;

    if (names == NULL)
        return error->status;
    for (int i = 0; i < columns; i++)
        names[i] = sqlite3_column_name(statement, i);
    status = nuce_grid_init(columns, names, out, error);
    free(names);
    return status;
}

nuce_status nuce_grid_read_some(struct nuce_store *store, sqlite3_stmt *statement, int64_t most,
                                struct nuce_grid *out, int *ended, struct nuce_error *error)
{
    struct nuce_grid grid = {0};
    nuce_status status = init_from(statement, &grid, error);
    int code = SQLITE_ROW;

    while (status == NUCE_OK && grid.rows < most &&
           (code = sqlite3_step(statement)) == SQLITE_ROW) {
        struct nuce_cell *row = NULL;

        status = nuce_grid_add_row(&grid, &row, error);
        for (int i = 0; status == NUCE_OK && i < grid.columns; i++)
            status = read_cell(statement, i, &row[i], error);
    }
    if (status == NUCE_OK && code != SQLITE_DONE && code != SQLITE_ROW)
        status = nuce_store_fail(store, error);
    if (status != NUCE_OK) {
        nuce_grid_fini(&grid);
        return status;
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
