/* What `run` and `resume` do with mpiexec on this machine. */
#ifndef NUCE_LOCAL_H
#define NUCE_LOCAL_H

#include "launch/campaign.h"
#include "support/option.h"

struct nuce_local {
    const char *campaigns; /* folder */
    const char *mpiexec;
    const char *database;
};

/* --campaigns, --database and --mpiexec, of a struct nuce_local. */
extern const struct nuce_option nuce_local_options[];

/* Runs what is missing of campaign, prints the summary and collects the records; returns the exit
 * status. */
int nuce_local_main(const struct nuce_local *local, struct nuce_campaign *campaign);

#endif
