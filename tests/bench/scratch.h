/* A folder for benches of the whole path: commands of nuce run there, on files made there. */
#ifndef NUCE_BENCH_SCRATCH_H
#define NUCE_BENCH_SCRATCH_H

#include "base/error.h"

struct nuce_scratch {
    char *folder, *campaigns, *database, *figures, *other; /* paths; only the folder exists */
};

/* Makes the folder in TMPDIR. Released with nuce_scratch_fini, also after failure. */
nuce_status nuce_scratch_init(struct nuce_scratch *out, struct nuce_error *error);

/* Removes the folder with all that is in it. Accepts one that is all zero. */
void nuce_scratch_fini(struct nuce_scratch *scratch);

/* Runs a program of ours, which is beside nuce-bench, with the arguments after its name; the last
 * of rest is NULL. */
nuce_status nuce_scratch_run(const char *program, const char *const *rest,
                             struct nuce_error *error);

#endif
