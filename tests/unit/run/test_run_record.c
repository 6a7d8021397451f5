/* The record of a run, the row that is made of it, and the table of rows. */
#include "../holds.h"

#include <stdlib.h>

#include "base/record.h"
#include "run/print.h"
#include "run/run_record.h"

/* The results of a run, as a record and as the row that programs print. */

#define RANKS 3
#define MOST_SAMPLES 8

struct scene {
    struct nuce_point point;
    struct nuce_run_info info;
    struct nuce_samples samples;
    double seconds[MOST_SAMPLES * NUCE_SAMPLE_PARTS], of_rank[MOST_SAMPLES * RANKS];
    int place[MOST_SAMPLES];
    struct nuce_wait wait;
    struct nuce_race_facts race;
    struct nuce_outcome outcome;
};

/* A run of contention that went well: step k took k + 1 seconds, its communication half as long. */
static int enter(void **state)
{
    struct scene *scene = calloc(1, sizeof *scene);
    struct nuce_facts *facts = nuce_facts_create();
    json_t *partners = json_integer(2);

    assert_non_null(scene);
    nuce_point_init(&nuce_workload_contention, RANKS, &scene->point);
    assert_ok(nuce_point_set(&scene->point, "partners", partners, ANY_ERROR));
    assert_ok(nuce_point_complete(&scene->point, facts, ANY_ERROR));
    nuce_metrics_init(nuce_workload_contention.results, &scene->info.found);
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
                                           .stopped = "max-samples",
                                           .too_short = 1};
    scene->race = (struct nuce_race_facts){.id = "5a",
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
                                           .race = &scene->race,
                                           .info = &scene->info,
                                           .samples = &scene->samples,
                                           .ranks = RANKS};
    *state = scene;
    return 0;
}

static int leave(void **state)
{
    struct scene *scene = *state;

    nuce_metrics_fini(&scene->info.found);
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

static void test_record(void **state)
{
    struct scene *scene = *state;
    json_t *record;

    nuce_metrics_integer(&scene->info.found, "messages", 2);
    record = record_of(scene);
    holds(record,
          "{\"record\":\"run\",\"job\":\"job-1\",\"campaign\":\"mine.1\","
          "\"workload\":\"contention\",\"status\":\"ok\",\"kind\":\"measured\",\"wait\":\"yield\","
          "\"stopped\":\"max-samples\",\"wall_s\":12.5,\"ranks\":3,\"oversubscribed\":1,"
          "\"min_samples\":10,\"sync\":\"window\",\"batch\":4,\"late_rounds\":3,\"skew_s\":1e-6,"
          "\"skew_high_s\":2e-6,\"sync_residual_s\":3e-6,\"sync_error_s\":4e-6,\"too_short\":1,"
          "\"message\":null,\"metrics\":{\"messages\":2},\"params\":{\"partners\":2},"
          "\"samples\":{\"step\":[1,2,3,4,5,6,7,8],\"communication\":[0.5,1,1.5,2,2.5,3,3.5,4]},"
          "\"race\":\"5a\",\"order_seed\":77,\"place\":[0,1,0,1,0,1,0,1],\"duplicate\":null,"
          "\"per_rank\":null,\"events\":null}");
    assert_string_equal(json_string_value(json_object_get(record, "point")), scene->point.id);
    assert_true(json_is_null(json_object_get(record, "message")));
    assert_int_equal(json_object_size(json_object_get(record, "samples")), 3);
    json_decref(record);
}

/* The duplicate's samples stand by themselves: nothing that reads samples takes them for the
 * point's. A row of each sample by ranks, and events, where there are any. */
static void test_more(void **state)
{
    struct scene *scene = *state;
    struct nuce_samples duplicate = scene->samples;
    struct nuce_trace_event events[] = {
        {.bytes = 30, .start_s = 0.25, .end_s = 1, .peer = 2, .phase = 1, .direction = NUCE_SEND},
        {.bytes = 40, .start_s = 0.5, .end_s = 2, .peer = 0, .direction = NUCE_RECEIVE, .rank = 2}};
    struct nuce_traced_step traced = {.is_noted = 1, .count = 2, .events = events};
    json_t *record;

    duplicate.count = 2;
    scene->outcome.duplicate = &duplicate;
    scene->samples.of_rank = scene->of_rank;
    nuce_metrics_integer(&scene->info.found, "events_lost", 0);
    nuce_metrics_real(&scene->info.found, "clock_error_s", 1e-6);
    scene->outcome.traced = &traced;
    record = record_of(scene);
    holds(record, "{\"duplicate\":{\"step\":[1,2],\"communication\":[0.5,1],\"place\":[0,1]},"
                  "\"samples\":{\"step\":[1,2,3,4,5,6,7,8]},"
                  "\"per_rank\":[[0,1,2],[10,11,12],[20,21,22],[30,31,32],[40,41,42],[50,51,52],"
                  "[60,61,62],[70,71,72]],"
                  "\"events\":[[0,\"send\",2,1,30,0.25,1.0],[2,\"receive\",0,0,40,0.5,2.0]]}");
    json_decref(record);
}

/* A run that never began has an empty list of steps, and has a message. */
static void test_statuses(void **state)
{
    static const struct {
        nuce_status status;
        int timed_out;
        const char *says;
    } cases[] = {
        {NUCE_FAILED, 0, "failed"},   {NUCE_BAD_INPUT, 0, "failed"},
        {NUCE_CORRUPT, 0, "corrupt"}, {NUCE_INTERRUPTED, 0, "interrupted"},
        {NUCE_FAILED, 1, "timeout"},
    };
    struct scene *scene = *state;

    scene->outcome.message = "something";
    scene->outcome.info = NULL;
    scene->outcome.samples = NULL;
    for (size_t i = 0; i < COUNT(cases); i++) {
        json_t *record;

        scene->outcome.status = cases[i].status;
        scene->outcome.timed_out = cases[i].timed_out;
        record = record_of(scene);
        holds(record, "{\"message\":\"something\",\"samples\":{\"step\":[]},\"metrics\":null}");
        assert_string_equal(json_string_value(json_object_get(record, "status")), cases[i].says);
        assert_int_equal(json_object_size(json_object_get(record, "samples")), 1);
        json_decref(record);
    }
}

/* A workload that knows how many samples it takes is no less well measured for that. */
static void test_own_samples(void **state)
{
    struct scene *scene = *state;
    json_t *record;

    scene->info.samples = 4;
    record = record_of(scene);
    holds(record, "{\"min_samples\":4}");
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

/* The median of 1 .. 8 is 4.5; the least and the greatest have it between them with 99 %, the
 * second and the seventh with 93 %. The ends of six samples have 97 %, those of five 94 %, too
 * little. */
static void test_row(void **state)
{
    static const struct {
        int64_t count;
        const char *row;
    } cases[] = {
        {8, "{\"step_s\":4.5,\"step_low_s\":1,\"step_high_s\":8,\"communication_s\":2.25,"
            "\"communication_high_s\":4,\"n\":8,\"size\":4096,\"partners\":2,"
            "\"direction\":\"to-one\",\"stopped\":\"max-samples\"}"},
        {6, "{\"step_s\":3.5,\"step_low_s\":1,\"step_high_s\":6}"},
        {5, "{\"step_s\":3,\"step_low_s\":null,\"step_high_s\":null}"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        json_t *row = row_of(*state, cases[i].count);

        holds(row, cases[i].row);
        json_decref(row);
    }
}

/* Every result that may be recorded is in every row, known or not; those worked out later are not.
 */
static void test_row_keys(void **state)
{
    struct scene *scene = *state;
    json_t *row;

    nuce_metrics_integer(&scene->info.found, "messages", 2);
    nuce_metrics_real(&scene->info.found, "clock_error_s", NAN);
    row = row_of(scene, 1);
    holds(row, "{\"messages\":2}");
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

/* The table of a measuring program: values that are printed once, values that vary, and metrics. */

/* The printed table of rows, JSON text; each run of blanks is one. */
static char *printed(const struct nuce_workload_ops *workload, const char *text,
                     enum nuce_grid_format format)
{
    json_t *rows = json_loads(text, 0, NULL);
    char *written = NULL, *to;
    size_t size = 0;
    FILE *file = open_memstream(&written, &size);

    assert_non_null(rows);
    assert_non_null(file);
    assert_ok(nuce_print_rows(rows, workload, format, file, ANY_ERROR));
    assert_int_equal(fclose(file), 0);
    json_decref(rows);
    to = written;
    for (const char *from = written; *from != '\0'; from++) {
        if (*from == ' ' && (to == written || to[-1] == '\n' || to[-1] == ' '))
            continue;
        if (*from == '\n' && to > written && to[-1] == ' ')
            to--;
        *to++ = *from;
    }
    *to = '\0';
    return written;
}

#define ROW(direction, size, time)                                                                 \
    "{\"workload\":\"contention\",\"ranks\":4,\"direction\":\"" direction "\",\"size\":" size      \
    ",\"partners\":3,\"wait\":\"spin\",\"oversubscribed\":0,\"messages\":3,\"bytes\":12288,"       \
    "\"port_bytes\":null,\"n\":7,\"stopped\":\"max-samples\",\"status\":\"ok\",\"step_s\":" time   \
    ",\"step_low_s\":1e-3,\"step_high_s\":2e-3}"
#define EXCHANGE(members) "{\"workload\":\"exchange\",\"ranks\":2,\"oversubscribed\":0," members "}"
#define RACED(schedule, size, ratio)                                                               \
    EXCHANGE("\"schedule\":\"" schedule "\",\"item-bytes\":" size ",\"wait\":\"spin\"," ratio)
#define REFERENCE(size, noise) RACED("ac", size, "\"ratio\":1,\"noise\":" noise)
#define OTHER(size) RACED("lp", size, "\"ratio\":1.5,\"ratio_low\":1.4,\"ratio_high\":1.6")
#define RACE(size, noise) REFERENCE(size, noise) "," OTHER(size)
#define QUIET "1.02,\"noise_low\":0.99,\"noise_high\":1.03"
#define LOUD "0.93,\"noise_low\":0.86,\"noise_high\":1.07"
#define EMULATED EXCHANGE("\"network\":\"emulated\",\"emulate-speeds\":\"1,2\",\"wait\":\"spin\"")
#define MEASURED                                                                                   \
    EXCHANGE("\"network\":\"measured\",\"network_taken\":\"a.net@0123\",\"wait\":\"spin\"")

static void test_text(void **state)
{
    static const struct {
        const struct nuce_workload_ops *workload;
        const char *rows, *says[3], *silent;
    } cases[] = {
        /* Values that all rows share are above them; the column of a result that none has is not
         * there. */
        {&nuce_workload_contention,
         "[" ROW("to-one", "4096", "0.0015") "," ROW("to-one", "8192", "0.25") "]",
         {"contention, ranks 4, direction to-one, partners 3, wait spin\n"
          "size messages bytes step 95 % interval samples stopped by status\n"
          "4KiB 3 12KiB 1.50ms 1.00ms .. 2.00ms 7 max-samples ok\n"},
         "bound"},
        {&nuce_workload_contention,
         "[" ROW("to-one", "4096", "1") "," ROW("from-one", "4096", "2") "]",
         {"contention, ranks 4, size 4KiB, partners 3, wait spin\n", "direction", "from-one"},
         NULL},
        /* The compared option has a column also where it has one value alone. */
        {&nuce_workload_exchange,
         "[{\"workload\":\"exchange\",\"ranks\":2,\"schedule\":\"lp\",\"pattern\":"
         "\"skewed\",\"item-bytes\":1024,\"wait\":\"yield\",\"oversubscribed\":1,\"status\":\"ok\"}"
         "]",
         {"exchange, ranks 2, pattern skewed, item-bytes 1KiB, schedule lp, wait yield, "
          "OVERSUBSCRIBED\n"
          "schedule status\nlp ok\n"},
         NULL},
        /* The ratio of the reference is 1; its noise is printed below. */
        {&nuce_workload_exchange,
         "[" RACE("8", LOUD) "]",
         {"\nschedule ratio\nac 1\nlp 1.50x [1.40, 1.60]\n"
          "noise (ac vs ac) 0.93x [0.86, 1.07]\n"},
         NULL},
        {&nuce_workload_exchange,
         "[" RACE("8", LOUD) "," RACE("16", QUIET) "]",
         {"\nnoise (ac vs ac) 0.93x to 1.02x, within [0.86, 1.07]\n"},
         NULL},
        {&nuce_workload_exchange,
         "[" RACE("8", "0.93,\"noise_low\":null") "]",
         {"\nnoise (ac vs ac) 0.93x\n"},
         NULL},
        /* The line above names the emulation. */
        {&nuce_workload_exchange,
         "[" EMULATED "," MEASURED "]",
         {", measured network: a.net, wait spin, EMULATED network",
          "EMULATED speeds: ranks do extra work"},
         "OVERSUBSCRIBED"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        char *text = printed(cases[i].workload, cases[i].rows, NUCE_GRID_TEXT);

        for (int k = 0; k < 3 && cases[i].says[k] != NULL; k++) {
            if (strstr(text, cases[i].says[k]) == NULL)
                fail_msg("'%s' does not say '%s'", text, cases[i].says[k]);
        }
        assert_true(cases[i].silent == NULL || strstr(text, cases[i].silent) == NULL);
        free(text);
    }
}

RUN_EACH(enter, leave, test_record, test_more, test_statuses, test_own_samples, test_row,
         test_row_keys, test_text)
