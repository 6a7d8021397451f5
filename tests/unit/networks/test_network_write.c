#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "../folder.h"
#include "schedules/network.h"

static void write_and_read(const struct folder *folder, const struct nuce_network *network,
                           struct nuce_network *back)
{
    char path[400];
    struct nuce_error error;

    snprintf(path, sizeof path, "%s/a.network", folder->path);
    if (nuce_network_write(network, path, &error) != NUCE_OK ||
        nuce_network_read(path, network->ranks, back, &error) != NUCE_OK)
        fail_msg("%s", error.message);
    assert_int_equal(folder_count(folder), 1); /* nothing temporary is left */
}

/* Every value comes back to the bit, with 17 digits and those that take all of them. */
static void test_round_trip(void **state)
{
    struct folder folder = folder_make();
    struct nuce_network_ranges ranges = {{1e-6, 1e-3}, {1e6, 1e9}, 0};
    struct nuce_rng rng = nuce_rng_create(3, 0);
    struct nuce_contention curve[] = {{1, 1}, {3, 1.0 / 3}};
    double out[] = {1e9 / 3, 2e9 / 7, INFINITY}, in[] = {1, INFINITY, INFINITY};
    double speed[] = {1, 1.0 / 3, 2};
    struct nuce_host host[] = {{"a"}, {""}, {"b.c"}};
    struct nuce_network network, back;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_network_draw(3, &ranges, &rng, &network, &error), NUCE_OK);
    network.out = out;
    network.in = in;
    network.speed = speed;
    network.host = host;
    network.contention = curve;
    network.contentions = 2;
    snprintf(network.measured, sizeof network.measured, "2026-11-21T10:00:00.123Z");
    write_and_read(&folder, &network, &back);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            assert_true(
                i == j ||
                (nuce_network_startup(&network, i, j) == nuce_network_startup(&back, i, j) &&
                 nuce_network_bandwidth(&network, i, j) == nuce_network_bandwidth(&back, i, j)));
        }
        assert_true(back.out[i] == out[i] && back.in[i] == in[i] && back.speed[i] == speed[i]);
        assert_string_equal(back.host[i].name, host[i].name);
    }
    assert_int_equal(back.contentions, 2);
    assert_int_equal(back.contention[1].partners, 3);
    assert_true(back.contention[1].relative == 1.0 / 3);
    assert_string_equal(back.measured, "2026-11-21T10:00:00.123Z");
    nuce_network_fini(&back);
    network.out = network.in = network.speed = NULL;
    network.host = NULL;
    network.contention = NULL;
    nuce_network_fini(&network);
    folder_remove(&folder);
}

/* A second one takes the place of the first; what is not there is not written. */
static void test_uniform(void **state)
{
    struct folder folder = folder_make();
    double in[] = {5, 6};
    struct nuce_network network = {.ranks = 2, .startup = 0.1, .bandwidth = 3e6, .in = in}, back;

    (void)state;
    folder_add(&folder, "a.network", "ranks 3\n");
    write_and_read(&folder, &network, &back);
    assert_true(nuce_network_startup(&back, 1, 0) == 0.1);
    assert_true(nuce_network_bandwidth(&back, 0, 1) == 3e6);
    assert_true(isinf(back.out[1]) && back.in[1] == 6);
    assert_null(back.speed);
    assert_null(back.host);
    assert_null(back.contention);
    assert_string_equal(back.measured, "");
    nuce_network_fini(&back);
    folder_remove(&folder);
}

/* Nodes, rails and the gap come back too. */
static void test_tiers_round_trip(void **state)
{
    struct folder folder = folder_make();
    struct nuce_network network = {.ranks = 3, .startup = 0.1, .bandwidth = 3e6, .gap = 1e-7 / 3};
    struct nuce_network back;

    (void)state;
    nuce_network_allocate_tiers(&network, 2);
    network.tiers.node_of[1] = 1;
    network.tiers.rail_out[2] = 1e9 / 3;
    network.tiers.rail_in[0] = 2e9 / 3;
    network.tiers.node_in[1] = 4e9 / 3;
    network.tiers.inside_in[1] = 5e9 / 3;
    nuce_network_allocate_groups(&network, 2);
    network.tiers.group_of[0] = 1;
    network.tiers.uplink_out[1] = 6e9 / 7;
    network.tiers.uplink_in[0] = 7e9 / 9;
    write_and_read(&folder, &network, &back);
    assert_int_equal(back.tiers.nodes, 2);
    assert_int_equal(back.tiers.groups, 2);
    assert_memory_equal(back.tiers.group_of, network.tiers.group_of, 2 * sizeof(int));
    assert_memory_equal(back.tiers.uplink_out, network.tiers.uplink_out, 2 * sizeof(double));
    assert_memory_equal(back.tiers.uplink_in, network.tiers.uplink_in, 2 * sizeof(double));
    assert_memory_equal(back.tiers.node_of, network.tiers.node_of, 3 * sizeof(int));
    assert_memory_equal(back.tiers.rail_out, network.tiers.rail_out, 3 * sizeof(double));
    assert_memory_equal(back.tiers.rail_in, network.tiers.rail_in, 3 * sizeof(double));
    assert_memory_equal(back.tiers.node_out, network.tiers.node_out, 2 * sizeof(double));
    assert_memory_equal(back.tiers.node_in, network.tiers.node_in, 2 * sizeof(double));
    assert_memory_equal(back.tiers.inside_in, network.tiers.inside_in, 3 * sizeof(double));
    assert_memory_equal(back.tiers.inside_out, network.tiers.inside_out, 3 * sizeof(double));
    assert_true(back.gap == network.gap);
    nuce_network_fini(&back);
    nuce_network_fini(&network);
    folder_remove(&folder);
}

static void test_no_folder(void **state)
{
    struct nuce_network network = {.ranks = 2, .startup = 0.1, .bandwidth = 3e6};
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_network_write(&network, "/nonexistent/a.network", &error), NUCE_FAILED);
    assert_non_null(strstr(error.message, "/nonexistent/a.network: cannot write"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_tiers_round_trip),
        cmocka_unit_test(test_no_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
