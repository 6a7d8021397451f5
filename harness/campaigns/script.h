/* The arguments of sbatch, and the job script. User input never becomes shell text. The script's
 * body is constant (slurm/job.sh); the values are in its #SBATCH comment lines and, with higher
 * priority, in sbatch's argv.
 *
 * Slurm runs a copy of the script, so the script's own path is useless. It runs in the campaign's
 * folder (--chdir). It needs the number of the submission (the line number=NNNN above the body,
 * digits made by nuce) and the path of nuce-job (the one line of the file jobs/programs, read,
 * never evaluated). So `sbatch jobs/NNNN.sh` by hand, from any folder and in any environment, has
 * the same effect as nuce. */
#ifndef NUCE_SCRIPT_H
#define NUCE_SCRIPT_H

#include "campaigns/campaign.h"
#include "campaigns/packing.h"
#include "campaigns/profile.h"

/* The data of a script; all is borrowed. */
struct nuce_script_input {
    const char *campaign; /* absolute path of its folder */
    const char *name;     /* of the job (nuce_submission_name) */
    int number;           /* of the submission */
    const struct nuce_pack *pack;
    const struct nuce_profile *profile;
};

/* The words of `sbatch --parsable ...`, including the path of the script, jobs/NNNN.sh of the
 * campaign; the profile's `via` is in front. New reference: an array of strings; NULL with
 * *error. */
json_t *nuce_script_argv(const struct nuce_script_input *input, struct nuce_error *error);

/* The user's options for sbatch: those of the sweep and the profile, and the words after `--`. New
 * reference: an array of strings; NULL with *error. */
json_t *nuce_script_given(const struct nuce_profile *profile, struct nuce_error *error);

/* The text of the job script: the same options as #SBATCH lines, so that `sbatch SCRIPT` by hand
 * has the same effect, and the body, which becomes `nuce-job NNNN`. A new string; NULL with
 * *error. */
char *nuce_script_text(const struct nuce_script_input *input, struct nuce_error *error);

/* The words in front of the program that start ranks in a job: {"srun", "--mpi=pmi2", "-n", "8",
 * ...}. New reference: an array of strings; NULL with *error. */
json_t *nuce_script_launcher(const struct nuce_profile *profile, const struct nuce_pack *pack,
                             struct nuce_error *error);

/* One word in the notation of a #SBATCH line: "a \"b\"". Words of safe characters stay unchanged. A
 * new string; NULL with *error: NUCE_BAD_INPUT if it has a control character. */
char *nuce_script_directive(const char *word, struct nuce_error *error);

/* One word in the notation of a POSIX shell: 'it'\''s'. Words of safe characters stay unchanged. A
 * new string. Any bytes but NUL are allowed; a newline stays one, in quotes. */
char *nuce_script_quote(const char *word);

/* Shared by the files script*.c. */

/* The options of a submission in the order for sbatch, without --parsable. New reference: an array
 * of strings; NULL with *error. */
json_t *nuce_script_options(const struct nuce_script_input *input, struct nuce_error *error);

/* The hosts on the first `ranks` lines of the file at path: an array of strings, one per rank.
 * NUCE_BAD_INPUT naming file and line if a line is not a host name, or there are too few. New
 * reference; NULL with *error. */
json_t *nuce_script_rank_hosts(const char *path, int ranks, struct nuce_error *error);

/* The same, each host once, in the order of the file. New reference; NULL with *error. */
json_t *nuce_script_hosts(const char *path, int ranks, struct nuce_error *error);

/* Commands that nuce suggests. */

/* "nuce resume campaigns/quick.1", for subcommand "resume": quoted for a shell. It contains the
 * path of the campaign, so it is right for any --campaigns. A relative path is relative to the
 * current folder, so the command is right only there. A new string. */
char *nuce_script_advice(const struct nuce_campaign *campaign, const char *subcommand);

/* Folder of the programs for the nodes: the profile's, or that of nuce itself. A new string; NULL
 * with *error. */
char *nuce_script_programs(const struct nuce_profile *profile, struct nuce_error *error);

#endif
