#include "schedule_case.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "schedules/schedule.h"

struct nuce_schedule_case *nuce_schedule_case_create(int ranks, int density,
                                                     struct nuce_error *error)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct nuce_schedule_case *self = nuce_allocate(1, sizeof *self);

    if (nuce_pattern_uniform(ranks, density, &rng, &self->pattern, error) != NUCE_OK) {
        nuce_schedule_case_destroy(self);
        return NULL;
    }
    return self;
}

void nuce_schedule_case_destroy(void *self)
{
    struct nuce_schedule_case *freed = self;

    if (freed == NULL)
        return;
    nuce_pattern_fini(&freed->pattern);
    nuce_pattern_fini(&freed->smaller);
    free(freed);
}

nuce_status nuce_schedule_case_build(const struct nuce_pattern *pattern, const char *name,
                                     struct nuce_error *error)
{
    struct nuce_schedule_input input = {.pattern = pattern, .rng = nuce_rng_create(2, 0)};
    const struct nuce_schedule_ops *ops = nuce_schedule_find(name);
    struct nuce_schedule schedule;

    NUCE_ASSERT(ops != NULL);
    if (nuce_schedule_create(ops, &input, &schedule, error) != NUCE_OK)
        return error->status;
    nuce_schedule_fini(&schedule);
    return NUCE_OK;
}

nuce_status nuce_schedule_case_rs_n(void *self, struct nuce_error *error)
{
    const struct nuce_schedule_case *what = self;

    return nuce_schedule_case_build(&what->pattern, "rs-n", error);
}

nuce_status nuce_schedule_case_ac(void *self, struct nuce_error *error)
{
    const struct nuce_schedule_case *what = self;

    return nuce_schedule_case_build(&what->pattern, "ac", error);
}

nuce_status nuce_schedule_case_ours(void *self, struct nuce_error *error)
{
    const struct nuce_schedule_case *what = self;

    return nuce_schedule_case_build(&what->pattern, what->algorithm, error);
}

nuce_status nuce_schedule_case_smaller(void *self, struct nuce_error *error)
{
    const struct nuce_schedule_case *what = self;

    return nuce_schedule_case_build(&what->smaller, what->algorithm, error);
}

nuce_status nuce_schedule_case_prepare(const char *algorithm, int ranks, int density,
                                       struct nuce_bench_case *out, struct nuce_error *error)
{
    struct nuce_schedule_case *self = nuce_schedule_case_create(ranks, density, error);

    if (self == NULL)
        return error->status;
    self->algorithm = algorithm;
    out->self = self;
    return NUCE_OK;
}

nuce_status nuce_schedule_case_prepare_growth(const char *algorithm, int ranks, int density,
                                              int smaller_ranks, int smaller_density,
                                              struct nuce_bench_case *out, struct nuce_error *error)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct nuce_schedule_case *self;

    if (nuce_schedule_case_prepare(algorithm, ranks, density, out, error) != NUCE_OK)
        return error->status;
    self = out->self;
    if (nuce_pattern_uniform(smaller_ranks, smaller_density, &rng, &self->smaller, error) !=
        NUCE_OK)
        return error->status;
    out->ours_units = (double)self->pattern.messages;
    out->reference_units = (double)self->smaller.messages;
    return NUCE_OK;
}
