/* Lockstep: phase by phase; a rank goes on to its next phase when its own send and receive of this
 * one are done, whatever the others do (the loose execution of the papers: Ranka, Wang and Kumar,
 * Figures 7 and 9). Steps: for each phase in which the rank has something to do, start its receive
 * and its send, wait for both, go on. What the rank has for itself is copied in its phase. Nothing
 * waits for the others' phases, so ranks may be many phases apart. Memory: one step for each phase,
 * 40 bytes or so. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "run/check.h"
#include "run/requests.h"

/* What this rank does in one phase. */
struct lockstep_step {
    MPI_Request request[2]; /* receive, then send; handles of `requests` */
    int count;
    int left;               /* requests of the step that are not complete yet */
    unsigned char ended[2]; /* 1: that one is complete */
    int phase;
    int receive, send; /* indices in `requests`; -1: none in this phase */
};

struct lockstep {
    struct nuce_requests requests;
    struct lockstep_step *steps;
    int count;
    int current;   /* step that is waited for; count: all are done */
    int next_copy; /* the next of the pieces to oneself */
};

static void lockstep_destroy(void *self)
{
    struct lockstep *lockstep = self;

    nuce_requests_fini(&lockstep->requests);
    free(lockstep->steps);
}

/* Merges receives and sends, both by phase, into steps, at most one for each request; phases
 * without either are passed over. */
static nuce_status lockstep_build(void *self, const struct nuce_engine_input *input,
                                  struct nuce_error *error)
{
    struct lockstep *lockstep = self;
    const struct nuce_requests *r = &lockstep->requests;
    int send = 0, receive = 0;

    (void)error;
    nuce_requests_init(input, &lockstep->requests);
    lockstep->steps = nuce_allocate(r->sends + r->receives, sizeof *lockstep->steps);
    while (send < r->sends || receive < r->receives) {
        struct lockstep_step *step = &lockstep->steps[lockstep->count++];
        int send_phase = send < r->sends ? r->send_piece[send]->phase : INT_MAX;
        int receive_phase = receive < r->receives ? r->receive_piece[receive]->phase : INT_MAX;

        step->phase = send_phase < receive_phase ? send_phase : receive_phase;
        step->receive = receive_phase == step->phase ? receive++ : -1;
        step->send = send_phase == step->phase ? send++ : -1;
        if (step->receive >= 0) /* first, so that it is there when the message comes */
            step->request[step->count++] = r->receive[step->receive];
        if (step->send >= 0)
            step->request[step->count++] = r->send[step->send];
    }
    return NUCE_OK;
}

/* Begins the current step, if there is one, and copies what the rank has for itself up to that
 * phase. */
static void start_step(struct lockstep *lockstep)
{
    int phase = INT_MAX;

    if (lockstep->current < lockstep->count) {
        struct lockstep_step *step = &lockstep->steps[lockstep->current];

        phase = step->phase;
        if (step->receive >= 0)
            nuce_requests_note_receive(&lockstep->requests, step->receive);
        if (step->send >= 0)
            nuce_requests_note_send(&lockstep->requests, step->send);
        step->left = step->count;
        memset(step->ended, 0, sizeof step->ended);
        NUCE_MPI(MPI_Startall(step->count, step->request));
    }
    nuce_requests_copy(&lockstep->requests, phase, &lockstep->next_copy);
}

static void lockstep_start(void *self)
{
    struct lockstep *lockstep = self;

    lockstep->current = 0;
    lockstep->next_copy = 0;
    start_step(lockstep);
}

/* Goes on through as many steps as are complete: a rank that is late catches up in one call. */
static int lockstep_progress(void *self)
{
    struct lockstep *lockstep = self;

    while (lockstep->current < lockstep->count) {
        const struct nuce_world *world = lockstep->requests.world;
        struct lockstep_step *step = &lockstep->steps[lockstep->current];
        int indices[2];
        int completed = nuce_wait_some(&world->wait, step->count, step->request, indices);

        for (int i = 0; i < completed; i++) {
            nuce_trace_end(world->trace, step->request[indices[i]]);
            step->ended[indices[i]] = 1;
        }
        step->left -= completed;
        if (step->left > 0)
            return 0;
        lockstep->current++;
        start_step(lockstep);
    }
    return 1;
}

/* The receive, which stands first, if that is not complete; else the send. */
static void lockstep_diagnose(void *self, int *peer, int *phase)
{
    const struct lockstep *lockstep = self;

    const struct lockstep_step *step = &lockstep->steps[lockstep->current];

    if (lockstep->current == lockstep->count)
        return;
    *peer = step->receive >= 0 && !step->ended[0]
                ? lockstep->requests.receive_piece[step->receive]->peer
                : lockstep->requests.send_piece[step->send]->peer;
    *phase = step->phase;
}

const struct nuce_executor_ops nuce_executor_lockstep = {
    .name = "lockstep",
    .traces = 1,
    .self_size = sizeof(struct lockstep),
    .build = lockstep_build,
    .start = lockstep_start,
    .progress = lockstep_progress,
    .diagnose = lockstep_diagnose,
    .destroy = lockstep_destroy,
};
