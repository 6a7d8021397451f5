/* slurm: the ranks on the nodes of a job, started by nuce-job, the job's batch step.
 *
 * Command: the profile's own words (srun with its options, or mpiexec), in which {ranks} is
 * replaced by the rank count. Limits: a node may die at any time, even before a point has begun. */
#include "campaigns/launcher.h"

/* Maximum number of consecutive retries after starts that died before a point had begun. */
#define MOST_RETRIES 2

/* The words were made when the job was submitted (nuce_script_launcher) and are in its intent. */
static nuce_status open_slurm(struct nuce_launcher *launcher, const struct nuce_campaign *campaign,
                              const char *const *starter, struct nuce_error *error)
{
    (void)campaign;
    return nuce_launcher_take(launcher, starter, error);
}

const struct nuce_launcher_ops nuce_launcher_slurm = {
    .name = "slurm",
    .summary = "submitted to Slurm",
    .kind = "measured",
    .caps = NUCE_LAUNCHER_MEASURES | NUCE_LAUNCHER_SUBMITS,
    .retries = MOST_RETRIES,
    .open = open_slurm,
};
