/* Shared by `run` and `submit`: further contenders for a finished campaign (--into). */
#ifndef NUCE_INTO_H
#define NUCE_INTO_H

#include "campaigns/config.h"

#define NUCE_INTO_OPTION(params)                                                                   \
    NUCE_OPTION(TEXT, "into", offsetof(params, into), NULL, "CAMPAIGN",                            \
                "campaign that the sweep's further contenders join: only they run, in a new "      \
                "campaign, with its reference and its fastest")

/* Leaves in the plan of config the points that the campaign called name, below the folder
 * campaigns, does not have. In a race that it has, its reference and its fastest stay too: the
 * database knows them. *campaign is the campaign's name, a new string. NUCE_BAD_INPUT: it ran in
 * another way than is_slurm says; the database lacks it; it has all the points; the references
 * differ. */
nuce_status nuce_into_keep(struct nuce_config *config, const char *campaigns, const char *name,
                           const char *database, int is_slurm, char **campaign,
                           struct nuce_error *error);

#endif
