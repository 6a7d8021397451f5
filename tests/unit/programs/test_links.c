/* The steps of links, what is printed of a run, and the file: without MPI. */
#include "../folder.h"
#include "../holds.h"

#include "programs/calibrate.h"
#include "programs/links.h"

static const struct nuce_links_params params = {
    .smallest = 1024, .largest = 1 << 20, .sizes = 3, .repetitions = 5, .centres = 3};

#define PAIR_STEPS (5 * 7 * 3)    /* repetitions, rounds, sizes */
#define FAN_STEPS (3 * 3 * 2 * 4) /* half the repetitions, centres, directions, degrees */

/* Every one of them once, pairs before what follows from them. */
static void test_steps(void **state)
{
    struct nuce_links_plan plan = nuce_links_plan(&params, 8);
    char pairs[PAIR_STEPS] = {0}, fans[FAN_STEPS] = {0};

    assert_int_equal(plan.bytes[0], 1024);
    assert_int_equal(plan.bytes[1], 32768);
    assert_int_equal(plan.bytes[2], 1 << 20);
    assert_int_equal(nuce_links_steps(&plan), PAIR_STEPS + 1 + FAN_STEPS);
    for (int64_t k = 0; k < nuce_links_steps(&plan); k++) {
        struct nuce_links_step at = nuce_links_step(&plan, k);

        if (k < PAIR_STEPS) {
            assert_int_equal(at.kind, NUCE_LINKS_PAIRS);
            assert_int_equal(pairs[(at.repetition * 7 + at.round) * 3 + at.size]++, 0);
        } else if (k == PAIR_STEPS) {
            assert_int_equal(at.kind, NUCE_LINKS_SHARE);
        } else {
            assert_int_equal(at.kind, NUCE_LINKS_FAN);
            assert_int_equal(
                fans[((at.repetition * 3 + at.centre) * 2 + at.is_out) * 4 + at.degree]++, 0);
        }
    }
    assert_int_equal(nuce_links_centre(&plan, 0), 0);
    assert_int_equal(nuce_links_centre(&plan, 1), 2);
    assert_int_equal(nuce_links_centre(&plan, 2), 5);
    assert_int_equal(nuce_links_plan(&params, 2).centres, 2);
}

/* Four ranks, 10 to 40 MB/s; one pair without a fit. With all three others a rank gains so much. */
static json_t *make_record(double gain_out, double gain_in)
{
    json_t *record =
        json_pack("{s:i, s:[[i,n,f],[i,f,f]]}", "ranks", 4, "ports", 0, 30e6, 1, 40e6, 40e6);
    json_t *links = json_array();

    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            if (i == 0 && j == 1)
                json_array_append_new(links, json_pack("[i,i,f,n,f,n]", 0, 1, 1e-3, 10e6));
            else if (i != j)
                json_array_append_new(links, json_pack("[i,i,f,f,f,f]", i, j, 1e-4, 1e-5,
                                                       i == 3 ? 40e6 : 20e6, i == 3 ? 4e6 : 1e6));
        }
    }
    json_object_set_new(record, "links", links);
    json_object_set_new(record, "contention",
                        json_pack("[[i,f,f,f],[i,f,f,f],[i,f,f,f]]", 1, 1.0, 1.0, 1.0, 2,
                                  fmin(1.5, fmin(gain_out, gain_in)), 1.5, 1.5, 3,
                                  fmin(gain_out, gain_in), gain_out, gain_in));
    return record;
}

static void test_summary(void **state)
{
    json_t *record = make_record(2.9, 2.8),
           *row = json_pack("{s:f, s:f}", "step_s", 1.0, "communication_s", 1.0);

    nuce_links_summarise(record, row);
    holds(row, "{\"pairs\":12,\"unfitted\":1,\"startup_s\":1e-4,\"bandwidth_least\":10e6,"
               "\"bandwidth_median\":20e6,\"bandwidth_most\":40e6,\"bandwidth_error\":0.05,"
               "\"ports_out\":\"1 of 2\",\"ports_in\":\"2 of 2\","
               "\"regime\":\"independent-paths\",\"depth_auto\":3,\"step_s\":null,"
               "\"communication_s\":null}");
    assert_true(json_equal(json_object_get(row, "links"), json_object_get(record, "links")));
    json_decref(record);
    json_decref(row);
}

static void test_regimes(void **state)
{
    static const struct {
        double out, in;
        const char *regime;
    } cases[] = {
        {1.0, 1.2, "single-port"},       {1.0, 2.9, "NIC-limited"}, {1.6, 1.7, "NIC-limited"},
        {2.4, 3.1, "independent-paths"}, {3.9, 3.1, "unclear"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        json_t *record = make_record(cases[i].out, cases[i].in), *row = json_object();

        nuce_links_summarise(record, row);
        assert_string_equal(json_string_value(json_object_get(row, "regime")), cases[i].regime);
        json_decref(record);
        json_decref(row);
    }
}

/* A run that failed has none. */
static void test_nothing(void **state)
{
    json_t *record = json_object(), *row = json_object();

    nuce_links_summarise(record, row);
    assert_int_equal(json_object_size(row), 0);
    json_decref(record);
    json_decref(row);
}

static void test_file(void **state)
{
    struct nuce_network network = {.ranks = 2, .measured = "2026-11-21T10:00:00.123Z"}, back = {0};
    struct nuce_error error;
    char *path = NULL, *second = NULL;

    assert_ok(nuce_links_check_folder("networks", &error));
    assert_ok(nuce_links_check_folder("networks", &error));
    assert_ok(nuce_network_allocate_pairs(&network, &error));
    network.pair_bandwidth[1] = 8e6;
    network.pair_bandwidth[2] = 4e6;
    assert_ok(nuce_links_write(&network, "networks", &path, &error));
    assert_memory_equal(path, "networks/20261121T100000.123Z-", 30);
    assert_string_equal(path + strlen(path) - strlen(".network"), ".network");
    assert_ok(nuce_network_read(path, 2, &back, &error));
    assert_near(nuce_network_bandwidth(&back, 1, 0), 4e6, 1e-3);
    /* Nothing is overwritten; what differs has another name. */
    assert_int_equal(nuce_links_write(&network, "networks", &second, &error), NUCE_FAILED);
    network.pair_bandwidth[2] = 5e6;
    assert_ok(nuce_links_write(&network, "networks", &second, &error));
    assert_string_not_equal(path, second);
    assert_int_equal(nuce_links_check_folder("networks/none/here", &error), NUCE_BAD_INPUT);
    assert_says(&error, "networks/none/here");
    free(path);
    free(second);
    nuce_network_fini(&network);
    nuce_network_fini(&back);
}

RUN_TESTS(folder_setup, folder_teardown, CASE(test_steps), CASE(test_summary), CASE(test_regimes),
          CASE(test_nothing), CASE(test_file))
