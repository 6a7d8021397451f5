/* Tables 2 and 3 and Figure 5 of the exchange paper agree with the output of nuce-calibrate for the
 * same records: kernels/programs has the rules in C, plots in SQL. */

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
    json_t *rows; /* the output of nuce-calibrate */
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

/* The text of a column; NULL: none. */
static const char *text_at(const struct nuce_plot_data *data, int64_t row, const char *column)
{
    return nuce_grid_cell(&data->grid, row, nuce_grid_column(&data->grid, column))->text;
}

/* The column holds scale times the number that is printed under key, or that text; neither, if one
 * is not there. */
static void same(const struct nuce_plot_data *data, int64_t row, const char *column,
                 const json_t *printed, const char *key, double scale)
{
    const char *text = text_at(data, row, column);
    const json_t *value = json_object_get(printed, key);
    double expected = scale * json_number_value(value);

    assert_int_equal(text != NULL, value != NULL && !json_is_null(value));
    if (json_is_string(value))
        assert_string_equal(text, json_string_value(value));
    else if (text != NULL)
        assert_near(strtod(text, NULL), expected, 1e-9 * fabs(expected));
}

/* Nonzero if the column's text is that under key: a text, a whole number, or empty for random ones.
 */
static int is_same(const char *text, const json_t *printed)
{
    return json_is_string(printed)    ? strcmp(text, json_string_value(printed)) == 0
           : json_is_integer(printed) ? atoll(text) == json_integer_value(printed)
                                      : strcmp(text, "random") == 0;
}

/* Each row of the plot with that text in the column agrees with the output for its run, which is
 * found by NULL-ended pairs of a key there and a column. Each run has so many rows, and the paper
 * so many. */
static void same_rows(const struct scene *scene, const char *name, const char *column,
                      const char *text, const char *const pairs[][2], size_t quantities, int papers)
{
    static const struct {
        const char *quantity, *key, *low, *high;
        double scale;
    } all[] = {
        {"gain", "gain", "gain_low", "gain_high", 1},
        {"all ms", "communication_s", "communication_low_s", "communication_high_s", 1000},
        {"one ms", "one_s", NULL, NULL, 1000},
        {"d max ms", "partner_max_s", NULL, NULL, 1000},
        {"d min ms", "partner_min_s", NULL, NULL, 1000},
        {"d ave ms", "partner_mean_s", NULL, NULL, 1000},
        {"mean ms", "mean_s", NULL, NULL, 1000},
        {"median ms", "communication_s", "communication_low_s", "communication_high_s", 1000},
        {"over random", "against_random", NULL, NULL, 1},
    };
    OWNED(plot_data) data;
    int64_t ours = 0;

    collect(scene->f);
    assert_ok(find_rows(scene->f, name, NULL, &data, ANY_ERROR));
    for (int64_t row = 0; row < data.grid.rows; row++) {
        const json_t *printed = NULL;
        size_t i = 0, k;

        if (strcmp(text_at(&data, row, column), text) != 0)
            continue;
        json_array_foreach(scene->rows, k, printed)
        {
            int found = 1;

            for (int pair = 0; pairs[pair][0] != NULL; pair++)
                found &= is_same(text_at(&data, row, pairs[pair][1]),
                                 json_object_get(printed, pairs[pair][0]));
            if (found)
                break;
        }
        assert_true(k < json_array_size(scene->rows));
        while (strcmp(all[i].quantity, text_at(&data, row, "quantity")) != 0)
            assert_true(++i < COUNT(all));
        same(&data, row, "value", printed, all[i].key, all[i].scale);
        if (all[i].low != NULL) {
            same(&data, row, "low", printed, all[i].low, all[i].scale);
            same(&data, row, "high", printed, all[i].high, all[i].scale);
        }
        if (nuce_grid_column(&data.grid, "growth") >= 0) {
            same(&data, row, "growth", printed, "growth", 1);
            same(&data, row, "regime", printed, "regime", 1);
        }
        ours++;
    }
    assert_int_equal(ours, quantities * json_array_size(scene->rows));
    assert_int_equal(data.grid.rows - ours, papers);
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

/* Nonzero if value occurs under key. */
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
    static const char *const pairs[][2] = {
        {"direction", "direction"}, {"size", "bytes"}, {"partners", "d"}, {NULL}};
    struct scene *scene = *state;

    for (int i = 0; i < 60; i++)
        add_case(scene, i);
    nuce_contention_compare(scene->rows);
    for (int i = 0; i < 4; i++) {
        assert_true(occurs(scene->rows, "growth", growths[i]));
        assert_true(occurs(scene->rows, "regime", regimes[i]));
    }
    same_rows(scene, "exchange-table2", "ranks", "8", pairs, 6, 12 * 4);
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

static void test_permutations(void **state)
{
    static const char *const pairs[][2] = {{"distance", "distance"}, {NULL}};
    struct scene *scene = *state;

    add_permutation(scene, "random", 2e-3, 200);
    add_permutation(scene, "xor-1", 1e-3, 20);
    add_permutation(scene, "xor-2", 3e-3, 3);
    nuce_permutations_compare(scene->rows);
    json_object_set_new(json_array_get(scene->rows, 0), "against_random", json_integer(1));
    same_rows(scene, "exchange-table3", "source", "measured", pairs, 3, 12);
}

/* Every permutation is in one bin, the slow ones in the last; the share within 10 % is reported. */
static void test_distribution(void **state)
{
    struct scene *scene = *state;
    OWNED(plot_data) data;
    char within[64];
    int64_t count = 0, slow = 0;

    add_permutation(scene, "random", 2e-3, 200);
    collect(scene->f);
    assert_ok(find_rows(scene->f, "exchange-figure5", NULL, &data, ANY_ERROR));
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
}

RUN_EACH(enter, leave, test_contention, test_permutations, test_distribution)
