/* What the subcommands of nuce share beside results/: options and rows of texts. */
#ifndef NUCE_CLI_H
#define NUCE_CLI_H

#include "base/command_line.h"
#include "base/error.h"
#include "base/grid.h"
#include "base/message.h"

/* Options that many subcommands have: rows for a struct of parameters that has a member of that
 * name. */
#define NUCE_CLI_DATABASE(params)                                                                  \
    {                                                                                              \
        .name = "database", .type = NUCE_OPTION_TEXT, .offset = offsetof(params, database),        \
        .preset = "nuce.db", .argument = "FILE", .help = "database", .letter = 'd'                 \
    }
#define NUCE_CLI_CAMPAIGNS(params)                                                                 \
    {                                                                                              \
        .name = "campaigns", .type = NUCE_OPTION_TEXT, .offset = offsetof(params, campaigns),      \
        .preset = "campaigns", .argument = "DIR", .help = "folder of campaigns", .letter = 'c'     \
    }
#define NUCE_CLI_CAMPAIGN(params)                                                                  \
    {                                                                                              \
        .name = "campaign", .type = NUCE_OPTION_TEXT, .offset = offsetof(params, campaign),        \
        .argument = "NAME", .help = "of this campaign alone, or the newest of this sweep",         \
        .letter = 'c'                                                                              \
    }
#define NUCE_CLI_ENVIRONMENT(params)                                                               \
    {                                                                                              \
        .name = "environment", .type = NUCE_OPTION_TEXT, .offset = offsetof(params, environment),  \
        .argument = "ID", .help = "environment whose id begins so; left out: the newest",          \
        .letter = 'e'                                                                              \
    }
#define NUCE_CLI_WIDE(params)                                                                      \
    {                                                                                              \
        .name = "wide", .type = NUCE_OPTION_FLAG, .offset = offsetof(params, wide),                \
        .help = "all columns, also beyond 100 characters", .letter = 'w'                           \
    }
#define NUCE_CLI_FORMAT(params)                                                                    \
    {                                                                                              \
        .name = "format", .type = NUCE_OPTION_WORD, .offset = offsetof(params, format),            \
        .preset = "text", .argument = "FORMAT", .help = "text, json (an object a line) or csv",    \
        .choices = nuce_grid_format_name, .letter = 'f'                                            \
    }

#define NUCE_CLI_FORMAT_ANY(params)                                                                \
    {                                                                                              \
        .name = "format", .type = NUCE_OPTION_WORD, .offset = offsetof(params, format),            \
        .preset = "text", .argument = "FORMAT", .help = "text, markdown, csv, latex or json",      \
        .choices = nuce_grid_format_any, .letter = 'f'                                             \
    }

/* Whether word ends as a sweep's file does where the name of a campaign, a table or a capture is
 * expected: the commonest slip. *error then says what subcommand takes, with NUCE_BAD_INPUT. */
int nuce_cli_is_sweep(const char *word, const char *subcommand, struct nuce_error *error);

/* Adds a row of as many texts as the grid has columns, which are copied; NULL for unknown. */
void nuce_cli_add(struct nuce_grid *grid, const char *const *cells);

/* Prints grid on stdout if status, that of making it, is NUCE_OK; frees it, whatever status is, so
 * it must be all zero or have been begun. *error is of status or of the printing. */
nuce_status nuce_cli_print(struct nuce_grid *grid, enum nuce_grid_format format, nuce_status status,
                           struct nuce_error *error);

#endif
