/* Means over instances of what a model finds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "programs/model_means.h"

/* clang-format off */
static const struct nuce_result rows[] = {
    {"length", NUCE_REAL, "cells", "", NULL, 0},
    {"messages", NUCE_INTEGER, "", "", NULL, 0},
    {"ranks", NUCE_INTEGER, "", "", NULL, 0},
    {"settled", NUCE_INTEGER, "", "", NULL, NUCE_RESULT_EVERY},
    {"network", NUCE_TEXT, "", "", NULL, 0},
    {"unknown", NUCE_REAL, "", "", NULL, 0},
    {.name = NULL},
};
/* clang-format on */

static const struct nuce_result *const tables[] = {rows, NULL};

static void add(struct nuce_model_means *means, double length, int64_t messages, int settled)
{
    struct nuce_found found;
    struct nuce_error error;

    nuce_found_init(tables, &found);
    nuce_found_real(&found, "length", length);
    nuce_found_integer(&found, "messages", messages);
    nuce_found_integer(&found, "ranks", 4);
    nuce_found_integer(&found, "settled", settled);
    nuce_found_text(&found, "network", "cm5");
    assert_int_equal(nuce_model_means_add(means, &found, &error), NUCE_OK);
    nuce_found_fini(&found);
}

static void test_numbers(void **state)
{
    struct nuce_model_means means;
    const struct nuce_model_mean *length;

    (void)state;
    nuce_model_means_init(tables, &means);
    add(&means, 2, 7, 1);
    length = nuce_model_means_of(&means, "length");
    assert_true(isnan(nuce_model_mean_deviation(length)));
    add(&means, 4, 9, 0);
    add(&means, 9, 8, 1);
    assert_int_equal(length->count, 3);
    assert_float_equal(length->sum / 3, 5, 0);
    assert_float_equal(length->least, 2, 0);
    assert_float_equal(length->largest, 9, 0);
    /* (9 + 1 + 16) / 2 */
    assert_float_equal(nuce_model_mean_deviation(length), sqrt(13), 1e-12);
    assert_int_equal(nuce_model_means_of(&means, "unknown")->count, 0);
    nuce_model_means_fini(&means);
}

/* A record of a mean has what means can say: no count that differs between instances. */
static void test_describes(void **state)
{
    struct nuce_model_means means;
    struct nuce_found found;
    struct nuce_error error;
    json_t *values;

    (void)state;
    nuce_model_means_init(tables, &means);
    add(&means, 2, 7, 1);
    add(&means, 4, 9, 0);
    nuce_found_init(tables, &found);
    nuce_model_means_describe(&means, &found);
    values = nuce_found_values(&found, &error);
    assert_float_equal(json_real_value(json_object_get(values, "length")), 3, 0);
    assert_null(json_object_get(values, "messages"));
    assert_int_equal(json_integer_value(json_object_get(values, "ranks")), 4);
    assert_int_equal(json_integer_value(json_object_get(values, "settled")), 0);
    assert_string_equal(json_string_value(json_object_get(values, "network")), "cm5");
    assert_null(json_object_get(values, "unknown"));
    json_decref(values);
    nuce_found_fini(&found);
    nuce_model_means_fini(&means);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_describes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
