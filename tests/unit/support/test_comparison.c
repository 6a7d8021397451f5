#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/comparison.h"
#include "support/rng.h"

#define assert_near(actual, expected, tolerance)                                                   \
    assert_true(fabs((actual) - (expected)) <= (tolerance))

#define MOST_POINTS 24
#define MOST_RUNS 8
#define MOST_SAMPLES 200
#define TRIALS 200

/* R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm"). */
static void test_holm(void **state)
{
    const double p[] = {0.01, 0.04, 0.03, 0.005, 0.9}, expected[] = {0.04, 0.09, 0.09, 0.025, 0.9};
    double corrected[5];
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_comparison_holm(p, 5, corrected, &error), NUCE_OK);
    for (int i = 0; i < 5; i++)
        assert_near(corrected[i], expected[i], 1e-15);
}

/* What the trials draw: logarithms of samples are AR(1) of this coefficient and standard deviation
 * around the mean of their run, and those means differ from launch to launch. */
struct noise {
    double coefficient, within, between;
};

/* Box and Muller. */
static double draw_normal(struct nuce_rng *rng)
{
    double radius = sqrt(-2 * log(1 - nuce_rng_uniform(rng)));

    return radius * cos(6.283185307179586 * nuce_rng_uniform(rng));
}

static void draw_run(struct nuce_rng *rng, const struct noise *noise, double median, int64_t count,
                     double *samples)
{
    double mean = log(median) + noise->between * draw_normal(rng);
    double at = draw_normal(rng);
    double fresh = sqrt(1 - noise->coefficient * noise->coefficient);

    for (int64_t i = 0; i < count; i++) {
        samples[i] = exp(mean + noise->within * at);
        at = noise->coefficient * at + fresh * draw_normal(rng);
    }
}

/* A campaign against another: points, runs a side, samples a run. */
struct design {
    int points, runs;
    int64_t samples;
    enum nuce_comparison_unit unit;
    struct noise noise;
    int slowed;      /* so many of the points of B are slower */
    double slowness; /* by this factor */
};

static struct nuce_comparison draw_point(struct nuce_rng *rng, const struct design *design,
                                         double factor, const struct nuce_comparison_rule *rule)
{
    double samples[2][MOST_RUNS][MOST_SAMPLES];
    struct nuce_series runs[2][MOST_RUNS];
    struct nuce_comparison_side sides[2];
    struct nuce_comparison result;
    struct nuce_error error;

    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < design->runs; i++) {
            draw_run(rng, &design->noise, side == 0 ? 1e-3 : 1e-3 * factor, design->samples,
                     samples[side][i]);
            runs[side][i] = (struct nuce_series){samples[side][i], design->samples};
        }
        sides[side] = (struct nuce_comparison_side){runs[side], design->runs};
    }
    assert_int_equal(
        nuce_comparison_test(&sides[0], &sides[1], design->unit, rule, &result, &error), NUCE_OK);
    return result;
}

/* Of TRIALS comparisons: in how many some point was shown to differ, and was called a regression;
 * and how many of the slowed points were. */
struct outcome {
    int shown, alarms, found;
};

static struct outcome try_design(const struct design *design, uint64_t stream)
{
    const struct nuce_comparison_rule rule = {
        .points = design->points, .confidence = 0.95, .threshold = 0.05};
    struct nuce_rng rng = nuce_rng_create(11, stream);
    struct nuce_comparison points[MOST_POINTS];
    struct outcome outcome = {0};
    struct nuce_error error;

    for (int trial = 0; trial < TRIALS; trial++) {
        int shown = 0, alarm = 0;

        for (int i = 0; i < design->points; i++)
            points[i] = draw_point(&rng, design, i < design->slowed ? design->slowness : 1, &rule);
        assert_int_equal(nuce_comparison_conclude(points, &rule, &error), NUCE_OK);
        for (int i = 0; i < design->points; i++) {
            shown |= points[i].p_corrected <= 0.05;
            alarm |= points[i].verdict == NUCE_VERDICT_REGRESSION;
            if (i < design->slowed)
                outcome.found += points[i].verdict == NUCE_VERDICT_REGRESSION;
        }
        outcome.shown += shown;
        outcome.alarms += alarm;
    }
    return outcome;
}

/* One run a side, no difference, whatever the correlation, the number and the noise of the samples:
 * a regression is called in at most 5 % of 200 comparisons. That anything is shown at all has a
 * chance of at most 6 %, and 20 of 200 are then beyond chance. */
static void test_alarms_of_samples(void **state)
{
    static const struct design designs[] = {
        {MOST_POINTS, 1, 10, NUCE_UNIT_SAMPLES, {0, 0.2, 0}, 0, 1},
        {MOST_POINTS, 1, 10, NUCE_UNIT_SAMPLES, {0.6, 0.2, 0}, 0, 1},
        {MOST_POINTS, 1, 50, NUCE_UNIT_SAMPLES, {0.3, 0.2, 0}, 0, 1},
        {MOST_POINTS, 1, 50, NUCE_UNIT_SAMPLES, {0.9, 0.2, 0}, 0, 1},
        {8, 1, 100, NUCE_UNIT_SAMPLES, {0, 0.05, 0}, 0, 1},
        {8, 1, 100, NUCE_UNIT_SAMPLES, {0.3, 0.2, 0}, 0, 1},
        {8, 1, 100, NUCE_UNIT_SAMPLES, {0.6, 0.2, 0}, 0, 1},
        {8, 1, 100, NUCE_UNIT_SAMPLES, {0.9, 0.05, 0}, 0, 1},
        {1, 1, 200, NUCE_UNIT_SAMPLES, {0.3, 0.2, 0}, 0, 1},
        {1, 1, 200, NUCE_UNIT_SAMPLES, {0.6, 0.2, 0}, 0, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) {
        struct outcome outcome = try_design(&designs[i], i);

        assert_true(outcome.alarms <= TRIALS / 20);
        assert_true(outcome.shown <= TRIALS / 10);
    }
}

/* Many runs a side, which differ from launch to launch by more than the samples of one: nothing at
 * all is shown in more than 5 %. */
static void test_alarms_of_runs(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const struct design design = {
            .points = 8,
            .runs = i % 2 == 0 ? 6 : 8,
            .samples = 30,
            .unit = NUCE_UNIT_RUNS,
            .noise = {.coefficient = 0.6, .within = 0.05, .between = i < 2 ? 0.02 : 0.3}};
        struct outcome outcome = try_design(&design, 100 + (uint64_t)i);

        assert_true(outcome.shown <= TRIALS / 20);
    }
}

/* Few runs that differ by more than their samples show: only runs that are all apart count, by more
 * than the threshold. That is seldom so by chance, while one run a side cannot know. */
static void test_alarms_of_few_runs(void **state)
{
    struct design design = {.points = 1,
                            .runs = 3,
                            .samples = 60,
                            .unit = NUCE_UNIT_SAMPLES,
                            .noise = {.coefficient = 0.3, .within = 0.02, .between = 0.1}};
    struct outcome three, one;

    (void)state;
    three = try_design(&design, 200);
    design.runs = 1;
    one = try_design(&design, 201);
    assert_true(three.alarms <= TRIALS / 20);
    assert_true(one.alarms > TRIALS / 20);
}

/* 10 % is found: by the samples of one run, all points or two of them, and by runs. */
static void test_power(void **state)
{
    static const struct design designs[] = {
        {24, 1, 100, NUCE_UNIT_SAMPLES, {0.3, 0.02, 0}, 24, 1.1},
        {24, 1, 200, NUCE_UNIT_SAMPLES, {0.6, 0.03, 0}, 2, 1.1},
        {8, 7, 30, NUCE_UNIT_RUNS, {0.6, 0.05, 0.01}, 4, 1.1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) {
        struct outcome outcome = try_design(&designs[i], 300 + i);

        assert_true(outcome.alarms >= TRIALS * 95 / 100);
        assert_true(outcome.found >= TRIALS * designs[i].slowed * 8 / 10);
    }
}

/* How many runs a side are enough: 2 / (2n over n) times the points is at most 0.05. */
static void test_runs_needed(void **state)
{
    static const int64_t points[] = {1, 2, 6, 7, 23, 24, 85, 86}, runs[] = {4, 5, 5, 6, 6, 7, 7, 8};
    struct nuce_comparison_rule rule = {.confidence = 0.95};

    (void)state;
    for (int i = 0; i < 8; i++) {
        rule.points = points[i];
        assert_int_equal(nuce_comparison_runs_needed(&rule), runs[i]);
        assert_false(nuce_comparison_has_enough_runs(runs[i] - 1, runs[i] - 1, &rule));
    }
}

/* One point of a and b, a run each. */
static struct nuce_comparison compare_one(const double *a, const double *b, int64_t count,
                                          enum nuce_comparison_unit unit, double threshold)
{
    const struct nuce_comparison_rule rule = {
        .points = 1, .confidence = 0.95, .threshold = threshold};
    const struct nuce_series runs[] = {{a, count}, {b, count}};
    const struct nuce_comparison_side sides[] = {{&runs[0], 1}, {&runs[1], 1}};
    struct nuce_comparison result;
    struct nuce_error error;

    assert_int_equal(nuce_comparison_test(&sides[0], &sides[1], unit, &rule, &result, &error),
                     NUCE_OK);
    assert_int_equal(nuce_comparison_conclude(&result, &rule, &error), NUCE_OK);
    return result;
}

/* What is computed has no noise: any difference is one. */
static void test_exact(void **state)
{
    const double a[] = {2, 2}, same[] = {2, 2 + 1e-15}, slower[] = {2.2, 2.2};
    struct nuce_comparison result = compare_one(a, same, 2, NUCE_UNIT_EXACT, 0);

    (void)state;
    assert_int_equal(result.verdict, NUCE_VERDICT_NONE);
    assert_near(result.ratio, 1, 0);
    result = compare_one(a, slower, 2, NUCE_UNIT_EXACT, 0.05);
    assert_int_equal(result.verdict, NUCE_VERDICT_REGRESSION);
    assert_near(result.ratio, 1.1, 1e-12);
    assert_int_equal(compare_one(a, slower, 2, NUCE_UNIT_EXACT, 0.2).verdict, NUCE_VERDICT_SLOWER);
    assert_int_equal(compare_one(slower, a, 2, NUCE_UNIT_EXACT, 0.05).verdict, NUCE_VERDICT_FASTER);
}

/* One step of a clock's grid more or less is no difference, however large as a ratio; more is one,
 * and without a clock, as of a model's times, so is the least. */
static void test_resolution(void **state)
{
    struct nuce_comparison_rule rule = {.points = 1, .confidence = 0.95, .resolution_s = 2.1e-9};
    const double times[][1] = {{10e-9}, {9.5e-9}, {8e-9}, {13e-9}};
    const struct nuce_series series[] = {
        {times[0], 1}, {times[1], 1}, {times[2], 1}, {times[3], 1}};
    const enum nuce_comparison_verdict expected[] = {NUCE_VERDICT_NONE, NUCE_VERDICT_NONE,
                                                     NUCE_VERDICT_NONE, NUCE_VERDICT_REGRESSION};
    const struct nuce_comparison_side a = {&series[0], 1};
    struct nuce_comparison result;
    struct nuce_error error;

    (void)state;
    for (int i = 0; i < 4; i++) {
        const struct nuce_comparison_side b = {&series[i], 1};

        assert_int_equal(nuce_comparison_test(&a, &b, NUCE_UNIT_EXACT, &rule, &result, &error),
                         NUCE_OK);
        assert_int_equal(nuce_comparison_conclude(&result, &rule, &error), NUCE_OK);
        assert_int_equal(result.verdict, expected[i]);
    }
    assert_int_equal(compare_one(times[0], times[1], 1, NUCE_UNIT_EXACT, 0).verdict,
                     NUCE_VERDICT_FASTER);
}

/* 100 independent samples, B's 10 % longer; as few as three show nothing. */
static void test_verdicts(void **state)
{
    struct nuce_rng rng = nuce_rng_create(12, 0);
    struct nuce_comparison result;
    double a[100], b[100];

    (void)state;
    for (int i = 0; i < 100; i++) {
        a[i] = 1 + 0.02 * nuce_rng_uniform(&rng);
        b[i] = 1.1 * (1 + 0.02 * nuce_rng_uniform(&rng));
    }
    result = compare_one(a, b, 100, NUCE_UNIT_SAMPLES, 0.05);
    assert_int_equal(result.verdict, NUCE_VERDICT_REGRESSION);
    assert_true(result.low > 1.08 && result.low < result.ratio && result.ratio < result.high &&
                result.high < 1.12);
    assert_true(result.p < 1e-4 && result.detectable > 0.001 && result.detectable < 0.02);
    /* The estimate is beyond 9.9 %, its interval is not. */
    assert_int_equal(compare_one(a, b, 100, NUCE_UNIT_SAMPLES, result.ratio - 1.001).verdict,
                     NUCE_VERDICT_SLOWER);
    assert_int_equal(compare_one(b, a, 100, NUCE_UNIT_SAMPLES, 0.05).verdict, NUCE_VERDICT_FASTER);
    result = compare_one(a, b, 3, NUCE_UNIT_SAMPLES, 0.05);
    assert_int_equal(result.verdict, NUCE_VERDICT_BLIND);
    assert_true(isinf(result.detectable) && isinf(result.high));
    result = compare_one(a, b, 100, NUCE_UNIT_RUNS, 0.05);
    assert_int_equal(result.verdict, NUCE_VERDICT_BLIND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holm),           cmocka_unit_test(test_alarms_of_samples),
        cmocka_unit_test(test_alarms_of_runs), cmocka_unit_test(test_alarms_of_few_runs),
        cmocka_unit_test(test_power),          cmocka_unit_test(test_runs_needed),
        cmocka_unit_test(test_exact),          cmocka_unit_test(test_resolution),
        cmocka_unit_test(test_verdicts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
