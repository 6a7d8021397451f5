/* A grid of cells and its printing: the one table printer of all programs. Results from the
 * database, rows of a run and lists become a grid of texts first. A grid has some thousands of
 * cells, so each cell owns its text. */
#ifndef NUCE_GRID_H
#define NUCE_GRID_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

enum nuce_cell_type {
    NUCE_CELL_NULL,
    NUCE_CELL_INTEGER,
    NUCE_CELL_REAL,
    NUCE_CELL_TEXT,
};

/* A value and its type. */
struct nuce_cell {
    enum nuce_cell_type type;
    char *text; /* owned; numbers with all digits; NULL for NUCE_CELL_NULL */
};

/* Rows of cells, one after the other. A zeroed grid is empty. The grid owns all of it. */
struct nuce_grid {
    int columns;
    char **names;            /* one for each column */
    int64_t rows, capacity;  /* capacity counts cells */
    struct nuce_cell *cells; /* rows x columns */
};

/* A grid without rows; names are copied. Released with nuce_grid_fini, which accepts an empty
 * one. */
void nuce_grid_init(int columns, const char *const *names, struct nuce_grid *out);
void nuce_grid_fini(struct nuce_grid *grid);

/* Adds a row of NULLs; *row is its first cell, valid until the next row is added. */
void nuce_grid_add_row(struct nuce_grid *grid, struct nuce_cell **row);

/* Replaces the cell by a copy of text (ignored for NUCE_CELL_NULL). */
void nuce_cell_copy(struct nuce_cell *cell, enum nuce_cell_type type, const char *text);

/* Sets the cell to the shortest decimal that reads back as value; NULL if value is not finite. */
void nuce_cell_set_real(struct nuce_cell *cell, double value);

/* The same for a whole number. */
void nuce_cell_set_integer(struct nuce_cell *cell, int64_t value);

/* Removes each column from first on that is NULL in all rows. */
void nuce_grid_drop_empty(struct nuce_grid *grid, int first);

/* The index of the column called name, or -1. */
int nuce_grid_column(const struct nuce_grid *grid, const char *name);

/* The cell, borrowed; row and column are within the grid. */
struct nuce_cell *nuce_grid_cell(const struct nuce_grid *grid, int64_t row, int column);

/* The text of the row in the column called name; "" if there is no such column, or if it is
 * NULL. */
const char *nuce_grid_text(const struct nuce_grid *grid, int64_t row, const char *name);

/* True if two rows have the same value in the column; NULL equals NULL. */
int nuce_grid_is_same(const struct nuce_grid *grid, int column, int64_t row, int64_t other);

/* A cell in the form for people: reals with six significant figures, "" for NULL. The result is the
 * cell's text or buffer. */
const char *nuce_cell_readable(const struct nuce_cell *cell, char buffer[32]);

/* True if a column is right-aligned: it holds numbers, also with a sign, or with text after them
 * ("0.53 [0.52 0.55]", "+12 %"). */
int nuce_grid_is_right(const struct nuce_grid *grid, int column);

/* Formats of output, in the order of their names. Every program has the first three. */
enum nuce_grid_format {
    NUCE_GRID_TEXT,
    NUCE_GRID_JSON, /* one object per row */
    NUCE_GRID_CSV,  /* RFC 4180, LF */
    NUCE_GRID_MARKDOWN,
    NUCE_GRID_LATEX, /* a tabular */
};

/* The name of the index-th of text, json and csv, the formats of every program; NULL past the end.
 * For options. */
const char *nuce_grid_format_name(size_t index);

/* The same of all formats. */
const char *nuce_grid_format_any(size_t index);

/* Prints to file and flushes it. NUCE_FAILED if that fails, such as on a full disk; the part
 * already written stays. */
nuce_status nuce_grid_print(const struct nuce_grid *grid, enum nuce_grid_format format, FILE *file,
                            struct nuce_error *error);

/* Prints further rows after earlier ones, as JSON or CSV. CSV's line of names is not repeated. */
nuce_status nuce_grid_print_more(const struct nuce_grid *grid, enum nuce_grid_format format,
                                 FILE *file, struct nuce_error *error);

#endif
