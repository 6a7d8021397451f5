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

    assert_ok(nuce_counters_create(events, &counters, note, ANY_ERROR));
    return counters;
}

/* Parts add up over steps and ranks, of which two count; the warm-up does not count. */
static void test_counts(void **state)
{
    static const struct {
        const char *events;
        int ranks;
        const char *noted[2]; /* events that cannot be counted are reported once, and are null */
        const char *counts;
    } cases[] = {
        {"PAPI_TOT_INS,NO_SUCH,PAPI_TOT_CYC",
         2,
         {"NO_SUCH"},
         "[[\"communication\",\"PAPI_TOT_INS\",600],[\"communication\",\"NO_SUCH\",null],"
         "[\"communication\",\"PAPI_TOT_CYC\",60],[\"computation\",\"PAPI_TOT_INS\",600],"
         "[\"computation\",\"PAPI_TOT_CYC\",60]]"},
        /* An event that one of three ranks cannot count is unknown, not a smaller sum. */
        {"PAPI_TOT_INS", 3, {NULL}, "[[\"communication\",\"PAPI_TOT_INS\",null]]"},
        /* A set that does not start counts nothing. */
        {"PAPI_TOT_INS,PAPI_TOT_REF",
         2,
         {"PAPI_TOT_INS", "PAPI_TOT_REF"},
         "[[\"communication\",\"PAPI_TOT_INS\",null],[\"communication\",\"PAPI_TOT_REF\",null]]"},
        /* An event that is asked for twice is counted once: a record has each once. */
        {"PAPI_TOT_INS,PAPI_TOT_CYC,PAPI_TOT_INS",
         2,
         {NULL},
         "[[\"communication\",\"PAPI_TOT_INS\",600],[\"communication\",\"PAPI_TOT_CYC\",60],"
         "[\"computation\",\"PAPI_TOT_INS\",600],[\"computation\",\"PAPI_TOT_CYC\",60]]"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_world world = {.size = cases[i].ranks};
        char note[NUCE_MESSAGE_BYTES];
        struct nuce_counters *counters = create(cases[i].events, note);
        json_t *all, *value, *wanted = json_loads(cases[i].counts, 0, NULL);
        size_t index, k;

        for (k = 0; k < 2 && cases[i].noted[k] != NULL; k++)
            assert_non_null(strstr(note, cases[i].noted[k]));
        assert_int_equal(strstr(note, "PAPI_TOT") != NULL, k == 2);
        nuce_counters_begin(counters);
        nuce_counters_end(counters, NUCE_PART_PACK);
        nuce_counters_reset(counters);
        for (int step = 0; step < 3; step++) {
            nuce_counters_begin(counters);
            nuce_counters_end(counters, NUCE_PART_COMMUNICATION);
            nuce_counters_end(counters, NUCE_PART_COMPUTATION);
        }
        nuce_counters_sum(counters, &world);
        all = nuce_counters_json(counters);
        json_array_foreach(all, index, value) json_array_set_new(
            all, index,
            json_pack("[O, O, O]", json_object_get(value, "part"), json_object_get(value, "event"),
                      json_object_get(value, "value")));
        if (!json_equal(all, wanted))
            fail_msg("%s: %s", cases[i].events, json_dumps(all, 0));
        json_decref(all);
        json_decref(wanted);
        nuce_counters_destroy(counters);
        assert_true(k < 2 || fake.reads == 0);
    }
}

/* As many events as there is room for, empty names between them, and one more. */
static void test_most(void **state)
{
    char events[17 * sizeof "PAPI_TOT_CYC:10,,"] = "", note[NUCE_MESSAGE_BYTES];
    struct nuce_counters *counters;
    struct nuce_error error;
    struct nuce_world two = {.size = 2};
    json_t *all;

    for (int i = 0; i < 16; i++)
        sprintf(events + strlen(events), "PAPI_TOT_CYC:%d,,", i);
    counters = create(events, note);
    assert_string_equal(note, "");
    nuce_counters_begin(counters);
    nuce_counters_end(counters, NUCE_PART_STEP);
    nuce_counters_sum(counters, &two);
    all = nuce_counters_json(counters);
    assert_int_equal(json_array_size(all), 16);
    for (size_t i = 0; i < 16; i++)
        assert_int_equal(json_integer_value(json_object_get(json_array_get(all, i), "value")), 20);
    json_decref(all);
    nuce_counters_destroy(counters);
    strcat(events, "PAPI_TOT_INS");
    assert_int_equal(nuce_counters_create(events, &counters, note, &error), NUCE_BAD_INPUT);
    assert_says(&error, "papi: more than 16 events");
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

RUN(test_counts, test_most, test_none)
