/* Grids of cells: rows of texts and numbers, whatever they come from. Values are kept as they are
 * to be printed by programs; what people read is made of them when it is printed
 * (nuce_cell_readable). Cells lie row by row in one array that grows, each with a text of its own.
 * Limits: a table of a screen or a file, not a database: dropping a column moves all cells, and a
 * column is found by name along the heads. */
#include "base/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"

void nuce_grid_init(int columns, const char *const *names, struct nuce_grid *out)
{
    struct nuce_grid grid = {.columns = columns};

    grid.names = nuce_allocate(columns, sizeof *grid.names);
    for (int i = 0; i < columns; i++)
        grid.names[i] = nuce_text_duplicate(names[i]);
    *out = grid;
}

/* Accepts one whose names could not all be made. */
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

void nuce_grid_add_row(struct nuce_grid *grid, struct nuce_cell **row)
{
    int64_t first = grid->rows * grid->columns;
    void *data = grid->cells;

    nuce_allocate_more(&data, &grid->capacity, first + grid->columns, sizeof *grid->cells);
    grid->cells = data;
    for (int i = 0; i < grid->columns; i++)
        grid->cells[first + i] = (struct nuce_cell){.type = NUCE_CELL_NULL};
    grid->rows++;
    *row = grid->cells + first;
}

void nuce_cell_copy(struct nuce_cell *cell, enum nuce_cell_type type, const char *text)
{
    char *copy = type == NUCE_CELL_NULL ? NULL : nuce_text_duplicate(text);

    free(cell->text);
    *cell = (struct nuce_cell){.type = type, .text = copy};
}

/* Of no rows, yes. */
static int is_empty(const struct nuce_grid *grid, int column)
{
    for (int64_t row = 0; row < grid->rows; row++) {
        if (nuce_grid_cell(grid, row, column)->type != NUCE_CELL_NULL)
            return 0;
    }
    return 1;
}

/* Takes the column, which is empty, out of all rows. Its cells own nothing. */
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

/* From the last one on, so that the indices of those that are still to be looked at stay. */
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

/* 15 digits are enough for most doubles, 17 for all of them. */
void nuce_cell_set_real(struct nuce_cell *cell, double value)
{
    char text[32];

    if (!isfinite(value)) {
        nuce_cell_copy(cell, NUCE_CELL_NULL, NULL);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    nuce_cell_copy(cell, NUCE_CELL_REAL, text);
}

void nuce_cell_set_integer(struct nuce_cell *cell, int64_t value)
{
    char text[32];

    snprintf(text, sizeof text, "%lld", (long long)value);
    nuce_cell_copy(cell, NUCE_CELL_INTEGER, text);
}

int nuce_grid_is_same(const struct nuce_grid *grid, int column, int64_t row, int64_t other)
{
    const char *a = nuce_grid_cell(grid, row, column)->text;
    const char *b = nuce_grid_cell(grid, other, column)->text;

    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}
