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
 * slower than linear, which is against it, and the ratio of the first rm to linear may be 1. The
 * second draw has a heat of its own with linear, which is one row. What never raced is not there.
 */
static void test_measured(void **state)
{
    static const struct placed first[] = {
        {"measured", "linear", 1, 4e-3, 1e-4, 2000, 3.5e-6},
        {"measured", "sm", 1, 1e-3, 1e-4, 1000, 3e-6},
        {"measured", "bm", 1, 6e-3, 1e-4, 1000, 3e-6},
        {"measured", "rm", 1, 4.1e-3, 1e-4, 3000, 4e-6},
    };
    static const struct placed second[] = {
        {"measured", "linear", 2, 4e-3, 1e-4, 2000, 3.5e-6},
        {"measured", "rm", 2, 8e-3, 1e-4, 3500, 4.2e-6},
    };
    struct fixture *f = *state;
    char *text;

    append_placements(f->folder, 1, first, 4);
    append_placements(f->folder, 2, second, 2);
    append(f, (struct placed){"measured", "bm-swap", 1, 1e-3, 1e-4, 900, 3e-6});
    text = table_of(f, "mapping-measured", NULL, NUCE_GRID_CSV);
    has_not(text, "bm-swap");
    has(text,
        "\"stencil, 8 ranks, 1 KiB\",1,sm,1,0.25 [0.24 0.26],1.00 [1.00 1.00],[1.00 1.00],1.000,"
        "3,1,2 of 2,0,3,24,");
    has(text, ",2,linear,4,1 (reference),4.00 [3.84 4.17],[1.00 1.00],2.000,3.5,3,1 of 3,1,3,24,");
    has(text, ",3,rm 1,4.1,1.02 [0.98 1.07],4.10 [3.87 4.35],[1.00 1.00],3.000,4,4,1 of 3,1,3,24,");
    has(text, ",4,bm,6,1.50 [1.42 1.59],6.00 [5.76 6.25],[1.00 1.00],1.000,3,1,0 of 2,2,3,24,");
    has(text, ",5,rm 2,8,2.00 [1.92 2.08],8.00,[1.00 1.00],3.500,4.2,5,1 of 1,0,3,24,");
    has_not(text, ",linear 2,");
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
