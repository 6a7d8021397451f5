/* A capture of traffic matrices: who sends how much to whom in one call after the other, without
 * times, hosts or communicators. How many messages a sum was, and when, a matrix leaves open: its
 * quality is merged.
 *
 * Steps: collect the messages of a call, sort them by source and destination, look the pattern up
 * among those that there are (capture/builder.h), append its index to the sequence of calls. Cost:
 * O(m log m) time for a call of m messages, 16 bytes for each message of the call at hand and 4 for
 * each call. */
#include "capture/matrices.h"

#include <stdlib.h>

#include "base/allocate.h"

void nuce_matrices_init(struct nuce_matrices *matrices)
{
    *matrices = (struct nuce_matrices){0};
    matrices->builder.capture = &matrices->capture;
}

void nuce_matrices_fini(struct nuce_matrices *matrices)
{
    nuce_capture_builder_fini(&matrices->builder);
    nuce_capture_fini(&matrices->capture);
    free(matrices->messages);
    free(matrices->calls);
}

void nuce_matrices_add(struct nuce_matrices *matrices, int source, int destination, int64_t bytes)
{
    void *list = matrices->messages;

    if (bytes == 0)
        return;
    nuce_allocate_more(&list, &matrices->capacity, matrices->count + 1, sizeof *matrices->messages);
    matrices->messages = list;
    matrices->messages[matrices->count++] = (struct nuce_message){source, destination, bytes};
}

/* The one communicator, of all ranks, as MPI_COMM_WORLD would be. No rank's host is known (-1), and
 * all count as having ended in MPI_Finalize: a file that says less than that is no reason to warn
 * of a run that was cut short. */
static void make_communicator(struct nuce_capture *capture, int ranks)
{
    capture->communicator = nuce_allocate(1, sizeof *capture->communicator);
    capture->sequence = nuce_allocate(1, sizeof *capture->sequence);
    capture->host_of = nuce_allocate(ranks, sizeof *capture->host_of);
    capture->communicators = 1;
    capture->communicator->size = ranks;
    capture->communicator->members = nuce_allocate(ranks, sizeof *capture->communicator->members);
    for (int i = 0; i < ranks; i++) {
        capture->communicator->members[i] = i;
        capture->host_of[i] = -1;
    }
    capture->ranks = capture->found = capture->endings[NUCE_RAW_FINALIZED] = ranks;
}

/* The first call makes the communicator; all others have as many ranks. */
nuce_status nuce_matrices_end_call(struct nuce_matrices *matrices, int ranks,
                                   struct nuce_error *error)
{
    struct nuce_capture_pattern pattern = {.kind = NUCE_RAW_KIND_matrix,
                                           .quality = NUCE_CAPTURE_MERGED};
    void *list = matrices->calls;
    int64_t index;

    if (matrices->capture.ranks == 0)
        make_communicator(&matrices->capture, ranks);
    NUCE_ASSERT(matrices->capture.ranks == ranks);
    if (matrices->count > 0)
        qsort(matrices->messages, (size_t)matrices->count, sizeof *matrices->messages,
              nuce_capture_builder_order);
    index = nuce_capture_builder_add(&matrices->builder, &pattern, matrices->messages,
                                     matrices->count, error);
    if (index < 0)
        return error->status;
    nuce_allocate_more(&list, &matrices->call_capacity, matrices->call_count + 1,
                       sizeof *matrices->calls);
    matrices->calls = list;
    matrices->calls[matrices->call_count++] = (int)index;
    matrices->capture.pattern[index].calls++;
    matrices->count = 0;
    return NUCE_OK;
}

void nuce_matrices_finish(struct nuce_matrices *matrices, struct nuce_capture *out)
{
    NUCE_ASSERT(matrices->call_count > 0);
    nuce_capture_sequence_init(matrices->calls, matrices->call_count,
                               &matrices->capture.sequence[0]);
    *out = matrices->capture;
    matrices->capture = (struct nuce_capture){0};
}
