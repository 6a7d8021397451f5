/* Tables 2 and 3 and Figure 5 of the exchange paper say of records what nuce-calibrate prints of
 * them: the rules stand in kernels/programs, in C, and in plots, in SQL. */
#include <math.h>

#include "base/rng.h"
#include "plot_fixture.h"
#include "points/workload.h"
#include "programs/calibrate.h"
#include "run/run_record.h"

#define RANKS 8
#define SAMPLES 9

struct scene {
    struct fixture *f;
    struct nuce_rng rng;
    json_t *rows; /* what nuce-calibrate prints */
};

static int enter(void **state)
{
    struct scene *scene = calloc(1, sizeof *scene);

    set_up_job(state);
    *scene = (struct scene){*state, nuce_rng_create(1, 0), json_array()};
    *state = scene;
    return 0;
}

static int leave(void **state)
{
    struct scene *scene = *state;

    *state = scene->f;
    json_decref(scene->rows);
    free(scene);
    return tear_down(state);
}

/* Adds record (released) to the records, and its row to those that are printed. */
static void add(struct scene *scene, const struct nuce_workload_run *run, json_t *record)
{
    json_t *row = nuce_run_row(nuce_workload_find(run->name)->results, record);

    assert_non_null(row);
    run->summarise(record, row);
    assert_int_equal(json_array_append_new(scene->rows, row), 0);
    put(scene->f, record);
}

static void query(const struct scene *scene, const char *name, struct nuce_plot_data *data)
{
    struct nuce_error error;

    collect(scene->f);
    assert_ok(find_rows(scene->f, name, NULL, data, &error));
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
        assert_near(strtod(text, NULL), expected, 1e-9 * fabs(expected));
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
static void add_contention(struct scene *scene, const char *direction, int size, int partners,
                           double seconds, double spread, int samples)
{
    json_t *params =
        json_of("{'direction':'%s','size':%d,'partners':%d}", direction, size, partners);
    json_t *step = json_array(), *per_rank = json_array();

    for (int i = 0; i < samples; i++) {
        json_t *ranks = json_array();
        double longest = 0;

        for (int rank = 0; rank < RANKS; rank++) {
            double value = seconds * (1 + spread * (nuce_rng_uniform(&scene->rng) - 0.5)) *
                           (rank == i % RANKS ? 1 : 0.9 + 0.1 * nuce_rng_uniform(&scene->rng));

            longest = fmax(longest, value);
            json_array_append_new(ranks, json_real(value));
        }
        json_array_append_new(step, json_real(longest));
        json_array_append_new(per_rank, ranks);
    }
    add(scene, &nuce_contention_run,
        workload_record("contention", RANKS, params,
                        json_pack("{s:o, s:O}", "step", step, "communication", step), per_rank));
}

/* Both directions at a size of their own: gains from far below one to more than a network gives,
 * most of them near a limit of the rule; now and then one partner or a direction is missing. */
static void add_case(struct scene *scene, int number)
{
    static const char *const directions[] = {"to-one", "from-one"};
    static const int partners[] = {2, 4, RANKS - 1};

    for (int i = 0; i < 2 && (i == 0 || number % 10 != 9); i++) {
        double spread = number % 4 == 0 ? 0.5 : 0.01;

        if (number % 10 != 8)
            add_contention(scene, directions[i], 64 + number, 1, 1e-3, spread, SAMPLES);
        for (int k = 0; k < 3; k++) {
            int d = partners[k];
            double limits[] = {0.5, 1.25, 2, 0.75 * d, 1. * d, 1.25 * d, 2. * d};
            double gain = limits[nuce_rng_below(&scene->rng, 7)] *
                          (0.95 + 0.1 * nuce_rng_uniform(&scene->rng));
            int samples = number % 7 == 6 ? 3 : SAMPLES - (int)nuce_rng_below(&scene->rng, 2);

            add_contention(scene, directions[i], 64 + number, d, d * 1e-3 / gain, spread, samples);
        }
    }
}

static const json_t *find_contention(const struct scene *scene, const struct nuce_plot_data *data,
                                     int64_t row)
{
    const json_t *printed;
    size_t index;

    json_array_foreach(scene->rows, index, printed)
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
    struct scene *scene = *state;
    struct nuce_plot_data data;
    int64_t ours = 0;

    for (int i = 0; i < 60; i++)
        add_case(scene, i);
    nuce_contention_compare(scene->rows);
    for (int i = 0; i < 4; i++) {
        assert_true(occurs(scene->rows, "growth", growths[i]));
        assert_true(occurs(scene->rows, "regime", regimes[i]));
    }
    query(scene, "exchange-table2", &data);
    for (int64_t row = 0; row < data.grid.rows; row++) {
        if (atoi(text_at(&data, row, "ranks")) != RANKS)
            continue;
        same_contention(&data, row, find_contention(scene, &data, row));
        ours++;
    }
    assert_int_equal(ours, 6 * json_array_size(scene->rows));
    /* The paper's 12 rows of four quantities. */
    assert_int_equal(data.grid.rows - ours, 48);
    nuce_plot_data_fini(&data);
}

static void add_permutation(struct scene *scene, const char *name, double mean_s, int count)
{
    json_t *params = json_of("{'permutation':'%s','size':262144}", name);
    json_t *step = json_array();

    if (strcmp(name, "random") == 0)
        with(params, "'count':%d", count);
    for (int i = 0; i < count; i++)
        json_array_append_new(step, json_real(mean_s * (0.8 + 0.4 * nuce_rng_uniform(&scene->rng)) *
                                              (i % 10 == 0 ? 1 + i % 3 : 1)));
    add(scene, &nuce_permutations_run,
        workload_record("permutations", RANKS, params,
                        json_pack("{s:o, s:O}", "step", step, "communication", step), NULL));
}

/* The row of the distance that the plot's row is of. */
static const json_t *find_permutation(const struct scene *scene, const char *distance)
{
    const json_t *printed;
    size_t index;

    json_array_foreach(scene->rows, index, printed)
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
    struct scene *scene = *state;
    struct nuce_plot_data data;
    int64_t ours = 0;

    add_permutation(scene, "random", 2e-3, 200);
    add_permutation(scene, "xor-1", 1e-3, 20);
    add_permutation(scene, "xor-2", 3e-3, 3);
    nuce_permutations_compare(scene->rows);
    query(scene, "exchange-table3", &data);
    for (int64_t row = 0; row < data.grid.rows; row++) {
        if (strcmp(text_at(&data, row, "source"), "measured") != 0)
            continue;
        same_permutation(&data, row, find_permutation(scene, text_at(&data, row, "distance")));
        ours++;
    }
    assert_int_equal(ours, 9);
    assert_int_equal(data.grid.rows - ours, 12);
    nuce_plot_data_fini(&data);
}

/* Every permutation is in one bin, the slow ones in the last; what lies within 10 % is said. */
static void test_distribution(void **state)
{
    struct scene *scene = *state;
    struct nuce_plot_data data;
    char within[64];
    int64_t count = 0, slow = 0;

    add_permutation(scene, "random", 2e-3, 200);
    query(scene, "exchange-figure5", &data);
    snprintf(
        within, sizeof within, "%.1f %% within 10 %%",
        100 * json_number_value(json_object_get(json_array_get(scene->rows, 0), "within_tenth")));
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
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)
    const struct CMUnitTest tests[] = {
        TEST(test_contention),
        TEST(test_permutations),
        TEST(test_distribution),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
