/* Grids of cells: rows of texts and numbers from any source. A cell keeps its value as programs
 * print it; the form for people is made when it is printed (nuce_cell_readable). Cells lie row by
 * row in one array that grows, each with a text of its own. Limits: made for the table of a screen
 * or a file, not for a database. Dropping a column moves all cells, and finding a column by name is
 * a linear search. */
#include "base/grid.h"

#include <errno.h>
#include <jansson.h>
#include <libsmartcols.h>
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

/* Accepts a grid with some names missing. */
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

/* Goes from the last column to the first, so that the indices of the remaining columns stay. */
void nuce_grid_drop_empty(struct nuce_grid *grid, int first)
{
    for (int column = grid->columns - 1; column >= first; column--) {
        int is_empty = 1; /* true without rows: their cells own nothing */
        int64_t kept = 0;

        for (int64_t row = 0; row < grid->rows && is_empty; row++)
            is_empty = nuce_grid_cell(grid, row, column)->type == NUCE_CELL_NULL;
        if (!is_empty)
            continue;
        for (int64_t i = 0; i < grid->rows * grid->columns; i++) {
            if (i % grid->columns != column)
                grid->cells[kept++] = grid->cells[i];
        }
        free(grid->names[column]);
        grid->columns--;
        for (int i = column; i < grid->columns; i++)
            grid->names[i] = grid->names[i + 1];
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

/* A grid as text, JSON, CSV, Markdown or LaTeX. libsmartcols lays out text, as it knows the width
 * of characters; the rest is written here. No content of a cell can break the format: control
 * characters, quotes and markup are escaped as each format requires. Numbers have all digits in
 * JSON and CSV, which programs read, and six digits elsewhere. Cost: O(cells), and one more pass
 * over a column to see if it holds numbers. A write error shows at the end, as the stream's
 * error. */

/* In the order of enum nuce_grid_format. */
static const char *const formats[] = {"text", "json", "csv", "markdown", "latex", NULL};

const char *nuce_grid_format_name(size_t index)
{
    return index <= NUCE_GRID_CSV ? formats[index] : NULL;
}

const char *nuce_grid_format_any(size_t index)
{
    return formats[index];
}

/* Six digits of a real number. Programs get all digits from CSV and JSON. */
const char *nuce_cell_readable(const struct nuce_cell *cell, char buffer[32])
{
    if (cell->type == NUCE_CELL_NULL)
        return "";
    if (cell->type != NUCE_CELL_REAL)
        return cell->text;
    snprintf(buffer, 32, "%.6g", strtod(cell->text, NULL));
    return buffer;
}

/* Columns of numbers are right-aligned, so that their sizes can be compared. A text that begins
 * like a number, such as "1.2 ms", counts as one. */
int nuce_grid_is_right(const struct nuce_grid *grid, int column)
{
    int seen = 0;

    for (int64_t row = 0; row < grid->rows; row++) {
        const struct nuce_cell *cell = nuce_grid_cell(grid, row, column);

        if (cell->type == NUCE_CELL_TEXT &&
            (cell->text[0] == '\0' || strchr("+-.0123456789", cell->text[0]) == NULL))
            return 0;
        seen |= cell->type != NUCE_CELL_NULL;
    }
    return seen;
}

/* libsmartcols copies the texts, and writes control characters of them as \x1b and the like. A grid
 * without rows prints nothing, not even the names. */
static nuce_status grid_print_text(const struct nuce_grid *grid, FILE *file,
                                   struct nuce_error *error)
{
    struct libscols_table *table = scols_new_table();
    char buffer[32];
    int failed = 0;

    if (table == NULL)
        nuce_allocate_failed(1, 1);
    scols_table_set_stream(table, file);
    scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER);
    scols_table_enable_nowrap(table, 1);
    for (int i = 0; i < grid->columns; i++)
        failed |= scols_table_new_column(table, grid->names[i], 0,
                                         nuce_grid_is_right(grid, i) ? SCOLS_FL_RIGHT : 0) == NULL;
    for (int64_t row = 0; row < grid->rows; row++) {
        struct libscols_line *line = scols_table_new_line(table, NULL);

        for (int i = 0; i < grid->columns; i++)
            failed |=
                scols_line_set_data(line, (size_t)i,
                                    nuce_cell_readable(nuce_grid_cell(grid, row, i), buffer)) != 0;
    }
    failed = failed || (grid->rows > 0 && scols_print_table(table) != 0);
    scols_unref_table(table);
    return failed ? nuce_error_set(error, NUCE_FAILED, "cannot lay out the table") : NUCE_OK;
}

/* A JSON string; bytes that are not UTF-8 become '?'. */
static void print_json_text(const char *text, FILE *file)
{
    json_t *value = json_string(text);

    if (value == NULL) {
        char *copy = nuce_text_duplicate(text);

        for (char *at = copy; *at != '\0'; at++) {
            if ((unsigned char)*at >= 128)
                *at = '?';
        }
        value = json_string(copy);
        free(copy);
    }
    json_dumpf(value, file, JSON_ENCODE_ANY);
    json_decref(value);
}

static void grid_print_json(const struct nuce_grid *grid, FILE *file)
{
    for (int64_t row = 0; row < grid->rows; row++) {
        for (int i = 0; i < grid->columns; i++) {
            const struct nuce_cell *cell = nuce_grid_cell(grid, row, i);

            fputs(i == 0 ? "{" : ",", file);
            print_json_text(grid->names[i], file);
            fputc(':', file);
            if (cell->type == NUCE_CELL_TEXT)
                print_json_text(cell->text, file);
            else
                fputs(cell->type == NUCE_CELL_NULL ? "null" : cell->text, file);
        }
        fputs("}\n", file);
    }
}

/* Quoted where necessary, quotes doubled (RFC 4180). */
static void print_csv_text(const char *text, FILE *file)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

/* Row -1 is the row of names. */
static void grid_print_csv(const struct nuce_grid *grid, int64_t first, FILE *file)
{
    for (int64_t row = first; row < grid->rows; row++) {
        for (int i = 0; i < grid->columns; i++) {
            const char *text = row < 0 ? grid->names[i] : nuce_grid_cell(grid, row, i)->text;

            if (i > 0)
                fputc(',', file);
            print_csv_text(text == NULL ? "" : text, file);
        }
        fputc('\n', file);
    }
}

/* Writes text with each character of `special` replaced by the string at the same place in
 * `instead`; control characters become blanks. */
static void print_escaped(const char *text, const char *special, const char *const *instead,
                          FILE *file)
{
    for (; *text != '\0'; text++) {
        const char *found = strchr(special, *text);

        if (found != NULL)
            fputs(instead[found - special], file);
        else
            fputc((unsigned char)*text < 32 ? ' ' : *text, file);
    }
}

static void print_markdown_text(const char *text, FILE *file)
{
    static const char *const instead[] = {"\\|", "\\\\", "\\`", "\\*", "\\_", "&lt;", "&amp;"};

    print_escaped(text, "|\\`*_<&", instead, file);
}

static void print_markdown(const struct nuce_grid *grid, FILE *file)
{
    char buffer[32];

    for (int i = 0; i < grid->columns; i++) {
        fputs("| ", file);
        print_markdown_text(grid->names[i], file);
        fputc(' ', file);
    }
    fputs("|\n", file);
    for (int i = 0; i < grid->columns; i++)
        fputs(nuce_grid_is_right(grid, i) ? "| ---: " : "| --- ", file);
    fputs("|\n", file);
    for (int64_t row = 0; row < grid->rows; row++) {
        for (int i = 0; i < grid->columns; i++) {
            fputs("| ", file);
            print_markdown_text(nuce_cell_readable(nuce_grid_cell(grid, row, i), buffer), file);
            fputc(' ', file);
        }
        fputs("|\n", file);
    }
}

static void print_latex_text(const char *text, FILE *file)
{
    static const char *const instead[] = {
        "\\textbackslash{}",  "\\{", "\\}", "\\$", "\\&", "\\#", "\\_", "\\%", "\\textasciitilde{}",
        "\\textasciicircum{}"};

    print_escaped(text, "\\{}$&#_%~^", instead, file);
}

/* A tabular with rules above, below the names and below the rows; numbers are right-aligned. */
static void print_latex(const struct nuce_grid *grid, FILE *file)
{
    char buffer[32];

    fputs("\\begin{tabular}{", file);
    for (int i = 0; i < grid->columns; i++)
        fputc(nuce_grid_is_right(grid, i) ? 'r' : 'l', file);
    fputs("}\n\\hline\n", file);
    for (int64_t row = -1; row < grid->rows; row++) {
        for (int i = 0; i < grid->columns; i++) {
            if (i > 0)
                fputs(" & ", file);
            print_latex_text(row < 0 ? grid->names[i]
                                     : nuce_cell_readable(nuce_grid_cell(grid, row, i), buffer),
                             file);
        }
        fputs(row < 0 ? " \\\\\n\\hline\n" : " \\\\\n", file);
    }
    fputs("\\hline\n\\end{tabular}\n", file);
}

/* A full disk or a closed pipe shows at the flush. */
static nuce_status check_written(FILE *file, struct nuce_error *error)
{
    if (fflush(file) == 0 && !ferror(file))
        return NUCE_OK;
    return nuce_error_set(error, NUCE_FAILED, "cannot write: %s", strerror(errno));
}

nuce_status nuce_grid_print_more(const struct nuce_grid *grid, enum nuce_grid_format format,
                                 FILE *file, struct nuce_error *error)
{
    NUCE_ASSERT(format == NUCE_GRID_JSON || format == NUCE_GRID_CSV);
    if (format == NUCE_GRID_JSON)
        grid_print_json(grid, file);
    else
        grid_print_csv(grid, 0, file);
    return check_written(file, error);
}

nuce_status nuce_grid_print(const struct nuce_grid *grid, enum nuce_grid_format format, FILE *file,
                            struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    switch (format) {
    case NUCE_GRID_TEXT:
        status = grid_print_text(grid, file, error);
        break;
    case NUCE_GRID_JSON:
        grid_print_json(grid, file);
        break;
    case NUCE_GRID_CSV:
        grid_print_csv(grid, -1, file);
        break;
    case NUCE_GRID_MARKDOWN:
        print_markdown(grid, file);
        break;
    case NUCE_GRID_LATEX:
        print_latex(grid, file);
        break;
    }
    return status == NUCE_OK ? check_written(file, error) : status;
}
