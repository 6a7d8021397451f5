/* The tuning file by which the exchanges of an application go, the same on all ranks. */
#ifndef NUCE_MPI_TUNING_H
#define NUCE_MPI_TUNING_H

#include "run/world.h"
#include "schedules/tuning_file.h"

/* All of it is owned; empty when all is 0. */
struct nuce_mpi_tuning {
    char *path;                   /* NULL: there is no file */
    struct nuce_tuning_file file; /* without rules if elsewhere is set */
    char *elsewhere; /* NULL, or why the rules do not hold: "is of MPICH 4.0.2, this is ..." */
};

/* Reads rank 0's file at rank 0's path, and hands it to all; NULL or "": none. A file of another
 * machine or MPI library has no rules. NUCE_BAD_INPUT: it cannot be read, or is damaged (file, line
 * and column). Freed with nuce_mpi_tuning_fini, which accepts an empty one. Collective; the same
 * status on all ranks. */
nuce_status nuce_mpi_tuning_read(struct nuce_world *world, const char *path,
                                 struct nuce_mpi_tuning *out, struct nuce_error *error);
void nuce_mpi_tuning_fini(struct nuce_mpi_tuning *tuning);

/* Sums over all ranks by which the rule of a call is found. */
enum {
    NUCE_MPI_TUNING_FINGERPRINT,
    NUCE_MPI_TUNING_MESSAGES,
    NUCE_MPI_TUNING_BYTES,
    NUCE_MPI_TUNING_SUMS
};

/* Adds the part of one rank: bytes[i] is its message to rank i. In place it sends none to itself,
 * as in captures. Local. */
void nuce_mpi_tuning_add(int rank, int ranks, const int64_t bytes[], int is_in_place,
                         uint64_t sums[NUCE_MPI_TUNING_SUMS]);

/* The call that all ranks make together, by the sums of all. Local. */
struct nuce_tuning_call nuce_mpi_tuning_call(const char *name, int ranks,
                                             const uint64_t sums[NUCE_MPI_TUNING_SUMS]);

/* The rule of the call, and in *said, freed by the caller, that rule or why there is none. Local.
 */
const struct nuce_tuning_rule *nuce_mpi_tuning_find(const struct nuce_mpi_tuning *tuning,
                                                    const struct nuce_tuning_call *call,
                                                    char **said);

#endif
