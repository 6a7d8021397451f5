/* MPI datatypes of what an index set lists. */
#ifndef NUCE_INDEX_TYPE_H
#define NUCE_INDEX_TYPE_H

#include <mpi.h>

#include "base/error.h"
#include "instances/index_set.h"

/* *type: the elements of the k-th peer's message, from the start of the local part, in the order of
 * the message; committed, freed by the caller with MPI_Type_free. Built from the lines and their
 * periods, so that its size does not grow with the array; counts beyond int become nested types.
 * Local. */
void nuce_index_type(const struct nuce_index_set *set, int k, MPI_Datatype *type);

#endif
