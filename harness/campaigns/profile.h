/* How jobs are submitted and ranks are started on one cluster: a profile (YAML, slurm/profiles/),
 * with what a sweep's `slurm:` says on top of it.
 *
 *   launcher: srun            or mpiexec, or the path of one of them (a name that begins with
 *                             mpiexec takes mpiexec's options): how a job starts ranks
 *   mpi: pmi2                 srun --mpi=...
 *   launcher-options: [--cpu-bind=cores]     more words for the launcher, before the program
 *   via: ../virtual/cluster   put in front of sbatch, squeue, scancel, scontrol
 *   programs: ../bin          folder of nuce-job, nuce-exchange, ... for the nodes; default: where
 *                             nuce itself is
 *   environment: [PATH, UCX_*]     variables of the submitter's that a job gets (sbatch --export);
 *                             a trailing * matches the rest
 *   set: {UCX_TLS: tcp}       variables set in the job
 *   modules: [mpich/4.1]      loaded in the job before its ranks start
 *   prologue: [ulimit -l unlimited]     lines of sh that run there behind them
 *   describe: links.txt       or a list: files that say of the machine what Slurm does not; their
 *                             content is part of the environment
 *   sbatch: [--nice=10]       more words for sbatch; what nuce sets itself is refused
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

/* All that says how jobs are asked for and ranks are started, with every default filled in: the
 * lists and objects are never NULL, but may be empty. Texts and JSON values are owned. */
struct nuce_profile {
    char *path;                    /* of the file as it was found; NULL: built-in defaults */
    char *via;                     /* NULL: Slurm's programs are called directly */
    char *programs;                /* absolute folder; NULL: where nuce itself is */
    char *launcher;                /* "srun" */
    char *mpi;                     /* NULL: not given */
    char *hosts;                   /* `hostfile`: path of a file with a host a rank, for
                                      --distribution=arbitrary; NULL: Slurm places the ranks */
    int64_t nodes, tasks_per_node; /* 0: not given */
    int64_t concurrent;            /* jobs of a campaign at one time; 0: no limit */
    int64_t time_s;                /* of a job; 0: not given */
    int64_t warning_s;             /* before the time limit, when a job is told to stop (60) */
    int exclusive;                 /* whole nodes (the default) */
    int requeue;                   /* a job that lost a node starts again by itself (no) */
    json_t *environment;           /* array of names and patterns; never a SLURM_ variable */
    json_t *set;                   /* object: variable -> text, in the order of the file */
    json_t *modules;               /* array of names for `module load` */
    json_t *prologue;              /* array of lines of sh, as the user wrote them */
    json_t *describe;              /* array of absolute paths, read where a job starts */
    json_t *options; /* object: sbatch option -> text, passed on: partition, account, ... */
    json_t *sbatch;  /* array of texts */
    json_t *words;   /* array of texts: what stood behind `--` */
    json_t *launcher_options; /* array of texts */
};

/* The profiles that nuce ships. */
extern const struct nuce_shipped nuce_profile_shipped;

/* Parses length bytes at text, a profile whose path problems names. Everything wrong is added to
 * problems; *out is filled only if there is nothing, and freed with nuce_profile_fini. */
void nuce_profile_parse(const char *text, size_t length, struct nuce_profile *out,
                        struct nuce_problems *problems);

/* Reads the profile that the user calls name: a file, or NAME for a shipped
 * slurm/profiles/NAME.yaml; NULL: the defaults. On NUCE_BAD_INPUT because of what the file says
 * *problems holds everything wrong with it and out->path stays, which problems borrow. Free both,
 * whatever the status, with nuce_profile_fini and nuce_problems_fini. */
nuce_status nuce_profile_load(const char *name, struct nuce_profile *out,
                              struct nuce_problems *problems, struct nuce_error *error);

/* The same for jobs of a campaign that is there already: what the file does not say the sweep's
 * `slurm:` says, an object as for nuce_profile_merge. */
nuce_status nuce_profile_load_over(const char *name, const json_t *slurm, struct nuce_profile *out,
                                   struct nuce_problems *problems, struct nuce_error *error);

/* Takes words (NULL-ended), as behind `--`, in place of those that the profile had. NUCE_BAD_INPUT
 * as nuce_slurm_check_words says; the profile then has its former words, or, where one is no UTF-8,
 * those in front of it. */
nuce_status nuce_profile_set_words(struct nuce_profile *profile, const char *const *words,
                                   struct nuce_error *error);

/* Applies a sweep's `slurm:` (object of texts, already checked with nuce_slurm_check; NULL:
 * nothing): its keys win over the profile's. A relative `hostfile` is relative to the current
 * folder, where that of a profile is relative to the profile's. On failure some keys may be
 * applied: who calls it gives the profile up. */
nuce_status nuce_profile_merge(struct nuce_profile *profile, const json_t *slurm,
                               struct nuce_error *error);

/* Frees all members; *profile is all zeros then, and may be freed again. */
void nuce_profile_fini(struct nuce_profile *profile);

/* All of it as an object, and back: what a campaign keeps, so that `resume` submits as `submit`
 * did, whatever became of the file. New reference / freed with nuce_profile_fini. What is read back
 * may have been written by an older nuce or changed by hand: NUCE_BAD_INPUT that names the member
 * if one has another type, or is missing where it must be there; *out is then as it was. */
json_t *nuce_profile_to_json(const struct nuce_profile *profile, struct nuce_error *error);
nuce_status nuce_profile_from_json(const json_t *object, struct nuce_profile *out,
                                   struct nuce_error *error);

/* What the files profile*.c share. */

/* What a profile is made of, a row a member: by it profiles are parsed, freed, written and read
 * back. A key of profile_keys.h is no row's: that table says which member it sets. */
struct nuce_profile_member {
    const char *name; /* in JSON */
    enum {
        NUCE_PROFILE_TEXT,     /* char *, owned, NULL: not given */
        NUCE_PROFILE_REQUIRED, /* char *, owned, always there */
        NUCE_PROFILE_WHOLE,    /* int64_t, at least 0 */
        NUCE_PROFILE_FLAG,     /* int */
        NUCE_PROFILE_LIST,     /* json_t *, an array of texts */
        NUCE_PROFILE_OBJECT,   /* json_t *, an object of texts */
    } type;
    size_t offset; /* in struct nuce_profile */
    /* In the YAML of a profile; NULL: nothing sets it there by itself. */
    const char *key;
    /* What a text, or one of a list, names. */
    enum {
        NUCE_PROFILE_WORD,    /* itself */
        NUCE_PROFILE_PROGRAM, /* one of PATH; with a slash a file, relative to the profile */
        NUCE_PROFILE_FOLDER,  /* relative to the profile */
        NUCE_PROFILE_FILES, /* the same, of which a relative one must be there; a list may be one */
    } names;
    /* Whether it may be that text, of an OBJECT that name; NULL: any line may. The message does not
     * name the key. */
    nuce_status (*check)(const char *text, struct nuce_error *error);
};

/* Ends with a row whose name is NULL. */
extern const struct nuce_profile_member nuce_profile_members[];

/* The row whose key that is; NULL: only a profile has keys of rows, a sweep's `slurm:` does not. */
const struct nuce_profile_member *nuce_profile_member_find(const char *key);

/* Where the member of profile is: of the type that the row says. */
void *nuce_profile_at(const struct nuce_profile_member *member, const struct nuce_profile *profile);

/* Fills *out with the defaults. Freed with nuce_profile_fini. */
void nuce_profile_init(struct nuce_profile *out);

/* Sets a key of profile_keys.h, which is checked here. A relative path is relative to folder. */
nuce_status nuce_profile_set(struct nuce_profile *profile, const char *key, const char *value,
                             const char *folder, struct nuce_error *error);

/* path, if relative below folder (absolute, without links): "/a/b" and "../c" make "/a/c". A new
 * string. By text alone, so that the path need not be there on this machine; "./"
 * and "../" are only taken off at its front. */
char *nuce_profile_path(const char *folder, const char *path);

/* Whether a launcher of that name or path takes srun's options (1), mpiexec's (0), or is neither
 * (-1). By the name alone, since nothing else says how a program wants its options: "mpiexec.hydra"
 * and "mpiexec-site" count as mpiexec, "mpirun" as neither. */
int nuce_profile_takes_srun(const char *launcher);

#endif
