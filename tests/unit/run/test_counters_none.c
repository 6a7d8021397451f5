/* Counters where there is no PAPI: all events are unknown, each once, with a message. */
#include "../test.h"

#include "run/counters.h"

/* The note on these events; *all is their part of a record. */
static void ask(const char *events, char note[NUCE_MESSAGE_BYTES], json_t **all)
{
    struct nuce_counters *counters;

    assert_ok(nuce_counters_create(events, &counters, note, ANY_ERROR));
    nuce_counters_begin(counters);
    nuce_counters_end(counters, NUCE_PART_STEP);
    *all = nuce_counters_json(counters);
    nuce_counters_destroy(counters);
}

static void test_unknown(void **state)
{
    char note[NUCE_MESSAGE_BYTES];
    json_t *all,
        *wanted =
            json_loads("[{\"part\":\"communication\",\"event\":\"PAPI_TOT_INS\",\"value\":null},"
                       " {\"part\":\"communication\",\"event\":\"PAPI_TOT_CYC\",\"value\":null}]",
                       0, NULL);

    ask("PAPI_TOT_INS,,PAPI_TOT_CYC,PAPI_TOT_INS,", note, &all);
    assert_string_equal(note, "built without PAPI: no event is counted");
    assert_true(json_equal(all, wanted));
    json_decref(all);
    json_decref(wanted);
}

static void test_nothing(void **state)
{
    char note[NUCE_MESSAGE_BYTES];
    json_t *all;

    ask("", note, &all);
    assert_string_equal(note, "");
    assert_null(all);
}

RUN(test_unknown, test_nothing)
