/* Parts that the subcommands of nuce share, except those in results/: options and rows of texts. */
#ifndef NUCE_CLI_H
#define NUCE_CLI_H

#include "base/command_line.h"
#include "base/error.h"
#include "base/grid.h"
#include "base/message.h"

/* Options that many subcommands have: rows for a struct of parameters with a member of that
 * name. */
#define NUCE_CLI_DATABASE(params)                                                                  \
    NUCE_OPTION(TEXT, "database", offsetof(params, database), "nuce.db", "FILE", "database file",  \
                .letter = 'd')
#define NUCE_CLI_CAMPAIGNS(params)                                                                 \
    NUCE_OPTION(TEXT, "campaigns", offsetof(params, campaigns), "campaigns", "DIR",                \
                "folder of campaigns")
#define NUCE_CLI_CAMPAIGN(params)                                                                  \
    NUCE_OPTION(TEXT, "campaign", offsetof(params, campaign), NULL, "NAME",                        \
                "campaign, or a sweep (its newest campaign); several with commas; default: all",   \
                .letter = 'c')
#define NUCE_CLI_ENVIRONMENT(params)                                                               \
    NUCE_OPTION(TEXT, "environment", offsetof(params, environment), NULL, "ID",                    \
                "beginning of an environment's id; default: the newest", .letter = 'e')
#define NUCE_CLI_WIDE(params)                                                                      \
    NUCE_OPTION(FLAG, "wide", offsetof(params, wide), NULL, NULL,                                  \
                "all columns, also beyond 100 characters", .letter = 'w')
#define NUCE_CLI_FORMAT(params)                                                                    \
    NUCE_OPTION(WORD, "format", offsetof(params, format), "text", "FORMAT",                        \
                "output format: text, json (one object per line) or csv",                          \
                .choices = nuce_grid_format_name, .letter = 'f')

#define NUCE_CLI_FORMAT_ANY(params)                                                                \
    NUCE_OPTION(WORD, "format", offsetof(params, format), "text", "FORMAT",                        \
                "output format: text, markdown, csv, latex or json",                               \
                .choices = nuce_grid_format_any, .letter = 'f')

/* True if word ends as a sweep's file does although the subcommand expects the name of a campaign,
 * a table or a capture: the most frequent mistake. *error then says what subcommand takes, with
 * NUCE_BAD_INPUT. */
int nuce_cli_is_sweep(const char *word, const char *subcommand, struct nuce_error *error);

/* Adds a row with one text for each column of the grid; copies the texts; NULL for unknown. */
void nuce_cli_add(struct nuce_grid *grid, const char *const *cells);

/* Prints grid on stdout if status, the result of making it, is NUCE_OK. Always frees grid, which
 * must be all zero or begun. *error belongs to status or to the printing. */
nuce_status nuce_cli_print(struct nuce_grid *grid, enum nuce_grid_format format, nuce_status status,
                           struct nuce_error *error);

#endif
