/* Counters where there is no PAPI: all events are unknown, each once, and it is said. */
#include "../test.h"

#include "run/counters.h"

/* What is said of these events; *all is what stands of them in a record. */
static void ask(const char *events, char note[NUCE_MESSAGE_BYTES], json_t **all)
{
    struct nuce_counters *counters;
    struct nuce_error error;

    assert_ok(nuce_counters_create(events, &counters, note, &error));
    nuce_counters_begin(counters);
    nuce_counters_end(counters, NUCE_PART_STEP);
    *all = nuce_counters_json(counters);
    nuce_counters_destroy(counters);
}

static void test_unknown(void **state)
{
    static const char *const names[] = {"PAPI_TOT_INS", "PAPI_TOT_CYC"};
    char note[NUCE_MESSAGE_BYTES];
    json_t *all;

    ask("PAPI_TOT_INS,,PAPI_TOT_CYC,PAPI_TOT_INS,", note, &all);
    assert_string_equal(note, "built without PAPI: no event is counted");
    assert_int_equal(json_array_size(all), 2);
    for (size_t i = 0; i < 2; i++) {
        const json_t *one = json_array_get(all, i);

        assert_string_equal(json_string_value(json_object_get(one, "event")), names[i]);
        assert_string_equal(json_string_value(json_object_get(one, "part")), "communication");
        assert_true(json_is_null(json_object_get(one, "value")));
    }
    json_decref(all);
}

static void test_nothing(void **state)
{
    char note[NUCE_MESSAGE_BYTES];
    json_t *all;

    ask("", note, &all);
    assert_string_equal(note, "");
    assert_null(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
