/* When a sample of a run is interrupted: at changes of speed and at looks, and nowhere else. */
#include "../test.h"

#include <stdlib.h>

#include "base/rng.h"
#include "programs/rebalance.h"

#define RANKS 2

struct scene {
    struct nuce_world world; /* two ranks that never talk */
    struct nuce_point point;
    struct nuce_stage home;
    struct nuce_stencil_params *params;
    struct nuce_rebalance rebalance;
};

static void scene_init(struct scene *scene, int64_t iterations, int64_t look_every,
                       const char *rebalance, const char *after)
{
    struct nuce_error error = {0};

    memset(scene, 0, sizeof *scene);
    scene->world.size = RANKS;
    nuce_point_init(&nuce_workload_stencil, RANKS, &scene->point);
    scene->params = scene->point.params;
    scene->params->iterations = iterations;
    scene->params->look_every = look_every;
    strcpy(scene->params->rebalance, rebalance);
    strcpy(scene->params->speeds_after, after);
    if (nuce_rebalance_init(&scene->world, &scene->point, &scene->home, &scene->rebalance,
                            &error) != NUCE_OK)
        fail_msg("%s", nuce_error_flatten(&error));
}

static void scene_fini(struct scene *scene)
{
    nuce_rebalance_fini(&scene->rebalance);
    nuce_point_fini(&scene->point);
}

/* Where a run stops, "10 20 ...", as long as periods begin where their iteration is reached. */
static void check_course(int64_t iterations, int64_t look_every, const char *rebalance,
                         const char *after, int has_course, const char *stops)
{
    struct scene scene;
    struct nuce_rebalance *r = &scene.rebalance;
    char found[512] = "";
    int64_t done = 0;

    scene_init(&scene, iterations, look_every, rebalance, after);
    assert_int_equal(nuce_rebalance_has_course(r) != 0, has_course);
    r->period = 0;
    while (done < iterations) {
        int64_t room = nuce_rebalance_room(r, done);

        assert_true(room > 0);
        done += room;
        if (r->period + 1 < r->periods.count && r->periods.from[r->period + 1] == done)
            r->period++;
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%lld",
                 found[0] == '\0' ? "" : " ", (long long)done);
    }
    assert_string_equal(found, stops);
    assert_int_equal(r->period, r->periods.count - 1);
    scene_fini(&scene);
}

static void test_stops(void **state)
{
    check_course(100, 30, NUCE_REBALANCE_NEVER, "", 0, "100");
    check_course(100, 30, NUCE_REBALANCE_NEVER, "41:1,2/42:2,1", 1, "41 42 100");
    check_course(100, 30, NUCE_REBALANCE_EVERY_LOOK, "", 1, "30 60 90 100");
    check_course(90, 30, NUCE_REBALANCE_WHEN_IT_PAYS, "", 1, "30 60 90");
    check_course(100, 30, NUCE_REBALANCE_EVERY_LOOK, "41:1,2", 1, "30 41 60 90 100");
    check_course(100, 30, NUCE_REBALANCE_EVERY_LOOK, "60:1,2/99:2,1", 1, "30 60 90 99 100");
}

/* Whatever the numbers: the stops are the changes, the multiples of a look, and the end. */
static void test_all_stops(void **state)
{
    struct nuce_rng rng = nuce_rng_create(31, 0);

    for (int draw = 0; draw < 200; draw++) {
        int64_t iterations = 4 + (int64_t)nuce_rng_below(&rng, 40);
        int64_t every = 1 + (int64_t)nuce_rng_below(&rng, (uint64_t)iterations - 1);
        int64_t change = 1 + (int64_t)nuce_rng_below(&rng, (uint64_t)iterations - 1);
        char after[64], wanted[512] = "";

        snprintf(after, sizeof after, "%lld:1,2", (long long)change);
        for (int64_t i = 1; i <= iterations; i++) {
            if (i == change || i % every == 0 || i == iterations)
                snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "%s%lld",
                         wanted[0] == '\0' ? "" : " ", (long long)i);
        }
        check_course(iterations, every, NUCE_REBALANCE_EVERY_LOOK, after, 1, wanted);
    }
}

/* A rank that will be the slower one repeats its sweeps until the change, and as often as that
 * takes afterwards. */
static void test_extra(void **state)
{
    struct scene scene;
    double parts[NUCE_SAMPLE_PARTS] = {0};

    scene_init(&scene, 20, 5, NUCE_REBALANCE_NEVER, "8:4,1");
    scene.home.part.extra = 0.25;
    nuce_rebalance_begin(&scene.rebalance, 0);
    assert_int_equal(scene.rebalance.course, NUCE_COURSE_BEFORE);
    nuce_rebalance_after(&scene.rebalance, 8, 0, parts);
    assert_int_equal(scene.rebalance.course, NUCE_COURSE_CHANGED);
    assert_int_equal(scene.rebalance.period, 1);
    assert_true(fabs(scene.home.part.extra) <= 0); /* rank 0 is the fastest of all then */
    nuce_rebalance_end(&scene.rebalance, 20);
    assert_int_equal(scene.rebalance.samples, 1);
    assert_int_equal(scene.rebalance.iterations[NUCE_COURSE_BEFORE], 8);
    assert_int_equal(scene.rebalance.iterations[NUCE_COURSE_CHANGED], 12);
    assert_int_equal(scene.rebalance.iterations[NUCE_COURSE_AFTER], 0);
    assert_true(scene.rebalance.spent_s[NUCE_COURSE_AFTER] <= 0);
    nuce_rebalance_reset(&scene.rebalance);
    assert_int_equal(scene.rebalance.samples, 0);
    assert_int_equal(scene.rebalance.iterations[NUCE_COURSE_BEFORE], 0);
    scene_fini(&scene);
}

RUN(test_stops, test_all_stops, test_extra)
