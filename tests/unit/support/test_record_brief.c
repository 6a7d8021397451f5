/* Records read without their samples: the same as the whole, or not read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/record.h"

#define BEFORE "{\"campaign\":\"s.1\",\"job\":\"j\",\"kind\":\"measured\",\"message\":"
#define MIDDLE ",\"params\":{\"unit\":16},"
#define POINT "\"point\":\"p\",\"ranks\":2,\"record\":\"run\""
#define BEHIND                                                                                     \
    ",\"started\":\"t\",\"status\":\"ok\",\"version\":2,\"wall_s\":0.5,\"workload\":\"exchange\"}"
#define SAMPLES "\"samples\":{\"communication\":[1.5e-7,0],\"step\":[0.25,10E+1]}"
#define LINE(samples) BEFORE "null" MIDDLE POINT "," samples BEHIND

static int is_accepted(const json_t *record)
{
    struct nuce_error ignored;

    return nuce_record_check_run(record, &ignored) == NUCE_OK;
}

/* What was read without samples is the whole but for them, and valid exactly if that is. */
static void assert_faithful(json_t *brief, const char *text, size_t length)
{
    json_t *whole = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL), *none;

    assert_non_null(whole);
    assert_int_equal(is_accepted(brief), is_accepted(whole));
    none = json_pack("{s:[]}", "step");
    if (json_equal(json_object_get(brief, "samples"), none))
        assert_int_equal(json_object_set(whole, "samples", none), 0);
    assert_true(json_equal(brief, whole));
    json_decref(none);
    json_decref(whole);
    json_decref(brief);
}

static void test_sound(void **state)
{
    static const char *const lines[] = {
        LINE(SAMPLES),
        LINE("\"samples\":{\"step\":[]}"),
        LINE("\"samples\":{\"step\":[0]}"),
        LINE("\"samples\":{\"step\":[1],\"pack\":[2],\"unpack\":[3],\"communication\":[4],"
             "\"computation\":[0.000001]}"),
        /* Strings that hold what looks like the key. */
        BEFORE "\"x,\\\"samples\\\":{\\\"step\\\":[1]}\"" MIDDLE POINT "," SAMPLES BEHIND,
        BEFORE "\"\\\\\",\"x,\\\"samples\":\"]}\"" MIDDLE POINT "," SAMPLES BEHIND,
        BEFORE "null,\"per_rank\":null" MIDDLE POINT "," SAMPLES BEHIND,
    };

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        json_t *brief = nuce_record_read_brief(lines[i], strlen(lines[i]));

        assert_non_null(brief);
        assert_true(is_accepted(brief));
        assert_int_equal(
            json_array_size(json_object_get(json_object_get(brief, "samples"), "step")), 0);
        assert_faithful(brief, lines[i], strlen(lines[i]));
    }
}

/* What is refused, is no JSON, or is written in another way is left to JSON. */
static void test_left_alone(void **state)
{
    static const char *const lines[] = {
        "",
        "{}",
        "{\"record\":\"begin\",\"version\":2}",
        LINE("\"samples\":{}"),
        LINE("\"samples\":{\"pack\":[1]}"),
        LINE("\"samples\":{\"other\":[1],\"step\":[1]}"),
        LINE("\"samples\":{\"step\":[1],\"step\":[1]}"),
        LINE("\"samples\":{\"pack\":[1],\"step\":[1,2]}"),
        LINE("\"samples\":{\"pack\":null,\"step\":[1]}"),
        LINE("\"samples\":{\"step\":[1,]}"),
        LINE("\"samples\":{\"step\":[1 ]}"),
        LINE("\"samples\":{\"step\":[-1]}"),
        LINE("\"samples\":{\"step\":[01]}"),
        LINE("\"samples\":{\"step\":[1.]}"),
        LINE("\"samples\":{\"step\":[.5]}"),
        LINE("\"samples\":{\"step\":[1e]}"),
        LINE("\"samples\":{\"step\":[1e999]}"),
        LINE("\"samples\":{\"step\":[99999999999999999999]}"),
        LINE("\"samples\":{\"step\":[\"1\"]}"),
        LINE("\"samples\":{\"step\":[1]"),
        LINE("\"samples\" :{\"step\":[1]}"),
        LINE(SAMPLES "," SAMPLES),
        LINE(SAMPLES ",\"s\\u0061mples\":1"),
        LINE(SAMPLES) "x",
        BEFORE "\"x," SAMPLES "\"" MIDDLE POINT BEHIND,
        BEFORE "null,\"per_rank\":[[1,2],[3,4]]" MIDDLE POINT "," SAMPLES BEHIND,
        BEFORE "null,\"per\\u005frank\":7" MIDDLE POINT "," SAMPLES BEHIND,
    };

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_null(nuce_record_read_brief(lines[i], strlen(lines[i])));
}

/* Reads a copy that is a block of its own size, so that a byte read beyond it is noticed. */
static int read_copy(const char *text, size_t length)
{
    char *copy = malloc(length > 0 ? length : 1);
    json_t *brief;

    assert_non_null(copy);
    memcpy(copy, text, length);
    brief = nuce_record_read_brief(copy, length);
    if (brief != NULL)
        assert_faithful(brief, copy, length);
    free(copy);
    return brief != NULL;
}

/* A line cut off, or with one byte changed or dropped, at each place: what is read is faithful. */
static void test_every_byte(void **state)
{
    static const char line[] = BEFORE "\"a,\\\"b\\\":\"" MIDDLE POINT
                                      ",\"samples\":{\"pack\":[1,2e-7],\"step\":[0.25,10]}" BEHIND;
    static const char others[] = "\"\\,:[]{}019.eE+- n"; /* and its end, NUL */
    size_t length = sizeof line - 1;
    int read = 0;

    (void)state;
    for (size_t at = 0; at < length; at++) {
        char text[sizeof line];

        assert_int_equal(read_copy(line, at), 0);
        for (size_t i = 0; i < sizeof others; i++) {
            memcpy(text, line, length);
            text[at] = others[i];
            read += read_copy(text, length);
        }
        memcpy(text + at, line + at + 1, length - at - 1);
        read += read_copy(text, length - 1);
    }
    assert_true(read > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound),
        cmocka_unit_test(test_left_alone),
        cmocka_unit_test(test_every_byte),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
