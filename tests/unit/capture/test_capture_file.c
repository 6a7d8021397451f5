/* Captures: their files, the patterns and times in them, and the runs of calls. */
#include "../test.h"

#include <limits.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/text_file.h"
#include "capture/capture.h"
#include "capture/content.h"
#include "ranks.h"

/* Some rounds, two of one pair in one, and a collective call. */
static void play(struct nuce_capture *out)
{
    struct ranks ranks;
    uint64_t requests[4];

    ranks_begin(&ranks);
    for (int i = 0; i < 6; i++)
        ring(&ranks, 0, 100 * (i % 3));
    requests[0] = receives(&ranks, 1, 0, 0);
    requests[1] = receives(&ranks, 1, 0, 0);
    requests[2] = sends(&ranks, 0, 1, 0, 30);
    requests[3] = sends(&ranks, 0, 1, 0, 20);
    for (int i = 0; i < 4; i++)
        ends(&ranks, i < 2, requests[i], 0, 0);
    barrier(&ranks);
    ranks_merge(&ranks, out);
}

static char *write_it(const struct nuce_capture *capture, char path[64], size_t *length)
{
    char *text;
    int file;

    snprintf(path, 64, "/tmp/nuce-capture-XXXXXX");
    file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(close(file), 0);
    assert_ok(nuce_capture_write(capture, path, ANY_ERROR));
    assert_ok(nuce_text_read(path, &text, length, ANY_ERROR));
    assert_int_equal(unlink(path), 0);
    return text;
}

/* Gives the capture's first pattern these durations. */
static void set_times(struct nuce_capture *capture, const int64_t *ns, size_t count)
{
    struct nuce_capture_pattern *pattern = &capture->pattern[0];

    free(pattern->duration.classes);
    pattern->duration = (struct nuce_capture_times){0};
    pattern->calls = (int64_t)count + 2;
    for (size_t i = 0; i < count; i++)
        nuce_capture_times_add(&pattern->duration, ns[i]);
}

/* Writes the capture and reads it again, and once more: the second file is the first. */
static void write_and_read(const struct nuce_capture *capture, struct nuce_capture *again)
{
    char path[64], *text, *second;
    size_t length, second_length;

    text = write_it(capture, path, &length);
    assert_ok(nuce_capture_parse(path, text, length, again, ANY_ERROR));
    second = write_it(again, path, &second_length);
    assert_int_equal(length, second_length);
    assert_memory_equal(text, second, length);
    free(text);
    free(second);
}

/* The patterns as JSON, one line each. The caller frees it. */
static char *json_of(const struct nuce_capture *capture)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);

    assert_non_null(stream);
    assert_ok(nuce_capture_print_json(capture, stream, ANY_ERROR));
    assert_int_equal(fclose(stream), 0);
    return text;
}

/* Times here have no more digits than a file keeps. */
static void test_round_trip(void **state)
{
    OWNED(capture) capture, again;
    const struct nuce_capture_sequence *given, *got;
    char *before, *after;

    play(&capture);
    write_and_read(&capture, &again);
    before = json_of(&capture);
    after = json_of(&again);
    assert_string_equal(before, after);
    assert_string_equal(capture.host[0], again.host[0]);
    assert_memory_equal(capture.counters, again.counters, sizeof again.counters);
    assert_int_equal(capture.topologies, again.topologies);
    given = &capture.sequence[0];
    got = &again.sequence[0];
    assert_int_equal(given->count, got->count);
    assert_int_equal(given->runs, got->runs);
    assert_memory_equal(given->run, got->run, (size_t)given->runs * sizeof *given->run);
    assert_int_equal(given->patterns, got->patterns);
    assert_memory_equal(given->pattern, got->pattern, (size_t)given->patterns * sizeof(int));
    free(before);
    free(after);
}

/* Three rings and two barriers as JSON; then the first with much of it unknown, and of 100 calls of
 * which 80 took 100 ns, 15 took 10 us and 5 took 1 ms. */
static void test_json(void **state)
{
    static const char rings[] =
        "\"kind\":\"exchange\",\"quality\":\"exact\",\"origin\":\"captured\",\"communicator\":0,"
        "\"ranks\":[0,1,2,3],\"calls\":3,\"duration_ns\":{\"count\":3,\"mean\":9000,\"min\":9000,"
        "\"p50\":9000,\"p90\":9000,\"p99\":9000,\"max\":9000},\"skew_ns\":{\"count\":3,\"mean\":"
        "6000,"
        "\"min\":6000,\"p50\":6000,\"p90\":6000,\"p99\":6000,\"max\":6000},\"share\":0.125,"
        "\"arrival_ns\":[0,2000,4000,6000],\"calls_arrival_ns\":[[0,1920,3840,5632],"
        "[0,1920,3840,5632],[0,1920,3840,5632]],\"moved_bytes\":0,"
        "\"messages\":[[0,1,100],[1,2,101],[2,3,102],[3,0,103]]}";
    static const char barriers[] =
        "\"kind\":\"barrier\",\"quality\":\"exact\",\"origin\":\"captured\",\"communicator\":0,"
        "\"ranks\":[0,1,2,3],\"calls\":2,\"duration_ns\":{\"count\":2,\"mean\":500,\"min\":500,"
        "\"p50\":500,\"p90\":500,\"p99\":500,\"max\":500},";
    static const char unknown[] =
        "\"origin\":\"matrix some.csv\",\"communicator\":0,\"ranks\":[0,1,2,3],\"calls\":3,"
        "\"duration_ns\":{\"count\":0,\"mean\":null,\"min\":null,\"p50\":null,\"p90\":null,\"p99\":"
        "null,"
        "\"max\":null},\"skew_ns\":{\"count\":0,\"mean\":null,\"min\":null,\"p50\":null,\"p90\":"
        "null,"
        "\"p99\":null,\"max\":null},\"share\":null,\"arrival_ns\":[null,null,null,null],"
        "\"calls_arrival_ns\":[],";
    static const char quantiles[] = "\"duration_ns\":{\"count\":100,\"mean\":51580,\"min\":100,"
                                    "\"p50\":104,\"p90\":9216,\"p99\":983040,"
                                    "\"max\":1000000},";
    OWNED(capture) capture;
    struct nuce_capture_times *times;
    struct ranks ranks;
    char *text;

    ranks_begin(&ranks);
    for (int i = 0; i < 3; i++)
        ring(&ranks, 0, 100);
    barrier(&ranks);
    barrier(&ranks);
    ranks_merge(&ranks, &capture);
    capture.all_ranks_ns = 12 * 9000 * 8;
    text = json_of(&capture);
    assert_non_null(strstr(text, rings));
    assert_non_null(strstr(text, barriers));
    assert_non_null(strstr(text, "\"moved_bytes\":0,\"messages\":[]}\n"));
    free(text);
    times = &capture.pattern[0].duration;
    free(times->classes);
    free(capture.pattern[0].skew.classes);
    *times = capture.pattern[0].skew = (struct nuce_capture_times){0};
    capture.pattern[0].kept = 0;
    capture.all_ranks_ns = 0;
    strcpy(capture.origin, "matrix some.csv");
    text = json_of(&capture);
    assert_non_null(strstr(text, unknown));
    free(text);
    for (int i = 0; i < 100; i++)
        nuce_capture_times_add(times, i < 80 ? 100 : i < 95 ? 10000 : 1000000);
    text = json_of(&capture);
    assert_non_null(strstr(text, quantiles));
    free(text);
}

/* Times come back, however many there are, extremes and mean to three digits: values that follow
 * from the extremes are not in the file. The others are in wide and narrow classes. */
static void test_times_return(void **state)
{
    static const int64_t ns[] = {70000, 5, 70100, 0, 900000000, 5, 5, 80000, 3};
    OWNED(capture) capture;
    struct nuce_capture again;

    play(&capture);
    for (size_t count = 0; count <= COUNT(ns); count++) {
        const struct nuce_capture_times *got, *given = &capture.pattern[0].duration;

        set_times(&capture, ns, count);
        write_and_read(&capture, &again);
        got = &again.pattern[0].duration;
        assert_int_equal(got->count, count);
        assert_int_equal(got->least, given->least);
        assert_int_equal(got->most, given->most);
        assert_true(fabs(got->sum - given->sum) <= 0.0051 * given->sum);
        assert_true(again.pattern[0].rank_ns == capture.pattern[0].rank_ns);
        if (count > 2)
            assert_memory_equal(got->classes, given->classes,
                                NUCE_CAPTURE_CLASSES * sizeof(int64_t));
        nuce_capture_fini(&again);
    }
}

/* Any times, those at the edges of classes too, which rounding may put into the class beside their
 * own: none is lost, and no extreme is off by more than half of its third digit. */
static void test_times_are_rounded(void **state)
{
    struct nuce_rng rng = nuce_rng_create(6, 0);
    OWNED(capture) capture;
    struct nuce_capture again;

    play(&capture);
    for (int trial = 0; trial < 200; trial++) {
        const struct nuce_capture_times *got, *given = &capture.pattern[0].duration;
        int64_t ns[12], in_classes = 0;
        size_t count = 3 + nuce_rng_below(&rng, 10);

        for (size_t i = 0; i < count; i++)
            ns[i] = ((int64_t)1 << nuce_rng_below(&rng, 40)) - 1 + (int64_t)nuce_rng_below(&rng, 3);
        set_times(&capture, ns, count);
        write_and_read(&capture, &again);
        got = &again.pattern[0].duration;
        for (int i = 0; i < NUCE_CAPTURE_CLASSES; i++)
            in_classes += got->classes[i];
        assert_int_equal(in_classes, count);
        assert_true(fabs((double)(got->least - given->least)) <= 0.005 * (double)given->least);
        assert_true(fabs((double)(got->most - given->most)) <= 0.005 * (double)given->most);
        assert_true(fabs(got->sum - given->sum) <= 0.005 * given->sum + 0.5 * (double)count);
        assert_true(got->classes[nuce_capture_times_class(got->least)] > 0);
        assert_true(got->classes[nuce_capture_times_class(got->most)] > 0);
        nuce_capture_fini(&again);
    }
}

/* Classes that were let go of stay unknown, and so do the quantiles. */
static void test_times_without_classes(void **state)
{
    static const int64_t ns[] = {10, 20, 90};
    OWNED(capture) capture, again;

    play(&capture);
    set_times(&capture, ns, 3);
    free(capture.pattern[0].duration.classes);
    capture.pattern[0].duration.classes = NULL;
    write_and_read(&capture, &again);
    assert_null(again.pattern[0].duration.classes);
    assert_true(isnan(nuce_capture_times_quantile(&again.pattern[0].duration, 0.5)));
    assert_true(nuce_capture_times_mean(&again.pattern[0].duration) == 40);
    assert_int_equal(again.pattern[0].duration.most, 90);
}

/* Stamps: of a ring, whose ranks come and end one after the other, and of a barrier. */
static void test_stamps(void **state)
{
    const struct nuce_capture_merging merging = {.stamps = 1};
    OWNED(capture) capture, again;
    struct ranks ranks;
    char path[64], *text;
    size_t length;
    int *calls;

    ranks_begin(&ranks);
    ring(&ranks, 0, 100);
    ring(&ranks, 0, 100);
    barrier(&ranks);
    ranks_end(&ranks);
    assert_ok(nuce_capture_merge(ranks.folder, merging, &capture, ANY_ERROR));
    ranks_remove(&ranks);
    text = write_it(&capture, path, &length);
    assert_ok(nuce_capture_parse(path, text, length, &again, ANY_ERROR));
    assert_int_equal(again.has_stamps, 1);
    assert_int_equal(again.sequence[0].count, 3);
    calls = nuce_capture_sequence_calls(&again.sequence[0]);
    assert_non_null(calls);
    assert_int_equal(calls[0], calls[1]);
    assert_int_equal(again.pattern[calls[2]].kind, NUCE_RAW_KIND_barrier);
    assert_memory_equal(again.sequence[0].stamp, capture.sequence[0].stamp,
                        3 * RANKS * sizeof *capture.sequence[0].stamp);
    for (int i = 0; i < RANKS; i++) {
        const struct nuce_capture_stamp *stamp = again.sequence[0].stamp;

        /* A rank posts twice; then each sees two ends. */
        assert_int_equal(stamp[i].start_ns, 1000 + 2000 * i);
        assert_int_equal(stamp[i].duration_ns, 9000);
        assert_int_equal(stamp[RANKS + i].start_ns, 17000 + 2000 * i);
        assert_int_equal(stamp[2 * RANKS + i].start_ns, 32000 + 1000 * i);
        assert_int_equal(stamp[2 * RANKS + i].duration_ns, 500);
    }
    free(calls);
    free(text);
}

/* Every byte matters, and every length but the whole one is refused. */
static void test_altered(void **state)
{
    struct nuce_capture capture, again;
    struct nuce_error error;
    char path[64], *text;
    size_t length;

    play(&capture);
    text = write_it(&capture, path, &length);
    nuce_capture_fini(&capture);
    for (size_t i = 0; i < length; i++) {
        text[i] = (char)(text[i] ^ 16);
        assert_int_equal(nuce_capture_parse("name", text, length, &again, &error), NUCE_BAD_INPUT);
        assert_memory_equal(error.message, "name: ", 6);
        text[i] = (char)(text[i] ^ 16);
        assert_int_equal(nuce_capture_parse("name", text, i, &again, &error), NUCE_BAD_INPUT);
    }
    free(text);
}

/* By place, by the beginning of an id, and texts that are neither. */
static void test_find(void **state)
{
    OWNED(capture) capture;
    struct nuce_error error;
    const struct nuce_capture_pattern *first, *found;
    char half[7] = "";

    play(&capture);
    first = nuce_capture_find(&capture, "1", &error);
    assert_non_null(first);
    for (int i = 0; i < capture.patterns; i++)
        assert_true(capture.topology[capture.pattern[i].topology].messages == 0 ||
                    capture.pattern[i].rank_ns <= first->rank_ns);
    memcpy(half, first->id, 6);
    found = nuce_capture_find(&capture, half, &error);
    assert_ptr_equal(found, first);
    assert_null(nuce_capture_find(&capture, "99", &error));
    assert_int_equal(error.status, NUCE_BAD_INPUT);
    assert_null(nuce_capture_find(&capture, "zzzzzz", &error));
    assert_null(nuce_capture_find(&capture, "", &error));
    for (int i = 0; i < capture.patterns; i++) {
        if (capture.pattern[i].kind == NUCE_RAW_KIND_barrier) {
            assert_null(nuce_capture_find(&capture, capture.pattern[i].id, &error));
            assert_says(&error, "barrier");
        }
    }
}

/* Names of several calls. */
static void test_names(void **state)
{
    static const struct {
        const char *call;
        int most; /* 0: a single one, or none */
    } cases[] = {
        {"all", INT_MAX}, {"top-3", 3}, {"top-99999999999999", INT_MAX}, {"top-0", 0}, {"top-", 0},
        {"top-3x", 0},    {"3", 0},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        int most = 0, several = nuce_capture_names_several(cases[i].call, &most);

        assert_int_equal(several != 0, cases[i].most != 0);
        if (several)
            assert_int_equal(most, cases[i].most);
    }
}

/* Quantiles of 1 .. 100 000 are within the width of a class, extremes and mean are exact. */
static void test_quantiles(void **state)
{
    struct nuce_capture_times times = {0};

    for (int64_t ns = 1; ns <= 100000; ns++)
        nuce_capture_times_add(&times, ns);
    assert_true(nuce_capture_times_mean(&times) == 50000.5);
    assert_int_equal(times.least, 1);
    assert_int_equal(times.most, 100000);
    for (int percent = 5; percent <= 100; percent += 5) {
        double got = nuce_capture_times_quantile(&times, percent / 100.0);

        assert_near(got / (1000.0 * percent), 1, 0.14);
    }
    free(times.classes);
}

static void test_extremes(void **state)
{
    static const int64_t values[] = {-5, 0, 3, 4, 5, INT64_MAX};
    struct nuce_capture_times times = {0};

    for (size_t i = 0; i < COUNT(values); i++)
        nuce_capture_times_add(&times, values[i]);
    assert_int_equal(times.least, 0);
    assert_true(times.most == INT64_MAX);
    assert_true(nuce_capture_times_quantile(&times, 0.01) == 0);
    free(times.classes);
}

/* Codes ascend with times, without a gap, and restore times of that many digits. */
static void test_rounded(void **state)
{
    for (int digits = 2; digits <= 3; digits++) {
        for (int64_t code = 0; code < 9000; code++) {
            double ns = nuce_capture_rounded_time(code, digits);

            assert_true(code == 0 || ns > nuce_capture_rounded_time(code - 1, digits));
            assert_int_equal(nuce_capture_rounded_code(ns, digits), code);
        }
    }
    assert_true(nuce_capture_rounded_time(nuce_capture_rounded_code(999.4, 3), 3) == 999);
    assert_true(nuce_capture_rounded_time(nuce_capture_rounded_code(999.5, 3), 3) == 1000);
    assert_true(nuce_capture_rounded_time(nuce_capture_rounded_code(123456, 3), 3) == 123000);
    assert_true(nuce_capture_rounded_time(nuce_capture_rounded_code(123456, 2), 2) == 120000);
    assert_true(nuce_capture_rounded_time(nuce_capture_rounded_code(-5, 3), 3) == 0);
}

#define MOST 4000

/* Writes the calls of the runs out again; how many. */
static int64_t expand(const struct nuce_capture_sequence *sequence, int out[MOST])
{
    const int *pattern = sequence->pattern;
    int64_t count = 0;

    for (int64_t i = 0; i < sequence->runs; i++) {
        for (int64_t t = 0; t < sequence->run[i].times; t++) {
            for (int64_t k = 0; k < sequence->run[i].length; k++)
                out[count++] = pattern[k];
        }
        pattern += sequence->run[i].length;
    }
    return count;
}

/* How many runs there are; *kept: calls that are written out. */
static int64_t runs_of(const int *calls, int64_t count, int64_t *kept)
{
    OWNED(capture_sequence) sequence;
    int again[MOST];
    int64_t runs;

    nuce_capture_sequence_init(calls, count, &sequence);
    assert_int_equal(sequence.count, count);
    assert_int_equal(expand(&sequence, again), count);
    assert_memory_equal(calls, again, (size_t)count * sizeof *calls);
    runs = sequence.runs;
    *kept = sequence.patterns;
    return runs;
}

static void test_loops(void **state)
{
    int calls[MOST];
    int64_t kept;

    for (int i = 0; i < MOST; i++)
        calls[i] = 7;
    assert_int_equal(runs_of(calls, MOST, &kept), 1);
    assert_int_equal(kept, 1);
    /* A beginning, a loop of four, an end that breaks it off. */
    for (int i = 0; i < MOST; i++)
        calls[i] = i < 10 ? 100 + i : i % 4;
    assert_true(runs_of(calls, MOST, &kept) <= 3);
    assert_true(kept <= 10 + 4 + 3);
    for (int i = 0; i < MOST; i++)
        calls[i] = i;
    assert_int_equal(runs_of(calls, MOST, &kept), 1);
    assert_int_equal(runs_of(calls, 1, &kept), 1);
    /* Loops of a few calls are left as they are: a run each would be longer. */
    for (int i = 0; i < MOST; i++)
        calls[i] = i / 8;
    assert_int_equal(runs_of(calls, MOST, &kept), 1);
    assert_int_equal(kept, MOST);
}

static void test_random(void **state)
{
    struct nuce_rng rng = nuce_rng_create(3, 0);
    int64_t kept;

    for (int trial = 0; trial < 200; trial++) {
        int calls[MOST], kinds = 1 + trial % 7, count = 1 + trial * 19 % MOST;

        for (int i = 0; i < count; i++)
            calls[i] = (int)nuce_rng_below(&rng, (uint64_t)kinds);
        runs_of(calls, count, &kept);
    }
}

/* A full disk is reported, while a line is printed or after all of them. */
static void test_full(void **state)
{
    OWNED(capture) capture;

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
}

RUN(test_round_trip, test_json, test_times_return, test_times_are_rounded,
    test_times_without_classes, test_stamps, test_altered, test_find, test_names, test_quantiles,
    test_extremes, test_rounded, test_loops, test_random, test_full)
