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
#include "table_fixture.h"

static void append(const struct fixture *f, struct placed what)
{
    append_record(f->folder, "a", "1.jsonl", placed_record(&what));
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
    text = table_of(f, "mapping-measured", NULL, NUCE_GRID_CSV);
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
    text = table_of(f, "mapping-simulated", NULL, NUCE_GRID_CSV);
    has(text, "messages of 100 B\",sm,1.000,25.0,3.000,40.0,1.000,75.0,1,1,3,");
    has(text, ",rm 2,5.000,125.0,6.000,-20.0,6.000,-50.0,3,3,3,");
    assert_null(strstr(text, ",9.000,"));
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_job, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_measured), TEST(test_simulated)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
