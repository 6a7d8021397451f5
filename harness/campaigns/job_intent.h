/* What a job was submitted to do (jobs/NNNN.json), and which job this is. */
#ifndef NUCE_INTENT_H
#define NUCE_INTENT_H

#include <jansson.h>

#include "campaigns/campaign.h"

/* Released with nuce_intent_fini. */
struct nuce_intent {
    char campaign[NUCE_PATH_BYTES]; /* absolute path of its folder */
    int number;                     /* of the submission */
    int task;                       /* of the array, 0 without one */
    char part[NUCE_PART_BYTES];     /* NNNN-K */
    char job[32], restart[16];      /* SLURM_JOB_ID and SLURM_RESTART_COUNT */
    json_t *description;            /* the file */
    const char **launcher;          /* words, NULL-ended; texts borrowed from description */
    char *hosts;                    /* path of NNNN.hosts, NULL: none */
    int in_step;                    /* started by hand in a step of the job */
};

/* Reads the intent of submission number, a text of digits, of the campaign in the current folder,
 * and this job from SLURM_JOB_ID, SLURM_RESTART_COUNT and SLURM_ARRAY_TASK_ID. NUCE_BAD_INPUT
 * outside a Slurm job. Freed with nuce_intent_fini. */
nuce_status nuce_intent_read(const char *number, struct nuce_intent *out, struct nuce_error *error);
void nuce_intent_fini(struct nuce_intent *intent);

/* Makes the environment for what is started from here: takes out the variables of the shell that
 * called sbatch, which Slurm hands on, and sets those of the profile's `set`, and SLURM_HOSTFILE.
 */
nuce_status nuce_intent_apply(struct nuce_intent *intent, struct nuce_error *error);

/* Writes what the ranks record about the launcher (--facts) to launches/LABEL.facts.json; *path is
 * a new string. NUCE_BAD_INPUT: a file of the profile's `describe` cannot be read here. */
nuce_status nuce_intent_write_facts(const struct nuce_intent *intent, const char *label,
                                    char **path, struct nuce_error *error);

#endif
