/* Launchers: the words of each; and what a start is given: whole heats with their references, those
 * that lack most first. */

#include "campaigns/launcher.h"
#include "campaigns/start.h"
#include "make_campaign.h"
#include "points/point.h"

#define SWEEP                                                                                      \
    "name: s\nworkload: exchange\nranks: [4, 2]\nsweep: {schedule: [ac, lp], pattern: uniform, "   \
    "density: 2}\n"

/* Only what measures is started by an mpiexec: srun and what simulates have no words of its. */
static void test_words(void **state)
{
    static const char *const mpiexec[] = {"/usr/bin/mpiexec", NULL};
    static const char *const srun[] = {"/usr/bin/srun", "-n", "{ranks}", "--exact", NULL};
    struct nuce_launcher_ops simulator = nuce_launcher_local;
    const struct {
        const struct nuce_launcher_ops *ops;
        const char *const *starter;
        const char *words;
        int has_mpiexec;
    } cases[] = {
        {&nuce_launcher_local, mpiexec, "/usr/bin/mpiexec -n {ranks} ", 1},
        {&simulator, mpiexec, "/usr/bin/mpiexec -n {ranks} ", 0},
        {&nuce_launcher_slurm, srun, "/usr/bin/srun -n {ranks} --exact ", 0},
        {&nuce_launcher_model, mpiexec, "", 0},
    };
    struct nuce_launcher launcher;
    struct nuce_campaign campaign;
    struct nuce_error error;

    simulator.kind = "simulated";
    create_campaign(SWEEP, &campaign);
    assert_ptr_equal(campaign.launcher, &nuce_launcher_local);
    for (size_t i = 0; i < COUNT(cases); i++) {
        char words[256] = "";

        assert_ok(nuce_launcher_init(&launcher, cases[i].ops, &campaign, cases[i].starter, &error));
        for (int k = 0; launcher.command[k] != NULL; k++)
            strcat(strcat(words, launcher.command[k]), " ");
        assert_string_equal(words, cases[i].words);
        assert_int_equal(launcher.has_mpiexec, cases[i].has_mpiexec);
        nuce_launcher_fini(&launcher);
    }
    nuce_campaign_fini(&campaign);
}

static void test_too_many_words(void **state)
{
    const char *words[NUCE_LAUNCHER_WORDS + 2];
    struct nuce_launcher launcher = {.ops = &nuce_launcher_slurm};
    struct nuce_error error;

    for (int i = 0; i <= NUCE_LAUNCHER_WORDS; i++)
        words[i] = "-x";
    words[NUCE_LAUNCHER_WORDS + 1] = NULL;
    assert_int_equal(nuce_launcher_take(&launcher, words, &error), NUCE_BAD_INPUT);
}

/* Heats of 2 ranks, of schedules ac, lp and rs-n each; every point wants two runs. */
static struct nuce_campaign heats(int count)
{
    static const char *const schedules[] = {"ac", "lp", "rs-n"};
    struct nuce_campaign campaign = {.lock = -1};

    for (int i = 0; i < 3 * count; i++)
        add_point(&campaign, &(struct point_of){2, i / 3, schedules[i % 3], 1, 10});
    nuce_campaign_number(&campaign);
    for (int64_t i = 0; i < campaign.count; i++)
        campaign.points[i].wanted = 2;
    return campaign;
}

static void note(struct nuce_campaign *campaign, int64_t point, const char *job, const char *status)
{
    json_t *record = json_pack("{s:s, s:s, s:f}", "job", job, "status", status, "wall_s", 2.0);

    nuce_campaign_note(campaign, point, record);
    json_decref(record);
}

/* The points of the start, as digits. */
static void expect(const struct nuce_campaign *campaign, int64_t most, const char *digits)
{
    struct nuce_start start;
    char found[64] = "";

    nuce_start_choose(campaign, nuce_start_first(campaign), most, &start);
    for (int64_t i = 0; i < start.count; i++)
        found[i] = (char)('0' + start.points[i]);
    assert_string_equal(found, digits);
    nuce_start_fini(&start);
}

/* In whatever order its runs are read, a point that failed once it was not interrupted has failed.
 */
static void test_counts(void **state)
{
    struct nuce_campaign campaign = heats(1);
    const struct nuce_campaign_point *point = &campaign.points[0];

    note(&campaign, 1, "a", "interrupted");
    note(&campaign, 1, "b", "failed");
    assert_string_equal(campaign.points[1].status, "failed");
    note(&campaign, 0, "a", "ok");
    note(&campaign, 0, "a", "ok");
    assert_int_equal(nuce_campaign_good(point), 1); /* of one launch */
    assert_int_equal(nuce_campaign_lacks(point), 1);
    assert_null(point->status);
    assert_string_equal(nuce_campaign_stands(point), "too few launches");
    note(&campaign, 0, "b", "failed");
    assert_string_equal(point->status, "failed");
    note(&campaign, 0, "c", "interrupted");
    assert_string_equal(point->status, "failed");
    note(&campaign, 0, "d", "ok");
    assert_string_equal(point->status, "ok");
    assert_false(nuce_campaign_is_missing(point));
    note(&campaign, 0, "e", "failed");
    note(&campaign, 0, "f", "ok");
    assert_string_equal(point->status, "ok");
    assert_int_equal(nuce_campaign_good(point), 3);
    assert_int_equal(nuce_campaign_lacks(point), 0);
    assert_int_equal(point->runs, 7);
    assert_true(point->wall_s == 2.0);
    nuce_campaign_fini(&campaign);
}

/* A contender that lacks a run takes its reference with it, and no other that lacks none. */
static void test_references(void **state)
{
    struct nuce_campaign campaign = heats(2);

    assert_int_equal(campaign.points[2].heat, 0);
    assert_int_equal(campaign.points[3].heat, 3);
    expect(&campaign, 0, "012345");
    for (int64_t i = 0; i < 6; i++) {
        note(&campaign, i, "a", "ok");
        if (i != 4)
            note(&campaign, i, "b", "ok");
    }
    expect(&campaign, 0, "34");
    campaign.points[3].attempted = 1; /* a run of it went wrong: the next one is the reference */
    expect(&campaign, 0, "45");
    note(&campaign, 4, "b", "ok");
    assert_int_equal(nuce_start_first(&campaign), -1);
    /* What lacks a run is the reference, and so each ratio to it. */
    campaign.points[3].attempted = 0;
    campaign.points[3].wanted = 3;
    expect(&campaign, 0, "345");
    campaign.points[4].attempted = 1; /* what failed has no other try */
    expect(&campaign, 0, "35");
    campaign.points[3].attempted = campaign.points[5].attempted = 1;
    assert_int_equal(nuce_start_first(&campaign), -1);
    nuce_campaign_fini(&campaign);
}

/* The shape that lacks most has the next start; heats are not torn for a start that holds few. */
static void test_turns(void **state)
{
    struct nuce_campaign campaign = heats(2);

    for (int64_t i = 3; i < 6; i++)
        campaign.points[i].ranks = 3;
    expect(&campaign, 0, "012");
    for (int64_t i = 0; i < 3; i++)
        note(&campaign, i, "a", "ok");
    expect(&campaign, 0, "345");
    for (int64_t i = 3; i < 6; i++)
        campaign.points[i].ranks = 2;
    expect(&campaign, 4, "012");
    nuce_campaign_fini(&campaign);
}

/* More contenders than a heat can have are spread over starts, the reference in each. */
static void test_many(void **state)
{
    struct nuce_campaign campaign = {.lock = -1};
    struct nuce_start start;

    for (int i = 0; i < 100; i++)
        add_point(&campaign, &(struct point_of){2, 0, "ac", 1, 10});
    nuce_campaign_number(&campaign);
    nuce_start_choose(&campaign, 0, 0, &start);
    assert_int_equal(start.count, NUCE_HEAT_CONTENDERS_MOST);
    for (int64_t i = 0; i < start.count; i++) {
        assert_int_equal(start.points[i], i);
        note(&campaign, start.points[i], "a", "ok");
    }
    nuce_start_fini(&start);
    nuce_start_choose(&campaign, nuce_start_first(&campaign), 0, &start);
    assert_int_equal(start.count, 1 + 100 - NUCE_HEAT_CONTENDERS_MOST);
    assert_int_equal(start.points[0], 0);
    assert_int_equal(start.points[1], NUCE_HEAT_CONTENDERS_MOST);
    nuce_start_fini(&start);
    nuce_campaign_fini(&campaign);
}

RUN_TESTS(NULL, NULL, cmocka_unit_test_setup_teardown(test_words, folder_setup, folder_teardown),
          CASE(test_too_many_words), CASE(test_counts), CASE(test_references), CASE(test_turns),
          CASE(test_many))
