/* Shared by `run` and `resume`: runs with mpiexec on this machine. */
#ifndef NUCE_RUN_LOCAL_H
#define NUCE_RUN_LOCAL_H

#include "base/option.h"
#include "campaigns/campaign.h"

/* The options of these two; the strings are borrowed from argv. */
struct nuce_local {
    const char *campaigns; /* folder */
    const char *mpiexec;   /* path or name of the MPI launcher */
    const char *database;  /* file that records are collected into */
    int in_step;           /* for doctor: it runs in a step of Slurm */
};

/* --campaigns, --database and --mpiexec, of a struct nuce_local. */
extern const struct nuce_option nuce_local_options[];

/* NUCE_BAD_INPUT if the results of campaign (NULL: a new one) could not be collected at the end; to
 * be called before the run. */
nuce_status nuce_local_check(const struct nuce_local *local, const struct nuce_campaign *campaign,
                             struct nuce_error *error);

/* Runs the missing points of campaign, prints the summary and collects the records, also after an
 * interrupt or a failure. Returns the exit status: 0 only if every point has all its wanted good
 * runs, and all lines were collected. */
int nuce_local_main(const struct nuce_local *local, struct nuce_campaign *campaign);

#endif
