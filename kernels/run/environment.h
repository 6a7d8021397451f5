/* Everything that describes where a run ran. */
#ifndef NUCE_ENVIRONMENT_H
#define NUCE_ENVIRONMENT_H

#include <jansson.h>

#include "base/error.h"
#include "base/hash.h"
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

/* What a launcher tells a measuring program: files beside the plan; NULL: not given. */
struct nuce_launch {
    const char *facts; /* for nuce_launch_read_facts; borrowed, as the next */
    const char *hosts; /* for nuce_launch_check_hosts */
};

/* Fails unless all ranks run the same program, byte by byte, and run where launch says
 * (NUCE_FAILED); adds what launch tells, where NUCE_BAD_INPUT is a file that cannot be read.
 * Collective over the world, with the same status on all ranks; *out is as it was on failure. Freed
 * with nuce_environment_fini. */
nuce_status nuce_environment_init(struct nuce_world *world, const struct nuce_launch *launch,
                                  struct nuce_environment *out, struct nuce_error *error);
void nuce_environment_fini(struct nuce_environment *environment);

/* Reads {"cluster": OBJECT, "launch": OBJECT}, both optional: what holds for the machine and may
 * change results, and what holds for this launch only. Reals come out as a record gives them
 * back, so that its readers compute the same hash of them. New reference; NULL with *error,
 * NUCE_BAD_INPUT naming file and key. Local. */
json_t *nuce_launch_read_facts(const char *path, struct nuce_error *error);

/* Compares hosts (array of names by rank) with the file's lines: line k + 1 is where rank k must
 * run. A short name stands for a full one that begins with it. NUCE_FAILED if a rank runs elsewhere
 * or there are fewer or more lines than ranks; NUCE_BAD_INPUT if the file cannot be read, or a line
 * other than the last ones is empty or no name. Local. */
nuce_status nuce_launch_check_hosts(const char *path, const json_t *hosts,
                                    struct nuce_error *error);

#endif
