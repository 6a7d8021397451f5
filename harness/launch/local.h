/* The local launcher: mpiexec on this machine, several points a launch. */
#ifndef NUCE_LOCAL_H
#define NUCE_LOCAL_H

#include <argp.h>
#include <stdint.h>

#include "campaign.h"
#include "progress.h"

struct nuce_local {
    const char *campaigns; /* folder */
    const char *mpiexec;
    const char *database;
};

/* --campaigns, --database and --mpiexec; input is a struct nuce_local, which it fills with the
 * defaults first.
 */
extern const struct argp nuce_local_argp;

/* Runs every point of campaign that has no run with status ok, each at most once; messages and
 * progress go to stderr. What the kernels could not record themselves (the point in flight when a
 * rank died) is recorded here. NUCE_OK when every missing point has had its run, whatever became of
 * it; NUCE_INTERRUPTED on INT, TERM, HUP, or when the launcher was killed; NUCE_BAD_INPUT when the
 * kernel refused its input; NUCE_FAILED when nothing can be run. No process is left behind. */
nuce_status nuce_local_run(const struct nuce_local *local, struct nuce_campaign *campaign,
                           struct nuce_error *error);

/* nuce_local_run, then what `run` and `resume` say at their end; returns the exit status. */
int nuce_local_main(const struct nuce_local *local, struct nuce_campaign *campaign);

#endif
