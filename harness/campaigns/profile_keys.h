/* What users may say to Slurm: in a sweep's `slurm:`, in a profile, behind `nuce submit ... --`.
 *
 * Keys are the long names of sbatch's options. nuce understands some of them itself (nodes, time,
 * ...: a row each in profile_keys.c); others are passed on as they are; those that nuce must set
 * itself (job-name, output, array, ...) are refused. */
#ifndef NUCE_SLURM_KEYS_H
#define NUCE_SLURM_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "campaigns/sweep.h"

enum nuce_slurm_type {
    NUCE_SLURM_COUNT, /* a whole number of at least 1 */
    NUCE_SLURM_TIME,  /* minutes, minutes:seconds, hours:minutes:seconds, days-hours[:...] */
    NUCE_SLURM_FLAG,  /* true or false (yes, no) */
    NUCE_SLURM_HOSTS, /* the path of a file with a host a rank */
    NUCE_SLURM_TEXT,  /* one line, passed on */
};

struct nuce_slurm_key {
    const char *name; /* "ntasks-per-node" */
    enum nuce_slurm_type type;
    int64_t maximum;  /* of a COUNT; 0 in other rows */
    const char *help; /* one line for `nuce list keys` and for messages */
    size_t offset; /* in struct nuce_profile of what is not passed on; int64_t, or int of a FLAG */
};

/* The keys that nuce understands itself, NULL-ended. */
extern const struct nuce_slurm_key nuce_slurm_keys[];

/* The row of that name, or NULL. */
const struct nuce_slurm_key *nuce_slurm_key_find(const char *name);

/* Checks a key: NUCE_BAD_INPUT when it is managed by nuce ("'job-name' is set by nuce"), when it is
 * no name of an option (small letters, digits and hyphens), or when it is unknown and near to one
 * that nuce knows or the beginning of one ("unknown key 'ndoes' (did you mean 'nodes'?)"). Other
 * keys are good: which options there are only sbatch knows. */
nuce_status nuce_slurm_check_key(const char *key, struct nuce_error *error);

/* Checks one key and its value: NUCE_BAD_INPUT when the key is bad, and with a message that begins
 * with the key when the value is empty, not of the row's type, or has a control character (a
 * newline would end a line of the job script). */
nuce_status nuce_slurm_check(const char *key, const char *value, struct nuce_error *error);

/* The word for sbatch of a key that is passed on: "--key=value"; of one that nuce does not know
 * "--key" where the value is true, "" where it is false. A new string; NULL with *error. */
char *nuce_slurm_word(const char *key, const char *value);

/* What a COUNT or a FLAG (0 or 1) says; -1 for a text that is neither. The first takes what every
 * count of nuce is written as ("16", "16k"), with no limits of its own: nuce_slurm_check judges
 * those. */
int64_t nuce_slurm_count(const char *text);
int nuce_slurm_flag(const char *text);

/* NUCE_BAD_INPUT unless there is such a file of hosts. */
nuce_status nuce_slurm_check_hosts(const char *path, struct nuce_error *error);

/* Seconds of a Slurm time ("90", "01:30:00", "2-00:00"); NUCE_BAD_INPUT for other texts, for 0 and
 * for "INFINITE" or "UNLIMITED", with which nothing can be packed. */
nuce_status nuce_slurm_time(const char *text, int64_t *seconds, struct nuce_error *error);

/* Checks count words given to sbatch by hand, as behind `--`: each is --name=value or --name, so
 * that nobody needs to know which options take the next word for their value. Refused with the
 * option named: what nuce sets itself or has a key for, also abbreviated as getopt allows
 * ("--job=x"); control characters. */
nuce_status nuce_slurm_check_words(const char *const *words, size_t count,
                                   struct nuce_error *error);

/* How the mapping `slurm:` of a sweep is judged: nuce_sweep_parse takes it. What it says is said at
 * the line of the sweep; a host file that is missing is found while the sweep is read, not when a
 * job fails on it. */
extern const struct nuce_sweep_judge nuce_slurm_judge;

#endif
