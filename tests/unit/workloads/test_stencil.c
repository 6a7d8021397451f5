#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "points.h"

#include "points/stencil_instance.h"

static nuce_status make(int ranks, const struct setting *settings, struct nuce_point *point,
                        struct nuce_error *error)
{
    return point_make(&nuce_workload_stencil, ranks, settings, point, error);
}

/* That two ways of giving it are, or are not, one point. */
static void check_same(int same, const struct setting *first, const struct setting *second)
{
    points_are_same(&nuce_workload_stencil, 4, same, first, second);
}

static void test_identity(void **state)
{
    (void)state;
    check_same(1, NO_SETTINGS,
               SETTINGS({"weights", "equal"}, {"decomposition", "xy2"}, {"schedule", "ac"}));
    check_same(1, SETTINGS({"weights", "0.50,1, 2,4e0"}), SETTINGS({"weights", ".5,1,2,4"}));
    check_same(1, SETTINGS({"emulate-speeds", "1,2,4,8"}),
               SETTINGS({"emulate-speeds", "1,2,4,8"}, {"weights", "1,2,4,8"}));
    check_same(0, SETTINGS({"emulate-speeds", "1,2,4,8"}), SETTINGS({"weights", "1,2,4,8"}));
    check_same(0, SETTINGS({"ratio", "4"}), SETTINGS({"ratio", "4"}, {"instance", "1"}));
    check_same(1, SETTINGS({"ratio", "1"}), SETTINGS({"ratio", "1"}, {"samples", "9"}));
    check_same(0, SETTINGS({"ratio", "4"}), SETTINGS({"ratio", "4"}, {"samples", "9"}));
    check_same(0, SETTINGS({"schedule", "ac"}), SETTINGS({"schedule", "lp"}));
    check_same(1, SETTINGS({"iterations", "20"}, {"speeds-after", "10: 1.0,2,3,4/1.5e1:4,3,2,1"}),
               SETTINGS({"iterations", "20"}, {"speeds-after", "10:1,2,3,4/15:4,3,2,1"},
                        {"emulate-speeds", "1,1,1,1"}, {"rebalance", "never"}));
    check_same(0, SETTINGS({"iterations", "20"}, {"rebalance", "every-look"}),
               SETTINGS({"iterations", "20"}, {"rebalance", "when-it-pays"}));
}

static void test_bad(void **state)
{
    static const struct {
        struct setting settings[MOST_SETTINGS];
        const char *says;
    } cases[] = {
        {{{"weights", "1,2,3"}}, "weights: '1,2,3': 3 numbers: expected one for each of 4"},
        {{{"weights", "1,0,3,4"}}, "weights: number 2 of 4: '0': expected a number above 0"},
        {{{"weights", "1,-2,3,4"}}, "weights: number 2 of 4: '-2'"},
        {{{"weights", "1,2,nan,4"}}, "weights: number 3 of 4: 'nan'"},
        {{{"weights", "1,2,inf,4"}}, "weights: number 3 of 4: 'inf'"},
        {{{"weights", "1,2,,4"}}, "weights: number 3 of 4"},
        {{{"weights", "1,1e-20,3,4"}}, "weights: weight 2 of 4"},
        {{{"weights", "1,2,3,4"}, {"ratio", "2"}}, "ratio: '2': expected no weights"},
        {{{"emulate-speeds", "1,2"}}, "emulate-speeds: '1,2': 2 numbers"},
        {{{"ratio", "0.5"}}, "ratio: '0.5': expected at least 1"},
        {{{"latency", "-1"}}, "latency: '-1': expected at least 0"},
        {{{"decomposition", "xy3"}}, "unknown decomposition 'xy3'"},
        {{{"schedule", "xy2"}}, "unknown schedule 'xy2'"},
        {{{"stencil", "7"}}, "stencil: '7': expected 5 or 9"},
        {{{"halo-depth", "0"}}, "halo-depth: '0': expected at least 1"},
        {{{"rows", "1"}, {"columns", "3"}}, "ranks: '4': expected at most one"},
        {{{"rows", "1e9"}, {"columns", "1e9"}}, "expected less than 2^53 bytes"},
        {{{"bandwidth", "1MB"}, {"network", "emulated"}},
         "network: 'emulated': changes the messages"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct nuce_point point;
        struct nuce_error error = {0};

        assert_int_equal(make(4, cases[i].settings, &point, &error), NUCE_BAD_INPUT);
        if (strstr(nuce_error_flatten(&error), cases[i].says) == NULL)
            fail_msg("'%s' does not say '%s'", nuce_error_flatten(&error), cases[i].says);
        nuce_point_fini(&point);
    }
}

static void check_pattern(const struct setting *settings, int64_t messages, int64_t bytes)
{
    struct nuce_point point;
    struct nuce_pattern pattern;
    struct nuce_pattern_summary summary;
    struct nuce_error error = {0};

    if (make(4, settings, &point, &error) != NUCE_OK ||
        point.workload->pattern(point.params, 4, &pattern, &error) != NUCE_OK)
        fail_msg("%s", nuce_error_flatten(&error));
    nuce_pattern_summarise(&pattern, &summary);
    assert_int_equal(summary.messages, messages);
    assert_int_equal(summary.bytes, bytes);
    nuce_pattern_fini(&pattern);
    nuce_point_fini(&point);
}

/* Four quarters of 1000 x 1000. */
static void test_pattern(void **state)
{
    (void)state;
    check_pattern(SETTINGS({"decomposition", "grid"}), 8, 8 * 500 * 8);
    check_pattern(SETTINGS({"decomposition", "grid"}, {"element", "float"}), 8, 8 * 500 * 4);
    check_pattern(SETTINGS({"decomposition", "grid"}, {"stencil", "9"}), 12, (8 * 500 + 4) * 8);
    check_pattern(SETTINGS({"decomposition", "grid"}, {"halo-depth", "3"}), 12,
                  (8 * 3 * 500 + 4 * 9) * 8);
    check_pattern(SETTINGS({"decomposition", "grid"}, {"border", "periodic"}), 8, 16 * 500 * 8);
    check_pattern(SETTINGS({"decomposition", "slabs"}, {"border", "periodic"}), 12,
                  (8 * 1000 + 8 * 250) * 8);
}

/* What no list of parameters tells: a part without a cell, or too thin for the halo. */
static void test_too_thin(void **state)
{
    static const struct {
        struct setting settings[MOST_SETTINGS];
        const char *says;
    } cases[] = {
        {{{"decomposition", "slabs"}, {"rows", "2"}, {"columns", "20"}, {"weights", "50,.1,50,50"}},
         "part 1 of 4: gets no cell"},
        {{{"decomposition", "slabs"}, {"columns", "16"}, {"halo-depth", "17"}},
         "part 0 of 4: has 250 x 16 cells"},
        {{{"weights", "measured"}}, "weights: 'measured': known only where"},
        {{{"ratio", "2"}, {"samples", "20"}}, "samples: '20': a mean over"},
    };
    struct nuce_stencil_instance instance;
    struct nuce_point point;
    struct nuce_error error = {0};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (make(4, cases[i].settings, &point, &error) != NUCE_OK)
            fail_msg("%s", nuce_error_flatten(&error));
        assert_int_equal(nuce_stencil_instance_init(point.params, 4, NULL, &instance, &error),
                         NUCE_BAD_INPUT);
        if (strstr(nuce_error_flatten(&error), cases[i].says) == NULL)
            fail_msg("'%s' does not say '%s'", nuce_error_flatten(&error), cases[i].says);
        nuce_point_fini(&point);
    }
}

/* Measured weights are taken as given; drawn ones are those of nuce-model arrays. */
static void test_weights(void **state)
{
    static const double measured[] = {3, 1, 1, 1};
    struct nuce_stencil_instance instance;
    struct nuce_point point;
    struct nuce_error error = {0};
    double weights[4];

    (void)state;
    assert_int_equal(make(4, SETTINGS({"weights", "measured"}), &point, &error), NUCE_OK);
    assert_int_equal(nuce_stencil_instance_init(point.params, 4, measured, &instance, &error),
                     NUCE_OK);
    assert_true(instance.tiling.rectangles[0].rows * instance.tiling.rectangles[0].columns ==
                500 * 1000);
    nuce_stencil_instance_fini(&instance);
    nuce_point_fini(&point);
    assert_int_equal(make(4, SETTINGS({"ratio", "4"}, {"seed", "9"}), &point, &error), NUCE_OK);
    assert_int_equal(nuce_stencil_weights(point.params, 4, 2, NULL, weights, &error), NUCE_OK);
    nuce_point_fini(&point);
    for (int i = 0; i < 4; i++) {
        struct nuce_rng rng = nuce_rng_create(9, 2);
        double wanted[4];

        nuce_decomposition_draw_weights(&rng, 4, 4, wanted);
        assert_true(weights[i] == wanted[i]);
    }
}

static void check_sides(int ranks, const struct setting *settings, int rows, int columns)
{
    struct nuce_point point;
    struct nuce_error error = {0};
    int side[NUCE_SIDES];

    if (make(ranks, settings, &point, &error) != NUCE_OK)
        fail_msg("%s", nuce_error_flatten(&error));
    assert_int_equal(nuce_workload_stencil.sides(point.params, ranks, side, &error), NUCE_OK);
    assert_int_equal(side[0], rows);
    assert_int_equal(side[1], columns);
    nuce_point_fini(&point);
}

/* Parts that lie on a grid are a mesh, whatever cut them. */
static void test_sides(void **state)
{
    (void)state;
    check_sides(8, SETTINGS({"decomposition", "grid"}, {"rows", "37"}, {"columns", "81"}), 2, 4);
    check_sides(8, SETTINGS({"decomposition", "grid"}, {"rows", "81"}, {"columns", "37"}), 4, 2);
    check_sides(5, SETTINGS({"decomposition", "slabs"}, {"rows", "30"}, {"columns", "10"}), 5, 1);
    check_sides(5, SETTINGS({"decomposition", "xy2"}), 0, 0);
    check_sides(4, SETTINGS({"decomposition", "rb2"}, {"weights", "1,2,3,4"}), 0, 0);
    check_sides(1, SETTINGS({"decomposition", "grid"}), 1, 1);
}

static void test_placing(void **state)
{
    struct nuce_point point;
    struct nuce_error error = {0};

    (void)state;
    check_same(0, NO_SETTINGS, SETTINGS({"placement", "rm"}));
    check_same(0, SETTINGS({"placement", "sm"}), SETTINGS({"placement", "rm"}));
    check_same(1, SETTINGS({"topology-nodes", "by-name"}), NO_SETTINGS);
    assert_int_equal(make(4, SETTINGS({"placement", "rn"}), &point, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(nuce_error_flatten(&error), "unknown placement 'rn'"));
    nuce_point_fini(&point);
    assert_int_equal(make(4, SETTINGS({"topology", "x"}), &point, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(nuce_error_flatten(&error), "expected a placement along with it"));
    nuce_point_fini(&point);
    assert_int_equal(
        make(4, SETTINGS({"placement", "rm"}, {"network", "measured"}), &point, &error),
        NUCE_BAD_INPUT);
    assert_non_null(strstr(nuce_error_flatten(&error), "network: 'measured'"));
    nuce_point_fini(&point);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_identity), cmocka_unit_test(test_bad),
        cmocka_unit_test(test_pattern),  cmocka_unit_test(test_too_thin),
        cmocka_unit_test(test_weights),  cmocka_unit_test(test_sides),
        cmocka_unit_test(test_placing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
