/* A table on standard output. */
#include <stdio.h>

#include "results/plot.h"

/* People get title and footer; in LaTeX they are comments. */
static void print_line(enum nuce_grid_format format, const char *text, int is_title)
{
    if (*text == '\0')
        return;
    if (format == NUCE_GRID_TEXT || format == NUCE_GRID_MARKDOWN)
        (void)printf(is_title ? "%s\n\n" : "\n%s\n", text);
    else if (format == NUCE_GRID_LATEX)
        (void)printf("%% %s\n", text);
}

nuce_status nuce_plot_print(const struct nuce_plot *plot, struct nuce_store *store,
                            const struct nuce_plot_choice *choice, enum nuce_grid_format format,
                            struct nuce_error *error)
{
    struct nuce_plot_data data = {0};
    struct nuce_grid table = {0};
    nuce_status status = nuce_plot_query(plot, store, choice, &data, error);

    if (status == NUCE_OK)
        status = nuce_plot_table(plot, &data, format, &table, error);
    if (status == NUCE_OK) {
        print_line(format, plot->title, 1);
        status = nuce_grid_print(&table, format, stdout, error);
        print_line(format, data.where, 0);
        print_line(format, data.what, 0);
        print_line(format, data.doubts, 0);
        print_line(format, data.left_out, 0);
    }
    nuce_grid_fini(&table);
    nuce_plot_data_fini(&data);
    return status;
}
