#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "base/rng.h"
#include "schedules/link_fit.h"

#define SIZES 4

static const int64_t bytes[SIZES] = {1024, 10321, 104032, 1048576};

static void assert_close(double value, double expected, double relative)
{
    if (!(fabs(value - expected) <= relative * fabs(expected)))
        fail_msg("%.17g, expected %.17g", value, expected);
}

/* A link of 2 x 100 us and 20 MB/s. */
static void make_trips(struct nuce_trip trips[SIZES], double relative_error)
{
    for (int k = 0; k < SIZES; k++) {
        double seconds = 2e-4 + (double)bytes[k] / 20e6;

        trips[k] = (struct nuce_trip){bytes[k], seconds, relative_error * seconds};
    }
}

static void test_exact(void **state)
{
    struct nuce_trip trips[SIZES];
    struct nuce_link link;

    (void)state;
    make_trips(trips, 0.02);
    link = nuce_link_fit(trips, SIZES);
    assert_close(link.startup_s, 1e-4, 1e-9);
    assert_close(link.bandwidth, 20e6, 1e-9);
    /* No better than the times are known, which is 2 % each. */
    assert_in_range(link.bandwidth_error * 1000 / 20e6, 10, 30);
    assert_in_range(link.startup_error_s * 1e9, 1000, 4000);
    link = nuce_link_fit(trips, 2);
    assert_close(link.bandwidth, 20e6, 1e-6);
    assert_true(link.bandwidth_error > 0);
}

/* A value of mean 0 and standard deviation 1, nearly normal. */
static double draw(struct nuce_rng *rng)
{
    double sum = -6;

    for (int k = 0; k < 12; k++)
        sum += (double)nuce_rng_below(rng, 1000000) / 1e6;
    return sum;
}

/* Two of three fits within one standard error, and nearly all within two: the errors are true. */
static void test_noise(void **state)
{
    struct nuce_rng rng = nuce_rng_create(7, 0);
    int within_one = 0, within_two = 0;
    const int tries = 1000;

    (void)state;
    for (int k = 0; k < tries; k++) {
        struct nuce_trip trips[SIZES];
        struct nuce_link link;
        double off;

        make_trips(trips, 0.05);
        for (int i = 0; i < SIZES; i++)
            trips[i].seconds += draw(&rng) * trips[i].error_s;
        link = nuce_link_fit(trips, SIZES);
        off = fabs(link.bandwidth - 20e6) / link.bandwidth_error;
        within_one += off <= 1;
        within_two += off <= 2;
    }
    assert_in_range(within_one, 620, 880);
    assert_in_range(within_two, 930, 1000);
}

/* Points further from the line than their errors say make the link's errors grow, and spoil
 * its bandwidth no more than what is late does the longest message. */
static void test_scatter(void **state)
{
    struct nuce_trip trips[SIZES];
    struct nuce_link calm, wild;

    (void)state;
    make_trips(trips, 0.02);
    calm = nuce_link_fit(trips, SIZES);
    trips[2].seconds *= 1.5;
    wild = nuce_link_fit(trips, SIZES);
    assert_true(wild.bandwidth_error > 1.5 * calm.bandwidth_error);
    assert_close(wild.bandwidth, 20e6, 0.06);
}

/* A shaper that lets the first 48 KiB through at once: the slope is that of what is longer. */
static void test_shaper(void **state)
{
    static const int64_t sizes[SIZES] = {1024, 16384, 262144, 4194304};
    struct nuce_trip trips[SIZES];
    struct nuce_link link;

    (void)state;
    for (int k = 0; k < SIZES; k++) {
        double seconds = 1e-4 + fmax((double)sizes[k] - 49152, 0) / 6e6;

        trips[k] = (struct nuce_trip){sizes[k], seconds, 0.02 * seconds};
    }
    link = nuce_link_fit(trips, SIZES);
    assert_close(link.bandwidth, 6e6, 0.03);
    assert_true(link.startup_s >= 0 && link.startup_s <= 5e-5);
}

/* The processor was away when the second size was sent: no startup of that comes to more than the
 * smallest message took. */
static void test_delay(void **state)
{
    struct nuce_trip trips[SIZES];
    struct nuce_link link;

    (void)state;
    make_trips(trips, 0.02);
    trips[1].seconds += 9e-3;
    link = nuce_link_fit(trips, SIZES);
    assert_close(link.bandwidth, 20e6, 0.05);
    assert_true(link.startup_s <= trips[0].seconds / 2);
    assert_true(link.startup_error_s > 0);
}

static void test_no_startup(void **state)
{
    struct nuce_trip trips[SIZES];
    struct nuce_link link;

    (void)state;
    make_trips(trips, 0.02);
    for (int k = 0; k < SIZES; k++)
        trips[k].seconds = (double)bytes[k] / 20e6 * (k == 0 ? 0.9 : 1);
    link = nuce_link_fit(trips, SIZES);
    assert_true(link.startup_s >= 0 && link.startup_s <= 0);
    assert_true(isnan(link.startup_error_s));
    assert_close(link.bandwidth, 20e6, 0.05);
    assert_true(link.bandwidth_error > 0);
}

static void test_no_slope(void **state)
{
    struct nuce_trip trips[SIZES];
    struct nuce_link link;

    (void)state;
    for (int k = 0; k < SIZES; k++)
        trips[k] = (struct nuce_trip){bytes[k], 3e-3 - k * 1e-4, 1e-4};
    link = nuce_link_fit(trips, SIZES);
    assert_close(link.bandwidth, 1048576 / 2.7e-3, 1e-9);
    assert_true(isnan(link.bandwidth_error) && isnan(link.startup_error_s));
    assert_close(link.startup_s, 1.5e-3, 1e-9);
}

/* A slope, but one that might as well be none. */
static void test_doubtful_slope(void **state)
{
    struct nuce_trip trips[SIZES];
    struct nuce_link link;

    (void)state;
    for (int k = 0; k < SIZES; k++)
        trips[k] = (struct nuce_trip){bytes[k], 3e-3 + (k == SIZES - 1 ? 1e-4 : 0), 2e-4};
    link = nuce_link_fit(trips, SIZES);
    assert_close(link.bandwidth, 1048576 / 3.1e-3, 1e-9);
    assert_true(isnan(link.bandwidth_error));
}

static void test_trips(void **state)
{
    double even[] = {5e-3, 5e-3, 5e-3}, spread[] = {9e-3, 1e-3, 5e-3, 4e-3}, none[] = {0};
    struct nuce_trip trip;

    (void)state;
    trip = nuce_trip_summarise(64, even, 3);
    assert_int_equal(trip.bytes, 64);
    assert_close(trip.seconds, 5e-3, 1e-12);
    assert_close(trip.error_s, 1e-4, 1e-12);
    /* Deviations from 4.5: 0.5, 0.5, 3.5, 4.5. */
    trip = nuce_trip_summarise(64, spread, 4);
    assert_close(trip.seconds, 4.5e-3, 1e-12);
    assert_close(trip.error_s, 1.2533 * 1.4826 * 2e-3 / 2, 1e-9);
    trip = nuce_trip_summarise(64, none, 1);
    assert_true(trip.seconds > 0 && trip.error_s > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),          cmocka_unit_test(test_noise),
        cmocka_unit_test(test_scatter),        cmocka_unit_test(test_shaper),
        cmocka_unit_test(test_delay),          cmocka_unit_test(test_no_startup),
        cmocka_unit_test(test_no_slope),       cmocka_unit_test(test_trips),
        cmocka_unit_test(test_doubtful_slope),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
