/* The command that runs one point again by hand. */
#ifndef NUCE_RERUN_H
#define NUCE_RERUN_H

#include "campaign.h"

/* One line for a shell, every word quoted: the launcher that the campaign uses (srun or mpiexec
 * with the profile's words and variables; mpiexec for one that ran here) and the program with all
 * parameters of the point and of its measurement. A new string; NULL with *error. */
char *nuce_rerun_line(const struct nuce_campaign *campaign, const struct nuce_campaign_point *point,
                      struct nuce_error *error);

#endif
