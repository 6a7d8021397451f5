/* Builds of the programs for several MPI libraries, installed together.
 *
 *   PREFIX/share/nuce/mpi.conf           of nuce's own build: lines "name mpich" and
 *                                        "launcher /usr/bin/mpiexec"
 *   PREFIX/mpi/NAME/bin/nuce-...         the programs of another build
 *   PREFIX/mpi/NAME/share/nuce/mpi.conf  its mpi.conf
 *
 * The points of one campaign may use several builds: `mpi: [mpich, openmpi]` in a sweep. */
#ifndef NUCE_BUILDS_H
#define NUCE_BUILDS_H

#include "base/error.h"
#include "base/option.h"

/* One build of the programs. */
struct nuce_build {
    char name[NUCE_NAME_BYTES];
    char launcher[NUCE_PATH_BYTES]; /* mpiexec of its library; "": not in mpi.conf */
    char *programs;                 /* folder of its programs, owned */
    int is_own;                     /* the build of the running nuce */
};

/* Finds the build called name. `programs` is the folder of nuce's own programs (NULL: that of the
 * running program). NUCE_BAD_INPUT, with the names that exist, if there is none. The caller frees
 * out->programs. */
nuce_status nuce_builds_find(const char *programs, const char *name, struct nuce_build *out,
                             struct nuce_error *error);

/* Lists all builds, nuce's own first, the others by name. *out is a new array of *count, freed with
 * nuce_builds_free. */
nuce_status nuce_builds_list(const char *programs, struct nuce_build **out, int64_t *count,
                             struct nuce_error *error);

void nuce_builds_free(struct nuce_build *builds, int64_t count);

/* NUCE_OK if the build called name exists with all its programs; for nuce_sweep_judge. */
nuce_status nuce_builds_check(const char *programs, const char *name, struct nuce_error *error);

/* NUCE_BAD_INPUT naming the first workload's program that the build lacks. */
nuce_status nuce_builds_check_whole(const struct nuce_build *build, struct nuce_error *error);

/* MPI libraries differ in how they start programs: one row each. */

/* A library, or a family with similar launchers. */
struct nuce_mpi_kind {
    const char *name;           /* of builds: "openmpi" */
    const char *title;          /* "Open MPI" */
    const char *const *told_by; /* words in its launcher's output for --version; NULL-ended */
    /* Words for its launcher when ranks outnumber the processors here; NULL-ended. */
    const char *const *crowded;
    /* Variables that it needs to start as root; NULL: it needs none. */
    const char *const *root;
    const char *exports; /* word in front of the NAME of a variable for ranks on other nodes; NULL:
                            they get all variables */
    const char *const *sonames; /* beginnings of the names of its shared library; NULL-ended */
    const char *srun;           /* value for srun --mpi, unless a profile sets it */
};

/* The kind by the name of a build, or by a launcher's version text; NULL: unknown. */
const struct nuce_mpi_kind *nuce_mpi_kind_named(const char *name);
const struct nuce_mpi_kind *nuce_mpi_kind_telling(const char *version);

/* The kind by the dynamic loader's list for a program, with lines "\tlibmpich.so.12 => ..."; NULL:
 * unknown. */
const struct nuce_mpi_kind *nuce_mpi_kind_linked(const char *list);

/* Asks the launcher at path for its version; NULL if the answer is unknown. */
const struct nuce_mpi_kind *nuce_mpi_kind_of_launcher(const char *path);

/* NUCE_BAD_INPUT, with a remedy, if that library does not start as root and the user is root. */
nuce_status nuce_mpi_kind_check_root(const struct nuce_mpi_kind *kind, struct nuce_error *error);

#endif
