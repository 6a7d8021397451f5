/* What the files profile*.c share. */
#ifndef NUCE_PROFILE_PARTS_H
#define NUCE_PROFILE_PARTS_H

#include "slurm/profile.h"

/* What a profile is made of, a row a member: by it profiles are freed, written and read back. */
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
};

/* Ends with a row whose name is NULL. */
extern const struct nuce_profile_member nuce_profile_members[];

/* Where the member of profile is: of the type that the row says. */
void *nuce_profile_at(const struct nuce_profile_member *member, const struct nuce_profile *profile);

/* Fills *out with the defaults. Freed with nuce_profile_fini, whatever the status. */
nuce_status nuce_profile_init(struct nuce_profile *out, struct nuce_error *error);

/* Sets a key of keys.h, which is checked here. A relative path is relative to folder. */
nuce_status nuce_profile_set(struct nuce_profile *profile, const char *key, const char *value,
                             const char *folder, struct nuce_error *error);

/* Whether only a profile has a key of that name, and a sweep's `slurm:` does not. */
int nuce_profile_has_key(const char *name);

/* path, if relative below folder (absolute, without links): "/a/b" and "../c" make "/a/c". A new
 * string; NULL with *error. By text alone, so that the path need not be there on this machine; "./"
 * and "../" are only taken off at its front. */
char *nuce_profile_path(const char *folder, const char *path, struct nuce_error *error);

/* Whether a launcher of that name or path takes srun's options (1), mpiexec's (0), or is neither
 * (-1). By the name alone, since nothing else says how a program wants its options: "mpiexec.hydra"
 * and "mpiexec-site" count as mpiexec, "mpirun" as neither. */
int nuce_profile_takes_srun(const char *launcher);

#endif
