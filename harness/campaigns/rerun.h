/* The command that runs one point again by hand. */
#ifndef NUCE_RERUN_H
#define NUCE_RERUN_H

#include "campaigns/campaign.h"
#include "campaigns/profile.h"

/* One line for a shell, every word quoted: the launcher that profile says (srun, with the nodes and
 * ranks per node, the partition, the account and other options that the job had, so that it also
 * asks for nodes outside of one; or mpiexec), its words and variables; or mpiexec where profile is
 * NULL, for a campaign that ran here; and the program with all parameters of the point and of its
 * measurement. A new string; NULL with *error. The measurement is as good as the point's, but its
 * place in a heat is not: it has no control, so its time is to be looked at, not compared. */
char *nuce_rerun_line(const struct nuce_profile *profile, const struct nuce_campaign_point *point,
                      struct nuce_error *error);

#endif
