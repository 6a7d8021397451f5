#include "requests.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory.h"

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

static nuce_status allocate(struct nuce_requests *requests, int64_t sends, int64_t receives,
                            struct nuce_error *error)
{
    requests->send = nuce_allocate(sends, sizeof(MPI_Request), error);
    requests->receive = nuce_allocate(receives, sizeof(MPI_Request), error);
    requests->send_peer = nuce_allocate(sends, sizeof(int), error);
    requests->receive_peer = nuce_allocate(receives, sizeof(int), error);
    requests->send_phase = nuce_allocate(sends, sizeof(int), error);
    requests->receive_phase = nuce_allocate(receives, sizeof(int), error);
    requests->copy = nuce_allocate(sends, sizeof(struct nuce_copy), error);
    if (requests->send == NULL || requests->receive == NULL || requests->send_peer == NULL ||
        requests->receive_peer == NULL || requests->send_phase == NULL ||
        requests->receive_phase == NULL || requests->copy == NULL)
        return error->status;
    return NUCE_OK;
}

static void add_send(const struct nuce_engine_input *input, const struct nuce_transfer *transfer,
                     struct nuce_requests *requests)
{
    const struct nuce_payload *payload = input->payload;
    int index = nuce_payload_send_index(payload, transfer->peer);
    const unsigned char *from = payload->send + payload->send_at[index] + transfer->offset;
    MPI_Datatype type;
    int count;

    if (transfer->peer == payload->rank) {
        int self = nuce_payload_receive_index(payload, payload->rank);

        requests->copy[requests->copies++] = (struct nuce_copy){
            .from = from,
            .to = payload->receive + payload->receive_at[self] + transfer->offset,
            .bytes = transfer->bytes,
            .phase = transfer->phase};
        return;
    }
    nuce_bytes_type(transfer->bytes, &type, &count);
    NUCE_MPI(MPI_Send_init(from, count, type, transfer->peer, 0, input->world->comm,
                           &requests->send[requests->sends]));
    nuce_bytes_type_free(&type);
    requests->send_peer[requests->sends] = transfer->peer;
    requests->send_phase[requests->sends] = transfer->phase;
    requests->sends++;
}

static void add_receive(const struct nuce_engine_input *input, const struct nuce_transfer *transfer,
                        struct nuce_requests *requests)
{
    const struct nuce_payload *payload = input->payload;
    int index = nuce_payload_receive_index(payload, transfer->peer);
    unsigned char *to = payload->receive + payload->receive_at[index] + transfer->offset;
    MPI_Datatype type;
    int count;

    if (transfer->peer == payload->rank)
        return;
    nuce_bytes_type(transfer->bytes, &type, &count);
    NUCE_MPI(MPI_Recv_init(to, count, type, transfer->peer, 0, input->world->comm,
                           &requests->receive[requests->receives]));
    nuce_bytes_type_free(&type);
    requests->receive_peer[requests->receives] = transfer->peer;
    requests->receive_phase[requests->receives] = transfer->phase;
    requests->receives++;
}

nuce_status nuce_requests_init(const struct nuce_engine_input *input, struct nuce_requests *out,
                               struct nuce_error *error)
{
    const struct nuce_schedule *schedule = input->schedule;
    int rank = input->world->rank;
    struct nuce_requests requests = {0};
    int64_t first_send = schedule->send_start[rank], end_send = schedule->send_start[rank + 1];
    int64_t first_receive = schedule->receive_start[rank];
    int64_t end_receive = schedule->receive_start[rank + 1];

    if (allocate(&requests, end_send - first_send, end_receive - first_receive, error) != NUCE_OK) {
        nuce_requests_fini(&requests);
        return error->status;
    }
    for (int64_t i = first_send; i < end_send; i++)
        add_send(input, &schedule->sends[i], &requests);
    for (int64_t i = first_receive; i < end_receive; i++)
        add_receive(input, &schedule->receives[i], &requests);
    *out = requests;
    return NUCE_OK;
}

void nuce_requests_fini(struct nuce_requests *requests)
{
    for (int i = 0; i < requests->sends; i++)
        NUCE_MPI(MPI_Request_free(&requests->send[i]));
    for (int i = 0; i < requests->receives; i++)
        NUCE_MPI(MPI_Request_free(&requests->receive[i]));
    free(requests->send);
    free(requests->receive);
    free(requests->send_peer);
    free(requests->receive_peer);
    free(requests->send_phase);
    free(requests->receive_phase);
    free(requests->copy);
    memset(requests, 0, sizeof *requests);
}

void nuce_requests_copy(const struct nuce_requests *requests, int phase, int *next)
{
    for (; *next < requests->copies && requests->copy[*next].phase <= phase; ++*next) {
        const struct nuce_copy *copy = &requests->copy[*next];

        memcpy(copy->to, copy->from, (size_t)copy->bytes);
    }
}

int nuce_request_is_pending(MPI_Request request)
{
    int complete = 0;

    NUCE_MPI(MPI_Request_get_status(request, &complete, MPI_STATUS_IGNORE));
    return !complete;
}
