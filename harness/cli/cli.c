/* What all subcommands do alike: fill a grid of texts, print it, and end. Writing to a full disk is
 * an error that shows only when the stream is flushed, and would otherwise pass for success. */
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tables/grid_fit.h"

nuce_status nuce_cli_add(struct nuce_grid *grid, const char *const *cells, struct nuce_error *error)
{
    struct nuce_cell *row;

    if (nuce_grid_add_row(grid, &row, error) != NUCE_OK)
        return error->status;
    for (int i = 0; i < grid->columns; i++) {
        if (cells[i] != NULL && nuce_cell_copy(&row[i], NUCE_CELL_TEXT, cells[i], error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

int nuce_cli_print(struct nuce_grid *grid, enum nuce_grid_format format, nuce_status status,
                   struct nuce_error *error)
{
    if (status == NUCE_OK)
        status = nuce_grid_print_fitted(grid, format, 0, stdout, error);
    nuce_grid_fini(grid);
    return nuce_cli_finish(status == NUCE_OK ? 0 : nuce_message_error(error));
}

int nuce_cli_own(int argc, char **argv)
{
    int own = 1;

    while (own < argc && strcmp(argv[own], "--") != 0)
        own++;
    return own;
}

/* A reader that has seen enough ('nuce show ... | head') is no failure, but has a status of its
 * own. */
int nuce_cli_finish(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (nuce_message_pipe_broke())
        return NUCE_EXIT_PIPE;
    (void)fprintf(stderr, "nuce: cannot write the results: %s\n", strerror(errno));
    return status == 0 ? 1 : status;
}
