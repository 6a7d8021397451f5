/* Rows of results, JSON objects, as people and programs read them: each program says which columns
 * it has, and how their values look to people. */
#ifndef NUCE_ROWS_H
#define NUCE_ROWS_H

#include <jansson.h>
#include <stdio.h>

#include "base/error.h"
#include "base/grid.h"

/* How the text table shows a value. */
enum nuce_look {
    NUCE_LOOK_PLAIN,
    NUCE_LOOK_BYTES,    /* a whole number of bytes, with a unit */
    NUCE_LOOK_SECONDS,  /* with a unit */
    NUCE_LOOK_RATE,     /* bytes per second */
    NUCE_LOOK_INTERVAL, /* of the median NAME_s that the key names: NAME_low_s .. NAME_high_s */
    NUCE_LOOK_RATIO,    /* with its interval, [KEY_low KEY_high], where it is known */
};

/* A column of a table of rows. All strings are borrowed. */
struct nuce_row_column {
    const char *key;    /* of the objects */
    const char *within; /* key in the object that is there; NULL: the value itself */
    const char *head;   /* its name in text and CSV */
    enum nuce_look look;
    int is_wide; /* for CSV alone: text has no room for it */
};

/* Room for what a value of the column looks like in text; longer ones are cut. */
#define NUCE_ROW_CELL_BYTES 128
/* Writes what the row's value of the column looks like in text; "-" where it has none. */
void nuce_rows_show(const struct nuce_row_column *column, const json_t *row,
                    char cell[NUCE_ROW_CELL_BYTES]);

/* Whether any row has something to show there: columns of dashes are left out of a text. */
int nuce_row_column_is_used(const struct nuce_row_column *column, const json_t *rows);

/* How rows are printed. */
struct nuce_row_layout {
    const struct nuce_row_column *columns;
    size_t count;
    int csv_has_all; /* CSV has every key of any row, in the order in which they turn up, and not
                        only the columns */
    int digits; /* significant ones of reals in JSON and CSV; 0: enough to tell any two apart */
};

/* Prints rows, an array of objects: as text the columns that any row has something for, as JSON an
 * object a line with all its keys, as CSV numbers in full, lists and objects as JSON, and nothing
 * for null. No rows print nothing as text or JSON. NUCE_FAILED if that fails, such as on a full
 * disk. */
nuce_status nuce_rows_print(const json_t *rows, const struct nuce_row_layout *layout,
                            enum nuce_grid_format format, FILE *file, struct nuce_error *error);

#endif
