/* Starting ranks, with mpiexec or srun: several points a launch, and again after a launch that
 * died. */
#ifndef NUCE_LAUNCHER_H
#define NUCE_LAUNCHER_H

#include "launch/campaign.h"

/* In nuce_launcher.command the word that stands for the rank count. */
#define NUCE_LAUNCHER_RANKS "{ranks}"

struct nuce_launcher {
    const char *const *command; /* words in front of the program, NULL-ended */
    const char *programs;       /* folder of the programs; NULL: that of the running one */
    const char *modeller;       /* program that models the points, as `MODELLER points`; NULL: the
                                   workload's own program measures them */
    const char *facts, *hosts;  /* for --facts and --hosts; NULL: none */
    const char *label;          /* launches are called LABEL-0, LABEL-1, ...; NULL: numbered */
    const char *again;          /* command that goes on later, for messages */
    int most_points;            /* of a launch; 0: all of one rank count and program */
    int retries;  /* launches in a row that may die before a point has begun, as they do on a node
                     that is just going down or coming up */
    int *stopped; /* set to 1 when a signal asked to stop; may be NULL */
};

/* Runs every point of campaign that has no run with status ok and is not marked attempted, each at
 * most once; messages and progress go to stderr. What the programs could not record themselves (the
 * point in flight when a rank died) is recorded here. NUCE_OK when every missing point has had its
 * run, whatever became of it; NUCE_INTERRUPTED on INT, TERM, HUP or USR1, or when the launcher was
 * killed; NUCE_BAD_INPUT when the program refused its input; NUCE_FAILED when nothing can be run.
 * No process is left behind. */
nuce_status nuce_launcher_run(const struct nuce_launcher *launcher, struct nuce_campaign *campaign,
                              struct nuce_error *error);

#endif
