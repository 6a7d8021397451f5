/* What users may say to Slurm: in a sweep's `slurm:`, in a profile, behind `nuce submit ... --`.
 *
 * Keys are the long names of sbatch's options. nuce understands some of them itself (nodes, time,
 * ...: a row each in slurm_keys.c); others are passed on as they are; those that nuce must set
 * itself (job-name, output, array, ...) are refused. */
#ifndef NUCE_SLURM_KEYS_H
#define NUCE_SLURM_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

enum nuce_slurm_type {
    NUCE_SLURM_COUNT, /* a whole number of at least 1 */
    NUCE_SLURM_TIME,  /* minutes, minutes:seconds, hours:minutes:seconds, days-hours[:...] */
    NUCE_SLURM_FLAG,  /* true or false (yes, no) */
    NUCE_SLURM_TEXT,  /* one line */
};

struct nuce_slurm_key {
    const char *name; /* "ntasks-per-node" */
    enum nuce_slurm_type type;
    const char *help;
};

/* The keys that nuce understands itself, NULL-ended. */
extern const struct nuce_slurm_key nuce_slurm_keys[];

/* The row of that name, or NULL. */
const struct nuce_slurm_key *nuce_slurm_key_find(const char *name);

/* Checks one key and its value: NUCE_BAD_INPUT when the key is managed by nuce ("'job-name' is set
 * by nuce"), when it is no name of an option (small letters, digits and hyphens), when the value
 * is not of the row's type, or has a control character (a newline would end a line of the job
 * script). The message begins with the key. */
nuce_status nuce_slurm_check(const char *key, const char *value, struct nuce_error *error);

/* Seconds of a Slurm time ("90", "01:30:00", "2-00:00"); NUCE_BAD_INPUT for other texts, for 0 and
 * for "INFINITE" or "UNLIMITED", with which nothing can be packed. */
nuce_status nuce_slurm_time(const char *text, int64_t *seconds, struct nuce_error *error);

/* Checks count words given to sbatch by hand, as behind `--`: each is --name, --name=value, -xVALUE
 * or -x and its value as the next word. Refused with the option named: what nuce sets itself, also
 * abbreviated as getopt allows ("--job=x", "-Jx"), in clusters of short flags ("-HJx"), and any
 * word that sbatch would take for the job script. */
nuce_status nuce_slurm_check_words(const char *const *words, size_t count,
                                   struct nuce_error *error);

#endif
