/* A datatype of bytes beyond int. */
#ifndef NUCE_BYTES_TYPE_H
#define NUCE_BYTES_TYPE_H

#include <mpi.h>
#include <stdint.h>

/* Expresses bytes as a count of a datatype, because MPI's counts are int. If the bytes fit an
 * int, *type is MPI_BYTE and *count is bytes. Else *type is a committed type of all of them, and
 * *count is 1; nuce_bytes_type_free frees it. */
void nuce_bytes_type(int64_t bytes, MPI_Datatype *type, int *count);
void nuce_bytes_type_free(MPI_Datatype *type);

#endif
