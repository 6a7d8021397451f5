/* The choice of measured, simulated and modelled rows for a plot, and the remarks on the others. */
#include "plot_fixture.h"

/* A job of an environment that differs by its processors; its id goes to environment, which has
 * room for 65. */
static void append_job(const struct fixture *f, const char *campaign, const char *job,
                       int processors, char *environment)
{
    json_t *record = describing(job_record(campaign, job, "cpu"), "'processors':%d", processors);

    if (environment != NULL)
        snprintf(environment, 65, "%s", json_string_value(json_object_get(record, "environment")));
    append_record(f->folder, campaign, "1.jsonl", record);
}

/* A run of algorithm, of a kind; mesh: another mesh than that of other runs. */
static void append_run(const struct fixture *f, const char *campaign, const char *job,
                       const char *algorithm, const char *mesh, const char *kind, int number)
{
    json_t *record = run_record(campaign, job, algorithm, 16, number);

    if (mesh != NULL)
        with_params(record, "'mesh':'%s'", mesh);
    with(record, "'kind':'%s','messages':8", kind);
    if (strcmp(kind, "modelled") == 0)
        with(record, "'samples':{'step':[]},'predicted_s':0.5");
    append_record(f->folder, campaign, "1.jsonl", record);
}

/* The text with the beginnings of the ids of environments where the format has %.8s. */
#define NAMING(text, ...) (snprintf(text, sizeof(text), __VA_ARGS__), (text))

/* Where rows are of several MPI libraries all are named, and the newest three environments. */
static void test_libraries(void **state)
{
    static const char *const libraries[] = {"MPICH Version: 4.0.2", "Open MPI v4.1.4, package: x",
                                            "Open MPI v4.1.4, package: y", "MPICH Version: 4.0.2"};
    struct fixture *f = *state;
    char ids[4][65], wanted[160];

    for (int i = 0; i < 4; i++) {
        const char name[] = {'j', (char)('0' + i), '\0'};
        json_t *record = describing(job_record("a", name, "cpu"),
                                    "'mpi':{'library':'%s'},'processors':%d", libraries[i], i + 1);

        snprintf(ids[i], sizeof ids[i], "%s",
                 json_string_value(json_object_get(record, "environment")));
        put(f, record);
        append_run(f, "a", name, "ac", name, "measured", i + 1);
    }
    snprintf(wanted, sizeof wanted,
             "MPICH 4.0.2 and Open MPI 4.1.4, environments %.8s, %.8s, %.8s and 1 more\n", ids[3],
             ids[2], ids[1]);
    MARKDOWN(f, "quick", wanted);
}

/* Each panel is of the newest environment that has it; rows of older ones are mentioned. */
static void test_apart(void **state)
{
    struct fixture *f = *state;
    struct nuce_plot_choice older = {0};
    char first[65], second[65], texts[4][256];

    append_job(f, "a", "j1", 1, first);
    append_job(f, "a", "j2", 2, second);
    append_run(f, "a", "j1", "ac", NULL, "measured", 1);
    append_run(f, "a", "j1", "lp", NULL, "measured", 2);
    append_run(f, "a", "j1", "ac", "other", "measured", 3);
    append_run(f, "a", "j2", "ac", NULL, "measured", 9);
    MARKDOWN(
        f, "quick",
        NAMING(texts[0],
               "| exchange other rcb, 32 ranks, environment %.8s | 16 B | ac (post all) | 3.25 s [",
               first),
        NAMING(texts[1],
               "| exchange wing-2800 rcb, 32 ranks, environment %.8s | 16 B | ac (post all) | 9.25 "
               "s [",
               second),
        NAMING(texts[2], "not shown: 2 points measured in environment %.8s\n", first),
        NAMING(texts[3], "MPICH 4.0.2, environments %.8s, %.8s\n", second, first), "!| lp");
    older.environment = first;
    TABLE(f, "quick", &older, NUCE_GRID_MARKDOWN,
          "| exchange wing-2800 rcb, 32 ranks | 16 B | ac (post all) | 1.25 s [1.12 s, 1.50 s] |",
          "| exchange wing-2800 rcb, 32 ranks | 16 B | lp (pairwise phases) | 2.25 s [2.12 s, 2.50 "
          "s] |",
          "!not shown");
}

/* A plot that has nothing of the environment, or of none, is an error and no table of another one.
 */
static void test_unanswered(void **state)
{
    struct fixture *f = *state;
    struct nuce_plot_choice choice = {0};
    struct nuce_plot_data data;
    struct nuce_error error = {0};
    char measured[65], simulated[65];

    append_job(f, "a", "j1", 1, measured);
    append_job(f, "a", "j2", 2, simulated);
    append_run(f, "a", "j1", "ac", NULL, "measured", 1);
    append_run(f, "a", "j1", "lp", NULL, "measured", 1);
    append_run(f, "a", "j2", "ac", NULL, "simulated", 2);
    collect(f);
    choice.environment = simulated;
    assert_int_equal(find_rows(f, "exchange-cost", &choice, &data, &error), NUCE_FAILED);
    has(error.message, "exchange-cost: no rows of an environment whose id begins with");
    choice.environment = "0123";
    assert_int_equal(find_rows(f, "exchange-cost", &choice, &data, &error), NUCE_BAD_INPUT);
    has(error.message, "--environment: '0123': expected the beginning of the id of one");
    choice.environment = "x";
    assert_int_equal(find_rows(f, "exchange-cost", &choice, &data, &error), NUCE_BAD_INPUT);
    choice.environment = measured;
    assert_ok(find_rows(f, "exchange-cost", &choice, &data, &error));
    has(data.where, "!simulated");
    nuce_plot_data_fini(&data);

    /* No row at all: the message names other content. */
    assert_int_equal(find_rows(f, "arrays-measured", NULL, &data, &error), NUCE_FAILED);
    has(error.message, "which has measured exchange (2 points), simulated exchange (1 point); run "
                       "'nuce run arrays-measured'");
    choice = (struct nuce_plot_choice){.campaign = "a"};
    assert_int_equal(find_rows(f, "arrays-measured", &choice, &data, &error), NUCE_FAILED);
    has(error.message, "no rows for it of campaign a in ");
    has(error.message, "simulated exchange (1 point): see 'nuce status a'");
}

/* One table for every kind, each in its panel; a prediction is in no column of measurements. Exact
 * times have no duplicate, so their reference has no noise. */
static void test_kinds(void **state)
{
    struct fixture *f = *state;

    append_job(f, "a", "j1", 1, NULL);
    append_job(f, "a", "j2", 2, NULL);
    append_job(f, "a", "j3", 3, NULL);
    append_run(f, "a", "j1", "ac", NULL, "measured", 1);
    append_run(f, "a", "j2", "ac", NULL, "simulated", 2);
    append_run(f, "a", "j3", "ac", NULL, "modelled", 3);
    MARKDOWN(
        f, "quick",
        "| exchange wing-2800 rcb, 32 ranks | 16 B | ac (post all) | 1.25 s [1.12 s, 1.50 s] |\n",
        "| exchange wing-2800 rcb, 32 ranks, simulated | 16 B | ac (post all) | 2.25 s |\n",
        "| exchange wing-2800 rcb, 32 ranks, modelled | 16 B | ac (post all) | 500 ms |\n");
    CSV(f, "quick", ",ac,15,modelled,16,,500,,,8,");
    append_run(f, "a", "j2", "lp", NULL, "simulated", 3);
    MARKDOWN(f, "quick", " | ac (post all) | \\* | 1 (reference) | 2.25 s |\n",
             " | lp (pairwise phases) |  | 1.44x | 3.25 s |\n", "!noise");
}

/* One campaign: its runs alone, also where others are of the same point. */
static void test_campaign(void **state)
{
    struct fixture *f = *state;
    struct nuce_plot_choice choice = {.campaign = "a"};
    struct nuce_plot_data data;
    struct nuce_error error = {0};

    append_job(f, "a", "j1", 1, NULL);
    append_job(f, "b", "j1", 1, NULL);
    append_run(f, "a", "j1", "ac", NULL, "measured", 1);
    append_run(f, "a", "j1", "lp", NULL, "measured", 4);
    append_run(f, "b", "j1", "ac", NULL, "measured", 8);
    /* Two launches, as unlike as these: their geometric mean, of which nothing is known. */
    MARKDOWN(f, "quick", " | ac (post all) | 3.21 s [", "in 1 to 2 launches");
    TABLE(f, "quick", &choice, NUCE_GRID_MARKDOWN, " | ac (post all) | 1.25 s [1.12 s, 1.50 s] |\n",
          " | lp (pairwise phases) | 4.25 s [4.12 s, 4.50 s] |\n", "in one launch");
    choice.campaign = "b";
    TABLE(f, "quick", &choice, NUCE_GRID_MARKDOWN,
          " | 16 B | ac (post all) | 8.25 s [8.12 s, 8.50 s] |\n", "!lp");
    choice.campaign = "c";
    assert_int_equal(find_rows(f, "quick", &choice, &data, &error), NUCE_BAD_INPUT);
    has(error.message, "campaign 'c' is not in ");
}

/* An unfinished campaign is marked as such. */
static void test_unfinished(void **state)
{
    struct fixture *f = *state;
    sqlite3 *handle = NULL;
    struct nuce_plot_data data;

    append_job(f, "a", "j1", 1, NULL);
    append_run(f, "a", "j1", "ac", NULL, "measured", 1);
    append_run(f, "a", "j1", "lp", NULL, "measured", 4);
    collect(f);
    assert_int_equal(sqlite3_open(f->database, &handle), SQLITE_OK);
    for (int points = 2; points <= 3; points++) {
        char sql[64];

        snprintf(sql, sizeof sql, "UPDATE campaign SET points = %d", points);
        assert_int_equal(sqlite3_exec(handle, sql, NULL, NULL, NULL), SQLITE_OK);
        assert_ok(find_rows(f, "quick", NULL, &data, ANY_ERROR));
        assert_string_equal(data.doubts, points == 2 ? "" : "campaign a has 2 of its 3 points");
        nuce_plot_data_fini(&data);
    }
    sqlite3_close(handle);
}

/* Contenders of one race have a winner, over launches; those that were measured separately have
 * none, and one launch is inconclusive. */
static void test_verdict(void **state)
{
    struct fixture *f = *state;

    for (int launch = 0; launch < 4; launch++) {
        if (launch == 1)
            CHECK(f, "exchange-verdict", ": 0.99x; 1 launch.",
                  "Inconclusive: one launch has no interval; run more launches.\n");
        append_launch(f, launch, 1 + 0.01 * (launch - 1), 1.5 + 0.01 * launch, 1);
    }
    CSV(f, "exchange-verdict",
        "measured,\"exchange wing-2800 rcb, 32 ranks\",32,16 B,\"ac, rs-n\",1,lp,1.515,");
    MARKDOWN(f, "quick", " | ac (post all) | \\* | 1 (reference) | ",
             " | rs-n (random phases) | \\* | 1.00x | ",
             " | lp (pairwise phases) |  | 1.51x [1.49, 1.54] | ",
             " | noise (ac vs ac) |  | 1.00x [0.98, 1.03] |  |\n");
    CHECK(f, "quick",
          "exchange wing-2800 rcb, 32 ranks, item-bytes 16 B:\n"
          "Fastest: ac, rs-n (no significant difference).\n"
          "Slower than ac: lp 1.51x [1.49, 1.54].\n"
          "Noise (ac vs ac): 1.00x [0.98, 1.03]; 4 launches.\n");
}

/* A contender that failed after its first launch, in which it was the fastest, hides no other
 * result, nor does one that came later and never met it. */
static void test_few_launches(void **state)
{
    struct fixture *f = *state;

    append_launch(f, 0, 1, 1.5, 0.5);
    for (int launch = 1; launch < 4; launch++) {
        append_job_of(f, launch);
        append_entrant(f, launch, 1, "ac", 1, 1 + 0.001 * launch);
        append_entrant(f, launch, 1, "lp", 1.5 + 0.01 * launch, 0);
        append_entrant(f, launch, 1, "rs-nh", 0.996 + 0.002 * launch, 0);
    }
    CHECK(f, "quick",
          "item-bytes 16 B:\n"
          "Fastest: ac, rs-nh (no significant difference).\n"
          "Slower than ac: lp 1.51x [1.49, 1.54].\n"
          "No verdict: rs-n ran in 1 launch only.\n"
          "Not all in the same launches: rs-n, rs-nh. Each ratio is to ac of its own launches.\n"
          "Noise (ac vs ac): ");
    gives(f, 2, "SELECT count(*) FROM ratio WHERE name IN ('ac', 'rs-nh') AND is_best");
    gives(f, 1,
          "SELECT ratio_to_fastest < 1.01 FROM standing JOIN point ON id = point WHERE contender = "
          "'ac'");
}

/* A contender of a later campaign raced in fewer launches than the others. */
static void test_later_launches(void **state)
{
    struct fixture *f = *state;

    for (int launch = 0; launch < 8; launch++) {
        append_job_of(f, launch);
        append_entrant(f, launch, 1, "ac", 1, 1 + 0.001 * launch);
        if (launch < 4)
            append_entrant(f, launch, 1, "lp", 2 + 0.01 * launch, 0);
        else
            append_entrant(f, launch, 1, "alltoallv", exp(0.19 + 0.1 * (launch - 5.5)), 0);
    }
    CHECK(
        f, "quick",
        "Inconclusive: 4 launches are too few to separate ac, alltoallv (largest ratio: alltoallv "
        "over ac, 1.21x); about 6 should suffice (launches: 6 below measure:).\n",
        "; 8 launches.\n");
}

/* One of the fastest whose own interval lies above 1: the noise reaches as far, or three contenders
 * need a wider interval than two. */
static void test_above(void **state)
{
    for (int is_loud = 0; is_loud < 2; is_loud++) {
        struct fixture *f = set_up_again(state);

        for (int launch = 0; launch < 4; launch++) {
            int sign = launch % 2 == 0 ? 1 : -1;

            append_launch(f, launch, 1 + (is_loud ? 0.1 : 1e-4) * sign,
                          exp(0.0416 + (is_loud ? 0.001 : 0.02) * sign), 2 + 0.01 * launch);
        }
        CHECK(f, "quick",
              is_loud ? "lp *: the interval lies above 1, but the ratio is no further from 1 than "
                        "the noise.\nNoise (ac vs ac): "
                      : "lp *: the interval lies above 1, but not if corrected for all "
                        "contenders.\nNoise (ac vs ac): ");
    }
}

/* Slower than one of the fastest, but than the reference only if not corrected for three
 * contenders.
 */
static void test_slower_than(void **state)
{
    struct fixture *f = *state;

    for (int launch = 0; launch < 4; launch++) {
        int sign = launch % 2 == 0 ? 1 : -1;

        append_launch(f, launch, 1 + 1e-4 * sign, exp(0.0416 + 0.02 * sign), exp(0.018 * sign));
    }
    CHECK(f, "quick",
          "Fastest: ac, rs-n (no significant difference).\n"
          "Slower than the fastest; ratio to ac: lp 1.04x [1.00, 1.08] (slower than rs-n).\n");
}

/* Points that never ran in a race together have no winner, however their medians differ; simulated
 * times are exact. */
static void test_apart_or_exact(void **state)
{
    struct fixture *f = *state;

    append_job(f, "a", "j1", 2, NULL);
    append_run(f, "a", "j1", "ac", NULL, "measured", 1);
    append_run(f, "a", "j1", "lp", NULL, "measured", 9);
    CHECK(f, "exchange-verdict",
          "item-bytes 16 B:\nInconclusive: each was measured by itself, not in one race.\n");
    append_run(f, "a", "j1", "lp", NULL, "simulated", 1);
    append_run(f, "a", "j1", "ac", NULL, "simulated", 2);
    CSV(f, "exchange-verdict",
        "simulated,\"exchange wing-2800 rcb, 32 ranks, simulated\",32,16 B,lp,1,ac,1.8,1.8,");
}

/* Over two instances lp, in so many launches, takes 1.1 times as long as the reference: the square
 * root of 1.211. */
static void is_slower_in(const struct fixture *f, const char *launches)
{
    OWNED(plot_data) data;
    int64_t row = 0;

    collect(f);
    assert_ok(find_rows(f, "quick", NULL, &data, ANY_ERROR));
    while (row < data.grid.rows && strcmp(nuce_grid_text(&data.grid, row, "contender"), "lp") != 0)
        row++;
    assert_string_equal(nuce_grid_text(&data.grid, row, "instances"), "2");
    assert_string_equal(nuce_grid_text(&data.grid, row, "launches"), launches);
    assert_near(strtod(nuce_grid_text(&data.grid, row, "ratio"), NULL), 1.10045, 1e-3);
    assert_string_equal(nuce_grid_text(&data.grid, row, "is_best"), "0");
}

/* Over several instances the launches stay the unit: in each it is the mean over the instances.
 * Two launches that have one instance each, as after an interrupt, are one; one without the other
 * instance is none. */
static void test_instances(void **state)
{
    struct fixture *f = *state;

    for (int launch = 0; launch < 3; launch++) {
        append_race(f, launch, 1, 1, 1.21 + 0.001 * launch, 1);
        append_race(f, launch, 2, 1, 1, 1);
    }
    is_slower_in(f, "3");
    append_race(f, 3, 1, 1, 1.212, 1);
    is_slower_in(f, "3");
    append_race(f, 4, 2, 1, 1, 1);
    is_slower_in(f, "4");
}

RUN_EACH(set_up, tear_down, test_libraries, test_apart, test_unanswered, test_kinds, test_campaign,
         test_unfinished, test_verdict, test_few_launches, test_later_launches, test_above,
         test_slower_than, test_apart_or_exact, test_instances)
