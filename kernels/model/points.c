/* nuce-model points: the points of a plan by the cost model, recorded as runs of the kind
 * "modelled": what `nuce run --modelled` starts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "model/model.h"
#include "model/schedule_model.h"
#include "schedules/schedule_results.h"
#include "support/command_line.h"
#include "support/hash.h"
#include "support/jsonl.h"
#include "support/record.h"
#include "support/text.h"
#include "workloads/point.h"

struct arguments {
    const char *points, *records, *campaign, *network;
};

static const struct nuce_option options[] = {
    {.name = "points",
     .type = NUCE_OPTION_TEXT,
     .offset = offsetof(struct arguments, points),
     .argument = "FILE",
     .help = "plan lines to model"},
    {.name = "records",
     .type = NUCE_OPTION_TEXT,
     .offset = offsetof(struct arguments, records),
     .argument = "FILE",
     .help = "record each in FILE, which must not exist"},
    {.name = "campaign",
     .type = NUCE_OPTION_TEXT,
     .offset = offsetof(struct arguments, campaign),
     .argument = "NAME",
     .help = "stored in the records"},
    {.name = "network",
     .type = NUCE_OPTION_TEXT,
     .offset = offsetof(struct arguments, network),
     .preset = "cm5",
     .argument = "NAME",
     .help = "of points that name none: cm5 or a NETWORK FILE"},
    {.name = NULL},
};

struct modeller {
    const struct arguments *arguments;
    struct nuce_facts *facts;
    struct nuce_jsonl_writer writer;
    char job[160];
};

/* What results by the model depend on; the processor is not among it. */
static nuce_status write_job(struct modeller *m, struct nuce_error *error)
{
    json_t *record = nuce_record_create("job", m->job, error);
    const char *network = NULL;
    char id[NUCE_HASH_BYTES];
    json_t *described;
    char *text = NULL;
    nuce_status status = record == NULL ? error->status : NUCE_OK;

    if (status == NUCE_OK)
        status = nuce_facts_network_identity(m->facts, m->arguments->network, &network, error);
    described = status != NUCE_OK ? NULL
                                  : json_pack("{s:s, s:{s:s, s:s}}", "nuce", NUCE_VERSION, "model",
                                              "execution", "papers'", "network", network);
    text = described == NULL ? NULL : json_dumps(described, JSON_COMPACT | JSON_SORT_KEYS);
    if (status == NUCE_OK && text == NULL)
        status = nuce_error_set(error, NUCE_FAILED, "out of memory for a record");
    if (status == NUCE_OK)
        status = nuce_hash(text, strlen(text), id, error);
    if (status == NUCE_OK) {
        (void)json_object_set_new(record, "campaign", json_string(m->arguments->campaign));
        (void)json_object_set_new(record, "environment", json_string(id));
        (void)json_object_set_new(record, "facts", json_object());
        (void)json_object_set(record, "described", described);
        status = nuce_jsonl_append(&m->writer, record, error);
    }
    free(text);
    json_decref(described);
    json_decref(record);
    return status;
}

static nuce_status write_begin(struct modeller *m, const struct nuce_point *point,
                               const char *started, struct nuce_error *error)
{
    json_t *line = nuce_record_create("begin", m->job, error);
    nuce_status status = line == NULL ? error->status : NUCE_OK;

    if (status == NUCE_OK) {
        (void)json_object_set_new(line, "point", json_string(point->id));
        (void)json_object_set_new(line, "started", json_string(started));
        status = nuce_jsonl_append(&m->writer, line, error);
    }
    json_decref(line);
    return status;
}

static void describe(const struct nuce_model_instance *instance,
                     const struct nuce_pattern_summary *summary,
                     const struct nuce_model_schedule *model, struct nuce_found *found)
{
    nuce_pattern_describe(summary, found);
    nuce_schedule_describe(&model->schedule, found);
    /* Nobody computes the schedules of a model's runs but the model. */
    nuce_found_forget(found, NUCE_RESULT_COMPUTATION);
    nuce_found_text(found, "network_taken", instance->network_name);
    if (model->is_timed && model->execution != NUCE_FIFO)
        nuce_found_real(found, "predicted_s", model->timing.makespan);
    nuce_found_real(found, "bound_s", model->bounds.port);
    nuce_found_real(found, "single_port_bound_s", model->bounds.single_port);
}

/* What the model says of the point's schedule. */
static nuce_status model_schedule(struct modeller *m, const struct nuce_point *point,
                                  struct nuce_found *found, struct nuce_error *error)
{
    const struct nuce_workload_ops *workload = point->workload;
    struct nuce_model_instance instance = {0};
    struct nuce_model_schedule model = {0};
    struct nuce_pattern_summary summary;
    nuce_status status = nuce_model_instance(workload, point->params, point->ranks,
                                             m->arguments->network, &instance, error);

    if (status == NUCE_OK)
        status = nuce_model_schedule(workload, point->params, &instance, NULL, &model, error);
    if (status == NUCE_OK)
        status = nuce_pattern_summarise(&instance.pattern, &summary, error);
    if (status == NUCE_OK)
        describe(&instance, &summary, &model, found);
    nuce_model_schedule_fini(&model);
    nuce_model_instance_fini(&instance);
    return status;
}

/* What the model says of the point; lists of the record go into lists. */
static nuce_status model_point(struct modeller *m, const struct nuce_point *point,
                               struct nuce_found *found, json_t *lists, struct nuce_error *error)
{
    const struct nuce_workload_ops *workload = point->workload;
    int is_mean = workload->is_mean != NULL && workload->is_mean(point->params);

    if (workload->pattern == NULL && workload->model == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "workload '%s' runs under no schedule: there is no model of it",
                              workload->name);
    if (workload->pattern != NULL && !is_mean && model_schedule(m, point, found, error) != NUCE_OK)
        return error->status;
    return workload->model == NULL
               ? NUCE_OK
               : workload->model(point->params, point->ranks, found, lists, error);
}

static json_t *run_record(const struct modeller *m, const struct nuce_point *point,
                          const char *started, struct nuce_error *error)
{
    json_t *record = nuce_record_create("run", m->job, error);

    if (record == NULL)
        return NULL;
    (void)json_object_set_new(record, "point", json_string(point->id));
    (void)json_object_set_new(record, "campaign", json_string(m->arguments->campaign));
    (void)json_object_set_new(record, "workload", json_string(point->workload->name));
    (void)json_object_set_new(record, "ranks", json_integer(point->ranks));
    (void)json_object_set(record, "params", point->canonical);
    (void)json_object_set_new(record, "kind", json_string("modelled"));
    (void)json_object_set_new(record, "started", json_string(started));
    (void)json_object_set_new(record, "samples", json_pack("{s:[]}", "step"));
    return record;
}

/* Completes the record by what the model finds; a point that it cannot model is recorded with the
 * reason. */
static nuce_status fill_record(struct modeller *m, const struct nuce_point *point, json_t *record,
                               struct nuce_error *error)
{
    struct nuce_found found = {0};
    struct nuce_error reason = {0};
    json_t *values;
    int good;

    if (nuce_found_init(point->workload->results, &found, error) != NUCE_OK)
        return error->status;
    good = model_point(m, point, &found, record, &reason) == NUCE_OK;
    values = nuce_found_values(&found, error);
    nuce_found_fini(&found);
    if (values == NULL)
        return error->status;
    (void)json_object_set_new(record, "found", values);
    (void)json_object_set_new(record, "status", json_string(good ? "ok" : "failed"));
    if (!good)
        (void)json_object_set_new(record, "message", json_string(nuce_error_flatten(&reason)));
    return nuce_record_check_run(record, error);
}

static nuce_status run_point(struct modeller *m, const json_t *line, struct nuce_error *error)
{
    struct nuce_point point = {0};
    char started[NUCE_TIME_BYTES];
    json_t *record = NULL;
    nuce_status status = nuce_point_from_json(line, m->facts, &point, error);

    (void)nuce_record_time_now(started);
    if (status == NUCE_OK)
        status = write_begin(m, &point, started, error);
    if (status == NUCE_OK) {
        record = run_record(m, &point, started, error);
        status = record == NULL ? error->status : fill_record(m, &point, record, error);
    }
    if (status == NUCE_OK)
        status = nuce_jsonl_append(&m->writer, record, error);
    json_decref(record);
    nuce_point_fini(&point);
    return status;
}

/* nuce_jsonl_read's each. */
static nuce_status each_line(void *context, int64_t number, const char *text, size_t length,
                             json_t *value, struct nuce_error *error)
{
    struct modeller *m = context;

    (void)text;
    (void)length;
    if (run_point(m, value, error) != NUCE_OK)
        return nuce_error_at(error, m->arguments->points, number, 0);
    return NUCE_OK;
}

/* A name that no other job has. */
static void name_job(struct modeller *m)
{
    char host[64] = "";
    struct timespec now;

    (void)gethostname(host, sizeof host - 1);
    (void)clock_gettime(CLOCK_REALTIME, &now);
    (void)snprintf(m->job, sizeof m->job, "model-%s-%ld-%lld", host, (long)getpid(),
                   (long long)now.tv_sec * 1000000000 + now.tv_nsec);
}

static nuce_status run_all(struct modeller *m, struct nuce_error *error)
{
    struct nuce_jsonl_counts counts;
    nuce_status status;

    m->facts = nuce_facts_create(error);
    if (m->facts == NULL)
        return error->status;
    status = nuce_jsonl_create(m->arguments->records, &m->writer, error);
    if (status == NUCE_OK)
        status = write_job(m, error);
    if (status == NUCE_OK)
        status = nuce_jsonl_read(m->arguments->points, each_line, m, &counts, error);
    if (status == NUCE_OK && counts.torn > 0)
        status = nuce_error_set(error, NUCE_BAD_INPUT, "%s: ends in the middle of a line",
                                m->arguments->points);
    nuce_jsonl_close(&m->writer);
    nuce_facts_destroy(m->facts);
    return status;
}

static int run_points(int argc, char **argv)
{
    struct arguments arguments = {.campaign = ""};
    struct nuce_command_line line = {.about =
                                         "Records what the model says of the points of a plan.",
                                     .groups = {{.rows = options, .params = &arguments}}};
    struct modeller m = {.arguments = &arguments, .writer = {.descriptor = -1}};
    struct nuce_error error = {0};
    nuce_status status;

    nuce_command_line_parse(&line, argc, argv);
    if (arguments.points == NULL || arguments.records == NULL) {
        (void)fprintf(stderr, "nuce-model: --points and --records: expected both\n");
        return nuce_error_exit_status(NUCE_BAD_INPUT);
    }
    name_job(&m);
    status = run_all(&m, &error);
    if (status != NUCE_OK)
        nuce_error_print(&error, "nuce-model");
    return nuce_error_exit_status(status);
}

const struct nuce_model_command nuce_model_points_command = {
    .name = "points",
    .summary = "the points of a plan, recorded for the harness",
    .run = run_points,
};
