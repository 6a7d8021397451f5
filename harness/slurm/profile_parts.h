/* What the files profile*.c share. */
#ifndef NUCE_PROFILE_PARTS_H
#define NUCE_PROFILE_PARTS_H

#include "slurm/profile.h"

/* Fills *out with the defaults. Freed with nuce_profile_fini, whatever the status. */
nuce_status nuce_profile_init(struct nuce_profile *out, struct nuce_error *error);

/* Sets a key of keys.h, which is checked here. A relative path is relative to folder. */
nuce_status nuce_profile_set(struct nuce_profile *profile, const char *key, const char *value,
                             const char *folder, struct nuce_error *error);

/* Whether only a profile has a key of that name, and a sweep's `slurm:` does not. */
int nuce_profile_has_key(const char *name);

/* path, if relative below folder (absolute, without links): "/a/b" and "../c" make "/a/c". A new
 * string; NULL with *error. */
char *nuce_profile_path(const char *folder, const char *path, struct nuce_error *error);

/* Whether a launcher of that name or path takes srun's options (1), mpiexec's (0), or is neither
 * (-1). */
int nuce_profile_takes_srun(const char *launcher);

#endif
