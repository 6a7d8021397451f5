#include "schedule_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct nuce_schedule_case *self;

    if (nuce_schedule_case_prepare("greedy", 1024, 1023, out, error) != NUCE_OK)
        return error->status;
    self = out->self;
    if (nuce_pattern_uniform(64, 63, &rng, &self->smaller, error) != NUCE_OK)
        return error->status;
    out->ours_units = (double)self->pattern.messages;
    out->reference_units = (double)self->smaller.messages;
    return NUCE_OK;
}

static nuce_status run_smaller(void *self, struct nuce_error *error)
{
    const struct nuce_schedule_case *what = self;

    return nuce_schedule_case_build(&what->smaller, what->algorithm, error);
}

const struct nuce_bench nuce_bench_greedy_growth = {
    .name = "greedy-growth",
    .summary = "schedule of greedy, per message, 1024 ranks, d = 1023",
    .reference = "the same, per message, 64 ranks, d = 63: growth as P K has ratio 1, as P K^2 16",
    .least_turns = 3,
    .create = create,
    .run_ours = nuce_schedule_case_ours,
    .run_reference = run_smaller,
    .destroy = nuce_schedule_case_destroy,
};
