/* What tables say of decompositions whose costs are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "decomposition_records.h"
#include "plot.h"
#include "records.h"

struct fixture {
    char folder[PATH_BYTES];
    char database[PATH_BYTES + 16];
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    make_folder(f->folder);
    (void)snprintf(f->database, sizeof f->database, "%s/nuce.db", f->folder);
    append_record(f->folder, "a", "1.jsonl", job_record("a", "j1", "cpu"));
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    remove_folder(f->folder);
    free(f);
    return 0;
}

static void append(const struct fixture *f, struct decomposition what, double cost)
{
    append_record(f->folder, "a", "1.jsonl", modelled_decomposition(&what, cost));
}

static void append_drawn(const struct fixture *f, const char *algorithm, int instance, double cost,
                         json_t *rectangles)
{
    struct decomposition what = {
        .algorithm = algorithm, .ranks = 5, .columns = 1000, .ratio = 8, .instance = instance};

    append_record(f->folder, "a", "1.jsonl", drawn_decomposition(&what, cost, rectangles));
}

/* The table called name, and the footer's first line; both freed by the caller. */
static char *table_of(const struct fixture *f, const char *name, enum nuce_grid_format format,
                      char **where)
{
    struct nuce_plot_choice choice = {.environment = NULL};
    char campaigns[PATH_BYTES + 16];
    struct nuce_plot plot;
    struct nuce_plot_data data;
    struct nuce_store store;
    struct nuce_grid table;
    struct nuce_error error = {0};
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);

    (void)snprintf(campaigns, sizeof campaigns, "%s/", f->folder);
    if (collect_all(f->database, campaigns, NULL, NULL, &error) != NUCE_OK)
        fail_msg("%s", error.message);
    assert_int_equal(nuce_plot_read(name, &plot, &error), NUCE_OK);
    assert_int_equal(nuce_store_open_reading(f->database, &store, &error), NUCE_OK);
    if (nuce_plot_query(&plot, &store, &choice, &data, &error) != NUCE_OK)
        fail_msg("%s", error.message);
    assert_int_equal(nuce_plot_table(&plot, &data, format, &table, &error), NUCE_OK);
    assert_int_equal(nuce_grid_print(&table, format, stream, &error), NUCE_OK);
    (void)fclose(stream);
    *where = strdup(data.where);
    nuce_grid_fini(&table);
    nuce_plot_data_fini(&data);
    nuce_store_close(&store);
    nuce_plot_fini(&plot);
    return text;
}

static void has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("no '%s' in:\n%s", part, text);
}

/* Percent of rb2's mean; of two means over draws the one over more; means are of no network. */
static void test_gains(void **state)
{
    struct fixture *f = *state;
    struct decomposition rb2 = {.algorithm = "rb2",
                                .ranks = 20,
                                .columns = 2000,
                                .ratio = 8,
                                .samples = 20,
                                .instance = -1};
    struct decomposition tile = rb2, naive = rb2;
    char *text, *where;

    rb2.latency = tile.latency = naive.latency = 1000;
    tile.algorithm = "tile";
    append(f, rb2, 2000);
    append(f, tile, 1000);
    rb2.samples = tile.samples = naive.samples = 2000;
    append(f, rb2, 2000);
    append(f, tile, 1850);
    naive.edges = "naive";
    append(f, naive, 4000);
    naive.algorithm = "tile";
    append(f, naive, 3900);
    text = table_of(f, "arrays-table4", NUCE_GRID_CSV, &where);
    has(text, "\n1K x 2K,8,ours,20,7.5,2000\n");
    has(text, "\n1K x 2K,8,naive edges,20,2.5,2000\n");
    has(text, "\n1K x 2K,8,paper,20,15,\n");
    has(text, "\n1K x 20K,8,paper,20,2,\n");
    assert_string_equal(where, "modelled: the papers' cost model, 6 points");
    free(text);
    free(where);
    text = table_of(f, "arrays-agreement", NUCE_GRID_CSV, &where);
    has(text, "\n4,tile,1000,ours,1,0,0,0,7.5,0,0\n");
    free(text);
    free(where);
}

/* How far from the best, and whether that is a pinwheel. */
static void test_gap(void **state)
{
    struct fixture *f = *state;
    char *text, *where;

    append_drawn(f, "optimal", 0, 2400, pinwheel());
    append_drawn(f, "xy2", 0, 2520, slabs());
    append_drawn(f, "optimal", 1, 4000, slabs());
    append_drawn(f, "xy2", 1, 4000, slabs());
    text = table_of(f, "arrays-gap", NUCE_GRID_TEXT, &where);
    has(text, "5 parts of 1K x 1K, ratio 8 mean             2.50\n");
    has(text, "5 parts of 1K x 1K, ratio 8 most             5.00\n");
    has(text, "5 parts of 1K x 1K, ratio 8 reached        1 of 2\n");
    has(text, "5 parts of 1K x 1K, ratio 8 pinwheels      1 of 2\n");
    has(text, "5 parts of 1K x 1K, ratio 8 50 % of draws    0.00\n");
    has(text, "5 parts of 1K x 1K, ratio 8 55 % of draws    5.00\n");
    free(text);
    free(where);
}

/* What cutting anew saves, measured and predicted, and from when on; what was never cut beside it.
 */
static void test_rebalance(void **state)
{
    struct fixture *f = *state;
    char *text, *where;

    for (int iterations = 40; iterations <= 1040; iterations += 1000) {
        append_record(f->folder, "a", "1.jsonl", measured_rebalance(700, iterations, NULL));
        append_record(f->folder, "a", "1.jsonl",
                      measured_rebalance(700, iterations, "after-change"));
        append_record(f->folder, "a", "1.jsonl",
                      measured_rebalance(700, iterations, "when-it-pays"));
    }
    append_record(f->folder, "a", "1.jsonl", measured_rebalance(2000, 40, "after-change"));
    text = table_of(f, "arrays-rebalance", NUCE_GRID_CSV, &where);
    /* 1 s of never, 1.1 s of it; 10 iterations after the cut, of which 15 would do. */
    has(text, "700 x 700,2,xy2,ac,20,after-change,1000 [750 1250],1100 [825 1375],-100 [-625 425],"
              "0,unclear,1,300,250,4,15,10,6,");
    has(text, "700 x 700,2,xy2,ac,1020,after-change,4.1e+04 [3.075e+04 5.125e+04],2.11e+04 [");
    has(text, ",25000,pays,1,300,250,4,15,10,6,");
    has(text, ",20,when-it-pays,1000 [750 1250],1100 [825 1375],-100 [-625 425],,unclear,");
    if (strstr(text, "2000 x 2000") != NULL || strstr(text, "never,") != NULL)
        fail_msg("what has nothing beside it is shown:\n%s", text);
    free(text);
    free(where);
    text = table_of(f, "arrays-break-even", NUCE_GRID_CSV, &where);
    has(text, "\n\"700 x 700, 2 ranks, xy2\",20,after-change,-10");
    has(text, "\n\"700 x 700, 2 ranks, xy2\",20,\"after-change, predicted\",0,,\n");
    free(text);
    free(where);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_gains),
        TEST(test_gap),
        TEST(test_rebalance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
