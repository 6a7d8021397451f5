/* The library's vector collectives with counts beyond int, which came with MPI 4 (4.1, 2.5.8).
 * Built if the MPI has them; else large_calls_none.c is. */
#ifndef NUCE_LARGE_CALLS_H
#define NUCE_LARGE_CALLS_H

#include <mpi.h>

typedef int nuce_large_call(const void *, const MPI_Count *, const MPI_Aint *, MPI_Datatype, void *,
                            const MPI_Count *, const MPI_Aint *, MPI_Datatype, MPI_Comm);
typedef int nuce_large_icall(const void *, const MPI_Count *, const MPI_Aint *, MPI_Datatype,
                             void *, const MPI_Count *, const MPI_Aint *, MPI_Datatype, MPI_Comm,
                             MPI_Request *);
typedef int nuce_large_init(const void *, const MPI_Count *, const MPI_Aint *, MPI_Datatype, void *,
                            const MPI_Count *, const MPI_Aint *, MPI_Datatype, MPI_Comm, MPI_Info,
                            MPI_Request *);

/* MPI_Alltoallv_c and so on; all NULL: this MPI has none of them. */
struct nuce_large_calls {
    nuce_large_call *alltoallv, *neighbor_alltoallv;
    nuce_large_icall *ialltoallv, *ineighbor_alltoallv;
    nuce_large_init *neighbor_alltoallv_init;
};

extern const struct nuce_large_calls nuce_large;

#endif
