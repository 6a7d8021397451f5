/* A capture's patterns as JSON: every line is read again, and says what was played. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "ranks.h"

/* Three rings and two barriers. */
static void play(struct nuce_capture *out)
{
    struct ranks ranks;

    ranks_begin(&ranks);
    for (int i = 0; i < 3; i++)
        ring(&ranks, 0, 100);
    barrier(&ranks);
    barrier(&ranks);
    ranks_merge(&ranks, out);
}

/* The lines, as an array. */
static json_t *printed(const struct nuce_capture *capture)
{
    struct nuce_error error;
    char *text = NULL, *line;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    json_t *lines = json_array();

    assert_non_null(stream);
    assert_int_equal(nuce_capture_print_json(capture, stream, &error), NUCE_OK);
    assert_int_equal(fclose(stream), 0);
    for (line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
        json_t *object = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);

        assert_non_null(object);
        json_array_append_new(lines, object);
    }
    free(text);
    return lines;
}

static const json_t *of(const json_t *line, const char *key)
{
    const json_t *value = json_object_get(line, key);

    if (value == NULL)
        fail_msg("no key %s", key);
    return value;
}

static double number_in(const json_t *line, const char *key, const char *within)
{
    const json_t *value = of(of(line, key), within);

    assert_true(json_is_integer(value));
    return json_number_value(value);
}

static void test_ring(void **state)
{
    struct nuce_capture capture;
    json_t *lines;
    const json_t *line;

    (void)state;
    play(&capture);
    lines = printed(&capture);
    assert_int_equal(json_array_size(lines), capture.patterns);
    line = json_array_get(lines, 0);
    assert_string_equal(json_string_value(of(line, "pattern")), capture.pattern[0].id);
    assert_string_equal(json_string_value(of(line, "quality")), "exact");
    assert_string_equal(json_string_value(of(line, "origin")), "captured");
    assert_int_equal(json_integer_value(of(line, "calls")), 3);
    assert_int_equal(json_array_size(of(line, "ranks")), RANKS);
    assert_int_equal(json_array_size(of(line, "messages")), RANKS);
    for (int i = 0; i < RANKS; i++) {
        json_int_t source, destination, bytes;

        assert_int_equal(json_integer_value(json_array_get(of(line, "ranks"), (size_t)i)), i);
        assert_int_equal(json_unpack(json_array_get(of(line, "messages"), (size_t)i), "[I, I, I]",
                                     &source, &destination, &bytes),
                         0);
        assert_int_equal(source, i);
        assert_int_equal(destination, (i + 1) % RANKS);
        assert_int_equal(bytes, 100 + i);
        /* Each posts twice in 2 us, one after the other. */
        assert_int_equal(json_integer_value(json_array_get(of(line, "arrival_ns"), (size_t)i)),
                         2000 * i);
    }
    assert_int_equal(number_in(line, "duration_ns", "count"), 3);
    assert_int_equal(number_in(line, "duration_ns", "min"), 9000); /* two posts to two ends */
    assert_int_equal(number_in(line, "duration_ns", "max"), 9000);
    assert_int_equal(number_in(line, "duration_ns", "mean"), 9000);
    assert_true(fabs(number_in(line, "duration_ns", "p50") - 9000) < 0.13 * 9000);
    assert_int_equal(number_in(line, "skew_ns", "mean"), 6000);
    assert_int_equal(json_array_size(of(line, "calls_arrival_ns")), 3);
    for (size_t call = 0; call < 3; call++) {
        const json_t *arrivals = json_array_get(of(line, "calls_arrival_ns"), call);

        assert_int_equal(json_array_size(arrivals), RANKS);
        for (size_t i = 0; i < RANKS; i++)
            assert_true(fabs(json_number_value(json_array_get(arrivals, i)) - 2000.0 * (double)i) <=
                        0.13 * 2000.0 * (double)i);
    }
    json_decref(lines);
    nuce_capture_fini(&capture);
}

/* A collective call has no messages; shares of time are of all ranks' time, and none is above 1. */
static void test_barrier(void **state)
{
    struct nuce_capture capture;
    json_t *lines;
    double share = 0;

    (void)state;
    play(&capture);
    capture.all_ranks_ns = 1e6;
    lines = printed(&capture);
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const json_t *line = json_array_get(lines, i);

        share += json_real_value(of(line, "share"));
        if (strcmp(json_string_value(of(line, "kind")), "barrier") != 0)
            continue;
        assert_int_equal(json_integer_value(of(line, "calls")), 2);
        assert_int_equal(json_array_size(of(line, "messages")), 0);
        assert_int_equal(number_in(line, "duration_ns", "max"), 500);
        /* Each of four ranks spent 500 ns in each of two. */
        assert_true(fabs(json_real_value(of(line, "share")) - 8 * 500 / 1e6) < 1e-12);
    }
    /* And 9 us in each of three rings. */
    assert_true(fabs(share - (8 * 500 + 12 * 9000) / 1e6) < 1e-12);
    json_decref(lines);
    nuce_capture_fini(&capture);
}

/* What nobody measured is null, and where it is from is told. */
static void test_unknown(void **state)
{
    struct nuce_capture capture;
    struct nuce_capture_pattern *pattern;
    json_t *lines;
    const json_t *line;

    (void)state;
    play(&capture);
    strcpy(capture.origin, "matrix some.csv");
    capture.all_ranks_ns = 0;
    pattern = &capture.pattern[0];
    free(pattern->duration.classes);
    free(pattern->skew.classes);
    pattern->duration = pattern->skew = (struct nuce_capture_times){0};
    pattern->kept = 0;
    lines = printed(&capture);
    line = json_array_get(lines, 0);
    assert_string_equal(json_string_value(of(line, "origin")), "matrix some.csv");
    assert_true(json_is_null(of(line, "share")));
    assert_true(json_is_null(of(of(line, "duration_ns"), "min")));
    assert_true(json_is_null(of(of(line, "duration_ns"), "mean")));
    assert_true(json_is_null(of(of(line, "skew_ns"), "p99")));
    assert_int_equal(number_in(line, "duration_ns", "count"), 0);
    assert_int_equal(json_array_size(of(line, "arrival_ns")), RANKS);
    for (size_t i = 0; i < RANKS; i++)
        assert_true(json_is_null(json_array_get(of(line, "arrival_ns"), i)));
    assert_int_equal(json_array_size(of(line, "calls_arrival_ns")), 0);
    json_decref(lines);
    nuce_capture_fini(&capture);
}

/* Of 100 calls 80 took 100 ns, 15 took 10 us and 5 took 1 ms. */
static void test_quantiles(void **state)
{
    struct nuce_capture capture;
    struct nuce_capture_times *times;
    json_t *lines;
    const json_t *line;

    (void)state;
    play(&capture);
    times = &capture.pattern[0].duration;
    free(times->classes);
    *times = (struct nuce_capture_times){0};
    for (int i = 0; i < 100; i++)
        nuce_capture_times_add(times, i < 80 ? 100 : i < 95 ? 10000 : 1000000);
    lines = printed(&capture);
    line = json_array_get(lines, 0);
    assert_int_equal(number_in(line, "duration_ns", "min"), 100);
    assert_true(fabs(number_in(line, "duration_ns", "p50") - 100) <= 13);
    assert_true(fabs(number_in(line, "duration_ns", "p90") - 10000) <= 1300);
    assert_true(fabs(number_in(line, "duration_ns", "p99") - 1e6) <= 130000);
    assert_int_equal(number_in(line, "duration_ns", "max"), 1000000);
    assert_int_equal(number_in(line, "duration_ns", "mean"), 51580);
    json_decref(lines);
    nuce_capture_fini(&capture);
}

/* A disk that is full is told, be it while a line is printed or when all are. */
static void test_full(void **state)
{
    struct nuce_capture capture;

    (void)state;
    play(&capture);
    for (int is_buffered = 0; is_buffered < 2; is_buffered++) {
        struct nuce_error error = {0};
        FILE *full = fopen("/dev/full", "w");

        if (full == NULL)
            skip();
        if (!is_buffered)
            assert_int_equal(setvbuf(full, NULL, _IONBF, 0), 0);
        assert_int_equal(nuce_capture_print_json(&capture, full, &error), NUCE_FAILED);
        assert_string_equal(error.message, is_buffered ? "the patterns cannot be printed"
                                                       : "the patterns cannot be printed as JSON");
        fclose(full);
    }
    nuce_capture_fini(&capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ring),    cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_unknown), cmocka_unit_test(test_quantiles),
        cmocka_unit_test(test_full),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
