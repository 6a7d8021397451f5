#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "schedules/fair_rates.h"

#define MOST 60

static void share(int ports, const double *capacity, struct nuce_flow *flows, int count)
{
    struct nuce_fair_rates rates;
    int chosen[MOST];

    for (int k = 0; k < count; k++)
        chosen[k] = k;
    nuce_fair_rates_init(ports, capacity, count, &rates);
    nuce_fair_rates_share(&rates, flows, chosen, count);
    nuce_fair_rates_fini(&rates);
}

static void assert_rate(const struct nuce_flow *flow, double expected)
{
    assert_true(fabs(flow->rate - expected) <= 1e-12 * expected);
}

/* Port 0 (10) carries three flows: one limited to 1, one that port 3 (3) holds back along with a
 * fourth, and one that takes the rest. */
static void test_by_hand(void **state)
{
    double capacity[] = {10, 100, INFINITY, 3};
    struct nuce_flow flows[] = {
        {.way = {2, {0, 2}}, .limit = 1},
        {.way = {2, {0, 3}}, .limit = 50},
        {.way = {2, {0, 2}}, .limit = 50},
        {.way = {2, {1, 3}}, .limit = 50},
    };

    (void)state;
    share(4, capacity, flows, 4);
    assert_rate(&flows[0], 1);
    assert_rate(&flows[1], 1.5);
    assert_rate(&flows[2], 7.5);
    assert_rate(&flows[3], 1.5);
    flows[2].limit = 2;
    capacity[3] = 200;
    share(4, capacity, flows, 4);
    assert_rate(&flows[1], 7);
    assert_rate(&flows[2], 2);
    assert_rate(&flows[3], 50);
    share(4, capacity, flows, 0);
}

/* What defines the rates: no port is overfull, and every flow is at its limit or goes through a
 * full port of which no flow has more. */
static void check(int ports, const double *capacity, const struct nuce_flow *flows, int count)
{
    double used[MOST] = {0}, most[MOST] = {0};

    for (int k = 0; k < count; k++) {
        for (int side = 0; side < flows[k].way.count; side++) {
            used[flows[k].way.place[side]] += flows[k].rate;
            most[flows[k].way.place[side]] = fmax(most[flows[k].way.place[side]], flows[k].rate);
        }
    }
    for (int p = 0; p < ports; p++)
        assert_true(used[p] <= capacity[p] * (1 + 1e-12));
    for (int k = 0; k < count; k++) {
        int is_held = flows[k].rate >= flows[k].limit;

        assert_true(flows[k].rate > 0 && flows[k].rate <= flows[k].limit);
        for (int side = 0; side < flows[k].way.count; side++) {
            int p = flows[k].way.place[side];

            is_held |=
                used[p] >= capacity[p] * (1 - 1e-12) && flows[k].rate >= most[p] * (1 - 1e-12);
        }
        assert_true(is_held);
    }
}

static void test_random(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < 5000; number++) {
        struct nuce_rng rng = nuce_rng_create(11, number);
        int ranks = 1 + (int)nuce_rng_below(&rng, 8), count = (int)nuce_rng_below(&rng, MOST);
        double capacity[20];
        struct nuce_flow flows[MOST];

        for (int p = 0; p < 2 * ranks + 4; p++)
            capacity[p] =
                nuce_rng_below(&rng, 4) == 0 ? INFINITY : exp(20 * nuce_rng_uniform(&rng));
        for (int k = 0; k < count; k++)
            flows[k] = (struct nuce_flow){
                .way = {2 + (int)nuce_rng_below(&rng, 3),
                        {(int)nuce_rng_below(&rng, (uint64_t)ranks),
                         ranks + (int)nuce_rng_below(&rng, (uint64_t)ranks),
                         2 * ranks + (int)nuce_rng_below(&rng, 2),
                         2 * ranks + 2 + (int)nuce_rng_below(&rng, 2)}},
                .limit = nuce_rng_below(&rng, 3) == 0 ? 1 : exp(20 * nuce_rng_uniform(&rng))};
        share(2 * ranks + 4, capacity, flows, count);
        check(2 * ranks + 4, capacity, flows, count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_random),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
