/* What the files profile*.c share. */
#ifndef NUCE_PROFILE_PARTS_H
#define NUCE_PROFILE_PARTS_H

#include "campaigns/profile.h"

/* What a profile is made of, a row a member: by it profiles are parsed, freed, written and read
 * back. A key of keys.h is no row's: that table says which member it sets. */
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

/* Sets a key of keys.h, which is checked here. A relative path is relative to folder. */
nuce_status nuce_profile_set(struct nuce_profile *profile, const char *key, const char *value,
                             const char *folder, struct nuce_error *error);

/* path, if relative below folder (absolute, without links): "/a/b" and "../c" make "/a/c". A new
 * string; NULL with *error. By text alone, so that the path need not be there on this machine; "./"
 * and "../" are only taken off at its front. */
char *nuce_profile_path(const char *folder, const char *path);

/* Whether a launcher of that name or path takes srun's options (1), mpiexec's (0), or is neither
 * (-1). By the name alone, since nothing else says how a program wants its options: "mpiexec.hydra"
 * and "mpiexec-site" count as mpiexec, "mpirun" as neither. */
int nuce_profile_takes_srun(const char *launcher);

#endif
