/* nuce table: a table of the papers, our numbers next to theirs. Layout, query and the paper's
 * numbers belong to the plot (results/plot.h); the formats for programs have a row for each value
 * instead. */
#include <stdlib.h>

#include "base/message.h"
#include "campaigns/cli.h"
#include "commands/subcommand.h"
#include "results/plot.h"

/* environment and campaign: NULL: the newest, and all. */
struct table_arguments {
    const char *database, *environment, *campaign;
    int wide;
    enum nuce_grid_format format;
};

static const struct nuce_option options[] = {
    NUCE_CLI_DATABASE(struct table_arguments),   NUCE_CLI_ENVIRONMENT(struct table_arguments),
    NUCE_CLI_CAMPAIGN(struct table_arguments),   NUCE_CLI_WIDE(struct table_arguments),
    NUCE_CLI_FORMAT_ANY(struct table_arguments), {.name = NULL},
};

/* Tables in the order of the words; the first failure ends it, after the output so far. The
 * database is opened for each name, because a plot makes temporary tables in it. */
static nuce_status table_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct table_arguments *arguments = call->arguments;
    nuce_status status = NUCE_OK;

    for (int i = 0; status == NUCE_OK && i < call->count; i++) {
        struct nuce_plot_choice choice = {.environment = arguments->environment,
                                          .campaign = arguments->campaign,
                                          .is_wide = arguments->wide};
        struct nuce_store store = {.lock = -1};
        struct nuce_plot plot = {0};
        char *note = NULL;

        status =
            nuce_plot_read_or_campaign(call->texts[i], arguments->database, &choice, &plot, error);
        if (status == NUCE_OK)
            status = nuce_store_open_reading(arguments->database, &store, error);
        if (status == NUCE_OK)
            status = nuce_plot_print(&plot, &store, &choice, arguments->format, error);
        if (status == NUCE_OK)
            note = nuce_plot_note(call->texts[i], &choice);
        if (note != NULL)
            nuce_message_print(note);
        free(note);
        nuce_store_close(&store);
        nuce_plot_fini(&plot);
    }
    return status;
}

const struct nuce_subcommand nuce_subcommand_table = {
    .name = "table",
    .summary = "print a table, the paper's numbers beside ours",
    .about = "Print tables: measurements beside the paper's numbers, or the races of a campaign "
             "(for a sweep, its newest). csv and json have one row per value.",
    .examples = NUCE_EXAMPLES(
        {"nuce table exchange-table5", "print our numbers beside the paper's"},
        {"nuce table quick.1 --format latex", "print the races of a campaign as LaTeX"}),
    .operands = {.usage = "NAME...|CAMPAIGN...|SWEEP...",
                 .least = 1,
                 .most = -1,
                 .expected = "the NAME of a table: see 'nuce list figures'"},
    .options = options,
    .arguments_bytes = sizeof(struct table_arguments),
    .run = table_command,
};
