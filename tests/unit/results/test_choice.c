/* Which of what was measured, simulated and modelled a plot gets, and what is said of the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "table_fixture.h"

/* A job of an environment that differs by its processors; its id goes to environment, which has
 * room for 65. */
static void append_job(const struct fixture *f, const char *campaign, const char *job,
                       int processors, char *environment)
{
    json_t *record = job_record(campaign, job, "cpu");

    set_described(record, "processors", json_integer(processors));
    if (environment != NULL)
        (void)snprintf(environment, 65, "%s",
                       json_string_value(json_object_get(record, "environment")));
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

/* Whether the table has the row of a panel at 16 bytes, of one instance of an environment. */
static void has_row(const char *text, const char *panel, const char *environment, const char *cells)
{
    char row[256];

    (void)snprintf(row, sizeof row, "| %s | 16 | 1 | %.8s | %s", panel, environment, cells);
    has(text, row);
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
    has_row(text, "exchange other rcb, 32 ranks", first, "3250 ");
    has_row(text, "exchange wing-2800 rcb, 32 ranks", second, "9250 ");
    has_not(text, "| lp |");
    (void)snprintf(left_out, sizeof left_out, "not shown: 2 points measured in environment %.8s\n",
                   first);
    has(text, left_out);
    (void)snprintf(left_out, sizeof left_out, "environment %.8s and 1 other environment", second);
    has(text, left_out);
    free(text);

    older.environment = first;
    text = table_of(f, "quick", &older, NUCE_GRID_MARKDOWN);
    has_row(text, "exchange wing-2800 rcb, 32 ranks", first,
            "1250 [1125 1500] | 2250 [2125 2500] |");
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
    assert_int_equal(find_rows(f, "exchange-cost", &choice, &data, &error), NUCE_OK);
    has_not(data.where, "simulated");
    nuce_plot_data_fini(&data);

    /* Nothing at all: what there is instead. */
    assert_int_equal(find_rows(f, "arrays-measured", NULL, &data, &error), NUCE_FAILED);
    has(error.message, "which has measured exchange (2 points), simulated exchange (1 point); run "
                       "'nuce run arrays-measured'");
}

/* One table for every kind, each in its panel; a prediction is in no column of measurements. */
static void test_kinds(void **state)
{
    struct fixture *f = *state;
    char *text, environments[3][65];

    append_job(f, "a", "j1", 1, environments[0]);
    append_job(f, "a", "j2", 2, environments[1]);
    append_job(f, "a", "j3", 3, environments[2]);
    append_run(f, "a", "j1", "ac", NULL, "measured", 1);
    append_run(f, "a", "j2", "ac", NULL, "simulated", 2);
    append_run(f, "a", "j3", "ac", NULL, "modelled", 3);
    text = table_of(f, "quick", NULL, NUCE_GRID_MARKDOWN);
    has_row(text, "exchange wing-2800 rcb, 32 ranks", environments[0], "1250 [1125 1500] |\n");
    has_row(text, "exchange wing-2800 rcb, 32 ranks, simulated", environments[1], "2250 |\n");
    has_row(text, "exchange wing-2800 rcb, 32 ranks, modelled", environments[2], "500 |\n");
    free(text);
    text = table_of(f, "quick", NULL, NUCE_GRID_CSV);
    has(text, ",ac,modelled,16,,500,,,\n");
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
    has(text, " | 4813 [1250 8250] runs disagree |"); /* of both runs */
    has(text, "runs of 1 point disagree");
    free(text);
    text = table_of(f, "quick", &choice, NUCE_GRID_MARKDOWN);
    has(text, " | 1250 [1125 1500] | 4250 [4125 4500] |\n");
    has_not(text, "disagree");
    free(text);
    choice.campaign = "b";
    text = table_of(f, "quick", &choice, NUCE_GRID_MARKDOWN);
    has(text, " | 8250 [8125 8500] |\n");
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

        (void)snprintf(sql, sizeof sql, "UPDATE campaign SET points = %d", points);
        assert_int_equal(sqlite3_exec(handle, sql, NULL, NULL, NULL), SQLITE_OK);
        assert_int_equal(find_rows(f, "quick", NULL, &data, &error), NUCE_OK);
        assert_string_equal(data.doubts, points == 2 ? "" : "campaign a has 2 of its 3 points");
        nuce_plot_data_fini(&data);
    }
    (void)sqlite3_close(handle);
}

/* A launch that began beside other work is no proof of who wins. */
static void test_busy(void **state)
{
    struct fixture *f = *state;
    json_t *record = job_record("a", "j2", "cpu");
    struct nuce_plot_data data;
    struct nuce_error error = {0};
    char *text;

    append_job(f, "a", "j1", 2, NULL);
    append_run(f, "a", "j1", "ac", NULL, "measured", 1);
    append_run(f, "a", "j1", "lp", NULL, "measured", 9);
    text = table_of(f, "exchange-verdict", NULL, NUCE_GRID_MARKDOWN);
    has(text, "| measured | wing-2800 rcb | 32 | 16 | ac | 1 | lp | 7.4 | yes |");
    free(text);

    set_described(record, "processors", json_integer(2));
    json_object_set_new(json_object_get(record, "facts"), "load", json_real(1.5));
    append_record(f->folder, "a", "2.jsonl", record);
    append_record(f->folder, "a", "2.jsonl", run_record("a", "j2", "lp", 16, 9));
    text = table_of(f, "exchange-verdict", NULL, NUCE_GRID_MARKDOWN);
    has(text, "| ac | 1 | lp | 7.4 | BUSY |");
    free(text);
    assert_int_equal(find_rows(f, "exchange-verdict", NULL, &data, &error), NUCE_OK);
    assert_true(data.is_busy);
    has(nuce_grid_text(&data.says, 0, "sentence"),
        "ac is fastest at 16 B (the next, lp, takes 7.40 times as long, not judged, the machine "
        "was "
        "BUSY).");
    nuce_plot_data_fini(&data);
}

/* Who wins over several instances takes a sign test, which few instances cannot pass; what is
 * simulated has its own rows, and on one instance nothing is said of others. */
static void test_instances(void **state)
{
    struct fixture *f = *state;
    char *text;

    append_job(f, "a", "j1", 1, NULL);
    append_job(f, "a", "j2", 2, NULL);
    for (int seed = 1; seed <= 6; seed++) {
        for (int slow = 0; slow <= 1; slow++) {
            json_t *record = run_record("a", "j1", slow ? "lp" : "ac", 16, seed + 8 * slow);

            set_param(record, "seed", json_integer(seed));
            append_record(f->folder, "a", "1.jsonl", record);
        }
        text = table_of(f, "exchange-verdict", NULL, NUCE_GRID_MARKDOWN);
        has(text, seed == 1  ? "| ac | 1 | lp | 7.4 | yes |"
                  : seed < 6 ? "| too few |"
                             : "| ac | 6 | lp | 3.133 | yes |");
        free(text);
    }
    append_run(f, "a", "j2", "lp", NULL, "simulated", 1);
    append_run(f, "a", "j2", "ac", NULL, "simulated", 2);
    text = table_of(f, "exchange-verdict", NULL, NUCE_GRID_MARKDOWN);
    has(text, "| simulated | wing-2800 rcb | 32 | 16 | lp | 1 | ac | 1.8 |  |");
    free(text);
}

/* Algorithms have their order in a table whatever each line of it lacks. */
static void test_order(void **state)
{
    struct fixture *f = *state;
    char *text;

    append_job(f, "a", "j1", 1, NULL);
    append_run(f, "a", "j1", "rs-n", "a", "measured", 1);
    append_run(f, "a", "j1", "alltoallv", "b", "measured", 2);
    append_run(f, "a", "j1", "ac", "b", "measured", 3);
    append_run(f, "a", "j1", "lp", "c", "measured", 4);
    text = table_of(f, "quick", NULL, NUCE_GRID_MARKDOWN);
    has(text, "| instances | environment | ac | lp | rs-n | alltoallv |\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unanswered, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_kinds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_campaign, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unfinished, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_busy, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_instances, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_order, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
