/* What it takes to make the schedule `fast`, all to all. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "networks/network.h"
#include "schedules/generator.h"
#include "schedules/schedule.h"
#include "support/allocate.h"

#define FAST_RANKS 320
#define FAST_UNIT 65536

struct fast_case {
    struct nuce_pattern pattern;
    struct nuce_network network;
};

static void fast_case_destroy(void *self)
{
    struct fast_case *fast = self;

    if (fast == NULL)
        return;
    nuce_pattern_fini(&fast->pattern);
    nuce_network_fini(&fast->network);
    free(fast);
}

/* Nodes of 8 with a card for each rank, as configs/networks/cards.network. */
static const char fast_network[] = "ranks any\nblock 8\nwithin 1e-6 200e9\nbetween 2e-6 25e9\n"
                                   "inside all 200e9 200e9\nrail all 25e9 25e9\ngap 0.2e-6\n";

static nuce_status fast_case_create(struct nuce_bench_case *out, struct nuce_error *error)
{
    const struct nuce_generator_input moe = {.ranks = FAST_RANKS,
                                             .tokens = 32 * FAST_RANKS,
                                             .experts = FAST_RANKS,
                                             .top_k = 2,
                                             .imbalance = 3};
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct fast_case *fast = nuce_allocate(1, sizeof *fast, error);

    if (fast == NULL)
        return error->status;
    if (nuce_network_parse("fast-320", fast_network, strlen(fast_network), FAST_RANKS,
                           &fast->network, error) != NUCE_OK ||
        nuce_generator_find("moe")->generate(&moe, &rng, &fast->pattern, error) != NUCE_OK) {
        fast_case_destroy(fast);
        return error->status;
    }
    for (int64_t k = 0; k < fast->pattern.messages; k++)
        fast->pattern.bytes[k] *= FAST_UNIT;
    out->self = fast;
    return NUCE_OK;
}

static nuce_status fast_case_build(const void *self, const char *schedule, struct nuce_error *error)
{
    const struct fast_case *fast = self;
    struct nuce_schedule_input input = {
        .pattern = &fast->pattern, .network = &fast->network, .rng = nuce_rng_create(1, 0)};
    struct nuce_schedule made;

    if (nuce_schedule_create(nuce_schedule_find(schedule), &input, &made, error) != NUCE_OK)
        return error->status;
    nuce_schedule_fini(&made);
    return NUCE_OK;
}

static nuce_status fast_case_run(void *self, struct nuce_error *error)
{
    return fast_case_build(self, "fast", error);
}

static nuce_status fast_case_run_preemptive(void *self, struct nuce_error *error)
{
    return fast_case_build(self, "preemptive", error);
}

const struct nuce_bench nuce_bench_fast_320 = {
    .name = "fast-320",
    .summary = "the schedule fast, 320 ranks on nodes of 8, experts of imbalance 3, all to all",
    .reference = "the schedule preemptive of the same",
    .budget_s = 5e-3,
    .create = fast_case_create,
    .run_ours = fast_case_run,
    .run_reference = fast_case_run_preemptive,
    .destroy = fast_case_destroy,
};
