/* Lockstep: phase by phase. A rank goes on to its next phase when its own send and receive of
 * this one are done, independent of other ranks. This is the loose execution of the papers
 * (Ranka, Wang and Kumar, Figures 7 and 9). Steps: for each phase with work for the rank, start
 * its receive and its send, wait for both, go on. A message to itself is copied in its phase. No
 * rank waits for others' phases, so ranks may be many phases apart. */
#include <limits.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "run/requests.h"

/* One rank's part of a phase: requests first to end - 1. */
struct lockstep_step {
    int phase, first, end;
};

struct lockstep {
    struct nuce_engine_input input;
    struct nuce_request_set set;
    struct lockstep_step *steps;
    int count;
    int current;       /* step that is waited for; count: all are done */
    int ended;         /* ended requests of the step */
    int64_t next_copy; /* index of the next send that may be to oneself */
};

static void lockstep_destroy(void *self)
{
    struct lockstep *lockstep = self;

    nuce_request_set_fini(&lockstep->set);
    free(lockstep->steps);
}

/* Merges receives and sends, both by phase, into steps, at most one for each request; phases
 * without either are skipped. Receives come first, so they are posted when messages come. */
static nuce_status lockstep_build(void *self, const struct nuce_engine_input *input,
                                  struct nuce_error *error)
{
    struct lockstep *lockstep = self;
    struct nuce_request_set *set = &lockstep->set;
    const struct nuce_schedule *schedule = input->schedule;
    int rank = input->world->rank;
    int64_t send = schedule->send_start[rank], sends = schedule->send_start[rank + 1];
    int64_t receive = schedule->receive_start[rank], receives = schedule->receive_start[rank + 1];

    (void)error;
    lockstep->input = *input;
    nuce_request_set_init(input->world, nuce_requests_most(input), set);
    set->is_synchronous = 1;
    lockstep->steps = nuce_allocate(set->capacity, sizeof *lockstep->steps);
    while (send < sends || receive < receives) {
        struct lockstep_step *step = &lockstep->steps[lockstep->count];
        int send_phase = send < sends ? schedule->sends[send].phase : INT_MAX;
        int receive_phase = receive < receives ? schedule->receives[receive].phase : INT_MAX;

        step->phase = send_phase < receive_phase ? send_phase : receive_phase;
        step->first = set->count;
        if (receive_phase == step->phase && schedule->receives[receive].peer != rank)
            nuce_requests_add(input, NUCE_RECEIVE, 0, &schedule->receives[receive], set);
        if (send_phase == step->phase && schedule->sends[send].peer != rank)
            nuce_requests_add(input, NUCE_SEND, 0, &schedule->sends[send], set);
        receive += receive_phase == step->phase;
        send += send_phase == step->phase;
        step->end = set->count;
        lockstep->count += step->end > step->first;
    }
    return NUCE_OK;
}

/* Begins the current step, if there is one, and copies the messages to itself up to that phase. */
static void start_step(struct lockstep *lockstep)
{
    int phase = INT_MAX;

    lockstep->ended = 0;
    if (lockstep->current < lockstep->count) {
        const struct lockstep_step *step = &lockstep->steps[lockstep->current];

        phase = step->phase;
        nuce_request_set_start_some(&lockstep->set, step->first, step->end);
    }
    nuce_requests_copy(&lockstep->input, phase, &lockstep->next_copy);
}

static void lockstep_start(void *self)
{
    struct lockstep *lockstep = self;

    lockstep->current = 0;
    lockstep->next_copy = lockstep->input.schedule->send_start[lockstep->input.world->rank];
    start_step(lockstep);
}

/* Goes through all steps that are complete, so a late rank catches up in one call. */
static int lockstep_progress(void *self)
{
    struct lockstep *lockstep = self;

    while (lockstep->current < lockstep->count) {
        const struct lockstep_step *step = &lockstep->steps[lockstep->current];

        lockstep->ended += nuce_request_set_test_some(&lockstep->set, step->first, step->end);
        if (lockstep->ended < step->end - step->first)
            return 0;
        lockstep->current++;
        start_step(lockstep);
    }
    return 1;
}

/* Names the receive, which comes first, if it is not complete; else the send. */
static void lockstep_diagnose(void *self, int *peer, int *phase)
{
    const struct lockstep *lockstep = self;
    const struct lockstep_step *step = &lockstep->steps[lockstep->current];

    if (lockstep->current == lockstep->count)
        return;
    nuce_requests_wait_for(&lockstep->set, step->first, step->end, peer);
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
