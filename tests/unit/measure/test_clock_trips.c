/* When a pair of clocks has seen enough round trips: made-up ones, alike, scattered and slow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "base/rng.h"
#include "run/clock_trips.h"

/* How many of the given trips are made. */
static int made(const double *seconds, int count)
{
    struct nuce_clock_trips trips = {.count = 0};

    while (trips.count < count && !nuce_clock_trips_suffice(&trips))
        nuce_clock_trips_add(&trips, seconds[trips.count]);
    return trips.count;
}

static void test_shortest(void **state)
{
    struct nuce_clock_trips trips = {.count = 0};

    (void)state;
    assert_true(nuce_clock_trips_add(&trips, 3e-6));
    assert_false(nuce_clock_trips_add(&trips, 4e-6));
    assert_false(nuce_clock_trips_add(&trips, 3e-6));
    assert_true(nuce_clock_trips_add(&trips, 2e-6));
}

/* Three alike are enough, once the shortest of all is among them. */
static void test_alike(void **state)
{
    static const double idle[] = {900e-6, 2e-6, 2.1e-6, 2.05e-6, 2e-6};
    static const double late[] = {5e-6, 5.1e-6, 2e-6, 2.1e-6, 9e-6, 2.15e-6, 2e-6};

    (void)state;
    assert_int_equal(made(idle, 5), 4);
    assert_int_equal(made(late, 7), 6);
}

/* Trips that scatter are made until there are so many. */
static void test_scattered(void **state)
{
    double seconds[2 * NUCE_CLOCK_TRIPS];

    (void)state;
    for (int i = 0; i < 2 * NUCE_CLOCK_TRIPS; i++)
        seconds[i] = 1e-6 * pow(1.2, 20 - i);
    assert_int_equal(made(seconds, 2 * NUCE_CLOCK_TRIPS), NUCE_CLOCK_TRIPS);
}

/* Where a trip takes long only a few are made, and how long the other rank was in coming does not
 * count. */
static void test_slow(void **state)
{
    static const double slow[] = {40e-3, 60e-3, 30e-3, 20e-3, 50e-3};
    static const double busy[] = {10, 2e-3, 1e-3, 4e-3, 1.6e-3, 2.5e-3, 3e-3};

    (void)state;
    assert_int_equal(made(slow, 5), 3);
    assert_int_equal(made(busy, 7), 6);
}

/* Of trips that wait for as long on average as they take, the shortest is a tenth longer than the
 * shortest there can be if all ten are made, and little more if they end when three are alike. */
static void test_price(void **state)
{
    struct nuce_rng rng = nuce_rng_create(3, 0);
    double more = 0;
    int count = 0;

    (void)state;
    for (int i = 0; i < 10000; i++) {
        struct nuce_clock_trips trips = {.count = 0};
        double shortest = INFINITY;

        while (!nuce_clock_trips_suffice(&trips)) {
            double trip = 1 - log(1 - nuce_rng_uniform(&rng));

            shortest = fmin(shortest, trip);
            nuce_clock_trips_add(&trips, 1e-6 * trip);
        }
        more += shortest - 1;
        count += trips.count;
    }
    assert_true(more / 10000 < 0.13);
    assert_true(count < 10000 * NUCE_CLOCK_TRIPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shortest),  cmocka_unit_test(test_alike),
        cmocka_unit_test(test_scattered), cmocka_unit_test(test_slow),
        cmocka_unit_test(test_price),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
