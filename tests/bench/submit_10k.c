#include "points_case.h"

static nuce_status dry_run(const struct nuce_points_case *points, const char *sweep,
                           struct nuce_error *error)
{
    const char *rest[] = {"submit",    "--dry-run",     "--campaigns", points->scratch.campaigns,
                          "--profile", points->profile, sweep,         NULL};

    return nuce_points_case_run(points, "nuce", rest, error);
}

static nuce_status run_ours(void *self, struct nuce_error *error)
{
    const struct nuce_points_case *points = self;

    return dry_run(points, points->larger, error);
}

static nuce_status run_reference(void *self, struct nuce_error *error)
{
    const struct nuce_points_case *points = self;

    return dry_run(points, points->smaller, error);
}

const struct nuce_bench nuce_bench_submit_10k = {
    .name = "submit-10k",
    .summary = "nuce submit --dry-run of 10 000 points",
    .reference = "of 1 000 points, times ten: linear growth has ratio 1",
    .budget_s = 2,
    .is_command = 1,
    .create = nuce_points_case_create,
    .run_ours = run_ours,
    .run_reference = run_reference,
    .destroy = nuce_points_case_destroy,
};
