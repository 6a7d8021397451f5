/* Lockstep: phase by phase; a rank goes on to its next phase when its own send and receive of this
 * one are done, whatever the others do (the loose execution of the papers: Ranka, Wang and Kumar,
 * Figures 7 and 9). */
#include <limits.h>
#include <stdlib.h>

#include "check.h"
#include "memory.h"
#include "requests.h"

/* What this rank does in one phase. */
struct step {
    MPI_Request request[2]; /* receive, then send; handles of `requests` */
    int count;
    int phase;
    int peer; /* the first that may be waited for */
};

struct lockstep {
    struct nuce_requests requests;
    struct step *steps;
    int count;
    int current;
    int next_copy;
};

static void destroy(void *self)
{
    struct lockstep *lockstep = self;

    if (lockstep == NULL)
        return;
    nuce_requests_fini(&lockstep->requests);
    free(lockstep->steps);
    free(lockstep);
}

/* Merges receives and sends, both by phase, into steps; phases without either are passed over. */
static void merge(struct lockstep *lockstep)
{
    const struct nuce_requests *r = &lockstep->requests;
    int send = 0, receive = 0;

    while (send < r->sends || receive < r->receives) {
        struct step *step = &lockstep->steps[lockstep->count++];
        int send_phase = send < r->sends ? r->send_phase[send] : INT_MAX;
        int receive_phase = receive < r->receives ? r->receive_phase[receive] : INT_MAX;

        step->phase = send_phase < receive_phase ? send_phase : receive_phase;
        if (send_phase == step->phase) {
            step->peer = r->send_peer[send];
            step->request[step->count++] = r->send[send++];
        }
        if (receive_phase == step->phase) {
            step->peer = r->receive_peer[receive];
            step->request[step->count++] = r->receive[receive++];
        }
        if (step->count == 2) { /* the receive first, so that it is there when the message comes */
            MPI_Request posted_first = step->request[1];

            step->request[1] = step->request[0];
            step->request[0] = posted_first;
        }
    }
}

static nuce_status create(const struct nuce_engine_input *input, void **self,
                          struct nuce_error *error)
{
    struct lockstep *lockstep = nuce_allocate(1, sizeof *lockstep, error);

    if (lockstep == NULL)
        return error->status;
    if (nuce_requests_init(input, &lockstep->requests, error) != NUCE_OK)
        goto fail;
    lockstep->steps = nuce_allocate(lockstep->requests.sends + lockstep->requests.receives,
                                    sizeof *lockstep->steps, error);
    if (lockstep->steps == NULL)
        goto fail;
    merge(lockstep);
    *self = lockstep;
    return NUCE_OK;
fail:
    destroy(lockstep);
    return error->status;
}

static void start_step(struct lockstep *lockstep)
{
    int phase = INT_MAX;

    if (lockstep->current < lockstep->count) {
        struct step *step = &lockstep->steps[lockstep->current];

        phase = step->phase;
        NUCE_MPI(MPI_Startall(step->count, step->request));
    }
    nuce_requests_copy(&lockstep->requests, phase, &lockstep->next_copy);
}

static void start(void *self)
{
    struct lockstep *lockstep = self;

    lockstep->current = 0;
    lockstep->next_copy = 0;
    start_step(lockstep);
}

static int progress(void *self)
{
    struct lockstep *lockstep = self;

    while (lockstep->current < lockstep->count) {
        struct step *step = &lockstep->steps[lockstep->current];
        int done = 0;

        NUCE_MPI(MPI_Testall(step->count, step->request, &done, MPI_STATUSES_IGNORE));
        if (!done)
            return 0;
        lockstep->current++;
        start_step(lockstep);
    }
    return 1;
}

static void diagnose(void *self, int *peer, int *phase)
{
    const struct lockstep *lockstep = self;

    if (lockstep->current == lockstep->count)
        return;
    *peer = lockstep->steps[lockstep->current].peer;
    *phase = lockstep->steps[lockstep->current].phase;
}

const struct nuce_executor_ops nuce_executor_lockstep = {
    .name = "lockstep",
    .create = create,
    .start = start,
    .progress = progress,
    .diagnose = diagnose,
    .destroy = destroy,
};
