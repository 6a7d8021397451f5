/* Everything that describes where a run ran. */
#ifndef NUCE_ENVIRONMENT_H
#define NUCE_ENVIRONMENT_H

#include <jansson.h>

#include "base/error.h"
#include "base/hash.h"
#include "points/machine.h"
#include "run/world.h"

/* A job's description of where it ran, for its records. Owned. */
struct nuce_environment {
    json_t *described;        /* rank 0: conditions of comparable results; NULL elsewhere */
    char id[NUCE_HASH_BYTES]; /* SHA-256 of `described`, compact, keys sorted */
    json_t *facts;            /* rank 0: facts of this job only */
    char job[NUCE_JOB_BYTES]; /* a unique name of the job */
};

/* A launcher's files for a measuring program, next to the plan; NULL: not given. */
struct nuce_launch {
    const char *facts; /* for nuce_launch_read_facts; borrowed, as the next */
    const char *hosts; /* for nuce_launch_check_hosts */
};

/* Fails unless all ranks run the same program, byte by byte, on the hosts of launch
 * (NUCE_FAILED). Adds the facts of launch; NUCE_BAD_INPUT if a file cannot be read. Collective
 * over the world, with the same status on all ranks; *out is unchanged on failure. Freed with
 * nuce_environment_fini. */
nuce_status nuce_environment_init(struct nuce_world *world, const struct nuce_launch *launch,
                                  struct nuce_environment *out, struct nuce_error *error);
void nuce_environment_fini(struct nuce_environment *environment);

/* Reads {"cluster": OBJECT, "launch": OBJECT}, both optional: facts of the machine that may
 * change results, and facts of this launch only. Reals are rounded as in a record, so that its
 * readers compute the same hash of them. New reference; NULL with *error, NUCE_BAD_INPUT naming
 * file and key. Local. */
json_t *nuce_launch_read_facts(const char *path, struct nuce_error *error);

/* Compares hosts (array of names by rank) with the file's lines: rank k must run on the host of
 * line k + 1. A short name matches a full one that begins with it. NUCE_FAILED if a rank runs
 * elsewhere or the number of lines differs from the ranks. NUCE_BAD_INPUT if the file cannot be
 * read, or a line other than the last ones is empty or not a name. Local. */
nuce_status nuce_launch_check_hosts(const char *path, const json_t *hosts,
                                    struct nuce_error *error);

#endif
