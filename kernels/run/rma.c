/* One-sided: MPI_Put into a window over the receive buffer, with post-start-complete-wait
 * (MPI-3.1, 11.5.2), which synchronises partners only. A fence makes all ranks wait for all, and
 * cannot be tested.
 *
 * If every rank has a processor of its own, the calls are made as in applications. Otherwise
 * MPI_Win_start may wait in the library until all destinations have posted. So each destination
 * sends an empty message that it has posted, which is awaited by our own wait; the end of the
 * exposure is tested for. MPI_Win_complete has no such form. It is called when every destination
 * has posted, so it only waits for the data to arrive. That wait is still in the library. With 8
 * ranks on 2 processors under MPICH 4.0.2 (ch4:ucx), MPI_Win_start took 1 us. MPI_Win_complete
 * took 31 ms at 256 B and 0.26 s at 64 KiB, nearly all of the exchange. */
#include <stdlib.h>

#include "base/allocate.h"
#include "run/bytes_type.h"
#include "run/check.h"
#include "run/control.h"
#include "run/request_set.h"
#include "run/requests.h"
#include "run/world.h"

enum { TAG_POSTED };

/* One MPI_Put: a piece, from its place in the send buffer to its place at the target. */
struct put {
    const unsigned char *from;
    MPI_Aint at; /* byte of the target's receive buffer */
    MPI_Datatype type;
    int count;
    int target;
};

struct rma {
    struct nuce_engine_input input;
    MPI_Win window;
    MPI_Group sources, destinations;
    int posts, puts;             /* number of sources; of destinations; of pieces to them */
    struct put *put;             /* puts */
    struct nuce_request_set set; /* messages "posted": from each destination, to each source */
    int ended;                   /* ended requests of the set */
    int is_written, is_done;
};

static void rma_destroy(void *self)
{
    struct rma *rma = self;

    for (int i = 0; i < rma->puts; i++)
        nuce_bytes_type_free(&rma->put[i].type);
    nuce_request_set_fini(&rma->set);
    if (rma->sources != MPI_GROUP_NULL)
        NUCE_MPI(MPI_Group_free(&rma->sources));
    if (rma->destinations != MPI_GROUP_NULL)
        NUCE_MPI(MPI_Group_free(&rma->destinations));
    if (rma->window != MPI_WIN_NULL)
        NUCE_MPI(MPI_Win_free(&rma->window));
    free(rma->put);
}

/* A piece goes straight to its place in the target's buffer. */
static void add_puts(struct rma *rma, const int64_t *at)
{
    const struct nuce_schedule *schedule = rma->input.schedule;
    int rank = rma->input.world->rank;

    for (int64_t i = schedule->send_start[rank]; i < schedule->send_start[rank + 1]; i++) {
        const struct nuce_transfer *piece = &schedule->sends[i];
        struct put *put = &rma->put[rma->puts];

        if (piece->peer == rank)
            continue;
        put->from = nuce_payload_at(&rma->input.payload->send, piece);
        put->target = piece->peer;
        put->at = (MPI_Aint)(at[piece->peer] + piece->offset);
        nuce_bytes_type(piece->bytes, &put->type, &put->count);
        rma->puts++;
    }
}

/* The partners other than this rank as a group of the world, each with its request in the set.
 * *others: their number. Freed by the caller. */
static MPI_Group add_partners(struct rma *rma, enum nuce_direction direction,
                              const struct nuce_payload_side *side, int *others)
{
    MPI_Group all, group;
    int own = -1;

    for (int i = 0; i < side->count; i++) {
        const struct nuce_transfer about = {.peer = side->peer[i], .phase = -1};

        if (side->peer[i] == rma->input.world->rank)
            own = i;
        else
            nuce_request_set_add_bytes(&rma->set, direction, NULL, TAG_POSTED, &about);
    }
    NUCE_MPI(MPI_Comm_group(rma->input.world->comm, &all));
    NUCE_MPI(MPI_Group_incl(all, side->count, side->peer, &group));
    NUCE_MPI(MPI_Group_free(&all));
    if (own >= 0) {
        MPI_Group whole = group;

        NUCE_MPI(MPI_Group_excl(whole, 1, &own, &group));
        NUCE_MPI(MPI_Group_free(&whole));
    }
    *others = side->count - (own >= 0);
    return group;
}

/* Making the window is collective, so all ranks must know that all can continue. Collective over
 * the world. */
static nuce_status rma_build(void *self, const struct nuce_engine_input *input,
                             struct nuce_error *error)
{
    const struct nuce_payload_side *send = &input->payload->send;
    const struct nuce_payload_side *receive = &input->payload->receive;
    struct rma *rma = self;
    int size = input->world->size, partners;
    /* The start of this rank's messages in each destination's receive buffer: each rank sends it
     * to its sources. */
    int64_t *tell = nuce_allocate(size, sizeof *tell), *at = nuce_allocate(size, sizeof *at);

    (void)error;
    rma->input = *input;
    rma->window = MPI_WIN_NULL;
    rma->sources = rma->destinations = MPI_GROUP_NULL;
    rma->put = nuce_allocate(send->count, sizeof *rma->put);
    nuce_request_set_init(input->world, (int64_t)send->count + receive->count, &rma->set);
    for (int i = 0; i < receive->count; i++)
        tell[receive->peer[i]] = receive->at[i];
    nuce_control_alltoall(input->world, tell, MPI_INT64_T, at);
    add_puts(rma, at);
    free(tell);
    free(at);
    rma->destinations = add_partners(rma, NUCE_RECEIVE, send, &partners);
    NUCE_ASSERT(partners == rma->puts);
    rma->sources = add_partners(rma, NUCE_SEND, receive, &rma->posts);
    NUCE_MPI(MPI_Win_create(receive->data, (MPI_Aint)nuce_payload_bytes(receive), 1, MPI_INFO_NULL,
                            input->world->comm, &rma->window));
    NUCE_MPI(MPI_Win_set_errhandler(rma->window, MPI_ERRORS_RETURN));
    return NUCE_OK;
}

/* Opens this rank's buffer to its sources. The copy to itself needs no partner. */
static void rma_post(struct rma *rma)
{
    if (rma->posts > 0)
        NUCE_MPI(MPI_Win_post(rma->sources, 0, rma->window));
    nuce_requests_copy_all(&rma->input);
}

/* One access epoch. MPI need not transfer anything before MPI_Win_complete. */
static void rma_write_all(struct rma *rma)
{
    if (rma->puts == 0)
        return;
    NUCE_MPI(MPI_Win_start(rma->destinations, 0, rma->window));
    for (int i = 0; i < rma->puts; i++) {
        const struct put *put = &rma->put[i];

        NUCE_MPI(MPI_Put(put->from, put->count, put->type, put->target, put->at, put->count,
                         put->type, rma->window));
    }
    NUCE_MPI(MPI_Win_complete(rma->window));
}

/* The post comes first, then the messages that announce it. */
static void rma_start(void *self)
{
    struct rma *rma = self;

    rma->ended = 0;
    rma->is_written = 0;
    rma->is_done = 0;
    rma_post(rma);
    nuce_request_set_start_some(&rma->set, 0, rma->set.count);
}

static int rma_progress(void *self)
{
    struct rma *rma = self;

    if (rma->is_done)
        return 1;
    if (!rma->is_written) {
        rma->ended += nuce_request_set_test(&rma->set);
        if (rma->ended < rma->set.count)
            return 0;
        rma_write_all(rma);
        rma->is_written = 1;
    }
    if (rma->posts > 0)
        NUCE_MPI(MPI_Win_test(rma->window, &rma->is_done));
    else
        rma->is_done = 1;
    return rma->is_done;
}

/* As in an application, without the messages: MPI_Win_start waits for the posts. */
static void rma_block(void *self)
{
    struct rma *rma = self;

    rma_post(rma);
    rma_write_all(rma);
    if (rma->posts > 0)
        NUCE_MPI(MPI_Win_wait(rma->window));
}

/* Names a destination that has not posted; the progress within the library is unknown. */
static void rma_diagnose(void *self, int *peer, int *phase)
{
    const struct rma *rma = self;
    int waited = nuce_request_set_pending(&rma->set, 0, rma->set.count);

    *peer = rma->is_written || waited < 0 ? -1 : rma->set.about[waited].peer;
    *phase = 0;
}

const struct nuce_executor_ops nuce_executor_rma = {
    .name = "rma",
    .takes_buffers = 1,
    .self_size = sizeof(struct rma),
    .build = rma_build,
    .start = rma_start,
    .progress = rma_progress,
    .block = rma_block,
    .diagnose = rma_diagnose,
    .destroy = rma_destroy,
};
