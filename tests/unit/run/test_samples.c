/* Rounds, their number and their turns, and clocks, by numbers that are made up: lines through the
 * offsets of clocks, and when round trips are enough. */
#include "../folder.h"
#include "../holds.h"

#include "base/rng.h"
#include "points/results.h"
#include "run/clock_sync.h"
#include "run/resent.h"
#include "run/sampling.h"
#include "run/turn_start.h"

/* How many rounds it takes to know ratios well enough, against numbers worked out by hand. */

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

    fill(&entrants[0], seconds[0], &info, 1, 0);
    fill(&entrants[1], seconds[1], &info, 1, 0.1);
    assert_true(nuce_sampling_rounds_wanted(entrants, 2, 0, scratch) == INT64_MAX);
    seconds[0][3 * NUCE_SAMPLE_PARTS] = 0;
    assert_true(nuce_sampling_rounds_wanted(entrants, 2, 0.05, scratch) == INT64_MAX);
}

/* Ten pilot rounds if they may save many, and none if they would cost as much as they save: the
 * limit has room for so many of the usual rounds. */
static void test_pilot(void **state)
{
    static const struct {
        int64_t min, max;
        double room; /* rounds of the limit */
        int64_t pilot;
    } cases[] = {
        {10, 100, 15e6, 10}, {1, 1000000, 15e6, 10}, {10, 50, 15e6, 10}, {15, 35, 15e6, 5},
        {6, 18, 15e6, 3},    {6, 17, 15e6, 0},       {5, 5, 15e6, 0},    {10, 50, 60, 10},
        {10, 50, 25, 3},     {10, 50, 20, 0},        {10, 50, 2, 0},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_measure measure = {
            .min_samples = cases[i].min, .max_samples = cases[i].max, .time_limit = cases[i].room};

        assert_int_equal(nuce_sampling_pilot_rounds(&measure, 1), cases[i].pilot);
    }
}

/* How long windows get, after turns that are made up. */

#define MEETING_ROUNDS 100
#define TURNS ((int64_t)2 * MEETING_ROUNDS)

/* A meeting of two, by windows, of which the first was given 1 s and the second 2 s. */
static struct nuce_meeting make_meeting(void)
{
    static const double step_s[] = {0.5, 1};
    struct nuce_meeting meeting;

    nuce_meeting_init(NULL, "window", 2, step_s, &meeting);
    assert_true(meeting.is_window);
    assert_true(fabs(meeting.window_s[0] - 1) < 1e-12 && fabs(meeting.window_s[1] - 2) < 1e-12);
    return meeting;
}

/* Turns in turn, as they were given; a turn of the first takes first_s, one of the second second_s,
 * and one in `every` of either 5 s more. */
static void take_turns(struct nuce_meeting *meeting, struct nuce_taken taken[TURNS], double first_s,
                       double second_s, int64_t every)
{
    double given_s = 1000, free_s = 999;

    for (int64_t i = 0; i < TURNS; i++) {
        int number = (int)(i % 2);

        taken[i] = (struct nuce_taken){number, given_s, free_s, 0};
        free_s = fmax(free_s, given_s) + (number == 0 ? first_s : second_s);
        if (i % every == every - 1)
            free_s += 5;
        given_s += meeting->window_s[number];
    }
}

/* Each gets the time that it needs and a little more, although delays of earlier ones made it late.
 */
static void test_windows(void **state)
{
    OWNED(meeting) meeting = make_meeting();
    struct nuce_taken taken[TURNS];
    double scratch[TURNS];

    take_turns(&meeting, taken, 3, 0.25, TURNS + 1);
    nuce_meeting_adapt(&meeting, taken, TURNS, scratch);
    assert_true(meeting.window_s[0] > 3 && meeting.window_s[0] < 1.5 * 3);
    assert_true(meeting.window_s[1] > 0.25 && meeting.window_s[1] < 1.5 * 0.25);
}

/* A delay of one turn in fifty is not a reason to wait for it in all; of one in ten it is. */
static void test_interruptions(void **state)
{
    OWNED(meeting) meeting = make_meeting();
    struct nuce_taken taken[TURNS];
    double scratch[TURNS];

    take_turns(&meeting, taken, 0.5, 0.5, 50);
    nuce_meeting_adapt(&meeting, taken, TURNS, scratch);
    assert_true(meeting.window_s[1] < 1);
    take_turns(&meeting, taken, 0.5, 0.5, 10);
    nuce_meeting_adapt(&meeting, taken, TURNS, scratch);
    assert_true(meeting.window_s[1] > 5);
    assert_true(meeting.window_s[0] < 1);
}

/* Too few turns for a quantile: the longest has room. One alone says nothing. */
static void test_few(void **state)
{
    const struct nuce_taken taken[] = {{0, 10, 9, 0}, {1, 11, 10.5, 0}, {0, 13, 12.75, 0}};
    OWNED(meeting) meeting = make_meeting();
    double scratch[3];

    nuce_meeting_adapt(&meeting, taken, 1, scratch);
    assert_near(meeting.window_s[0], 1, 1e-12);
    nuce_meeting_adapt(&meeting, taken, 3, scratch);
    assert_true(meeting.window_s[0] >= 0.5 && meeting.window_s[0] <= 1);
    assert_true(meeting.window_s[1] >= 1.75 && meeting.window_s[1] <= 3.5);
}

/* A pause after a turn delays the next one, with some room, and lengthens no window; turns that
 * begin by a barrier need no pause. */
static void test_pause(void **state)
{
    const struct nuce_taken taken[] = {{0, 10, 9, 2}, {1, 14, 12.5, 0}};
    OWNED(meeting) meeting = make_meeting();
    double scratch[2], next_s = meeting.next_s, pause_s = nuce_meeting_pause(&meeting, 0.5);

    assert_true(pause_s >= 0.5 && fabs(meeting.next_s - next_s - pause_s) < 1e-12);
    nuce_meeting_adapt(&meeting, taken, 2, scratch);
    assert_true(meeting.window_s[0] >= 0.5 && meeting.window_s[0] <= 1);
    meeting.is_window = 0;
    assert_true(nuce_meeting_pause(&meeting, 0.5) == 0);
}

/* A rank that is late for the first turn heard of it too late. */
static void test_lead(void **state)
{
    const struct nuce_taken late[] = {{0, 10, 10.5, 0}}, in_time[] = {{0, 10, 9.5, 0}};
    OWNED(meeting) meeting = make_meeting();
    double scratch[1], lead_s = meeting.lead_s;

    nuce_meeting_adapt(&meeting, late, 1, scratch);
    assert_true(meeting.lead_s > lead_s);
    for (int i = 0; i < 10; i++)
        nuce_meeting_adapt(&meeting, in_time, 1, scratch);
    assert_true(meeting.lead_s <= lead_s && meeting.lead_s > 0);
}

/* The middle half of made-up samples, by hand. */

enum { SAMPLES = 8 };

/* Steps 8, 1, 7, 2, 6, 3, 5, 4: the middle half are 3 to 6, numbers 5, 7, 6, 4. */
static void test_middle(void **state)
{
    static const struct nuce_result *const tables[] = {nuce_results_run, NULL};
    static const double steps[SAMPLES] = {8, 1, 7, 2, 6, 3, 5, 4};
    int ranks[SAMPLES] = {0, 0, 0, 0, 3, 2, 2, 9};
    double seconds[SAMPLES * NUCE_SAMPLE_PARTS] = {0}, last[SAMPLES * NUCE_SAMPLE_PARTS] = {0};
    struct nuce_samples samples = {
        .count = SAMPLES, .seconds = seconds, .last = last, .last_rank = ranks};
    OWNED(metrics) found;

    for (int i = 0; i < SAMPLES; i++) {
        seconds[i * NUCE_SAMPLE_PARTS + NUCE_PART_STEP] = steps[i];
        last[i * NUCE_SAMPLE_PARTS + NUCE_PART_OWN] = steps[i] - 0.5;
        last[i * NUCE_SAMPLE_PARTS + NUCE_PART_PACK] = 0.25;
        last[i * NUCE_SAMPLE_PARTS + NUCE_PART_COMMUNICATION] = steps[i] / 2;
    }
    nuce_metrics_init(tables, &found);
    nuce_samples_describe_last(&samples, 1U << NUCE_PART_PACK | 1U << NUCE_PART_COMMUNICATION,
                               &found);
    holds(found.values,
          "{\"last_rank\":2,\"last_share\":0.5,\"last_step_s\":4.5,\"last_late_s\":0.5,"
          "\"last_pack_s\":0.25,\"last_communication_s\":2.25,\"last_other_s\":1.5,"
          "\"last_unpack_s\":null}");
}

#define IP "Ip: Forwarding DefaultTTL\nIp: 1 64\n"
#define NAMES "Tcp: RtoAlgorithm MaxConn OutSegs RetransSegs InErrs\n"

/* Segments that TCP sent again, from counters as Linux prints them: by the name of the column,
 * wherever it stands, behind other protocols; whatever else is not a count. */
static void test_resent(void **state)
{
    static const struct {
        const char *text;
        int64_t segments;
    } cases[] = {
        {IP NAMES "Tcp: 1 -1 900 17 3\nUdp: InDatagrams\nUdp: 5\n", 17},
        {"Tcp: RetransSegs OutSegs\nTcp: 4000000000 2\n", 4000000000},
        {"Tcp: OutSegs RetransSegs\nTcp: 2 0", 0},
        {"", -1},
        {IP, -1},
        {IP NAMES, -1},
        {NAMES "Tcp: 1 -1 900\n", -1},
        {NAMES "Tcp: 1 -1 900 -17 3\n", -1},
        {NAMES "Tcp: 1 -1 900 many 3\n", -1},
        {NAMES "Tcp: 1 -1 900 99999999999999999999 3\n", -1},
        {"Tcp: OutSegs\nTcp: 900\n", -1},
        {"TcpExt: RetransSegs\nTcpExt: 5\n", -1},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        file_write("snmp", cases[i].text);
        assert_int_equal(nuce_resent_segments("snmp"), cases[i].segments);
    }
    assert_int_equal(nuce_resent_segments("/nonexistent/snmp"), -1);
}

/* Synthetic clocks: their offset, their drift, and the scatter of their round trips. */

/* A clock that was ahead by `ahead_s` when it said begin_s. */
struct made_up {
    double begin_s, ahead_s, drift;
    double trip_s;   /* half of the shortest round trip */
    double jitter_s; /* half of the mean excess */
    double skew;     /* difference of the two ways, as a fraction of the trip: -1 to 1 */
};

static double truth(const struct made_up *clock, double local_s)
{
    return clock->ahead_s + clock->drift * (local_s - clock->begin_s);
}

/* A round trip of a random length, whose longer way is either one: the error is at most half of its
 * excess over the shortest, plus the constant difference of the ways. */
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

/* The first passes take a tenth of a second: a scatter of microseconds must not become a drift that
 * moves the clock away in the following seconds. */
static void test_short(void **state)
{
    const struct made_up clock = {1000, 5, 0, 20e-6, 20e-6, 0};
    struct nuce_clock_fit fit = fit_through(&clock, 10, 1e-3);

    assert_true(off(&clock, &fit, 1000) < 40e-6);
    assert_true(off(&clock, &fit, 1001) < 40e-6 + 10e-6);
}

/* One pass per second: the error stays within half a round trip for a minute. The constant
 * difference of the two ways stays in the offset, as it must, but not in the drift. */
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
 * 100 us per second. The ways: memory; a cluster's network; a slow one, with and without drift; a
 * fast but busy one; virtual nodes on two processors, where nearly all of a trip is waiting. */
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

/* The shortest of trips that wait for as long on average as they take is a tenth longer than the
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

RUN_EACH(folder_setup, folder_teardown, test_pilot, test_spread, test_never, test_windows,
         test_interruptions, test_few, test_lead, test_pause, test_middle, test_resent, test_exact,
         test_short, test_minute, test_outlier, test_many, test_holds, test_made, test_price)
