/* What a run found: its record, the row that is made of it, and the table of rows. */
#include "../test.h"

#include <stdlib.h>

#include "base/record.h"
#include "run/print.h"
#include "run/run_record.h"

/* What a run found, as a record and as the row that programs print. */

#define RANKS 3
#define MOST_SAMPLES 8

struct scene {
    struct nuce_point point;
    struct nuce_run_info info;
    struct nuce_samples samples;
    double seconds[MOST_SAMPLES * NUCE_SAMPLE_PARTS], of_rank[MOST_SAMPLES * RANKS];
    int place[MOST_SAMPLES];
    struct nuce_wait wait;
    struct nuce_heat_facts heat;
    struct nuce_outcome outcome;
};

/* A run of contention that went well: step k took k + 1 seconds, its communication half as long. */
static int enter(void **state)
{
    struct scene *scene = calloc(1, sizeof *scene);
    struct nuce_error error;
    struct nuce_facts *facts = nuce_facts_create();
    json_t *partners = json_integer(2);

    assert_non_null(scene);
    nuce_point_init(&nuce_workload_contention, RANKS, &scene->point);
    assert_ok(nuce_point_set(&scene->point, "partners", partners, &error));
    assert_ok(nuce_point_complete(&scene->point, facts, &error));
    nuce_found_init(nuce_workload_contention.results, &scene->info.found);
    json_decref(partners);
    nuce_facts_destroy(facts);
    scene->info.parts = 1U << NUCE_PART_COMMUNICATION;
    for (int k = 0; k < MOST_SAMPLES; k++) {
        scene->seconds[k * NUCE_SAMPLE_PARTS + NUCE_PART_STEP] = k + 1;
        scene->seconds[k * NUCE_SAMPLE_PARTS + NUCE_PART_COMMUNICATION] = 0.5 * (k + 1);
        scene->seconds[k * NUCE_SAMPLE_PARTS + NUCE_PART_OWN] = 0.75 * (k + 1);
        scene->place[k] = k % 2;
        for (int rank = 0; rank < RANKS; rank++)
            scene->of_rank[k * RANKS + rank] = 10 * k + rank;
    }
    scene->samples = (struct nuce_samples){.count = MOST_SAMPLES,
                                           .seconds = scene->seconds,
                                           .place = scene->place,
                                           .first_s = 9,
                                           .stopped = "max",
                                           .too_short = 1};
    scene->heat = (struct nuce_heat_facts){.id = "5a",
                                           .seed = 77,
                                           .sampling = {.sync = "window",
                                                        .batch = 4,
                                                        .late_rounds = 3,
                                                        .skew_s = 1e-6,
                                                        .skew_high_s = 2e-6,
                                                        .residual_s = 3e-6,
                                                        .error_s = 4e-6}};
    scene->wait = (struct nuce_wait){.yield = 1, .oversubscribed = 1};
    scene->outcome = (struct nuce_outcome){.status = NUCE_OK,
                                           .started = "2026-11-21T10:00:00.123Z",
                                           .wall_s = 12.5,
                                           .wait = &scene->wait,
                                           .heat = &scene->heat,
                                           .info = &scene->info,
                                           .samples = &scene->samples,
                                           .ranks = RANKS};
    *state = scene;
    return 0;
}

static int leave(void **state)
{
    struct scene *scene = *state;

    nuce_found_fini(&scene->info.found);
    nuce_point_fini(&scene->point);
    free(scene);
    return 0;
}

static json_t *record_of(const struct scene *scene)
{
    struct nuce_error error = {0};
    json_t *record = nuce_run_record(&scene->point, &scene->outcome, "job-1", "mine.1", &error);

    if (record == NULL)
        fail_msg("%s", nuce_error_flatten(&error));
    assert_ok(nuce_record_check_point(record, &error));
    return record;
}

static void check_text(const json_t *object, const char *key, const char *wanted)
{
    assert_string_equal(json_string_value(json_object_get(object, key)), wanted);
}

static void check_real(const json_t *object, const char *key, double wanted)
{
    const json_t *value = json_object_get(object, key);

    if (!json_is_number(value))
        fail_msg("%s is no number", key);
    if (fabs(json_number_value(value) - wanted) > 1e-12)
        fail_msg("%s: %g is not %g", key, json_number_value(value), wanted);
}

static void test_record(void **state)
{
    struct scene *scene = *state;
    json_t *record, *samples;

    nuce_found_integer(&scene->info.found, "messages", 2);
    record = record_of(scene);
    check_text(record, "record", "run");
    check_text(record, "job", "job-1");
    check_text(record, "campaign", "mine.1");
    check_text(record, "workload", "contention");
    check_text(record, "point", scene->point.id);
    check_text(record, "status", "ok");
    check_text(record, "kind", "measured");
    check_text(record, "wait", "yield");
    check_text(record, "stopped", "max");
    check_real(record, "wall_s", 12.5);
    check_real(record, "ranks", RANKS);
    check_real(record, "oversubscribed", 1);
    check_real(record, "min_samples", 10);
    check_text(record, "sync", "window");
    check_real(record, "batch", 4);
    check_real(record, "late_rounds", 3);
    check_real(record, "skew_s", 1e-6);
    check_real(record, "skew_high_s", 2e-6);
    check_real(record, "sync_residual_s", 3e-6);
    check_real(record, "sync_error_s", 4e-6);
    check_real(record, "too_short", 1);
    assert_true(json_is_null(json_object_get(record, "message")));
    check_real(json_object_get(record, "found"), "messages", 2);
    check_real(json_object_get(record, "params"), "partners", 2);
    samples = json_object_get(record, "samples");
    assert_int_equal(json_object_size(samples), 3);
    for (size_t k = 0; k < MOST_SAMPLES; k++) {
        const json_t *step = json_array_get(json_object_get(samples, "step"), k);
        const json_t *part = json_array_get(json_object_get(samples, "communication"), k);

        assert_true(fabs(json_number_value(step) - (double)(k + 1)) < 1e-12);
        assert_true(fabs(2 * json_number_value(part) - (double)(k + 1)) < 1e-12);
    }
    check_text(record, "heat", "5a");
    check_real(record, "order_seed", 77);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(record, "place"), 1)), 1);
    assert_null(json_object_get(record, "twin"));
    assert_null(json_object_get(record, "per_rank"));
    assert_null(json_object_get(record, "events"));
    json_decref(record);
}

/* The twin's samples stand by themselves: nothing that reads samples takes them for the point's. */
static void test_twin(void **state)
{
    struct scene *scene = *state;
    struct nuce_samples twin = scene->samples;
    json_t *record, *found;

    twin.count = 2;
    scene->outcome.twin = &twin;
    record = record_of(scene);
    found = json_object_get(record, "twin");
    assert_int_equal(json_array_size(json_object_get(found, "step")), 2);
    assert_int_equal(json_array_size(json_object_get(found, "communication")), 2);
    assert_int_equal(json_array_size(json_object_get(found, "place")), 2);
    assert_int_equal(json_array_size(json_object_get(json_object_get(record, "samples"), "step")),
                     MOST_SAMPLES);
    json_decref(record);
}

/* A row of each sample, by ranks. */
static void test_per_rank(void **state)
{
    struct scene *scene = *state;
    json_t *record, *rows;

    scene->samples.of_rank = scene->of_rank;
    record = record_of(scene);
    rows = json_object_get(record, "per_rank");
    assert_int_equal(json_array_size(rows), MOST_SAMPLES);
    for (size_t k = 0; k < MOST_SAMPLES; k++) {
        assert_int_equal(json_array_size(json_array_get(rows, k)), RANKS);
        for (size_t rank = 0; rank < RANKS; rank++)
            assert_true(fabs(json_number_value(json_array_get(json_array_get(rows, k), rank)) -
                             (double)(10 * k + rank)) < 1e-12);
    }
    json_decref(record);
}

static void test_events(void **state)
{
    struct scene *scene = *state;
    struct nuce_trace_event events[] = {
        {.bytes = 30, .start_s = 0.25, .end_s = 1, .peer = 2, .phase = 1, .direction = NUCE_SEND},
        {.bytes = 40, .start_s = 0.5, .end_s = 2, .peer = 0, .direction = NUCE_RECEIVE, .rank = 2}};
    struct nuce_traced_step traced = {.is_noted = 1, .count = 2, .events = events};
    json_t *record, *wanted = json_loads("[[0, \"send\", 2, 1, 30, 0.25, 1.0],"
                                         " [2, \"receive\", 0, 0, 40, 0.5, 2.0]]",
                                         0, NULL);

    nuce_found_integer(&scene->info.found, "events_lost", 0);
    nuce_found_real(&scene->info.found, "clock_error_s", 1e-6);
    scene->outcome.traced = &traced;
    record = record_of(scene);
    assert_true(json_equal(json_object_get(record, "events"), wanted));
    json_decref(record);
    json_decref(wanted);
}

/* A run that never began has an empty list of steps, and says what happened. */
static void check_status(struct scene *scene, nuce_status status, int timed_out, const char *wanted)
{
    json_t *record, *samples;

    scene->outcome.status = status;
    scene->outcome.timed_out = timed_out;
    scene->outcome.message = "something";
    scene->outcome.info = NULL;
    scene->outcome.samples = NULL;
    record = record_of(scene);
    check_text(record, "status", wanted);
    check_text(record, "message", "something");
    samples = json_object_get(record, "samples");
    assert_int_equal(json_object_size(samples), 1);
    assert_int_equal(json_array_size(json_object_get(samples, "step")), 0);
    assert_null(json_object_get(record, "found"));
    json_decref(record);
}

static void test_statuses(void **state)
{
    check_status(*state, NUCE_FAILED, 0, "failed");
    check_status(*state, NUCE_BAD_INPUT, 0, "failed");
    check_status(*state, NUCE_CORRUPT, 0, "corrupt");
    check_status(*state, NUCE_INTERRUPTED, 0, "interrupted");
    check_status(*state, NUCE_FAILED, 1, "timeout");
}

/* A workload that knows how many samples it takes is no less well measured for that. */
static void test_own_samples(void **state)
{
    struct scene *scene = *state;
    json_t *record;

    scene->info.samples = 4;
    record = record_of(scene);
    check_real(record, "min_samples", 4);
    json_decref(record);
}

static json_t *row_of(struct scene *scene, int64_t count)
{
    json_t *record, *row;

    scene->samples.count = count;
    record = record_of(scene);
    row = nuce_run_row(nuce_workload_contention.results, record);
    assert_non_null(row);
    json_decref(record);
    return row;
}

/* Of 1 .. 8 the median is 4.5; the least and the greatest have it between them with 99 %, the
 * second and the seventh with 93 %. Of six the ends have 97 %, of five 94 %: too little. */
static void test_row(void **state)
{
    struct scene *scene = *state;
    json_t *row = row_of(scene, 8);

    check_real(row, "step_s", 4.5);
    check_real(row, "step_low_s", 1);
    check_real(row, "step_high_s", 8);
    check_real(row, "communication_s", 2.25);
    check_real(row, "communication_high_s", 4);
    check_real(row, "n", 8);
    check_real(row, "size", 4096);
    check_real(row, "partners", 2);
    check_text(row, "direction", "to-one");
    check_text(row, "stopped", "max");
    json_decref(row);
    row = row_of(scene, 6);
    check_real(row, "step_s", 3.5);
    check_real(row, "step_low_s", 1);
    check_real(row, "step_high_s", 6);
    json_decref(row);
    row = row_of(scene, 5);
    check_real(row, "step_s", 3);
    assert_null(json_object_get(row, "step_low_s"));
    assert_null(json_object_get(row, "step_high_s"));
    json_decref(row);
}

/* Every result that may be recorded is in every row, known or not; those worked out later are not.
 */
static void test_row_keys(void **state)
{
    struct scene *scene = *state;
    json_t *row;

    nuce_found_integer(&scene->info.found, "messages", 2);
    nuce_found_real(&scene->info.found, "clock_error_s", NAN);
    row = row_of(scene, 1);
    check_real(row, "messages", 2);
    for (const struct nuce_result *const *table = nuce_workload_contention.results; *table != NULL;
         table++) {
        for (const struct nuce_result *result = *table; result->name != NULL; result++) {
            const json_t *value = json_object_get(row, result->name);

            if (!(result->flags & NUCE_RESULT_DERIVED) && strcmp(result->name, "messages") != 0 &&
                !json_is_null(value))
                fail_msg("%s is not null", result->name);
        }
    }
    json_decref(row);
}

/* The table of a measuring program: what is said once, what varies, and what was found. */

/* What is printed of rows, JSON text. */
static char *printed(const struct nuce_workload_ops *workload, const char *text,
                     enum nuce_grid_format format)
{
    json_t *rows = json_loads(text, 0, NULL);
    struct nuce_error error = {0};
    char *written = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&written, &size);

    assert_non_null(rows);
    assert_non_null(file);
    assert_ok(nuce_print_rows(rows, workload, format, file, &error));
    assert_int_equal(fclose(file), 0);
    json_decref(rows);
    return written;
}

/* The words of line number index, from 0, one blank between two. */
static void check_line(const char *text, int index, const char *wanted)
{
    char found[1024] = "", copy[4096], *rest = copy, *line = NULL, *word;

    snprintf(copy, sizeof copy, "%s", text);
    for (int i = 0; i <= index; i++)
        line = strsep(&rest, "\n");
    assert_non_null(line);
    while ((word = strsep(&line, " ")) != NULL) {
        if (word[0] == '\0')
            continue;
        if (found[0] != '\0')
            strcat(found, " ");
        strcat(found, word);
    }
    assert_string_equal(found, wanted);
}

#define ROW(direction, size, time)                                                                 \
    "{\"workload\":\"contention\",\"ranks\":4,\"direction\":\"" direction "\",\"size\":" size      \
    ",\"partners\":3,\"wait\":\"spin\",\"oversubscribed\":0,\"messages\":3,\"bytes\":12288,"       \
    "\"port_bytes\":null,\"n\":7,\"stopped\":\"max\",\"status\":\"ok\",\"step_s\":" time           \
    ",\"step_low_s\":1e-3,\"step_high_s\":2e-3}"

/* What all rows share is above them; the column of a result that none has is not there. */
static void test_text(void **state)
{
    char *text = printed(&nuce_workload_contention,
                         "[" ROW("to-one", "4096", "0.0015") "," ROW("to-one", "8192", "0.25") "]",
                         NUCE_GRID_TEXT);

    check_line(text, 0, "contention, ranks 4, direction to-one, partners 3, wait spin");
    check_line(text, 1, "size messages bytes step 95 % interval samples stopped by status");
    check_line(text, 2, "4KiB 3 12KiB 1.50ms 1.00ms .. 2.00ms 7 max ok");
    assert_null(strstr(text, "bound"));
    free(text);
}

static void test_varying(void **state)
{
    char *text = printed(&nuce_workload_contention,
                         "[" ROW("to-one", "4096", "1") "," ROW("from-one", "4096", "2") "]",
                         NUCE_GRID_TEXT);

    check_line(text, 0, "contention, ranks 4, size 4KiB, partners 3, wait spin");
    assert_non_null(strstr(text, "direction"));
    assert_non_null(strstr(text, "from-one"));
    free(text);
}

/* What is compared stands in a column also where there is one of it alone. */
static void test_compared(void **state)
{
    char *text = printed(&nuce_workload_exchange,
                         "[{\"workload\":\"exchange\",\"ranks\":2,\"schedule\":\"lp\",\"pattern\":"
                         "\"skewed\",\"unit\":1024,\"wait\":\"yield\",\"oversubscribed\":1,"
                         "\"status\":\"ok\"}]",
                         NUCE_GRID_TEXT);

    check_line(text, 0,
               "exchange, ranks 2, pattern skewed, unit 1KiB, schedule lp, wait yield, "
               "OVERSUBSCRIBED");
    check_line(text, 1, "schedule status");
    check_line(text, 2, "lp ok");
    free(text);
}

#define RACED(schedule, unit, ratio)                                                               \
    "{\"workload\":\"exchange\",\"ranks\":2,\"schedule\":\"" schedule "\",\"unit\":" unit          \
    ",\"wait\":\"spin\",\"oversubscribed\":0," ratio "}"
#define REFERENCE(unit, control) RACED("ac", unit, "\"ratio\":1,\"control\":" control)
#define OTHER(unit) RACED("lp", unit, "\"ratio\":1.5,\"ratio_low\":1.4,\"ratio_high\":1.6")

/* The reference is 1; what it came out as beside itself is said below, of one heat and of two. */
static void test_control(void **state)
{
    char *text = printed(
        &nuce_workload_exchange,
        "[" REFERENCE("8", "0.93,\"control_low\":0.86,\"control_high\":1.07") "," OTHER("8") "]",
        NUCE_GRID_TEXT);

    check_line(text, 1, "schedule ratio");
    check_line(text, 2, "ac 1");
    check_line(text, 3, "lp 1.50 [1.40 1.60]");
    check_line(text, 4, "control 0.93 [0.86 1.07]: the reference against itself");
    free(text);
    text = printed(
        &nuce_workload_exchange,
        "[" REFERENCE("8", "0.93,\"control_low\":0.86,\"control_high\":1.07") "," OTHER(
            "8") "," REFERENCE("16",
                               "1.02,\"control_low\":0.99,\"control_high\":1.03") "," OTHER("16") "]",
        NUCE_GRID_TEXT);
    check_line(text, 6, "controls 0.93 to 1.02, within [0.86 1.07]: the reference against itself");
    free(text);
    text =
        printed(&nuce_workload_exchange,
                "[" REFERENCE("8", "0.93,\"control_low\":null") "," OTHER("8") "]", NUCE_GRID_TEXT);
    check_line(text, 4, "control 0.93: the reference against itself");
    free(text);
}

/* What was not as it is on this machine is said above. */
static void test_warnings(void **state)
{
    char *text = printed(&nuce_workload_exchange,
                         "[{\"workload\":\"exchange\",\"ranks\":2,\"network\":\"emulated\","
                         "\"emulate-speeds\":\"1,2\",\"wait\":\"spin\",\"oversubscribed\":0},"
                         " {\"workload\":\"exchange\",\"ranks\":2,\"network\":\"measured\","
                         "\"network_taken\":\"a.net@0123\",\"wait\":\"spin\"}]",
                         NUCE_GRID_TEXT);

    assert_non_null(strstr(text, ", measured network: a.net, wait spin, EMULATED network"));
    assert_non_null(strstr(text, "EMULATED speeds: ranks do extra work"));
    assert_null(strstr(text, "0123, wait"));
    assert_null(strstr(text, "OVERSUBSCRIBED"));
    free(text);
}

/* A line a row, whole; and nothing of nothing. */
static void test_json(void **state)
{
    char *text =
        printed(&nuce_workload_contention, "[" ROW("to-one", "1", "1") "]", NUCE_GRID_JSON);
    json_t *found = json_loads(text, 0, NULL),
           *wanted = json_loads(ROW("to-one", "1", "1"), 0, NULL);

    assert_true(json_equal(found, wanted));
    json_decref(found);
    json_decref(wanted);
    free(text);
    text = printed(&nuce_workload_contention, "[]", NUCE_GRID_TEXT);
    assert_string_equal(text, "");
    free(text);
    text = printed(&nuce_workload_contention, "[]", NUCE_GRID_JSON);
    assert_string_equal(text, "");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_record, enter, leave),
        cmocka_unit_test_setup_teardown(test_twin, enter, leave),
        cmocka_unit_test_setup_teardown(test_per_rank, enter, leave),
        cmocka_unit_test_setup_teardown(test_events, enter, leave),
        cmocka_unit_test_setup_teardown(test_statuses, enter, leave),
        cmocka_unit_test_setup_teardown(test_own_samples, enter, leave),
        cmocka_unit_test_setup_teardown(test_row, enter, leave),
        cmocka_unit_test_setup_teardown(test_row_keys, enter, leave),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_varying),
        cmocka_unit_test(test_compared),
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_control),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
