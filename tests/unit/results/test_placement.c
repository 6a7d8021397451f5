/* What tables say of placements whose times and costs are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "placement_records.h"
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

static void append(const struct fixture *f, struct placed what)
{
    append_record(f->folder, "a", "1.jsonl", placed_record(&what));
}

/* The table called name, freed by the caller. */
static char *table_of(const struct fixture *f, const char *name, enum nuce_grid_format format)
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
    assert_int_equal(collect_all(f->database, campaigns, NULL, NULL, &error), NUCE_OK);
    assert_int_equal(nuce_plot_read(name, &plot, &error), NUCE_OK);
    assert_int_equal(nuce_store_open_reading(f->database, &store, &error), NUCE_OK);
    if (nuce_plot_query(&plot, &store, &choice, &data, &error) != NUCE_OK)
        fail_msg("%s", error.message);
    assert_int_equal(nuce_plot_table(&plot, &data, format, &table, &error), NUCE_OK);
    assert_int_equal(nuce_grid_print(&table, format, stream, &error), NUCE_OK);
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

/* The model gives sm and bm one cost, linear more and two draws of rm most: bm is measured to be
 * slower than linear, which is against it, and of linear and the first rm the intervals meet. */
static void test_measured(void **state)
{
    struct fixture *f = *state;
    char *text;

    append(f, (struct placed){"measured", "sm", 1, 1e-3, 1e-4, 1000, 3e-6});
    append(f, (struct placed){"measured", "bm", 1, 6e-3, 1e-4, 1000, 3e-6});
    append(f, (struct placed){"measured", "linear", 1, 4e-3, 1e-4, 2000, 3.5e-6});
    append(f, (struct placed){"measured", "rm", 1, 4.1e-3, 1e-4, 3000, 4e-6});
    append(f, (struct placed){"measured", "rm", 2, 8e-3, 1e-4, 3500, 4.2e-6});
    text = table_of(f, "mapping-measured", NUCE_GRID_CSV);
    has(text, "\"stencil, 8 ranks, 1 KiB\",1,sm,1 (0.9 .. 1.1),1.00 (0.82 .. 1.22),1.000,3,1,3 of "
              "3,0,3,6,");
    has(text, ",2,linear,4 (3.9 .. 4.1),4.00 (3.55 .. 4.56),2.000,3.5,3,2 of 4,1,3,6,");
    has(text, ",3,rm 1,4.1 (4 .. 4.2),4.10 (3.64 .. 4.67),3.000,4,4,2 of 4,1,3,6,");
    has(text, ",4,bm,6 (5.9 .. 6.1),6.00 (5.36 .. 6.78),1.000,3,1,1 of 3,2,3,6,");
    has(text, ",5,rm 2,8 (7.9 .. 8.1),8.00 (7.18 .. 9.00),3.500,4.2,5,4 of 4,0,3,6,");
    free(text);
}

/* Gains are over the mean of rm's draws. */
static void test_simulated(void **state)
{
    struct fixture *f = *state;
    char *text;

    append(f, (struct placed){"simulated", "sm", 1, 1e-6, 0, 1000, 3e-6});
    append(f, (struct placed){"simulated", "rm", 1, 2e-6, 0, 3000, 4e-6});
    append(f, (struct placed){"simulated", "rm", 2, 6e-6, 0, 5000, 6e-6});
    append(f, (struct placed){"measured", "sm", 1, 9e-6, 0, 1000, 3e-6});
    text = table_of(f, "mapping-simulated", NUCE_GRID_CSV);
    has(text, "messages of 100 B\",sm,1.000,25.0,3.000,40.0,1.000,75.0,1,1,3,");
    has(text, ",rm 2,5.000,125.0,6.000,-20.0,6.000,-50.0,3,3,3,");
    assert_null(strstr(text, ",9.000,"));
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_measured), TEST(test_simulated)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
