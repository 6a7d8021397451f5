/* Shared by `submit` and `resume`: their use of Slurm, with messages for the user. */
#ifndef NUCE_SLURM_JOBS_H
#define NUCE_SLURM_JOBS_H

#include "campaigns/campaign.h"
#include "campaigns/config.h"
#include "campaigns/submit.h"

/* The settings for submitting a sweep with that `slurm:` (NULL: none). Later ones win: the profile
 * called name (as for nuce_profile_load), then the sweep's own keys, then the words after `--`
 * (NULL-ended; NULL: none). Prints the file's mistakes on stderr. Freed with nuce_profile_fini,
 * whatever the status. */
nuce_status nuce_slurm_profile(const char *name, const json_t *slurm, const char *const *words,
                               struct nuce_profile *out, struct nuce_error *error);

/* Reads the sweep called config (as for nuce_config_load) for that profile: its MPI libraries are
 * checked against the builds next to the profile's programs. Prints the mistakes of either file.
 * Freed with nuce_config_fini, whatever the status. */
nuce_status nuce_slurm_config(const char *config, const char *profile, struct nuce_config *out,
                              struct nuce_error *error);

/* Removes the variables that describe this shell's place (campaigns/submit.h), before sbatch is
 * called. */
void nuce_slurm_leave_shell(const struct nuce_profile *profile);

/* Waits for Slurm to answer; NUCE_FAILED with its message if it does not. */
nuce_status nuce_slurm_answers(const struct nuce_profile *profile, struct nuce_error *error);

/* Submits the missing points of campaign and prints the summary on stdout. Returns the exit status:
 * 75 when points wait for room in Slurm's limits, or for jobs that are ending, so that resume must
 * be called again. */
int nuce_slurm_submit(struct nuce_campaign *campaign, const struct nuce_profile *profile);

/* The user's settings for submitting jobs from now on; NULL: as before. */
struct nuce_slurm_wish {
    const char *profile;      /* as for nuce_profile_load */
    const char *const *words; /* after `--`, NULL-ended */
};

/* The same for a campaign submitted before: with the profile of its last submission, unless wish
 * gives another. */
int nuce_slurm_resume(struct nuce_campaign *campaign, const struct nuce_slurm_wish *wish);

/* Records the runs that died with ended jobs of the campaigns below folder (of the one called name,
 * if it is not NULL), before their records are collected; reports unresolved cases. */
void nuce_slurm_settle(const char *folder, const char *name);

#endif
