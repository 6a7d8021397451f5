/* Counters, with a PAPI of our own making: PAPI_TOT_CYC, whatever follows, counts ten a read,
 * PAPI_TOT_INS a hundred; no other event exists, and PAPI_TOT_REF is one that makes a set that does
 * not start. */
#include "../test.h"

#include <stdio.h>

#include <papi.h>

#include "run/counters.h"

static struct {
    int events;
    long long step[16];
    long long reads;
    int is_hopeless; /* it has PAPI_TOT_REF */
} fake;

int PAPI_is_initialized(void)
{
    return PAPI_LOW_LEVEL_INITED;
}

int PAPI_library_init(int version)
{
    return version;
}

char *PAPI_strerror(int code)
{
    static char text[] = "no such event";

    (void)code;
    return text;
}

int PAPI_create_eventset(int *set)
{
    memset(&fake, 0, sizeof fake);
    *set = 1;
    return PAPI_OK;
}

int PAPI_add_named_event(int set, const char *name)
{
    (void)set;
    if (strcmp(name, "PAPI_TOT_REF") == 0)
        fake.is_hopeless = 1;
    else if (strncmp(name, "PAPI_TOT_CYC", 12) != 0 && strcmp(name, "PAPI_TOT_INS") != 0)
        return PAPI_ENOEVNT;
    fake.step[fake.events++] = strncmp(name, "PAPI_TOT_CYC", 12) == 0 ? 10 : 100;
    return PAPI_OK;
}

int PAPI_start(int set)
{
    (void)set;
    return fake.is_hopeless ? PAPI_ECNFLCT : PAPI_OK;
}

int PAPI_read(int set, long long *values)
{
    (void)set;
    fake.reads++;
    for (int i = 0; i < fake.events; i++)
        values[i] = fake.step[i] * fake.reads;
    return PAPI_OK;
}

int PAPI_stop(int set, long long *values)
{
    return PAPI_read(set, values);
}

int PAPI_cleanup_eventset(int set)
{
    (void)set;
    return PAPI_OK;
}

int PAPI_destroy_eventset(int *set)
{
    *set = PAPI_NULL;
    return PAPI_OK;
}

int PAPI_num_cmp_hwctrs(int component)
{
    (void)component;
    return 6;
}

const PAPI_component_info_t *PAPI_get_component_info(int component)
{
    static const PAPI_component_info_t disabled = {.disabled = 1};

    (void)component;
    return &disabled;
}

int PAPI_enum_event(int *code, int modifier)
{
    (void)code;
    (void)modifier;
    return PAPI_ENOEVNT;
}

int PAPI_query_event(int code)
{
    (void)code;
    return PAPI_ENOEVNT;
}

int PAPI_event_code_to_name(int code, char *name)
{
    (void)code;
    (void)name;
    return PAPI_ENOEVNT;
}

/* Two ranks that count alike. */
void nuce_world_sum(struct nuce_world *world, int64_t *values, int count)
{
    (void)world;
    for (int i = 0; i < count; i++)
        values[i] *= 2;
}

static struct nuce_counters *create(const char *events, char note[NUCE_MESSAGE_BYTES])
{
    struct nuce_counters *counters;
    struct nuce_error error;

    assert_ok(nuce_counters_create(events, &counters, note, &error));
    return counters;
}

static json_t *entry(const json_t *all, const char *part, const char *event)
{
    size_t index;
    json_t *value;

    json_array_foreach(all, index, value)
    {
        if (strcmp(json_string_value(json_object_get(value, "part")), part) == 0 &&
            strcmp(json_string_value(json_object_get(value, "event")), event) == 0)
            return json_object_get(value, "value");
    }
    return NULL;
}

/* What was counted, summed over so many ranks, of which two count. Freed by the caller. */
static json_t *summed(struct nuce_counters *counters, int ranks)
{
    struct nuce_world world = {.size = ranks};

    nuce_counters_sum(counters, &world);
    return nuce_counters_json(counters);
}

/* Parts add up over steps and ranks; an event that does not exist is null, and said once. */
static void test_counts(void **state)
{
    char note[NUCE_MESSAGE_BYTES];
    struct nuce_counters *counters = create("PAPI_TOT_INS,NO_SUCH,PAPI_TOT_CYC", note);
    json_t *all;

    assert_non_null(strstr(note, "NO_SUCH"));
    assert_null(strstr(note, "PAPI_TOT"));
    nuce_counters_begin(counters);
    nuce_counters_end(counters, NUCE_PART_PACK);
    nuce_counters_reset(counters); /* the warm-up does not count */
    for (int i = 0; i < 3; i++) {
        nuce_counters_begin(counters);
        nuce_counters_end(counters, NUCE_PART_COMMUNICATION);
        nuce_counters_end(counters, NUCE_PART_COMPUTATION);
    }
    all = summed(counters, 2);
    assert_int_equal(json_integer_value(entry(all, "communication", "PAPI_TOT_INS")), 600);
    assert_int_equal(json_integer_value(entry(all, "communication", "PAPI_TOT_CYC")), 60);
    assert_int_equal(json_integer_value(entry(all, "computation", "PAPI_TOT_INS")), 600);
    assert_true(json_is_null(entry(all, "communication", "NO_SUCH")));
    assert_null(entry(all, "pack", "PAPI_TOT_INS"));
    json_decref(all);
    nuce_counters_destroy(counters);
}

/* What one of three ranks cannot count is unknown, not a smaller sum. */
static void test_rank_without(void **state)
{
    char note[NUCE_MESSAGE_BYTES];
    struct nuce_counters *counters = create("PAPI_TOT_INS", note);
    json_t *all;

    nuce_counters_begin(counters);
    nuce_counters_end(counters, NUCE_PART_COMMUNICATION);
    all = summed(counters, 3);
    assert_int_equal(json_array_size(all), 1);
    assert_true(json_is_null(entry(all, "communication", "PAPI_TOT_INS")));
    json_decref(all);
    nuce_counters_destroy(counters);
}

/* A set that does not start counts nothing: each of its events is named, and is null once. */
static void test_not_started(void **state)
{
    char note[NUCE_MESSAGE_BYTES];
    struct nuce_counters *counters = create("PAPI_TOT_INS,PAPI_TOT_REF", note);
    json_t *all;

    assert_non_null(strstr(note, "PAPI_TOT_INS"));
    assert_non_null(strstr(note, "PAPI_TOT_REF"));
    nuce_counters_begin(counters);
    nuce_counters_end(counters, NUCE_PART_PACK);
    assert_int_equal(fake.reads, 0);
    all = summed(counters, 2);
    assert_int_equal(json_array_size(all), 2);
    assert_true(json_is_null(entry(all, "communication", "PAPI_TOT_INS")));
    assert_true(json_is_null(entry(all, "communication", "PAPI_TOT_REF")));
    json_decref(all);
    nuce_counters_destroy(counters);
    assert_int_equal(fake.reads, 0);
}

/* As many events as there is room for, empty names between them, and one more. */
static void test_most(void **state)
{
    char events[17 * sizeof "PAPI_TOT_CYC:10,,"] = "", note[NUCE_MESSAGE_BYTES];
    struct nuce_counters *counters;
    struct nuce_error error;
    json_t *all;

    for (int i = 0; i < 16; i++)
        sprintf(events + strlen(events), "PAPI_TOT_CYC:%d,,", i);
    counters = create(events, note);
    assert_string_equal(note, "");
    nuce_counters_begin(counters);
    nuce_counters_end(counters, NUCE_PART_STEP);
    all = summed(counters, 2);
    assert_int_equal(json_array_size(all), 16);
    for (size_t i = 0; i < 16; i++)
        assert_int_equal(json_integer_value(json_object_get(json_array_get(all, i), "value")), 20);
    json_decref(all);
    nuce_counters_destroy(counters);
    strcat(events, "PAPI_TOT_INS");
    assert_int_equal(nuce_counters_create(events, &counters, note, &error), NUCE_BAD_INPUT);
    assert_says(&error, "papi: more than 16 events");
}

/* An event that is asked for twice is counted once: a record has each once. */
static void test_twice(void **state)
{
    char note[NUCE_MESSAGE_BYTES];
    struct nuce_counters *counters = create("PAPI_TOT_INS,PAPI_TOT_CYC,PAPI_TOT_INS", note);
    json_t *all;

    nuce_counters_begin(counters);
    nuce_counters_end(counters, NUCE_PART_COMMUNICATION);
    all = summed(counters, 2);
    assert_int_equal(json_array_size(all), 2);
    assert_int_equal(json_integer_value(entry(all, "communication", "PAPI_TOT_INS")), 200);
    json_decref(all);
    nuce_counters_destroy(counters);
}

static void test_none(void **state)
{
    char note[NUCE_MESSAGE_BYTES];
    struct nuce_counters *counters = create("", note);

    assert_string_equal(note, "");
    nuce_counters_begin(counters);
    nuce_counters_end(counters, NUCE_PART_STEP);
    assert_null(nuce_counters_json(counters));
    nuce_counters_destroy(counters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),      cmocka_unit_test(test_rank_without),
        cmocka_unit_test(test_not_started), cmocka_unit_test(test_most),
        cmocka_unit_test(test_twice),       cmocka_unit_test(test_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
