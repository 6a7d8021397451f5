/* The end of a race: when a contender is known, and that its race wants no more runs then. */
#include "make_campaign.h"

#include "campaigns/ending.h"

/* A race of a reference and contenders, whose costs notes[] gives. */
static void add_contender(struct nuce_campaign *campaign, const char *measure)
{
    struct nuce_campaign_point *point;

    add_point(campaign, &(struct point_of){1, 0, "ac", 1, 60});
    point = &campaign->points[campaign->count - 1];
    point->wanted = 1000;
    json_decref(point->line);
    point->line =
        json_pack("{s:{s:s}, s:o}", "params", "name", campaign->count == 1 ? "base" : "other",
                  "measure", json_loads(measure, 0, NULL));
    assert_non_null(json_object_get(point->line, "measure"));
}

/* Notes a run of that point, and of its duplicate if it is the reference; time 0: it has none. */
static void note_run(struct nuce_campaign *campaign, int point, const char *environment, int launch,
                     double time, double duplicate)
{
    char job[16], started[16];
    json_t *record;

    if (time <= 0)
        return;
    snprintf(job, sizeof job, "j%d", launch);
    snprintf(started, sizeof started, "%08d", launch);
    record = json_pack("{s:s, s:s, s:s, s:f, s:{s:[f]}}", "status", "ok", "job", job, "started",
                       started, "wall_s", 1.0, "samples", "step", time);
    if (point == 0)
        json_object_set_new(record, "duplicate", json_pack("{s:[f]}", "step", duplicate));
    nuce_ending_note(&campaign->points[point], job, record, environment);
    nuce_campaign_note(campaign, point, record);
    json_decref(record);
}

/* Notes one launch in that environment: times of the reference, its duplicate, and the contender;
 * 0: it has no run. */
static void note_in(struct nuce_campaign *campaign, const char *environment, int launch,
                    const double times[3])
{
    note_run(campaign, 0, environment, launch, times[0], times[1]);
    note_run(campaign, 1, environment, launch, times[2], 0);
}

static void note(struct nuce_campaign *campaign, int launch, const double times[3])
{
    note_in(campaign, "", launch, times);
}

static struct nuce_campaign race_of(const char *measure)
{
    struct nuce_campaign campaign = {.lock = -1};

    add_contender(&campaign, measure);
    add_contender(&campaign, measure);
    return campaign;
}

#define KNOWN "\"until\": \"known\", \"margin\": 0.05, \"budget\": 600"
#define PLAIN "{" KNOWN "}"
#define AT_LEAST "{" KNOWN ", \"at-least\": 0.9}"

/* Launches of the reference at 1, the duplicate at 1, the contender at ratio, all times a spread
 * that differs from launch to launch but has the mean 1. */
static void test_known(void **state)
{
    static const struct {
        const char *measure;
        double ratio, spread;
        int launches;
        enum nuce_known known;
    } cases[] = {
        {PLAIN, 0.8, 0.01, 12, NUCE_KNOWN_FASTER},
        {PLAIN, 1.25, 0.01, 12, NUCE_KNOWN_SLOWER},
        {PLAIN, 1, 0.01, 20, NUCE_KNOWN_SAME},
        {PLAIN, 1.0001, 0.01, 40, NUCE_KNOWN_SAME},
        {PLAIN, 1, 0.01, 18, NUCE_KNOWN_NOTHING},
        {PLAIN, 1, 0.2, 12, NUCE_KNOWN_NOTHING},
        {PLAIN, 1.05, 0.2, 12, NUCE_KNOWN_NOTHING},
        {PLAIN, 0.8, 0.01, 0, NUCE_KNOWN_NOTHING},
        {PLAIN, 0.8, 0.01, 1, NUCE_KNOWN_NOTHING},
        {PLAIN, 0.8, 0.01, 2, NUCE_KNOWN_NOTHING},
        {"{\"until\": \"known\", \"margin\": 0.001}", 1, 0.01, 12, NUCE_KNOWN_NOTHING},
        {AT_LEAST, 1, 0.01, 20, NUCE_KNOWN_REACHES},
        {AT_LEAST, 1, 0.01, 18, NUCE_KNOWN_NOTHING},
        {AT_LEAST, 0.5, 0.01, 20, NUCE_KNOWN_REACHES},
        {AT_LEAST, 1.05, 0.01, 20, NUCE_KNOWN_REACHES},
        {AT_LEAST, 1.25, 0.01, 12, NUCE_KNOWN_FAILS},
        {AT_LEAST, 1 / 0.9, 0.01, 12, NUCE_KNOWN_NOTHING},
        {AT_LEAST, 1, 0.5, 12, NUCE_KNOWN_NOTHING},
        {AT_LEAST, 2, 0.01, 2, NUCE_KNOWN_NOTHING},
        /* Rounded numbers, without any spread: by the sign test. The same and a reached share
           need 20. */
        {PLAIN, 0.8, 0, 6, NUCE_KNOWN_NOTHING},
        {PLAIN, 0.8, 0, 7, NUCE_KNOWN_FASTER},
        {PLAIN, 1.2, 0, 7, NUCE_KNOWN_SLOWER},
        {PLAIN, 1, 0, 19, NUCE_KNOWN_NOTHING},
        {PLAIN, 1, 0, 20, NUCE_KNOWN_SAME},
        {AT_LEAST, 1.2, 0, 6, NUCE_KNOWN_NOTHING},
        {AT_LEAST, 1.2, 0, 7, NUCE_KNOWN_FAILS},
        {AT_LEAST, 1, 0, 19, NUCE_KNOWN_NOTHING},
        {AT_LEAST, 1, 0, 20, NUCE_KNOWN_REACHES},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        OWNED(campaign) campaign = race_of(cases[i].measure);

        for (int launch = 0; launch < cases[i].launches; launch++) {
            double sign = launch % 2 == 0 ? 1 : -1;
            const double times[3] = {1, exp(-sign * cases[i].spread / 2),
                                     cases[i].ratio * exp(sign * cases[i].spread)};

            note(&campaign, launch, times);
        }
        assert_int_equal(nuce_ending_known(&campaign.points[0], &campaign.points[1], 1),
                         cases[i].known);
    }
}

/* A difference that the reference has to its own duplicate is none; a drift of both is not one. */
static void test_noise(void **state)
{
    OWNED(campaign) noisy = race_of(PLAIN), drifting = race_of(PLAIN);

    for (int launch = 0; launch < 30; launch++) {
        double sign = launch % 2 == 0 ? 1 : -1, drift = exp(launch);

        note(&noisy, launch, (const double[]){1, 1.3 + sign * 0.01, 1.2 + sign * 0.01});
        note(&drifting, launch,
             (const double[]){drift, drift * exp(sign * 0.01), 1.2 * drift * exp(sign * 0.01)});
    }
    assert_int_equal(nuce_ending_known(&noisy.points[0], &noisy.points[1], 1), NUCE_KNOWN_NOTHING);
    assert_int_equal(nuce_ending_known(&drifting.points[0], &drifting.points[1], 1),
                     NUCE_KNOWN_SLOWER);
}

/* Only launches that both have count; a launch is noted once. */
static void test_common_launches(void **state)
{
    OWNED(campaign) campaign = race_of(PLAIN);

    for (int launch = 0; launch < 12; launch++) {
        note(&campaign, launch, (const double[]){1, 1, launch < 6 ? 1.2 : 0});
        note(&campaign, launch, (const double[]){9, 1, launch < 6 ? 1.2 : 0});
    }
    assert_int_equal(nuce_ending_known(&campaign.points[0], &campaign.points[1], 1),
                     NUCE_KNOWN_NOTHING);
    note(&campaign, 11, (const double[]){0, 0, 1.2});
    assert_int_equal(nuce_ending_known(&campaign.points[0], &campaign.points[1], 1),
                     NUCE_KNOWN_SLOWER);
}

/* Launches of another environment than the newest do not count, whatever the order of reading, and
 * use no budget of this one. */
static void test_environments(void **state)
{
    OWNED(campaign) campaign = race_of(PLAIN);
    char *said;
    size_t length;
    FILE *out = open_memstream(&said, &length);

    for (int launch = 10; launch < 13; launch++)
        note_in(&campaign, "new", launch, (const double[]){1, 1, 1.2});
    for (int launch = 0; launch < 9; launch++)
        note_in(&campaign, "old", launch, (const double[]){1, 1, 0.5});
    nuce_ending_apply(campaign.points, campaign.count);
    assert_true(nuce_campaign_is_missing(&campaign.points[1]));
    assert_string_equal(nuce_ending_environment(&campaign.points[1]), "new");
    for (int launch = 13; launch < 17; launch++)
        note_in(&campaign, "new", launch, (const double[]){1, 1, 1.2});
    nuce_ending_apply(campaign.points, campaign.count);
    assert_string_equal(campaign.points[1].ended, "known");
    assert_int_equal(nuce_ending_say(campaign.points, campaign.count, out), 0);
    fclose(out);
    assert_string_equal(said, "other: slower than base, after 7 launches\n");
    free(said);
}

/* The sentences, and the exit status: of a race that is known, of one whose budget is used up, of
 * one that goes on, of one that ends by its launches. */
static void test_end(void **state)
{
    static const struct {
        const char *measure;
        double ratio;
        int launches, is_over, status;
        const char *says;
    } cases[] = {
        {PLAIN, 1.2, 7, 1, 0, "other: slower than base, after 7 launches\n"},
        {PLAIN, 0.8, 9, 1, 0, "other: faster than base, after 9 launches\n"},
        {PLAIN, 1, 20, 1, 0, "other: the same as base, within 5 %, after 20 launches\n"},
        {PLAIN, 1.03, 7, 1, 0,
         "other: slower than base, with its interval within the margin of 5 %, after 7 "
         "launches\n"},
        {PLAIN, 0.97, 7, 1, 0,
         "other: faster than base, with its interval within the margin of 5 %, after 7 "
         "launches\n"},
        {PLAIN, 1.2, 6, 0, 3, "other: inconclusive beside base, after 6 launches\n"},
        {"{\"until\": \"known\", \"margin\": 0.05, \"budget\": 18}", 1.2, 6, 1, 3,
         "other: inconclusive beside base, after 6 launches; the budget is used up\n"},
        {"{\"until\": \"known\", \"margin\": 0.05, \"budget\": 19}", 1.2, 6, 0, 3,
         "other: inconclusive beside base, after 6 launches\n"},
        {AT_LEAST, 1, 20, 1, 0, "other: reaches 90 % of the speed of base, after 20 launches\n"},
        {AT_LEAST, 1.2, 7, 1, 1,
         "other: FAILS to reach 90 % of the speed of base, after 7 launches\n"},
        {"{\"until\": \"launches\", \"margin\": 0.05, \"budget\": 12}", 1.2, 7, 0, 0, ""},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        OWNED(campaign) campaign = race_of(cases[i].measure);
        char *said;
        size_t length;
        FILE *out = open_memstream(&said, &length);

        for (int launch = 0; launch < cases[i].launches; launch++)
            note(&campaign, launch, (const double[]){1, 1, cases[i].ratio});
        nuce_ending_apply(campaign.points, campaign.count);
        for (int k = 0; k < 2; k++)
            assert_int_equal(nuce_campaign_is_missing(&campaign.points[k]), !cases[i].is_over);
        assert_int_equal(nuce_ending_say(campaign.points, campaign.count, out), cases[i].status);
        fclose(out);
        assert_string_equal(said, cases[i].says);
        free(said);
    }
}

/* A contender that failed is out of the race, which goes on, and so does one without a run. */
static void test_failed(void **state)
{
    OWNED(campaign) campaign = race_of(PLAIN);
    char *said;

    add_contender(&campaign, PLAIN);
    for (int launch = 0; launch < 7; launch++)
        note(&campaign, launch, (const double[]){1, 1, 1.2});
    nuce_ending_apply(campaign.points, campaign.count);
    assert_true(nuce_campaign_is_missing(&campaign.points[1]));
    campaign.points[2].attempted = 1;
    nuce_ending_apply(campaign.points, campaign.count);
    assert_false(nuce_campaign_is_missing(&campaign.points[0]));
    assert_false(nuce_campaign_is_missing(&campaign.points[1]));
    assert_int_equal(nuce_campaign_good(&campaign.points[2]), 0);
    said = nuce_ending_left_out(campaign.points, campaign.count);
    assert_string_equal(said, "other failed in launch 1 and was left out");
    free(said);
    /* Only the run that went wrong is missing, not all those that the race did not need. */
    assert_int_equal(nuce_campaign_runs(&campaign).wanted, 15);
    assert_int_equal(nuce_campaign_runs(&campaign).had, 14);
}

/* With a rival more, which is known by far or has failed, a contender needs more launches. One that
 * never ran with the reference in this environment is no rival. */
static void test_rivals(void **state)
{
    static const struct {
        int launches, of_rival;
        const char *environment, *ended;
        int has_failed;
    } cases[] = {
        {7, 0, "", "known", 1}, {7, 7, "", "open", 0},  {7, 1, "", "open", 1},
        {8, 8, "", "known", 0}, {8, 1, "", "known", 1}, {7, 1, "old", "known", 1},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        OWNED(campaign) campaign = race_of(PLAIN);

        add_contender(&campaign, PLAIN);
        for (int launch = 0; launch < cases[i].launches; launch++) {
            note(&campaign, launch, (const double[]){1, 1, launch % 2 == 0 ? 1.04 : 1.09});
            if (launch < cases[i].of_rival)
                note_run(&campaign, 2, cases[i].environment, launch, 2 + 0.01 * launch, 0);
        }
        campaign.points[2].attempted = cases[i].has_failed;
        nuce_ending_apply(campaign.points, campaign.count);
        assert_string_equal(campaign.points[1].ended, cases[i].ended);
    }
}

RUN(test_known, test_noise, test_common_launches, test_environments, test_end, test_failed,
    test_rivals)
