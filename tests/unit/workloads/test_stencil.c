/* The workload stencil: its patterns and weights, lists of numbers, speeds that change during a
 * run, and where its processes go. */
#include "points.h"

#include "base/rng.h"
#include "points/placed_ranks.h"
#include "points/stencil_instance.h"
#include "points/stencil_periods.h"

/* Four quarters of 1000 x 1000, and slabs. */
static void test_pattern(void **state)
{
    static const struct {
        const char *settings;
        int64_t messages, bytes;
    } cases[] = {
        {"grid", 8, 8 * 500 * 8},
        {"grid element=float", 8, 8 * 500 * 4},
        {"grid stencil=9", 12, (8 * 500 + 4) * 8},
        {"grid halo-depth=3", 12, (8 * 3 * 500 + 4 * 9) * 8},
        {"grid border=periodic", 8, 16 * 500 * 8},
        {"slabs border=periodic", 12, (8 * 1000 + 8 * 250) * 8},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        OWNED(pattern)
        pattern = pattern_of(point_of("stencil 4 decomposition=%s", cases[i].settings));
        struct nuce_pattern_summary summary;

        nuce_pattern_summarise(&pattern, &summary);
        assert_int_equal(summary.messages, cases[i].messages);
        assert_int_equal(summary.bytes, cases[i].bytes);
    }
}

/* Refusals that no list of parameters tells: a part without a cell, or too thin for the halo. */
static void test_too_thin(void **state)
{
    static const char *const cases[][2] = {
        {"decomposition=slabs rows=2 columns=20 weights=50,.1,50,50", "part 1 of 4: gets no cell"},
        {"decomposition=slabs columns=16 halo-depth=17", "part 0 of 4: has 250 x 16 cells"},
        {"weights=measured", "weights: 'measured': known only where"},
        {"ratio=2 samples=20", "samples: '20': expected 1 for a run; 'nuce run --modelled'"},
    };
    struct nuce_stencil_instance instance;
    struct nuce_error error = {0};

    for (size_t i = 0; i < COUNT(cases); i++) {
        OWNED(point) point = point_of("stencil 4 %s", cases[i][0]);

        assert_int_equal(nuce_stencil_instance_init(point.params, 4, NULL, &instance, &error),
                         NUCE_BAD_INPUT);
        assert_says(&error, cases[i][1]);
    }
}

/* Measured weights are taken as given; drawn ones are those of nuce-model arrays. */
static void test_weights(void **state)
{
    static const double measured[] = {3, 1, 1, 1};
    struct nuce_stencil_instance instance;
    struct nuce_point point = point_of("stencil 4 weights=measured");
    struct nuce_rng rng = nuce_rng_create(9, 2);
    double weights[4], wanted[4];

    assert_ok(nuce_stencil_instance_init(point.params, 4, measured, &instance, ANY_ERROR));
    assert_int_equal(instance.tiling.rectangles[0].rows * instance.tiling.rectangles[0].columns,
                     500 * 1000);
    nuce_stencil_instance_fini(&instance);
    nuce_point_fini(&point);
    point = point_of("stencil 4 ratio=4 seed=9");
    assert_ok(nuce_stencil_weights(point.params, 4, 2, NULL, weights, ANY_ERROR));
    nuce_point_fini(&point);
    nuce_decomposition_draw_weights(&rng, 4, 4, wanted);
    assert_memory_equal(weights, wanted, sizeof wanted);
}

/* Parts that lie on a grid are a mesh, whatever cut them. */
static void test_sides(void **state)
{
    static const struct {
        const char *point;
        int rows, columns;
    } cases[] = {
        {"stencil 8 decomposition=grid rows=37 columns=81", 2, 4},
        {"stencil 8 decomposition=grid rows=81 columns=37", 4, 2},
        {"stencil 5 decomposition=slabs rows=30 columns=10", 5, 1},
        {"stencil 5 decomposition=xy2", 0, 0},
        {"stencil 4 decomposition=rb2 weights=1,2,3,4", 0, 0},
        {"stencil 1 decomposition=grid", 1, 1},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        OWNED(point) point = point_of("%s", cases[i].point);
        int side[NUCE_SIDES];

        assert_ok(nuce_workload_stencil.sides(point.params, point.ranks, side, ANY_ERROR));
        assert_int_equal(side[0], cases[i].rows);
        assert_int_equal(side[1], cases[i].columns);
    }
}

/* Numbers are written as briefly as can be. */
static void test_normalise(void **state)
{
    static const char *const cases[][2] = {
        {"1", "1"},
        {"0.50,1.0, 2,4e0", "0.5,1,2,4"},
        {"0.1,1e3,1e-7,123456789012345", "0.1,1000,1e-07,123456789012345"},
        {".3333333333333333", "0.33333333333333331"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        char list[NUCE_PATH_BYTES];

        strcpy(list, cases[i][0]);
        assert_ok(nuce_stencil_list_normalise("weights", list, sizeof list, ANY_ERROR));
        assert_string_equal(list, cases[i][1]);
    }
}

/* Any number survives, however briefly it is written; and a list once normal stays so. */
static void test_numbers_survive(void **state)
{
    struct nuce_rng rng = nuce_rng_create(8, 0);

    for (int draw = 0; draw < 2000; draw++) {
        char list[NUCE_PATH_BYTES], again[NUCE_PATH_BYTES];
        double given = ldexp(0.5 + nuce_rng_uniform(&rng), (int)nuce_rng_below(&rng, 200) - 100);
        double read;

        snprintf(list, sizeof list, "%.17g", given);
        assert_ok(nuce_stencil_list_normalise("weights", list, sizeof list, ANY_ERROR));
        assert_ok(nuce_stencil_list_read("weights", list, 1, &read, ANY_ERROR));
        assert_near(read, given, 0);
        strcpy(again, list);
        assert_ok(nuce_stencil_list_normalise("weights", again, sizeof again, ANY_ERROR));
        assert_string_equal(again, list);
    }
}

/* A list that is short as given, and has no room once its numbers are written in full. */
static void test_no_room(void **state)
{
    char list[NUCE_PATH_BYTES] = "";
    struct nuce_error error;

    for (int i = 0; strlen(list) + 20 < sizeof list; i++)
        strcat(list, i == 0 ? ".3333333333333333" : ",.3333333333333333");
    assert_int_equal(nuce_stencil_list_normalise("weights", list, sizeof list, &error),
                     NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "weights");
    assert_says(&error, "longer than 1023 bytes");
}

/* A run of 100 iterations on two ranks. */
static struct nuce_stencil_params params_of(const char *speeds, const char *after)
{
    struct nuce_stencil_params params = {
        .iterations = 100, .look_every = 10, .rebalance = NUCE_REBALANCE_NEVER};

    strcpy(params.emulate_speeds, speeds);
    strcpy(params.speeds_after, after);
    return params;
}

/* The fastest of all times does no extra work; others repeat theirs so often that they are as slow
 * as they are to be. */
static void test_extra(void **state)
{
    static const double wanted[3][2] = {{3, 1}, {0, 7}, {7, 0}};
    struct nuce_stencil_params params = params_of("2,4", "10:8,1/99:1,8");
    OWNED(speed_periods) periods;

    assert_ok(nuce_speed_periods_init(&params, 2, &periods, ANY_ERROR));
    assert_int_equal(periods.count, 3);
    assert_int_equal(periods.from[0], 0);
    assert_int_equal(periods.from[1], 10);
    assert_int_equal(periods.from[2], 99);
    for (int period = 0; period < 3; period++) {
        for (int rank = 0; rank < 2; rank++)
            assert_true(fabs(nuce_speed_periods_extra(&periods, period, rank, 2) -
                             wanted[period][rank]) < 1e-12);
    }
}

/* Written as briefly as possible; changing speeds begin equal by default. */
static void test_complete(void **state)
{
    struct nuce_stencil_params params = params_of("", "1e1: 2.0,1/0.05K:1,2e0");

    assert_ok(nuce_stencil_periods_complete(&params, 2, ANY_ERROR));
    assert_string_equal(params.emulate_speeds, "1,1");
    assert_string_equal(params.speeds_after, "10:2,1/50:1,2");
}

/* After a change at iteration 41 the first look that sees nothing of before is at 60: the one at
 * 50 still measures nine old iterations. */
static void test_bad_periods(void **state)
{
    static const struct {
        const char *settings, *subject, *says; /* says NULL: it is good */
    } cases[] = {
        {"speeds-after=10", "speeds-after", "'10': expected ITERATION:LIST, such as 100:8,4,2,1"},
        {"speeds-after=x:1,2", "speeds-after", "x"},
        {"speeds-after=10:1", "speeds-after", "'1': 1 number"},
        {"speeds-after=10:1,2,3", "speeds-after", "3 numbers"},
        {"speeds-after=10:1,0", "speeds-after", "number 2 of 2: '0': expected a number above 0"},
        {"speeds-after=10:1,1/5:2,1", "speeds-after", "'5': expected iterations that ascend"},
        {"speeds-after=0:1,2", "speeds-after", "'0': expected iterations that ascend"},
        {"speeds-after=10:1,2/10:2,1", "speeds-after", "'10': expected iterations that"},
        {"speeds-after=100:1,2", "speeds-after",
         "'100': expected iterations that ascend, from 1 to one less than the 100"},
        {"emulate-speeds=1,2,3", "emulate-speeds", "3 numbers"},
        {"rebalance=after-change speeds-after=41:1,2 iterations=61", "", NULL},
        {"rebalance=after-change speeds-after=41:1,2 iterations=60", "iterations",
         "'60': expected more than 60"},
        {"rebalance=after-change", "rebalance", "expected speeds that change: speeds-after"},
        {"rebalance=every-look look-every=100", "look-every",
         "'100': expected less than the 100 iterations"},
        {"rebalance=when-it-pays", "", NULL},
        {"rebalance=when-it-pays allow-empty=true", "allow-empty", "not with rebalance"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[256];

        snprintf(text, sizeof text, "stencil 2 iterations=100 look-every=10 %s", cases[i].settings);
        if (cases[i].says == NULL) {
            OWNED(point) point = point_of("%s", text);

        } else {
            point_is_refused(text, cases[i].subject, cases[i].says);
        }
    }
}

/* Where processes go, on a machine of two switches with two nodes each. */
enum { RANKS = 4 };

/* The processes of a point, an array of 8 x 8 cells in equal parts: a 2 x 2 mesh, each process
 * talks to two others; and the machine with rank i on node node[i]. */
static void make_placed(const struct nuce_point *point, const int *node,
                        struct nuce_placed_ranks *placed)
{
    static const char machine[] = "switch s0 s1\nnode a s0\nnode b s0\nnode c s1\nnode d s1\n";
    struct nuce_topology topology;
    int *of_ranks = malloc(RANKS * sizeof *of_ranks);

    assert_non_null(of_ranks);
    memcpy(of_ranks, node, RANKS * sizeof *of_ranks);
    assert_ok(nuce_topology_parse("test", machine, sizeof machine - 1, &topology, ANY_ERROR));
    nuce_placed_ranks_init(point, placed);
    assert_ok(nuce_placed_ranks_find_processes(placed, ANY_ERROR));
    nuce_placed_ranks_set_machine(placed, &topology, of_ranks);
}

/* Its machine is not read. */
static struct nuce_point placed_point(const char *placement)
{
    struct nuce_point point;
    char text[128];

    snprintf(text, sizeof text, "stencil 4 rows=8 columns=8%s%s",
             placement == NULL ? "" : " topology=machine placement=",
             placement == NULL ? "" : placement);
    assert_ok(point_begin(text, &point, ANY_ERROR));
    assert_ok(point.workload->complete(point.params, RANKS, ANY_ERROR));
    return point;
}

static void test_wanted(void **state)
{
    OWNED(point) none = placed_point(NULL), linear = placed_point("linear");

    assert_null(nuce_placed_ranks_wanted(&none));
    assert_string_equal(nuce_placed_ranks_wanted(&linear)->placement, "linear");
}

/* Processes 0 1 / 2 3 of the mesh: by rows two edges stay on a switch and two cross the link. Each
 * edge carries 4 cells each way, 64 bytes in all. */
static void test_weigh(void **state)
{
    static const int in_order[RANKS] = {0, 1, 2, 3}, across[RANKS] = {0, 2, 1, 3};
    OWNED(placed_ranks) placed;
    OWNED(point) point = placed_point("linear");
    double cardinality, latency_s;

    make_placed(&point, in_order, &placed);
    for (int i = 0; i < RANKS; i++)
        placed.rank[i] = i;
    nuce_placed_ranks_weigh(&placed, &cardinality, &latency_s);
    assert_true(cardinality == 2 * 64.0);
    assert_true(latency_s > 0);
    assert_int_equal(nuce_placed_ranks_moved(&placed), 0);

    /* 0 and 3, which do not talk, on one switch: all four edges cross. */
    placed.rank[1] = 3;
    placed.rank[3] = 1;
    nuce_placed_ranks_weigh(&placed, &cardinality, &latency_s);
    assert_true(cardinality == 4 * 64.0);
    assert_int_equal(nuce_placed_ranks_moved(&placed), 2);
    nuce_placed_ranks_fini(&placed);

    make_placed(&point, across, &placed);
    for (int i = 0; i < RANKS; i++)
        placed.rank[i] = i;
    nuce_placed_ranks_weigh(&placed, &cardinality, &latency_s);
    assert_true(cardinality == 2 * 64.0);
}

/* In order of the processors, which are numbered by node: ranks that were launched across the
 * switches come to lie in order. */
static void test_place(void **state)
{
    static const int across[RANKS] = {0, 2, 1, 3};
    OWNED(placed_ranks) placed;
    OWNED(point) point = placed_point("linear");

    make_placed(&point, across, &placed);
    assert_ok(nuce_placed_ranks_place(&placed, ANY_ERROR));
    for (int i = 0; i < RANKS; i++)
        assert_int_equal(placed.rank[i], across[i]);
    assert_int_equal(nuce_placed_ranks_moved(&placed), 2);
}

/* Without a machine a process is elsewhere where its rank has another number. */
static void test_moved_without_machine(void **state)
{
    OWNED(placed_ranks) placed;
    OWNED(point) point = placed_point("linear");

    nuce_placed_ranks_init(&point, &placed);
    for (int i = 0; i < RANKS; i++)
        placed.rank[i] = (i + 1) % RANKS;
    assert_int_equal(nuce_placed_ranks_moved(&placed), RANKS);
}

RUN(test_pattern, test_too_thin, test_weights, test_sides, test_normalise, test_numbers_survive,
    test_no_room, test_extra, test_complete, test_bad_periods, test_wanted, test_weigh, test_place,
    test_moved_without_machine)
