#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "schedules/fan.h"

#define RANKS 8
#define MIB (INT64_C(1) << 20)

static void assert_close(double value, double expected, double relative)
{
    if (!(fabs(value - expected) <= relative * fabs(expected)))
        fail_msg("%.17g, expected %.17g", value, expected);
}

/* All pairs 100 us and 20 MB/s. */
static struct nuce_network even_network(double bandwidth)
{
    struct nuce_network network = {0};
    struct nuce_error error;

    assert_int_equal(nuce_network_uniform(RANKS, 1e-4, bandwidth, &network, &error), NUCE_OK);
    return network;
}

static void test_degrees(void **state)
{
    static const int of_8[] = {1, 2, 4, 7}, of_9[] = {1, 2, 4, 8};
    int degrees[NUCE_FAN_DEGREES_MOST];

    (void)state;
    assert_int_equal(nuce_fan_degrees(2, degrees), 1);
    assert_int_equal(degrees[0], 1);
    assert_int_equal(nuce_fan_degrees(3, degrees), 2);
    assert_int_equal(nuce_fan_degrees(8, degrees), 4);
    assert_memory_equal(degrees, of_8, sizeof of_8);
    assert_int_equal(nuce_fan_degrees(9, degrees), 4);
    assert_memory_equal(degrees, of_9, sizeof of_9);
    assert_true(nuce_fan_degrees(NUCE_NETWORK_MAX_RANKS, degrees) <= NUCE_FAN_DEGREES_MOST);
}

static void test_partners_differ(void **state)
{
    (void)state;
    for (int ranks = 2; ranks < 20; ranks++) {
        for (int degree = 1; degree < ranks; degree++) {
            struct nuce_fan fan = {.centre = ranks / 2, .degree = degree};
            char seen[20] = {0};

            for (int k = 0; k < degree; k++) {
                int partner = nuce_fan_partner(&fan, k, ranks);

                assert_in_range(partner, 0, ranks - 1);
                assert_int_not_equal(partner, fan.centre);
                assert_int_equal(seen[partner]++, 0);
            }
        }
    }
}

static void test_sizes(void **state)
{
    struct nuce_fan fan = {.centre = 0, .degree = RANKS - 1, .is_out = 1};
    struct nuce_network network = even_network(20e6);
    int64_t bytes[RANKS - 1];
    struct nuce_error error;

    (void)state;
    nuce_fan_sizes(&network, &fan, MIB, bytes);
    assert_close((double)bytes[0], 20e6 * 0.06 / sqrt(7), 0.01);
    /* In proportion, out by the pairs from 0, in by those to it. */
    assert_int_equal(nuce_network_allocate_pairs(&network, &error), NUCE_OK);
    for (int i = 0; i < RANKS * RANKS; i++)
        network.pair_bandwidth[i] = 10e6;
    network.pair_bandwidth[1] = 30e6;
    nuce_fan_sizes(&network, &fan, MIB, bytes);
    assert_close((double)bytes[0], 3.0 * (double)bytes[1], 0.01);
    fan.is_out = 0;
    nuce_fan_sizes(&network, &fan, MIB, bytes);
    assert_int_equal(bytes[0], bytes[1]);
    /* One that is a thousand times as fast is cut; the slow ones are not made short by it. */
    fan.is_out = 1;
    network.pair_bandwidth[1] = 10e9;
    nuce_fan_sizes(&network, &fan, MIB, bytes);
    assert_int_equal(bytes[0], MIB);
    assert_true(bytes[1] >= MIB / 16);
    nuce_network_fini(&network);
}

/* However fast and many, no more than the buffers hold. */
static void test_most(void **state)
{
    struct nuce_fan fan = {.centre = 3, .degree = 99, .is_out = 1};
    struct nuce_network network;
    struct nuce_error error;
    int64_t bytes[99], total = 0;

    (void)state;
    assert_int_equal(nuce_network_uniform(100, 1e-6, 1e12, &network, &error), NUCE_OK);
    nuce_fan_sizes(&network, &fan, MIB, bytes);
    for (int k = 0; k < fan.degree; k++) {
        assert_in_range(bytes[k], 1, MIB);
        total += bytes[k];
    }
    assert_true(total <= NUCE_FAN_TOTAL * MIB);
    assert_close((double)total, NUCE_FAN_TOTAL * (double)MIB, 0.01);
    nuce_network_fini(&network);
}

/* The fans of a port that carries `capacity`, on paths of 20 MB/s; returns what is found of it. */
static double find_port(double capacity, struct nuce_fan_result results[3])
{
    struct nuce_network network = even_network(20e6);
    static const int degrees[] = {1, 4, 7};
    double found;

    for (int d = 0; d < 3; d++) {
        struct nuce_fan fan = {.centre = 2, .degree = degrees[d], .is_out = 1};
        int64_t bytes[RANKS - 1];
        double total = 0;

        nuce_fan_sizes(&network, &fan, MIB, bytes);
        for (int k = 0; k < fan.degree; k++)
            total += (double)bytes[k];
        results[d] = nuce_fan_judge(&network, &fan, bytes,
                                    2e-4 + fmax((double)bytes[0] / 20e6, total / capacity));
    }
    found = nuce_fan_port(results, 3, 20e6);
    nuce_network_fini(&network);
    return found;
}

static void test_ports(void **state)
{
    struct nuce_fan_result results[3];

    (void)state;
    /* One partner fills it. */
    assert_close(find_port(20e6, results), 20e6, 0.001);
    assert_close(results[0].gain, 1, 1e-6);
    assert_close(results[2].gain, 1, 0.05);
    assert_close(results[2].free, 7, 1e-6);
    /* Several do. */
    assert_close(find_port(60e6, results), 60e6, 0.001);
    assert_close(results[2].gain, 3, 0.05);
    /* All paths together, or nearly. */
    assert_true(isinf(find_port(140e6, results)));
    assert_close(results[2].gain, 7, 1e-6);
    assert_true(isinf(find_port(130e6, results)));
    assert_true(find_port(120e6, results) < 121e6);
    /* What a pair does a port does. */
    assert_close(nuce_fan_port(results, 3, 200e6), 200e6, 1e-9);
    /* One partner says nothing of a port. */
    find_port(5e6, results);
    assert_true(isinf(nuce_fan_port(results, 1, 20e6)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_degrees), cmocka_unit_test(test_partners_differ),
        cmocka_unit_test(test_sizes),   cmocka_unit_test(test_most),
        cmocka_unit_test(test_ports),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
