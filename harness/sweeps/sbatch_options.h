/* The options that sbatch knows (of Slurm 17.11 to 24.11, as its manual pages and `sbatch --help`
 * list them), and which of them nuce keeps to itself. */
#ifndef NUCE_SBATCH_OPTIONS_H
#define NUCE_SBATCH_OPTIONS_H

enum nuce_sbatch_value {
    NUCE_SBATCH_NONE,     /* a flag */
    NUCE_SBATCH_OPTIONAL, /* --name or --name=value, never two words */
    NUCE_SBATCH_REQUIRED, /* --name=value or --name value */
};

struct nuce_sbatch_option {
    const char *name;
    char letter; /* of its short form; 0: none */
    enum nuce_sbatch_value value;
    const char *refused; /* why users may not give it, to be read behind its name; NULL: they may */
};

/* Ends with a row whose name is NULL. */
extern const struct nuce_sbatch_option nuce_sbatch_options[];

/* The row of that name or letter, or NULL. */
const struct nuce_sbatch_option *nuce_sbatch_find(const char *name);
const struct nuce_sbatch_option *nuce_sbatch_find_letter(char letter);

#endif
