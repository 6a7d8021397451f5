/* The patterns of a sequence are all known before it runs, and so are its schedules, as each rank
 * computes them: a step is then only what is sent. Each pattern has buffers of its own layout in
 * the same memory; what a kept schedule has no room for has an engine of its own, behind the
 * first. */
#include "exchange/sequence_run.h"

#include <stdlib.h>
#include <string.h>

#include "engine/buffers.h"
#include "support/allocate.h"
#include "world/node_memory.h"

int64_t nuce_sequence_run_steps(const struct nuce_sequence_run *run)
{
    return run->sequence.terms.steps;
}

/* Local. */
static nuce_status sequence_run_draw(const struct nuce_point *point,
                                     const struct nuce_sequence_terms *terms,
                                     struct nuce_sequence *out, struct nuce_error *error)
{
    nuce_status status = nuce_sequence_init(terms, out, error);

    for (int64_t t = 0; status == NUCE_OK && t < terms->steps; t++)
        status = point->workload->pattern_at(point->params, point->ranks, t, &out->step[t].pattern,
                                             error);
    return status;
}

/* The most that a rank sends, and receives, in a pattern. */
static void sequence_run_most(const struct nuce_sequence *sequence, int rank, int64_t *sent,
                              int64_t *received)
{
    for (int64_t t = 0; t < sequence->terms.steps; t++) {
        const struct nuce_pattern *pattern = &sequence->step[t].pattern;
        int64_t out = 0, in = 0;

        for (int source = 0; source < pattern->ranks; source++) {
            int64_t k = nuce_pattern_find(pattern, source, rank);

            in += k < 0 ? 0 : pattern->bytes[k];
        }
        for (int64_t k = pattern->row[rank]; k < pattern->row[rank + 1]; k++)
            out += pattern->bytes[k];
        *sent = out > *sent ? out : *sent;
        *received = in > *received ? in : *received;
    }
}

/* So that the buffers which all steps, and all contenders, share are large enough for each. Who
 * asks first says how large they are. Collective. */
static nuce_status sequence_run_reserve(struct nuce_sequence_run *run, struct nuce_error *error)
{
    struct nuce_buffers *buffers = run->world->buffers;
    int64_t sent = 0, received = 0, there = nuce_buffers_bytes(buffers), wanted;
    int is_shared[2] = {1, 1};
    unsigned char *send, *receive;

    sequence_run_most(&run->sequence, run->world->rank, &sent, &received);
    wanted = sent + received;
    if (nuce_node_memory_check(run->world, wanted > there ? wanted - there : 0, error) != NUCE_OK)
        return error->status;
    if (buffers == NULL)
        return NUCE_OK;
    send = nuce_buffers_take(buffers, NUCE_BUFFER_SEND, sent, &is_shared[0], error);
    receive = nuce_buffers_take(buffers, NUCE_BUFFER_RECEIVE, received, &is_shared[1], error);
    if (!is_shared[0])
        free(send);
    if (!is_shared[1])
        free(receive);
    return nuce_world_agree(run->world, send == NULL || receive == NULL ? NUCE_FAILED : NUCE_OK,
                            error);
}

nuce_status nuce_sequence_run_init(struct nuce_world *world, const struct nuce_point *point,
                                   struct nuce_sequence_run *run, struct nuce_error *error)
{
    struct nuce_sequence_terms terms = point->workload->sequence(point->params);
    nuce_status status;

    run->world = world;
    if (terms.steps <= 1)
        return NUCE_OK;
    status = sequence_run_draw(point, &terms, &run->sequence, error);
    if (status == NUCE_OK) {
        run->exchange = nuce_allocate(terms.steps, sizeof *run->exchange, error);
        status = run->exchange != NULL ? NUCE_OK : error->status;
    }
    if (nuce_world_agree(world, status, error) != NUCE_OK)
        return error->status;
    return sequence_run_reserve(run, error);
}

void nuce_sequence_run_fini(struct nuce_sequence_run *run)
{
    for (int64_t t = 0; run->exchange != NULL && t < nuce_sequence_run_steps(run); t++) {
        nuce_engine_fini(&run->exchange[t].rest);
        nuce_engine_fini(&run->exchange[t].planned);
        nuce_payload_fini(&run->exchange[t].payload);
    }
    free(run->exchange);
    nuce_sequence_fini(&run->sequence);
    memset(run, 0, sizeof *run);
}

/* The schedules of one pattern. Collective. */
static nuce_status sequence_run_schedule(const struct nuce_communication *first,
                                         const struct nuce_point *point,
                                         struct nuce_sequence *sequence, int64_t step,
                                         struct nuce_error *error)
{
    const struct nuce_pattern *wanted = NULL;
    struct nuce_schedule schedule = {0};
    double seconds = 0;
    nuce_status status =
        nuce_world_agree(first->world, nuce_sequence_want(sequence, step, &wanted, error), error);

    if (status == NUCE_OK && wanted != NULL)
        status = nuce_communication_schedule(first, point, wanted, &schedule, &seconds, error);
    if (status != NUCE_OK)
        return status;
    status = nuce_sequence_take(sequence, step, wanted != NULL ? &schedule : NULL, seconds, error);
    return nuce_world_agree(first->world, status, error);
}

/* Buffers and requests of one pattern. Collective. */
static nuce_status sequence_run_set_up(struct nuce_world *world,
                                       const struct nuce_sequence_step *step,
                                       struct nuce_sequence_exchange *exchange,
                                       struct nuce_error *error)
{
    struct nuce_engine_input input = {
        .world = world, .schedule = &step->planned, .payload = &exchange->payload};
    nuce_status status = nuce_payload_init_shared(&step->pattern, world->rank, NULL, world->buffers,
                                                  &exchange->payload, error);

    if (nuce_world_agree(world, status, error) != NUCE_OK ||
        nuce_world_agree(world, nuce_engine_init(&input, &exchange->planned, error), error) !=
            NUCE_OK)
        return error->status;
    if (step->rest.pieces == 0)
        return NUCE_OK;
    input.schedule = &step->rest;
    return nuce_world_agree(world, nuce_engine_init(&input, &exchange->rest, error), error);
}

/* Predictions are recorded by rank 0 alone. Collective. */
static nuce_status sequence_run_describe(const struct nuce_communication *first,
                                         struct nuce_sequence_run *run, struct nuce_found *found,
                                         struct nuce_error *error)
{
    int is_known = first->network.ranks > 0 && run->world->rank == 0;
    double seconds = run->sequence.seconds, predicted;
    nuce_status status = nuce_sequence_describe(&run->sequence, is_known ? &first->network : NULL,
                                                NULL, &predicted, found, error);

    nuce_world_maximum(run->world, &seconds, 1);
    nuce_found_real(found, "schedule_s", seconds);
    return nuce_world_agree(run->world, status, error);
}

nuce_status nuce_sequence_run_build(const struct nuce_communication *first,
                                    const struct nuce_point *point, struct nuce_sequence_run *run,
                                    struct nuce_found *found, struct nuce_error *error)
{
    for (int64_t t = 0; t < nuce_sequence_run_steps(run); t++) {
        if (sequence_run_schedule(first, point, &run->sequence, t, error) != NUCE_OK ||
            sequence_run_set_up(run->world, &run->sequence.step[t], &run->exchange[t], error) !=
                NUCE_OK)
            return error->status;
    }
    return nuce_sequence_run_steps(run) == 0 ? NUCE_OK
                                             : sequence_run_describe(first, run, found, error);
}

static void sequence_run_one(struct nuce_sequence_exchange *exchange)
{
    nuce_engine_run(&exchange->planned);
    if (exchange->rest.ops != NULL)
        nuce_engine_run(&exchange->rest);
}

void nuce_sequence_run_step(struct nuce_sequence_run *run)
{
    for (int64_t t = 0; t < nuce_sequence_run_steps(run); t++)
        sequence_run_one(&run->exchange[t]);
}

/* Of one pattern. Collective; all ranks return the same status. */
static nuce_status sequence_run_check_one(struct nuce_world *world,
                                          struct nuce_sequence_exchange *exchange, uint64_t salt,
                                          struct nuce_error *error)
{
    const struct nuce_engine *planned = &exchange->planned;
    nuce_status status = NUCE_OK;

    nuce_payload_fill(&exchange->payload, salt);
    nuce_world_barrier(world);
    sequence_run_one(exchange);
    if (planned->ops->check != NULL)
        status = planned->ops->check(planned->self, salt, error);
    if (nuce_world_agree(world, status, error) != NUCE_OK)
        return error->status;
    return nuce_world_agree(world, nuce_payload_check(&exchange->payload, salt, error), error);
}

nuce_status nuce_sequence_run_check(struct nuce_sequence_run *run, uint64_t salt,
                                    struct nuce_error *error)
{
    for (int64_t t = 0; t < nuce_sequence_run_steps(run); t++) {
        if (sequence_run_check_one(run->world, &run->exchange[t], salt, error) != NUCE_OK)
            return nuce_error_prefix(error, "pattern %lld of the sequence", (long long)t + 1);
    }
    return NUCE_OK;
}

const struct nuce_payload *nuce_sequence_run_last(const struct nuce_sequence_run *run)
{
    return &run->exchange[nuce_sequence_run_steps(run) - 1].payload;
}
