/* nuce's own collectives, outside all measurements. They wait as nuce_wait_request does, in
 * MPI's nonblocking form, except if ranks block anyway. SMPI implements nonblocking forms by
 * messages from every rank to every other: 65 000 messages for each sum at 256 ranks. Parameters
 * are MPI's. */
#ifndef NUCE_CONTROL_H
#define NUCE_CONTROL_H

#include "run/world.h"

/* Reduces values in place, over comm, which must be one of world's. Collective over comm. */
void nuce_control_allreduce(struct nuce_world *world, void *values, int count, MPI_Datatype type,
                            MPI_Op op, MPI_Comm comm);

/* From root to all. Collective over world->control. */
void nuce_control_broadcast(struct nuce_world *world, void *data, int count, MPI_Datatype type,
                            int root);

/* Gathers count elements from each rank of comm into `all` at its rank 0, in the order of ranks
 * (elsewhere NULL). Collective over comm, as are those below that take one. */
void nuce_control_gather(struct nuce_world *world, const void *mine, int count, MPI_Datatype type,
                         void *all, MPI_Comm comm);

/* At rank 0 of comm: counts[r] elements from rank r, at all[at[r]]; count is this rank's. */
void nuce_control_gatherv(struct nuce_world *world, const void *mine, int count, MPI_Datatype type,
                          void *all, const int counts[], const int at[], MPI_Comm comm);

/* The same, at all ranks of comm. */
void nuce_control_allgather(struct nuce_world *world, const void *mine, int count,
                            MPI_Datatype type, void *all, MPI_Comm comm);
void nuce_control_allgatherv(struct nuce_world *world, const void *mine, int count,
                             MPI_Datatype type, void *all, const int counts[], const int at[],
                             MPI_Comm comm);

/* An element from each rank to each, then the variant with counts; over world->control. */
void nuce_control_alltoall(struct nuce_world *world, const void *mine, MPI_Datatype type,
                           void *theirs);
void nuce_control_alltoallv(struct nuce_world *world, const void *mine, const int counts[],
                            const int at[], MPI_Datatype type, void *theirs,
                            const int their_counts[], const int their_at[]);

/* From rank 0 of comm: count elements to each rank, then the variant with counts. */
void nuce_control_scatter(struct nuce_world *world, const void *all, int count, MPI_Datatype type,
                          void *mine, MPI_Comm comm);
void nuce_control_scatterv(struct nuce_world *world, const void *all, const int counts[],
                           const int at[], MPI_Datatype type, void *mine, int count, MPI_Comm comm);

#endif
