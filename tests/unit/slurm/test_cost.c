/* What jobs may take: nodes x time of those that would be submitted, and what is said of it. */
#include "campaigns/cost.h"
#include "make_campaign.h"

static struct nuce_cost cost_of(const struct nuce_campaign *campaign,
                                const struct nuce_profile *profile)
{
    struct nuce_packing packing;
    struct nuce_cost cost;
    struct nuce_error error;

    assert_int_equal(nuce_packing_make_all(campaign, profile, 1000, &packing, &error), NUCE_OK);
    assert_int_equal(nuce_cost_of(&packing, profile, &cost, &error), NUCE_OK);
    nuce_packing_fini(&packing);
    return cost;
}

static void check_said(const struct nuce_cost *cost, const char *wanted)
{
    char text[NUCE_COST_BYTES];

    nuce_cost_say(cost, text);
    assert_string_equal(text, wanted);
}

/* 100 ranks, 4 a node: 25 nodes for the hour that is asked for. */
static void test_tasks_per_node(void **state)
{
    struct nuce_profile profile = {.tasks_per_node = 4, .time_s = 3600, .warning_s = 60};
    struct nuce_campaign campaign = {.lock = -1};
    struct nuce_cost cost;

    (void)state;
    add_point(&campaign, &(struct point_of){100, 0, "ac", 0.5, 30});
    cost = cost_of(&campaign, &profile);
    assert_int_equal(cost.jobs, 1);
    assert_int_equal(cost.nodes_most, 25);
    assert_true(cost.limit_node_s == 25 * 3600.0);
    assert_true(cost.estimate_node_s == 25 * nuce_packing_estimate(&campaign.points[0]));
    check_said(&cost, "1 job of 25 nodes: at most 25 node-hours (by time limits), about 0.0108 "
                      "estimated");
    add_point(&campaign, &(struct point_of){8, 0, "ac", 0.5, 30});
    cost = cost_of(&campaign, &profile);
    check_said(&cost, "2 jobs of 2 to 25 nodes: at most 27 node-hours (by time limits), about "
                      "0.0116 estimated");
    nuce_campaign_fini(&campaign);
}

static void test_unsized(void **state)
{
    struct nuce_profile profile = {.time_s = 7200, .warning_s = 60};
    struct nuce_campaign campaign = {.lock = -1};
    struct nuce_cost cost;

    (void)state;
    add_point(&campaign, &(struct point_of){100, 0, "ac", 36, 300});
    cost = cost_of(&campaign, &profile);
    check_said(&cost, "1 job, nodes left to Slurm: at most 2 job-hours (by time limits), about "
                      "0.0113 estimated");
    nuce_campaign_fini(&campaign);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tasks_per_node),
        cmocka_unit_test(test_unsized),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
