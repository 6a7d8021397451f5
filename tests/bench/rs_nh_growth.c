#include "schedule_case.h"

static nuce_status create(struct nuce_bench_case *out, struct nuce_error *error)
{
    struct nuce_schedule_case *self = nuce_schedule_case_create(65536, 4096, 16, error);

    if (self == NULL)
        return error->status;
    out->self = self;
    out->ours_units = (double)self->pattern.messages;
    out->reference_units = (double)self->smaller.messages;
    return NUCE_OK;
}

static nuce_status run_smaller(void *self, struct nuce_error *error)
{
    const struct nuce_schedule_case *what = self;

    return nuce_schedule_case_build(&what->smaller, "rs-nh", error);
}

const struct nuce_bench nuce_bench_rs_nh_growth = {
    .name = "rs-nh-growth",
    .summary = "schedule of rs-nh, per message, 65536 ranks, d = 16",
    .reference = "the same, per message, with 4096 ranks: linear growth has ratio 1",
    .create = create,
    .run_ours = nuce_schedule_case_rs_nh,
    .run_reference = run_smaller,
    .destroy = nuce_schedule_case_destroy,
};
