/* What tables say of placements whose costs are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mapping_records.h"
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

/* The table called name as CSV, freed by the caller. */
static char *table_of(const struct fixture *f, const char *name)
{
    struct nuce_plot_choice choice = {.environment = NULL};
    char campaigns[PATH_BYTES + 16], *text = NULL;
    struct nuce_plot plot;
    struct nuce_plot_data data;
    struct nuce_store store;
    struct nuce_grid table;
    struct nuce_error error = {0};
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);

    (void)snprintf(campaigns, sizeof campaigns, "%s/", f->folder);
    assert_int_equal(collect_all(f->database, campaigns, NULL, NULL, &error), NUCE_OK);
    assert_int_equal(nuce_plot_read(name, &plot, &error), NUCE_OK);
    assert_int_equal(nuce_store_open_reading(f->database, &store, &error), NUCE_OK);
    if (nuce_plot_query(&plot, &store, &choice, &data, &error) != NUCE_OK)
        fail_msg("%s", error.message);
    assert_int_equal(nuce_plot_table(&plot, &data, NUCE_GRID_CSV, &table, &error), NUCE_OK);
    assert_int_equal(nuce_grid_print(&table, NUCE_GRID_CSV, stream, &error), NUCE_OK);
    (void)fclose(stream);
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

/* Means over networks, their intervals, and what is saved on each network beside rm on it. */
static void test_means(void **state)
{
    struct fixture *f = *state;
    char *text;

    for (int k = 0; k < 6; k++) {
        append_record(f->folder, "a", "1.jsonl", modelled_mapping("rm", 16, k, 200 + 20 * k, 4));
        append_record(f->folder, "a", "1.jsonl", modelled_mapping("bm", 16, k, 100 + 10 * k, 3.2));
    }
    text = table_of(f, "mapping-figure6");
    /* Half of it on every network, however much that is: 125 by a deviation of 18.7083. */
    has(text, "\"saved beside rm, %, 129 links\",16x16,bm,50,50,50,6,256\n");
    has(text, "\"weighted cardinality, 129 links\",16x16,bm,125,105.");
    free(text);
    text = table_of(f, "mapping-figure7");
    has(text, "\"saved beside rm, %, 129 links\",16x16,bm,20.0000");
    has(text, "\"saved beside rm, %, 129 links\",16x16,\"bm, paper\",20,,,,256\n");
    free(text);
    text = table_of(f, "mapping-claims");
    has(text, "20 %,129,20,0,yes,6\n");
    has(text, "yes,129,-0.95,,no,6\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_means, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
