/* nuce collect: from the record files of campaigns to the database. */
#include <argp.h>
#include <string.h>

#include "campaigns/gather.h"
#include "campaigns/slurm_jobs.h"
#include "commands/subcommand.h"

struct arguments {
    char *campaign; /* NULL: all */
    const char *database, *campaigns;
};

static const struct argp_option options[] = {
    {"database", 'd', "FILE", 0, "database (default: nuce.db)", 0},
    {"campaigns", 'c', "DIR", 0, "folder of campaigns (default: campaigns)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case 'd':
        arguments->database = text;
        return 0;
    case 'c':
        arguments->campaigns = text;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            return ARGP_ERR_UNKNOWN;
        arguments->campaign = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* DIR/NAME, as other subcommands take it and print it, is NAME in the folder DIR. */
static void split_path(struct arguments *arguments)
{
    char *path = arguments->campaign, *slash;
    size_t length = path != NULL ? strlen(path) : 0;

    while (length > 1 && path[length - 1] == '/')
        path[--length] = '\0';
    slash = path != NULL ? strrchr(path, '/') : NULL;
    if (slash == NULL)
        return;
    *slash = '\0';
    arguments->campaigns = slash == path ? "/" : path;
    arguments->campaign = slash + 1;
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options,
                                     parse,
                                     "[CAMPAIGN]",
                                     "Reads the record files of one campaign, or of all, into the "
                                     "database. CAMPAIGN is the name of a folder below "
                                     "--campaigns, or a path. Collecting again changes nothing."
                                     "\vExit status 1 if a line could not be collected; the others "
                                     "were.",
                                     NULL,
                                     NULL,
                                     NULL};
    struct arguments arguments = {.database = "nuce.db", .campaigns = "campaigns"};

    if (argp_parse(&argp, argc, argv, 0, NULL, &arguments) != 0)
        return 2;
    split_path(&arguments);
    nuce_slurm_settle(arguments.campaigns, arguments.campaign);
    return nuce_gather(arguments.database, arguments.campaigns, arguments.campaign);
}

const struct nuce_subcommand nuce_subcommand_collect = {
    .name = "collect",
    .summary = "read the records of campaigns into the database",
    .run = run,
};
