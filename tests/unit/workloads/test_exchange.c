/* The workload exchange: its patterns, and the input of its schedules. */
#include "../folder.h"
#include "points.h"

#include "points/exchange_instance.h"
#include "schedules/generator.h"

static const struct nuce_workload_ops *const exchange = &nuce_workload_exchange;

static int files_setup(void **state)
{
    folder_setup(state);
    file_write("circle.com", "3\n0 1 100\n1 2 50\n2 0 7\n");
    /* A path of its square, five nodes: 0 - 1 - 2 - 3 - 0 and 4 beside 0. */
    file_write("square.graph", "5 5\n2 4 5\n1 3\n2 4\n1 3\n1\n");
    return 0;
}

/* A COM file is in bytes, whatever the unit of others. */
static void test_com(void **state)
{
    OWNED(pattern) pattern = pattern_of(point_of("exchange 3 schedule=ac com=circle.com"));

    assert_int_equal(pattern.messages, 3);
    assert_int_equal(bytes_between(&pattern, 0, 1), 100);
    assert_int_equal(bytes_between(&pattern, 1, 2), 50);
    assert_int_equal(bytes_between(&pattern, 2, 0), 7);
}

/* One node a rank: each edge is a message of a unit in either direction. */
static void test_mesh(void **state)
{
    static const int edges[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}};
    OWNED(pattern)
    pattern =
        pattern_of(point_of("exchange 5 schedule=ac mesh=square.graph item-bytes=24B seed=3"));
    int of_degree[4] = {0};

    assert_int_equal(pattern.messages, 2 * COUNT(edges));
    for (int i = 0; i < 5; i++) {
        assert_in_range(pattern.row[i + 1] - pattern.row[i], 1, 3);
        of_degree[pattern.row[i + 1] - pattern.row[i]]++;
        for (int64_t k = pattern.row[i]; k < pattern.row[i + 1]; k++)
            assert_int_equal(bytes_between(&pattern, pattern.destination[k], i), 24);
    }
    /* Which rank has which node is the partition's choice; their degrees are not. */
    assert_int_equal(of_degree[1], 1);
    assert_int_equal(of_degree[2], 3);
    assert_int_equal(of_degree[3], 1);
}

/* Units are a factor and nothing else; another instance is another pattern, the same the same. */
static void test_drawn(void **state)
{
    static const char *const names[] = {"uniform", "power-law"};

    for (size_t n = 0; n < COUNT(names); n++) {
        OWNED(pattern)
        unit = pattern_of(
            point_of("exchange 8 schedule=ac pattern=%s degree=3 item-bytes=1B", names[n]));
        OWNED(pattern)
        many = pattern_of(
            point_of("exchange 8 schedule=lp pattern=%s degree=3 item-bytes=3KiB", names[n]));
        OWNED(pattern)
        next = pattern_of(point_of(
            "exchange 8 schedule=ac pattern=%s degree=3 item-bytes=1B instance=1", names[n]));
        int differ = unit.messages != next.messages;

        assert_int_equal(unit.messages, many.messages);
        assert_true(unit.messages > 0);
        for (int64_t k = 0; k < unit.messages; k++) {
            assert_int_equal(unit.destination[k], many.destination[k]);
            assert_int_equal(3072 * unit.bytes[k], many.bytes[k]);
            differ = differ || unit.bytes[k] != next.bytes[k] ||
                     unit.destination[k] != next.destination[k];
        }
        assert_true(differ);
    }
}

/* A row that is made alone is that of the whole pattern, in every generator that has rows. Returns
 * 1 if there is a pattern for so many ranks. */
static int rows_are_of_whole(const struct nuce_generator_ops *generator, int ranks)
{
    struct nuce_point point;
    struct nuce_pattern whole, row;
    struct nuce_error error = {0};
    char text[128];

    snprintf(text, sizeof text, "exchange %d schedule=ac pattern=%s%s", ranks, generator->name,
             nuce_generator_uses(generator, "degree") ? " degree=4" : "");
    if (point_make(text, &point, &error) != NUCE_OK) {
        nuce_point_fini(&point);
        return 0;
    }
    assert_true(nuce_exchange_has_rows(point.params));
    whole = pattern_of(point_of("%s", text));
    for (int rank = 0; rank < ranks; rank++) {
        if (nuce_exchange_row(point.params, rank, ranks, &row, &error) != NUCE_OK ||
            nuce_exchange_scale(point.params, &row, &error) != NUCE_OK)
            fail_msg("%s: %s", text, nuce_error_flatten(&error));
        assert_int_equal(row.messages, whole.row[rank + 1] - whole.row[rank]);
        for (int64_t k = 0; k < row.messages; k++)
            assert_int_equal(row.bytes[k], bytes_between(&whole, rank, row.destination[k]));
        assert_int_equal(row.row[rank + 1] - row.row[rank], row.messages);
        nuce_pattern_fini(&row);
    }
    nuce_pattern_fini(&whole);
    nuce_point_fini(&point);
    return 1;
}

static void test_rows(void **state)
{
    static const int ranks[] = {1, 4, 9, 16};

    for (size_t g = 0; nuce_generators[g] != NULL; g++) {
        int tried = 0;

        for (size_t i = 0; nuce_generators[g]->row != NULL && i < COUNT(ranks); i++)
            tried += rows_are_of_whole(nuce_generators[g], ranks[i]);
        if (nuce_generators[g]->row != NULL && tried < 2)
            fail_msg("%s: tried at %d numbers of ranks", nuce_generators[g]->name, tried);
    }
}

/* Startup costs are weighed in units of COM: tau / phi bytes. */
static void test_tuning(void **state)
{
    static const struct {
        const char *point;
        double unit, startup_units;
    } cases[] = {
        {"exchange 3 schedule=rs-nh pattern=uniform degree=2 item-bytes=4KiB tau=1ms phi=1e-8",
         4096, 1e5 / 4096},
        {"exchange 3 schedule=rs-nh com=circle.com tau=1ms phi=1e-8", 1, 1e5},
        {"exchange 3 schedule=rs-nh com=circle.com", 1, 32},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        OWNED(point) point = point_of("%s", cases[i].point);
        struct nuce_tuning tuning = exchange->tuning(point.params);

        assert_near(tuning.unit, cases[i].unit, 0);
        assert_near(tuning.startup_units / cases[i].startup_units, 1, 1e-6);
    }
}

static void test_random(void **state)
{
    static const char *const cases[] = {"com=circle.com", "com=circle.com network=cm5",
                                        "com=circle.com bandwidth=1MB..2MB",
                                        "pattern=uniform degree=2"};

    for (int i = 0; i < 4; i++) {
        OWNED(point) point = point_of("exchange 3 schedule=ac %s", cases[i]);

        assert_int_equal(exchange->is_random(point.params) != 0, i >= 2);
    }
}

RUN_IN(files_setup, folder_teardown, test_com, test_mesh, test_drawn, test_rows, test_tuning,
       test_random)
