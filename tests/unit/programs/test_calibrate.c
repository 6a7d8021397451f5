/* Results that contention, permutations and links add to rows, and their sentences; the steps of
 * links and their file. Without MPI. */
#include "../holds.h"

#include "../folder.h"
#include "programs/calibrate.h"
#include "programs/links.h"

/* The sentence where many transfers at once lose: from which size on, and which schedule to race.
 */

/* Gains of a direction and size, of 1, 2 and 7 partners; spread: half of their intervals. */
struct said_curve {
    const char *direction;
    int size;
    double two, seven, spread;
    int resent, oversubscribed; /* of all rows, of 10 samples each */
};

static void add_row(json_t *rows, const struct said_curve *curve, int partners, double gain)
{
    json_t *row =
        json_pack("{s:s, s:i, s:i, s:f, s:f, s:f, s:i, s:i, s:i}", "direction", curve->direction,
                  "size", curve->size, "partners", partners, "gain", gain, "gain_low",
                  gain - curve->spread, "gain_high", gain + curve->spread, "samples", 10,
                  "resent_segments", curve->resent, "oversubscribed", curve->oversubscribed);

    assert_int_equal(json_array_append_new(rows, row), 0);
}

/* Two partners carry 1.9, seven less than half of it with the largest size, and with the one before
 * it; the smallest loses nothing. Or one alone carries most. Where TCP sent again, it is the
 * network that loses, whoever shares processors; a segment now and then is not a sign of it. */
static void test_loses(void **state)
{
#define SHARED                                                                                     \
    "Ranks share processors: if links are faster than memory copies, the times show that "         \
    "sharing.\n"
    static const struct {
        struct said_curve curves[4];
        const char *wanted;
    } cases[] = {
        {{{"to-one", 256, 1.9, 3, 0.02, 0, 0},
          {"to-one", 16384, 1.9, 0.76, 0.02, 0, 0},
          {"to-one", 4096, 1.9, 1.52, 0.02, 0, 0}},
         "16KiB into one rank: 7 at once carry 0.40 (0.39 .. 0.41) of what 2 do: posting all loses "
         "60 %, and some from 4KiB on; fewer at a time may avoid that: race grants with in-flight "
         "2 "
         "against ac, from there on.\n"},
        {{{"to-one", 16384, 0.8, 0.5, 0.02, 0, 0}},
         "16KiB into one rank: 7 at once carry 0.50 (0.47 .. 0.53) of what 1 does: posting all "
         "loses 50 %; fewer at a time may avoid that: race grants with in-flight 2 against ac, "
         "from "
         "there on.\n"},
        {{{"from-one", 16384, 0.8, 0.5, 0.02, 0, 0}},
         "16KiB out of one rank: 7 at once carry 0.50 (0.47 .. 0.53) of what 1 does: posting all "
         "loses 50 %; fewer at a time may avoid that: race preemptive with in-flight 1 against ac, "
         "from "
         "there on.\n"},
        {{{"from-one", 4096, 2, 1.5, 0.02, 0, 0}},
         "4KiB out of one rank: 7 at once carry 0.75 (0.73 .. 0.77) of what 2 do: posting all "
         "loses 25 %; fewer at a time may avoid that: race preemptive with in-flight 2 against ac, "
         "from "
         "there on.\n"},
        {{{"to-one", 65536, 2, 0.5, 0.02, 120, 8}},
         "64KiB into one rank: 7 at once carry 0.25 (0.24 .. 0.26) of what 2 do: posting all loses "
         "75 %, because the network drops packets that arrive at once (120 segments were sent "
         "again); fewer at a time may avoid that: race grants with in-flight 2 against ac, from "
         "there "
         "on.\n" SHARED},
        {{{"to-one", 65536, 2, 0.5, 0.02, 9, 8}},
         "64KiB into one rank: 7 at once carry 0.25 (0.24 .. 0.26) of what 2 do: posting all loses "
         "75 %, possibly because ranks share processors.\n" SHARED},
        {{{"to-one", 4096, 2, 2.01, 0.001, 0, 0}},
         "4KiB into one rank: 7 at once carry more than fewer do: posting all loses nothing.\n"},
        {{{"to-one", 4096, 2, 2.01, 0.001, 0, 8}},
         "4KiB into one rank: 7 at once carry more than fewer do: posting all loses "
         "nothing.\n" SHARED},
        {{{"to-one", 4096, 2, 1.991, 0.003, 0, 0}},
         "4KiB into one rank: 7 at once carry 1.00 (0.99 .. 1.00) of what 2 do: posting all loses "
         "at most 1 %, and no order of sending can win more.\n"},
        {{{"to-one", 4096, 2, 1.944, 0.1, 0, 0}},
         "4KiB into one rank: 7 at once carry 0.97 (0.88 .. 1.08) of what 2 do: inconclusive: use "
         "more samples (--min-samples 100), or a quieter machine.\n"},
        {{{"to-one", 4096, 6.7, 1, 0.1, 0, 0}},
         "4KiB into one rank: the times do not show the network: repeat on a quieter machine.\n"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        json_t *rows = json_array();
        size_t length;
        char *text;
        FILE *file = open_memstream(&text, &length);

        for (const struct said_curve *curve = cases[i].curves; curve->direction != NULL; curve++) {
            add_row(rows, curve, 1, 1);
            add_row(rows, curve, 2, curve->two);
            add_row(rows, curve, 7, curve->seven);
        }
        nuce_contention_say(rows, file);
        fclose(file);
        json_decref(rows);
        assert_string_equal(text, cases[i].wanted);
        free(text);
    }
}

/* A row of a median in microseconds, and an interval that reaches so far either side of it, as a
 * fraction; below 0: none. */
static void add_time(json_t *rows, const char *direction, int partners, double us, double spread)
{
    json_t *row = json_pack("{s:s, s:i, s:i, s:s, s:f}", "direction", direction, "size", 4096,
                            "partners", partners, "status", "ok", "communication_s", us * 1e-6);

    if (spread >= 0) {
        json_object_set_new(row, "communication_low_s", json_real(us * 1e-6 * (1 - spread)));
        json_object_set_new(row, "communication_high_s", json_real(us * 1e-6 * (1 + spread)));
    }
    assert_int_equal(json_array_append_new(rows, row), 0);
}

/* Seven partners take so long to-one, and from-one, where one takes 100 us (99 .. 101). */
static void test_growth(void **state)
{
    static const struct {
        double to_one, from_one;       /* us */
        double to_spread, from_spread; /* of the interval, either side, as a fraction */
        const char *to_growth, *from_growth, *regime;
    } cases[] = {
        {700, 690, 0.02, 0.02, "serial", "serial", "single-port"},
        {900, 700, 0.02, 0.02, "serial", "serial", "single-port"},
        {101, 99, 0.02, 0.02, "independent", "independent", "independent-paths"},
        {300, 350, 0.05, 0.05, "limited", "limited", "NIC-limited"},
        {700, 300, 0.02, 0.05, "serial", "limited", "NIC-limited"},
        {110, 700, 0.02, 0.02, "independent", "serial", "NIC-limited"},
        {560, 560, 0.02, 0.02, "unclear", "unclear", "unclear"},
        {20, 700, 0.02, 0.02, "unclear", "serial", "unclear"},
        {101, 133, 0.02, 0.05, "independent", "unclear", "unclear"},
        {700, 300, 0.02, 0.9, "serial", "unclear", "unclear"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        json_t *rows = json_array();
        char wanted[256];

        add_time(rows, "to-one", 1, 100, 0.01);
        add_time(rows, "to-one", 7, cases[i].to_one, cases[i].to_spread);
        add_time(rows, "from-one", 1, 100, 0.01);
        add_time(rows, "from-one", 7, cases[i].from_one, cases[i].from_spread);
        nuce_contention_compare(rows);
        snprintf(wanted, sizeof wanted,
                 "[{\"gain\":null}, {\"growth\":\"%s\",\"regime\":\"%s\"}, {},"
                 " {\"growth\":\"%s\",\"regime\":\"%s\"}]",
                 cases[i].to_growth, cases[i].regime, cases[i].from_growth, cases[i].regime);
        holds(rows, wanted);
        json_decref(rows);
    }
}

/* The interval is of the worst ends: 4 x 99 / 220 .. 4 x 101 / 180. The other direction was not
 * measured. A time without an interval gives a gain without one, and two missing values are not
 * compared. */
static void test_gain(void **state)
{
    json_t *rows = json_array();

    add_time(rows, "to-one", 4, 200, 0.1);
    add_time(rows, "to-one", 1, 100, 0.01);
    nuce_contention_compare(rows);
    holds(rows, "[{\"gain\":2.0,\"gain_low\":1.8,\"gain_high\":2.24444444444444444,"
                "\"growth\":\"limited\",\"regime\":\"unclear\"}, {}]");
    json_array_clear(rows);
    add_time(rows, "to-one", 1, 100, -1);
    add_time(rows, "to-one", 2, 200, 0.05);
    add_time(rows, "from-one", 2, 200, 0.05);
    nuce_contention_compare(rows);
    holds(rows, "[{}, {\"gain\":1.0,\"gain_low\":null,\"growth\":\"unclear\","
                "\"regime\":\"unclear\"}, {\"growth\":null}]");
    json_decref(rows);
}

/* Four ranks, two partners: rank 2 has no part in it. */
static void test_sides(void **state)
{
    json_t *record = json_loads("{\"ranks\":4,\"per_rank\":[[1.0,2.0,9.0,4.0],[3.0,1.0,9.0,5.0],"
                                "[2.0,6.0,9.0,9.0]]}",
                                0, NULL);
    json_t *row = json_pack("{s:i}", "partners", 2);

    nuce_contention_summarise(record, row);
    holds(row, "{\"one_s\":5,\"partner_max_s\":3,\"partner_min_s\":1,\"partner_mean_s\":2}");
    json_decref(record);
    json_decref(row);
}

static void test_permutations(void **state)
{
    static const struct {
        const char *row, *communication;
    } cases[] = {
        {"{\"permutation\":\"random\",\"size\":1024}", "[1.0, 1.05, 0.95, 2.0]"},
        {"{\"permutation\":\"xor-8388608\",\"size\":1024}", "[0.5]"},
        {"{\"permutation\":\"xor-2\",\"size\":4096}", "[0.5]"},
    };
    json_t *rows = json_array();

    for (size_t i = 0; i < COUNT(cases); i++) {
        json_t *row = json_loads(cases[i].row, 0, NULL);
        json_t *record = json_pack("{s:{s:o}}", "samples", "communication",
                                   json_loads(cases[i].communication, 0, NULL));

        nuce_permutations_summarise(record, row);
        json_array_append_new(rows, row);
        json_decref(record);
    }
    nuce_permutations_compare(rows);
    /* There are no random ones of the last one's size. */
    holds(rows, "[{\"distance\":null,\"mean_s\":1.25,\"least_s\":0.95,\"most_s\":2,"
                "\"within_tenth\":0,\"against_random\":null},"
                " {\"distance\":8388608,\"within_tenth\":1,\"random_mean_s\":1.25,"
                "\"against_random\":0.4}, {\"against_random\":null}]");
    json_decref(rows);
}

static const struct nuce_links_params params = {
    .smallest = 1024, .largest = 1 << 20, .sizes = 3, .repetitions = 5, .centres = 3};

#define PAIR_STEPS (5 * 7 * 3)    /* repetitions, rounds, sizes */
#define FAN_STEPS (3 * 3 * 2 * 4) /* half the repetitions, centres, directions, degrees */

/* Every one of them once, pairs before the fans that follow from them. */
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
               "\"regime\":\"independent-paths\",\"in_flight_auto\":3,\"step_s\":null,"
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

static void test_file(void **state)
{
    OWNED(network) network = {.ranks = 2, .measured = "2026-11-21T10:00:00.123Z"}, back = {0};
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
    /* Nothing is overwritten; different content has another name. */
    assert_int_equal(nuce_links_write(&network, "networks", &second, &error), NUCE_FAILED);
    network.pair_bandwidth[2] = 5e6;
    assert_ok(nuce_links_write(&network, "networks", &second, &error));
    assert_string_not_equal(path, second);
    assert_int_equal(nuce_links_check_folder("networks/none/here", &error), NUCE_BAD_INPUT);
    assert_says(&error, "networks/none/here");
    free(path);
    free(second);
}

RUN_IN(folder_setup, folder_teardown, test_loses, test_growth, test_gain, test_sides,
       test_permutations, test_steps, test_summary, test_regimes, test_file)
