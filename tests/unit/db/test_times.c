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

/* Parts side by side, their digits as they stand; the medians of both middle ones of an even count.
 */
static void test_read(void **state)
{
    static const char *const bad[] = {"[1,2]",     "[1,2,3,4]",   "[1,-2,3]", "[1,null,3]",
                                      "[1,[2],3]", "[1,1e999,3]", "7",        "{\"a\":[1,2,3]}"};
    const char *parts[NUCE_SAMPLE_PARTS] = {"[0.5,1e-3,2]", NULL, "[4,0,1.50]"};
    const char *none[NUCE_SAMPLE_PARTS] = {"[]"};
    struct nuce_times times;

    (void)state;
    assert_true(nuce_times_read(parts, &times));
    assert_int_equal(times.count, 3);
    assert_string_equal(times.times, "[[0.5,null,4],[1e-3,null,0],[2,null,1.50]]");
    assert_true(times.medians[NUCE_PART_STEP] == 0.5 && isnan(times.medians[NUCE_PART_PACK]) &&
                times.medians[NUCE_PART_COMMUNICATION] == 1.5);
    nuce_times_fini(&times);
    assert_true(nuce_times_read(none, &times));
    assert_string_equal(times.times, "[]");
    assert_true(times.count == 0 && isnan(times.medians[NUCE_PART_STEP]));
    nuce_times_fini(&times);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        parts[NUCE_PART_COMMUNICATION] = bad[i];
        assert_false(nuce_times_read(parts, &times));
        assert_null(times.times);
    }
    parts[NUCE_PART_COMMUNICATION] = NULL;
    parts[NUCE_PART_STEP] = NULL;
    assert_false(nuce_times_read(parts, &times));
}

/* Rounds that one of the two has no time in do not count, nor do those that only one has. */
static void test_race(void **state)
{
    struct nuce_race_ratio found;

    (void)state;
    nuce_times_race("[[2],[4],[9],[null],[1]]", "[[1],[2],[3],[5]]", 0, &found);
    assert_int_equal(found.rounds, 3);
    assert_true(found.ratio == 2 && isnan(found.low) && isnan(found.high));
    nuce_times_race("[[1],[2],[3],[4],[5],[6]]", "[[1],[1],[1],[1],[1],[1]]", 0, &found);
    assert_true(found.rounds == 6 && found.ratio == 3.5 && found.low == 1 && found.high == 6);
    nuce_times_race("[[1]]", "[[1]]", -1, &found);
    assert_true(found.rounds == 0 && isnan(found.ratio));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_part),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_race),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
