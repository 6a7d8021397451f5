/* nuce collect: from the record files of campaigns to the database. */
#include "collect.h"

#include <argp.h>
#include <stdio.h>

#include "report.h"
#include "subcommand.h"

struct arguments {
    const char *campaign, *database, *campaigns;
};

static const struct argp_option options[] = {
    {"database",                     'd', "FILE", 0, "database (default: nuce.db)", 0},
    {"campaigns",                        'c', "DIR", 0, "folder of campaigns (default: campaigns)", 0},
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

static void print_report(void *context, const char *message)
{
    (void)context;
    nuce_report_line(message);
}

static void print_counts(const struct nuce_collect_counts *counts, const char *database)
{
    (void)fprintf(stderr,
                  "nuce: %lld campaigns, %lld record files (%lld unchanged), %lld runs new, %lld "
                  "known, %lld files torn, %lld bad lines -> %s\n",
                  (long long)counts->campaigns, (long long)counts->files,
                  (long long)counts->skipped, (long long)counts->added, (long long)counts->known,
                  (long long)counts->torn, (long long)counts->bad, database);
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options,
                                     parse,
                                     "[CAMPAIGN]",
                                     "Read the record files of one campaign, or of all, into the "
                                     "database. Collecting again changes nothing."
                                     "\vExit status 1 if a line could not be collected; the others "
                                     "were.",
                                     NULL,
                                     NULL,
                                     NULL};
    struct arguments arguments = {.database = "nuce.db", .campaigns = "campaigns"};
    struct nuce_store store = {.lock = -1};
    struct nuce_collect collect = {.store = &store, .report = print_report};
    struct nuce_error error;
    nuce_status status;

    if (argp_parse(&argp, argc, argv, 0, NULL, &arguments) != 0)
        return 2;
    collect.campaigns = arguments.campaigns;
    status = nuce_store_open_writing(arguments.database, &store, &error);
    if (status == NUCE_OK)
        status = nuce_collect(&collect, arguments.campaign, &error);
    if (status == NUCE_OK)
        status = nuce_store_commit(&store, &error);
    nuce_store_close(&store);
    if (status != NUCE_OK)
        return nuce_report_error(&error);
    print_counts(&collect.counts, arguments.database);
    return collect.counts.bad > 0 ? 1 : 0;
}

const struct nuce_subcommand nuce_subcommand_collect = {
    .name = "collect",
    .summary = "read the records of campaigns into the database",
    .run = run,
};
