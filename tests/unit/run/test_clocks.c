/* Clocks that are made up: lines through what they are ahead, and when round trips are enough. */
#include "../test.h"

#include "base/rng.h"
#include "run/clock_sync.h"

/* Lines of clocks that are made up: what they are ahead, how they drift, and how their round trips
 * scatter. */

/* A clock that was ahead by `ahead_s` when it said begin_s. */
struct made_up {
    double begin_s, ahead_s, drift;
    double trip_s;   /* half of the shortest round trip */
    double jitter_s; /* half of what is on top of it, on average */
    double skew;     /* of the trip, what the way there takes more than the way back: -1 to 1 */
};

static double truth(const struct made_up *clock, double local_s)
{
    return clock->ahead_s + clock->drift * (local_s - clock->begin_s);
}

/* A round trip of a random length, whose longer way is either one: off by no more than half of what
 * it took longer than the shortest, and what the ways always differ. */
static struct nuce_clock_point make_trip(const struct made_up *clock, double local_s,
                                         struct nuce_rng *rng)
{
    double more_s = -clock->jitter_s * log(1 - nuce_rng_uniform(rng));
    double way = 2 * nuce_rng_uniform(rng) - 1;
    struct nuce_clock_point point = {.local_s = local_s, .error_s = clock->trip_s + more_s};

    point.ahead_s = truth(clock, local_s) + clock->skew * clock->trip_s + way * more_s;
    return point;
}

static void look_at_clock(const struct made_up *clock, double local_s, struct nuce_rng *rng,
                          struct nuce_clock_fit *fit)
{
    struct nuce_clock_point point = make_trip(clock, local_s, rng);

    nuce_clock_fit_add(fit, &point);
}

static struct nuce_clock_fit fit_through(const struct made_up *clock, int points, double every_s)
{
    struct nuce_rng rng = nuce_rng_create(7, 0);
    struct nuce_clock_fit fit = {0};

    for (int i = 0; i < points; i++)
        look_at_clock(clock, clock->begin_s + i * every_s, &rng, &fit);
    return fit;
}

static double off(const struct made_up *clock, const struct nuce_clock_fit *fit, double local_s)
{
    return fabs(nuce_clock_fit_ahead(fit, local_s) - truth(clock, local_s));
}

/* A machine that is up for months, and a clock that is days apart: to the grain of a double. */
static void test_exact(void **state)
{
    const struct made_up clock = {1.5e7, -2e5, 37e-6, 1e-6, 0, 0};
    struct nuce_clock_fit fit = fit_through(&clock, 20, 1);

    assert_near(fit.drift, clock.drift, 1e-9);
    assert_true(off(&clock, &fit, clock.begin_s + 60) < 20e-9);
}

/* The first passes take a tenth of a second: what scatters by microseconds must not become a drift
 * that carries the clock away in the seconds after. */
static void test_short(void **state)
{
    const struct made_up clock = {1000, 5, 0, 20e-6, 20e-6, 0};
    struct nuce_clock_fit fit = fit_through(&clock, 10, 1e-3);

    assert_true(off(&clock, &fit, 1000) < 40e-6);
    assert_true(off(&clock, &fit, 1001) < 40e-6 + 10e-6);
}

/* A look a second: within half of a round trip for all of a minute, and what the two ways always
 * differ stays in the offset, as it must, but not in the drift. */
static void test_minute(void **state)
{
    static const double skews[] = {-0.9, 0, 0.9};

    for (size_t k = 0; k < COUNT(skews); k++) {
        const struct made_up clock = {1e4, -3, -80e-6, 5e-6, 2e-6, skews[k]};
        struct nuce_rng rng = nuce_rng_create(11, (uint64_t)k);
        struct nuce_clock_fit fit = fit_through(&clock, 10, 0.01);

        for (int second = 1; second <= 60; second++) {
            look_at_clock(&clock, 1e4 + second, &rng, &fit);
            if (second > 10)
                assert_true(off(&clock, &fit, 1e4 + second + 1) < clock.trip_s);
        }
        assert_near(fit.drift, clock.drift, 0.2e-6);
        assert_true(off(&clock, &fit, 1e4 + 61) < clock.trip_s);
    }
}

/* One round trip that somebody else's work has kept waiting. */
static void test_outlier(void **state)
{
    const struct made_up clock = {0, 1, 20e-6, 2e-6, 0, 0};
    const struct nuce_clock_point late = {.local_s = 30, .ahead_s = 1 + 5e-3, .error_s = 5e-3};
    struct nuce_clock_fit fit = fit_through(&clock, 30, 1);

    nuce_clock_fit_add(&fit, &late);
    assert_true(off(&clock, &fit, 31) < 1e-6);
    assert_true(fabs(fit.residual_s) > 4e-3);
}

/* The oldest points go: a clock whose rate has changed is followed. */
static void test_many(void **state)
{
    const struct made_up before = {0, 0, 50e-6, 1e-6, 0, 0};
    const struct made_up after = {100, 0.1, -50e-6, 1e-6, 0, 0};
    struct nuce_clock_fit fit = fit_through(&before, 100, 1);
    struct nuce_rng rng = nuce_rng_create(1, 0);

    assert_int_equal(fit.count, NUCE_CLOCK_POINTS);
    for (int i = 0; i < NUCE_CLOCK_POINTS; i++)
        look_at_clock(&after, 100 + i, &rng, &fit);
    assert_int_equal(fit.count, NUCE_CLOCK_POINTS);
    assert_true(nuce_clock_fit_last(&fit)->local_s == 100 + NUCE_CLOCK_POINTS - 1);
    assert_true(off(&after, &fit, 170) < 0.1e-6);
}

/* A pass: the shortest of as many round trips as are made of them. */
static void pass_over_clock(const struct made_up *clock, double local_s, struct nuce_rng *rng,
                            struct nuce_clock_fit *fit)
{
    struct nuce_clock_trips trips = {.count = 0};
    struct nuce_clock_point best = {0};

    while (!nuce_clock_trips_suffice(&trips)) {
        struct nuce_clock_point point = make_trip(clock, local_s, rng);

        if (nuce_clock_trips_add(&trips, 2 * point.error_s))
            best = point;
    }
    nuce_clock_fit_add(fit, &best);
}

/* How a minute went in which the next pass came when the line had held for as long as it is good
 * for, and half of that once more, since a stretch of rounds may take longer. */
struct minute {
    int passes, first_second; /* in all, and in the first second of them */
    double most;              /* that the line was off by before the next, in half round trips */
};

static struct minute spend_minute(const struct made_up *clock, uint64_t seed)
{
    struct nuce_rng rng = nuce_rng_create(seed, 0);
    struct nuce_clock_fit fit = {0};
    struct minute minute = {0};
    double local_s = clock->begin_s;

    while (local_s < clock->begin_s + 60) {
        double until_s;

        pass_over_clock(clock, local_s, &rng, &fit);
        until_s = local_s + 1.5 * nuce_clock_fit_holds(&fit);
        minute.passes++;
        minute.first_second += local_s < clock->begin_s + 1;
        minute.most =
            fmax(minute.most, off(clock, &fit, until_s) / nuce_clock_fit_last(&fit)->error_s);
        local_s = until_s;
    }
    return minute;
}

/* From the first pass on the line is within half a round trip, for clocks that gain or lose up to
 * 100 us a second: by way of memory, a cluster's network, a slow one, without drift and with, a
 * fast one that is busy, and virtual nodes on two processors, where nearly all of a trip is
 * waiting. */
static void test_holds(void **state)
{
    static const struct made_up clocks[] = {
        {1e4, -3, 80e-6, 0.5e-6, 0.05e-6, 0}, {5e6, 7e4, -60e-6, 10e-6, 2e-6, 0},
        {100, 0, 0, 200e-6, 200e-6, 0},       {100, -1000, 100e-6, 200e-6, 200e-6, 0.3},
        {0, 9, -100e-6, 1e-6, 3e-6, 0},       {0, 9, 0, 130e-6, 500e-6, 0},
    };

    for (size_t k = 0; k < COUNT(clocks); k++) {
        for (uint64_t seed = 0; seed < 20; seed++) {
            struct minute minute = spend_minute(&clocks[k], seed);

            assert_true(minute.most < 1);
            assert_in_range(minute.passes, 60 / 3, 60);
            assert_in_range(minute.first_second, 1, 12);
        }
    }
}

/* When a pair of clocks has seen enough round trips: made-up ones, alike, scattered and slow. */

/* How many of the given trips are made. */
static void test_made(void **state)
{
    static const struct {
        double seconds[2 * NUCE_CLOCK_TRIPS];
        int count, made;
    } cases[] = {
        /* Three alike are enough, once the shortest of all is among them. */
        {{900e-6, 2e-6, 2.1e-6, 2.05e-6, 2e-6}, 5, 4},
        {{5e-6, 5.1e-6, 2e-6, 2.1e-6, 9e-6, 2.15e-6, 2e-6}, 7, 6},
        /* Where a trip takes long only a few are made, and how long the other rank was in coming
         * does not count. */
        {{40e-3, 60e-3, 30e-3, 20e-3, 50e-3}, 5, 3},
        {{10, 2e-3, 1e-3, 4e-3, 1.6e-3, 2.5e-3, 3e-3}, 7, 6},
        {{0}, 2 * NUCE_CLOCK_TRIPS, NUCE_CLOCK_TRIPS}, /* trips that scatter, to the end */
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_clock_trips trips = {.count = 0};

        while (trips.count < cases[i].count && !nuce_clock_trips_suffice(&trips)) {
            double seconds = cases[i].seconds[trips.count];

            nuce_clock_trips_add(&trips, seconds > 0 ? seconds : 1e-6 * pow(1.2, 20 - trips.count));
        }
        assert_int_equal(trips.count, cases[i].made);
    }
}

/* Of trips that wait for as long on average as they take, the shortest is a tenth longer than the
 * shortest there can be if all ten are made, and little more if they end when three are alike. */
static void test_price(void **state)
{
    struct nuce_rng rng = nuce_rng_create(3, 0);
    double more = 0;
    int count = 0;

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

RUN_TESTS(NULL, NULL, CASE(test_exact), CASE(test_short), CASE(test_minute), CASE(test_outlier),
          CASE(test_many), CASE(test_holds), CASE(test_made), CASE(test_price))
