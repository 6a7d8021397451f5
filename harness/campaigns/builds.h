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

#include "base/error.h"
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

/* What differs between MPI libraries for those who start their programs: a row each. */

/* A library, or a family whose launchers are alike. */
struct nuce_mpi_kind {
    const char *name;           /* of builds: "openmpi" */
    const char *title;          /* "Open MPI" */
    const char *const *told_by; /* words of what its launcher's --version says; NULL-ended */
    /* Words for its launcher, NULL-ended: with more ranks than processors here. */
    const char *const *crowded;
    /* Variables that must be set for it to start as root; NULL: it starts. */
    const char *const *root;
    const char *exports; /* in front of the NAME of a variable that ranks on other nodes are to get;
                            NULL: they get all */
    const char *const *sonames; /* how the names of its shared library begin; NULL-ended */
    const char *srun;           /* for srun --mpi, where a profile says nothing */
};

/* By the name of a build, or what a launcher says of its version; NULL: unknown. */
const struct nuce_mpi_kind *nuce_mpi_kind_named(const char *name);
const struct nuce_mpi_kind *nuce_mpi_kind_telling(const char *version);

/* By what the dynamic loader lists of a program: "\tlibmpich.so.12 => ..." a line; NULL: none of
 * them. */
const struct nuce_mpi_kind *nuce_mpi_kind_linked(const char *list);

/* Asks the launcher at path for its version; NULL where it does not say one that is known. */
const struct nuce_mpi_kind *nuce_mpi_kind_of_launcher(const char *path);

/* NUCE_BAD_INPUT, with what to do, where that library does not start as root and this is root. */
nuce_status nuce_mpi_kind_check_root(const struct nuce_mpi_kind *kind, struct nuce_error *error);

#endif
