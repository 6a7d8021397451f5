/* A datatype of bytes beyond int. */
#ifndef NUCE_BYTES_TYPE_H
#define NUCE_BYTES_TYPE_H

#include <mpi.h>
#include <stdint.h>

/* MPI's counts are int: bytes as a count of a datatype. *type is MPI_BYTE and *count bytes as long
 * as they fit, else a committed type of all of them, count 1; freed by
 * nuce_bytes_type_free. */
void nuce_bytes_type(int64_t bytes, MPI_Datatype *type, int *count);
void nuce_bytes_type_free(MPI_Datatype *type);

#endif
