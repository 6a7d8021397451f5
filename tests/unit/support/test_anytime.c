/* Races that are looked at after each launch: the critical values, and how often they are wrong. */
#include "../test.h"

#include "base/anytime.h"
#include "base/rng.h"

#define LAUNCHES 200
#define RACES 2000

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

/* Number of RACES that have an end before LAUNCHES launches are over. Contenders differ by shift
 * standard deviations. That share of the launches are outliers: 10 times as far off. */
static int ended_of(double outliers, double shift, uint64_t seed)
{
    struct nuce_rng rng = nuce_rng_create(seed, 0);
    double critical[LAUNCHES + 1];
    int ended = 0;

    for (int64_t n = 1; n <= LAUNCHES; n++)
        critical[n] = nuce_anytime_critical(n, 0.05);
    for (int race = 0; race < RACES; race++) {
        double mean = 0, squares = 0;
        int is_over = 0;

        for (int n = 1; n <= LAUNCHES && !is_over; n++) {
            double radius = sqrt(-2 * log1p(-nuce_rng_uniform(&rng)));
            double value = radius * cos(2 * acos(-1) * nuce_rng_uniform(&rng)), before = mean;

            value = shift + value * (nuce_rng_uniform(&rng) < outliers ? 10 : 1);
            mean += (value - mean) / n;
            squares += (value - before) * (value - mean);
            is_over = n > 1 && fabs(mean) > critical[n] * sqrt(squares / (n - 1) / n);
        }
        ended += is_over;
    }
    return ended;
}

static void test_false_alarms(void **state)
{
    assert_in_range(ended_of(0, 0, 50), 1, RACES / 20);
    assert_in_range(ended_of(0.05, 0, 51), 0, RACES / 20);
}

/* A rule that never says anything would pass the above. */
static void test_power(void **state)
{
    assert_in_range(ended_of(0, 0.5, 52), RACES * 99 / 100, RACES);
}

RUN(test_golden, test_shape, test_false_alarms, test_power)
