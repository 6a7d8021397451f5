/* A grid as a table. Each cell leads to the query that made it; the caption does so for those who
 * go by keyboard. What sorts it is in plots/report/report.js, and without that it is a table still.
 */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "results/html.h"

/* Longer tables scroll in a box that is not higher than the screen. */
enum { ROWS_AT_ONCE = 40 };

/* Rows of one kind or columns of one kind are coloured alike. */
static const char *kind_of_row(const struct nuce_grid *grid, int64_t row, int kind_column)
{
    const char *text = kind_column < 0 ? NULL : nuce_grid_cell(grid, row, kind_column)->text;

    return text == NULL ? NULL : nuce_html_kind(text);
}

/* Numbers stand to the right; the header of a column stands as its cells. */
static void html_table_write_head(FILE *file, const struct nuce_grid *grid, const char *right)
{
    fputs("<thead><tr>", file);
    for (int i = 0; i < grid->columns; i++) {
        fprintf(file, "<th scope=\"col\"%s>", right[i] ? " class=\"n\"" : "");
        nuce_html_text(file, grid->names[i]);
        fputs("</th>", file);
    }
    fputs("</tr></thead>\n", file);
}

/* A column whose name begins with a kind has its colour. */
static void write_columns(FILE *file, const struct nuce_grid *grid)
{
    fputs("<colgroup>", file);
    for (int i = 0; i < grid->columns; i++) {
        const char *kind = nuce_html_kind(grid->names[i]);

        if (kind == NULL)
            fputs("<col/>", file);
        else
            fprintf(file, "<col class=\"%s\"/>", kind);
    }
    fputs("</colgroup>\n", file);
}

/* Only numbers lead to their query: texts are links of nobody. Not reached by the tabulator key, as
 * a table has hundreds. */
static void write_cell(FILE *file, const struct nuce_cell *cell, int is_right, const char *target)
{
    char buffer[32];
    const char *text = nuce_cell_readable(cell, buffer);

    fputs(is_right ? "<td class=\"n\">" : "<td>", file);
    if (is_right && target != NULL && *text != '\0') {
        fprintf(file, "<a href=\"#%s\" tabindex=\"-1\">", target);
        nuce_html_text(file, text);
        fputs("</a>", file);
    } else {
        nuce_html_text(file, text);
    }
    fputs("</td>", file);
}

/* The kind of a row is what its column `source` says, or else `kind`. */
static void write_rows(FILE *file, const struct nuce_grid *grid, const char *right,
                       const char *target)
{
    int kind_column = nuce_grid_column(grid, "source");

    if (kind_column < 0)
        kind_column = nuce_grid_column(grid, "kind");
    fputs("<tbody>\n", file);
    for (int64_t row = 0; row < grid->rows; row++) {
        const char *kind = kind_of_row(grid, row, kind_column);

        if (kind == NULL)
            fputs("<tr>", file);
        else
            fprintf(file, "<tr class=\"%s\">", kind);
        for (int i = 0; i < grid->columns; i++)
            write_cell(file, nuce_grid_cell(grid, row, i), right[i], target);
        fputs("</tr>\n", file);
    }
    fputs("</tbody>", file);
}

void nuce_html_table(FILE *file, const struct nuce_grid *grid, const char *caption,
                     const char *target)
{
    char *right = nuce_allocate(grid->columns, 1);

    for (int i = 0; i < grid->columns; i++)
        right[i] = (char)nuce_grid_is_right(grid, i);
    fprintf(file, "<div class=\"box%s\" tabindex=\"0\"><table>\n",
            grid->rows > ROWS_AT_ONCE ? " long" : "");
    if (caption != NULL) {
        fputs("<caption>", file);
        if (target != NULL)
            fprintf(file, "<a href=\"#%s\">", target);
        nuce_html_text(file, caption);
        fputs(target != NULL ? "</a></caption>\n" : "</caption>\n", file);
    }
    write_columns(file, grid);
    html_table_write_head(file, grid, right);
    write_rows(file, grid, right, target);
    fputs("</table></div>\n", file);
    free(right);
}
