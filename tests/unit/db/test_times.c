/* The text that the database keeps times in, and the ratios that follow from two of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "db/times.h"

static void test_part(void **state)
{
    (void)state;
    assert_int_equal(nuce_times_part("step"), NUCE_PART_STEP);
    assert_int_equal(nuce_times_part("communication"), NUCE_PART_COMMUNICATION);
    assert_int_equal(nuce_times_part("nosuch"), -1);
    assert_int_equal(nuce_times_part(NULL), -1);
}

/* Rounds that one of the two has no time in do not count, nor do those that only one has. */
static void test_race(void **state)
{
    struct nuce_race_ratio found;
    struct nuce_error error;

    (void)state;
    assert_int_equal(
        nuce_times_race("[[2],[4],[9],[null],[1]]", "[[1],[2],[3],[5]]", 0, &found, &error),
        NUCE_OK);
    assert_int_equal(found.rounds, 3);
    assert_true(found.ratio == 2 && isnan(found.low) && isnan(found.high));
    assert_int_equal(nuce_times_race("[[1],[2],[3],[4],[5],[6]]", "[[1],[1],[1],[1],[1],[1]]", 0,
                                     &found, &error),
                     NUCE_OK);
    assert_true(found.rounds == 6 && found.ratio == 3.5 && found.low == 1 && found.high == 6);
    assert_int_equal(nuce_times_race("[[1]]", "[[1]]", -1, &found, &error), NUCE_OK);
    assert_true(found.rounds == 0 && isnan(found.ratio));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_part),
        cmocka_unit_test(test_race),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
