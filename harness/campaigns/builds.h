/* Builds of the programs for several MPI libraries, side by side.
 *
 *   PREFIX/share/nuce/mpi.conf           of nuce's own build: lines "name mpich" and
 *                                        "launcher /usr/bin/mpiexec"
 *   PREFIX/mpi/NAME/bin/nuce-...         the programs of another build
 *   PREFIX/mpi/NAME/share/nuce/mpi.conf  the same of that
 *
 * A campaign's points may be of several builds: `mpi: [mpich, openmpi]` in a sweep. */
#ifndef NUCE_BUILDS_H
#define NUCE_BUILDS_H

#include "base/option.h"

/* One build of the programs. */
struct nuce_build {
    char name[NUCE_NAME_BYTES];
    char launcher[NUCE_PATH_BYTES]; /* its library's mpiexec; "": mpi.conf does not say */
    char *programs;                 /* folder of its programs, owned */
    int is_own;                     /* of the running nuce */
};

/* The build called name: beside the folder `programs` of nuce's own (NULL: that of the running
 * program). NUCE_BAD_INPUT, with the names there are, if there is none. out->programs is freed by
 * the caller. */
nuce_status nuce_builds_find(const char *programs, const char *name, struct nuce_build *out,
                             struct nuce_error *error);

/* All of them, nuce's own first, the others by name; a new array of *count, freed with
 * nuce_builds_free. */
nuce_status nuce_builds_list(const char *programs, struct nuce_build **out, int64_t *count,
                             struct nuce_error *error);

void nuce_builds_free(struct nuce_build *builds, int64_t count);

/* Whether there is such a build, whole: for nuce_sweep_judge. */
nuce_status nuce_builds_check(const char *programs, const char *name, struct nuce_error *error);

/* NUCE_BAD_INPUT naming the first program of a workload that the build has not. */
nuce_status nuce_builds_check_whole(const struct nuce_build *build, struct nuce_error *error);

#endif
