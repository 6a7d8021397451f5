#include "points_case.h"

static nuce_status run_ours(void *self, struct nuce_error *error)
{
    const struct nuce_points_case *points = self;
    const char *rest[] = {"plan", points->larger, NULL};

    return nuce_points_case_run(points, "nuce", rest, error);
}

static nuce_status run_reference(void *self, struct nuce_error *error)
{
    const struct nuce_points_case *points = self;
    const char *rest[] = {"plan", points->smaller, NULL};

    return nuce_points_case_run(points, "nuce", rest, error);
}

const struct nuce_bench nuce_bench_plan_10k = {
    .name = "plan-10k",
    .summary = "nuce plan of 10 000 points",
    .reference = "of 1 000 points, times ten: linear growth has ratio 1",
    .budget_s = 2,
    .is_command = 1,
    .create = nuce_points_case_create,
    .run_ours = run_ours,
    .run_reference = run_reference,
    .destroy = nuce_points_case_destroy,
};
