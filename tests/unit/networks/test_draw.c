#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "schedules/network.h"

#define RANKS 40

static struct nuce_network draw(double startup_low, double startup_high, int symmetric,
                                uint64_t seed)
{
    struct nuce_network_ranges ranges = {{startup_low, startup_high}, {10e6, 200e6}, symmetric};
    struct nuce_rng rng = nuce_rng_create(seed, 0);
    struct nuce_network network;
    struct nuce_error error;

    assert_int_equal(nuce_network_draw(RANKS, &ranges, &rng, &network, &error), NUCE_OK);
    return network;
}

/* 1560 draws: the mean of uniform ones is off by 1.4 MB/s (a standard error), that of 1 / B uniform
 * would be 63 MB/s instead of 105. */
static void test_uniform(void **state)
{
    struct nuce_network network = draw(10e-6, 50e-6, 0, 1);
    double sum = 0, low = INFINITY, high = 0, startups = 0;
    int differ = 0;

    (void)state;
    for (int i = 0; i < RANKS; i++) {
        for (int j = 0; j < RANKS; j++) {
            double bandwidth = nuce_network_bandwidth(&network, i, j);
            double startup = nuce_network_startup(&network, i, j);

            if (i == j)
                continue;
            assert_true(startup >= 10e-6 && startup <= 50e-6);
            sum += bandwidth;
            startups += startup;
            low = fmin(low, bandwidth);
            high = fmax(high, bandwidth);
            differ += bandwidth != nuce_network_bandwidth(&network, j, i);
        }
    }
    assert_true(low >= 10e6 && low < 12e6 && high <= 200e6 && high > 198e6);
    assert_true(fabs(sum / (RANKS * (RANKS - 1)) - 105e6) < 6e6);
    assert_true(fabs(startups / (RANKS * (RANKS - 1)) - 30e-6) < 1.5e-6);
    assert_int_equal(differ, RANKS * (RANKS - 1));
    nuce_network_fini(&network);
}

static void test_symmetric(void **state)
{
    struct nuce_network network = draw(10e-6, 50e-6, 1, 1);

    (void)state;
    for (int i = 0; i < RANKS; i++) {
        for (int j = 0; j < RANKS; j++) {
            assert_true(nuce_network_bandwidth(&network, i, j) ==
                        nuce_network_bandwidth(&network, j, i));
            assert_true(nuce_network_startup(&network, i, j) ==
                        nuce_network_startup(&network, j, i));
        }
    }
    assert_true(nuce_network_bandwidth(&network, 0, 1) != nuce_network_bandwidth(&network, 0, 2));
    nuce_network_fini(&network);
}

/* The same seed gives the same network on every rank, another one another; and the bandwidths do
 * not depend on how startups are drawn. */
static void test_seed(void **state)
{
    struct nuce_network a = draw(10e-6, 50e-6, 0, 7), b = draw(10e-6, 50e-6, 0, 7);
    struct nuce_network other = draw(10e-6, 50e-6, 0, 8), fixed = draw(0, 0, 0, 7);
    size_t bytes = RANKS * RANKS * sizeof(double);

    (void)state;
    assert_memory_equal(a.pair_bandwidth, b.pair_bandwidth, bytes);
    assert_memory_equal(a.pair_startup, b.pair_startup, bytes);
    assert_memory_equal(a.pair_bandwidth, fixed.pair_bandwidth, bytes);
    assert_true(memcmp(a.pair_bandwidth, other.pair_bandwidth, bytes) != 0);
    assert_true(nuce_network_startup(&fixed, 0, 1) == 0);
    nuce_network_fini(&a);
    nuce_network_fini(&b);
    nuce_network_fini(&other);
    nuce_network_fini(&fixed);
}

static void test_single_values(void **state)
{
    struct nuce_network_ranges ranges = {{1e-6, 1e-6}, {5e6, 5e6}, 0};
    struct nuce_rng rng = nuce_rng_create(1, 0), untouched = rng;
    struct nuce_network network;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_network_draw(1 << 20, &ranges, &rng, &network, &error), NUCE_BAD_INPUT);
    assert_int_equal(nuce_network_draw(3, &ranges, &rng, &network, &error), NUCE_OK);
    assert_null(network.pair_bandwidth);
    assert_true(nuce_network_bandwidth(&network, 2, 1) == 5e6);
    assert_true(nuce_network_startup(&network, 2, 1) == 1e-6);
    assert_memory_equal(&rng, &untouched, sizeof rng);
    nuce_network_fini(&network);
}

static void test_bad(void **state)
{
    static const struct {
        struct nuce_network_ranges ranges;
        const char *message;
    } bad[] = {
        {{{-1, 1}, {1, 2}, 0}, "startup: '-1..1': expected LOW..HIGH, at least 0 seconds"},
        {{{2, 1}, {1, 2}, 0}, "startup: '2..1': expected LOW..HIGH, at least 0 seconds"},
        {{{0, 1}, {0, 2}, 0},
         "bandwidth: '0..2': expected LOW..HIGH, more than 0 bytes per second"},
        {{{0, 1}, {-3, 2}, 0},
         "bandwidth: '-3..2': expected LOW..HIGH, more than 0 bytes per second"},
        {{{0, 1}, {3, 2}, 0},
         "bandwidth: '3..2': expected LOW..HIGH, more than 0 bytes per second"},
        {{{0, 1}, {3, INFINITY}, 0},
         "bandwidth: '3..inf': expected LOW..HIGH, more than 0 bytes per second"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct nuce_rng rng = nuce_rng_create(1, 0);
        struct nuce_network network;
        struct nuce_error error;

        assert_int_equal(nuce_network_draw(4, &bad[i].ranges, &rng, &network, &error),
                         NUCE_BAD_INPUT);
        assert_string_equal(nuce_error_flatten(&error), bad[i].message);
    }
}

/* A pair is as fast as the slower of its two ports. */
static void test_ports(void **state)
{
    struct nuce_network_ranges ranges = {{0, 0}, {10e6, 200e6}, 0};
    struct nuce_rng rng = nuce_rng_create(1, 0);
    struct nuce_network network;
    struct nuce_error error;
    double low = INFINITY, high = 0;

    (void)state;
    assert_int_equal(nuce_network_draw_ports(RANKS, &ranges, &rng, &network, &error), NUCE_OK);
    assert_true(nuce_network_has_ports(&network));
    for (int i = 0; i < RANKS; i++) {
        double port = nuce_network_port_out(&network, i);

        assert_true(port == nuce_network_port_in(&network, i));
        low = fmin(low, port);
        high = fmax(high, port);
        for (int j = 0; j < RANKS; j++) {
            if (i != j)
                assert_true(nuce_network_bandwidth(&network, i, j) ==
                            fmin(port, nuce_network_port_in(&network, j)));
        }
    }
    assert_true(low >= 10e6 && low < 40e6 && high <= 200e6 && high > 170e6);
    nuce_network_fini(&network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uniform), cmocka_unit_test(test_symmetric),
        cmocka_unit_test(test_seed),    cmocka_unit_test(test_single_values),
        cmocka_unit_test(test_ports),   cmocka_unit_test(test_bad),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
