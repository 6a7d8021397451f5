/* Combinations of comma lists, and the instances of a mean. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "points/given_lists.h"

/* What combination number of given, JSON, sets of an exchange. */
static struct nuce_exchange_params combine(const char *given, size_t number, size_t expected)
{
    json_t *json = json_loads(given, 0, NULL);
    struct nuce_given_lists lists;
    struct nuce_exchange_params params;
    struct nuce_point point;
    struct nuce_error error;

    assert_int_equal(nuce_given_lists_init(&nuce_workload_exchange, json, 0, &lists, &error),
                     NUCE_OK);
    assert_int_equal(lists.count, expected);
    nuce_point_init(&nuce_workload_exchange, 4, &point);
    assert_int_equal(nuce_given_lists_set(&lists, number, &point, &error), NUCE_OK);
    params = *(struct nuce_exchange_params *)point.params;
    nuce_point_fini(&point);
    nuce_given_lists_fini(&lists);
    json_decref(json);
    return params;
}

/* What is compared runs fastest, whatever the order on the line; a LIST is one value. */
static void test_order(void **state)
{
    static const char given[] = "{\"schedule\": \"ac,lp,greedy\", \"unit\": \"1KiB,2KiB\", "
                                "\"choices\": \"ac,lp\"}";
    struct nuce_exchange_params params = combine(given, 0, 6);

    (void)state;
    assert_string_equal(params.scheduling.schedule, "ac");
    assert_int_equal(params.unit, 1024);
    assert_string_equal(params.scheduling.tuning.choices, "ac,lp");
    params = combine(given, 2, 6);
    assert_string_equal(params.scheduling.schedule, "greedy");
    assert_int_equal(params.unit, 1024);
    params = combine(given, 4, 6);
    assert_string_equal(params.scheduling.schedule, "lp");
    assert_int_equal(params.unit, 2048);
    params = combine("{}", 0, 1);
    assert_int_equal(params.density, 8);
}

static void test_refuses(void **state)
{
    json_t *json = json_loads("{\"unit\": \"1KiB,many\"}", 0, NULL);
    struct nuce_given_lists lists;
    struct nuce_point point;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_given_lists_init(&nuce_workload_exchange, json, 0, &lists, &error),
                     NUCE_OK);
    nuce_point_init(&nuce_workload_exchange, 4, &point);
    assert_int_equal(nuce_given_lists_set(&lists, 1, &point, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "unit");
    nuce_point_fini(&point);
    nuce_given_lists_fini(&lists);
    json_decref(json);
}

/* A mean over 3 instances from number 5 on. */
static void test_samples(void **state)
{
    struct nuce_exchange_params params = combine(
        "{\"schedule\": \"ac\", \"pattern\": \"uniform\", \"samples\": \"3\", \"instance\": \"5\"}",
        0, 1);
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_workload_exchange.complete(&params, 16, &error), NUCE_OK);
    assert_true(nuce_workload_is_mean(&nuce_workload_exchange, &params));
    assert_int_equal(nuce_workload_samples(&nuce_workload_exchange, &params), 3);
    nuce_workload_choose_sample(&nuce_workload_exchange, &params, 2);
    assert_int_equal(params.scheduling.instance, 7);
    assert_false(nuce_workload_is_mean(&nuce_workload_exchange, &params));

    params = combine("{\"schedule\": \"ac\", \"pattern\": \"mesh\", \"mesh\": \"wing-2800\", "
                     "\"samples\": \"3\"}",
                     0, 1);
    assert_int_equal(nuce_workload_exchange.complete(&params, 16, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.subject, "samples");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_samples),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
