/* What the subcommands of nuce share beside results/: --format, rows of texts, the end. */
#ifndef NUCE_CLI_H
#define NUCE_CLI_H

#include <argp.h>

#include "results/message.h"
#include "support/error.h"
#include "tables/grid.h"

/* The value of --format; ends the program with a usage error if it is none (argp_error). */
enum nuce_grid_format nuce_cli_format(const char *text, struct argp_state *state);

/* Adds a row of as many texts as the grid has columns; NULL for unknown. */
nuce_status nuce_cli_add(struct nuce_grid *grid, const char *const *cells,
                         struct nuce_error *error);

/* Prints grid on stdout if status, that of making it, is NUCE_OK; frees it; says what went wrong.
 * Returns the exit status. */
int nuce_cli_print(struct nuce_grid *grid, enum nuce_grid_format format, nuce_status status,
                   struct nuce_error *error);

/* How many of argc words stand before the first "--": what is behind it is sbatch's to parse. argc
 * if there is none. */
int nuce_cli_own(int argc, char **argv);

/* Flushes stdout; returns status, or says what went wrong and returns 1: a full disk must not look
 * like success. Says nothing, and returns NUCE_EXIT_PIPE, if the reader went away. */
int nuce_cli_finish(int status);

#endif
