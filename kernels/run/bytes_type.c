/* Any number of bytes as a count of a datatype, because MPI counts in int. */
#include "run/bytes_type.h"

#include <limits.h>

#include "base/int.h"
#include "run/check.h"

/* Beyond INT_MAX: whole blocks of 1 GiB, then the rest, as one type. */
void nuce_bytes_type(int64_t bytes, MPI_Datatype *type, int *count)
{
    const int64_t block = INT64_C(1) << 30;
    MPI_Datatype blocks;

    *type = MPI_BYTE;
    *count = (int)bytes;
    if (bytes <= INT_MAX)
        return;
    /* Whole blocks, then the rest, as one type. */
    NUCE_MPI(MPI_Type_contiguous((int)block, MPI_BYTE, &blocks));
    {
        int lengths[2] = {nuce_int(bytes / block), nuce_int(bytes % block)};
        MPI_Aint offsets[2] = {0, (MPI_Aint)(bytes / block * block)};
        MPI_Datatype types[2] = {blocks, MPI_BYTE};

        NUCE_MPI(MPI_Type_create_struct(2, lengths, offsets, types, type));
    }
    NUCE_MPI(MPI_Type_free(&blocks));
    NUCE_MPI(MPI_Type_commit(type));
    *count = 1;
}

void nuce_bytes_type_free(MPI_Datatype *type)
{
    if (*type != MPI_BYTE)
        NUCE_MPI(MPI_Type_free(type));
}
