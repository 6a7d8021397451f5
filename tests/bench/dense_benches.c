/* The benches of schedules of 320 ranks, all to all. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench.h"
#include "schedules/generator.h"
#include "schedules/network.h"
#include "schedules/schedule.h"

#define DENSE_RANKS 320
#define DENSE_UNIT 65536

struct dense_case {
    struct nuce_pattern pattern;
    struct nuce_network network;
    struct nuce_schedule made; /* `fast`, for a reference that copies it; else empty */
};

/* Nodes of 8 with a NIC for each rank, as configs/networks/nics.network. */
static const char dense_network[] = "ranks any\nblock 8\nwithin 1e-6 200e9\nbetween 2e-6 25e9\n"
                                    "inside all 200e9 200e9\nrail all 25e9 25e9\ngap 0.2e-6\n";

static void dense_case_create(const void *of, struct nuce_bench_case *out)
{
    const struct nuce_generator_input moe = {.ranks = DENSE_RANKS,
                                             .tokens = 32 * DENSE_RANKS,
                                             .experts = DENSE_RANKS,
                                             .top_k = 2,
                                             .imbalance = 3};
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct dense_case *dense = nuce_allocate(1, sizeof *dense);

    (void)of;
    MUST(nuce_network_parse("dense", dense_network, strlen(dense_network), DENSE_RANKS,
                            &dense->network, &error));
    MUST(nuce_generators_draw(nuce_generator_find("moe"), &moe, &rng, &dense->pattern, &error));
    for (int64_t k = 0; k < dense->pattern.messages; k++)
        dense->pattern.bytes[k] *= DENSE_UNIT;
    out->self = dense;
}

static void dense_case_destroy(void *self)
{
    struct dense_case *dense = self;

    nuce_pattern_fini(&dense->pattern);
    nuce_network_fini(&dense->network);
    nuce_schedule_fini(&dense->made);
    free(dense);
}

/* wanted: as in the input; NULL: all ranks. */
static struct nuce_schedule dense_case_build(const struct dense_case *dense, const char *schedule,
                                             const char *wanted)
{
    struct nuce_schedule_input input = {.pattern = &dense->pattern,
                                        .network = &dense->network,
                                        .rng = nuce_rng_create(1, 0),
                                        .wanted = wanted};
    struct nuce_schedule made;

    MUST(nuce_schedule_create(nuce_schedule_find(schedule), &input, &made, &error));
    return made;
}

static void dense_case_run(const struct dense_case *dense, const char *schedule, const char *wanted)
{
    struct nuce_schedule made = dense_case_build(dense, schedule, wanted);

    nuce_schedule_fini(&made);
}

/* The share that the leader of a node makes, for its ranks. */
static void dense_case_run_fast(void *self)
{
    static const char first_node[DENSE_RANKS] = {1};

    dense_case_run(self, "fast", first_node);
}

static void dense_case_run_fast_whole(void *self)
{
    dense_case_run(self, "fast", NULL);
}

static void dense_case_run_preemptive(void *self)
{
    dense_case_run(self, "preemptive", NULL);
}

static void dense_case_run_load_list(void *self)
{
    dense_case_run(self, "load-list", NULL);
}

static void dense_case_create_fast(const void *of, struct nuce_bench_case *out)
{
    struct dense_case *dense;

    dense_case_create(of, out);
    dense = out->self;
    dense->made = dense_case_build(dense, "fast", NULL);
}

static void *dense_copy(const void *from, int64_t bytes)
{
    void *copy = nuce_allocate_unset(bytes);

    memcpy(copy, from, (size_t)bytes);
    return copy;
}

/* The least that making it can take: all that it holds is written once. */
static void dense_case_run_copy(void *self)
{
    const struct nuce_schedule *made = &((const struct dense_case *)self)->made;
    struct nuce_schedule copy = {0};
    int64_t parcels = 0, pieces = made->pieces;
    int64_t lists = 2 * ((int64_t)made->ranks + 1) * (int64_t)sizeof *made->send_start +
                    pieces * (int64_t)(sizeof *made->receive_of + 2 * sizeof *made->sends);

    for (int64_t k = 0; k < pieces; k++)
        parcels += made->loads[k].count;
    copy.send_start = dense_copy(made->send_start, lists);
    copy.loads = dense_copy(made->loads, pieces * (int64_t)sizeof *made->loads);
    copy.parcels = dense_copy(made->parcels, parcels * (int64_t)sizeof *made->parcels);
    nuce_schedule_fini(&copy);
}

const struct nuce_bench nuce_bench_dense[] = {
    {.name = "fast-320",
     .summary = "what one node makes of the schedule fast, 320 ranks on nodes of 8, experts of "
                "imbalance 3, all to all",
     .reference = "making all of it",
     .budget_s = 5e-3,
     .create = dense_case_create,
     .run_ours = dense_case_run_fast,
     .run_reference = dense_case_run_fast_whole,
     .destroy = dense_case_destroy},
    {.name = "fast-320-whole",
     .summary = "all of the same schedule",
     .reference = "writing what it holds out once more",
     .create = dense_case_create_fast,
     .run_ours = dense_case_run_fast_whole,
     .run_reference = dense_case_run_copy,
     .destroy = dense_case_destroy},
    {.name = "preemptive-320",
     .summary = "the schedule preemptive of the same",
     .reference = "the schedule load-list of the same",
     .budget_s = 50e-3,
     .create = dense_case_create,
     .run_ours = dense_case_run_preemptive,
     .run_reference = dense_case_run_load_list,
     .destroy = dense_case_destroy},
    {.name = NULL},
};
