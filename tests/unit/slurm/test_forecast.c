/* How long it takes still: by measured points of the same rank count, else by estimates. */
#include <math.h>

#include "campaigns/forecast.h"
#include "make_campaign.h"

/* Two parts of five points on 2 ranks, a third on 4 ranks; all of 100 s by estimate. */
struct scene {
    struct nuce_campaign campaign;
    struct nuce_submission list[3];
    struct nuce_submission_part parts[3];
    int64_t points[15], wanted[15];
    struct nuce_submissions submissions;
    struct nuce_standing_part states[3];
    struct nuce_standing_part *rows[3];
    unsigned char stands[15];
    struct nuce_standing standing;
    struct nuce_queue_job running, waiting;
};

static struct scene *make_scene(void)
{
    struct scene *s = calloc(1, sizeof *s);

    assert_non_null(s);
    s->campaign.lock = -1;
    s->running.state = (char *)"RUNNING";
    s->waiting.state = (char *)"PENDING";
    for (int i = 0; i < 15; i++) {
        add_point(&s->campaign, &(struct point_of){i < 10 ? 2 : 4, i, "ac", 18, 300});
        s->points[i] = i;
        s->wanted[i] = 1;
        s->stands[i] = NUCE_STAND_QUEUED;
    }
    for (int i = 0; i < 3; i++) {
        s->parts[i] = (struct nuce_submission_part){.points = &s->points[5 * i],
                                                    .wanted = &s->wanted[5 * i],
                                                    .count = 5,
                                                    .estimate_s = 100};
        s->list[i] = (struct nuce_submission){
            .number = i + 1, .ranks = i < 2 ? 2 : 4, .parts = &s->parts[i], .count = 1};
        s->states[i] = (struct nuce_standing_part){.fate = NUCE_FATE_LIVE, .job = &s->waiting};
        s->rows[i] = &s->states[i];
    }
    s->submissions = (struct nuce_submissions){.list = s->list, .count = 3};
    s->standing = (struct nuce_standing){.points = s->stands, .parts = s->rows, .submissions = 3};
    return s;
}

static void free_scene(struct scene *s)
{
    nuce_campaign_fini(&s->campaign);
    free(s);
}

static void expect(const struct scene *s, int64_t running, int64_t waiting, double busy_s,
                   double left_s)
{
    struct nuce_forecast forecast;

    nuce_forecast_make(&s->campaign, &s->submissions, &s->standing, &forecast);
    assert_int_equal(forecast.running, running);
    assert_int_equal(forecast.waiting, waiting);
    assert_true(fabs(forecast.busy_s - busy_s) < 1e-9);
    assert_true(fabs(forecast.left_s - left_s) < 1e-9);
}

static void test_estimates(void **state)
{
    struct scene *s = make_scene();

    (void)state;
    expect(s, 0, 3, 300, 300);
    s->states[0].job = s->states[1].job = &s->running;
    expect(s, 2, 1, 300, 150);
    s->states[2].fate = NUCE_FATE_ENDED;
    expect(s, 2, 0, 200, 100);
    s->stands[0] = NUCE_STAND_DONE;
    s->stands[1] = NUCE_STAND_FAILED;
    s->stands[2] = NUCE_STAND_RUNNING;
    expect(s, 2, 0, 160, 100); /* the longer one decides */
    s->parts[0].is_void = s->parts[1].is_void = 1;
    expect(s, 0, 0, 0, 0);
    free_scene(s);
}

static void test_measured(void **state)
{
    struct scene *s = make_scene();

    (void)state;
    s->states[0].job = &s->running;
    s->campaign.points[0].wall_s = 1;
    s->campaign.points[1].wall_s = 3;
    s->stands[0] = s->stands[1] = NUCE_STAND_DONE;
    expect(s, 1, 2, 2.0 * 3 + 2.0 * 5 + 100, 116);
    free_scene(s);
}

/* Small points that were measured say nothing of how long large ones take. */
static void test_unlike(void **state)
{
    struct scene *s = make_scene();
    struct nuce_forecast forecast;

    (void)state;
    s->states[0].job = &s->running;
    s->campaign.points[0].wall_s = 1;
    s->stands[0] = NUCE_STAND_DONE;
    for (int i = 3; i < 10; i++) {
        json_t *params = json_object_get(s->campaign.points[i].line, "params");

        assert_int_equal(json_object_set_new(params, "pattern", json_string("complete")), 0);
    }
    expect(s, 1, 2, 2 * 1 + 2 * 20 + 100 + 100, 242);
    nuce_forecast_make(&s->campaign, &s->submissions, &s->standing, &forecast);
    assert_int_equal(forecast.measured, 2);
    assert_int_equal(forecast.estimated, 12);
    free_scene(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_estimates),
        cmocka_unit_test(test_measured),
        cmocka_unit_test(test_unlike),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
