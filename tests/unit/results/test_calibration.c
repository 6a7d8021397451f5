/* Tables 2 and 3 and Figure 5 of the exchange paper say of records what nuce-calibrate prints of
 * them: the rules stand in kernels/programs, in C, and in plots, in SQL. */
#include "../test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>

#include "base/rng.h"
#include "points/workload.h"
#include "programs/calibrate.h"
#include "records.h"
#include "results/plot.h"
#include "run/run_record.h"

#define RANKS 8
#define SAMPLES 9

struct fixture {
    char folder[PATH_BYTES];
    char campaigns[PATH_BYTES + 16];
    char database[PATH_BYTES + 16];
    struct nuce_rng rng;
    json_t *rows; /* what nuce-calibrate prints */
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    make_folder(f->folder);
    snprintf(f->campaigns, sizeof f->campaigns, "%s/", f->folder);
    snprintf(f->database, sizeof f->database, "%s/nuce.db", f->folder);
    f->rng = nuce_rng_create(1, 0);
    f->rows = json_array();
    append_record(f->folder, "a", "1.jsonl", job_record("a", "j1", "cpu"));
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    remove_folder(f->folder);
    json_decref(f->rows);
    free(f);
    return 0;
}

/* Adds record (released) to the records, and its row to those that are printed. */
static void add(struct fixture *f, const struct nuce_workload_run *run, json_t *record)
{
    json_t *row = nuce_run_row(nuce_workload_find(run->name)->results, record);

    assert_non_null(row);
    run->summarise(record, row);
    assert_int_equal(json_array_append_new(f->rows, row), 0);
    append_record(f->folder, "a", "1.jsonl", record);
}

static void query(const struct fixture *f, const char *name, struct nuce_plot_data *data)
{
    struct nuce_plot plot;
    struct nuce_store store;
    struct nuce_error error;

    assert_ok(collect_all(f->database, f->campaigns, NULL, NULL, &error));
    assert_ok(nuce_plot_read(name, &plot, &error));
    assert_ok(nuce_store_open_reading(f->database, &store, &error));
    if (nuce_plot_query(&plot, &store, NULL, data, &error) != NUCE_OK)
        fail_msg("%s", error.message);
    nuce_store_close(&store);
    nuce_plot_fini(&plot);
}

/* The text of a column; NULL: none. */
static const char *text_at(const struct nuce_plot_data *data, int64_t row, const char *column)
{
    return nuce_grid_cell(&data->grid, row, nuce_grid_column(&data->grid, column))->text;
}

/* What the column holds is scale times what is printed under key; neither, if one is not there. */
static void same_number(const struct nuce_plot_data *data, int64_t row, const char *column,
                        const json_t *printed, const char *key, double scale)
{
    const char *text = text_at(data, row, column);
    const json_t *value = json_object_get(printed, key);
    double expected = scale * json_number_value(value);

    assert_int_equal(text != NULL, json_is_number(value));
    if (text != NULL)
        assert_true(fabs(strtod(text, NULL) - expected) <= 1e-9 * fabs(expected));
}

static void same_text(const struct nuce_plot_data *data, int64_t row, const char *column,
                      const json_t *printed)
{
    const char *text = text_at(data, row, column);
    const char *expected = json_string_value(json_object_get(printed, column));

    assert_int_equal(text != NULL, expected != NULL);
    if (text != NULL)
        assert_string_equal(text, expected);
}

/* A run of d partners that ends after about seconds, with samples that far apart. */
static void add_contention(struct fixture *f, const char *direction, int size, int partners,
                           double seconds, double spread, int samples)
{
    json_t *params =
        json_pack("{s:s, s:i, s:i}", "direction", direction, "size", size, "partners", partners);
    json_t *step = json_array(), *per_rank = json_array();

    for (int i = 0; i < samples; i++) {
        json_t *ranks = json_array();
        double longest = 0;

        for (int rank = 0; rank < RANKS; rank++) {
            double value = seconds * (1 + spread * (nuce_rng_uniform(&f->rng) - 0.5)) *
                           (rank == i % RANKS ? 1 : 0.9 + 0.1 * nuce_rng_uniform(&f->rng));

            longest = fmax(longest, value);
            json_array_append_new(ranks, json_real(value));
        }
        json_array_append_new(step, json_real(longest));
        json_array_append_new(per_rank, ranks);
    }
    add(f, &nuce_contention_run,
        workload_record("contention", RANKS, params,
                        json_pack("{s:o, s:O}", "step", step, "communication", step), per_rank));
}

/* Both directions at a size of their own: gains from far below one to more than a network gives,
 * most of them near a limit of the rule; now and then one partner or a direction is missing. */
static void add_case(struct fixture *f, int number)
{
    static const char *const directions[] = {"to-one", "from-one"};
    static const int partners[] = {2, 4, RANKS - 1};

    for (int i = 0; i < 2 && (i == 0 || number % 10 != 9); i++) {
        double spread = number % 4 == 0 ? 0.5 : 0.01;

        if (number % 10 != 8)
            add_contention(f, directions[i], 64 + number, 1, 1e-3, spread, SAMPLES);
        for (int k = 0; k < 3; k++) {
            int d = partners[k];
            double limits[] = {0.5, 1.25, 2, 0.75 * d, 1. * d, 1.25 * d, 2. * d};
            double gain =
                limits[nuce_rng_below(&f->rng, 7)] * (0.95 + 0.1 * nuce_rng_uniform(&f->rng));
            int samples = number % 7 == 6 ? 3 : SAMPLES - (int)nuce_rng_below(&f->rng, 2);

            add_contention(f, directions[i], 64 + number, d, d * 1e-3 / gain, spread, samples);
        }
    }
}

static const json_t *find_contention(const struct fixture *f, const struct nuce_plot_data *data,
                                     int64_t row)
{
    const json_t *printed;
    size_t index;

    json_array_foreach(f->rows, index, printed)
    {
        if (strcmp(json_string_value(json_object_get(printed, "direction")),
                   text_at(data, row, "direction")) == 0 &&
            json_integer_value(json_object_get(printed, "size")) ==
                atoi(text_at(data, row, "bytes")) &&
            json_integer_value(json_object_get(printed, "partners")) ==
                atoi(text_at(data, row, "d")))
            return printed;
    }
    fail_msg("a row of no run");
    return NULL;
}

static void same_contention(const struct nuce_plot_data *data, int64_t row, const json_t *printed)
{
    static const struct {
        const char *quantity, *key, *low, *high;
        double scale;
    } quantities[] = {
        {"gain", "gain", "gain_low", "gain_high", 1},
        {"all ms", "communication_s", "communication_low_s", "communication_high_s", 1000},
        {"one ms", "one_s", "", "", 1000},
        {"d max ms", "partner_max_s", "", "", 1000},
        {"d min ms", "partner_min_s", "", "", 1000},
        {"d ave ms", "partner_mean_s", "", "", 1000},
    };
    const char *quantity = text_at(data, row, "quantity");
    int i = 0;

    while (strcmp(quantities[i].quantity, quantity) != 0)
        assert_true(++i < 6);
    same_number(data, row, "value", printed, quantities[i].key, quantities[i].scale);
    same_number(data, row, "low", printed, quantities[i].low, quantities[i].scale);
    same_number(data, row, "high", printed, quantities[i].high, quantities[i].scale);
    same_text(data, row, "growth", printed);
    same_text(data, row, "regime", printed);
}

/* Whether value occurs under key. */
static int occurs(const json_t *rows, const char *key, const char *value)
{
    const json_t *row;
    size_t index;

    json_array_foreach(rows, index, row)
    {
        const char *text = json_string_value(json_object_get(row, key));

        if (text != NULL && strcmp(text, value) == 0)
            return 1;
    }
    return 0;
}

static void test_contention(void **state)
{
    static const char *const growths[] = {"serial", "limited", "independent", "unclear"};
    static const char *const regimes[] = {"single-port", "NIC-limited", "independent-paths",
                                          "unclear"};
    struct fixture *f = *state;
    struct nuce_plot_data data;
    int64_t ours = 0;

    for (int i = 0; i < 60; i++)
        add_case(f, i);
    nuce_contention_compare(f->rows);
    for (int i = 0; i < 4; i++) {
        assert_true(occurs(f->rows, "growth", growths[i]));
        assert_true(occurs(f->rows, "regime", regimes[i]));
    }
    query(f, "exchange-table2", &data);
    for (int64_t row = 0; row < data.grid.rows; row++) {
        if (atoi(text_at(&data, row, "ranks")) != RANKS)
            continue;
        same_contention(&data, row, find_contention(f, &data, row));
        ours++;
    }
    assert_int_equal(ours, 6 * json_array_size(f->rows));
    /* The paper's 12 rows of four quantities. */
    assert_int_equal(data.grid.rows - ours, 48);
    nuce_plot_data_fini(&data);
}

static void add_permutation(struct fixture *f, const char *name, double mean_s, int count)
{
    json_t *params = json_pack("{s:s, s:i}", "permutation", name, "size", 262144);
    json_t *step = json_array();

    if (strcmp(name, "random") == 0)
        json_object_set_new(params, "count", json_integer(count));
    for (int i = 0; i < count; i++)
        json_array_append_new(step, json_real(mean_s * (0.8 + 0.4 * nuce_rng_uniform(&f->rng)) *
                                              (i % 10 == 0 ? 1 + i % 3 : 1)));
    add(f, &nuce_permutations_run,
        workload_record("permutations", RANKS, params,
                        json_pack("{s:o, s:O}", "step", step, "communication", step), NULL));
}

/* The row of the distance that the plot's row is of. */
static const json_t *find_permutation(const struct fixture *f, const char *distance)
{
    const json_t *printed;
    size_t index;

    json_array_foreach(f->rows, index, printed)
    {
        const json_t *value = json_object_get(printed, "distance");

        if (strcmp(distance, "random") == 0 ? json_is_null(value)
                                            : json_integer_value(value) == atoi(distance))
            return printed;
    }
    fail_msg("a row of no run");
    return NULL;
}

static void same_permutation(const struct nuce_plot_data *data, int64_t row, const json_t *printed)
{
    const char *quantity = text_at(data, row, "quantity");

    if (strcmp(quantity, "mean ms") == 0) {
        same_number(data, row, "value", printed, "mean_s", 1000);
    } else if (strcmp(quantity, "median ms") == 0) {
        same_number(data, row, "value", printed, "communication_s", 1000);
        same_number(data, row, "low", printed, "communication_low_s", 1000);
        same_number(data, row, "high", printed, "communication_high_s", 1000);
    } else {
        assert_string_equal(quantity, "over random");
        if (json_is_null(json_object_get(printed, "distance")))
            assert_true(strtod(text_at(data, row, "value"), NULL) == 1);
        else
            same_number(data, row, "value", printed, "against_random", 1);
    }
}

static void test_permutations(void **state)
{
    struct fixture *f = *state;
    struct nuce_plot_data data;
    int64_t ours = 0;

    add_permutation(f, "random", 2e-3, 200);
    add_permutation(f, "xor-1", 1e-3, 20);
    add_permutation(f, "xor-2", 3e-3, 3);
    nuce_permutations_compare(f->rows);
    query(f, "exchange-table3", &data);
    for (int64_t row = 0; row < data.grid.rows; row++) {
        if (strcmp(text_at(&data, row, "source"), "measured") != 0)
            continue;
        same_permutation(&data, row, find_permutation(f, text_at(&data, row, "distance")));
        ours++;
    }
    assert_int_equal(ours, 9);
    assert_int_equal(data.grid.rows - ours, 12);
    nuce_plot_data_fini(&data);
}

/* Every permutation is in one bin, the slow ones in the last; what lies within 10 % is said. */
static void test_distribution(void **state)
{
    struct fixture *f = *state;
    struct nuce_plot_data data;
    char within[64];
    int64_t count = 0, slow = 0;

    add_permutation(f, "random", 2e-3, 200);
    query(f, "exchange-figure5", &data);
    snprintf(within, sizeof within, "%.1f %% within 10 %%",
             100 * json_number_value(json_object_get(json_array_get(f->rows, 0), "within_tenth")));
    for (int64_t row = 0; row < data.grid.rows; row++) {
        assert_non_null(strstr(text_at(&data, row, "series"), within));
        count += atoi(text_at(&data, row, "permutations"));
        if (strcmp(text_at(&data, row, "bin"), "2 and more") == 0)
            slow += atoi(text_at(&data, row, "permutations"));
    }
    assert_int_equal(count, 200);
    assert_int_equal(slow, 7);
    nuce_plot_data_fini(&data);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_contention),
        TEST(test_permutations),
        TEST(test_distribution),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
