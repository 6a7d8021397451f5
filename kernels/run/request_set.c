/* Persistent requests of which any may be active. Completed ones are identified by index, in any
 * order. Cost: each test reads the requests from first to end, as MPI_Testsome does. A protocol
 * that knows the possibly active ones limits the test by first and end. */
#include "run/request_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "run/bytes_type.h"
#include "run/check.h"

void nuce_request_set_init(const struct nuce_world *world, int64_t capacity,
                           struct nuce_request_set *out)
{
    struct nuce_request_set set = {.world = world, .capacity = nuce_int(capacity)};

    set.request = nuce_allocate(capacity, sizeof *set.request);
    set.about = nuce_allocate(capacity, sizeof *set.about);
    set.direction = nuce_allocate(capacity, sizeof *set.direction);
    set.active = nuce_allocate(capacity, sizeof *set.active);
    set.completed = nuce_allocate(capacity, sizeof *set.completed);
    *out = set;
}

void nuce_request_set_fini(struct nuce_request_set *set)
{
    for (int i = 0; i < set->count; i++)
        NUCE_MPI(MPI_Request_free(&set->request[i]));
    free(set->request);
    free(set->about);
    free(set->direction);
    free(set->active);
    free(set->completed);
    memset(set, 0, sizeof *set);
}

int nuce_request_set_add(struct nuce_request_set *set, enum nuce_direction direction, void *data,
                         int count, MPI_Datatype type, int tag, const struct nuce_transfer *about)
{
    MPI_Request *request = &set->request[set->count];

    NUCE_ASSERT(set->count < set->capacity);
    if (direction == NUCE_SEND && set->is_synchronous)
        NUCE_MPI(MPI_Ssend_init(data, count, type, about->peer, tag, set->world->comm, request));
    else if (direction == NUCE_SEND)
        NUCE_MPI(MPI_Send_init(data, count, type, about->peer, tag, set->world->comm, request));
    else
        NUCE_MPI(MPI_Recv_init(data, count, type, about->peer, tag, set->world->comm, request));
    set->active[set->count] = MPI_REQUEST_NULL;
    set->about[set->count] = *about;
    set->direction[set->count] = (unsigned char)direction;
    return set->count++;
}

int nuce_request_set_add_bytes(struct nuce_request_set *set, enum nuce_direction direction,
                               void *data, int tag, const struct nuce_transfer *about)
{
    MPI_Datatype type;
    int count, index;

    nuce_bytes_type(about->bytes, &type, &count);
    index = nuce_request_set_add(set, direction, data, count, type, tag, about);
    nuce_bytes_type_free(&type);
    return index;
}

void nuce_request_set_start(struct nuce_request_set *set, int index)
{
    nuce_request_set_start_some(set, index, index + 1);
}

void nuce_request_set_start_some(struct nuce_request_set *set, int first, int end)
{
    for (int i = first; set->world->trace != NULL && i < end; i++) {
        if (set->about[i].phase >= 0)
            nuce_trace_start(set->world->trace, (enum nuce_direction)set->direction[i],
                             &set->about[i], set->request[i]);
    }
    if (end == first)
        return;
    memcpy(set->active + first, set->request + first, (size_t)(end - first) * sizeof *set->active);
    NUCE_MPI(MPI_Startall(end - first, set->active + first));
}

int nuce_request_set_test_some(struct nuce_request_set *set, int first, int end)
{
    int completed =
        nuce_wait_some(&set->world->wait, end - first, set->active + first, set->completed);

    for (int i = 0; i < completed; i++) {
        int index = set->completed[i] += first;

        nuce_trace_end(set->world->trace, set->request[index]);
        set->active[index] = MPI_REQUEST_NULL;
    }
    return completed;
}

int nuce_request_set_test(struct nuce_request_set *set)
{
    return nuce_request_set_test_some(set, 0, set->count);
}

int nuce_request_set_pending(const struct nuce_request_set *set, int first, int end)
{
    for (int i = first; i < end; i++) {
        if (set->active[i] != MPI_REQUEST_NULL)
            return i;
    }
    return -1;
}
