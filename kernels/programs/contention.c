/* Contention at a node (Ranka, Wang, Kumar, section 3.1 and Table 2): d messages to or from the
 * last rank, all posted at once by the engine under `ac`. What is timed is the whole exchange, on
 * every rank: the record has each rank's own time. Verified as every exchange is. Cost: to build,
 * that of a pattern of d messages. Where the nodes' kernels tell, the TCP segments that were sent
 * again meanwhile are counted and recorded beside the times. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "programs/calibrate.h"
#include "run/check.h"
#include "run/engine.h"
#include "run/resent.h"
#include "schedules/schedule.h"
#include "schedules/schedule_results.h"

struct contention {
    struct nuce_world *world;
    struct nuce_counters *counters; /* borrowed */
    struct nuce_schedule schedule;
    struct nuce_payload payload;
    struct nuce_engine engine;
    int64_t resent; /* segments, of all nodes: before the first step, then since; -1: unknown */
};

/* What all nodes have sent again, each counted once; -1: not all of them tell. Collective. The
 * first rank of each node tells for it, as all on it see the same counters. */
static int64_t resent_by_all(struct nuce_world *world)
{
    int64_t own = nuce_resent_segments(NUCE_RESENT_COUNTERS), sums[2] = {0, own < 0};
    int place = 0;

    if (world->node != MPI_COMM_NULL)
        NUCE_MPI(MPI_Comm_rank(world->node, &place));
    if (place == 0 && own > 0)
        sums[0] = own;
    nuce_world_sum(world, sums, 2);
    return sums[1] > 0 ? -1 : sums[0];
}

static void contention_destroy(void *self)
{
    struct contention *contention = self;

    nuce_engine_fini(&contention->engine);
    nuce_payload_fini(&contention->payload);
    nuce_schedule_fini(&contention->schedule);
}

/* The last rank and its partners 0 .. d - 1, as a pattern. */
static nuce_status contention_make_pattern(const struct nuce_contention_params *params, int ranks,
                                           struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_message *messages = nuce_allocate(params->partners, sizeof *messages);
    int is_to_one = strcmp(params->direction, "to-one") == 0;
    nuce_status status;

    for (int k = 0; k < params->partners; k++)
        messages[k] = (struct nuce_message){.source = is_to_one ? k : ranks - 1,
                                            .destination = is_to_one ? ranks - 1 : k,
                                            .bytes = params->size};
    status = nuce_pattern_init(ranks, messages, params->partners, out, error);
    free(messages);
    return status;
}

/* All but the engine, and what the pattern amounts to. Local. */
static nuce_status contention_prepare(struct contention *contention,
                                      const struct nuce_contention_params *params,
                                      struct nuce_found *found, struct nuce_error *error)
{
    int ranks = contention->world->size;
    struct nuce_pattern pattern = {0};
    struct nuce_schedule_input input = {.pattern = &pattern, .rng = nuce_rng_create(1, 0)};
    struct nuce_pattern_summary summary;

    if (contention_make_pattern(params, ranks, &pattern, error) == NUCE_OK) {
        nuce_pattern_summarise(&pattern, &summary);
        if (nuce_schedule_create(nuce_schedule_find("ac"), &input, &contention->schedule, error) ==
                NUCE_OK &&
            nuce_payload_init(&pattern, contention->world->rank, NULL, &contention->payload,
                              error) == NUCE_OK) {
            nuce_pattern_describe(&summary, found);
            error->status = NUCE_OK;
        }
    }
    nuce_pattern_fini(&pattern);
    return error->status;
}

/* Agrees before the engine is made, which is collective. Collective over the world. */
static nuce_status contention_set_up(struct contention *contention,
                                     const struct nuce_contention_params *params,
                                     struct nuce_found *found, struct nuce_error *error)
{
    struct nuce_engine_input input = {.world = contention->world,
                                      .schedule = &contention->schedule,
                                      .payload = &contention->payload};

    if (nuce_world_agree(contention->world, contention_prepare(contention, params, found, error),
                         error) != NUCE_OK)
        return error->status;
    return nuce_world_agree(contention->world, nuce_engine_init(&input, &contention->engine, error),
                            error);
}

static nuce_status contention_build(void *self, void *session, const struct nuce_point *point,
                                    struct nuce_counters *counters, struct nuce_run_info *info,
                                    struct nuce_error *error)
{
    struct contention *contention = self;

    contention->world = session;
    contention->counters = counters;
    info->parts = 1U << NUCE_PART_COMMUNICATION;
    info->criterion = NUCE_PART_COMMUNICATION;
    info->per_rank = 1;
    contention->resent = resent_by_all(contention->world);
    return contention_set_up(contention, point->params, &info->found, error);
}

static void contention_step(void *self, double parts[NUCE_SAMPLE_PARTS])
{
    struct contention *contention = self;
    double begin = nuce_clock();

    nuce_counters_begin(contention->counters);
    nuce_engine_run(&contention->engine);
    parts[NUCE_PART_COMMUNICATION] = nuce_clock() - begin;
    nuce_counters_end(contention->counters, NUCE_PART_COMMUNICATION);
}

static nuce_status contention_verify(void *self, uint64_t salt, struct nuce_error *error)
{
    struct contention *contention = self;

    nuce_payload_fill(&contention->payload, salt);
    nuce_world_barrier(contention->world);
    nuce_engine_run(&contention->engine);
    return nuce_payload_check(&contention->payload, salt, error);
}

static nuce_status contention_conclude(void *self, struct nuce_error *error)
{
    struct contention *contention = self;
    int64_t now = resent_by_all(contention->world);

    (void)error;
    contention->resent = now < 0 || contention->resent < 0 ? -1 : now - contention->resent;
    return NUCE_OK;
}

static nuce_status contention_describe(const void *self, struct nuce_found *found, json_t *lists,
                                       struct nuce_error *error)
{
    const struct contention *contention = self;

    (void)lists;
    (void)error;
    if (contention->resent >= 0)
        nuce_found_integer(found, "resent_segments", contention->resent);
    return NUCE_OK;
}

const struct nuce_workload_run nuce_contention_run = {
    .name = "contention",
    .self_size = sizeof(struct contention),
    .build = contention_build,
    .step = contention_step,
    .verify = contention_verify,
    .destroy = contention_destroy,
    .conclude = contention_conclude,
    .describe = contention_describe,
    .summarise = nuce_contention_summarise,
    .compare = nuce_contention_compare,
    .say = nuce_contention_say,
};
