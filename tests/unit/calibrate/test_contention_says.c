/* What is said where many transfers at once lose: from which size on, and which schedule to race.
 * The other sentences are in test_rows.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "programs/calibrate.h"

/* Gains of a direction and size, of 1, 2 and 7 partners; spread: half of their intervals. */
struct said_curve {
    const char *direction;
    int size;
    double two, seven, spread;
    int resent, oversubscribed; /* of all rows, of 10 samples each */
};

static void add_row(json_t *rows, const struct said_curve *curve, int partners, double gain)
{
    json_t *row =
        json_pack("{s:s, s:i, s:i, s:f, s:f, s:f, s:i, s:i, s:i}", "direction", curve->direction,
                  "size", curve->size, "partners", partners, "gain", gain, "gain_low",
                  gain - curve->spread, "gain_high", gain + curve->spread, "samples", 10,
                  "resent_segments", curve->resent, "oversubscribed", curve->oversubscribed);

    assert_int_equal(json_array_append_new(rows, row), 0);
}

/* What is said of the curves; freed by the caller. */
static char *said_of(const struct said_curve *curves, size_t count)
{
    json_t *rows = json_array();
    size_t length;
    char *text;
    FILE *file = open_memstream(&text, &length);

    assert_non_null(file);
    for (size_t i = 0; i < count; i++) {
        add_row(rows, &curves[i], 1, 1);
        add_row(rows, &curves[i], 2, curves[i].two);
        add_row(rows, &curves[i], 7, curves[i].seven);
    }
    nuce_contention_say(rows, file);
    assert_int_equal(fclose(file), 0);
    json_decref(rows);
    return text;
}

static void says(const struct said_curve *curves, size_t count, const char *wanted)
{
    char *text = said_of(curves, count);

    assert_string_equal(text, wanted);
    free(text);
}

/* Two partners carry 1.9, seven less than half of it with the largest size, and with the one before
 * it; the smallest loses nothing. */
static void test_loses_in(void **state)
{
    static const struct said_curve curves[] = {{"to-one", 256, 1.9, 3, 0.02, 0, 0},
                                               {"to-one", 16384, 1.9, 0.76, 0.02, 0, 0},
                                               {"to-one", 4096, 1.9, 1.52, 0.02, 0, 0}};

    (void)state;
    says(curves, 3,
         "16KiB into one rank: 7 at once carry 0.40 (0.39 .. 0.41) of what 2 do: posting all loses "
         "60 %, and some from 4KiB on, which fewer at a time can win: race grants with depth 2 "
         "against ac, from there on.\n");
}

/* One alone carries most. */
static void test_loses_beside_one(void **state)
{
    static const struct said_curve in = {"to-one", 16384, 0.8, 0.5, 0.02, 0, 0},
                                   out = {"from-one", 16384, 0.8, 0.5, 0.02, 0, 0};

    (void)state;
    says(&in, 1,
         "16KiB into one rank: 7 at once carry 0.50 (0.47 .. 0.53) of what 1 does: posting all "
         "loses 50 %, which fewer at a time can win: race grants with depth 2 against ac, from "
         "there on.\n");
    says(&out, 1,
         "16KiB out of one rank: 7 at once carry 0.50 (0.47 .. 0.53) of what 1 does: posting all "
         "loses 50 %, which fewer at a time can win: race preemptive with depth 1 against ac, from "
         "there on.\n");
}

static void test_loses_out(void **state)
{
    static const struct said_curve curve = {"from-one", 4096, 2, 1.5, 0.02, 0, 0};

    (void)state;
    says(&curve, 1,
         "4KiB out of one rank: 7 at once carry 0.75 (0.73 .. 0.77) of what 2 do: posting all "
         "loses 25 %, which fewer at a time can win: race preemptive with depth 2 against ac, from "
         "there on.\n");
}

/* Where TCP sent again, it is the network that loses, whoever shares processors; a segment now and
 * then is no sign of it. */
static void test_drops(void **state)
{
    static const struct said_curve curve = {"to-one", 65536, 2, 0.5, 0.02, 120, 8},
                                   hardly = {"to-one", 65536, 2, 0.5, 0.02, 9, 8};

    (void)state;
    says(
        &curve, 1,
        "64KiB into one rank: 7 at once carry 0.25 (0.24 .. 0.26) of what 2 do: posting all loses "
        "75 %, as the network drops what comes at once (120 segments were sent again), which fewer "
        "at a time can win: race grants with depth 2 against ac, from there on.\n"
        "Ranks share processors: it is how these are shared, where links are faster than they "
        "copy.\n");
    says(&hardly, 1,
         "64KiB into one rank: 7 at once carry 0.25 (0.24 .. 0.26) of what 2 do: posting all loses "
         "75 %, which may be the doing of processors that ranks share.\n"
         "Ranks share processors: it is how these are shared, where links are faster than they "
         "copy.\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loses_in),
        cmocka_unit_test(test_loses_beside_one),
        cmocka_unit_test(test_loses_out),
        cmocka_unit_test(test_drops),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
