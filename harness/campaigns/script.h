/* What sbatch is called with, and the job script. Nothing that a user wrote becomes shell text: the
 * script's body is constant (slurm/job.sh), the values stand in its #SBATCH comment lines and, with
 * more weight, in sbatch's argv.
 *
 * Slurm runs a copy of the script, so its own place says nothing. It runs in the campaign's folder
 * (--chdir), and needs two things more: which submission it is (the line number=NNNN above the
 * body, digits that nuce made) and where nuce-job is (the one line of the file jobs/programs, read,
 * never evaluated). So `sbatch jobs/NNNN.sh` by hand, from any folder and in any environment, does
 * what nuce did. */
#ifndef NUCE_SCRIPT_H
#define NUCE_SCRIPT_H

#include "campaigns/campaign.h"
#include "campaigns/packing.h"
#include "campaigns/profile.h"

/* What a script is made of; all is borrowed. */
struct nuce_script_input {
    const char *campaign; /* absolute path of its folder */
    const char *name;     /* of the job (nuce_submission_name) */
    int number;           /* of the submission */
    const struct nuce_pack *pack;
    const struct nuce_profile *profile;
};

/* The words of `sbatch --parsable ...` up to and with the path of the script, jobs/NNNN.sh of the
 * campaign; with the profile's `via` in front. New reference: an array of texts; NULL with *error.
 */
json_t *nuce_script_argv(const struct nuce_script_input *input, struct nuce_error *error);

/* What users say to sbatch: the options of the sweep and the profile, and the words for it. New
 * reference: an array of texts; NULL with *error. */
json_t *nuce_script_given(const struct nuce_profile *profile, struct nuce_error *error);

/* The text of the job script: the same options as #SBATCH lines, so that `sbatch SCRIPT` by hand
 * does the same, and the body, which becomes `nuce-job NNNN`. A new string; NULL with *error. */
char *nuce_script_text(const struct nuce_script_input *input, struct nuce_error *error);

/* What a job starts ranks with, in front of the program: {"srun", "--mpi=pmi2", "-n", "8", ...}.
 * New reference: an array of texts; NULL with *error. */
json_t *nuce_script_launcher(const struct nuce_profile *profile, const struct nuce_pack *pack,
                             struct nuce_error *error);

/* One word as sbatch reads it back from a #SBATCH line: "a \"b\"". Words of safe characters stay as
 * they are. A new string; NULL with *error: NUCE_BAD_INPUT if it has a control character. */
char *nuce_script_directive(const char *word, struct nuce_error *error);

/* One word as a POSIX shell reads it back: 'it'\''s'. Words of safe characters stay as they are. A
 * new string. Any bytes but NUL can stand in it; a newline stays one, in quotes. */
char *nuce_script_quote(const char *word);

/* What the files script*.c share. */

/* The options of a submission in the order in which sbatch gets them, without --parsable. New
 * reference: an array of texts; NULL with *error. */
json_t *nuce_script_options(const struct nuce_script_input *input, struct nuce_error *error);

/* The hosts on the first `ranks` lines of the file at path: an array of texts, one a rank.
 * NUCE_BAD_INPUT naming file and line if a line is no host name, or there are too few. New
 * reference; NULL with *error. */
json_t *nuce_script_rank_hosts(const char *path, int ranks, struct nuce_error *error);

/* The same, each host once, in that order. New reference; NULL with *error. */
json_t *nuce_script_hosts(const char *path, int ranks, struct nuce_error *error);

/* Commands that nuce suggests. */

/* "nuce resume campaigns/quick.1", for subcommand "resume": fit for a shell, and right for any
 * --campaigns, since the path of the campaign is in it. A relative path is relative to the current
 * folder, so the command is right only there. A new string. */
char *nuce_script_advice(const struct nuce_campaign *campaign, const char *subcommand);

/* Folder of the programs for the nodes: what profile says, or where nuce itself is. A new string;
 * NULL with *error. */
char *nuce_script_programs(const struct nuce_profile *profile, struct nuce_error *error);

#endif
