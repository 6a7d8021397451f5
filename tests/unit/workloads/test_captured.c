/* Exchanges of a capture: the test plays an application of four ranks, and the workload reproduces
 * its messages from the file. */
#include "../test.h"

#include "../capture/ranks.h"
#include "../folder.h"
#include "points.h"

#include "points/exchange_instance.h"

/* A point of that call. */
#define CALL "exchange 4 schedule=lp capture=run.nucecap call=%d"

static const struct nuce_workload_ops *const exchange = &nuce_workload_exchange;

/* Rank 0 sends three messages to 1, and one without bytes to 2, while 3 sends to 0. */
static void play_few(struct ranks *ranks)
{
    static const struct {
        int from, to;
        int64_t bytes;
    } few[] = {{3, 0, 7}, {0, 1, 30}, {0, 1, 20}, {0, 1, 10}, {0, 2, 0}};
    uint64_t receive[5], send[5];

    for (int i = 0; i < 5; i++)
        receive[i] = receives(ranks, few[i].to, few[i].from, 0);
    for (int i = 0; i < 5; i++)
        send[i] = sends(ranks, few[i].from, few[i].to, 0, few[i].bytes);
    for (int i = 0; i < 5; i++) {
        ends(ranks, few[i].to, receive[i], 0, 0);
        ends(ranks, few[i].from, send[i], 0, 0);
    }
}

/* Five rings of 1000 and more bytes, which take most time, then the few, then a barrier. */
static void play(struct nuce_capture *out)
{
    struct ranks ranks;

    ranks_begin(&ranks);
    for (int i = 0; i < 5; i++) {
        ring(&ranks, 0, 1000);
        barrier(&ranks);
    }
    play_few(&ranks);
    barrier(&ranks);
    ranks_merge(&ranks, out);
}

/* A pattern for each pair of ranks, of one message; only that of the last pair has bytes. */
static void play_pairs(struct nuce_capture *out)
{
    struct ranks ranks;

    ranks_begin(&ranks);
    for (int from = 0; from < RANKS; from++) {
        for (int to = 0; to < RANKS; to++) {
            uint64_t receive, send;

            if (to == from)
                continue;
            receive = receives(&ranks, to, from, 0);
            send = sends(&ranks, from, to, 0, from == RANKS - 1 && to == RANKS - 2 ? 5 : 0);
            ends(&ranks, to, receive, 0, 0);
            ends(&ranks, from, send, 0, 0);
            barrier(&ranks);
        }
    }
    ranks_merge(&ranks, out);
}

/* Ranks 0, 1 and 2 on one host and 3 on another. */
static void give_hosts(struct nuce_capture *capture)
{
    free(capture->host);
    capture->hosts = 2;
    capture->host = calloc(2, sizeof *capture->host);
    assert_non_null(capture->host);
    strcpy(capture->host[0], "near");
    strcpy(capture->host[1], "far");
    for (int i = 0; i < RANKS; i++)
        capture->host_of[i] = i == 3;
}

static void write_capture(const struct nuce_capture *capture)
{
    assert_ok(nuce_capture_write(capture, "run.nucecap", ANY_ERROR));
}

static int capture_setup(void **state)
{
    OWNED(capture) capture;

    folder_setup(state);
    play(&capture);
    give_hosts(&capture);
    strcpy(capture.library, "MPICH Version: 4.1.2");
    write_capture(&capture);
    return 0;
}

/* The ring is the first by time, the few the second; sizes are those that were sent, whatever the
 * unit, and nothing is random. */
static void test_messages(void **state)
{
    for (int call = 1; call <= 2; call++) {
        OWNED(point) point = point_of(CALL, call);
        OWNED(pattern) pattern;

        assert_ok(exchange->pattern(point.params, RANKS, &pattern, ANY_ERROR));
        assert_int_equal(pattern.ranks, RANKS);
        for (int i = 0; i < RANKS; i++) {
            for (int k = 0; k < RANKS; k++) {
                int64_t ring_bytes = k == (i + 1) % RANKS ? 1000 + i : 0;
                int64_t few_bytes = i == 0 && k == 1 ? 60 : i == 3 && k == 0 ? 7 : 0;

                assert_int_equal(bytes_between(&pattern, i, k), call == 1 ? ring_bytes : few_bytes);
            }
        }
        assert_float_equal(exchange->tuning(point.params).unit, 1, 0);
        assert_false(exchange->is_random(point.params));
    }
}

/* Only the pair with three messages and the one with an empty message differ. On an emulated
 * network, which changes the messages, none do. */
static void test_splits(void **state)
{
    OWNED(point) ring_point = point_of(CALL, 1), few = point_of(CALL, 2);
    OWNED(point)
    emulated = point_of("exchange 4 schedule=lp capture=run.nucecap call=2 network=emulated "
                        "bandwidth=1MB..2MB");
    OWNED(splits) splits;

    assert_ok(exchange->splits(ring_point.params, &splits, ANY_ERROR));
    assert_int_equal(splits.count, 0);
    nuce_splits_fini(&splits);
    assert_ok(exchange->splits(few.params, &splits, ANY_ERROR));
    assert_int_equal(splits.count, 2);
    assert_int_equal(splits.split[0].source, 0);
    assert_int_equal(splits.split[0].destination, 1);
    assert_int_equal(splits.split[0].count, 3);
    /* A capture has those of a pair by their sizes. */
    for (int i = 0; i < 3; i++)
        assert_int_equal(splits.bytes[splits.split[0].first + i], 10 + 10 * i);
    assert_int_equal(splits.split[1].destination, 2);
    assert_int_equal(splits.split[1].count, 1);
    assert_int_equal(splits.bytes[splits.split[1].first], 0);
    nuce_splits_fini(&splits);
    assert_ok(exchange->splits(emulated.params, &splits, ANY_ERROR));
    assert_int_equal(splits.count, 0);
}

/* Calls of the application, and where its ranks were. */
static void test_application(void **state)
{
    static const int hosts[] = {0, 0, 0, 1};
    OWNED(point) point = point_of(CALL, 1), few = point_of(CALL, 2);
    struct nuce_exchange_captured captured;
    struct nuce_facts *facts;
    struct nuce_told_nodes nodes = {0};
    int ranks = 0;

    assert_ok(nuce_exchange_captured_init(point.params, &captured, ANY_ERROR));
    assert_int_equal(captured.calls, 5);
    assert_int_equal(captured.messages, RANKS);
    assert_string_equal(captured.quality, "exact");
    assert_string_equal(captured.library, "MPICH 4.1.2");
    assert_memory_equal(captured.host, hosts, sizeof hosts);
    nuce_exchange_captured_fini(&captured);
    assert_null(captured.host);
    assert_ok(nuce_exchange_captured_init(few.params, &captured, ANY_ERROR));
    assert_int_equal(captured.calls, 1);
    assert_int_equal(captured.messages, 5); /* also the one without bytes */
    nuce_exchange_captured_fini(&captured);
    facts = nuce_facts_create();
    assert_ok(exchange->ranks(point.params, facts, &ranks, ANY_ERROR));
    assert_int_equal(ranks, RANKS);
    assert_ok(exchange->nodes(point.params, facts, &nodes, ANY_ERROR));
    assert_int_equal(nodes.nodes, 2);
    assert_int_equal(nodes.most, 3);
    nuce_facts_destroy(facts);
}

/* A host that one rank does not tell leaves all unknown. */
static void test_unknown_host(void **state)
{
    OWNED(point) point = point_of(CALL, 1);
    struct nuce_exchange_captured captured;
    struct nuce_capture capture;
    struct nuce_told_nodes nodes = {.nodes = 9};
    struct nuce_facts *facts;

    assert_ok(nuce_capture_read("run.nucecap", &capture, ANY_ERROR));
    capture.host_of[2] = -1;
    capture.library[0] = '\0';
    write_capture(&capture);
    nuce_capture_fini(&capture);
    assert_ok(nuce_exchange_captured_init(point.params, &captured, ANY_ERROR));
    assert_null(captured.host);
    assert_string_equal(captured.library, "");
    nuce_exchange_captured_fini(&captured);
    facts = nuce_facts_create();
    assert_ok(exchange->nodes(point.params, facts, &nodes, ANY_ERROR));
    assert_int_equal(nodes.nodes, 0);
    nuce_facts_destroy(facts);
}

/* Which calls `all` and `top-N` stand for. */
static void several_are(const char *call, int ranks, const char *expected, const char *note)
{
    struct nuce_several several = {0};
    OWNED(point) point;
    struct nuce_error error = {0};
    char text[64], found[NUCE_MESSAGE_BYTES] = "";

    snprintf(text, sizeof text, "exchange 4 capture=run.nucecap call=%s", call);
    assert_ok(point_begin(text, &point, &error));
    if (exchange->several(point.params, ranks, &several, &error) != NUCE_OK)
        snprintf(found, sizeof found, "%s", error.subject);
    for (int i = 0; i < several.count; i++)
        snprintf(found + strlen(found), 64, "%s%s", i > 0 ? " " : "", several.values[i]);
    assert_string_equal(found, expected);
    assert_string_equal(several.note == NULL ? "" : several.note, note);
    free(several.values);
    free(several.note);
}

static void test_several(void **state)
{
    struct nuce_capture capture;
    struct ranks ranks;

    several_are("all", RANKS, "1 2", "");
    several_are("all", 0, "1 2", "");
    several_are("top-1", RANKS, "1", "");
    several_are("top-9", RANKS, "1 2", "");
    several_are("2", RANKS, "", "");
    several_are("all", 3, "ranks", ""); /* refused: no pattern has so many */
    ranks_begin(&ranks);
    barrier(&ranks);
    ranks_merge(&ranks, &capture);
    write_capture(&capture);
    nuce_capture_fini(&capture);
    several_are("all", 0, "capture", ""); /* none has messages */
    play_pairs(&capture);
    write_capture(&capture);
    nuce_capture_fini(&capture);
    several_are("top-1", 0, "12",
                "'top-1': leaves out patterns whose messages have 0 bytes: 1, 2, 3, 4, 5, 6, 7, 8, "
                "...");
    assert_int_equal(unlink("run.nucecap"), 0);
    several_are("all", 0, "capture", "");
}

/* In a ring each rank posts two requests in 2 us, one rank after the other: so rank i is 2 i us
 * behind the first; classes are right to 13 %. */
static void test_lateness(void **state)
{
    OWNED(point) point = point_of(CALL, 1);
    struct nuce_exchange_lateness lateness;

    for (int rank = 0; rank < RANKS + 1; rank++) {
        double expected_s = rank < RANKS ? 2e-6 * rank : 0;

        assert_ok(nuce_exchange_lateness_init(point.params, rank, &lateness, ANY_ERROR));
        assert_int_equal(lateness.calls, 5);
        assert_true(fabs(lateness.skew_s - 6e-6) < 0.13 * 6e-6);
        for (int call = 0; call < lateness.calls; call++)
            assert_true(fabs(lateness.own_s[call] - expected_s) <= 0.13 * expected_s);
        nuce_exchange_lateness_fini(&lateness);
        assert_null(lateness.own_s);
    }
}

/* A rank that came 100 s late in one call, and a rank without measured times. */
static void test_lateness_refused(void **state)
{
    struct nuce_capture capture;
    struct nuce_capture_pattern *pattern;
    struct nuce_error error;

    assert_ok(nuce_capture_read("run.nucecap", &capture, &error));
    pattern = &capture.pattern[nuce_capture_find(&capture, "1", &error) - capture.pattern];
    pattern->kept_class[2 * RANKS + 1] =
        (unsigned char)nuce_capture_times_class(INT64_C(100000000000));
    write_capture(&capture);
    point_is_refused("exchange 4 schedule=lp capture=run.nucecap call=1 arrival=captured",
                     "arrival", "after the first: expected at most 60 s");
    pattern->kept = 0;
    free(pattern->arrival_ns);
    pattern->arrival_ns = NULL;
    free(pattern->skew.classes);
    pattern->skew = (struct nuce_capture_times){0};
    strcpy(capture.origin, "matrix some.csv");
    write_capture(&capture);
    nuce_capture_fini(&capture);
    point_is_refused("exchange 4 schedule=lp capture=run.nucecap call=1 arrival=captured",
                     "arrival", "no arrival times were measured: matrix some.csv");
}

/* Points of a capture that are refused. */
static void test_refused(void **state)
{
    OWNED(point) point = point_of(CALL, 1);
    struct nuce_pattern pattern;
    struct nuce_error error;

    point_is_refused("exchange 3 schedule=lp capture=run.nucecap call=1", "ranks",
                     "is for 4 ranks");
    point_is_refused("exchange 4 schedule=lp capture=run.nucecap call=77", "capture", "77");
    /* The capture file is only made here, by a caller that did not inspect it. */
    assert_int_equal(exchange->pattern(point.params, 5, &pattern, &error), NUCE_BAD_INPUT);
    assert_says(&error, "is of 4 ranks, expected 5");
    file_write("run.nucecap", "nuce capture 1\n0 0 0 of what there was before\n");
    assert_int_equal(exchange->pattern(point.params, RANKS, &pattern, &error), NUCE_BAD_INPUT);
    point_is_refused("exchange 4 schedule=lp capture=run.nucecap call=1", "capture",
                     "another version");
}

RUN_EACH(capture_setup, folder_teardown, test_messages, test_splits, test_application,
         test_unknown_host, test_several, test_lateness, test_lateness_refused, test_refused)
