/* A kernel that measures nothing: it reads --points and writes records as the real ones do, and
 * misbehaves when the environment says so. For tests of the launcher.
 *
 * FAKE_SLEEP_MS   time each point takes
 * FAKE_CRASH      unit (bytes) at which it aborts after the begin record
 * FAKE_STATUS     the status with which it does (7)
 * FAKE_SILENT     exit with this status before anything is recorded
 * FAKE_TORN       leave half a line at the end of the record file when it crashes */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "jsonl.h"
#include "point.h"
#include "record.h"

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
    (void)fprintf(stderr, "nuce-fake: %s\n", error->message);
    exit(nuce_exit_status(status));
}

static void write_job(struct run *run)
{
    static const char described[] = "{\"library\":\"none\"}";
    char environment[NUCE_HASH_BYTES];
    struct nuce_error error;
    json_t *job, *rest;

    check(nuce_hash(described, strlen(described), environment, &error), &error);
    (void)snprintf(run->job, sizeof run->job, "fake-%d", (int)getpid());
    job = nuce_record_create("job", run->job, &error);
    rest = json_pack("{s:s, s:s, s:{}, s:o}", "campaign", run->campaign, "environment", environment,
                     "facts", "described", json_loads(described, 0, NULL));
    NUCE_ASSERT(job != NULL && rest != NULL && json_object_update(job, rest) == 0);
    check(nuce_jsonl_append(&run->writer, job, &error), &error);
    json_decref(job);
    json_decref(rest);
}

static void write_begin(struct run *run, const struct nuce_point *point)
{
    char now[NUCE_TIME_BYTES];
    struct nuce_error error;
    json_t *begin = nuce_record_create("begin", run->job, &error);

    NUCE_ASSERT(begin != NULL && json_object_set_new(begin, "point", json_string(point->id)) == 0 &&
                json_object_set_new(begin, "started", json_string(nuce_time_now(now))) == 0);
    check(nuce_jsonl_append(&run->writer, begin, &error), &error);
    json_decref(begin);
}

static void write_run(struct run *run, const struct nuce_point *point, const char *status)
{
    char now[NUCE_TIME_BYTES];
    struct nuce_error error;
    json_t *record = nuce_record_create("run", run->job, &error);
    json_t *rest = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:O, s:{s:[f, f], s:[f, f]}}", "point", point->id,
        "campaign", run->campaign, "kind", "measured", "status", status, "started",
        nuce_time_now(now), "workload", point->workload->name, "ranks", point->ranks, "params",
        point->canonical, "samples", "step", 0.001, 0.002, "communication", 0.0005, 0.001);

    NUCE_ASSERT(record != NULL && rest != NULL && json_object_update(record, rest) == 0);
    check(nuce_jsonl_append(&run->writer, record, &error), &error);
    json_decref(record);
    json_decref(rest);
}

static void work(void)
{
    struct timespec pause = {0, 1000000};

    for (int left = number("FAKE_SLEEP_MS", 0); left > 0 && !stopped; left--)
        (void)nanosleep(&pause, NULL);
}

static _Noreturn void crash(struct run *run)
{
    if (getenv("FAKE_TORN") != NULL)
        (void)!write(run->writer.descriptor, "{\"record\":\"run\",", 16);
    (void)fprintf(stderr, "nuce-fake: a rank lost its way\n");
    exit(number("FAKE_STATUS", 7));
}

static nuce_status measure(void *context, int64_t line, const char *text, size_t length,
                           json_t *value, struct nuce_error *error)
{
    struct run *run = context;
    struct nuce_point point;
    int64_t unit;

    (void)line;
    (void)text;
    (void)length;
    if (nuce_point_from_json(value, run->facts, &point, error) != NUCE_OK)
        return error->status;
    unit = json_integer_value(json_object_get(point.canonical, "unit"));
    write_begin(run, &point);
    if (unit == number("FAKE_CRASH", -1))
        crash(run);
    work();
    write_run(run, &point, stopped ? "interrupted" : "ok");
    nuce_point_fini(&point);
    return stopped ? nuce_error_set(error, NUCE_INTERRUPTED, "interrupted") : NUCE_OK;
}

int main(int argc, char **argv)
{
    const char *points = NULL, *records = NULL;
    struct nuce_jsonl_counts counts;
    struct nuce_error error;
    struct run run = {0};

    (void)signal(SIGUSR1, on_signal);
    (void)signal(SIGTERM, on_signal);
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--points") == 0)
            points = argv[i + 1];
        else if (strcmp(argv[i], "--records") == 0)
            records = argv[i + 1];
        else if (strcmp(argv[i], "--campaign") == 0)
            run.campaign = argv[i + 1];
    }
    if (getenv("FAKE_SILENT") != NULL) {
        (void)fprintf(stderr, "nuce-fake: --points: not to my taste\n");
        return number("FAKE_SILENT", 2);
    }
    NUCE_ASSERT(points != NULL && records != NULL && run.campaign != NULL);
    run.facts = nuce_facts_create(&error);
    check(nuce_jsonl_create(records, &run.writer, &error), &error);
    write_job(&run);
    check(nuce_jsonl_read(points, measure, &run, &counts, &error), &error);
    nuce_jsonl_close(&run.writer);
    nuce_facts_destroy(run.facts);
    return 0;
}
