/* Forward: phase by phase as lockstep, but what a rank receives may be for others, to whom it sends
 * it on in a later phase (schedules/store_forward.h). All receives are posted at the start; a phase
 * ends when its sends and its receives have, and what it brought for this rank is then put in its
 * place, unless it came there. What has to be copied for that is a part of the exchange. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "run/control.h"
#include "run/fault.h"
#include "run/forward_plan.h"
#include "run/requests.h"

/* An exchange under way: `current` is the step that is waited for. */
struct forward {
    struct nuce_world *world;
    const struct nuce_payload *payload;
    struct nuce_forward_plan plan;
    int current; /* step */
    int ended;   /* requests of it */
};

static void forward_destroy(void *self)
{
    struct forward *forward = self;

    if (forward == NULL)
        return;
    nuce_forward_plan_fini(&forward->plan);
    free(forward);
}

static nuce_status forward_create(const struct nuce_engine_input *input, void **self,
                                  struct nuce_error *error)
{
    struct forward *forward = nuce_allocate(1, sizeof *forward);

    (void)error;
    forward->world = input->world;
    forward->payload = input->payload;
    nuce_forward_plan_init(input, &forward->plan);
    *self = forward;
    return NUCE_OK;
}

/* Copies number first to end - 1, in order. */
static void forward_copy(const struct nuce_forward_plan *plan, int64_t first, int64_t end)
{
    for (int64_t i = first; i < end; i++)
        memcpy(plan->copy[i].to, plan->copy[i].from, (size_t)plan->copy[i].bytes);
}

/* Packs and sends what the current step has to send. */
static void start_forward_step(struct forward *forward)
{
    struct nuce_forward_plan *plan = &forward->plan;
    const struct nuce_forward_step *step = &plan->step[forward->current];

    if (forward->current == plan->steps)
        return;
    forward_copy(plan, step->first_pack, step->end_pack);
    nuce_request_set_start_some(&plan->set, step->end_receive, step->end_request);
}

static void forward_start(void *self)
{
    struct forward *forward = self;
    struct nuce_forward_plan *plan = &forward->plan;

    forward->current = forward->ended = 0;
    for (int i = 0; i < plan->steps; i++)
        nuce_request_set_start_some(&plan->set, plan->step[i].first_request,
                                    plan->step[i].end_receive);
    start_forward_step(forward);
    if (plan->own != NULL)
        nuce_requests_copy_own(forward->world, forward->payload, plan->own);
}

/* Where tests want it broken: changes the last message of a step that is for another rank. */
static void break_transit(const struct nuce_forward_plan *plan,
                          const struct nuce_forward_step *step)
{
    for (int64_t k = step->end_arrival - 1; k >= step->first_arrival; k--) {
        const struct nuce_forward_arrival *arrival = &plan->arrival[k];

        if (arrival->parcel.destination != plan->rank) {
            nuce_fault_in_transit(plan->rank, arrival->at, arrival->parcel.bytes);
            return;
        }
    }
}

/* Whether the step has ended now. Its requests alone are looked at: those of later steps can wait,
 * and to test them all takes longer than a short message. */
static int progress_forward_step(struct forward *forward, const struct nuce_forward_step *step)
{
    forward->ended +=
        nuce_request_set_test_some(&forward->plan.set, step->first_request, step->end_request);
    return forward->ended == step->end_request - step->first_request;
}

/* Goes on through as many steps as have ended: a rank that is late catches up in one call. */
static int forward_progress(void *self)
{
    struct forward *forward = self;
    struct nuce_forward_plan *plan = &forward->plan;

    while (forward->current < plan->steps) {
        const struct nuce_forward_step *step = &plan->step[forward->current];

        if (!progress_forward_step(forward, step))
            return 0;
        forward->current++;
        forward->ended = 0;
        break_transit(plan, step);
        forward_copy(plan, step->first_unpack, step->end_unpack);
        start_forward_step(forward);
    }
    return 1;
}

static void forward_diagnose(void *self, int *peer, int *phase)
{
    const struct forward *forward = self;
    const struct nuce_forward_plan *plan = &forward->plan;
    const struct nuce_forward_step *step = &plan->step[forward->current];
    int waited;

    if (forward->current == plan->steps)
        return;
    *phase = step->phase;
    waited = nuce_request_set_pending(&plan->set, step->first_request, step->end_request);
    if (waited >= 0)
        *peer = plan->set.about[waited].peer;
}

/* The first arrival that is wrong, NULL if none is. Arrivals are by phase, so that the first is
 * where it went wrong, not where it went on to. *offset: of the wrong byte in the message. */
static const struct nuce_forward_arrival *first_wrong(const struct nuce_forward_plan *plan,
                                                      uint64_t salt, int64_t *offset)
{
    for (int64_t k = 0; k < plan->arrivals; k++) {
        const struct nuce_forward_arrival *arrival = &plan->arrival[k];

        if (nuce_payload_compare(arrival->at, arrival->parcel.offset, arrival->parcel.bytes,
                                 arrival->parcel.source, arrival->parcel.destination, salt,
                                 offset) > 0)
            return arrival;
    }
    return NULL;
}

/* All ranks compare; those with the least phase report, since what is wrong later follows from it.
 * Collective over the world. */
static nuce_status forward_check(void *self, uint64_t salt, struct nuce_error *error)
{
    struct forward *forward = self;
    int64_t offset = 0;
    const struct nuce_forward_arrival *wrong = first_wrong(&forward->plan, salt, &offset);
    int first = wrong == NULL ? INT_MAX : wrong->phase;

    nuce_control_allreduce(forward->world, &first, 1, MPI_INT, MPI_MIN, forward->world->control);
    if (wrong == NULL || wrong->phase != first)
        return NUCE_OK;
    return nuce_error_set(error, NUCE_CORRUPT,
                          "byte %lld of the message from rank %d to rank %d is wrong at rank %d, "
                          "which had it from rank %d in phase %d",
                          (long long)offset, wrong->parcel.source, wrong->parcel.destination,
                          forward->plan.rank, wrong->from, wrong->phase);
}

const struct nuce_executor_ops nuce_executor_forward = {
    .name = "forward",
    .traces = 1,
    .create = forward_create,
    .start = forward_start,
    .progress = forward_progress,
    .diagnose = forward_diagnose,
    .check = forward_check,
    .destroy = forward_destroy,
};
