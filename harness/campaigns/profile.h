/* How jobs are submitted and ranks are started on one cluster: a profile (YAML, slurm/profiles/),
 * overridden by a sweep's `slurm:`.
 *
 *   launcher: srun            or mpiexec, or the path of one of them (a name that begins with
 *                             mpiexec takes mpiexec's options): starts the ranks of a job
 *   mpi: pmi2                 srun --mpi=...
 *   launcher-options: [--cpu-bind=cores]     more words for the launcher, before the program
 *   via: ../virtual/cluster   put in front of sbatch, squeue, scancel, scontrol
 *   programs: ../bin          folder of nuce-job, nuce-exchange, ... for the nodes; default: that
 *                             of nuce itself
 *   environment: [PATH, UCX_*]     variables of the submitter that a job gets (sbatch --export);
 *                             a trailing * matches the rest
 *   set: {UCX_TLS: tcp}       variables set in the job
 *   modules: [mpich/4.1]      loaded in the job before its ranks start
 *   prologue: [ulimit -l unlimited]     lines of sh that run there after the modules
 *   describe: links.txt       or a list: files with facts about the machine that Slurm lacks; their
 *                             content is part of the environment
 *   sbatch: [--nice=10]       more words for sbatch; options that nuce sets are refused
 *   partition: batch          and every other key of profile_keys.h, as in a sweep's `slurm:`
 *
 * A path is relative to the profile's folder; a launcher or via without a slash is searched in
 * PATH. */
#ifndef NUCE_PROFILE_H
#define NUCE_PROFILE_H

#include <jansson.h>
#include <stdint.h>

#include "campaigns/shipped.h"
#include "campaigns/yaml_file.h"

/* The settings for requesting jobs and starting ranks, with every default filled in: the lists and
 * objects are never NULL, but may be empty. Strings and JSON values are owned. */
struct nuce_profile {
    char *path;                    /* of the file found; NULL: built-in defaults */
    char *via;                     /* NULL: Slurm's programs are called directly */
    char *programs;                /* absolute folder; NULL: that of nuce itself */
    char *launcher;                /* "srun" */
    char *mpi;                     /* NULL: not given */
    char *hosts;                   /* `hostfile`: path of a file with one host per rank, for
                                      --distribution=arbitrary; NULL: Slurm places the ranks */
    int64_t nodes, tasks_per_node; /* 0: not given */
    int64_t concurrent;            /* maximum number of a campaign's jobs at one time; 0: no
                                      limit */
    int64_t time_s;                /* of a job; 0: not given */
    int64_t warning_s;             /* from the signal to stop to the time limit (60) */
    int exclusive;                 /* whole nodes (the default) */
    int requeue;                   /* a job that lost a node restarts by itself (no) */
    json_t *environment;           /* array of names and patterns; never a SLURM_ variable */
    json_t *set;                   /* object: variable -> string, in the order of the file */
    json_t *modules;               /* array of names for `module load` */
    json_t *prologue;              /* array of lines of sh, as the user wrote them */
    json_t *describe;              /* array of absolute paths, read when a job starts */
    json_t *options; /* object: sbatch option -> string, passed on: partition, account, ... */
    json_t *sbatch;  /* array of strings */
    json_t *words;   /* array of strings: the words after `--` */
    json_t *launcher_options; /* array of strings */
};

/* The profiles shipped with nuce. */
extern const struct nuce_shipped nuce_profile_shipped;

/* Parses `length` bytes at text, a profile; problems holds its path. Adds every mistake to
 * problems. Fills *out only without mistakes; freed with nuce_profile_fini. */
void nuce_profile_parse(const char *text, size_t length, struct nuce_profile *out,
                        struct nuce_problems *problems);

/* Reads the profile that the user calls name: a file, or NAME for a shipped
 * slurm/profiles/NAME.yaml; NULL: the defaults. On NUCE_BAD_INPUT because of the file's content,
 * *problems holds every mistake and borrows out->path, which stays. Free both, whatever the status,
 * with nuce_profile_fini and nuce_problems_fini. */
nuce_status nuce_profile_load(const char *name, struct nuce_profile *out,
                              struct nuce_problems *problems, struct nuce_error *error);

/* The same for jobs of an existing campaign. Keys that the file lacks come from the sweep's
 * `slurm:`, an object as for nuce_profile_merge. */
nuce_status nuce_profile_load_over(const char *name, const json_t *slurm, struct nuce_profile *out,
                                   struct nuce_problems *problems, struct nuce_error *error);

/* Replaces the profile's words after `--` by words (NULL-ended). NUCE_BAD_INPUT as from
 * nuce_slurm_check_words. The profile then keeps its former words; if a word is not UTF-8, it has
 * the words before that one. */
nuce_status nuce_profile_set_words(struct nuce_profile *profile, const char *const *words,
                                   struct nuce_error *error);

/* Applies a sweep's `slurm:` (object of strings, already checked with nuce_slurm_check; NULL:
 * nothing). Its keys override the profile's. A relative `hostfile` is relative to the current
 * folder, unlike that of a profile, which is relative to the profile's folder. On failure some keys
 * may be applied: the caller discards the profile. */
nuce_status nuce_profile_merge(struct nuce_profile *profile, const json_t *slurm,
                               struct nuce_error *error);

/* Frees all members; *profile is all zeros then, and may be freed again. */
void nuce_profile_fini(struct nuce_profile *profile);

/* Converts a profile to an object and back. A campaign keeps the object, so that `resume` submits
 * as `submit` did, even if the file changes. New reference / freed with nuce_profile_fini. An older
 * nuce or a user may have written the object. NUCE_BAD_INPUT names a member that has another type,
 * or is missing although required; *out then stays unchanged. */
json_t *nuce_profile_to_json(const struct nuce_profile *profile, struct nuce_error *error);
nuce_status nuce_profile_from_json(const json_t *object, struct nuce_profile *out,
                                   struct nuce_error *error);

/* Shared by the files profile*.c. */

/* The members of a profile, a row each, by which profiles are parsed, freed, written and read back.
 * A key of profile_keys.h has no row here: that table names the member that it sets. */
struct nuce_profile_member {
    const char *name; /* in JSON */
    enum {
        NUCE_PROFILE_TEXT,     /* char *, owned, NULL: not given */
        NUCE_PROFILE_REQUIRED, /* char *, owned, never NULL */
        NUCE_PROFILE_WHOLE,    /* int64_t, at least 0 */
        NUCE_PROFILE_FLAG,     /* int */
        NUCE_PROFILE_LIST,     /* json_t *, an array of strings */
        NUCE_PROFILE_OBJECT,   /* json_t *, an object of strings */
    } type;
    size_t offset; /* in struct nuce_profile */
    /* In the YAML of a profile; NULL: no key of its own sets it. */
    const char *key;
    /* The meaning of a text, or of one in a list. */
    enum {
        NUCE_PROFILE_WORD,    /* itself */
        NUCE_PROFILE_PROGRAM, /* a program in PATH; with a slash a file, relative to the profile */
        NUCE_PROFILE_FOLDER,  /* relative to the profile */
        NUCE_PROFILE_FILES,   /* relative to the profile; a relative one must exist; a list may be a
                                 single one */
    } names;
    /* Checks a text, or a name in an OBJECT; NULL: any line is valid. The message does not name the
     * key. */
    nuce_status (*check)(const char *text, struct nuce_error *error);
};

/* Ends with a row whose name is NULL. */
extern const struct nuce_profile_member nuce_profile_members[];

/* The row with that key; NULL if none: only profiles have keys of rows, a sweep's `slurm:` has
 * none. */
const struct nuce_profile_member *nuce_profile_member_find(const char *key);

/* The address of the member in profile, of the type in the row. */
void *nuce_profile_at(const struct nuce_profile_member *member, const struct nuce_profile *profile);

/* Fills *out with the defaults. Freed with nuce_profile_fini. */
void nuce_profile_init(struct nuce_profile *out);

/* Checks and sets a key of profile_keys.h. A relative path is relative to folder. */
nuce_status nuce_profile_set(struct nuce_profile *profile, const char *key, const char *value,
                             const char *folder, struct nuce_error *error);

/* path, if relative below folder (absolute, without links): "/a/b" and "../c" make "/a/c". A new
 * string. Works on the text alone, because the path may not exist on this machine. Resolves "./"
 * and "../" only at the front of path. */
char *nuce_profile_path(const char *folder, const char *path);

/* 1 if a launcher of that name or path takes srun's options, 0 if mpiexec's, -1 if neither. The
 * name alone decides: "mpiexec.hydra" and "mpiexec-site" count as mpiexec, "mpirun" as neither. */
int nuce_profile_takes_srun(const char *launcher);

#endif
