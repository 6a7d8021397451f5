/* Which of what was measured, simulated and modelled a plot gets, and what is said of the rest. */
#include "../test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot_fixture.h"

/* A job of an environment that differs by its processors; its id goes to environment, which has
 * room for 65. */
static void append_job(const struct fixture *f, const char *campaign, const char *job,
                       int processors, char *environment)
{
    json_t *record = job_record(campaign, job, "cpu");

    set_described(record, "processors", json_integer(processors));
    if (environment != NULL)
        snprintf(environment, 65, "%s", json_string_value(json_object_get(record, "environment")));
    append_record(f->folder, campaign, "1.jsonl", record);
}

/* A run of algorithm, on another mesh than others where one is named, of a kind. */
static void append_run(const struct fixture *f, const char *campaign, const char *job,
                       const char *algorithm, const char *mesh, const char *kind, int number)
{
    json_t *record = run_record(campaign, job, algorithm, 16, number);

    if (mesh != NULL)
        set_param(record, "mesh", json_string(mesh));
    json_object_set_new(record, "kind", json_string(kind));
    json_object_set_new(record, "messages", json_integer(8));
    if (strcmp(kind, "modelled") == 0) {
        json_object_set_new(record, "samples", json_pack("{s:[]}", "step"));
        json_object_set_new(record, "predicted_s", json_real(0.5));
    }
    append_record(f->folder, campaign, "1.jsonl", record);
}

/* Whether the table has the row of a panel with that contender; environment NULL: it is the only
 * one, and not named. */
static void has_row(const char *text, const char *panel, const char *environment, const char *cells)
{
    char row[256];

    snprintf(row, sizeof row, "| %s%s%.8s | %s", panel, environment == NULL ? "" : ", environment ",
             environment == NULL ? "" : environment, cells);
    has(text, row);
}

/* Where rows are of several MPI libraries all are named, and the newest three environments. */
static void test_libraries(void **state)
{
    static const char *const libraries[] = {"MPICH Version: 4.0.2", "Open MPI v4.1.4, package: x",
                                            "Open MPI v4.1.4, package: y", "MPICH Version: 4.0.2"};
    struct fixture *f = *state;
    char ids[4][65], wanted[160], *text;

    for (int i = 0; i < 4; i++) {
        const char name[] = {'j', (char)('0' + i), '\0'};
        json_t *record = job_record("a", name, "cpu");

        set_described(record, "mpi", json_pack("{s:s}", "library", libraries[i]));
        set_described(record, "processors", json_integer(i + 1));
        snprintf(ids[i], sizeof ids[i], "%s",
                 json_string_value(json_object_get(record, "environment")));
        append_record(f->folder, "a", "1.jsonl", record);
        append_run(f, "a", name, "ac", name, "measured", i + 1);
    }
    text = table_of(f, "quick", NULL, NUCE_GRID_MARKDOWN);
    snprintf(wanted, sizeof wanted,
             "MPICH 4.0.2 and Open MPI 4.1.4, environments %.8s, %.8s, %.8s and 1 more\n", ids[3],
             ids[2], ids[1]);
    has(text, wanted);
    free(text);
}

/* Each panel is of the newest environment that has it; what an older one has of it is named. */
static void test_apart(void **state)
{
    struct fixture *f = *state;
    struct nuce_plot_choice older = {0};
    char first[65], second[65], left_out[128];
    char *text;

    append_job(f, "a", "j1", 1, first);
    append_job(f, "a", "j2", 2, second);
    append_run(f, "a", "j1", "ac", NULL, "measured", 1);
    append_run(f, "a", "j1", "lp", NULL, "measured", 2);
    append_run(f, "a", "j1", "ac", "other", "measured", 3);
    append_run(f, "a", "j2", "ac", NULL, "measured", 9);
    text = table_of(f, "quick", NULL, NUCE_GRID_MARKDOWN);
    has_row(text, "exchange other rcb, 32 ranks", first, "16 B | ac | 3.25 s [");
    has_row(text, "exchange wing-2800 rcb, 32 ranks", second, "16 B | ac | 9.25 s [");
    has_not(text, "| lp |");
    snprintf(left_out, sizeof left_out, "not shown: 2 points measured in environment %.8s\n",
             first);
    has(text, left_out);
    snprintf(left_out, sizeof left_out, "MPICH 4.0.2, environments %.8s, %.8s\n", second, first);
    has(text, left_out);
    free(text);

    older.environment = first;
    text = table_of(f, "quick", &older, NUCE_GRID_MARKDOWN);
    has_row(text, "exchange wing-2800 rcb, 32 ranks", NULL, "16 B | ac | 1.25 s [1.12 s 1.50 s] |");
    has_row(text, "exchange wing-2800 rcb, 32 ranks", NULL, "16 B | lp | 2.25 s [2.12 s 2.50 s] |");
    has_not(text, "not shown");
    free(text);
}

/* What is not of the environment, or of none, is an error and no table of another one. */
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
    has(error.message, "exchange-cost: nothing of an environment that begins with");
    choice.environment = "0123";
    assert_int_equal(find_rows(f, "exchange-cost", &choice, &data, &error), NUCE_BAD_INPUT);
    has(error.message, "--environment: '0123': expected the beginning of the id of one");
    choice.environment = "x";
    assert_int_equal(find_rows(f, "exchange-cost", &choice, &data, &error), NUCE_BAD_INPUT);
    choice.environment = measured;
    assert_ok(find_rows(f, "exchange-cost", &choice, &data, &error));
    has_not(data.where, "simulated");
    nuce_plot_data_fini(&data);

    /* Nothing at all: what there is instead. */
    assert_int_equal(find_rows(f, "arrays-measured", NULL, &data, &error), NUCE_FAILED);
    has(error.message, "which has measured exchange (2 points), simulated exchange (1 point); run "
                       "'nuce run arrays-measured'");
    choice = (struct nuce_plot_choice){.campaign = "a"};
    assert_int_equal(find_rows(f, "arrays-measured", &choice, &data, &error), NUCE_FAILED);
    has(error.message, "no rows for it of campaign a in ");
    has(error.message, "simulated exchange (1 point): see 'nuce status a'");
}

/* What is exact has no twin, and its reference no control. */
static void test_no_control(void **state)
{
    struct fixture *f = *state;
    char *text;

    append_job(f, "a", "j1", 1, NULL);
    append_run(f, "a", "j1", "ac", NULL, "simulated", 2);
    append_run(f, "a", "j1", "lp", NULL, "simulated", 3);
    text = table_of(f, "quick", NULL, NUCE_GRID_MARKDOWN);
    has(text, " | 1 \\* |\n");
    has_not(text, "control [");
    free(text);
}

/* One table for every kind, each in its panel; a prediction is in no column of measurements. */
static void test_kinds(void **state)
{
    struct fixture *f = *state;
    char *text;

    append_job(f, "a", "j1", 1, NULL);
    append_job(f, "a", "j2", 2, NULL);
    append_job(f, "a", "j3", 3, NULL);
    append_run(f, "a", "j1", "ac", NULL, "measured", 1);
    append_run(f, "a", "j2", "ac", NULL, "simulated", 2);
    append_run(f, "a", "j3", "ac", NULL, "modelled", 3);
    text = table_of(f, "quick", NULL, NUCE_GRID_MARKDOWN);
    has_row(text, "exchange wing-2800 rcb, 32 ranks", NULL,
            "16 B | ac | 1.25 s [1.12 s 1.50 s] |\n");
    has_row(text, "exchange wing-2800 rcb, 32 ranks, simulated", NULL, "16 B | ac | 2.25 s |\n");
    has_row(text, "exchange wing-2800 rcb, 32 ranks, modelled", NULL, "16 B | ac | 500 ms |\n");
    free(text);
    text = table_of(f, "quick", NULL, NUCE_GRID_CSV);
    has(text, ",ac,15,modelled,16,,500,,,8,");
    free(text);
}

/* One campaign: its runs alone, also where others are of the same point. */
static void test_campaign(void **state)
{
    struct fixture *f = *state;
    struct nuce_plot_choice choice = {.campaign = "a"};
    struct nuce_plot_data data;
    struct nuce_error error = {0};
    char *text;

    append_job(f, "a", "j1", 1, NULL);
    append_job(f, "b", "j1", 1, NULL);
    append_run(f, "a", "j1", "ac", NULL, "measured", 1);
    append_run(f, "a", "j1", "lp", NULL, "measured", 4);
    append_run(f, "b", "j1", "ac", NULL, "measured", 8);
    text = table_of(f, "quick", NULL, NUCE_GRID_MARKDOWN);
    /* Two launches, as unlike as these: their geometric mean, of which nothing is known. */
    has(text, " | ac | 3.21 s [");
    has(text, "in 1 to 2 launches");
    free(text);
    text = table_of(f, "quick", &choice, NUCE_GRID_MARKDOWN);
    has(text, " | ac | 1.25 s [1.12 s 1.50 s] |\n");
    has(text, " | lp | 4.25 s [4.12 s 4.50 s] |\n");
    has(text, "in one launch");
    free(text);
    choice.campaign = "b";
    text = table_of(f, "quick", &choice, NUCE_GRID_MARKDOWN);
    has(text, " | 16 B | ac | 8.25 s [8.12 s 8.50 s] |\n");
    has_not(text, "lp");
    free(text);
    choice.campaign = "c";
    assert_int_equal(find_rows(f, "quick", &choice, &data, &error), NUCE_BAD_INPUT);
    has(error.message, "--campaign: 'c' is not in ");
}

/* A campaign that is not through is said to be. */
static void test_unfinished(void **state)
{
    struct fixture *f = *state;
    sqlite3 *handle = NULL;
    struct nuce_plot_data data;
    struct nuce_error error = {0};

    append_job(f, "a", "j1", 1, NULL);
    append_run(f, "a", "j1", "ac", NULL, "measured", 1);
    append_run(f, "a", "j1", "lp", NULL, "measured", 4);
    collect(f);
    assert_int_equal(sqlite3_open(f->database, &handle), SQLITE_OK);
    for (int points = 2; points <= 3; points++) {
        char sql[64];

        snprintf(sql, sizeof sql, "UPDATE campaign SET points = %d", points);
        assert_int_equal(sqlite3_exec(handle, sql, NULL, NULL, NULL), SQLITE_OK);
        assert_ok(find_rows(f, "quick", NULL, &data, &error));
        assert_string_equal(data.doubts, points == 2 ? "" : "campaign a has 2 of its 3 points");
        nuce_plot_data_fini(&data);
    }
    sqlite3_close(handle);
}

/* Contenders of one heat have a winner, over launches; those that were measured each by itself have
 * none, and of one launch it is said that it cannot tell. */
static void test_verdict(void **state)
{
    struct fixture *f = *state;
    struct nuce_plot_data data;
    struct nuce_error error = {0};
    const char *sentence;
    char *text;

    for (int launch = 0; launch < 4; launch++) {
        if (launch == 1) {
            collect(f);
            assert_ok(find_rows(f, "exchange-verdict", NULL, &data, &error));
            has(nuce_grid_text(&data.says, 0, "sentence"), "launched once");
            nuce_plot_data_fini(&data);
        }
        append_launch(f->folder, launch, 1 + 0.01 * (launch - 1), 1.5 + 0.01 * launch, 1);
    }
    text = table_of(f, "exchange-verdict", NULL, NUCE_GRID_CSV);
    has(text, "measured,\"exchange wing-2800 rcb, 32 ranks\",32,16 B,\"ac, rs-n\",1,lp,1.515,");
    free(text);
    text = table_of(f, "quick", NULL, NUCE_GRID_MARKDOWN);
    has(text, " | 1, control [0.98 1.03] \\* |\n");
    has(text, " | lp | ");
    has(text, " | 1.51 [");
    free(text);
    assert_ok(find_rows(f, "quick", NULL, &data, &error));
    sentence = nuce_grid_text(&data.says, 0, "sentence");
    has(sentence,
        "exchange wing-2800 rcb, 32 ranks, unit 16 B: ac, rs-n are the fastest and cannot be "
        "told apart; lp takes 1.5");
    has(sentence, " times as long as ac (control 1.0");
    has(sentence, "], 4 launches).");
    nuce_plot_data_fini(&data);
}

/* Points that never ran in a heat together have no winner, however their medians differ; what is
 * simulated is exact. */
static void test_apart_or_exact(void **state)
{
    struct fixture *f = *state;
    struct nuce_plot_data data;
    struct nuce_error error = {0};
    char *text;

    append_job(f, "a", "j1", 2, NULL);
    append_run(f, "a", "j1", "ac", NULL, "measured", 1);
    append_run(f, "a", "j1", "lp", NULL, "measured", 9);
    collect(f);
    assert_ok(find_rows(f, "exchange-verdict", NULL, &data, &error));
    has(nuce_grid_text(&data.says, 0, "sentence"),
        "16 B: measured each by itself, not in one heat");
    nuce_plot_data_fini(&data);
    append_run(f, "a", "j1", "lp", NULL, "simulated", 1);
    append_run(f, "a", "j1", "ac", NULL, "simulated", 2);
    text = table_of(f, "exchange-verdict", NULL, NUCE_GRID_CSV);
    has(text, "simulated,\"exchange wing-2800 rcb, 32 ranks, simulated\",32,16 B,lp,1,ac,1.8,1.8,");
    free(text);
}

/* Over several instances the launches stay the unit: in each it is the mean over the instances. */
static void test_instances(void **state)
{
    struct fixture *f = *state;
    struct nuce_plot_data data;
    struct nuce_error error = {0};
    int64_t row = 0;

    for (int launch = 0; launch < 3; launch++) {
        append_heat(f->folder, launch, 1, 1, 1.21 + 0.001 * launch, 1);
        append_heat(f->folder, launch, 2, 1, 1, 1);
    }
    collect(f);
    assert_ok(find_rows(f, "quick", NULL, &data, &error));
    while (row < data.grid.rows && strcmp(nuce_grid_text(&data.grid, row, "contender"), "lp") != 0)
        row++;
    assert_string_equal(nuce_grid_text(&data.grid, row, "instances"), "2");
    assert_string_equal(nuce_grid_text(&data.grid, row, "launches"), "3");
    /* The square root of 1.211. */
    assert_true(fabs(strtod(nuce_grid_text(&data.grid, row, "ratio"), NULL) - 1.10045) < 1e-4);
    assert_string_equal(nuce_grid_text(&data.grid, row, "is_best"), "0");
    nuce_plot_data_fini(&data);
}

/* Algorithms have their order in a table, whichever was measured first. */
static void test_order(void **state)
{
    static const char *const rows[] = {"| ac |", "| lp |", "| rs-n |", "| alltoallv |"};
    struct fixture *f = *state;
    char *text;

    append_job(f, "a", "j1", 1, NULL);
    append_run(f, "a", "j1", "rs-n", NULL, "measured", 1);
    append_run(f, "a", "j1", "alltoallv", NULL, "measured", 2);
    append_run(f, "a", "j1", "ac", NULL, "measured", 3);
    append_run(f, "a", "j1", "lp", NULL, "measured", 4);
    text = table_of(f, "quick", NULL, NUCE_GRID_MARKDOWN);
    for (size_t i = 1; i < COUNT(rows); i++)
        assert_true(strstr(text, rows[i - 1]) < strstr(text, rows[i]));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_libraries, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unanswered, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_control, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_kinds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_campaign, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unfinished, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_verdict, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_apart_or_exact, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_instances, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_order, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
