/* MPI datatypes of the elements of an index set. */
#ifndef NUCE_INDEX_TYPE_H
#define NUCE_INDEX_TYPE_H

#include <mpi.h>

#include "base/error.h"
#include "instances/index_set.h"

/* Makes *type: the elements of the k-th peer's message, from the start of the local part, in the
 * order of the message. It is committed; the caller frees it with MPI_Type_free. It is built
 * from the lines and their periods, so its size does not grow with the array. Counts beyond int
 * become nested types. Local. */
void nuce_index_type(const struct nuce_index_set *set, int k, MPI_Datatype *type);

#endif
