/* Exchanges of a capture: an application of four ranks is played, and what the workload makes of
 * its file is what was played. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../capture/ranks.h"
#include "../folder.h"
#include "points.h"

#include "points/exchange_instance.h"

static const struct nuce_workload_ops *const exchange = &nuce_workload_exchange;

struct captured_scene {
    struct folder folder;
    char path[96];
};

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

static void captured_scene_write(const struct captured_scene *scene,
                                 const struct nuce_capture *capture)
{
    struct nuce_error error;

    assert_int_equal(nuce_capture_write(capture, scene->path, &error), NUCE_OK);
}

static struct captured_scene captured_scene_make(void)
{
    struct captured_scene scene = {.folder = folder_make()};
    struct nuce_capture capture;

    snprintf(scene.path, sizeof scene.path, "%s/run.nucecap", scene.folder.path);
    play(&capture);
    give_hosts(&capture);
    strcpy(capture.library, "MPICH Version: 4.1.2");
    captured_scene_write(&scene, &capture);
    nuce_capture_fini(&capture);
    return scene;
}

static struct nuce_point point_at(const struct captured_scene *scene, const char *call)
{
    return point_of(exchange, RANKS,
                    SETTINGS({"schedule", "lp"}, {"capture", scene->path}, {"call", call}));
}

/* Bytes from one rank to another. */
static int64_t bytes_of(const struct nuce_pattern *pattern, int source, int destination)
{
    int64_t bytes = 0;

    for (int64_t k = pattern->row[source]; k < pattern->row[source + 1]; k++)
        bytes += pattern->destination[k] == destination ? pattern->bytes[k] : 0;
    return bytes;
}

/* The ring is the first by time, the few the second; sizes are those that were sent, whatever the
 * unit, and nothing is random. */
static void test_messages(void **state)
{
    struct captured_scene scene = captured_scene_make();
    struct nuce_error error;

    (void)state;
    for (int call = 1; call <= 2; call++) {
        struct nuce_point point = point_at(&scene, call == 1 ? "1" : "2");
        struct nuce_pattern pattern;

        assert_int_equal(exchange->pattern(point.params, RANKS, &pattern, &error), NUCE_OK);
        assert_int_equal(pattern.ranks, RANKS);
        for (int i = 0; i < RANKS; i++) {
            for (int k = 0; k < RANKS; k++) {
                int64_t ring_bytes = k == (i + 1) % RANKS ? 1000 + i : 0;
                int64_t few_bytes = i == 0 && k == 1 ? 60 : i == 3 && k == 0 ? 7 : 0;

                assert_int_equal(bytes_of(&pattern, i, k), call == 1 ? ring_bytes : few_bytes);
            }
        }
        assert_float_equal(exchange->tuning(point.params).unit, 1, 0);
        assert_false(exchange->is_random(point.params));
        nuce_pattern_fini(&pattern);
        nuce_point_fini(&point);
    }
    folder_remove(&scene.folder);
}

/* Only the pair with three messages and the one whose message has no bytes are told apart. On an
 * emulated network, which changes the messages, none are. */
static void test_splits(void **state)
{
    struct captured_scene scene = captured_scene_make();
    struct nuce_point ring_point = point_at(&scene, "1"), few = point_at(&scene, "2");
    struct nuce_point emulated =
        point_of(exchange, RANKS,
                 SETTINGS({"schedule", "lp"}, {"capture", scene.path}, {"call", "2"},
                          {"network", "emulated"}, {"bandwidth", "1MB..2MB"}));
    struct nuce_splits splits;
    struct nuce_error error;

    (void)state;
    assert_int_equal(exchange->splits(ring_point.params, &splits, &error), NUCE_OK);
    assert_int_equal(splits.count, 0);
    nuce_splits_fini(&splits);
    assert_int_equal(exchange->splits(few.params, &splits, &error), NUCE_OK);
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
    assert_int_equal(exchange->splits(emulated.params, &splits, &error), NUCE_OK);
    assert_int_equal(splits.count, 0);
    nuce_splits_fini(&splits);
    nuce_point_fini(&emulated);
    nuce_point_fini(&ring_point);
    nuce_point_fini(&few);
    folder_remove(&scene.folder);
}

/* What the application did, and where its ranks were. */
static void test_application(void **state)
{
    static const int hosts[] = {0, 0, 0, 1};
    struct captured_scene scene = captured_scene_make();
    struct nuce_point point = point_at(&scene, "1"), few = point_at(&scene, "2");
    struct nuce_exchange_captured captured;
    struct nuce_facts *facts;
    struct nuce_told_nodes nodes = {0};
    struct nuce_error error;
    int ranks = 0;

    (void)state;
    assert_int_equal(nuce_exchange_captured_init(point.params, &captured, &error), NUCE_OK);
    assert_int_equal(captured.calls, 5);
    assert_int_equal(captured.messages, RANKS);
    assert_string_equal(captured.quality, "exact");
    assert_string_equal(captured.library, "MPICH 4.1.2");
    assert_memory_equal(captured.host, hosts, sizeof hosts);
    nuce_exchange_captured_fini(&captured);
    assert_null(captured.host);
    assert_int_equal(nuce_exchange_captured_init(few.params, &captured, &error), NUCE_OK);
    assert_int_equal(captured.calls, 1);
    assert_int_equal(captured.messages, 5); /* also the one without bytes */
    nuce_exchange_captured_fini(&captured);
    facts = nuce_facts_create();
    assert_int_equal(exchange->ranks(point.params, facts, &ranks, &error), NUCE_OK);
    assert_int_equal(ranks, RANKS);
    assert_int_equal(exchange->nodes(point.params, facts, &nodes, &error), NUCE_OK);
    assert_int_equal(nodes.nodes, 2);
    assert_int_equal(nodes.most, 3);
    nuce_facts_destroy(facts);
    nuce_point_fini(&few);
    nuce_point_fini(&point);
    folder_remove(&scene.folder);
}

/* A host that one rank does not tell leaves all unknown. */
static void test_unknown_host(void **state)
{
    struct captured_scene scene = captured_scene_make();
    struct nuce_point point = point_at(&scene, "1");
    struct nuce_exchange_captured captured;
    struct nuce_capture capture;
    struct nuce_told_nodes nodes = {.nodes = 9};
    struct nuce_facts *facts;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_capture_read(scene.path, &capture, &error), NUCE_OK);
    capture.host_of[2] = -1;
    capture.library[0] = '\0';
    captured_scene_write(&scene, &capture);
    nuce_capture_fini(&capture);
    assert_int_equal(nuce_exchange_captured_init(point.params, &captured, &error), NUCE_OK);
    assert_null(captured.host);
    assert_string_equal(captured.library, "");
    nuce_exchange_captured_fini(&captured);
    facts = nuce_facts_create();
    assert_int_equal(exchange->nodes(point.params, facts, &nodes, &error), NUCE_OK);
    assert_int_equal(nodes.nodes, 0);
    nuce_facts_destroy(facts);
    nuce_point_fini(&point);
    folder_remove(&scene.folder);
}

/* Which calls `all` and `top-N` stand for. */
static void several_are(const struct captured_scene *scene, const char *call, int ranks,
                        const char *expected)
{
    struct nuce_several several = {0};
    struct nuce_point point;
    struct nuce_error error = {0};
    char found[NUCE_MESSAGE_BYTES] = "";
    json_t *path = json_string(scene->path), *name = json_string(call);

    nuce_point_init(exchange, RANKS, &point);
    assert_int_equal(nuce_point_set(&point, "capture", path, &error), NUCE_OK);
    assert_int_equal(nuce_point_set(&point, "call", name, &error), NUCE_OK);
    if (exchange->several(point.params, ranks, &several, &error) != NUCE_OK)
        snprintf(found, sizeof found, "%s", error.subject);
    for (int i = 0; i < several.count; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", i > 0 ? " " : "",
                 several.values[i]);
    assert_string_equal(found, expected);
    free(several.values);
    json_decref(path);
    json_decref(name);
    nuce_point_fini(&point);
}

static void test_several(void **state)
{
    struct captured_scene scene = captured_scene_make();
    struct nuce_capture capture;
    struct ranks ranks;

    (void)state;
    several_are(&scene, "all", RANKS, "1 2");
    several_are(&scene, "all", 0, "1 2");
    several_are(&scene, "top-1", RANKS, "1");
    several_are(&scene, "top-9", RANKS, "1 2");
    several_are(&scene, "2", RANKS, "");
    several_are(&scene, "all", 3, "ranks"); /* refused: no pattern has so many */
    ranks_begin(&ranks);
    barrier(&ranks);
    ranks_merge(&ranks, &capture);
    captured_scene_write(&scene, &capture);
    nuce_capture_fini(&capture);
    several_are(&scene, "all", 0, "capture"); /* none has messages */
    assert_int_equal(unlink(scene.path), 0);
    several_are(&scene, "all", 0, "capture");
    folder_remove(&scene.folder);
}

/* In a ring each rank posts two requests in 2 us, one rank after the other: so rank i is 2 i us
 * behind the first; classes are right to 13 %. */
static void test_lateness(void **state)
{
    struct captured_scene scene = captured_scene_make();
    struct nuce_point point = point_at(&scene, "1");
    struct nuce_exchange_lateness lateness;
    struct nuce_error error;

    (void)state;
    for (int rank = 0; rank < RANKS + 1; rank++) {
        double expected_s = rank < RANKS ? 2e-6 * rank : 0;

        assert_int_equal(nuce_exchange_lateness_init(point.params, rank, &lateness, &error),
                         NUCE_OK);
        assert_int_equal(lateness.calls, 5);
        assert_true(fabs(lateness.skew_s - 6e-6) < 0.13 * 6e-6);
        for (int call = 0; call < lateness.calls; call++)
            assert_true(fabs(lateness.own_s[call] - expected_s) <= 0.13 * expected_s);
        nuce_exchange_lateness_fini(&lateness);
        assert_null(lateness.own_s);
    }
    nuce_point_fini(&point);
    folder_remove(&scene.folder);
}

/* Somebody who came 100 s late in one call, and one of whom nobody measured anything. */
static void test_lateness_refused(void **state)
{
    struct captured_scene scene = captured_scene_make();
    struct nuce_capture capture;
    struct nuce_capture_pattern *pattern;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_capture_read(scene.path, &capture, &error), NUCE_OK);
    pattern = &capture.pattern[nuce_capture_find(&capture, "1", &error) - capture.pattern];
    pattern->kept_class[2 * RANKS + 1] =
        (unsigned char)nuce_capture_times_class(INT64_C(100000000000));
    captured_scene_write(&scene, &capture);
    point_is_refused(exchange, RANKS,
                     SETTINGS({"schedule", "lp"}, {"capture", scene.path}, {"call", "1"},
                              {"arrival", "captured"}),
                     "arrival", "behind the first: expected at most 60 s");
    pattern->kept = 0;
    free(pattern->arrival_ns);
    pattern->arrival_ns = NULL;
    free(pattern->skew.classes);
    pattern->skew = (struct nuce_capture_times){0};
    strcpy(capture.origin, "matrix some.csv");
    captured_scene_write(&scene, &capture);
    nuce_capture_fini(&capture);
    point_is_refused(exchange, RANKS,
                     SETTINGS({"schedule", "lp"}, {"capture", scene.path}, {"call", "1"},
                              {"arrival", "captured"}),
                     "arrival", "nobody measured who came how late: matrix some.csv");
    folder_remove(&scene.folder);
}

/* What a point of a capture cannot be. */
static void test_refused(void **state)
{
    struct captured_scene scene = captured_scene_make();
    struct nuce_point point = point_at(&scene, "1");
    struct nuce_pattern pattern;
    struct nuce_error error;

    (void)state;
    point_is_refused(exchange, 3,
                     SETTINGS({"schedule", "lp"}, {"capture", scene.path}, {"call", "1"}), "ranks",
                     "is for 4 ranks");
    point_is_refused(exchange, RANKS,
                     SETTINGS({"schedule", "lp"}, {"capture", scene.path}, {"call", "77"}),
                     "capture", "77");
    /* Where it is only made, by whoever did not inspect it. */
    assert_int_equal(exchange->pattern(point.params, 5, &pattern, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(nuce_error_flatten(&error), "is of 4 ranks, expected 5"));
    folder_add(&scene.folder, "run.nucecap", "nuce capture 1\n0 0 0 of what there was before\n");
    assert_int_equal(exchange->pattern(point.params, RANKS, &pattern, &error), NUCE_BAD_INPUT);
    point_is_refused(exchange, RANKS,
                     SETTINGS({"schedule", "lp"}, {"capture", scene.path}, {"call", "1"}),
                     "capture", "another version");
    nuce_point_fini(&point);
    folder_remove(&scene.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages),         cmocka_unit_test(test_splits),
        cmocka_unit_test(test_application),      cmocka_unit_test(test_unknown_host),
        cmocka_unit_test(test_several),          cmocka_unit_test(test_lateness),
        cmocka_unit_test(test_lateness_refused), cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
