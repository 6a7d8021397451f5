/* What contention and permutations add to rows of results, and say of them. */
#include "../test.h"

#include <stdio.h>
#include <stdlib.h>

#include "programs/calibrate.h"

/* What is said where many transfers at once lose: from which size on, and which schedule to race.
 * The other sentences are in test_rows.c. */

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
    for (size_t i = 0; i < count && curves[i].direction != NULL; i++) {
        add_row(rows, &curves[i], 1, 1);
        add_row(rows, &curves[i], 2, curves[i].two);
        add_row(rows, &curves[i], 7, curves[i].seven);
    }
    nuce_contention_say(rows, file);
    assert_int_equal(fclose(file), 0);
    json_decref(rows);
    return text;
}

/* Two partners carry 1.9, seven less than half of it with the largest size, and with the one before
 * it; the smallest loses nothing. Or one alone carries most. Where TCP sent again, it is the
 * network that loses, whoever shares processors; a segment now and then is no sign of it. */
static void test_loses(void **state)
{
#define SHARED                                                                                     \
    "Ranks share processors: it is how these are shared, where links are faster than they copy.\n"
    static const struct {
        struct said_curve curves[3];
        const char *wanted;
    } cases[] = {
        {{{"to-one", 256, 1.9, 3, 0.02, 0, 0},
          {"to-one", 16384, 1.9, 0.76, 0.02, 0, 0},
          {"to-one", 4096, 1.9, 1.52, 0.02, 0, 0}},
         "16KiB into one rank: 7 at once carry 0.40 (0.39 .. 0.41) of what 2 do: posting all loses "
         "60 %, and some from 4KiB on, which fewer at a time can win: race grants with depth 2 "
         "against ac, from there on.\n"},
        {{{"to-one", 16384, 0.8, 0.5, 0.02, 0, 0}},
         "16KiB into one rank: 7 at once carry 0.50 (0.47 .. 0.53) of what 1 does: posting all "
         "loses 50 %, which fewer at a time can win: race grants with depth 2 against ac, from "
         "there on.\n"},
        {{{"from-one", 16384, 0.8, 0.5, 0.02, 0, 0}},
         "16KiB out of one rank: 7 at once carry 0.50 (0.47 .. 0.53) of what 1 does: posting all "
         "loses 50 %, which fewer at a time can win: race preemptive with depth 1 against ac, from "
         "there on.\n"},
        {{{"from-one", 4096, 2, 1.5, 0.02, 0, 0}},
         "4KiB out of one rank: 7 at once carry 0.75 (0.73 .. 0.77) of what 2 do: posting all "
         "loses 25 %, which fewer at a time can win: race preemptive with depth 2 against ac, from "
         "there on.\n"},
        {{{"to-one", 65536, 2, 0.5, 0.02, 120, 8}},
         "64KiB into one rank: 7 at once carry 0.25 (0.24 .. 0.26) of what 2 do: posting all loses "
         "75 %, as the network drops what comes at once (120 segments were sent again), which "
         "fewer at a time can win: race grants with depth 2 against ac, from there on.\n" SHARED},
        {{{"to-one", 65536, 2, 0.5, 0.02, 9, 8}},
         "64KiB into one rank: 7 at once carry 0.25 (0.24 .. 0.26) of what 2 do: posting all loses "
         "75 %, which may be the doing of processors that ranks share.\n" SHARED},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        char *text = said_of(cases[i].curves, 3);

        assert_string_equal(text, cases[i].wanted);
        free(text);
    }
}

/* What is made of the times of calibrating runs: exact cases, without MPI. */

/* A row of the median and its interval in microseconds; low 0: no interval. */
static json_t *contention_row(const char *direction, int partners, double median, double low,
                              double high)
{
    json_t *row = json_pack("{s:s, s:i, s:i, s:s, s:f}", "direction", direction, "size", 4096,
                            "partners", partners, "status", "ok", "communication_s", median * 1e-6);

    if (low > 0) {
        assert_int_equal(json_object_set_new(row, "communication_low_s", json_real(low * 1e-6)), 0);
        assert_int_equal(json_object_set_new(row, "communication_high_s", json_real(high * 1e-6)),
                         0);
    }
    return row;
}

/* Seven partners to-one take so long, from-one so long, where one takes 100 us (99 .. 101). */
struct contention_case {
    double to_one, from_one;       /* us */
    double to_spread, from_spread; /* of the interval, either side, as a fraction */
    const char *to_growth, *from_growth, *regime;
};

static void check_growth(json_t *rows, size_t index, const char *growth, const char *regime)
{
    const json_t *row = json_array_get(rows, index);

    assert_string_equal(json_string_value(json_object_get(row, "growth")), growth);
    assert_string_equal(json_string_value(json_object_get(row, "regime")), regime);
}

static void test_regimes(void **state)
{
    static const struct contention_case cases[] = {
        {700, 690, 0.02, 0.02, "serial", "serial", "single-port"},
        {900, 700, 0.02, 0.02, "serial", "serial", "single-port"},
        {101, 99, 0.02, 0.02, "independent", "independent", "independent-paths"},
        {300, 350, 0.05, 0.05, "limited", "limited", "NIC-limited"},
        {700, 300, 0.02, 0.05, "serial", "limited", "NIC-limited"},
        {110, 700, 0.02, 0.02, "independent", "serial", "NIC-limited"},
        {560, 560, 0.02, 0.02, "unclear", "unclear", "unclear"},
        {20, 700, 0.02, 0.02, "unclear", "serial", "unclear"},
        {101, 133, 0.02, 0.05, "independent", "unclear", "unclear"},
        {700, 300, 0.02, 0.9, "serial", "unclear", "unclear"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct contention_case *c = &cases[i];
        json_t *rows = json_array();

        json_array_append_new(rows, contention_row("to-one", 1, 100, 99, 101));
        json_array_append_new(rows,
                              contention_row("to-one", 7, c->to_one, c->to_one * (1 - c->to_spread),
                                             c->to_one * (1 + c->to_spread)));
        json_array_append_new(rows, contention_row("from-one", 1, 100, 99, 101));
        json_array_append_new(rows, contention_row("from-one", 7, c->from_one,
                                                   c->from_one * (1 - c->from_spread),
                                                   c->from_one * (1 + c->from_spread)));
        nuce_contention_compare(rows);
        check_growth(rows, 1, c->to_growth, c->regime);
        check_growth(rows, 3, c->from_growth, c->regime);
        assert_null(json_object_get(json_array_get(rows, 0), "gain"));
        json_decref(rows);
    }
}

/* The interval is of the worst ends: 4 x 99 / 220 .. 4 x 101 / 180. */
static void test_gain(void **state)
{
    json_t *rows = json_array(), *row = contention_row("to-one", 4, 200, 180, 220);

    json_array_append(rows, row);
    json_array_append_new(rows, contention_row("to-one", 1, 100, 99, 101));
    nuce_contention_compare(rows);
    assert_true(fabs(json_number_value(json_object_get(row, "gain")) - 2) < 1e-9);
    assert_true(fabs(json_number_value(json_object_get(row, "gain_low")) - 1.8) < 1e-9);
    assert_true(fabs(json_number_value(json_object_get(row, "gain_high")) - 404. / 180) < 1e-9);
    /* The other direction was not measured. */
    check_growth(rows, 0, "limited", "unclear");
    json_decref(row);
    json_decref(rows);
}

static void test_without_interval(void **state)
{
    json_t *rows = json_array();

    json_array_append_new(rows, contention_row("to-one", 1, 100, 0, 0));
    json_array_append_new(rows, contention_row("to-one", 2, 200, 190, 210));
    json_array_append_new(rows, contention_row("from-one", 2, 200, 190, 210));
    nuce_contention_compare(rows);
    assert_true(json_is_real(json_object_get(json_array_get(rows, 1), "gain")));
    assert_null(json_object_get(json_array_get(rows, 1), "gain_low"));
    check_growth(rows, 1, "unclear", "unclear");
    /* Nothing to compare with. */
    assert_null(json_object_get(json_array_get(rows, 2), "growth"));
    json_decref(rows);
}

/* What is said of 1, 2 and 7 partners, of which 2 take two_us and 7 seven_us, each known to spread;
 * shared: ranks share processors. */
static char *said(double two_us, double seven_us, double spread, int shared)
{
    json_t *rows = json_array();
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);

    json_array_append_new(rows,
                          contention_row("to-one", 1, 100, 100 * (1 - spread), 100 * (1 + spread)));
    json_array_append_new(
        rows, contention_row("to-one", 2, two_us, two_us * (1 - spread), two_us * (1 + spread)));
    json_array_append_new(rows, contention_row("to-one", 7, seven_us, seven_us * (1 - spread),
                                               seven_us * (1 + spread)));
    for (size_t i = 0; i < json_array_size(rows); i++)
        json_object_set_new(json_array_get(rows, i), "oversubscribed", json_integer(shared));
    nuce_contention_compare(rows);
    nuce_contention_say(rows, file);
    json_decref(rows);
    assert_int_equal(fclose(file), 0);
    return text;
}

/* Two in 100 us carry twice what one does, as a port of that does; seven in 350 us carry as much,
 * in 700 us half of it. */
static void test_says(void **state)
{
    static const struct {
        double two_us, seven_us, spread;
        int shared;
        const char *says;
    } cases[] = {
        {100, 349, 0.01, 0, ": 7 at once carry more than fewer do: posting all loses nothing.\n"},
        {100, 351, 0.001, 0,
         ": 7 at once carry 1.00 (0.99 .. 1.00) of what 2 do: posting all loses at "
         "most 1 %, and no order of sending can win more.\n"},
        {100, 700, 0.01, 0,
         ": 7 at once carry 0.50 (0.48 .. 0.52) of what 2 do: posting all loses 50 %, "
         "which fewer at a time can win: race grants with depth 2 against ac, from there on.\n"},
        {100, 700, 0.01, 1,
         "posting all loses 50 %, which may be the doing of processors that ranks share.\nRanks "
         "share "
         "processors: it is how these are shared, where links are faster than they copy.\n"},
        {100, 349, 0.01, 1, "posting all loses nothing.\nRanks share processors: "},
        {100, 360, 0.05, 0,
         ": 7 at once carry 0.97 (0.80 .. 1.19) of what 2 do: this does not tell; more "
         "samples (--min 100), or a quieter machine, can.\n"},
        {30, 700, 0.01, 0,
         ": the times are of other things than a network; a quieter machine can tell.\n"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        char *text = said(cases[i].two_us, cases[i].seven_us, cases[i].spread, cases[i].shared);

        if (strstr(text, cases[i].says) == NULL)
            fail_msg("case %zu: %s", i, text);
        free(text);
    }
}

static double number(const json_t *row, const char *key)
{
    assert_true(json_is_number(json_object_get(row, key)));
    return json_number_value(json_object_get(row, key));
}

/* Four ranks, two partners: rank 2 has no part in it. */
static void test_sides(void **state)
{
    json_t *record = json_pack("{s:i, s:[[f,f,f,f], [f,f,f,f], [f,f,f,f]]}", "ranks", 4, "per_rank",
                               1., 2., 9., 4., 3., 1., 9., 5., 2., 6., 9., 9.);
    json_t *row = json_pack("{s:i}", "partners", 2), *empty = json_pack("{s:i}", "partners", 2);
    json_t *none = json_pack("{s:i}", "ranks", 4);
    struct nuce_error error;

    assert_ok(nuce_contention_summarise(record, row, &error));
    assert_true(number(row, "one_s") == 5);
    assert_true(number(row, "partner_max_s") == 3);
    assert_true(number(row, "partner_min_s") == 1);
    assert_true(number(row, "partner_mean_s") == 2);
    assert_ok(nuce_contention_summarise(none, empty, &error));
    assert_null(json_object_get(empty, "one_s"));
    json_decref(record);
    json_decref(row);
    json_decref(empty);
    json_decref(none);
}

static json_t *permutation_row(const char *name, int size, const json_t *record)
{
    json_t *row = json_pack("{s:s, s:i}", "permutation", name, "size", size);
    struct nuce_error error;

    assert_ok(nuce_permutations_summarise(record, row, &error));
    return row;
}

static void test_permutations(void **state)
{
    json_t *record =
        json_pack("{s:{s:[f,f,f,f]}}", "samples", "communication", 1.0, 1.05, 0.95, 2.0);
    json_t *fast = json_pack("{s:{s:[f]}}", "samples", "communication", 0.5);
    json_t *rows = json_array(), *row;

    json_array_append_new(rows, permutation_row("random", 1024, record));
    json_array_append_new(rows, permutation_row("xor-8388608", 1024, fast));
    json_array_append_new(rows, permutation_row("xor-2", 4096, fast));
    nuce_permutations_compare(rows);
    row = json_array_get(rows, 0);
    assert_true(json_is_null(json_object_get(row, "distance")));
    assert_true(fabs(number(row, "mean_s") - 1.25) < 1e-12);
    assert_true(number(row, "least_s") == 0.95 && number(row, "most_s") == 2);
    assert_true(number(row, "within_tenth") == 0);
    assert_null(json_object_get(row, "against_random"));
    row = json_array_get(rows, 1);
    assert_true(number(row, "distance") == 8388608);
    assert_true(number(row, "within_tenth") == 1);
    assert_true(fabs(number(row, "random_mean_s") - 1.25) < 1e-12);
    assert_true(fabs(number(row, "against_random") - 0.4) < 1e-12);
    /* No random ones of its size. */
    assert_null(json_object_get(json_array_get(rows, 2), "against_random"));
    json_decref(rows);
    json_decref(record);
    json_decref(fast);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loses),        cmocka_unit_test(test_regimes),
        cmocka_unit_test(test_gain),         cmocka_unit_test(test_without_interval),
        cmocka_unit_test(test_says),         cmocka_unit_test(test_sides),
        cmocka_unit_test(test_permutations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
