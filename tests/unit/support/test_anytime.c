/* Races that are looked at after each launch: the critical values, and how often they are wrong. */
#include "../test.h"

#include "base/anytime.h"
#include "base/rng.h"

#define LAUNCHES 200
#define RACES 200

/* The e-value at them is 1 / alpha by an independent program, to 12 digits. It averages the density
 * of the noncentral t distribution over the effects by numerical integration, without the closed
 * form of the code. */
static void test_golden(void **state)
{
    static const struct {
        int64_t launches;
        double alpha, critical;
    } cases[] = {
        {3, 0.05, 16.76024987},  {4, 0.05, 9.263347865},   {5, 0.05, 7.154994213},
        {5, 0.01, 10.96082182},  {10, 0.05, 4.582617849},  {10, 0.01, 5.946108287},
        {30, 0.05, 3.735727679}, {100, 0.05, 3.477629995}, {1000, 0.05, 3.511717466},
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        assert_near(nuce_anytime_critical(cases[i].launches, cases[i].alpha), cases[i].critical,
                    1e-7 * cases[i].critical);
}

/* No mean of too few launches shows anything; the values fall to a least one, then grow. */
static void test_shape(void **state)
{
    double before = INFINITY;

    for (int64_t launches = -1; launches <= 2; launches++)
        assert_true(isinf(nuce_anytime_critical(launches, 0.05)));
    for (int64_t launches = 3; launches <= 600; launches++) {
        double critical = nuce_anytime_critical(launches, 0.05);

        assert_true(launches <= 239 ? critical < before : critical > before);
        before = critical;
    }
}

/* By exact fractions: launches, values cut at 5 % and at 1 %. */
static void test_golden_cut(void **state)
{
    static const int64_t cases[][3] = {{1, -1, -1},   {8, -1, -1},     {9, 0, -1}, {11, 0, -1},
                                       {12, 0, 0},    {13, 1, 0},      {20, 3, 2}, {50, 14, 12},
                                       {100, 34, 32}, {1000, 446, 439}};

    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(nuce_anytime_cut(cases[i][0], 0.05), cases[i][1]);
        assert_int_equal(nuce_anytime_cut(cases[i][0], 0.01), cases[i][2]);
    }
}

/* Number of RACES in which 0 is out of the interval, or of that of the mean, at one of LAUNCHES
 * launches. Contenders differ by shift standard deviations. That share of the launches are
 * outliers: 10 times as far off. */
static int ended_of(double outliers, double shift, int by_mean, uint64_t seed)
{
    struct nuce_rng rng = nuce_rng_create(seed, 0);
    int ended = 0;

    for (int race = 0; race < RACES; race++) {
        double values[LAUNCHES];
        int is_over = 0;

        for (int n = 0; n < LAUNCHES && !is_over; n++) {
            double radius = sqrt(-2 * log1p(-nuce_rng_uniform(&rng)));
            double value = radius * cos(2 * acos(-1) * nuce_rng_uniform(&rng));
            struct nuce_anytime ratios;

            values[n] = shift + value * (nuce_rng_uniform(&rng) < outliers ? 10 : 1);
            ratios = nuce_anytime_of(values, n + 1);
            is_over = by_mean ? fabs(ratios.mean) > ratios.mean_reach
                              : fabs(ratios.middle) > ratios.reach;
        }
        ended += is_over;
    }
    return ended;
}

static void test_false_alarms(void **state)
{
    assert_in_range(ended_of(0, 0, 0, 50), 1, RACES / 20);
    assert_in_range(ended_of(0.05, 0, 0, 51), 0, RACES / 20);
}

/* A rule that never says anything would pass the above. */
static void test_power(void **state)
{
    assert_in_range(ended_of(0, 0.5, 0, 52), RACES * 99 / 100, RACES);
    assert_in_range(ended_of(0.1, 0.5, 0, 53), RACES * 80 / 100, RACES);
    assert_in_range(ended_of(0.1, 0.5, 1, 53), 0, RACES / 2);
}

/* Every tenth launch of both contenders is slow: the median's interval. Of one of them: the mean's,
 * and the same is not claimed. */
static void test_slow_launches(void **state)
{
    double both[200], one[200];
    struct nuce_anytime of_both, of_one;
    struct nuce_launches_mean noise;

    for (int i = 0; i < 200; i++) {
        both[i] = 1e-3 * (i % 7 - 3) + (i % 10 != 0 ? 0 : i % 20 == 0 ? 1 : -1);
        one[i] = 1e-3 * (i % 7 - 3) + (i % 10 != 0 ? 0 : 1);
    }
    of_both = nuce_anytime_of(both, 200);
    assert_true(of_both.reach < of_both.mean_reach / 10);
    assert_near(of_both.middle, 0, 1e-12);
    of_one = nuce_anytime_of(one, 200);
    assert_near(of_one.middle, 0.1, 1e-3);
    assert_near(of_one.reach, of_one.mean_reach, 0);
    noise = nuce_anytime_noise(one, 200);
    assert_int_equal(nuce_anytime_known(&of_one, 1, fabs(noise.mean) + noise.reach, 0.05, 0),
                     NUCE_KNOWN_NOTHING);
}

/* Student's interval of a few launches without outliers; of many with them the median's. With one
 * launch there is no noise, and no verdict. */
static void test_noise(void **state)
{
    struct nuce_anytime shown = {.count = 9, .middle = 1, .reach = 0.1};
    double values[200];
    struct nuce_launches_mean noise;

    for (int i = 0; i < 200; i++)
        values[i] = 1e-3 * (i % 7 - 3) + (i < 9 || i % 10 != 0 ? 0 : i % 20 == 0 ? 1 : -1);
    noise = nuce_anytime_noise(values, 9);
    assert_near(noise.reach, nuce_race_over_launches(values, 9).reach, 0);
    noise = nuce_anytime_noise(values, 200);
    assert_near(noise.reach, nuce_anytime_of(values, 200).reach, 0);
    assert_true(noise.reach < nuce_race_over_launches(values, 200).reach / 10);
    noise = nuce_anytime_noise(values, 1);
    assert_true(isnan(noise.reach));
    assert_int_equal(nuce_anytime_known(&shown, 1, noise.reach, 0.05, 0), NUCE_KNOWN_NOTHING);
    assert_int_equal(nuce_anytime_known(&shown, 1, 0.5, 0.05, 0), NUCE_KNOWN_SLOWER);
    assert_int_equal(nuce_anytime_known(&shown, 1, 1.5, 0.05, 0), NUCE_KNOWN_NOTHING);
}

/* Rivals widen the interval as they do in the sentence after the race; 2.306 and 2.752 are
 * Student's critical values of 9 launches, for one and for two. */
static void test_rivals(void **state)
{
    static const struct {
        double middle, reach;
        int64_t rivals;
        enum nuce_known known;
    } cases[] = {
        {0.1, 0.099, 1, NUCE_KNOWN_SLOWER},  {-0.1, 0.099, 1, NUCE_KNOWN_FASTER},
        {0.1, 0.099, 2, NUCE_KNOWN_NOTHING}, {-0.1, 0.099, 2, NUCE_KNOWN_NOTHING},
        {0.1, 0.083, 2, NUCE_KNOWN_SLOWER},  {-0.1, 0.083, 2, NUCE_KNOWN_FASTER},
        {0.1, 0.085, 2, NUCE_KNOWN_NOTHING}, {0.1, 0.083, 3, NUCE_KNOWN_NOTHING},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_anytime ratios = {.count = 9,
                                      .mean = cases[i].middle,
                                      .mean_reach = 1,
                                      .middle = cases[i].middle,
                                      .reach = cases[i].reach};

        assert_int_equal(nuce_anytime_known(&ratios, cases[i].rivals, 0, 0.05, 0), cases[i].known);
    }
}

RUN(test_golden, test_golden_cut, test_shape, test_false_alarms, test_power, test_slow_launches,
    test_noise, test_rivals)
