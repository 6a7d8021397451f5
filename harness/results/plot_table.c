/* A plot's rows as a table: plain rows for programs, the pivot for people.
 *
 * A pivot makes columns of the values of one column: rows of the query with equal keys become one
 * line, and each row puts its cells under its own value. So the role of each column of the query is
 * settled first (set_roles), then the set of values (find_values); then the table is filled row by
 * row. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "base/text.h"
#include "results/plot.h"

/* JSON and CSV are for programs. */
static int is_for_people(enum nuce_grid_format format)
{
    return format != NUCE_GRID_JSON && format != NUCE_GRID_CSV;
}

/* The role of each column of the query. */
enum role {
    ROLE_NONE,  /* in no table */
    ROLE_KEY,   /* a column of the table that distinguishes its lines */
    ROLE_PIVOT, /* its values become columns */
    ROLE_CELL,  /* appears below the value of the pivot */
};

/* A table being made. */
struct pivot {
    const struct nuce_grid *grid;
    enum role *roles; /* by column */
    int keys, cells, pivot_column;
    int order_column;    /* column of the number that orders the values, or -1 */
    const char **values; /* of the pivot column, in order, else by first appearance; borrowed */
    int64_t count, capacity;
};

/* True if a column is in no table of this format. Programs get all columns except those for display
 * only (`cells`, `style`). In text the heading column is above the tables; in other formats its
 * replacements are columns. */
static int plot_leaves_out(const struct nuce_plot *plot, const char *name,
                           enum nuce_grid_format format, int is_wide)
{
    if (nuce_plot_lists(plot->style, name) || nuce_plot_lists(plot->aside, name))
        return 1;
    if (!is_for_people(format))
        return nuce_plot_lists(plot->cells, name);
    if (nuce_plot_lists(plot->heading, name)) {
        size_t length = strcspn(plot->heading, " ");

        return (format == NUCE_GRID_TEXT) !=
               (strlen(name) == length && strncmp(plot->heading, name, length) == 0);
    }
    return nuce_plot_lists(plot->data, name) || (!is_wide && nuce_plot_lists(plot->wide, name));
}

/* Programs get no pivot: every column that they get is a key, and each row is a line. Values of the
 * pivot are in the order of `style` if that is the series' number. */
static nuce_status set_roles(const struct nuce_plot *plot, struct pivot *pivot,
                             enum nuce_grid_format format, int is_wide, struct nuce_error *error)
{
    int pivoting = is_for_people(format);

    pivot->pivot_column = -1;
    pivot->order_column = plot->style == NULL || plot->series == NULL || plot->pivot == NULL ||
                                  strcmp(plot->series, plot->pivot) != 0
                              ? -1
                              : nuce_grid_column(pivot->grid, plot->style);
    pivot->roles = nuce_allocate(pivot->grid->columns, sizeof *pivot->roles);
    for (int i = 0; i < pivot->grid->columns; i++) {
        const char *name = pivot->grid->names[i];

        if (plot_leaves_out(plot, name, format, is_wide)) {
            pivot->roles[i] = ROLE_NONE;
        } else if (pivoting && plot->pivot != NULL && strcmp(plot->pivot, name) == 0) {
            pivot->roles[i] = ROLE_PIVOT;
            pivot->pivot_column = i;
        } else if (pivoting && plot->pivot != NULL && nuce_plot_lists(plot->cells, name)) {
            pivot->roles[i] = ROLE_CELL;
            pivot->cells++;
        } else {
            pivot->roles[i] = ROLE_KEY;
            pivot->keys++;
        }
    }
    if (pivoting && plot->pivot != NULL && pivot->pivot_column < 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: pivot '%s' is not a column", plot->path,
                              plot->pivot);
    return NUCE_OK;
}

/* The place of a value among the pivot's, or -1. */
static int64_t find_value(const struct pivot *pivot, const char *value)
{
    for (int64_t i = 0; i < pivot->count; i++) {
        if (strcmp(pivot->values[i], value) == 0)
            return i;
    }
    return -1;
}

/* The row's value in the pivot column; NULL counts as a value of its own. */
static const char *pivot_value(const struct pivot *pivot, int64_t row)
{
    const char *text = nuce_grid_cell(pivot->grid, row, pivot->pivot_column)->text;

    return text == NULL ? "" : text;
}

/* The order of the columns does not depend on values that some lines lack: a value is inserted
 * before the first one that belongs after it. */
static void find_values(struct pivot *pivot)
{
    double *orders = nuce_allocate(pivot->grid->rows, sizeof *orders);

    for (int64_t row = 0; pivot->pivot_column >= 0 && row < pivot->grid->rows; row++) {
        const char *value = pivot_value(pivot, row), *number = NULL;
        int64_t at = pivot->count;
        double order;

        if (find_value(pivot, value) >= 0)
            continue;
        /* Values without a number come last. */
        if (pivot->order_column >= 0)
            number = nuce_grid_cell(pivot->grid, row, pivot->order_column)->text;
        order = number == NULL ? INFINITY : strtod(number, NULL);
        nuce_allocate_more((void **)&pivot->values, &pivot->capacity, pivot->count + 1,
                           sizeof value);
        for (; at > 0 && orders[at - 1] > order; at--) {
            pivot->values[at] = pivot->values[at - 1];
            orders[at] = orders[at - 1];
        }
        pivot->values[at] = value;
        orders[at] = order;
        pivot->count++;
    }
    free(orders);
}

/* A column's head, a new string: of the list "COLUMN HEAD, COLUMN HEAD", or its name where that has
 * none. */
static char *head_of(const char *heads, const char *name)
{
    size_t length = strlen(name);

    while (heads != NULL && *heads != '\0') {
        size_t end = strcspn(heads, ",");

        if (end > length && strncmp(heads, name, length) == 0 && heads[length] == ' ')
            return nuce_text_format("%.*s", (int)(end - length - 1), heads + length + 1);
        heads += end + strspn(heads + end, ", ");
    }
    return nuce_text_duplicate(name);
}

/* Names the columns: the keys, then for each value of the pivot its cells, by the value alone where
 * there is one. */
static void init_table(const struct pivot *pivot, const char *heads, struct nuce_grid *out)
{
    int columns = pivot->keys + nuce_int(pivot->count) * pivot->cells, next = 0;
    char **names = nuce_allocate(columns, sizeof *names);

    for (int i = 0; i < pivot->grid->columns; i++) {
        if (pivot->roles[i] == ROLE_KEY)
            names[next++] = head_of(heads, pivot->grid->names[i]);
    }
    for (int64_t value = 0; value < pivot->count; value++) {
        for (int i = 0; i < pivot->grid->columns; i++) {
            if (pivot->roles[i] == ROLE_CELL)
                names[next++] = pivot->cells == 1 ? nuce_text_duplicate(pivot->values[value])
                                                  : nuce_text_format("%s %s", pivot->values[value],
                                                                     pivot->grid->names[i]);
        }
    }
    nuce_grid_init(columns, (const char *const *)names, out);
    for (int i = 0; i < next; i++)
        free(names[i]);
    free(names);
}

/* Two empty cells, whose text is NULL, are equal. */
static int same_text(const struct nuce_cell *a, const struct nuce_cell *b)
{
    return a->text == b->text ||
           (a->text != NULL && b->text != NULL && strcmp(a->text, b->text) == 0);
}

/* The line of the table with row's keys, or -1: its cells may come in any order. */
static int64_t find_line(const struct pivot *pivot, const struct nuce_grid *table, int64_t row)
{
    for (int64_t line = table->rows - 1; line >= 0 && pivot->pivot_column >= 0; line--) {
        int same = 1;

        for (int i = 0, key = 0; same && i < pivot->grid->columns; i++) {
            if (pivot->roles[i] == ROLE_KEY)
                same = same_text(nuce_grid_cell(pivot->grid, row, i),
                                 nuce_grid_cell(table, line, key++));
        }
        if (same)
            return line;
    }
    return -1;
}

/* Copies the row's columns of role, one after another, to the cells from place on. */
static nuce_status copy_cells(const struct pivot *pivot, int64_t row, enum role role,
                              struct nuce_cell *place, struct nuce_error *error)
{
    for (int i = 0; i < pivot->grid->columns; i++) {
        const struct nuce_cell *cell = nuce_grid_cell(pivot->grid, row, i);

        if (pivot->roles[i] != role)
            continue;
        if (place->type != NUCE_CELL_NULL)
            return nuce_error_set(error, NUCE_BAD_INPUT, "two rows for one place in the table: %s",
                                  cell->text == NULL ? "" : cell->text);
        nuce_cell_copy(place, cell->type, cell->text);
        place++;
    }
    return NUCE_OK;
}

nuce_status nuce_plot_table(const struct nuce_plot *plot, const struct nuce_plot_data *data,
                            enum nuce_grid_format format, struct nuce_grid *out,
                            struct nuce_error *error)
{
    struct pivot pivot = {.grid = &data->grid};
    struct nuce_grid table = {0};
    int aside = is_for_people(format) || plot->aside == NULL
                    ? -1
                    : nuce_grid_column(&data->grid, plot->aside);
    nuce_status status = set_roles(plot, &pivot, format, data->is_wide, error);

    if (status == NUCE_OK) {
        find_values(&pivot);
        init_table(&pivot, is_for_people(format) ? plot->heads : NULL, &table);
    }
    /* Each row of the query goes to the line of its keys, a new one if necessary, into the cells of
     * its value of the pivot. */
    for (int64_t row = 0; status == NUCE_OK && row < data->grid.rows; row++) {
        int64_t found = find_line(&pivot, &table, row);
        struct nuce_cell *line = found < 0 ? NULL : nuce_grid_cell(&table, found, 0);
        const char *mark = aside < 0 ? NULL : nuce_grid_cell(&data->grid, row, aside)->text;

        if (mark != NULL && strcmp(mark, "1") == 0)
            continue;
        if (line == NULL) {
            nuce_grid_add_row(&table, &line);
            status = copy_cells(&pivot, row, ROLE_KEY, line, error);
        }
        if (status == NUCE_OK && pivot.pivot_column >= 0)
            status = copy_cells(&pivot, row, ROLE_CELL,
                                line + pivot.keys +
                                    find_value(&pivot, pivot_value(&pivot, row)) * pivot.cells,
                                error);
    }
    if (status == NUCE_OK) {
        nuce_grid_drop_empty(&table,
                             plot->heading == NULL || !is_for_people(format) ? pivot.keys : 0);
        *out = table;
    } else {
        nuce_grid_fini(&table);
    }
    free(pivot.values);
    free(pivot.roles);
    return status;
}
