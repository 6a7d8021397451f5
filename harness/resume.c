/* nuce resume: what is missing of a campaign. */
#include "cli.h"
#include "local.h"
#include "slurm_jobs.h"
#include "subcommand.h"

struct arguments {
    struct nuce_local local;
    const char *campaign; /* NULL: the newest */
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->local;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->campaign != NULL)
            argp_error(state, "'%s': expected one CAMPAIGN", value);
        arguments->campaign = value;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&nuce_local_argp, 0, NULL, 0},
    {0           },
};

static int run(int argc, char **argv)
{
    static const struct argp argp = {
        NULL,
        parse,
        "[CAMPAIGN]",
        "Runs the points of CAMPAIGN that have no good run yet: here, or as Slurm jobs if it was "
        "submitted; what is in a job that waits or runs stays there. CAMPAIGN is the name of a "
        "folder below --campaigns, or a path; the newest if not given.",
        children,
        NULL,
        NULL};
    struct arguments arguments = {.campaign = NULL};
    struct nuce_campaign campaign;
    struct nuce_error error;
    int status;

    (void)argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    if (nuce_campaign_open(arguments.local.campaigns, arguments.campaign, NUCE_CAMPAIGN_RUN,
                           &campaign, &error) != NUCE_OK)
        return nuce_report_error(&error);
    status = nuce_campaign_is_slurm(&campaign) ? nuce_cli_finish(nuce_slurm_resume(&campaign))
                                               : nuce_local_main(&arguments.local, &campaign);
    nuce_campaign_fini(&campaign);
    return status;
}

const struct nuce_subcommand nuce_subcommand_resume = {
    .name = "resume", .summary = "run what is missing of a campaign", .run = run};
