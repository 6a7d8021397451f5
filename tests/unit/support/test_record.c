/* Records of runs: every field, and each way in which one is refused. */
#include "../test.h"

#include <stdlib.h>
#include <string.h>

#include "base/jsonl.h"
#include "base/record.h"

/* A run with every field, all parts, per-rank times and counters. */
static json_t *good_record(void)
{
    struct nuce_error error;
    json_t *record = nuce_record_create("run", "job-1", &error);
    json_t *more =
        json_loads("{\"status\":\"ok\",\"kind\":\"measured\",\"workload\":\"exchange\",\"ranks\":2,"
                   "\"params\":{\"item-bytes\":16},"
                   "\"samples\":{\"step\":[0.25,0],\"pack\":[0.1,1],\"communication\":[0.1,1e-9],"
                   "\"unpack\":[0,0],\"computation\":[3,4]},"
                   "\"per_rank\":[[0.1,0.25],[0,0]],"
                   "\"metrics\":{\"events_lost\":0,\"clock_error_s\":1e-6,\"choice\":\"lp\"},"
                   "\"counters\":[{\"part\":\"step\",\"event\":\"L1\",\"value\":12},"
                   "{\"part\":\"pack\",\"event\":\"L2\",\"value\":null}]}",
                   0, NULL);

    assert_non_null(record);
    assert_non_null(more);
    for (const struct nuce_record_field *field = nuce_record_fields; field->name != NULL; field++) {
        json_t *value = field->type == NUCE_FIELD_TEXT      ? json_string("text")
                        : field->type == NUCE_FIELD_INTEGER ? json_integer(1)
                                                            : json_real(0.5);

        assert_int_equal(json_object_set_new(record, field->name, value), 0);
    }
    assert_int_equal(json_object_update(record, more), 0);
    json_decref(more);
    return record;
}

/* Checks that the record is refused with message in the error, and frees it. */
static void assert_refused(json_t *record, const char *message)
{
    struct nuce_error error = {0};

    assert_int_equal(nuce_record_check_run(record, &error), NUCE_BAD_INPUT);
    assert_says(&error, message);
    json_decref(record);
}

static void assert_accepted(json_t *record)
{
    assert_ok(nuce_record_check_run(record, ANY_ERROR));
    json_decref(record);
}

static json_t *parse(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);

    assert_non_null(value);
    return value;
}

/* The good record with key replaced by text, inside the object called within if that is given. */
static json_t *with(const char *within, const char *key, const char *text)
{
    json_t *record = good_record();
    json_t *object = within == NULL ? record : json_object_get(record, within);

    assert_int_equal(json_object_set_new(object, key, parse(text)), 0);
    return record;
}

static json_t *without(const char *key)
{
    json_t *record = good_record();

    assert_int_equal(json_object_del(record, key), 0);
    return record;
}

/* Times that are no JSON numbers, or too large, are left to who reads all of the line. */
static void test_brief_digits(void **state)
{
    static const char *const bad[] = {"01.2,2", "1.,2.5", ".5,2.5", "1,,2.5", "1e,2.5", "12e999"};
    json_t *record = with(NULL, "samples", "{\"step\":[1.25,2]}");
    struct nuce_error error;
    json_t *brief;
    char *line;

    (void)state;
    json_object_del(record, "per_rank");
    line = nuce_jsonl_sealed(record, &error);
    brief = nuce_record_read_brief(line, strlen(line));
    assert_non_null(brief);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        memcpy(strstr(line, "\"step\":[") + strlen("\"step\":["), bad[i], strlen("1.25,2"));
        assert_null(nuce_record_read_brief(line, strlen(line)));
    }
    json_decref(brief);
    json_decref(record);
    free(line);
}

/* Lines of runs in brief: with the place of each sample; a part that differs in number, no step, a
 * negative time, and places that differ in number are left to who reads all of the line. */
static void test_brief(void **state)
{
    static const struct {
        const char *samples, *place;
        int is_brief;
    } lines[] = {
        {"{\"pack\":[0.5,1e-07],\"step\":[1.25,2]}", "[0,1]", 1},
        {"{\"step\":[]}", "[]", 1},
        {"{\"step\":[1.25,2]}", NULL, 1},
        {"{\"pack\":[1.25],\"step\":[1.25,2]}", NULL, 0},
        {"{\"pack\":[1.25,2]}", NULL, 0},
        {"{\"step\":[1.25,-2]}", NULL, 0},
        {"{\"step\":[1.25,\"2\"]}", NULL, 0},
        {"{\"step\":[1.25,2]}", "[0]", 0},
        {"{\"step\":[1.25,2]}", "[0,[1]]", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        json_t *record = with(NULL, "samples", lines[i].samples), *brief;
        struct nuce_error error;
        char *line;

        json_object_del(record, "per_rank");
        if (lines[i].place != NULL)
            json_object_set_new(record, "place", parse(lines[i].place));
        line = nuce_jsonl_sealed(record, &error);
        brief = nuce_record_read_brief(line, strlen(line));
        assert_int_equal(brief != NULL, lines[i].is_brief);
        if (brief != NULL) {
            json_object_del(record, "place");
            json_object_set_new(record, "samples", parse("{\"step\":[]}"));
            json_object_del(brief, "sum");
            assert_true(json_equal(brief, record));
        }
        json_decref(brief);
        json_decref(record);
        free(line);
    }
}

static void test_create(void **state)
{
    struct nuce_error error;
    json_t *record = nuce_record_create("begin", "j", &error);
    json_t *expected = parse("{\"record\":\"begin\",\"version\":3,\"job\":\"j\"}");

    assert_true(json_equal(record, expected));
    json_decref(record);
    json_decref(expected);
}

static void test_good(void **state)
{
    assert_accepted(good_record());
    assert_accepted(without("per_rank"));
    assert_accepted(without("counters"));
    assert_accepted(with("samples", "pack", "null"));
    assert_accepted(with(NULL, "wall_s", "3"));
    for (int i = 0; nuce_record_statuses[i] != NULL; i++) {
        json_t *record = good_record();

        json_object_set_new(record, "status", json_string(nuce_record_statuses[i]));
        assert_accepted(record);
    }
}

/* Every field of the table: missing, null, and of a wrong type. */
static void test_every_field(void **state)
{
    for (const struct nuce_record_field *field = nuce_record_fields; field->name != NULL; field++) {
        if (field->required) {
            assert_refused(without(field->name), field->name);
            assert_refused(with(NULL, field->name, "null"), field->name);
        } else {
            assert_accepted(without(field->name));
            assert_accepted(with(NULL, field->name, "null"));
        }
        assert_refused(with(NULL, field->name, field->type == NUCE_FIELD_TEXT ? "1" : "\"text\""),
                       field->name);
        assert_refused(with(NULL, field->name, "[]"), field->name);
        assert_refused(with(NULL, field->name, "true"), field->name);
        if (field->type == NUCE_FIELD_INTEGER)
            assert_refused(with(NULL, field->name, "1.5"), field->name);
    }
}

static void test_identity(void **state)
{
    static const char *const keys[] = {"workload", "ranks", "params"};

    for (int i = 0; i < 3; i++) {
        assert_refused(without(keys[i]), keys[i]);
        assert_refused(with(NULL, keys[i], "[]"), keys[i]);
    }
    assert_refused(with(NULL, "status", "\"fine\""), "unknown status 'fine'");
    assert_refused(with(NULL, "kind", "\"guessed\""), "unknown kind 'guessed'");
}

static void test_found(void **state)
{
    static const char *const bad[] = {"[]", "7", "null"};
    static const char *const values[] = {"[1]", "{}", "true"};

    assert_accepted(without("metrics"));
    assert_accepted(with(NULL, "metrics", "{}"));
    assert_accepted(with("metrics", "never_heard_of_s", "null"));
    assert_accepted(with("metrics", "never_heard_of_s", "1"));
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_refused(with(NULL, "metrics", bad[i]), "'metrics' is not an object");
    for (size_t i = 0; i < COUNT(values); i++)
        assert_refused(with("metrics", "colour", values[i]), "'colour' of 'metrics'");
}

/* The message for a record of another version has that version, and advice. */
static void test_version(void **state)
{
    assert_refused(with(NULL, "version", "1"),
                   "version 1, this nuce reads version 3: 'nuce resume'");
    assert_refused(with(NULL, "version", "4"),
                   "version 4, this nuce reads version 3: a newer nuce");
    assert_refused(with(NULL, "version", "\"2\""), "not a record");
    assert_refused(without("version"), "not a record");
    assert_refused(without("record"), "not a record");
}

static void test_samples(void **state)
{
    assert_refused(without("samples"), "samples");
    assert_refused(with(NULL, "samples", "{}"), "samples");
    assert_refused(with(NULL, "samples", "[1]"), "samples");
    assert_refused(with("samples", "step", "7"), "samples");
    for (int i = 1; nuce_record_sample_parts[i] != NULL; i++) {
        assert_refused(with("samples", nuce_record_sample_parts[i], "[1]"),
                       nuce_record_sample_parts[i]);
        assert_refused(with("samples", nuce_record_sample_parts[i], "[1,2,3]"),
                       nuce_record_sample_parts[i]);
        assert_refused(with("samples", nuce_record_sample_parts[i], "{}"),
                       nuce_record_sample_parts[i]);
    }
    for (int i = 0; nuce_record_sample_parts[i] != NULL; i++) {
        assert_refused(with("samples", nuce_record_sample_parts[i], "[1,-1e-9]"), "sample 1");
        assert_refused(with("samples", nuce_record_sample_parts[i], "[\"1\",1]"), "sample 0");
        assert_refused(with("samples", nuce_record_sample_parts[i], "[1,null]"), "sample 1");
    }
    assert_int_equal(NUCE_SAMPLE_PARTS, 8);
    assert_null(nuce_record_sample_parts[NUCE_SAMPLE_PARTS]);
    assert_string_equal(nuce_record_sample_parts[NUCE_PART_STEP], "step");
    assert_string_equal(nuce_record_sample_parts[NUCE_PART_COMPUTATION], "computation");
    assert_string_equal(nuce_record_sample_parts[NUCE_PART_OWN], "own");
}

/* NaN and infinity never get as far as a record: neither as text nor as a value. */
static void test_not_finite(void **state)
{
    assert_null(json_loads("{\"a\":NaN}", 0, NULL));
    assert_null(json_loads("{\"a\":1e999}", 0, NULL));
    assert_null(json_real(NAN));
}

static void test_per_rank_and_counters(void **state)
{
    static const char *const per_rank[] = {"7",         "[[0,1]]", "[[0,1],[0]]", "[[0,1],[0,-1]]",
                                           "[[0,1],7]", "{}"};
    static const char *const counters[] = {"7",
                                           "[7]",
                                           "[{}]",
                                           "[{\"part\":\"step\",\"value\":1}]",
                                           "[{\"part\":\"step\",\"event\":\"L1\"}]",
                                           "[{\"part\":\"step\",\"event\":\"L1\",\"value\":1.5}]"};

    for (int i = 0; i < 6; i++) {
        assert_refused(with(NULL, "per_rank", per_rank[i]), "per_rank");
        assert_refused(with(NULL, "counters", counters[i]), "counter");
    }
}

static void test_events(void **state)
{
    static const char good[] = "[[0,\"send\",1,0,12,0.5,0.5],[1,\"receive\",0,2,12,-1e-7,1.5]]";
    static const char forwards[] = "[[0,\"forward\",1,0,12,0.5,0.5]]";
    static const char *const needed[] = {"events_lost", "clock_error_s"};
    static const char *const events[] = {
        "7",
        "{}",
        "[7]",
        "[[0,\"send\",1,0,12,0.5]]",
        "[[0,\"send\",1,0,12,0.5,0.5,0]]",
        "[[0,\"sends\",1,0,12,0.5,0.5]]",
        "[[0,1,1,0,12,0.5,0.5]]",
        "[[2,\"send\",1,0,12,0.5,0.5]]",
        "[[0,\"send\",2,0,12,0.5,0.5]]",
        "[[0,\"send\",-1,0,12,0.5,0.5]]",
        "[[0,\"send\",1,0.5,12,0.5,0.5]]",
        "[[0,\"send\",1,0,-12,0.5,0.5]]",
        "[[0,\"send\",1,0,12,0.5,0.25]]",
        "[[0,\"send\",1,0,12,null,0.25]]",
    };

    for (size_t i = 0; i < COUNT(events); i++)
        assert_refused(with(NULL, "events", events[i]), "event");
    assert_accepted(with(NULL, "events", "[]"));
    assert_accepted(with(NULL, "events", good));
    assert_accepted(with(NULL, "planned", forwards));
    assert_refused(with(NULL, "events", forwards), "event 0");
    for (size_t i = 0; i < COUNT(needed); i++) {
        json_t *record = with(NULL, "events", good);

        json_object_del(json_object_get(record, "metrics"), needed[i]);
        assert_refused(record, "'events' without 'events_lost' and 'clock_error_s'");
    }
}

/* The good record is of 2 ranks. */
static void test_links(void **state)
{
    static const struct {
        const char *key, *good, *bad; /* bars between them */
    } cases[] = {
        {"links", "[]|[[0,1,0,null,8e6,null],[1,0,0.5,0.1,8e6,2e3]]",
         "7|[7]|[[0,1,0.5,0.1,8e6]]|[[0,1,0.5,0.1,8e6,2e3,0]]|[[0,2,0.5,0.1,8e6,2e3]]|"
         "[[-1,1,0.5,0.1,8e6,2e3]]|[[1,1,0.5,0.1,8e6,2e3]]|[[0,1,-0.5,0.1,8e6,2e3]]|"
         "[[0,1,null,0.1,8e6,2e3]]|[[0,1,0.5,-0.1,8e6,2e3]]|[[0,1,0.5,0.1,0,2e3]]|"
         "[[0,1,0.5,0.1,null,2e3]]|[[0,1,0.5,0.1,8e6,\"2e3\"]]"},
        {"ports", "[[0,null,1e6],[1,1e6,null]]",
         "{}|[[0,1e6]]|[[2,1e6,1e6]]|[[0,0,1e6]]|[[0,1e6,-1]]"},
        {"contention", "[[1,1,0.9,1.1]]", "[[0,1,1,1]]|[[2,1,1,1]]|[[1,0,1,1]]|[[1,1,1,null]]"},
        {"rectangles", "[[0,0,0,1000,0.5],[1,0,0.5,1000,0.5]]",
         "[[0,0,0,1]]|[[2,0,0,1,1]]|[[1,0,-1,1,1]]|[[1,0,0,1,null]]"},
        {"switches", "[[0,0,null,0],[1,1,0,1]]", "[[0,0,null]]|[[null,0,null,0]]|[[0,0,-1,0]]"},
        {"switch_links", "[[0,1]]", "[[0,1,2]]|[[0,0.5]]"},
        {"placed", "[[0,0,0,0],[1,7,0,1]]", "[[2,0,0,0]]|[[0,0,0,null]]"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        char *good = strdup(cases[i].good), *bad = strdup(cases[i].bad), *rest = good, *text;

        while ((text = strsep(&rest, "|")) != NULL)
            assert_accepted(with(NULL, cases[i].key, text));
        for (rest = bad; (text = strsep(&rest, "|")) != NULL;)
            assert_refused(with(NULL, cases[i].key, text), cases[i].key);
        free(good);
        free(bad);
    }
}

/* "2026-11-21T10:00:00.123Z". */
static void test_time(void **state)
{
    static const char form[] = "dddd-dd-ddTdd:dd:dd.dddZ";
    char first[NUCE_TIME_BYTES], second[NUCE_TIME_BYTES];

    assert_ptr_equal(nuce_record_time_now(first), first);
    nuce_record_time_now(second);
    assert_int_equal(strlen(first), sizeof form - 1);
    for (size_t i = 0; i < sizeof form - 1; i++) {
        if (form[i] == 'd')
            assert_in_range(first[i], '0', '9');
        else
            assert_int_equal(first[i], form[i]);
    }
    assert_true(strcmp(first, second) <= 0);
    assert_int_equal(nuce_record_parse_time_ms("1970-01-02T00:00:01.023Z"), 86401023);
    assert_int_equal(nuce_record_parse_time_ms("yesterday"), 0);
    assert_int_equal(nuce_record_parse_time_ms(NULL), 0);
}

RUN(test_create, test_brief, test_brief_digits, test_good, test_every_field, test_identity,
    test_found, test_version, test_samples, test_not_finite, test_per_rank_and_counters,
    test_events, test_links, test_time)
