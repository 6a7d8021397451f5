/* Rows of results, JSON objects, for people and programs. Each program declares its columns and the
 * form of their values for people. */
#ifndef NUCE_ROWS_H
#define NUCE_ROWS_H

#include <jansson.h>
#include <stdio.h>

#include "base/error.h"
#include "base/grid.h"

/* The form of a value in the text table. */
enum nuce_look {
    NUCE_LOOK_PLAIN,
    NUCE_LOOK_BYTES,    /* a whole number of bytes, with a unit */
    NUCE_LOOK_SECONDS,  /* with a unit */
    NUCE_LOOK_RATE,     /* bytes per second */
    NUCE_LOOK_INTERVAL, /* of the median NAME_s that the key names: NAME_low_s .. NAME_high_s */
    NUCE_LOOK_RATIO,    /* with its interval, [KEY_low KEY_high], where it is known */
    NUCE_LOOK_TIMES,    /* a ratio of two times: 1.84x */
};

/* A column of a table of rows. All strings are borrowed. */
struct nuce_row_column {
    const char *key;    /* key in the objects */
    const char *within; /* key in the object that is the value; NULL: the value itself */
    const char *head;   /* its name in text and CSV */
    enum nuce_look look;
    int is_wide; /* only for CSV: too wide for text */
};

/* Room for the text form of a value; longer ones are cut. */
#define NUCE_ROW_CELL_BYTES 128
/* Writes the text form of the row's value in the column; "-" if it has none. */
void nuce_rows_show(const struct nuce_row_column *column, const json_t *row,
                    char cell[NUCE_ROW_CELL_BYTES]);

/* True if any row has a value to show there. Text omits columns of dashes. */
int nuce_row_column_is_used(const struct nuce_row_column *column, const json_t *rows);

/* The layout of printed rows. */
struct nuce_row_layout {
    const struct nuce_row_column *columns;
    size_t count;
    int csv_has_all; /* CSV has every key of any row, in the order of their first appearance, not
                        only the columns */
    int digits; /* significant digits of reals in JSON and CSV; 0: enough to distinguish any two */
};

/* Prints rows, an array of objects. Text has the columns that any row has a value for. JSON has one
 * object per line with all its keys. CSV has numbers with all digits, lists and objects as JSON,
 * and nothing for null. Without rows text and JSON are empty. NUCE_FAILED if writing fails, such as
 * on a full disk. */
nuce_status nuce_rows_print(const json_t *rows, const struct nuce_row_layout *layout,
                            enum nuce_grid_format format, FILE *file, struct nuce_error *error);

#endif
