/* Tables of placements, redistributions and decompositions whose times and costs are known. */
#include "plot_fixture.h"

/* Mappings on networks: means over networks, their intervals, and the saving on each network
 * relative to rm; half of it on every network, however much that is: 125 by a deviation of 18.7083.
 * Then bm below rm by 10 % on most networks and above it by 50 % on one: 0 % in the mean, and so
 * not surely below; 2.5706 standard errors of 10 are beneath it; and latency tells nothing of
 * cardinality. Then a microsecond and a hundredth of one for each unit of cardinality. */
static void test_mappings(void **state)
{
    for (int number = 0; number < 3; number++) {
        struct fixture *f = set_up_again(state);

        for (int k = 0; k < (number < 2 ? 6 : 3); k++) {
            const double rm[] = {200 + 20 * k, 200, 200 + 10 * k};
            const double bm[] = {100 + 10 * k, k == 0 ? 300 : 180, 100 + 30 * k};

            put(f, modelled_mapping("rm", 16, k, 256, rm[number], number < 2 ? 4 : 3 + 0.1 * k));
            put(f, modelled_mapping("bm", 16, k, 256, bm[number], number < 2 ? 3.2 : 2 + 0.3 * k));
        }
        if (number == 0) {
            CSV(f, "mapping-figure6",
                "\"saved relative to rm, %, 129 links\",16x16,bm,50,50,50,6,256\n",
                "\"weighted cardinality, 129 links\",16x16,bm,125,105.");
            CSV(f, "mapping-figure7", "\"saved relative to rm, %, 129 links\",16x16,bm,20.0000",
                "\"saved relative to rm, %, 129 links\",16x16,\"bm, paper\",20,,,,256\n");
            CSV(f, "mapping-claims", "20 %,129,20,0,yes,6,\n",
                "yes,129,-0.95,,no,6,\"a message to any process crosses",
                "significantly,129,50,,yes,6,\n");
        } else if (number == 1) {
            CSV(f, "mapping-claims", "significantly,129,-25.71,,no,6,\n",
                "linearly,129,0,,no,6,\n");
        } else {
            CSV(f, "mapping-claims", "linearly,129,100,,yes,3,\n");
        }
    }
}

/* The model gives sm and bm one cost, linear more and two draws of rm most: bm is measured to be
 * slower than linear, which is against it, and the ratio of the first rm to linear may be 1. The
 * second draw has a race of its own with linear, which is one row. Points that never raced have no
 * row.
 */
static void test_placed(void **state)
{
    static const struct placed first[] = {
        {"measured", "linear", 1, 4e-3, 1e-4, 2000, 3.5e-6},
        {"measured", "sm", 1, 1e-3, 1e-4, 1000, 3e-6},
        {"measured", "bm", 1, 6e-3, 1e-4, 1000, 3e-6},
        {"measured", "rm", 1, 4.1e-3, 1e-4, 3000, 4e-6},
    };
    static const struct placed second[] = {
        {"measured", "linear", 2, 4e-3, 1e-4, 2000, 3.5e-6},
        {"measured", "rm", 2, 8e-3, 1e-4, 3500, 4.2e-6},
    };
    static const struct placed apart = {"measured", "bm-swap", 1, 1e-3, 1e-4, 900, 3e-6};
    struct fixture *f = *state;

    append_placements(f, 1, first, 4);
    append_placements(f, 2, second, 2);
    put(f, placed_record(&apart));
    CSV(f, "mapping-measured", "!bm-swap",
        "\"stencil, 8 ranks, 1 KiB\",1,sm,1,1.00x,\"[1.00, 1.00]\",1.000,3,1,2 of 2,0,3,24,0.24999",
        ",2,linear,4,\"4.00x [3.84, 4.17]\",\"[1.00, 1.00]\",2.000,3.5,3,1 of 3,1,3,24,1,1,1,",
        ",3,rm 1,4.1,\"4.10x [3.87, 4.35]\",\"[1.00, 1.00]\",3.000,4,4,1 of 3,1,3,24,1.02",
        ",4,bm,6,\"6.00x [5.76, 6.25]\",\"[1.00, 1.00]\",1.000,3,1,0 of 2,2,3,24,1.4999",
        ",5,rm 2,8,8.00x,\"[1.00, 1.00]\",3.500,4.2,5,1 of 1,0,3,24,1.9999", "!,linear 2,");
}

/* Gains are over the mean of rm's draws. */
static void test_placed_simulated(void **state)
{
    static const struct placed all[] = {
        {"simulated", "sm", 1, 1e-6, 0, 1000, 3e-6},
        {"simulated", "rm", 1, 2e-6, 0, 3000, 4e-6},
        {"simulated", "rm", 2, 6e-6, 0, 5000, 6e-6},
        {"measured", "sm", 1, 9e-6, 0, 1000, 3e-6},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < COUNT(all); i++)
        put(f, placed_record(&all[i]));
    CSV(f, "mapping-simulated", "messages of 100 B\",sm,1.000,25.0,3.000,40.0,1.000,75.0,1,1,3,",
        ",rm 2,5.000,125.0,6.000,-20.0,6.000,-50.0,3,3,3,", "!,9.000,");
}

/* Redistributions: of kind m(easured), s(imulated) on a machine, whose job is described elsewhere,
 * or p(redicted by the model). */
struct row {
    char kind;
    struct redistribution what;
    double s, lower_bound_s;
};

static void append_rows(const struct fixture *f, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct row *row = &rows[i];
        json_t *record;

        if (row->kind == 'p') {
            put(f, modelled_redistribution(&row->what, row->s, row->lower_bound_s));
            continue;
        }
        record = measured_redistribution(&row->what, row->s);
        if (row->kind == 's')
            with(record, "'kind':'simulated','wait':'block'");
        put(f, with(record, "'single_port_lower_bound_s':%.16e,'lower_bound_s':%.16e",
                    row->lower_bound_s, row->lower_bound_s / 2));
    }
}

/* Planned and traced steps are the paper's; of the hash of a network's file the first digits stand.
 * A diagram of one run is of the newest, and says so. */
static void test_steps(void **state)
{
    struct fixture *f = *state;
    struct redistribution direct = {"j1", "direct", 4, 3, "emulated", NULL, "1..2", 1};
    struct redistribution greedy = {"j1", "greedy", 4, 3, "emulated", "1", "1..2", 2};

    put(f, traced_redistribution(&direct));
    put(f, with(traced_redistribution(&greedy), "'planned_network':'emulated@0123456789'"));
    CSV(f, "redistribution-figure2b", "\n1,step 1,paper,from 1,1,3\n",
        "\n1,step 1,planned,from 1,1,3\n", "\n3,step 3,traced,from 2,2,0\n");
    CSV(f, "redistribution-figure3",
        "\"direct: planned, network emulated, 3 ms (bound 2)\",send,0,0,0,0,8,,0,1,-0.21,0.38\n",
        "\"direct: traced, clocks to 1.0 us, 1.5 ms\",send,3,2,3,2,8,,1,1.5,2.79,0.38\n",
        "\"greedy: planned, network emulated@012345, 3 ms (bound 2)\",");
    CSV(f, "timeline", "\"greedy: planned, network emulated@012345\",send,", "!direct:");
}

static const char range[] = "10000000..200000000", even[] = "10000000..20000000";

/* The mean and the range of several networks, each over its own bound. */
static void test_curves(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 2; i++) {
        struct redistribution what = {"j1", "greedy", 64, 40, "random", "1", range, i};

        put(f, with_params(modelled_redistribution(&what, i + 1.25, i + 1), "'instance':%d", i));
    }
    CSV(f, "redistribution-figure5a", "\"completion time, ms\",40,greedy,1750,1250,2250,2\n",
        "\"completion time, ms\",40,lower bound,1500,1000,2000,2\n",
        "over the lower bound,40,greedy,1.1875,1.125,1.25,2\n");
    CSV(f, "redistribution-figure5b", "over the lower bound,1900,greedy,1.1875,1.125,1.25,2\n");
}

/* The measured, simulated and modelled stand beside one another, never in one number; of two
 * platforms the one that was simulated last, and the footer says which. */
static void test_kinds(void **state)
{
    static const struct row rows[] = {
        {'m', {"j1", "greedy", 16, 5, "emulated", "1", range, 1}, 0.5, 0.25},
        {'p', {"j1", "greedy", 16, 5, "emulated", "1", range, 1}, 0.375, 0.25},
        {'s', {"j2", "greedy", 16, 5, "emulated", "1", range, 1}, 0.125, 0.25},
        {'s', {"j3", "greedy", 16, 5, "emulated", "1", range, 2}, 0.25, 0.25},
    };
    struct fixture *f = *state;

    append_platform(f, "j2", "old.xml");
    append_platform(f, "j3", "new.xml");
    append_rows(f, rows, COUNT(rows));
    CSV(f, "redistribution-figure4",
        "\"P = 16, N = 10,000,000\",5,greedy,500,375,625,250,375,250,1\n",
        " on new.xml (environment ", "; modelled: ", "!old.xml");
}

/* Depths in their order as numbers, auto last; ratios of exact times to the library's call, and of
 * measured ones only in races (test_says has such). One depth of another instance is not a row.
 * Simulated ones are compared with simulated ones. */
static void test_depth(void **state)
{
    static const char *const depths[] = {",greedy,1,", ",greedy,2,", ",greedy,10,",
                                         ",greedy,auto,"};
    static const struct row rows[] = {
        {'m', {"j1", "alltoallv", 8, 7, "measured", NULL, NULL, 1}, 0.5, 0.5},
        {'m', {"j1", "greedy", 8, 7, "measured", "auto", NULL, 2}, 1, 0.5},
        {'m', {"j1", "greedy", 8, 7, "measured", "10", NULL, 3}, 2, 0.5},
        {'m', {"j1", "greedy", 8, 7, "measured", "2", NULL, 4}, 3, 0.5},
        {'m', {"j1", "greedy", 8, 7, "measured", "1", NULL, 5}, 4, 0.5},
        {'m', {"j1", "greedy", 8, 3, "measured", "1", NULL, 9}, 1, 1},
        {'s', {"j2", "alltoallv", 8, 7, "a@12", NULL, NULL, 10}, 2, 2},
        {'s', {"j2", "greedy", 8, 7, "a@12", "1", NULL, 11}, 4, 2},
        {'s', {"j2", "greedy", 8, 7, "a@12", "2", NULL, 12}, 3, 2},
    };
    struct fixture *f = *state;
    const char *at;
    char *text;

    append_platform(f, "j2", "even.xml");
    append_rows(f, rows, COUNT(rows));
    CSV(f, "redistribution-depth", "!,8,3,",
        ",greedy,10,,\"2000 [1500, 2500]\",6,4,8,,measured,2000,1500,2500,,,,,",
        "a@12,simulated: even.xml,8,7,",
        ",greedy,2,,\"3000 [2250, 3750]\",6,1.5,3,1.500,simulated,",
        ",alltoallv,,,\"500 [375, 625]\",6,1,2,1,");
    at = text = table_of(f, "redistribution-depth", NULL, NUCE_GRID_CSV);
    for (size_t i = 0; i < COUNT(depths); i++) {
        at = strstr(at, depths[i]);
        assert_non_null(at);
    }
    free(text);
}

/* A state of the links is an environment, in the order of time; --environment leaves one. In each
 * three states of the knowledge, and direct. */
static void test_adaptivity(void **state)
{
    static const struct row rows[] = {
        {'m', {"j2", "greedy", 8, 7, "measured", "1", NULL, 1}, 0.5, 1},
        {'m', {"j2", "greedy", 8, 7, "before.network@12ab", "1", NULL, 1}, 1, 1},
        {'m', {"j2", "greedy", 8, 7, NULL, "1", NULL, 1}, 1.5, 1},
        {'m', {"j2", "direct", 8, 7, NULL, NULL, NULL, 1}, 2, 1},
        {'m', {"j1", "greedy", 8, 7, "measured", "1", NULL, 5}, 1, 1},
        {'m', {"j1", "greedy", 8, 7, "before.network@12ab", "1", NULL, 5}, 1, 1},
        {'m', {"j1", "greedy", 8, 7, NULL, "1", NULL, 5}, 1.5, 1},
        {'m', {"j1", "direct", 8, 7, NULL, NULL, NULL, 5}, 2, 1},
    };
    struct fixture *f = *state;
    json_t *job = describing(job_record("a", "j2", "cpu"), "'cluster':'links have changed'");
    char environment[65];
    struct nuce_plot_choice choice = {.environment = environment};

    snprintf(environment, sizeof environment, "%s",
             json_string_value(json_object_get(job, "environment")));
    put(f, job);
    append_rows(f, rows, COUNT(rows));
    CSV(f, "redistribution-adaptivity", ", environments ", "!not shown",
        "\"communication time, ms\",1,", "8,7,10000000,\"greedy, present network\",500,375,625,6,",
        "8,7,10000000,\"greedy, before.network\",0.5,0.3,0.83333",
        "8,7,10000000,\"greedy, no network\",0.75,", "over direct,2,", "!over direct,3,",
        "!\ndirect,1,");
    TABLE(f, "redistribution-adaptivity", &choice, NUCE_GRID_CSV, "!, environments ",
          "over direct,1,", "!over direct,2,");
}

/* Statements, each from its points, and the text if it fails. */
static void test_claims(void **state)
{
    static const struct row rows[] = {
        {'p', {"j1", "greedy", 64, 40, "random", "1", range, 1}, 1.0625, 1},
        {'p', {"j1", "direct", 64, 40, "random", NULL, range, 1}, 2.125, 1},
        {'p', {"j1", "greedy", 64, 9, "random", "1", even, 1}, 1.5, 1},
        {'p', {"j1", "direct", 64, 9, "random", NULL, even, 1}, 1.25, 1},
        {'m', {"j1", "ac", 8, 7, "measured", NULL, NULL, 1}, 0.5, 1},
        {'m', {"j1", "alltoallv", 8, 7, "measured", NULL, NULL, 1}, 1.5, 1},
    };
    struct fixture *f = *state;

    append_rows(f, rows, COUNT(rows));
    CSV(f, "redistribution-claims", "%,2 - 10,64,modelled,,6.25,6.25,6.25,1 of 1,,",
        "%,very close,64,modelled,,6.25,6.25,6.25,1 of 1,,",
        "%,10 - 60,64,modelled,,50,50,50,1 of 1,,",
        "%,consistent,64,modelled,,15,-20,50,1 of 2,direct was faster on some: where links are all "
        "alike it leaves no gaps,",
        "times,at most 2,64,modelled,,1.281,1.063,1.5,2 of 2,,",
        "1,0.5,1.5,1 of 2,no bound here: a node has several transfers at a time,");
}

/* Percent of rb2's mean; of two means over draws the one over more; means are of no network. */
static void test_gains(void **state)
{
    static const struct {
        const char *decomposition, *params;
        double cost;
    } rows[] = {
        {"rb2", "'samples':20", 2000},
        {"tile", "'samples':20", 1000},
        {"rb2", "'samples':2000", 2000},
        {"tile", "'samples':2000", 1850},
        {"rb2", "'samples':2000,'edges':'naive'", 4000},
        {"tile", "'samples':2000,'edges':'naive'", 3900},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < COUNT(rows); i++)
        put(f, with_params(modelled_decomposition(rows[i].decomposition, 20, 2000, rows[i].params,
                                                  rows[i].cost),
                           "'ratio':8.0,'latency':1000.0"));
    CSV(f, "arrays-table4", "\n1K x 2K,8,ours,20,7.5,2000\n",
        "\n1K x 2K,8,naive edges,20,2.5,2000\n", "\n1K x 2K,8,paper,20,15,\n",
        "\n1K x 20K,8,paper,20,2,\n", "\nmodelled: the papers' cost model, 6 points\n");
    CSV(f, "arrays-agreement", "\n4,tile,1000,ours,1,0,0,0,7.5,0,0\n");
}

/* How far from the best, and whether that is a pinwheel. */
static void test_gap(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 4; i++) {
        double cost = i == 0 ? 2400 : i == 1 ? 2520 : 4000;
        json_t *record =
            modelled_decomposition(i % 2 == 0 ? "optimal" : "xy2", 5, 1000, "'ratio':8.0", cost);

        with_params(record, "'instance':%d", i / 2);
        put(f, i == 0 ? with(record, PINWHEEL) : with(record, SLABS));
    }
    TABLE(f, "arrays-gap", NULL, NUCE_GRID_TEXT,
          "5 parts of 1K x 1K, ratio 8 mean             2.50\n",
          "5 parts of 1K x 1K, ratio 8 most             5.00\n",
          "5 parts of 1K x 1K, ratio 8 reached        1 of 2\n",
          "5 parts of 1K x 1K, ratio 8 pinwheels      1 of 2\n",
          "5 parts of 1K x 1K, ratio 8 50 % of draws    0.00\n",
          "5 parts of 1K x 1K, ratio 8 55 % of draws    5.00\n");
}

/* All decompositions of one array, from the fastest on, on which Acost says first the same order
 * and then the opposite; grid's is left out of that. */
static void append_swept(const struct fixture *f, int side, int is_reversed)
{
    static const struct {
        const char *algorithm;
        double acost, iteration_s;
    } swept[] = {
        {"xy2", 150, 1.0}, {"tile", 160, 1.05}, {"strips", 170, 1.2}, {"rb3", 200, 1.3},
        {"rb2", 210, 1.4}, {"rb", 220, 1.6},    {"slabs", 300, 2.0},  {"grid", 200, 4.0},
    };

    append_jobs(f, 4);
    for (int launch = 1; launch <= 4; launch++) {
        for (int i = 0; i < 8; i++) {
            double acost = is_reversed ? 400 - swept[i].acost : swept[i].acost;

            put(f, enter_race(
                       swept_decomposition(swept[i].algorithm, side, acost, swept[i].iteration_s),
                       side, launch, launch_noise(launch, i), i == 7));
        }
    }
}

/* The calibration of the four ranks: 1000 cells per second each, the first so many, of sweeps over
 * side x side cells, and a millisecond a message and a microsecond a byte. */
static json_t *calibrated_speeds(int side, double first)
{
    return with(workload_record("speeds", 4,
                                json_of("{'element':'double','side':%d,'stencil':5}", side),
                                json_of("{'step':[1.0],'computation':[1.0]}"), NULL),
                "'speeds':[[0,%.1f,900.0,1100.0],[1,1000.0,900.0,1100.0],[2,1000.0,900.0,1100.0],["
                "3,1000.0,900.0,1100.0]]",
                first);
}

static json_t *calibrated_links(void)
{
    return with(
        workload_record("links", 4, json_of("{'largest':65536}"), json_of("{'step':[1.0]}"), NULL),
        "'links':[[0,1,0.5e-3,null,1e6,null],[1,0,1.5e-3,null,1e6,null]]");
}

/* Times of one iteration, beside grid's where there is one; without calibration nothing is
 * predicted, nor is a part of an overlapped step known. Over four launches: 3.182 standard errors
 * of -2, -1, 1, 2 % are 2.905 %, of grid's percents less xy2's, -3, -1, 1, 3, 4.108 %. Then 2500
 * cells at 1000 a second, twice as long as on a rank that is twice as fast; 8 messages and 2400
 * bytes. Among several calibrations of speeds, the one with parts of about that size counts. */
static void test_measured(void **state)
{
    struct fixture *f = *state;
    json_t *record = with_params(swept_decomposition("slabs", 70, 100, 1), "'overlap':true");

    append_swept(f, 100, 0);
    put(f, job_record("a", "j9", "elsewhere"));
    put(f, with(calibrated_speeds(50, 1000), "'job':'j9'"));
    json_object_del(json_object_get(record, "samples"), "computation");
    put(f, record);
    MARKDOWN(
        f, "arrays-measured",
        "| 4 | 70 x 70, overlap | 2 | slabs | 1000 [900, 1100] |  |  | 1.25 |  | 100 | 4 |",
        "| 4 | 100 x 100 | 2 | xy2 | 1000 [971.4, 1029] | 4.00 [3.84, 4.17] | 750 | 1.25 | 250 "
        "| 150 | 4 |  |  |  |\n",
        "| 4 | 100 x 100 | 2 | grid | 4000 [3885, 4118] | 1 | 3000 | 1.25 | 1000 | 200 | 4 |");
    CSV(f, "arrays-gain", "\n\"4 ranks, 100 x 100\",2,slabs,1.99999999999");
    put(f, calibrated_speeds(5000, 1));
    put(f, calibrated_speeds(60, 1000));
    put(f, calibrated_links());
    MARKDOWN(f, "arrays-measured", "| 750 | 1.25 | 250 | 150 | 4 | 5010 | 5000 | 10.4 |\n");
}

/* The same with a single sample of everything. */
static json_t *seen_once(json_t *record)
{
    json_t *samples = json_object_get(record, "samples"), *values;
    const char *part;

    json_object_foreach(samples, part, values)
    {
        while (json_array_size(values) > 1)
            json_array_remove(values, 0);
    }
    return record;
}

/* The winner and those that may be one, and the agreement with the order by Acost: yes, reversed,
 * and for both arrays together no; with fewer than four there is no answer. */
static void test_verdict(void **state)
{
    struct fixture *f = *state;

    append_swept(f, 100, 0);
    append_swept(f, 50, 1);
    put(f, seen_once(swept_decomposition("xy2", 20, 30, 1)));
    put(f, seen_once(swept_decomposition("grid", 20, 40, 2)));
    MARKDOWN(
        f, "arrays-verdict",
        "| 4 | 100 x 100 | 2 | xy2 (no significant difference from tile) takes 0.25x [0.24, 0.26] "
        "the time of grid; strips takes 1.20x [1.13, 1.27] the time of xy2 | Acost and time: "
        "yes, 1.00 [1.00, "
        "1.00]; Acost and halo: yes, 1.00 [1.00, 1.00] |\n",
        "| 4 | 50 x 50 | 2 | ",
        "| 4 | 20 x 20 | 2 | xy2 (no significant difference from grid) takes 0.50x the time of "
        "grid |  |\n",
        "Acost and time: the other way round, -1.00 [-1.00, -1.00];",
        "|  | all |  |  | Acost and time: no, 0.00 [");
    put(f, calibrated_speeds(60, 1000));
    put(f, calibrated_links());
    CSV(f, "arrays-verdict", "[1.00, 1.00]; predicted and time: yes, 0.81 [");
}

/* The savings of cutting anew, measured and predicted, and from when on; beside it runs that were
 * never cut. */
static void test_rebalances(void **state)
{
    struct fixture *f = *state;

    for (int iterations = 40; iterations <= 1040; iterations += 1000)
        append_rebalances(f, 700, iterations);
    put(f, measured_rebalance(2000, 40, "after-change"));
    /* Both there, and no race that had them. */
    put(f, measured_rebalance(900, 40, NULL));
    put(f, measured_rebalance(900, 40, "after-change"));
    /* 1 s of never, 1.1 s of it; 10 iterations after the cut, of which 15 would do. */
    CSV(f, "arrays-rebalance",
        "700 x 700,2,xy2,ac,20,after-change,\"1000 [1000, 1000]\",\"1100 [1100, 1100]\",\"1.100x "
        "[1.100, "
        "1.100]\",\"-100 [-100, -100]\",0,costs,1,300,250,4,15,10,18,",
        "700 x 700,2,xy2,ac,1020,after-change,\"4.1e+04 [4.1e+04, 4.1e+04]\",\"2.11e+04 [2.11e+04, "
        "2.11e+04]\",\"0.515x [0.515, 0.515]\",\"1.99e+04 [",
        ",25000,pays,1,300,250,4,15,10,18,",
        ",20,when-it-pays,\"1000 [1000, 1000]\",\"1100 [1100, 1100]\",\"1.100x [",
        "900 x 900,2,xy2,ac,20,after-change,\"1000 [750, 1250]\",\"1100 [825, 1375]\",,,0,no race,",
        "!2000 x 2000", "!never,");
    CSV(f, "arrays-break-even", "\n\"700 x 700, 2 ranks, xy2\",20,after-change,-10",
        "\n\"700 x 700, 2 ranks, xy2\",20,\"after-change, predicted\",0,,\n");
}

RUN_EACH(set_up_job, tear_down, test_mappings, test_placed, test_placed_simulated, test_steps,
         test_curves, test_kinds, test_depth, test_adaptivity, test_claims, test_gains, test_gap,
         test_measured, test_verdict, test_rebalances)
