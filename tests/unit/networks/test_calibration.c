/* Computations of the calibration: fans of ports, fits of links, and a tournament in which all
 * meet. */
#include "../test.h"
#include "base/rng.h"
#include "schedules/fan.h"
#include "schedules/link_fit.h"
#include "schedules/tournament.h"

/* Within this part of the expected. */
#define assert_close(found, expected, relative)                                                    \
    assert_near(found, expected, (relative)*fabs((double)(expected)))

#define FAN_RANKS 8
#define MIB (INT64_C(1) << 20)

/* All pairs 100 us and 20 MB/s. */
static struct nuce_network even_network(double bandwidth)
{
    struct nuce_network network = {0};

    assert_ok(nuce_network_uniform(FAN_RANKS, 1e-4, bandwidth, &network, ANY_ERROR));
    return network;
}

static void test_degrees(void **state)
{
    static const int of_8[] = {1, 2, 4, 7}, of_9[] = {1, 2, 4, 8};
    int degrees[NUCE_FAN_DEGREES_MOST];

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
    struct nuce_fan fan = {.centre = 0, .degree = FAN_RANKS - 1, .is_out = 1};
    OWNED(network) network = even_network(20e6);
    int64_t bytes[FAN_RANKS - 1];

    nuce_fan_sizes(&network, &fan, MIB, bytes);
    assert_close((double)bytes[0], 20e6 * 0.06 / sqrt(7), 0.01);
    /* In proportion, out by the pairs from 0, in by those to it. */
    assert_ok(nuce_network_allocate_pairs(&network, ANY_ERROR));
    for (int i = 0; i < FAN_RANKS * FAN_RANKS; i++)
        network.pair_bandwidth[i] = 10e6;
    network.pair_bandwidth[1] = 30e6;
    nuce_fan_sizes(&network, &fan, MIB, bytes);
    assert_close((double)bytes[0], 3.0 * (double)bytes[1], 0.01);
    fan.is_out = 0;
    nuce_fan_sizes(&network, &fan, MIB, bytes);
    assert_int_equal(bytes[0], bytes[1]);
    /* A fan that is a thousand times as fast is cut; slow fans do not get shorter by it. */
    fan.is_out = 1;
    network.pair_bandwidth[1] = 10e9;
    nuce_fan_sizes(&network, &fan, MIB, bytes);
    assert_int_equal(bytes[0], MIB);
    assert_true(bytes[1] >= MIB / 16);
}

/* However fast and many, no more than the buffers hold. */
static void test_most(void **state)
{
    struct nuce_fan fan = {.centre = 3, .degree = 99, .is_out = 1};
    OWNED(network) network;
    int64_t bytes[99], total = 0;

    assert_ok(nuce_network_uniform(100, 1e-6, 1e12, &network, ANY_ERROR));
    nuce_fan_sizes(&network, &fan, MIB, bytes);
    for (int k = 0; k < fan.degree; k++) {
        assert_in_range(bytes[k], 1, MIB);
        total += bytes[k];
    }
    assert_true(total <= NUCE_FAN_TOTAL * MIB);
    assert_close((double)total, NUCE_FAN_TOTAL * (double)MIB, 0.01);
}

/* The fans of a port that carries `capacity`, on paths of 20 MB/s; returns the limit that is found.
 */
static double find_port(double capacity, struct nuce_fan_result results[3])
{
    OWNED(network) network = even_network(20e6);
    static const int degrees[] = {1, 4, 7};

    for (int d = 0; d < 3; d++) {
        struct nuce_fan fan = {.centre = 2, .degree = degrees[d], .is_out = 1};
        int64_t bytes[FAN_RANKS - 1];
        double total = 0;

        nuce_fan_sizes(&network, &fan, MIB, bytes);
        for (int k = 0; k < fan.degree; k++)
            total += (double)bytes[k];
        results[d] = nuce_fan_judge(&network, &fan, bytes,
                                    2e-4 + fmax((double)bytes[0] / 20e6, total / capacity));
    }
    return nuce_fan_port(results, 3, 20e6);
}

static void test_ports(void **state)
{
    struct nuce_fan_result results[3];

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
    /* A port carries as much as a pair. */
    assert_close(nuce_fan_port(results, 3, 200e6), 200e6, 1e-9);
    /* One partner says nothing of a port. */
    find_port(5e6, results);
    assert_true(isinf(nuce_fan_port(results, 1, 20e6)));
}

#define SIZES 4

static const int64_t sizes_of_trips[SIZES] = {1024, 10321, 104032, 1048576};

/* A link of 2 x 100 us and 20 MB/s. */
static void make_trips(struct nuce_trip trips[SIZES], double relative_error)
{
    for (int k = 0; k < SIZES; k++) {
        double seconds = 2e-4 + (double)sizes_of_trips[k] / 20e6;

        trips[k] = (struct nuce_trip){sizes_of_trips[k], seconds, relative_error * seconds};
    }
}

static void test_exact(void **state)
{
    struct nuce_trip trips[SIZES];
    struct nuce_link link;

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
static double draw_noise(struct nuce_rng *rng)
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

    for (int k = 0; k < tries; k++) {
        struct nuce_trip trips[SIZES];
        struct nuce_link link;
        double off;

        make_trips(trips, 0.05);
        for (int i = 0; i < SIZES; i++)
            trips[i].seconds += draw_noise(&rng) * trips[i].error_s;
        link = nuce_link_fit(trips, SIZES);
        off = fabs(link.bandwidth - 20e6) / link.bandwidth_error;
        within_one += off <= 1;
        within_two += off <= 2;
    }
    assert_in_range(within_one, 620, 880);
    assert_in_range(within_two, 930, 1000);
}

/* Points further from the line than their errors say make the link's errors grow, and change its
 * bandwidth no more than such delays change the longest message. */
static void test_scatter(void **state)
{
    struct nuce_trip trips[SIZES];
    struct nuce_link calm, wild;

    make_trips(trips, 0.02);
    calm = nuce_link_fit(trips, SIZES);
    trips[2].seconds *= 1.5;
    wild = nuce_link_fit(trips, SIZES);
    assert_true(wild.bandwidth_error > 1.5 * calm.bandwidth_error);
    assert_close(wild.bandwidth, 20e6, 0.06);
}

/* A shaper that lets the first 48 KiB through at once: the slope is that of longer messages. */
static void test_shaper(void **state)
{
    static const int64_t sizes[SIZES] = {1024, 16384, 262144, 4194304};
    struct nuce_trip trips[SIZES];
    struct nuce_link link;

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

    make_trips(trips, 0.02);
    for (int k = 0; k < SIZES; k++)
        trips[k].seconds = (double)sizes_of_trips[k] / 20e6 * (k == 0 ? 0.9 : 1);
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

    for (int k = 0; k < SIZES; k++)
        trips[k] = (struct nuce_trip){sizes_of_trips[k], 3e-3 - k * 1e-4, 1e-4};
    link = nuce_link_fit(trips, SIZES);
    assert_close(link.bandwidth, 1048576 / 2.7e-3, 1e-9);
    assert_true(isnan(link.bandwidth_error) && isnan(link.startup_error_s));
    assert_close(link.startup_s, 1.5e-3, 1e-9);
}

/* A slope that is not significantly different from 0. */
static void test_doubtful_slope(void **state)
{
    struct nuce_trip trips[SIZES];
    struct nuce_link link;

    for (int k = 0; k < SIZES; k++)
        trips[k] = (struct nuce_trip){sizes_of_trips[k], 3e-3 + (k == SIZES - 1 ? 1e-4 : 0), 2e-4};
    link = nuce_link_fit(trips, SIZES);
    assert_close(link.bandwidth, 1048576 / 3.1e-3, 1e-9);
    assert_true(isnan(link.bandwidth_error));
}

static void test_trips(void **state)
{
    double even[] = {5e-3, 5e-3, 5e-3}, spread[] = {9e-3, 1e-3, 5e-3, 4e-3}, none[] = {0};
    struct nuce_trip trip;

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

#define RANKS_MOST 33

/* Counts in met[i][j] how often i meets j, whom it must meet in the same round. */
static void play(int ranks, int met[RANKS_MOST][RANKS_MOST])
{
    for (int round = 0; round < nuce_tournament_rounds(ranks); round++) {
        int idle = 0;

        for (int i = 0; i < ranks; i++) {
            int j = nuce_tournament_partner(round, i, ranks);

            if (j == NUCE_TOURNAMENT_NOBODY) {
                idle++;
                continue;
            }
            assert_in_range(j, 0, ranks - 1);
            assert_int_not_equal(i, j);
            assert_int_equal(nuce_tournament_partner(round, j, ranks), i);
            met[i][j]++;
        }
        assert_int_equal(idle, ranks % 2);
    }
}

static void test_every_pair_meets_once(void **state)
{
    for (int ranks = 2; ranks <= RANKS_MOST; ranks++) {
        int met[RANKS_MOST][RANKS_MOST];

        memset(met, 0, sizeof met);
        play(ranks, met);
        for (int i = 0; i < ranks; i++) {
            for (int j = 0; j < ranks; j++)
                assert_int_equal(met[i][j], i != j);
        }
    }
}

static void test_rounds(void **state)
{
    assert_int_equal(nuce_tournament_rounds(2), 1);
    assert_int_equal(nuce_tournament_rounds(3), 3);
    assert_int_equal(nuce_tournament_rounds(8), 7);
    /* One rank sits out its only round. */
    assert_int_equal(nuce_tournament_partner(0, 0, 1), NUCE_TOURNAMENT_NOBODY);
}

RUN(test_degrees, test_partners_differ, test_sizes, test_most, test_ports, test_exact, test_noise,
    test_scatter, test_shaper, test_delay, test_no_startup, test_no_slope, test_trips,
    test_doubtful_slope, test_every_pair_meets_once, test_rounds)
