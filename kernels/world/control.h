/* Collectives of nuce's own, outside all measurement. They wait as nuce_wait_request does, in MPI's
 * nonblocking form, except where ranks block anyway: SMPI sends what is nonblocking from every rank
 * to every other, at 256 ranks 65 000 messages for each sum. Parameters are MPI's. */
#ifndef NUCE_CONTROL_H
#define NUCE_CONTROL_H

#include "world/world.h"

/* In place, over comm. */
void nuce_control_allreduce(struct nuce_world *world, void *values, int count, MPI_Datatype type,
                            MPI_Op op, MPI_Comm comm);

/* Over world->control, as are all below. */
void nuce_control_broadcast(struct nuce_world *world, void *data, int count, MPI_Datatype type,
                            int root);

/* count elements from each rank, at rank 0. */
void nuce_control_gather(struct nuce_world *world, const void *mine, int count, MPI_Datatype type,
                         void *all);

/* As many from each rank as counts says there, at rank 0. */
void nuce_control_gatherv(struct nuce_world *world, const void *mine, int count, MPI_Datatype type,
                          void *all, const int counts[], const int at[]);

/* The same, at all ranks. */
void nuce_control_allgather(struct nuce_world *world, const void *mine, int count,
                            MPI_Datatype type, void *all);
void nuce_control_allgatherv(struct nuce_world *world, const void *mine, int count,
                             MPI_Datatype type, void *all, const int counts[], const int at[]);

#endif
