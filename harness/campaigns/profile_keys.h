/* The options that users may give to Slurm: in a sweep's `slurm:`, in a profile, after `nuce submit
 * ... --`.
 *
 * Keys are the long names of sbatch's options. nuce understands some of them itself (nodes, time,
 * ...: a row each in profile_keys.c). It passes others on unchanged, and refuses those that it must
 * set itself (job-name, output, array, ...). */
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
    NUCE_SLURM_HOSTS, /* the path of a file with one host per rank */
    NUCE_SLURM_TEXT,  /* one line, passed on */
};

struct nuce_slurm_key {
    const char *name; /* "ntasks-per-node" */
    enum nuce_slurm_type type;
    int64_t maximum;  /* of a COUNT; 0 in other rows */
    const char *help; /* one line for `nuce list keys` and for messages */
    size_t offset; /* member of struct nuce_profile for a key that is not passed on; int64_t, or int
                      for a FLAG */
};

/* The keys that nuce understands itself, NULL-ended. */
extern const struct nuce_slurm_key nuce_slurm_keys[];

/* The row with that name, or NULL. */
const struct nuce_slurm_key *nuce_slurm_key_find(const char *name);

/* True for an option of sbatch that is similar to one of nuce's keys, and no typing error. */
int nuce_slurm_is_lookalike(const char *name);

/* Checks a key. NUCE_BAD_INPUT in three cases. nuce sets it ("'job-name' is set by nuce"). It is
 * not the name of an option (small letters, digits and hyphens). It is unknown but similar to one
 * of nuce's keys, or the beginning of one ("unknown key 'ndoes' (did you mean 'nodes'?)"). Other
 * keys are accepted, because only sbatch knows all options. */
nuce_status nuce_slurm_check_key(const char *key, struct nuce_error *error);

/* Checks one key and its value. NUCE_BAD_INPUT when the key is bad. A message that begins with the
 * key reports a bad value: empty, not of the row's type, or with a control character. A newline
 * would end a line of the job script. */
nuce_status nuce_slurm_check(const char *key, const char *value, struct nuce_error *error);

/* The word for sbatch of a key that is passed on: "--key=value". For a key unknown to nuce, "--key"
 * if the value is true, "" if it is false. A new string; NULL with *error. */
char *nuce_slurm_word(const char *key, const char *value);

/* The value of a COUNT or a FLAG (0 or 1); -1 for other texts. nuce_slurm_count reads counts in
 * nuce's usual form ("16", "16k") and applies no limits: nuce_slurm_check does. */
int64_t nuce_slurm_count(const char *text);
int nuce_slurm_flag(const char *text);

/* NUCE_BAD_INPUT unless that file of hosts exists. */
nuce_status nuce_slurm_check_hosts(const char *path, struct nuce_error *error);

/* Seconds of a Slurm time ("90", "01:30:00", "2-00:00"). NUCE_BAD_INPUT for other texts, for 0, and
 * for "INFINITE" or "UNLIMITED", which give no length to pack jobs to. */
nuce_status nuce_slurm_time(const char *text, int64_t *seconds, struct nuce_error *error);

/* Checks count words given to sbatch by hand, as after `--`. Each is --name=value or --name, so
 * that nuce need not know which options take the next word as their value. Refuses, naming the
 * option: options that nuce sets or has a key for, also abbreviated as getopt allows ("--job=x");
 * control characters. */
nuce_status nuce_slurm_check_words(const char *const *words, size_t count,
                                   struct nuce_error *error);

/* Checks the mapping `slurm:` of a sweep, for nuce_sweep_parse. Its messages show the line of the
 * sweep. A missing host file is reported when the sweep is read, not when a job fails on it. */
extern const struct nuce_sweep_judge nuce_slurm_judge;

#endif
