/* Packing: node counts, times, the number of jobs of a quick sweep, and limits of jobs. */

#include "campaigns/cost.h"
#include "make_campaign.h"

/* Packs all points, well unless says is not NULL. */
static struct nuce_packing packed(const struct nuce_campaign *campaign,
                                  const struct nuce_profile *profile, int64_t most_tasks,
                                  const char *says)
{
    int64_t *points = all_points(campaign);
    struct nuce_packing_wish wish = {.points = points, .count = campaign->count};
    struct nuce_packing packing = {0};
    struct nuce_error error;
    nuce_status status = nuce_packing_make(campaign, &wish, profile, most_tasks, &packing, &error);

    free(points);
    assert_int_equal(status, says == NULL ? NUCE_OK : NUCE_BAD_INPUT);
    if (says != NULL)
        assert_says(&error, says);
    return packing;
}

static struct nuce_campaign instances(int count, int ranks, double limit_s)
{
    static const char *const algorithms[] = {"ac", "lp"};
    struct nuce_campaign campaign = {.lock = -1};

    for (int i = 0; i < 2 * count; i++)
        add_point(&campaign, &(struct point_of){ranks, i / 2, algorithms[i % 2], limit_s, 3600});
    return campaign;
}

/* The number: a quick sweep of 500 points is one job a rank count. */
static void test_quick(void **state)
{
    struct nuce_profile profile = {.time_s = 3600, .warning_s = 60};
    OWNED(campaign) campaign = instances(125, 8, 0.5), other = instances(125, 4, 0.5);
    OWNED(packing) packing;

    for (int64_t i = 0; i < other.count; i++)
        add_point(&campaign, &(struct point_of){4, (int)i, "ac", 0.5, 30});
    packing = packed(&campaign, &profile, 1000, NULL);
    assert_int_equal(packing.count, 2);
    assert_int_equal(packing.packs[0].count, 1);
    assert_int_equal(packing.packs[1].count, 1);
    assert_int_equal(packing.packs[0].time_s, 3600);
    assert_int_equal(packing.packs[0].parts[0].count, 250);
    assert_int_equal(packing.too_long, 0);
}

static void test_nodes(void **state)
{
    static const struct {
        int64_t nodes, tasks;
        int want_nodes, want_tasks; /* of 8 ranks; -1: refused */
    } cases[] = {
        {0, 0, 0, 0},  {8, 0, 8, 1},
        {3, 0, 3, 3},  {16, 0, 8, 1}, /* a rank cannot be split */
        {0, 4, 2, 4},  {0, 3, 3, 3},
        {0, 64, 1, 8}, {4, 2, 4, 2},
        {4, 4, 4, 4}, /* room to spare */
        {2, 2, -1, 0}, {INT64_MAX, INT64_MAX, 8, 8},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_profile profile = {.nodes = cases[i].nodes, .tasks_per_node = cases[i].tasks};
        struct nuce_campaign campaign = instances(1, 8, 1);
        struct nuce_packing packing =
            packed(&campaign, &profile, 1, cases[i].want_nodes < 0 ? "ntasks-per-node" : NULL);

        if (cases[i].want_nodes >= 0) {
            assert_int_equal(packing.packs[0].nodes, cases[i].want_nodes);
            assert_int_equal(packing.packs[0].tasks_per_node, cases[i].want_tasks);
            nuce_packing_fini(&packing);
        }
        nuce_campaign_fini(&campaign);
    }
}

/* Without a time jobs are filled to an hour and request their own time, in whole minutes. */
static void test_time_unknown(void **state)
{
    struct nuce_profile profile = {.warning_s = 60};
    OWNED(campaign) campaign = instances(100, 2, 60);
    OWNED(packing) packing;

    add_point(&campaign, &(struct point_of){2, 1000, "ac", 36000, 1e6});
    packing = packed(&campaign, &profile, 1000, NULL);
    assert_int_equal(packing.too_long, 0);
    /* The ten hours of one point are not asked for by the others. */
    assert_int_equal(packing.packs[0].count, 1);
    assert_int_equal(packing.packs[0].parts[0].count, 1);
    assert_int_equal(packing.packs[1].count, 4);
    for (int64_t i = 0; i < packing.count; i++) {
        double estimate_s = packing.packs[i].parts[0].estimate_s;

        assert_int_equal(packing.packs[i].time_s % 60, 0);
        assert_true((double)packing.packs[i].time_s >= 2 * estimate_s + 300);
        assert_true((double)packing.packs[i].time_s < 2 * estimate_s + 360);
    }
}

/* At a limit of two minutes warning and start would leave nothing: half of it is used. */
static void test_short_time(void **state)
{
    struct nuce_profile profile = {.time_s = 120, .warning_s = 60};
    OWNED(campaign) campaign = instances(20, 2, 1);
    OWNED(packing) packing = packed(&campaign, &profile, 1000, NULL);

    assert_int_equal(packing.packs[0].count, 2);
    assert_true(packing.packs[0].parts[0].estimate_s > 50);
    assert_true(packing.packs[0].parts[0].estimate_s <= 60);
}

/* Three races of two, of which one lacks its third launch and the reference of another all but one:
 * where launches are spread no job has two of a race, and all that are lacking are there once. */
static void test_spread(void **state)
{
    static const int64_t lacking[] = {3, 3, 2, 2, 1, 3};
    struct nuce_profile profile = {.time_s = 3600, .warning_s = 60};
    OWNED(campaign) campaign = instances(3, 2, 1);
    int64_t points[] = {0, 1, 2, 3, 4, 5}, had[6] = {0};
    struct nuce_packing_wish wish = {.points = points, .count = 6, .launches = lacking};
    struct nuce_packing packing;

    assert_ok(nuce_packing_make(&campaign, &wish, &profile, 1000, &packing, ANY_ERROR));
    assert_int_equal(packing.count, 1);
    assert_int_equal(packing.packs[0].count, 1);
    for (int i = 0; i < 6; i++)
        assert_int_equal(packing.packs[0].parts[0].launches[i], lacking[i]);
    nuce_packing_fini(&packing);

    for (int64_t i = 0; i < campaign.count; i++)
        json_object_set_new(json_object_get(campaign.points[i].line, "measure"), "job-per-launch",
                            json_true());
    assert_ok(nuce_packing_make(&campaign, &wish, &profile, 1000, &packing, ANY_ERROR));
    assert_int_equal(packing.count, 1); /* an array of three tasks */
    assert_int_equal(packing.packs[0].count, 3);
    for (int64_t k = 0; k < 3; k++) {
        const struct nuce_packing_part *part = &packing.packs[0].parts[k];

        assert_int_equal(part->count, k < 2 ? 6 : 4);
        for (int64_t i = 0; i < part->count; i++) {
            assert_in_range(part->launches[i], 0, 1);
            assert_true(i == 0 || part->points[i] > part->points[i - 1]);
            had[part->points[i]] += part->launches[i];
        }
    }
    assert_memory_equal(had, lacking, sizeof had);
    nuce_packing_fini(&packing);
}

/* A time limit that leaves no time for a point between start and warning is reported. */
static void test_cramped(void **state)
{
    struct nuce_profile profile = {.time_s = 60, .warning_s = 60};
    struct nuce_campaign campaign = instances(1, 4, 4);
    struct nuce_packing packing = packed(&campaign, &profile, 10, NULL);
    char *advice;

    assert_int_equal(packing.cramped, 1);
    advice = nuce_packing_advice(&packing, &profile);
    assert_non_null(strstr(advice, "time: 60 s may be too short for a launch of 1 race"));
    assert_non_null(strstr(advice, "must stop 15 s before its end"));
    free(advice);
    nuce_packing_fini(&packing);
    profile.time_s = 600;
    packing = packed(&campaign, &profile, 10, NULL);
    assert_null(nuce_packing_advice(&packing, &profile));
    nuce_packing_fini(&packing);
    profile.time_s = 0;
    packing = packed(&campaign, &profile, 10, NULL);
    assert_int_equal(packing.cramped, 0);
    nuce_packing_fini(&packing);
    nuce_campaign_fini(&campaign);
    packing = packed(&campaign, &profile, 2, NULL); /* of no points */
    assert_int_equal(packing.count, 0);
    nuce_packing_fini(&packing);
}

static void test_too_long(void **state)
{
    struct nuce_profile profile = {.time_s = 600, .warning_s = 60};
    OWNED(campaign) campaign = instances(2, 2, 1000);
    OWNED(packing) packing;

    add_point(&campaign, &(struct point_of){2, 7, "ac", 1, 10});
    packing = packed(&campaign, &profile, 2, NULL);
    assert_int_equal(packing.too_long, 2);
    assert_int_equal(packing.count, 2); /* arrays of two */
    assert_int_equal(packing.packs[0].count, 2);
    assert_int_equal(packing.packs[0].parts[1].count, 2);
    assert_int_equal(packing.packs[1].count, 1);
}

/* Commands whose table has two rows: one job, in which each runs once for both rows, and the
 * reference twice. A race that ends when it is known takes its budget at most. */
static void test_commands(void **state)
{
    static const struct {
        const char *measure;
        double estimate_s;
    } cases[] = {
        {"{\"timeout\": 60}", 10 * 3 * 60},
        {"{\"timeout\": 60, \"until\": \"known\", \"budget\": 100}", 100},
        {"{\"timeout\": 0.5, \"until\": \"known\", \"budget\": 100}", 10 * 3 * 0.5},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_profile profile = {.time_s = 600, .warning_s = 60};
        OWNED(campaign) campaign = instances(2, 4, 1);
        OWNED(packing) packing;

        for (int k = 0; k < 4; k++) {
            struct nuce_campaign_point *point = &campaign.points[k];

            point->workload = nuce_workload_find("program");
            point->wanted = 10;
            json_decref(point->line);
            point->line =
                json_pack("{s:{s:s, s:s}, s:o}", "params", "command", k % 2 ? "b" : "a", "at",
                          k / 2 ? "16" : "8", "measure", json_loads(cases[i].measure, 0, NULL));
        }
        packing = packed(&campaign, &profile, 1000, NULL);
        assert_int_equal(packing.count, 1);
        assert_int_equal(packing.packs[0].count, 1);
        assert_near(packing.packs[0].parts[0].estimate_s, cases[i].estimate_s, 1e-9);
    }
}

/* Nodes x time of the jobs that would be submitted. */
static void test_cost(void **state)
{
    static const struct {
        struct nuce_profile profile;
        struct point_of points[2];
        const char *said;
    } cases[] = {
        {{.tasks_per_node = 4, .time_s = 3600, .warning_s = 60},
         {{100, 0, "ac", 0.5, 30}},
         "1 job of 25 nodes: at most 25 node-hours (by time limits), about 0.0108 estimated"},
        {{.tasks_per_node = 4, .time_s = 3600, .warning_s = 60},
         {{100, 0, "ac", 0.5, 30}, {8, 0, "ac", 0.5, 30}},
         "2 jobs of 2 to 25 nodes: at most 27 node-hours (by time limits), about 0.0116 estimated"},
        {{.time_s = 7200, .warning_s = 60},
         {{100, 0, "ac", 36, 300}},
         "1 job, nodes left to Slurm: at most 2 job-hours (by time limits), about 0.0113 "
         "estimated; node-hours: multiply by the nodes of a job"},
        {{.tasks_per_node = 100, .time_s = 60, .warning_s = 10},
         {{100, 0, "ac", 36, 3000}, {100, 1, "ac", 360, 3000}},
         "2 jobs of 1 node: at most 0.0333 node-hours (by time limits), about 0.122 estimated for "
         "all launches, with about 6 resumes"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_campaign campaign = {.lock = -1};
        char text[NUCE_COST_BYTES];
        struct nuce_packing packing;
        struct nuce_cost cost;

        for (int k = 0; k < 2 && cases[i].points[k].ranks > 0; k++)
            add_point(&campaign, &cases[i].points[k]);
        assert_ok(nuce_packing_make_all(&campaign, &cases[i].profile, 1000, &packing, ANY_ERROR));
        assert_ok(nuce_cost_of(&packing, &cases[i].profile, &cost, ANY_ERROR));
        nuce_cost_say(&cost, text);
        assert_string_equal(text, cases[i].said);
        nuce_packing_fini(&packing);
        nuce_campaign_fini(&campaign);
    }
}

RUN(test_quick, test_nodes, test_time_unknown, test_short_time, test_spread, test_cramped,
    test_too_long, test_commands, test_cost)
