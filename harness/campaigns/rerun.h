/* The command that runs one point again by hand. */
#ifndef NUCE_RERUN_H
#define NUCE_RERUN_H

#include "campaigns/campaign.h"
#include "campaigns/profile.h"

/* One line for a shell, every word quoted: the launcher, its words and variables, and the program
 * with all parameters of the point and of its measurement. With a profile the launcher is its
 * mpiexec, or its srun. srun gets the job's nodes, ranks per node, partition, account and other
 * options, so that it also requests nodes outside of a job. profile NULL: mpiexec, for a campaign
 * that ran here. A new string; NULL with *error. The measurement is as good as the point's, but it
 * runs outside its race and so has no noise: look at its time, but do not compare it. */
char *nuce_rerun_line(const struct nuce_profile *profile, const struct nuce_campaign_point *point,
                      struct nuce_error *error);

#endif
