/* A piece is a persistent request from or to its place in a buffer, made once; starting it in each
 * step costs no more than MPI does. Memory: a request and a pointer a piece. Requests are freed
 * when they are inactive, which they are outside of steps. */
#include "run/requests.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
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

/* One request, or, to oneself, a piece to be copied. Tag 0: two pieces between two ranks match in
 * their order, which is that of the schedule on both sides. */
static void add_send(const struct nuce_engine_input *input, const struct nuce_transfer *transfer,
                     struct nuce_requests *requests)
{
    const struct nuce_payload *payload = input->payload;
    MPI_Datatype type;
    int count;

    if (transfer->peer == payload->rank) {
        requests->copy[requests->copies++] = transfer;
        return;
    }
    nuce_requests_bytes_type(transfer->bytes, &type, &count);
    if (input->schedule->discipline == NUCE_POST_ALL)
        NUCE_MPI(MPI_Send_init(nuce_payload_from(payload, transfer), count, type, transfer->peer, 0,
                               input->world->comm, &requests->send[requests->sends]));
    else
        NUCE_MPI(MPI_Ssend_init(nuce_payload_from(payload, transfer), count, type, transfer->peer,
                                0, input->world->comm, &requests->send[requests->sends]));
    nuce_requests_free_bytes_type(&type);
    requests->send_piece[requests->sends++] = transfer;
}

static void add_receive(const struct nuce_engine_input *input, const struct nuce_transfer *transfer,
                        struct nuce_requests *requests)
{
    const struct nuce_payload *payload = input->payload;
    MPI_Datatype type;
    int count;

    if (transfer->peer == payload->rank)
        return;
    nuce_requests_bytes_type(transfer->bytes, &type, &count);
    NUCE_MPI(MPI_Recv_init(nuce_payload_to(payload, transfer), count, type, transfer->peer, 0,
                           input->world->comm, &requests->receive[requests->receives]));
    nuce_requests_free_bytes_type(&type);
    requests->receive_piece[requests->receives++] = transfer;
}

void nuce_requests_init(const struct nuce_engine_input *input, struct nuce_requests *out)
{
    const struct nuce_schedule *schedule = input->schedule;
    int rank = input->world->rank;
    struct nuce_requests requests = {.world = input->world, .payload = input->payload};
    int64_t first_send = schedule->send_start[rank], end_send = schedule->send_start[rank + 1];
    int64_t first_receive = schedule->receive_start[rank];
    int64_t end_receive = schedule->receive_start[rank + 1];
    int64_t sends = end_send - first_send, receives = end_receive - first_receive;

    /* As many as there are pieces, those to oneself included, which become copies: sends or
     * receives are at most that. */
    requests.send = nuce_allocate(sends, sizeof(MPI_Request));
    requests.receive = nuce_allocate(receives, sizeof(MPI_Request));
    requests.send_piece = nuce_allocate(sends, sizeof *requests.send_piece);
    requests.receive_piece = nuce_allocate(receives, sizeof *requests.receive_piece);
    requests.copy = nuce_allocate(sends, sizeof *requests.copy);
    for (int64_t i = first_send; i < end_send; i++)
        add_send(input, &schedule->sends[i], &requests);
    for (int64_t i = first_receive; i < end_receive; i++)
        add_receive(input, &schedule->receives[i], &requests);
    *out = requests;
}

void nuce_requests_fini(struct nuce_requests *requests)
{
    for (int i = 0; i < requests->sends; i++)
        NUCE_MPI(MPI_Request_free(&requests->send[i]));
    for (int i = 0; i < requests->receives; i++)
        NUCE_MPI(MPI_Request_free(&requests->receive[i]));
    free(requests->send);
    free(requests->receive);
    free(requests->send_piece);
    free(requests->receive_piece);
    free(requests->copy);
    memset(requests, 0, sizeof *requests);
}

void nuce_requests_note_send(const struct nuce_requests *requests, int index)
{
    nuce_trace_start(requests->world->trace, NUCE_SEND, requests->send_piece[index],
                     requests->send[index]);
}

void nuce_requests_note_receive(const struct nuce_requests *requests, int index)
{
    nuce_trace_start(requests->world->trace, NUCE_RECEIVE, requests->receive_piece[index],
                     requests->receive[index]);
}

void nuce_requests_copy_own(const struct nuce_world *world, const struct nuce_payload *payload,
                            const struct nuce_transfer *piece)
{
    double start_s = world->trace == NULL ? 0 : nuce_clock();

    if (payload->own.copy == NULL)
        memcpy(nuce_payload_to(payload, piece), nuce_payload_from(payload, piece),
               (size_t)piece->bytes);
    else if (piece->offset == 0)
        nuce_payload_copy_own(payload); /* whole, whatever its pieces */
    if (world->trace != NULL)
        nuce_trace_note_copy(world->trace, piece->phase, piece->bytes, start_s);
}

void nuce_requests_copy(const struct nuce_requests *requests, int phase, int *next)
{
    for (; *next < requests->copies && requests->copy[*next]->phase <= phase; ++*next)
        nuce_requests_copy_own(requests->world, requests->payload, requests->copy[*next]);
}
