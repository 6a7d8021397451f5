/* A kernel that measures nothing: it reads --points and writes records as the real ones do, and
 * misbehaves when the environment says so. For tests of the launcher.
 *
 * FAKE_SLEEP_MS   time each point takes
 * FAKE_CRASH      item-bytes at which it aborts after the begin record
 * FAKE_STATUS     the status with which it does (7)
 * FAKE_REFUSE     item-bytes that it refuses
 * FAKE_SILENT     exit with this status before anything is recorded
 * FAKE_TORN       leave half a line at the end of the record file when it crashes
 * FAKE_SAMPLES    how many samples each run has, within 2 % of each other; else the same two
 * FAKE_PERCENT    how long those last, of what they would (100)
 * FAKE_SLOW       item-bytes at which alone FAKE_PERCENT holds
 * FAKE_LIBRARY    what the environment has for its library
 * FAKE_MPI        MPI library of the environment
 * FAKE_OTHERS     processors, of two, that others kept busy meanwhile
 * FAKE_KIND       of the runs: measured, simulated or modelled */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/jsonl.h"
#include "base/record.h"
#include "base/rng.h"
#include "points/point.h"

static volatile sig_atomic_t stopped;

static void on_signal(int signal)
{
    (void)signal;
    stopped = 1;
}

struct run {
    struct nuce_jsonl_writer writer;
    struct nuce_facts *facts;
    const char *campaign;
    char job[32];
};

static int number(const char *name, int otherwise)
{
    const char *text = getenv(name);

    return text != NULL ? atoi(text) : otherwise;
}

static void check(nuce_status status, const struct nuce_error *error)
{
    if (status == NUCE_OK)
        return;
    fprintf(stderr, "nuce-fake: %s\n", error->message);
    exit(nuce_error_exit_status(status));
}

static void write_job(struct run *run)
{
    const char *library = getenv("FAKE_LIBRARY");
    json_t *described = json_pack("{s:s}", "library", library != NULL ? library : "none");
    char *text;
    char environment[NUCE_HASH_BYTES];
    struct nuce_error error;
    json_t *job, *rest;

    if (number("FAKE_OTHERS", 0) > 0)
        json_object_set_new(described, "processors", json_integer(2));
    if (getenv("FAKE_MPI") != NULL)
        json_object_set_new(described, "mpi", json_pack("{s:s}", "library", getenv("FAKE_MPI")));
    text = json_dumps(described, JSON_COMPACT | JSON_SORT_KEYS);
    NUCE_ASSERT(text != NULL);
    nuce_hash(text, strlen(text), environment);
    free(text);
    snprintf(run->job, sizeof run->job, "fake-%d", (int)getpid());
    job = nuce_record_create("job", run->job, &error);
    rest = json_pack("{s:s, s:s, s:{s:i}, s:o}", "campaign", run->campaign, "environment",
                     environment, "facts", "load", 0, "described", described);
    NUCE_ASSERT(job != NULL && rest != NULL && json_object_update(job, rest) == 0);
    check(nuce_jsonl_append(&run->writer, job, &error), &error);
    json_decref(job);
    json_decref(rest);
}

static void write_begin(struct run *run, const struct nuce_point *point)
{
    char now[NUCE_TIME_BYTES];
    struct nuce_error error;
    json_t *begin = nuce_point_begin_record(point, run->job, nuce_record_time_now(now), &error);

    NUCE_ASSERT(begin != NULL);
    check(nuce_jsonl_append(&run->writer, begin, &error), &error);
    json_decref(begin);
}

/* Nonzero if FAKE_PERCENT is for this point: FAKE_SLOW is a size of items, FAKE_SLOW_SCHEDULE a
 * schedule. */
static int is_slow(const struct nuce_point *point)
{
    const char *algorithm = getenv("FAKE_SLOW_SCHEDULE");
    int item_bytes = number("FAKE_SLOW", -1);

    if (algorithm != NULL &&
        strcmp(algorithm, json_string_value(json_object_get(point->canonical, "schedule"))) != 0)
        return 0;
    return item_bytes < 0 ||
           item_bytes == (int)json_integer_value(json_object_get(point->canonical, "item-bytes"));
}

/* Times of a part around seconds: others at every point and in every campaign, the same again. */
static json_t *make_samples(const struct run *run, const struct nuce_point *point, double seconds)
{
    const char *number_of = strrchr(run->campaign, '.');
    char head[16] = "";
    struct nuce_rng rng;
    int count = number("FAKE_SAMPLES", 0);
    json_t *samples = json_array();

    memcpy(head, point->id, sizeof head - 1);
    rng = nuce_rng_create(strtoull(head, NULL, 16),
                          number_of != NULL ? strtoull(number_of + 1, NULL, 10) : 0);
    if (is_slow(point))
        seconds *= number("FAKE_PERCENT", 100) / 100.0;
    for (int i = 0; i < count; i++)
        json_array_append_new(samples, json_real(seconds * (1 + 0.02 * nuce_rng_uniform(&rng))));
    if (count == 0) {
        json_array_append_new(samples, json_real(seconds));
        json_array_append_new(samples, json_real(2 * seconds));
    }
    return samples;
}

static void write_run(struct run *run, const struct nuce_point *point, const char *status)
{
    const char *kind = getenv("FAKE_KIND");
    char now[NUCE_TIME_BYTES], race[NUCE_HASH_BYTES];
    struct nuce_error error;
    json_t *record =
        nuce_point_run_record(point, run->job, run->campaign, kind != NULL ? kind : "measured",
                              status, nuce_record_time_now(now), &error);

    NUCE_ASSERT(record != NULL);
    check(nuce_point_race(point, race, &error), &error);
    json_object_set_new(record, "race", json_string(race));
    json_object_set_new(record, "samples",
                        json_pack("{s:o, s:o}", "step", make_samples(run, point, 0.001),
                                  "communication", make_samples(run, point, 0.0005)));
    if (number("FAKE_OTHERS", 0) > 0)
        json_object_set_new(record, "metrics",
                            json_pack("{s:f}", "others_cpus", (double)number("FAKE_OTHERS", 0)));
    if (strcmp(status, "failed") == 0)
        json_object_set_new(record, "refused", json_true());
    check(nuce_jsonl_append(&run->writer, record, &error), &error);
    json_decref(record);
}

static void work(void)
{
    struct timespec pause = {0, 1000000};

    for (int left = number("FAKE_SLEEP_MS", 0); left > 0 && !stopped; left--)
        nanosleep(&pause, NULL);
}

static _Noreturn void crash(struct run *run)
{
    if (getenv("FAKE_TORN") != NULL)
        (void)!write(run->writer.descriptor, "{\"record\":\"run\",", 16);
    fprintf(stderr, "nuce-fake: a rank lost its way\n");
    exit(number("FAKE_STATUS", 7));
}

static nuce_status measure(void *context, int64_t line, const char *text, size_t length,
                           json_t *value, struct nuce_error *error)
{
    struct run *run = context;
    struct nuce_point point;
    int64_t item_bytes;

    (void)line;
    (void)text;
    (void)length;
    if (nuce_point_from_json(value, run->facts, &point, error) != NUCE_OK)
        return error->status;
    item_bytes = json_integer_value(json_object_get(point.canonical, "item-bytes"));
    write_begin(run, &point);
    if (item_bytes == number("FAKE_CRASH", -1))
        crash(run);
    work();
    write_run(run, &point,
              stopped                                   ? "interrupted"
              : item_bytes == number("FAKE_REFUSE", -1) ? "failed"
                                                        : "ok");
    nuce_point_fini(&point);
    return stopped ? nuce_error_set(error, NUCE_INTERRUPTED, "interrupted") : NUCE_OK;
}

int main(int argc, char **argv)
{
    const char *points = NULL, *records = NULL;
    struct nuce_jsonl_counts counts;
    struct nuce_error error;
    struct run run = {0};

    signal(SIGUSR1, on_signal);
    signal(SIGTERM, on_signal);
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--points") == 0)
            points = argv[i + 1];
        else if (strcmp(argv[i], "--records") == 0)
            records = argv[i + 1];
        else if (strcmp(argv[i], "--campaign") == 0)
            run.campaign = argv[i + 1];
    }
    if (getenv("FAKE_SILENT") != NULL) {
        fprintf(stderr, "nuce-fake: --points: not to my taste\n");
        return number("FAKE_SILENT", 2);
    }
    NUCE_ASSERT(points != NULL && records != NULL && run.campaign != NULL);
    run.facts = nuce_facts_create();
    check(nuce_jsonl_create(records, &run.writer, &error), &error);
    write_job(&run);
    check(nuce_jsonl_read(points, measure, &run, &counts, &error), &error);
    nuce_jsonl_close(&run.writer);
    nuce_facts_destroy(run.facts);
    while (getenv("FAKE_LINGERS") != NULL)
        pause(); /* as in MPI_Finalize */
    return 0;
}
