/* Chooses the executor of a schedule's discipline, or the one that the schedule names, and runs
 * it: start, progress until done, finish. */
#include "run/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "run/fault.h"

#define NUCE_REGISTRY executor
#define NUCE_REGISTRY_ROWS "run/executors.def"
#include "base/registry.inc"

/* The executor is named by the discipline, or, for a dynamic schedule, by the schedule. */
const struct nuce_executor_ops *nuce_engine_executor(const struct nuce_schedule *schedule)
{
    const char *name = schedule->discipline == NUCE_DYNAMIC
                           ? schedule->executor
                           : nuce_discipline_name(schedule->discipline);
    int i = 0;

    while (nuce_executors[i] != NULL && strcmp(nuce_executors[i]->name, name) != 0)
        i++;
    NUCE_ASSERT(nuce_executors[i] != NULL);
    return nuce_executors[i];
}

nuce_status nuce_engine_init(const struct nuce_engine_input *input, struct nuce_engine *out,
                             struct nuce_error *error)
{
    struct nuce_engine engine = {.ops = nuce_engine_executor(input->schedule),
                                 .world = input->world,
                                 .payload = input->payload};

    NUCE_ASSERT(!engine.ops->takes_buffers || input->payload->send.place == NULL);
    if (engine.ops->moves_arrays)
        engine.arrays = input->arrays;
    /* If ranks yield, a library's blocking call would spin in the library. */
    engine.nonblocking = engine.ops->block != NULL && input->world->wait.yield;
    engine.self = nuce_allocate(1, engine.ops->self_size);
    if (engine.ops->build(engine.self, input, error) != NUCE_OK) {
        free(engine.self);
        return error->status;
    }
    *out = engine;
    return NUCE_OK;
}

void nuce_engine_fini(struct nuce_engine *engine)
{
    if (engine->ops != NULL && engine->ops->destroy != NULL)
        engine->ops->destroy(engine->self);
    free(engine->self);
    memset(engine, 0, sizeof *engine);
}

void nuce_engine_start(struct nuce_engine *engine)
{
    nuce_watch_set(engine->world->watch, NUCE_ACTIVITY_EXCHANGE, -1, -1);
    if (engine->world->trace != NULL)
        engine->world->trace->is_noted |= engine->ops->traces;
    engine->ops->start(engine->self);
}

int nuce_engine_progress(struct nuce_engine *engine)
{
    return engine->ops->progress(engine->self);
}

/* Corrupts the exchanged data, if a test asks for it. */
static void engine_break(struct nuce_engine *engine)
{
    if (nuce_fault_concerns(engine->ops->name))
        nuce_fault_after_exchange(engine->payload, engine->arrays);
}

void nuce_engine_finish(struct nuce_engine *engine)
{
    unsigned polls = 0;

    while (!nuce_engine_progress(engine)) {
        nuce_wait_pause(&engine->world->wait, &polls);
        if (polls % NUCE_POLLS_BEFORE_DIAGNOSIS == 0) { /* the watchdog learns the awaited rank */
            int peer = -1, phase = 0;

            if (engine->ops->diagnose != NULL)
                engine->ops->diagnose(engine->self, &peer, &phase);
            nuce_watch_detail(engine->world->watch, peer, phase);
        }
    }
    engine_break(engine);
}

void nuce_engine_run(struct nuce_engine *engine)
{
    if (engine->ops->block == NULL || engine->nonblocking) {
        nuce_engine_start(engine);
        nuce_engine_finish(engine);
        return;
    }
    nuce_watch_set(engine->world->watch, NUCE_ACTIVITY_EXCHANGE, -1, -1);
    engine->ops->block(engine->self);
    engine_break(engine);
}
