/* Fits a grid to the width of a terminal and reports all that it leaves out of the columns.
 *
 * Steps: a grid that fits is printed unchanged. Otherwise columns with one value in all rows move
 * to a sentence below the table, and long texts are broken between words. Columns that still do not
 * fit are printed in blocks, one below the other. Each block repeats the first columns, which
 * identify the rows.
 *
 * Cost: O(cells) to measure; quadratic in rows to find the columns that identify them. This is for
 * tables of one screen or a few. */
#include "base/grid_fit.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/printable.h"

/* Least width of a broken text, in characters: a column of single words cannot be read. */
#define LEAST_TEXT 24

/* The repeated columns of a block take at most this part of the width. */
#define MOST_REPEATED(columns) ((columns) / 2)

/* One table during its layout. */
struct fitting {
    const struct nuce_grid *grid;
    int columns; /* width of the terminal, in characters */
    int *widths; /* of each column of the unbroken grid, in characters */
};

/* The largest width of the column's name and cells, in characters. */
static int fit_column_width(const struct nuce_grid *grid, int column)
{
    int width = nuce_printable_width(grid->names[column]);
    char buffer[32];

    for (int64_t row = 0; row < grid->rows; row++) {
        int cell =
            nuce_printable_width(nuce_cell_readable(nuce_grid_cell(grid, row, column), buffer));

        width = cell > width ? cell : width;
    }
    return width;
}

/* Copies the chosen columns, in that order, into a new grid. */
static void pick_columns(const struct nuce_grid *grid, const int *chosen, int count,
                         struct nuce_grid *out)
{
    const char **names = nuce_allocate(count, sizeof *names);
    struct nuce_cell *cells;

    for (int i = 0; i < count; i++)
        names[i] = grid->names[chosen[i]];
    nuce_grid_init(count, names, out);
    free(names);
    for (int64_t row = 0; row < grid->rows; row++) {
        nuce_grid_add_row(out, &cells);
        for (int i = 0; i < count; i++) {
            const struct nuce_cell *cell = nuce_grid_cell(grid, row, chosen[i]);

            nuce_cell_copy(&cells[i], cell->type, cell->text);
        }
    }
}

/* True if all rows have the same value in the column. False for a single row, which has nothing to
 * be compared with. */
static int is_constant(const struct nuce_grid *grid, int column)
{
    for (int64_t row = 1; row < grid->rows; row++) {
        if (!nuce_grid_is_same(grid, column, row, 0))
            return 0;
    }
    return grid->rows > 1;
}

/* Copies the grid without its constant columns, and puts their values into *same: "kind measured,
 * launches 5", freed by the caller. The first column stays, because rows need one. */
static void take_constants(const struct nuce_grid *grid, struct nuce_grid *out, char **same)
{
    int *kept = nuce_allocate(grid->columns, sizeof *kept), count = 0;
    size_t size = 0;
    FILE *stream = open_memstream(same, &size);
    const char *separator = "";
    char buffer[32];

    for (int i = 0; i < grid->columns; i++) {
        if (i == 0 || !is_constant(grid, i)) {
            kept[count++] = i;
            continue;
        }
        if (nuce_grid_cell(grid, 0, i)->type == NUCE_CELL_NULL)
            continue;
        fprintf(stream, "%s%s %s", separator, grid->names[i],
                nuce_cell_readable(nuce_grid_cell(grid, 0, i), buffer));
        separator = ", ";
    }
    fclose(stream);
    pick_columns(grid, kept, count, out);
    free(kept);
}

/* Sets the width of each column so that all fit. The widest text gives up one character at a time,
 * down to LEAST_TEXT or its name. Returns true if they fit; if not, caps are the least widths. */
static int set_caps(const struct nuce_grid *grid, int columns, int *caps)
{
    int width = grid->columns - 1;

    for (int i = 0; i < grid->columns; i++) {
        caps[i] = fit_column_width(grid, i);
        width += caps[i];
    }
    while (width > columns) {
        int widest = -1;

        for (int i = 0; i < grid->columns; i++) {
            if (!nuce_grid_is_right(grid, i) && caps[i] > LEAST_TEXT &&
                caps[i] > nuce_printable_width(grid->names[i]) &&
                (widest < 0 || caps[i] > caps[widest]))
                widest = i;
        }
        if (widest < 0)
            return 0;
        caps[widest]--;
        width--;
    }
    return 1;
}

/* The number of bytes of text that fit into cap characters. The piece ends at a blank or after a
 * punctuation mark, if there is one in its second half. *blanks is the number of blanks dropped
 * after it. */
static size_t take_piece(const char *text, int cap, size_t *blanks)
{
    size_t length = nuce_printable_bytes(text, cap), at = length;

    *blanks = 0;
    if (text[length] == '\0')
        return length;
    while (at > length / 2 && text[at] != ' ' && strchr("/,;=", text[at - 1]) == NULL)
        at--;
    length = at > length / 2 ? at : length;
    *blanks = strspn(text + length, " ");
    return length;
}

/* Prints a grid that fits once its texts are broken: each row as several lines, as many as its
 * longest cell needs. */
static nuce_status print_wrapped(const struct nuce_grid *grid, const int *caps, FILE *file,
                                 struct nuce_error *error)
{
    struct nuce_grid lines = {0};
    size_t *taken = nuce_allocate(grid->columns, sizeof *taken);
    nuce_status status;

    nuce_grid_init(grid->columns, (const char *const *)grid->names, &lines);
    for (int64_t row = 0; row < grid->rows; row++) {
        int more = 1;

        memset(taken, 0, (size_t)grid->columns * sizeof *taken);
        for (int line = 0; more; line++) {
            struct nuce_cell *cells;

            more = 0;
            nuce_grid_add_row(&lines, &cells);
            for (int i = 0; i < grid->columns; i++) {
                const struct nuce_cell *cell = nuce_grid_cell(grid, row, i);
                const char *rest = cell->text == NULL ? "" : cell->text + taken[i];
                size_t blanks, length;

                if (cell->type != NUCE_CELL_TEXT) {
                    if (line == 0)
                        nuce_cell_copy(&cells[i], cell->type, cell->text);
                    continue;
                }
                if (*rest == '\0')
                    continue;
                length = take_piece(rest, caps[i], &blanks);
                nuce_cell_copy(&cells[i], NUCE_CELL_TEXT, rest);
                cells[i].text[length] = '\0';
                taken[i] += length + blanks;
                more |= rest[length + blanks] != '\0';
            }
        }
    }
    status = nuce_grid_print(&lines, NUCE_GRID_TEXT, file, error);
    nuce_grid_fini(&lines);
    free(taken);
    return status;
}

/* True if an earlier row has the same values in the first columns. */
static int is_row_repeated(const struct nuce_grid *grid, int columns, int64_t row)
{
    for (int64_t other = 0; other < row; other++) {
        int same = 1;

        for (int i = 0; same && i < columns; i++)
            same = nuce_grid_is_same(grid, i, row, other);
        if (same)
            return 1;
    }
    return 0;
}

/* Least width of a column: with its texts broken as much as possible. Numbers are not broken. */
static int least_width(const struct fitting *fitting, int column)
{
    int width = fitting->widths[column];

    return !nuce_grid_is_right(fitting->grid, column) && width > LEAST_TEXT ? LEAST_TEXT : width;
}

/* The number of first columns that identify each row. It is smaller, or 0, if they would take too
 * much of the width. */
static int count_repeated(const struct fitting *fitting)
{
    const struct nuce_grid *grid = fitting->grid;
    int width = 0, count = 0;

    for (int tells = 0; !tells && count < grid->columns; count++) {
        width += least_width(fitting, count) + 1;
        if (width > MOST_REPEATED(fitting->columns))
            return count;
        tells = 1;
        for (int64_t row = 1; tells && row < grid->rows; row++)
            tells = !is_row_repeated(grid, count + 1, row);
    }
    return count;
}

/* Each block has the repeated columns, then as many others as fit, at least one. If not even the
 * least widths fit, the block is wider than the terminal, which is better than nothing. */
static nuce_status print_blocks(const struct nuce_grid *grid, int columns, FILE *file,
                                struct nuce_error *error)
{
    int *chosen = nuce_allocate(grid->columns, sizeof *chosen);
    int *caps = nuce_allocate(grid->columns, sizeof *caps);
    struct fitting fitting = {grid, columns, NULL};
    int repeated, next, repeated_width = 0;
    nuce_status status = NUCE_OK;

    fitting.widths = nuce_allocate(grid->columns, sizeof *fitting.widths);
    for (int i = 0; i < grid->columns; i++)
        fitting.widths[i] = fit_column_width(grid, i);
    repeated = count_repeated(&fitting);
    for (int i = 0; i < repeated; i++) {
        chosen[i] = i;
        repeated_width += least_width(&fitting, i) + 1;
    }
    for (int first = repeated; status == NUCE_OK && first < grid->columns; first = next) {
        struct nuce_grid block = {0};
        int width = repeated_width, count = repeated;

        for (next = first; next < grid->columns; next++) {
            int least = least_width(&fitting, next);

            if (next > first && width + least > columns)
                break;
            chosen[count++] = next;
            width += least + 1;
        }
        if (first > repeated)
            fputc('\n', file);
        pick_columns(grid, chosen, count, &block);
        set_caps(&block, columns, caps);
        status = print_wrapped(&block, caps, file, error);
        nuce_grid_fini(&block);
    }
    free(chosen);
    free(caps);
    free(fitting.widths);
    return status;
}

nuce_status nuce_grid_print_within(const struct nuce_grid *grid, int columns, FILE *file,
                                   struct nuce_error *error)
{
    struct nuce_grid rest = {0};
    char *same = NULL;
    int *caps, width = grid->columns - 1;
    nuce_status status;

    for (int i = 0; columns > 0 && i < grid->columns; i++)
        width += fit_column_width(grid, i);
    if (columns == 0 || grid->columns == 0 || width <= columns)
        return nuce_grid_print(grid, NUCE_GRID_TEXT, file, error);
    take_constants(grid, &rest, &same);
    caps = nuce_allocate(rest.columns, sizeof *caps);
    status = set_caps(&rest, columns, caps) ? print_wrapped(&rest, caps, file, error)
                                            : print_blocks(&rest, columns, file, error);
    free(caps);
    if (status == NUCE_OK && *same != '\0') {
        int at = fprintf(file, "\nIn all rows: ");

        nuce_printable_make(same);
        nuce_printable_fold(same, columns, at, 2, file);
        fputc('\n', file);
    }
    nuce_grid_fini(&rest);
    free(same);
    return status;
}

nuce_status nuce_grid_print_fitted(const struct nuce_grid *grid, enum nuce_grid_format format,
                                   int is_wide, FILE *file, struct nuce_error *error)
{
    if (format != NUCE_GRID_TEXT || is_wide)
        return nuce_grid_print(grid, format, file, error);
    return nuce_grid_print_within(grid, nuce_printable_columns(file), file, error);
}
