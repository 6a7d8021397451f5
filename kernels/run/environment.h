/* Everything that describes where a run ran. */
#ifndef NUCE_ENVIRONMENT_H
#define NUCE_ENVIRONMENT_H

#include <jansson.h>

#include "base/error.h"
#include "base/hash.h"
#include "run/launch.h"
#include "run/world.h"

/* Room for the longest name that environment_name_job makes. */
#define NUCE_JOB_BYTES 160

/* What a job's records say of where it ran. Owned. */
struct nuce_environment {
    json_t *described;        /* rank 0: what results may be compared under; NULL elsewhere */
    char id[NUCE_HASH_BYTES]; /* SHA-256 of `described`, compact, keys sorted */
    json_t *facts;            /* rank 0: what holds for this job only */
    char job[NUCE_JOB_BYTES]; /* a name that no other job has */
};

/* Fails unless all ranks run the same program, byte by byte, and run where launch says
 * (NUCE_FAILED); adds what launch tells, where NUCE_BAD_INPUT is a file that cannot be read.
 * Collective over the world, with the same status on all ranks; *out is as it was on failure. Freed
 * with nuce_environment_fini. */
nuce_status nuce_environment_init(struct nuce_world *world, const struct nuce_launch *launch,
                                  struct nuce_environment *out, struct nuce_error *error);
void nuce_environment_fini(struct nuce_environment *environment);

#endif
