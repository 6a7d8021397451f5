/* A piece is a persistent request from or to its place in a buffer. It is made once, so a step
 * only starts it. */
#include "run/requests.h"

#include <limits.h>
#include <string.h>

int nuce_requests_add(const struct nuce_engine_input *input, enum nuce_direction direction, int tag,
                      const struct nuce_transfer *piece, struct nuce_request_set *set)
{
    const struct nuce_payload *payload = input->payload;

    return nuce_request_set_add_bytes(
        set, direction,
        nuce_payload_at(direction == NUCE_SEND ? &payload->send : &payload->receive, piece), tag,
        piece);
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
            memcpy(nuce_payload_at(&payload->receive, piece),
                   nuce_payload_at(&payload->send, piece), (size_t)piece->bytes);
        else if (piece->offset == 0)
            nuce_payload_copy_own(payload); /* whole, for any number of pieces */
        nuce_trace_note_copy(trace, piece->phase, piece->bytes, start_s);
    }
}

void nuce_requests_copy_all(const struct nuce_engine_input *input)
{
    int64_t next = input->schedule->send_start[input->world->rank];

    nuce_requests_copy(input, INT_MAX, &next);
}

int nuce_requests_wait_for(const struct nuce_request_set *set, int first, int end, int *peer)
{
    int waited = nuce_request_set_pending(set, first, end);

    if (waited >= 0)
        *peer = set->about[waited].peer;
    return waited >= 0;
}
