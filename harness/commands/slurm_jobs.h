/* What `submit` and `resume` do with Slurm, with their words for the user. */
#ifndef NUCE_SLURM_JOBS_H
#define NUCE_SLURM_JOBS_H

#include "campaigns/campaign.h"
#include "campaigns/config.h"
#include "campaigns/submit.h"

/* How a sweep with that `slurm:` (NULL: none) is submitted: what is said later wins, the profile
 * called name (as for nuce_profile_load), then the sweep's own keys, then the words behind `--`
 * (NULL-ended; NULL: none). Prints on stderr what is wrong with the file. Freed with
 * nuce_profile_fini, whatever the status. */
nuce_status nuce_slurm_profile(const char *name, const json_t *slurm, const char *const *words,
                               struct nuce_profile *out, struct nuce_error *error);

/* Reads the sweep called config (as for nuce_config_load) for that profile: what it says of MPI
 * libraries is checked against the builds beside the profile's programs. Prints what is wrong with
 * either file. Freed with nuce_config_fini, whatever the status. */
nuce_status nuce_slurm_config(const char *config, const char *profile, struct nuce_config *out,
                              struct nuce_error *error);

/* Leaves behind what says where this shell is (campaigns/submit.h), before sbatch is called. */
void nuce_slurm_leave_shell(const struct nuce_profile *profile);

/* Waits for Slurm to answer; NUCE_FAILED with what it says if it does not. */
nuce_status nuce_slurm_answers(const struct nuce_profile *profile, struct nuce_error *error);

/* Submits what is missing of campaign, prints the summary on stdout; returns the exit status: 75
 * when points wait for room in Slurm's limits, or for jobs that are ending, so that resume is to be
 * called again. */
int nuce_slurm_submit(struct nuce_campaign *campaign, const struct nuce_profile *profile);

/* How the user wants jobs to be submitted from now on; NULL: as before. */
struct nuce_slurm_wish {
    const char *profile;      /* as for nuce_profile_load */
    const char *const *words; /* behind `--`, NULL-ended */
};

/* The same for a campaign that was submitted before: with the profile of its last submission,
 * unless wish says otherwise. */
int nuce_slurm_resume(struct nuce_campaign *campaign, const struct nuce_slurm_wish *wish);

/* Records what died with jobs of the campaigns below folder (of the one called name, if it is not
 * NULL) that have ended, before their records are collected; says what it could not find out. */
void nuce_slurm_settle(const char *folder, const char *name);

#endif
