/* What differs between MPI libraries for those who start their programs: a row each. */
#ifndef NUCE_MPI_KINDS_H
#define NUCE_MPI_KINDS_H

#include "base/error.h"

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
