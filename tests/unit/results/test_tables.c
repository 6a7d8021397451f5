/* What tables say of placements and redistributions whose times and costs are known. */
#include "../test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot_fixture.h"

/* Means over networks, their intervals, and what is saved on each network beside rm on it. */
static void test_means(void **state)
{
    struct fixture *f = *state;
    char *text;

    for (int k = 0; k < 6; k++) {
        append_record(f->folder, "a", "1.jsonl", modelled_mapping("rm", 16, k, 200 + 20 * k, 4));
        append_record(f->folder, "a", "1.jsonl", modelled_mapping("bm", 16, k, 100 + 10 * k, 3.2));
    }
    text = table_of(f, "mapping-figure6", NULL, NUCE_GRID_CSV);
    /* Half of it on every network, however much that is: 125 by a deviation of 18.7083. */
    has(text, "\"saved beside rm, %, 129 links\",16x16,bm,50,50,50,6,256\n");
    has(text, "\"weighted cardinality, 129 links\",16x16,bm,125,105.");
    free(text);
    text = table_of(f, "mapping-figure7", NULL, NUCE_GRID_CSV);
    has(text, "\"saved beside rm, %, 129 links\",16x16,bm,20.0000");
    has(text, "\"saved beside rm, %, 129 links\",16x16,\"bm, paper\",20,,,,256\n");
    free(text);
    text = table_of(f, "mapping-claims", NULL, NUCE_GRID_CSV);
    has(text, "20 %,129,20,0,yes,6,\n");
    has(text, "yes,129,-0.95,,no,6,\"a message to any process crosses");
    has(text, "significantly,129,50,,yes,6,\n");
    free(text);
}

/* bm below rm by 10 % on most networks and above it by 50 % on one: 0 % in the mean, and so not
 * surely below; 2.5706 standard errors of 10 are beneath it. */
static void test_not_surely(void **state)
{
    struct fixture *f = *state;
    char *text;

    for (int k = 0; k < 6; k++) {
        append_record(f->folder, "a", "1.jsonl", modelled_mapping("rm", 16, k, 200, 4));
        append_record(f->folder, "a", "1.jsonl",
                      modelled_mapping("bm", 16, k, k == 0 ? 300 : 180, 3.2));
    }
    text = table_of(f, "mapping-claims", NULL, NUCE_GRID_CSV);
    has(text, "significantly,129,-25.71,,no,6,\n");
    /* And latency tells nothing of cardinality. */
    has(text, "linearly,129,0,,no,6,\n");
    free(text);
}

/* A microsecond and a hundredth of one for each unit of cardinality. */
static void test_linear(void **state)
{
    struct fixture *f = *state;
    char *text;

    for (int k = 0; k < 3; k++) {
        append_record(f->folder, "a", "1.jsonl",
                      modelled_mapping("rm", 16, k, 200 + 10 * k, 3 + 0.1 * k));
        append_record(f->folder, "a", "1.jsonl",
                      modelled_mapping("bm", 16, k, 100 + 30 * k, 2 + 0.3 * k));
    }
    text = table_of(f, "mapping-claims", NULL, NUCE_GRID_CSV);
    has(text, "linearly,129,100,,yes,3,\n");
    free(text);
}

static void append_placed(const struct fixture *f, struct placed what)
{
    append_record(f->folder, "a", "1.jsonl", placed_record(&what));
}

/* The model gives sm and bm one cost, linear more and two draws of rm most: bm is measured to be
 * slower than linear, which is against it, and the ratio of the first rm to linear may be 1. The
 * second draw has a heat of its own with linear, which is one row. What never raced is not there.
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
    struct fixture *f = *state;
    char *text;

    append_placements(f->folder, 1, first, 4);
    append_placements(f->folder, 2, second, 2);
    append_placed(f, (struct placed){"measured", "bm-swap", 1, 1e-3, 1e-4, 900, 3e-6});
    text = table_of(f, "mapping-measured", NULL, NUCE_GRID_CSV);
    has_not(text, "bm-swap");
    has(text,
        "\"stencil, 8 ranks, 1 KiB\",1,sm,1,0.25 [0.24 0.26],1.00 [1.00 1.00],[1.00 1.00],1.000,"
        "3,1,2 of 2,0,3,24,");
    has(text, ",2,linear,4,1 (reference),4.00 [3.84 4.17],[1.00 1.00],2.000,3.5,3,1 of 3,1,3,24,");
    has(text, ",3,rm 1,4.1,1.02 [0.98 1.07],4.10 [3.87 4.35],[1.00 1.00],3.000,4,4,1 of 3,1,3,24,");
    has(text, ",4,bm,6,1.50 [1.42 1.59],6.00 [5.76 6.25],[1.00 1.00],1.000,3,1,0 of 2,2,3,24,");
    has(text, ",5,rm 2,8,2.00 [1.92 2.08],8.00,[1.00 1.00],3.500,4.2,5,1 of 1,0,3,24,");
    has_not(text, ",linear 2,");
    free(text);
}

/* Gains are over the mean of rm's draws. */
static void test_placed_simulated(void **state)
{
    struct fixture *f = *state;
    char *text;

    append_placed(f, (struct placed){"simulated", "sm", 1, 1e-6, 0, 1000, 3e-6});
    append_placed(f, (struct placed){"simulated", "rm", 1, 2e-6, 0, 3000, 4e-6});
    append_placed(f, (struct placed){"simulated", "rm", 2, 6e-6, 0, 5000, 6e-6});
    append_placed(f, (struct placed){"measured", "sm", 1, 9e-6, 0, 1000, 3e-6});
    text = table_of(f, "mapping-simulated", NULL, NUCE_GRID_CSV);
    has(text, "messages of 100 B\",sm,1.000,25.0,3.000,40.0,1.000,75.0,1,1,3,");
    has(text, ",rm 2,5.000,125.0,6.000,-20.0,6.000,-50.0,3,3,3,");
    assert_null(strstr(text, ",9.000,"));
    free(text);
}

static void append_measured(const struct fixture *f, struct redistribution what, double s,
                            double bound_s)
{
    json_t *record = measured_redistribution(&what, s);

    json_object_update_new(
        record, json_pack("{s:f, s:f}", "single_port_bound_s", bound_s, "bound_s", bound_s / 2));
    append_record(f->folder, "a", "1.jsonl", record);
}

/* On a simulated machine, whose job is described elsewhere. */
static void append_simulated(const struct fixture *f, struct redistribution what, double s,
                             double bound_s)
{
    json_t *record = measured_redistribution(&what, s);

    json_object_update_new(record,
                           json_pack("{s:s, s:s, s:f, s:f}", "kind", "simulated", "wait", "block",
                                     "single_port_bound_s", bound_s, "bound_s", bound_s / 2));
    append_record(f->folder, "a", "1.jsonl", record);
}

/* A job on a platform. */
static void append_platform(const struct fixture *f, const char *job, const char *platform)
{
    json_t *record = job_record("a", job, "cpu");

    set_described(record, "cluster", json_pack("{s:s}", "platform", platform));
    append_record(f->folder, "a", "1.jsonl", record);
}

static void append_modelled(const struct fixture *f, struct redistribution what, double s,
                            double bound_s)
{
    append_record(f->folder, "a", "1.jsonl", modelled_redistribution(&what, s, bound_s));
}

/* Planned and traced steps are the paper's. A diagram of one run is of the newest, and says so. */
static void test_steps(void **state)
{
    struct fixture *f = *state;
    struct redistribution direct = {"j1", "direct", 4, 3, "emulated", NULL, "1..2", 1};
    struct redistribution greedy = {"j1", "greedy", 4, 3, "emulated", "1", "1..2", 2};
    char *text;

    append_record(f->folder, "a", "1.jsonl", traced_redistribution(&direct));
    append_record(f->folder, "a", "1.jsonl", traced_redistribution(&greedy));
    text = table_of(f, "redistribution-figure2b", NULL, NUCE_GRID_CSV);
    has(text, "\n1,step 1,paper,from 1,1,3\n");
    has(text, "\n1,step 1,planned,from 1,1,3\n");
    has(text, "\n3,step 3,traced,from 2,2,0\n");
    free(text);
    text = table_of(f, "redistribution-figure3", NULL, NUCE_GRID_CSV);
    has(text,
        "\"direct: planned, network emulated, 3 ms (bound 2)\",send,0,0,0,0,8,,0,1,-0.21,0.38\n");
    has(text, "\"direct: traced, clocks to 1.0 us, 1.5 ms\",send,3,2,3,2,8,,1,1.5,2.79,0.38\n");
    has(text, "\"greedy: planned, network emulated, 3 ms (bound 2)\",");
    free(text);
    text = table_of(f, "timeline", NULL, NUCE_GRID_CSV);
    has(text, "\"greedy: planned, network emulated\",send,");
    assert_null(strstr(text, "direct:"));
    free(text);
}

/* Of several networks the mean and the range, each over its own bound. */
static void test_curves(void **state)
{
    static const char range[] = "10000000..200000000";
    struct fixture *f = *state;
    char *text;

    for (int i = 0; i < 2; i++) {
        struct redistribution what = {"j1", "greedy", 64, 40, "random", "1", range, i};
        json_t *record = modelled_redistribution(&what, i + 1.25, i + 1);

        set_param(record, "instance", json_integer(i));
        append_record(f->folder, "a", "1.jsonl", record);
    }
    text = table_of(f, "redistribution-figure5a", NULL, NUCE_GRID_CSV);
    has(text, "\"completion time, ms\",40,greedy,1750,1250,2250,2\n");
    has(text, "\"completion time, ms\",40,lower bound,1500,1000,2000,2\n");
    has(text, "over the lower bound,40,greedy,1.1875,1.125,1.25,2\n");
    free(text);
    text = table_of(f, "redistribution-figure5b", NULL, NUCE_GRID_CSV);
    has(text, "over the lower bound,1900,greedy,1.1875,1.125,1.25,2\n");
    free(text);
}

/* The measured, simulated and modelled stand beside one another, never in one number; of two
 * platforms the one that was simulated last, and the footer says which. */
static void test_kinds(void **state)
{
    static const char range[] = "10000000..200000000";
    struct fixture *f = *state;
    struct redistribution what = {"j1", "greedy", 16, 5, "emulated", "1", range, 1};
    char *text;

    append_platform(f, "j2", "old.xml");
    append_platform(f, "j3", "new.xml");
    append_measured(f, what, 0.5, 0.25);
    append_modelled(f, what, 0.375, 0.25);
    what.job = "j2";
    append_simulated(f, what, 0.125, 0.25);
    what.job = "j3";
    what.number = 2;
    append_simulated(f, what, 0.25, 0.25);
    text = table_of(f, "redistribution-figure4", NULL, NUCE_GRID_CSV);
    has(text, "\"P = 16, N = 10,000,000\",5,greedy,500,375,625,250,375,250,1\n");
    has(text, " on new.xml (environment ");
    has(text, "; modelled: ");
    has_not(text, "old.xml");
    free(text);
}

/* Depths in their order as numbers, auto last; ratios to the library's call of what is exact, and
 * of what was measured only in heats (test_says has such). */
static void test_depth(void **state)
{
    static const char *const depths[] = {"auto", "10", "2", "1"};
    struct fixture *f = *state;
    char *text, *at[4];

    append_measured(f, (struct redistribution){"j1", "alltoallv", 8, 7, "measured", NULL, NULL, 1},
                    0.5, 0.5);
    for (int i = 0; i < 4; i++)
        append_measured(
            f, (struct redistribution){"j1", "greedy", 8, 7, "measured", depths[i], NULL, 2 + i},
            1 + i, 0.5);
    /* One depth of another instance: no row. */
    append_measured(f, (struct redistribution){"j1", "greedy", 8, 3, "measured", "1", NULL, 9}, 1,
                    1);
    /* Simulated ones are compared with simulated ones. */
    append_platform(f, "j2", "even.xml");
    append_simulated(f, (struct redistribution){"j2", "alltoallv", 8, 7, "a@12", NULL, NULL, 10}, 2,
                     2);
    append_simulated(f, (struct redistribution){"j2", "greedy", 8, 7, "a@12", "1", NULL, 11}, 4, 2);
    append_simulated(f, (struct redistribution){"j2", "greedy", 8, 7, "a@12", "2", NULL, 12}, 3, 2);
    text = table_of(f, "redistribution-depth", NULL, NUCE_GRID_CSV);
    has_not(text, ",8,3,");
    has(text, ",greedy,10,,2000 [1500 2500],6,4,8,,measured,2000,1500,2500,,,,,");
    has(text, "a@12,simulated: even.xml,8,7,");
    has(text, ",greedy,2,,3000 [2250 3750],6,1.5,3,1.500,simulated,");
    has(text, ",alltoallv,,,500 [375 625],6,1,2,1,");
    at[0] = strstr(text, ",greedy,1,");
    at[1] = strstr(text, ",greedy,2,");
    at[2] = strstr(text, ",greedy,10,");
    at[3] = strstr(text, ",greedy,auto,");
    for (int i = 0; i < 4; i++)
        assert_true(at[i] != NULL && (i == 0 || at[i - 1] < at[i]));
    free(text);
}

/* Three states of the knowledge and direct, in one environment. */
static void append_state(const struct fixture *f, const char *job, int number, double fresh)
{
    append_measured(f, (struct redistribution){job, "greedy", 8, 7, "measured", "1", NULL, number},
                    fresh, 1);
    append_measured(
        f, (struct redistribution){job, "greedy", 8, 7, "before.network@12ab", "1", NULL, number},
        1, 1);
    append_measured(f, (struct redistribution){job, "greedy", 8, 7, NULL, "1", NULL, number}, 1.5,
                    1);
    append_measured(f, (struct redistribution){job, "direct", 8, 7, NULL, NULL, NULL, number}, 2,
                    1);
}

/* A state of the links is an environment, in the order of time; --environment leaves one. */
static void test_adaptivity(void **state)
{
    struct fixture *f = *state;
    json_t *job = job_record("a", "j2", "cpu");
    char *text, environment[65];
    struct nuce_plot_choice choice = {.environment = environment};

    set_described(job, "cluster", json_string("links have changed"));
    snprintf(environment, sizeof environment, "%s",
             json_string_value(json_object_get(job, "environment")));
    append_record(f->folder, "a", "1.jsonl", job);
    append_state(f, "j2", 1, 0.5);
    append_state(f, "j1", 5, 1);
    text = table_of(f, "redistribution-adaptivity", NULL, NUCE_GRID_CSV);
    has(text, ", environments ");
    has_not(text, "not shown");
    has(text, "\"communication time, ms\",1,");
    has(text, "8,7,10000000,\"greedy, as it is\",500,375,625,6,");
    has(text, "8,7,10000000,\"greedy, before.network\",0.5,0.3,0.83333");
    has(text, "8,7,10000000,\"greedy, no network\",0.75,");
    has(text, "over direct,2,");
    has_not(text, "over direct,3,");
    has_not(text, "\ndirect,1,");
    free(text);
    text = table_of(f, "redistribution-adaptivity", &choice, NUCE_GRID_CSV);
    has_not(text, ", environments ");
    has(text, "over direct,1,");
    has_not(text, "over direct,2,");
    free(text);
}

/* Statements, each from the points that it is about, and what is said where it fails. */
static void test_claims(void **state)
{
    static const char range[] = "10000000..200000000", even[] = "10000000..20000000";
    struct fixture *f = *state;
    char *text;

    append_modelled(f, (struct redistribution){"j1", "greedy", 64, 40, "random", "1", range, 1},
                    1.0625, 1);
    append_modelled(f, (struct redistribution){"j1", "direct", 64, 40, "random", NULL, range, 1},
                    2.125, 1);
    append_modelled(f, (struct redistribution){"j1", "greedy", 64, 9, "random", "1", even, 1}, 1.5,
                    1);
    append_modelled(f, (struct redistribution){"j1", "direct", 64, 9, "random", NULL, even, 1},
                    1.25, 1);
    append_measured(f, (struct redistribution){"j1", "ac", 8, 7, "measured", NULL, NULL, 1}, 0.5,
                    1);
    append_measured(f, (struct redistribution){"j1", "alltoallv", 8, 7, "measured", NULL, NULL, 1},
                    1.5, 1);
    text = table_of(f, "redistribution-claims", NULL, NUCE_GRID_CSV);
    has(text, "%,2 - 10,64,modelled,,6.25,6.25,6.25,1 of 1,,");
    has(text, "%,very close,64,modelled,,6.25,6.25,6.25,1 of 1,,");
    has(text, "%,10 - 60,64,modelled,,50,50,50,1 of 1,,");
    has(text,
        "%,consistent,64,modelled,,15,-20,50,1 of 2,direct was faster on some: where links are "
        "all alike it leaves no gaps,");
    has(text, "times,at most 2,64,modelled,,1.281,1.063,1.5,2 of 2,,");
    has(text, "1,0.5,1.5,1 of 2,no bound here: a node has several transfers at a time,");
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_job, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_means),
                                       TEST(test_not_surely),
                                       TEST(test_linear),
                                       TEST(test_placed),
                                       TEST(test_placed_simulated),
                                       TEST(test_steps),
                                       TEST(test_curves),
                                       TEST(test_kinds),
                                       TEST(test_depth),
                                       TEST(test_adaptivity),
                                       TEST(test_claims)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
