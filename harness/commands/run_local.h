/* What `run` and `resume` do with mpiexec on this machine. */
#ifndef NUCE_RUN_LOCAL_H
#define NUCE_RUN_LOCAL_H

#include "base/option.h"
#include "campaigns/campaign.h"

/* What the options of these two say; the strings are borrowed from argv. */
struct nuce_local {
    const char *campaigns; /* folder */
    const char *mpiexec;   /* path or name of the MPI launcher */
    const char *database;  /* file that records are collected into */
    int in_step;           /* of doctor: it runs in a step of Slurm */
};

/* --campaigns, --database and --mpiexec, of a struct nuce_local. */
extern const struct nuce_option nuce_local_options[];

/* NUCE_BAD_INPUT where what is measured could not be collected in the end: for before it is run. */
nuce_status nuce_local_check(const struct nuce_local *local, struct nuce_error *error);

/* Runs what is missing of campaign, prints the summary and collects the records, also when it was
 * interrupted or failed; returns the exit status: 0 only if every point has as many good runs as
 * are wanted, and all lines were collected. */
int nuce_local_main(const struct nuce_local *local, struct nuce_campaign *campaign);

#endif
