/* A piece is a persistent request from or to its place in a buffer, made once; starting it in each
 * step costs no more than MPI does. */
#include "run/requests.h"

#include <limits.h>
#include <string.h>

#include "base/int.h"
#include "run/check.h"

/* Beyond INT_MAX: whole blocks of 1 GiB, then the rest, as one type. */
void nuce_requests_bytes_type(int64_t bytes, MPI_Datatype *type, int *count)
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

void nuce_requests_free_bytes_type(MPI_Datatype *type)
{
    if (*type != MPI_BYTE)
        NUCE_MPI(MPI_Type_free(type));
}

int nuce_requests_add(const struct nuce_engine_input *input, enum nuce_direction direction, int tag,
                      const struct nuce_transfer *piece, struct nuce_request_set *set)
{
    void *data = direction == NUCE_SEND ? nuce_payload_from(input->payload, piece)
                                        : nuce_payload_to(input->payload, piece);

    return nuce_request_set_add_bytes(set, direction, data, tag, piece);
}

void nuce_requests_add_all(const struct nuce_engine_input *input, enum nuce_direction direction,
                           struct nuce_request_set *set)
{
    const struct nuce_schedule *schedule = input->schedule;
    int rank = input->world->rank, is_send = direction == NUCE_SEND;
    const int64_t *start = is_send ? schedule->send_start : schedule->receive_start;
    const struct nuce_transfer *list = is_send ? schedule->sends : schedule->receives;

    for (int64_t k = start[rank]; k < start[rank + 1]; k++) {
        if (list[k].peer != rank)
            nuce_requests_add(input, direction, 0, &list[k], set);
    }
}

int64_t nuce_requests_most(const struct nuce_engine_input *input)
{
    const struct nuce_schedule *schedule = input->schedule;
    int rank = input->world->rank;

    return schedule->send_start[rank + 1] - schedule->send_start[rank] +
           schedule->receive_start[rank + 1] - schedule->receive_start[rank];
}

void nuce_requests_copy(const struct nuce_engine_input *input, int phase, int64_t *next)
{
    const struct nuce_payload *payload = input->payload;
    struct nuce_trace *trace = input->world->trace;
    int rank = input->world->rank;
    int64_t end = input->schedule->send_start[rank + 1];

    for (; *next < end && input->schedule->sends[*next].phase <= phase; ++*next) {
        const struct nuce_transfer *piece = &input->schedule->sends[*next];
        double start_s;

        if (piece->peer != rank)
            continue;
        start_s = trace == NULL ? 0 : nuce_clock();
        if (payload->own.copy == NULL)
            memcpy(nuce_payload_to(payload, piece), nuce_payload_from(payload, piece),
                   (size_t)piece->bytes);
        else if (piece->offset == 0)
            nuce_payload_copy_own(payload); /* whole, whatever its pieces */
        if (trace != NULL)
            nuce_trace_note_copy(trace, piece->phase, piece->bytes, start_s);
    }
}

void nuce_requests_copy_all(const struct nuce_engine_input *input)
{
    int64_t next = input->schedule->send_start[input->world->rank];

    nuce_requests_copy(input, INT_MAX, &next);
}
