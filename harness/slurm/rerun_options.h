/* What srun must be told outside of a job that sbatch was told. */
#ifndef NUCE_RERUN_OPTIONS_H
#define NUCE_RERUN_OPTIONS_H

#include "slurm/profile.h"

/* The options of the profile that choose account, partition and nodes, as words for srun in the
 * order in which sbatch got them. New reference: an array of texts; NULL with *error. */
json_t *nuce_rerun_options(const struct nuce_profile *profile, struct nuce_error *error);

#endif
