/* What `run` and `resume` do with mpiexec on this machine. */
#ifndef NUCE_LOCAL_H
#define NUCE_LOCAL_H

#include <argp.h>

#include "launch/campaign.h"

struct nuce_local {
    const char *campaigns; /* folder */
    const char *mpiexec;
    const char *database;
};

/* --campaigns, --database and --mpiexec; input is a struct nuce_local, which it fills with the
 * defaults first. */
extern const struct argp nuce_local_argp;

/* Runs what is missing of campaign, prints the summary and collects the records; returns the exit
 * status. */
int nuce_local_main(const struct nuce_local *local, struct nuce_campaign *campaign);

#endif
