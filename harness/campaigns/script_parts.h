/* What the files script*.c share. */
#ifndef NUCE_SCRIPT_PARTS_H
#define NUCE_SCRIPT_PARTS_H

#include "campaigns/script.h"

/* The options of a submission in the order in which sbatch gets them, without --parsable. New
 * reference: an array of texts; NULL with *error. */
json_t *nuce_script_options(const struct nuce_script_input *input, struct nuce_error *error);

/* The variables of the caller's environment that the profile names, sorted, with commas between:
 * the value of sbatch --export. A new string; NULL with *error. */
char *nuce_script_environment(const struct nuce_profile *profile, struct nuce_error *error);

/* The hosts on the first `ranks` lines of the file at path: an array of texts, one a rank.
 * NUCE_BAD_INPUT naming file and line if a line is no host name, or there are too few. New
 * reference; NULL with *error. */
json_t *nuce_script_rank_hosts(const char *path, int ranks, struct nuce_error *error);

/* The same, each host once, in that order. New reference; NULL with *error. */
json_t *nuce_script_hosts(const char *path, int ranks, struct nuce_error *error);

#endif
