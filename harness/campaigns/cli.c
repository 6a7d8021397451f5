/* Helpers of all subcommands: fill a grid of texts and print it. */
#include "campaigns/cli.h"

#include <stdio.h>
#include <string.h>

#include "base/grid_fit.h"
#include "base/text.h"
#include "campaigns/config.h"

int nuce_cli_is_sweep(const char *word, const char *subcommand, struct nuce_error *error)
{
    if (!nuce_text_ends(word, nuce_config_shipped.ending))
        return 0;
    nuce_error_set(error, NUCE_BAD_INPUT,
                   "%s: expected a capture of nuce; for the newest campaign of a sweep give its "
                   "'name:': 'nuce %s NAME'",
                   word, subcommand);
    return 1;
}

void nuce_cli_add(struct nuce_grid *grid, const char *const *cells)
{
    struct nuce_cell *row;

    nuce_grid_add_row(grid, &row);
    for (int i = 0; i < grid->columns; i++) {
        if (cells[i] != NULL)
            nuce_cell_copy(&row[i], NUCE_CELL_TEXT, cells[i]);
    }
}

nuce_status nuce_cli_print(struct nuce_grid *grid, enum nuce_grid_format format, nuce_status status,
                           struct nuce_error *error)
{
    if (status == NUCE_OK)
        status = nuce_grid_print_fitted(grid, format, 0, stdout, error);
    nuce_grid_fini(grid);
    return status;
}
