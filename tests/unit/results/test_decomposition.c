/* What tables say of decompositions whose costs are known. */
#include "../test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot_fixture.h"

static void append(const struct fixture *f, struct decomposition what, double cost)
{
    append_record(f->folder, "a", "1.jsonl", modelled_decomposition(&what, cost));
}

static void append_drawn(const struct fixture *f, const char *algorithm, int instance, double cost,
                         json_t *rectangles)
{
    struct decomposition what = {
        .decomposition = algorithm, .ranks = 5, .columns = 1000, .ratio = 8, .instance = instance};

    append_record(f->folder, "a", "1.jsonl", drawn_decomposition(&what, cost, rectangles));
}

/* Percent of rb2's mean; of two means over draws the one over more; means are of no network. */
static void test_gains(void **state)
{
    struct fixture *f = *state;
    struct decomposition rb2 = {.decomposition = "rb2",
                                .ranks = 20,
                                .columns = 2000,
                                .ratio = 8,
                                .samples = 20,
                                .instance = -1};
    struct decomposition tile = rb2, naive = rb2;
    char *text;

    rb2.latency = tile.latency = naive.latency = 1000;
    tile.decomposition = "tile";
    append(f, rb2, 2000);
    append(f, tile, 1000);
    rb2.samples = tile.samples = naive.samples = 2000;
    append(f, rb2, 2000);
    append(f, tile, 1850);
    naive.edges = "naive";
    append(f, naive, 4000);
    naive.decomposition = "tile";
    append(f, naive, 3900);
    text = table_of(f, "arrays-table4", NULL, NUCE_GRID_CSV);
    has(text, "\n1K x 2K,8,ours,20,7.5,2000\n");
    has(text, "\n1K x 2K,8,naive edges,20,2.5,2000\n");
    has(text, "\n1K x 2K,8,paper,20,15,\n");
    has(text, "\n1K x 20K,8,paper,20,2,\n");
    has(text, "\nmodelled: the papers' cost model, 6 points\n");
    free(text);
    text = table_of(f, "arrays-agreement", NULL, NUCE_GRID_CSV);
    has(text, "\n4,tile,1000,ours,1,0,0,0,7.5,0,0\n");
    free(text);
}

/* How far from the best, and whether that is a pinwheel. */
static void test_gap(void **state)
{
    struct fixture *f = *state;
    char *text;

    append_drawn(f, "optimal", 0, 2400, pinwheel());
    append_drawn(f, "xy2", 0, 2520, slabs());
    append_drawn(f, "optimal", 1, 4000, slabs());
    append_drawn(f, "xy2", 1, 4000, slabs());
    text = table_of(f, "arrays-gap", NULL, NUCE_GRID_TEXT);
    has(text, "5 parts of 1K x 1K, ratio 8 mean             2.50\n");
    has(text, "5 parts of 1K x 1K, ratio 8 most             5.00\n");
    has(text, "5 parts of 1K x 1K, ratio 8 reached        1 of 2\n");
    has(text, "5 parts of 1K x 1K, ratio 8 pinwheels      1 of 2\n");
    has(text, "5 parts of 1K x 1K, ratio 8 50 % of draws    0.00\n");
    has(text, "5 parts of 1K x 1K, ratio 8 55 % of draws    5.00\n");
    free(text);
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

    for (int launch = 1; launch <= 4; launch++) {
        char file[16], job[16];

        snprintf(file, sizeof file, "h%d-%d.jsonl", side, launch);
        snprintf(job, sizeof job, "j%d", launch);
        append_record(f->folder, "a", file, job_record("a", job, "cpu"));
        for (size_t i = 0; i < COUNT(swept); i++) {
            /* Launches whose geometric mean is that of all: a hundredth or two below and above. */
            static const double percent[] = {-2, 1, 2, -1};
            double acost = is_reversed ? 400 - swept[i].acost : swept[i].acost;
            json_t *record =
                swept_decomposition(swept[i].algorithm, side, acost, swept[i].iteration_s);

            enter_heat(record, side, launch, exp(percent[((size_t)launch + i) % 4] / 100), i == 7);
            append_record(f->folder, "a", file, record);
        }
    }
}

/* Times of one iteration, beside grid's where there is one; without calibration nothing is
 * predicted, nor is a part of what overlaps known. */
static void test_measured(void **state)
{
    struct fixture *f = *state;
    json_t *job = job_record("a", "j9", "elsewhere"), *record = calibrated_speeds(50);
    char *text;

    append_swept(f, 100, 0);
    append_record(f->folder, "a", "2.jsonl", job);
    json_object_set_new(record, "job", json_string("j9"));
    append_record(f->folder, "a", "2.jsonl", record);
    record = swept_decomposition("slabs", 70, 100, 1);
    set_param(record, "overlap", json_true());
    json_object_del(json_object_get(record, "samples"), "computation");
    append_record(f->folder, "a", "1.jsonl", record);
    text = table_of(f, "arrays-measured", NULL, NUCE_GRID_MARKDOWN);
    has(text, "| 4 | 70 x 70, overlap | 2 | slabs | 1000 [900 1100] |  |  | 1.25 |  | 100 | 4 |");
    /* Over four launches: 3.182 standard errors of -2, -1, 1, 2 % are 2.905 %, of grid's percents
     * less xy2's, -3, -1, 1, 3, 4.108 %. */
    has(text, "| 4 | 100 x 100 | 2 | xy2 | 1000 [971.4 1029] | 4.00 [3.84 4.17] | 750 | 1.25 | 250 "
              "| 150 | 4 |  |  |  |\n");
    has(text, "| 4 | 100 x 100 | 2 | grid | 4000 [3885 4118] | 1 | 3000 | 1.25 | 1000 | 200 | 4 |");
    free(text);
    text = table_of(f, "arrays-gain", NULL, NUCE_GRID_CSV);
    has(text, "\n\"4 ranks, 100 x 100\",2,slabs,1.99999999999");
    free(text);
}

/* 2500 cells at 1000 a second, twice as long as on a rank that is twice as fast; 8 messages and
 * 2400 bytes. Of several calibrations of speeds the one with parts of about that size stands. */
static void test_predicted(void **state)
{
    struct fixture *f = *state;
    json_t *large = calibrated_speeds(5000);
    char *text;

    json_array_set_new(json_array_get(json_object_get(large, "speeds"), 0), 1, json_real(1));
    append_swept(f, 100, 0);
    append_record(f->folder, "a", "1.jsonl", large);
    append_record(f->folder, "a", "1.jsonl", calibrated_speeds(60));
    append_record(f->folder, "a", "1.jsonl", calibrated_links());
    text = table_of(f, "arrays-measured", NULL, NUCE_GRID_MARKDOWN);
    has(text, "| 750 | 1.25 | 250 | 150 | 4 | 5010 | 5000 | 10.4 |\n");
    free(text);
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

/* Who wins and who may, and whether the order is Acost's: yes, the other way round, and of both
 * arrays together no; of fewer than four nothing is said. */
static void test_verdict(void **state)
{
    struct fixture *f = *state;
    char *text;

    append_swept(f, 100, 0);
    append_swept(f, 50, 1);
    append_record(f->folder, "a", "1.jsonl", seen_once(swept_decomposition("xy2", 20, 30, 1)));
    append_record(f->folder, "a", "1.jsonl", seen_once(swept_decomposition("grid", 20, 40, 2)));
    text = table_of(f, "arrays-verdict", NULL, NUCE_GRID_MARKDOWN);
    has(text, "| 4 | 100 x 100 | 2 | xy2 (not told apart: tile): 4.00 [3.84 4.17] times as fast as "
              "grid; strips takes 1.20 [1.13 1.27] times as long | Acost and time: yes, 1.00 [1.00 "
              "1.00]; Acost and halo: yes, 1.00 [1.00 1.00] |\n");
    has(text, "| 4 | 50 x 50 | 2 | ");
    has(text, "| 4 | 20 x 20 | 2 | xy2 (not told apart: grid): 2.00 times as fast as grid |  |\n");
    has(text, "Acost and time: the other way round, -1.00 [-1.00 -1.00];");
    has(text, "|  | all |  |  | Acost and time: no, 0.00 [");
    free(text);
    append_record(f->folder, "a", "1.jsonl", calibrated_speeds(60));
    append_record(f->folder, "a", "1.jsonl", calibrated_links());
    text = table_of(f, "arrays-verdict", NULL, NUCE_GRID_CSV);
    has(text, "[1.00 1.00]; predicted and time: yes, 0.81 [");
    free(text);
}

/* What cutting anew saves, measured and predicted, and from when on; what was never cut beside it.
 */
static void test_rebalance(void **state)
{
    struct fixture *f = *state;
    char *text;

    for (int iterations = 40; iterations <= 1040; iterations += 1000)
        append_rebalances(f->folder, 700, iterations);
    append_record(f->folder, "a", "1.jsonl", measured_rebalance(2000, 40, "after-change"));
    /* Both there, and no heat that had them. */
    append_record(f->folder, "a", "1.jsonl", measured_rebalance(900, 40, NULL));
    append_record(f->folder, "a", "1.jsonl", measured_rebalance(900, 40, "after-change"));
    text = table_of(f, "arrays-rebalance", NULL, NUCE_GRID_CSV);
    /* 1 s of never, 1.1 s of it; 10 iterations after the cut, of which 15 would do. */
    has(text, "700 x 700,2,xy2,ac,20,after-change,1000 [1000 1000],1100 [1100 1100],1.100 [1.100 "
              "1.100],-100 [-100 -100],0,costs,1,300,250,4,15,10,18,");
    has(text, "700 x 700,2,xy2,ac,1020,after-change,4.1e+04 [4.1e+04 4.1e+04],2.11e+04 [2.11e+04 "
              "2.11e+04],0.515 [0.515 0.515],1.99e+04 [");
    has(text, ",25000,pays,1,300,250,4,15,10,18,");
    has(text, ",20,when-it-pays,1000 [1000 1000],1100 [1100 1100],1.100 [");
    has(text, "900 x 900,2,xy2,ac,20,after-change,1000 [750 1250],1100 [825 1375],,,0,no race,");
    if (strstr(text, "2000 x 2000") != NULL || strstr(text, "never,") != NULL)
        fail_msg("what has nothing beside it is shown:\n%s", text);
    free(text);
    text = table_of(f, "arrays-break-even", NULL, NUCE_GRID_CSV);
    has(text, "\n\"700 x 700, 2 ranks, xy2\",20,after-change,-10");
    has(text, "\n\"700 x 700, 2 ranks, xy2\",20,\"after-change, predicted\",0,,\n");
    free(text);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_job, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_gains),     TEST(test_gap),     TEST(test_measured),
        TEST(test_predicted), TEST(test_verdict), TEST(test_rebalance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
