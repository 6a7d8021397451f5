/* A table on standard output: title, the table or one for each heading, the sentences, and its
 * origin. Programs get the table alone. Names in texts come from records, and those of a bundle may
 * come from strangers: text outside of tables is first made harmless to a terminal
 * (make_harmless). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grid_fit.h"
#include "base/printable.h"
#include "base/text.h"
#include "results/plot.h"

const char *nuce_plot_claim(const struct nuce_grid *says, int64_t row, const char *column)
{
    static const char *const words[][3] = {
        {"yes", "holds", "as printed"},
        {"partly", "holds in part", "in part as printed"},
        {"no", "does not hold", "not as printed"},
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(nuce_grid_text(says, row, column), words[i][0]) == 0)
            return words[i][strcmp(column, "holds") == 0 ? 1 : 2];
    }
    return NULL;
}

/* Longer lines are broken between words; narrower terminals break them anyway. */
#define SENTENCE_COLUMNS 100

/* Prints text in lines; those after the first are indented. */
static void print_folded(const char *text, FILE *file)
{
    char *copy = nuce_text_duplicate(text);
    int indent = 0;

    for (char *line = copy, *end; line != NULL; line = end == NULL ? NULL : end + 1) {
        end = strchr(line, '\n');
        if (end != NULL)
            *end = '\0';
        fprintf(file, "%*s", indent, "");
        nuce_printable_fold(line, SENTENCE_COLUMNS, indent, indent + 2, file);
        fputc('\n', file);
        indent = 2;
    }
    free(copy);
}

/* People get title and footer; in LaTeX they are comments. */
static void print_line(enum nuce_grid_format format, const char *text, int is_title)
{
    if (*text == '\0')
        return;
    if (format == NUCE_GRID_LATEX) {
        printf("%% %s\n", text);
    } else if (format == NUCE_GRID_MARKDOWN) {
        printf(is_title ? "%s\n\n" : "\n%s\n", text);
    } else if (format == NUCE_GRID_TEXT) {
        if (!is_title)
            putchar('\n');
        print_folded(text, stdout);
        if (is_title)
            putchar('\n');
    }
}

/* Handles the texts of the column; -1: none. */
static void make_column_harmless(const struct nuce_grid *grid, int column)
{
    for (int64_t row = 0; column >= 0 && row < grid->rows; row++) {
        if (nuce_grid_cell(grid, row, column)->text != NULL)
            nuce_printable_make(nuce_grid_cell(grid, row, column)->text);
    }
}

/* Makes text outside of tables harmless; tables do it themselves. Its names come from records, and
 * those of a bundle may come from strangers. */
static void make_harmless(struct nuce_plot_data *data, int heading)
{
    char *const texts[] = {data->where, data->what, data->doubts, data->left_out};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i] != NULL)
            nuce_printable_make(texts[i]);
    }
    make_column_harmless(&data->says, nuce_grid_column(&data->says, "sentence"));
    make_column_harmless(&data->says, nuce_grid_column(&data->says, "claim"));
    make_column_harmless(&data->grid, heading);
}

/* The column whose values become headings of separate tables; -1: none. It is the first word of the
 * directive. */
static int heading_of(const struct nuce_plot *plot, const struct nuce_plot_data *data,
                      enum nuce_grid_format format)
{
    char name[128];
    const char *words = plot->heading;

    return words == NULL || format != NUCE_GRID_TEXT || !nuce_text_word(&words, name, sizeof name)
               ? -1
               : nuce_grid_column(&data->grid, name);
}

/* "CLAIM (holds): SENTENCE": the claim gives the sentence its subject. */
static void print_sentences(const struct nuce_grid *says, int64_t most, FILE *file)
{
    for (int64_t row = 0; row < says->rows && row < most; row++) {
        const char *claim = nuce_grid_text(says, row, "claim");
        const char *holds = nuce_plot_claim(says, row, "holds");
        const char *judged = holds != NULL ? holds : nuce_plot_claim(says, row, "printed");
        char text[NUCE_MESSAGE_BYTES];

        snprintf(text, sizeof text, "%s%s%s%s: %s", claim, judged != NULL ? " (" : "",
                 judged != NULL ? judged : "", judged != NULL ? ")" : "",
                 nuce_grid_text(says, row, "sentence"));
        print_folded(*claim == '\0' ? nuce_grid_text(says, row, "sentence") : text, file);
    }
}

void nuce_plot_say_found(struct nuce_plot_data *data, int64_t most, FILE *file)
{
    make_harmless(data, -1);
    print_sentences(&data->says, most, file);
}

/* Rows of one heading need not be neighbours; headings come in the order of their first rows. */
int nuce_plot_next_section(const struct nuce_plot *plot, const struct nuce_plot_data *data,
                           int64_t *at, const char **heading, struct nuce_grid *table,
                           struct nuce_error *error)
{
    int column = heading_of(plot, data, NUCE_GRID_TEXT);
    const struct nuce_grid *grid = &data->grid;

    error->status = NUCE_OK;
    while (*at < grid->rows) {
        struct nuce_plot_data part = {.is_wide = data->is_wide};
        int64_t row = (*at)++, before = 0;

        while (before < row && column >= 0 && !nuce_grid_is_same(grid, column, row, before))
            before++;
        if (before < row || (column < 0 && row > 0))
            continue;
        *heading = column < 0 ? "" : nuce_grid_cell(grid, row, column)->text;
        *heading = *heading == NULL ? "" : *heading;
        /* The rows under the heading, without the heading itself. */
        nuce_grid_init(grid->columns, (const char *const *)grid->names, &part.grid);
        for (int64_t other = row; column >= 0 && other < grid->rows; other++) {
            struct nuce_cell *cells;

            if (!nuce_grid_is_same(grid, column, other, row))
                continue;
            nuce_grid_add_row(&part.grid, &cells);
            for (int i = 0; i < grid->columns; i++) {
                const struct nuce_cell *cell = nuce_grid_cell(grid, other, i);

                if (i != column)
                    nuce_cell_copy(&cells[i], cell->type, cell->text);
            }
        }
        error->status =
            nuce_plot_table(plot, column < 0 ? data : &part, NUCE_GRID_TEXT, table, error);
        nuce_grid_fini(&part.grid);
        return error->status == NUCE_OK;
    }
    return 0;
}

/* Prints one table. If the plot has a heading, and the format is text, prints one for each of its
 * values, with an empty line between them. */
static nuce_status print_table(const struct nuce_plot *plot, const struct nuce_plot_data *data,
                               enum nuce_grid_format format, struct nuce_error *error)
{
    int has_heading = heading_of(plot, data, format) >= 0;
    struct nuce_grid table = {0};
    const char *heading;

    if (!has_heading && nuce_plot_table(plot, data, format, &table, error) == NUCE_OK)
        error->status = nuce_grid_print_fitted(&table, format, data->is_wide, stdout, error);
    for (int64_t at = 0;
         has_heading && nuce_plot_next_section(plot, data, &at, &heading, &table, error);) {
        fputs(at > 1 ? "\n" : "", stdout);
        print_folded(heading, stdout);
        if (nuce_grid_print_fitted(&table, format, data->is_wide, stdout, error) != NUCE_OK)
            break;
        nuce_grid_fini(&table);
    }
    nuce_grid_fini(&table);
    return error->status;
}

nuce_status nuce_plot_print_found(const struct nuce_plot *plot, struct nuce_plot_data *data,
                                  enum nuce_grid_format format, struct nuce_error *error)
{
    make_harmless(data, heading_of(plot, data, format));
    print_line(format, plot->title, 1);
    if (print_table(plot, data, format, error) != NUCE_OK)
        return error->status;
    if (format == NUCE_GRID_TEXT && data->says.rows > 0) {
        putchar('\n');
        print_sentences(&data->says, data->says.rows, stdout);
    }
    print_line(format, data->where, 0);
    print_line(format, data->what, 0);
    print_line(format, data->doubts, 0);
    print_line(format, data->left_out, 0);
    return NUCE_OK;
}

nuce_status nuce_plot_print(const struct nuce_plot *plot, struct nuce_store *store,
                            const struct nuce_plot_choice *choice, enum nuce_grid_format format,
                            struct nuce_error *error)
{
    struct nuce_plot_data data = {0};
    nuce_status status = nuce_plot_query(plot, store, choice, &data, error);

    if (status == NUCE_OK)
        status = nuce_plot_print_found(plot, &data, format, error);
    nuce_plot_data_fini(&data);
    return status;
}

nuce_status nuce_plot_say(const struct nuce_plot *plot, struct nuce_store *store,
                          const struct nuce_plot_choice *choice, int64_t most, int64_t *count,
                          struct nuce_error *error)
{
    struct nuce_plot_data data = {0};
    nuce_status status = nuce_plot_find(plot, store, choice, &data, error);

    *count = 0;
    if (status == NUCE_OK) {
        nuce_plot_say_found(&data, most, stdout);
        *count = data.says.rows;
    }
    nuce_plot_data_fini(&data);
    return status;
}
