/* The redistribution back to the first layout, which the check there and back needs: the same
 * messages the other way round, all posted at once (`ac`), never timed. */
#include "programs/way_back.h"

#include <string.h>

/* The engine copies what the rank keeps; on the way back nuce_arrays_unpack_back does that. */
static void copy_nothing(void *context)
{
    (void)context;
}

/* The payload the other way round, on the same buffers: sends become receives. */
static struct nuce_payload swap_buffers(const struct nuce_payload *there)
{
    return (struct nuce_payload){.rank = there->rank,
                                 .sends = there->receives,
                                 .receives = there->sends,
                                 .destination = there->source,
                                 .source = there->destination,
                                 .send_at = there->receive_at,
                                 .receive_at = there->send_at,
                                 .send = there->receive,
                                 .receive = there->send,
                                 .own = {.copy = copy_nothing}};
}

/* The schedule of the transposed pattern. Local. */
static nuce_status make_schedule(const struct nuce_pattern *there, struct nuce_schedule *out,
                                 struct nuce_error *error)
{
    struct nuce_pattern back;
    struct nuce_schedule_input input = {.pattern = &back};
    nuce_status status;

    if (nuce_pattern_transpose(there, &back, error) != NUCE_OK)
        return error->status;
    status = nuce_schedule_create(nuce_schedule_find("ac"), &input, out, error);
    nuce_pattern_fini(&back);
    return status;
}

nuce_status nuce_way_back_init(struct nuce_world *world, struct nuce_communication *there,
                               struct nuce_way_back *out, struct nuce_error *error)
{
    struct nuce_engine_input input = {
        .world = world, .schedule = &out->schedule, .payload = &out->payload};

    *out = (struct nuce_way_back){.world = world, .payload = swap_buffers(&there->payload)};
    if (nuce_world_agree(world, make_schedule(&there->pattern, &out->schedule, error), error) !=
            NUCE_OK ||
        nuce_world_agree(world, nuce_engine_init(&input, &out->engine, error), error) != NUCE_OK) {
        nuce_way_back_fini(out);
        return error->status;
    }
    return NUCE_OK;
}

void nuce_way_back_fini(struct nuce_way_back *back)
{
    nuce_engine_fini(&back->engine);
    nuce_schedule_fini(&back->schedule);
    memset(back, 0, sizeof *back);
}

/* Swapping twice gives the payload as the arrays pack and unpack it. */
void nuce_way_back_run(struct nuce_way_back *back, const struct nuce_arrays *arrays)
{
    struct nuce_payload there = swap_buffers(&back->payload);

    nuce_arrays_pack_back(arrays, &there);
    nuce_world_barrier(back->world);
    nuce_engine_run(&back->engine);
    nuce_arrays_unpack_back(arrays, &there);
}
