/* Comparisons of launches: against R, by hand, and how often they are right. */
#include "../test.h"

#include <stdlib.h>

#include "base/anytime.h"
#include "base/comparison.h"
#include "base/rng.h"

#define MOST_POINTS 12
#define MOST_LAUNCHES 8
#define TRIALS 400

/* R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm"). */
static void test_holm(void **state)
{
    const double p[] = {0.01, 0.04, 0.03, 0.005, 0.9}, expected[] = {0.04, 0.09, 0.09, 0.025, 0.9};
    double corrected[5];

    nuce_comparison_holm(p, 5, corrected);
    for (int i = 0; i < 5; i++)
        assert_near(corrected[i], expected[i], 1e-15);
}

static const int64_t numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

/* A side of so many launches of their own numbers. */
static struct nuce_comparison_side side_of(const double *logarithms, int64_t count)
{
    return (struct nuce_comparison_side){
        .logarithms = logarithms, .launches = numbers, .count = count};
}

static const struct nuce_comparison_rule one_point = {
    .points = 1, .confidence = 0.95, .threshold = 0.05};

static struct nuce_comparison conclude_one(struct nuce_comparison point, double threshold)
{
    struct nuce_comparison_rule rule = one_point;

    rule.threshold = threshold;
    nuce_comparison_conclude(&point, &rule);
    return point;
}

/* Student's own data on sleep: R's t.test(extra ~ group, data = sleep), which has 17.776 degrees of
 * freedom where these are rounded down, and with paired = TRUE. */
static void test_student_s_data(void **state)
{
    const double first[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2};
    const double second[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
    double difference[10];
    struct nuce_comparison_launches apart = {{side_of(first, 10), side_of(second, 10)}}, paired;
    struct nuce_comparison found = nuce_comparison_estimate(&apart);

    assert_near(found.effect, 1.58, 1e-12);
    assert_near(found.effect / found.error, 1.8608, 1e-4);
    assert_int_equal(found.degrees, 17);
    assert_near(conclude_one(found, 0.05).p, 0.07939, 1e-3);
    for (int i = 0; i < 10; i++)
        difference[i] = second[i] - first[i];
    paired = (struct nuce_comparison_launches){{{0}, side_of(difference, 10)}};
    found = conclude_one(nuce_comparison_estimate(&paired), 0.05);
    assert_int_equal(found.degrees, 9);
    assert_near(found.p, 0.002833, 1e-6);
    assert_near(log(found.low), 0.7001142, 1e-6);
    assert_near(log(found.high), 2.459886, 1e-6);
}

/* The interval of a race that could end at any launch is the confidence sequence, also that of the
 * mean over points. Too few launches that agree show nothing. */
static void test_stopped(void **state)
{
    const double spread[] = {0.08, 0.12, 0.09, 0.11, 0.1, 0.1},
                 same[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
    struct nuce_comparison_launches race = {{{0}, side_of(spread, 6)}};
    struct nuce_comparison fixed = conclude_one(nuce_comparison_estimate(&race), 0.05), found, mean;

    race.sides[1].is_stopped = true;
    found = conclude_one(nuce_comparison_estimate(&race), 0.05);
    assert_near(log(found.high / found.ratio), nuce_anytime_of(spread, 6).reach, 1e-9);
    assert_true(found.high > fixed.high && found.p > fixed.p);
    nuce_comparison_mean(&race, &found, 1, &mean);
    assert_near(mean.error, found.error, 1e-12);
    race.sides[1] = side_of(same, 6);
    race.sides[1].is_stopped = true;
    assert_int_equal(conclude_one(nuce_comparison_estimate(&race), 0.05).verdict,
                     NUCE_VERDICT_UNKNOWN);
    race.sides[1].count = 7;
    assert_int_equal(conclude_one(nuce_comparison_estimate(&race), 0.05).verdict,
                     NUCE_VERDICT_WORSE);
}

/* Equal contenders of such a race are the same from 20 launches on; of a fixed number of launches,
 * at any. */
static void test_early(void **state)
{
    double equal[20] = {0};
    struct nuce_comparison_launches race = {{{0}, side_of(equal, 20)}};

    for (int i = 0; i < 20; i++)
        equal[i] = 0.001 * (i % 3 - 1);
    for (int is_stopped = 0; is_stopped < 2; is_stopped++) {
        race.sides[1].is_stopped = is_stopped;
        race.sides[1].count = 20;
        assert_int_equal(conclude_one(nuce_comparison_estimate(&race), 0.05).verdict,
                         NUCE_VERDICT_SAME);
        race.sides[1].count = 19;
        assert_int_equal(conclude_one(nuce_comparison_estimate(&race), 0.05).verdict,
                         is_stopped ? NUCE_VERDICT_UNKNOWN : NUCE_VERDICT_SAME);
    }
}

/* One launch per side, of any value: the variation between launches is unknown. */
static void test_one_launch(void **state)
{
    const double a[] = {0, 0.01, 0.02}, b[] = {3};
    const struct nuce_comparison_launches designs[] = {{{side_of(a, 3), side_of(b, 1)}},
                                                       {{side_of(a, 1), side_of(b, 1)}},
                                                       {{side_of(b, 1), side_of(a, 2)}},
                                                       {{{0}, side_of(b, 1)}}};

    for (size_t i = 0; i < COUNT(designs); i++) {
        struct nuce_comparison found = conclude_one(nuce_comparison_estimate(&designs[i]), 0.05),
                               mean;

        assert_int_equal(found.verdict, NUCE_VERDICT_UNKNOWN);
        assert_true(isnan(found.error) && isnan(found.low) && isnan(found.high));
        assert_true(isinf(found.detectable) && found.p >= 1);
        assert_false(nuce_comparison_is_bounded(&found, &one_point));
        nuce_comparison_mean(&designs[i], &found, 1, &mean);
        assert_near(mean.effect, found.effect, 1e-15);
        assert_true(isnan(mean.error));
    }
}

/* One step of a clock's grid more or less is not a difference, however large as a ratio; more is
 * one, and without a clock, as of a model's times, so is the least. */
static void test_resolution(void **state)
{
    const double times[] = {10e-9, 9.5e-9, 8e-9, 13e-9};
    const enum nuce_comparison_verdict expected[] = {NUCE_VERDICT_SAME, NUCE_VERDICT_SAME,
                                                     NUCE_VERDICT_SAME, NUCE_VERDICT_WORSE};

    for (int i = 0; i < 4; i++)
        assert_int_equal(conclude_one(nuce_comparison_exact(times[0], times[i], 2.1e-9), 0).verdict,
                         expected[i]);
    assert_int_equal(conclude_one(nuce_comparison_exact(times[0], times[1], 0), 0).verdict,
                     NUCE_VERDICT_FASTER);
}

/* By hand: means 0.10 apart, standard errors of 0.01 / sqrt(3) each, 4 degrees of freedom. */
static void test_verdicts(void **state)
{
    const double a[] = {-0.01, 0, 0.01}, b[] = {0.09, 0.1, 0.11}, near[] = {0.01, 0, -0.01};
    const struct nuce_comparison_launches slower = {{side_of(a, 3), side_of(b, 3)}};
    const struct nuce_comparison_launches faster = {{side_of(b, 3), side_of(a, 3)}};
    const struct nuce_comparison_launches same = {{side_of(a, 3), side_of(near, 3)}};
    const double reach = 2.7764451052 * 0.01 * sqrt(2.0 / 3);
    struct nuce_comparison found = conclude_one(nuce_comparison_estimate(&slower), 0.05);

    assert_int_equal(found.degrees, 4);
    assert_near(found.ratio, exp(0.1), 1e-12);
    assert_near(found.low, exp(0.1 - reach), 1e-9);
    assert_near(found.high, exp(0.1 + reach), 1e-9);
    assert_near(found.detectable, expm1(reach), 1e-9);
    assert_int_equal(found.verdict, NUCE_VERDICT_WORSE);
    assert_false(nuce_comparison_is_bounded(&found, &one_point));
    /* The interval reaches down to 8.1 %: that it is more than 9 % is not shown. */
    assert_int_equal(conclude_one(found, found.low - 1 - 1e-6).verdict, NUCE_VERDICT_WORSE);
    assert_int_equal(conclude_one(found, found.low - 1 + 1e-6).verdict, NUCE_VERDICT_SLOWER);
    assert_int_equal(conclude_one(nuce_comparison_estimate(&faster), 0.05).verdict,
                     NUCE_VERDICT_FASTER);
    found = conclude_one(nuce_comparison_estimate(&same), 0.05);
    assert_int_equal(found.verdict, NUCE_VERDICT_SAME);
    assert_true(nuce_comparison_is_bounded(&found, &one_point));
    assert_int_equal(conclude_one(found, 0.01).verdict, NUCE_VERDICT_UNKNOWN);
}

/* Draws of the trials: logarithms that vary from launch to launch, by a common part of all points
 * of a launch and a part of each point. */
struct design {
    int points, launches; /* a side */
    int is_raced;         /* launches that have both */
    double common, own;   /* standard deviations */
    int slowed;           /* so many of the points of B are slower */
    double slowness;      /* by this factor */
};

/* Box and Muller. */
static double draw_normal(struct nuce_rng *rng)
{
    double radius = sqrt(-2 * log(1 - nuce_rng_uniform(rng)));

    return radius * cos(6.283185307179586 * nuce_rng_uniform(rng));
}

struct drawn {
    double values[2][MOST_POINTS][MOST_LAUNCHES];
    int64_t launches[2][MOST_LAUNCHES];
    struct nuce_comparison_launches points[MOST_POINTS];
};

static void draw(struct nuce_rng *rng, const struct design *design, struct drawn *out)
{
    for (int side = design->is_raced; side < 2; side++) {
        for (int j = 0; j < design->launches; j++) {
            double common = design->common * draw_normal(rng);

            out->launches[side][j] = 2 * j + side;
            for (int i = 0; i < design->points; i++)
                out->values[side][i][j] =
                    common + design->own * draw_normal(rng) +
                    (side == 1 && i < design->slowed ? log(design->slowness) : 0);
        }
    }
    for (int i = 0; i < design->points; i++) {
        out->points[i] = (struct nuce_comparison_launches){0};
        for (int side = design->is_raced; side < 2; side++)
            out->points[i].sides[side] = (struct nuce_comparison_side){
                out->values[side][i], out->launches[side], design->launches, false};
    }
}

/* Counts over TRIALS comparisons: in how many some point was shown to differ, and was called worse;
 * in how many the mean's interval had the truth; and how many of the slowed points were called
 * worse. */
struct outcome {
    int shown, alarms, covered, found;
};

static struct outcome try_design(const struct design *design, uint64_t stream)
{
    const struct nuce_comparison_rule rule = {
        .points = design->points, .confidence = 0.95, .threshold = 0.05};
    double truth = design->slowed * log(design->slowness) / design->points;
    struct nuce_rng rng = nuce_rng_create(11, stream);
    struct nuce_comparison points[MOST_POINTS], mean;
    struct outcome outcome = {0};

    for (int trial = 0; trial < TRIALS; trial++) {
        struct drawn drawn;
        int shown = 0, alarm = 0;

        draw(&rng, design, &drawn);
        for (int i = 0; i < design->points; i++)
            points[i] = nuce_comparison_estimate(&drawn.points[i]);
        nuce_comparison_conclude(points, &rule);
        nuce_comparison_mean(drawn.points, points, design->points, &mean);
        mean = conclude_one(mean, 0.05);
        outcome.covered += log(mean.low) <= truth && truth <= log(mean.high);
        for (int i = 0; i < design->points; i++) {
            shown |= points[i].p_corrected <= 0.05;
            alarm |= points[i].verdict == NUCE_VERDICT_WORSE;
            if (i < design->slowed)
                outcome.found += points[i].verdict == NUCE_VERDICT_WORSE;
        }
        outcome.shown += shown;
        outcome.alarms += alarm;
    }
    return outcome;
}

/* No difference, whatever the launches have in common: in at most 5 % of the comparisons any point
 * is shown to differ (of 400, 30 and more have a chance of 1 %), and the mean's interval holds the
 * truth in 95 %, of a few launches whose degrees of freedom are rounded down in more. */
static void test_alarms(void **state)
{
    static const struct design designs[] = {
        {1, 2, 0, 0, 0.1, 0, 1},     {12, 3, 0, 0.1, 0.02, 0, 1}, {12, 3, 0, 0, 0.1, 0, 1},
        {12, 5, 0, 0.3, 0.3, 0, 1},  {8, 8, 0, 0.02, 0, 0, 1},    {1, 2, 1, 0, 0.1, 0, 1},
        {12, 3, 1, 0.1, 0.02, 0, 1}, {12, 5, 1, 0, 0.1, 0, 1},    {12, 8, 1, 0.02, 0.02, 0, 1},
    };

    for (size_t i = 0; i < COUNT(designs); i++) {
        struct outcome outcome = try_design(&designs[i], i);

        assert_true(outcome.shown <= 30);
        assert_true(outcome.alarms <= TRIALS / 20);
        assert_true(outcome.covered >= TRIALS * 92 / 100);
        assert_true(designs[i].launches < 5 || outcome.covered <= TRIALS * 98 / 100);
    }
}

/* 10 % is found, at all points or two of them, and the mean's interval contains the true mean. */
static void test_power(void **state)
{
    static const struct design designs[] = {
        {12, 5, 0, 0, 0.01, 12, 1.1},
        {12, 5, 0, 0, 0.01, 2, 1.1},
        {12, 8, 0, 0.01, 0.01, 4, 1.1},
        {12, 5, 1, 0, 0.005, 3, 1.1},
    };

    for (size_t i = 0; i < COUNT(designs); i++) {
        struct outcome outcome = try_design(&designs[i], 100 + i);

        assert_true(outcome.alarms >= TRIALS * 95 / 100);
        assert_true(outcome.found >= TRIALS * designs[i].slowed * 8 / 10);
        assert_true(outcome.covered >= TRIALS * 92 / 100);
    }
}

/* Points of launches of their own are independent: the mean's error falls with their number. And
 * points without an error are not in the mean where others have one. */
static void test_mean(void **state)
{
    const double a[] = {-0.01, 0, 0.01}, b[] = {0.09, 0.1, 0.11}, one[] = {0.5};
    const int64_t others[] = {11, 12, 13};
    const struct nuce_comparison_launches points[] = {
        {{side_of(a, 3), side_of(b, 3)}},
        {{{a, others, 3, false}, {b, others, 3, false}}},
        {{side_of(one, 1), side_of(one, 1)}},
    };
    const struct nuce_comparison_launches together[] = {points[0], points[0]};
    struct nuce_comparison each[3], mean;

    for (int i = 0; i < 3; i++)
        each[i] = nuce_comparison_estimate(&points[i]);
    nuce_comparison_mean(points, each, 3, &mean);
    assert_near(mean.effect, 0.1, 1e-12);
    assert_near(mean.error, each[0].error / sqrt(2), 1e-12);
    assert_int_equal(mean.degrees, 4);
    nuce_comparison_mean(together, each, 2, &mean);
    assert_near(mean.error, each[0].error, 1e-12);
}

RUN(test_holm, test_student_s_data, test_stopped, test_early, test_one_launch, test_resolution,
    test_verdicts, test_alarms, test_power, test_mean)
