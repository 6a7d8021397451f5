/* How many rounds it takes to know ratios well enough, against numbers worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "run/sampling.h"

#define ROUNDS 10

/* An entrant whose time is the round's, 1 s more each round, times exp(+-spread) in turn. */
static void fill(struct nuce_entrant *entrant, double seconds[ROUNDS * NUCE_SAMPLE_PARTS],
                 const struct nuce_run_info *info, double factor, double spread)
{
    *entrant = (struct nuce_entrant){.info = info};
    entrant->samples = (struct nuce_samples){.count = ROUNDS, .seconds = seconds};
    for (int i = 0; i < ROUNDS; i++)
        seconds[i * NUCE_SAMPLE_PARTS] = factor * (1 + i) * exp(i % 2 == 0 ? spread : -spread);
}

/* The median of the logarithms is in the middle of +-0.1, so their median absolute deviation is
 * 0.1: (2.4565 x 1.4826 x 0.1 / log 1.05)^2 = 55.7 rounds, whatever the factor and the drift. */
static void test_spread(void **state)
{
    const struct nuce_run_info info = {.criterion = NUCE_PART_STEP};
    double seconds[3][ROUNDS * NUCE_SAMPLE_PARTS] = {{0}}, scratch[ROUNDS];
    struct nuce_entrant entrants[3];

    (void)state;
    fill(&entrants[0], seconds[0], &info, 1, 0);
    fill(&entrants[1], seconds[1], &info, 7, 0);
    assert_int_equal(nuce_sampling_rounds_wanted(entrants, 2, 0.05, scratch), 1);
    fill(&entrants[2], seconds[2], &info, 3, 0.1);
    assert_int_equal(nuce_sampling_rounds_wanted(entrants, 3, 0.05, scratch), 56);
    assert_int_equal(nuce_sampling_rounds_wanted(entrants, 1, 0.05, scratch), 1);
}

/* A time of 0 has no ratio, and a ci of 0 is never reached. */
static void test_never(void **state)
{
    const struct nuce_run_info info = {.criterion = NUCE_PART_STEP};
    double seconds[2][ROUNDS * NUCE_SAMPLE_PARTS] = {{0}}, scratch[ROUNDS];
    struct nuce_entrant entrants[2];

    (void)state;
    fill(&entrants[0], seconds[0], &info, 1, 0);
    fill(&entrants[1], seconds[1], &info, 1, 0.1);
    assert_true(nuce_sampling_rounds_wanted(entrants, 2, 0, scratch) == INT64_MAX);
    seconds[0][3 * NUCE_SAMPLE_PARTS] = 0;
    assert_true(nuce_sampling_rounds_wanted(entrants, 2, 0.05, scratch) == INT64_MAX);
}

static int64_t pilot(int64_t min, int64_t max)
{
    return nuce_sampling_pilot_rounds(&(struct nuce_measure){.min = min, .max = max, .limit = 15},
                                      1e-6);
}

/* Of the usual number of rounds, of which the limit has room for so many. */
static int64_t pilot_of_room(double rounds)
{
    return nuce_sampling_pilot_rounds(&(struct nuce_measure){.min = 10, .max = 50, .limit = rounds},
                                      1);
}

/* Ten where they may save many, and none where they would cost what they save. */
static void test_pilot(void **state)
{
    (void)state;
    assert_int_equal(pilot(10, 100), 10);
    assert_int_equal(pilot(1, 1000000), 10);
    assert_int_equal(pilot(10, 50), 10);
    assert_int_equal(pilot(15, 35), 5);
    assert_int_equal(pilot(6, 18), 3);
    assert_int_equal(pilot(6, 17), 0);
    assert_int_equal(pilot(5, 5), 0);
    assert_int_equal(pilot_of_room(60), 10);
    assert_int_equal(pilot_of_room(25), 3);
    assert_int_equal(pilot_of_room(20), 0);
    assert_int_equal(pilot_of_room(2), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pilot),
        cmocka_unit_test(test_spread),
        cmocka_unit_test(test_never),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
