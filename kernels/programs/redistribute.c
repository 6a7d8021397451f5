/* The workload `redistribute` (Bhat, Prasanna, Raghavendra): an array in blocks of x elements on
 * P ranks becomes one in blocks of K x; pack, communicate under a schedule, unpack. Elements
 * that stay on a rank are copied from array to array during the communication.
 *
 * Every rank finds index sets and pattern in closed form (instances/redistribution.h), without
 * communication. Memory: both arrays and both buffers of this rank; the node's memory is checked
 * before the allocation. Verified element by element, there and back. */
#include "programs/runs.h"

#include <stdlib.h>
#include <string.h>

#include "points/workload.h"
#include "run/array_peers.h"
#include "run/communication.h"
#include "run/node_memory.h"

/* The redistribution back to the first layout, for the check there and back: the same messages
 * in the other direction, all posted at once (`ac`), never timed. Its engine keeps pointers into
 * it, so it must not move. */
struct way_back {
    struct nuce_arrays arrays; /* the same arrays and buffers, with swapped roles: borrowed */
    struct nuce_payload payload;
    struct nuce_schedule schedule;
    struct nuce_engine engine;
};

static void way_back_fini(struct way_back *back)
{
    nuce_engine_fini(&back->engine);
    nuce_schedule_fini(&back->schedule);
    memset(back, 0, sizeof *back);
}

/* Makes the engine for the transposed pattern. arrays and there are borrowed; *out must not
 * move. Collective; all ranks return the same status; *out is empty on failure. */
static nuce_status way_back_init(struct nuce_world *world, const struct nuce_arrays *arrays,
                                 const struct nuce_communication *there, struct way_back *out,
                                 struct nuce_error *error)
{
    struct nuce_pattern back = {0};
    struct nuce_schedule_input order = {.pattern = &back};
    struct nuce_engine_input input = {
        .world = world, .schedule = &out->schedule, .payload = &out->payload};
    nuce_status status = nuce_pattern_transpose(&there->plan.pattern, &back, error);

    *out = (struct way_back){.arrays = nuce_arrays_reverse(arrays),
                             .payload = nuce_payload_reverse(&there->payload)};
    out->payload.own =
        (struct nuce_own_copy){.copy = nuce_arrays_copy_own, .context = &out->arrays};
    if (status == NUCE_OK)
        status = nuce_schedule_create(nuce_schedule_find("ac"), &order, &out->schedule, error);
    nuce_pattern_fini(&back);
    if (nuce_world_agree(world, status, error) != NUCE_OK ||
        nuce_world_agree(world, nuce_engine_init(&input, &out->engine, error), error) != NUCE_OK) {
        way_back_fini(out);
        return error->status;
    }
    return NUCE_OK;
}

/* A run on this rank. */
struct redistribute {
    struct nuce_world *world;
    struct nuce_counters *counters; /* borrowed */
    struct nuce_arrays arrays;
    struct nuce_communication communication;
    struct way_back back;
    /* messages have other lengths than the array's: they are sent without an array */
    int is_emulated;
};

static void redistribute_destroy(void *self)
{
    struct redistribute *r = self;

    way_back_fini(&r->back);
    nuce_communication_fini(&r->communication);
    nuce_arrays_fini(&r->arrays);
}

/* Makes index sets and COM first; their seconds are the processor time of both, the maximum over
 * ranks. Then checks the node's memory, and only then allocates: the kernel would kill a process
 * if an array did not fit. Data that contenders of the race share and already have is not
 * counted again. Collective over the world. */
static nuce_status redistribute_build(void *self, void *session, const struct nuce_point *point,
                                      struct nuce_counters *counters, struct nuce_run_info *info,
                                      struct nuce_error *error)
{
    struct redistribute *r = self;
    struct nuce_world *world = session;
    struct nuce_redistribution redistribution;
    struct nuce_pattern pattern = {0};
    int64_t bytes = 0, there = nuce_buffers_bytes(world->buffers);
    double begin = nuce_processor_clock(), index_s;
    nuce_status status =
        nuce_redistribute_instance(point->params, world->size, &redistribution, error);

    r->world = world;
    r->counters = counters;
    r->is_emulated = nuce_scheduling_emulates(point->workload->scheduling(point->params));
    if (status == NUCE_OK) {
        nuce_arrays_init(&redistribution, world->rank, &r->arrays);
        status = nuce_redistribution_pattern(&redistribution, &pattern, error);
    }
    index_s = nuce_processor_clock() - begin;
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK) {
        nuce_world_maximum(world, &index_s, 1);
        bytes = nuce_arrays_bytes(&r->arrays);
        if (r->is_emulated) {
            bytes = 0;
            for (int64_t k = pattern.row[world->rank]; k < pattern.row[world->rank + 1]; k++)
                bytes += 2 * pattern.bytes[k];
        }
        status = nuce_node_memory_check(world, bytes > there ? bytes - there : 0, error);
    }
    if (status == NUCE_OK) {
        if (!r->is_emulated)
            status = nuce_arrays_allocate(&r->arrays, world->buffers, error);
        status = nuce_world_agree(world, status, error);
    }
    if (status == NUCE_OK)
        status = nuce_communication_init(world, point, &pattern, r->is_emulated ? NULL : &r->arrays,
                                         &r->communication, &info->found, error);
    nuce_pattern_fini(&pattern);
    if (status != NUCE_OK)
        return status;
    nuce_metrics_real(&info->found, "index_s", index_s);
    info->criterion = NUCE_PART_STEP;
    info->parts = 1U << NUCE_PART_COMMUNICATION;
    if (r->is_emulated)
        return NUCE_OK;
    /* An executor that moves arrays itself has no packing to time; emulated messages have no
     * data. */
    if (!r->communication.engine.ops->moves_arrays)
        info->parts |= 1U << NUCE_PART_PACK | 1U << NUCE_PART_UNPACK;
    nuce_arrays_fill(&r->arrays, 0);
    return way_back_init(world, &r->arrays, &r->communication, &r->back, error);
}

static void redistribute_step(void *self, double parts[NUCE_SAMPLE_PARTS])
{
    struct redistribute *r = self;
    double now = nuce_clock();
    int packs = !r->is_emulated && !r->communication.engine.ops->moves_arrays;

    nuce_counters_begin(r->counters);
    if (packs) {
        nuce_arrays_pack(&r->arrays, &r->communication.payload);
        now = nuce_counters_stamp(r->counters, NUCE_PART_PACK, now, parts);
    }
    nuce_engine_run(&r->communication.engine);
    now = nuce_counters_stamp(r->counters, NUCE_PART_COMMUNICATION, now, parts);
    if (packs) {
        nuce_arrays_unpack(&r->arrays, &r->communication.payload);
        nuce_counters_stamp(r->counters, NUCE_PART_UNPACK, now, parts);
    }
}

/* Checks element by element after the way there and after the way back: the second check detects
 * an element that replaces another. The way back runs in any case, because the other ranks wait
 * for it. */
static nuce_status redistribute_verify(void *self, uint64_t salt, struct nuce_error *error)
{
    struct redistribute *r = self;
    double ignored[NUCE_SAMPLE_PARTS];
    nuce_status status;

    if (r->is_emulated)
        return nuce_communication_check(&r->communication, salt, error);
    nuce_arrays_fill(&r->arrays, salt);
    nuce_world_barrier(r->world);
    redistribute_step(r, ignored);
    status = nuce_arrays_check(&r->arrays, salt, error);
    nuce_arrays_fill(&r->back.arrays, salt);
    nuce_arrays_pack(&r->back.arrays, &r->back.payload);
    nuce_world_barrier(r->world);
    nuce_engine_run(&r->back.engine);
    nuce_arrays_unpack(&r->back.arrays, &r->back.payload);
    return status == NUCE_OK ? nuce_arrays_check(&r->back.arrays, salt, error) : status;
}

/* A hash of the array's final content, or, without an array, of the messages. */
static uint64_t redistribute_mark(void *self)
{
    const struct redistribute *r = self;
    const struct nuce_payload *payload = &r->communication.payload;

    if (r->is_emulated)
        return nuce_payload_hash(payload->receive.data, nuce_payload_bytes(&payload->receive));
    return nuce_payload_hash(r->arrays.to, r->arrays.to_bytes);
}

/* Unpacking copies what the buffers have, old messages too, to the array. */
static void redistribute_spoil(void *self)
{
    struct redistribute *r = self;

    if (r->communication.engine.ops->moves_arrays)
        nuce_arrays_spoil(&r->arrays);
    else
        nuce_payload_spoil(&r->communication.payload);
}

static nuce_status redistribute_plan(const void *self, int64_t most, json_t **events,
                                     const char **network, struct nuce_error *error)
{
    return nuce_communication_plan(&((const struct redistribute *)self)->communication, most,
                                   events, network, error);
}

const struct nuce_workload_run nuce_redistribute_run = {
    .name = "redistribute",
    .self_size = sizeof(struct redistribute),
    .build = redistribute_build,
    .step = redistribute_step,
    .verify = redistribute_verify,
    .mark = redistribute_mark,
    .spoil = redistribute_spoil,
    .plan = redistribute_plan,
    .destroy = redistribute_destroy,
};
