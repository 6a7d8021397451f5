/* nuce-model points: models the points of a plan and records them as runs of the kind
 * "modelled". `nuce run --modelled` starts it, and the harness takes predictions from it.
 *
 * Each line of the plan is a point. Each point becomes a line "begin" and a line "run" of the
 * record file, as a kernel's would. A point that cannot be modelled is recorded as failed, with
 * the reason, and the others go on. A plan that cannot be read ends the program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/command_line.h"
#include "base/hash.h"
#include "base/jsonl.h"
#include "base/record.h"
#include "points/libraries.h"
#include "points/point.h"
#include "points/scheduling.h"
#include "programs/model_command.h"
#include "programs/point_model.h"

struct arguments {
    const char *points, *records, *campaign, *network, *networks, *hosts, *weights;
};

static const struct nuce_option options[] = {
    NUCE_OPTION(TEXT, "points", offsetof(struct arguments, points), NULL, "FILE",
                "plan lines to model"),
    NUCE_OPTION(TEXT, "records", offsetof(struct arguments, records), NULL, "FILE",
                "file for their records, which must not exist"),
    NUCE_OPTION(TEXT, "campaign", offsetof(struct arguments, campaign), NULL, "NAME",
                "name of the campaign in the records"),
    NUCE_OPTION(TEXT, "network", offsetof(struct arguments, network), "cm5", "NAME",
                "network of points that name none: cm5 or a NETWORK FILE"),
    NUCE_OPTION(TEXT, "networks", offsetof(struct arguments, networks), NULL, "FOLDER",
                "folder of NETWORK FILEs, for points on a measured network"),
    NUCE_OPTION(TEXT, "hosts", offsetof(struct arguments, hosts), NULL, "FILE",
                "hosts of the ranks of such points: a JSON array of names, by rank"),
    NUCE_OPTION(TEXT, "weights", offsetof(struct arguments, weights), NULL, "LIST",
                "weights that a run measured, for points with weights: measured"),
    {.name = NULL},
};

/* One run of the subcommand. */
struct modeller {
    const struct arguments *arguments;
    struct nuce_facts *facts;
    struct nuce_jsonl_writer writer;
    json_t *hosts;              /* --hosts; NULL: not given */
    const char **names;         /* texts of hosts, borrowed from it */
    struct nuce_measured_at at; /* of --networks and names */
    char job[160];              /* a unique name of the job: host, process and time */
};

/* Records the dependences of the model's results: versions, the model, the network of points
 * that name none. Their hash is the environment of the runs. The processor is not in it, so that
 * predictions made on two machines are equal. */
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
                                  : json_pack("{s:s, s:o, s:{s:s, s:s}}", "nuce", NUCE_VERSION,
                                              "libraries", nuce_libraries_describe(), "model",
                                              "execution", "papers'", "network", network);
    text = described == NULL ? NULL : json_dumps(described, JSON_COMPACT | JSON_SORT_KEYS);
    if (status == NUCE_OK) {
        nuce_hash(text, strlen(text), id);
        json_object_set_new(record, "campaign", json_string(m->arguments->campaign));
        json_object_set_new(record, "environment", json_string(id));
        json_object_set_new(record, "facts", json_object());
        json_object_set(record, "described", described);
        status = nuce_jsonl_append(&m->writer, record, error);
    }
    free(text);
    json_decref(described);
    json_decref(record);
    return status;
}

/* Models the point; lists for the record go into lists. A point of several instances gets their
 * mean, which has no lists. For a workload with a model of its own, the mean has only that
 * model. */
static nuce_status model_point(struct modeller *m, const struct nuce_point *point,
                               struct nuce_metrics *found, json_t *lists, struct nuce_error *error)
{
    const struct nuce_workload_ops *workload = point->workload;
    int is_mean = nuce_workload_is_mean(workload, point->params);
    const struct nuce_model_question question = {.network = m->arguments->network,
                                                 .at = m->hosts != NULL ? &m->at : NULL,
                                                 .of_schedule = !is_mean || workload->model == NULL,
                                                 .of_workload = 1,
                                                 .is_recorded = 1};
    struct nuce_model_shared messages = {0};
    struct nuce_model_means means;
    nuce_status status = NUCE_OK;

    if (workload->pattern == NULL && workload->model == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "workload '%s' has no schedule, and so no model", workload->name);
    if (!is_mean) {
        status = nuce_model_instance(workload, point->params, point->ranks, &question, &messages,
                                     found, lists, error);
        nuce_model_shared_fini(&messages);
        /* Records do not list the nodes by number and name; "placed" describes the placement. */
        json_object_del(lists, "processors");
        json_object_del(lists, "node_names");
        return status;
    }
    nuce_model_means_init(found->tables, &means);
    for (int64_t k = 0; status == NUCE_OK && k < nuce_workload_samples(workload, point->params);
         k++) {
        struct nuce_metrics each = {0};
        json_t *ignored = json_object();

        nuce_metrics_init(found->tables, &each);
        status = nuce_model_sample(point, k, &question, &messages, &each, ignored, error);
        if (status == NUCE_OK)
            status = nuce_model_means_add(&means, &each, error);
        json_decref(ignored);
        nuce_model_shared_fini(&messages);
        nuce_metrics_fini(&each);
    }
    if (status == NUCE_OK)
        nuce_model_means_describe(&means, found);
    nuce_model_means_fini(&means);
    return status;
}

/* Processes a line of the plan: reads its point, announces it, models and records it, without
 * samples, because nothing was measured. A point that cannot be modelled is recorded as failed,
 * with the reason; this is not an error here. With --hosts, the number of ranks is theirs. */
static nuce_status run_point(struct modeller *m, const json_t *line, struct nuce_error *error)
{
    struct nuce_point point = {0};
    char started[NUCE_TIME_BYTES];
    json_t *begin = NULL, *record = NULL;
    nuce_status status = nuce_point_from_json(line, m->facts, &point, error);

    nuce_record_time_now(started);
    if (status == NUCE_OK && m->hosts != NULL && (size_t)point.ranks != json_array_size(m->hosts))
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "ranks: '%d': %s has %zu names: expected one per rank", point.ranks,
                                m->arguments->hosts, json_array_size(m->hosts));
    if (status == NUCE_OK && m->arguments->weights != NULL)
        status = nuce_point_take_measured(&point, "weights", m->arguments->weights, error);
    if (status == NUCE_OK) {
        begin = nuce_point_begin_record(&point, m->job, started, error);
        status = begin == NULL ? error->status : nuce_jsonl_append(&m->writer, begin, error);
    }
    if (status == NUCE_OK &&
        (record = nuce_point_run_record(&point, m->job, m->arguments->campaign, "modelled", "ok",
                                        started, error)) == NULL)
        status = error->status;
    if (status == NUCE_OK) {
        struct nuce_metrics found;
        struct nuce_error reason = {0};
        json_t *values;
        int good;

        json_object_set_new(record, "samples", json_pack("{s:[]}", "step"));
        nuce_metrics_init(point.workload->results, &found);
        good = model_point(m, &point, &found, record, &reason) == NUCE_OK;
        values = nuce_metrics_values(&found, error);
        json_object_set_new(record, "metrics", values);
        if (!good) {
            json_object_set_new(record, "status", json_string("failed"));
            json_object_set_new(record, "message", json_string(nuce_error_flatten(&reason)));
        }
        status = values != NULL ? nuce_record_check_run(record, error) : error->status;
        nuce_metrics_fini(&found);
    }
    if (status == NUCE_OK)
        status = nuce_jsonl_append(&m->writer, record, error);
    json_decref(begin);
    json_decref(record);
    nuce_point_fini(&point);
    return status;
}

/* Callback of nuce_jsonl_read: adds the line of the plan to an error. */
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

/* Reads the hosts for points on measured networks; --networks and --hosts are given both or
 * neither. */
static nuce_status read_hosts(struct modeller *m, struct nuce_error *error)
{
    const char *path = m->arguments->hosts;
    json_error_t where;
    size_t index;
    const json_t *host;

    if ((path == NULL) != (m->arguments->networks == NULL))
        return nuce_error_set(error, NUCE_BAD_INPUT, "--networks and --hosts: expected both");
    if (path == NULL)
        return NUCE_OK;
    m->hosts = json_load_file(path, JSON_REJECT_DUPLICATES, &where);
    if (!json_is_array(m->hosts))
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path,
                              m->hosts == NULL ? where.text : "expected an array of names");
    m->names = nuce_allocate((int64_t)json_array_size(m->hosts) + 1, sizeof *m->names);
    json_array_foreach(m->hosts, index, host)
    {
        m->names[index] = json_string_value(host);
        if (m->names[index] == NULL)
            return nuce_error_set(error, NUCE_BAD_INPUT, "%s: entry %zu: expected a name", path,
                                  index);
    }
    m->at = (struct nuce_measured_at){.folder = m->arguments->networks, .hosts = m->names};
    return NUCE_OK;
}

static int run_points(int argc, char **argv)
{
    struct arguments arguments = {.campaign = ""};
    struct nuce_command_line line = {
        .about = "Writes records of the model's predictions for the points of a plan.",
        .examples = NUCE_EXAMPLES(
            {"nuce-model points --points plan.jsonl --records new.jsonl",
             "model a campaign's plan on the CM-5"},
            {"nuce-model points --points plan.jsonl --records new.jsonl --network my.net",
             "model it on a NETWORK FILE"}),
        .groups = {{.rows = options, .params = &arguments}}};
    struct modeller m = {.arguments = &arguments, .writer = {.descriptor = -1}};
    struct nuce_error error = {0};
    char host[64] = "";
    struct timespec now;
    struct nuce_jsonl_counts counts;
    nuce_status status;

    nuce_command_line_parse(&line, argc, argv);
    if (arguments.points == NULL || arguments.records == NULL) {
        fprintf(stderr, "nuce-model: --points and --records: expected both\n");
        return nuce_error_exit_status(NUCE_BAD_INPUT);
    }
    gethostname(host, sizeof host - 1);
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(m.job, sizeof m.job, "model-%s-%ld-%lld", host, (long)getpid(),
             (long long)now.tv_sec * 1000000000 + now.tv_nsec);
    m.facts = nuce_facts_create();
    status = read_hosts(&m, &error);
    if (status == NUCE_OK)
        status = nuce_jsonl_create(arguments.records, &m.writer, &error);
    if (status == NUCE_OK)
        status = write_job(&m, &error);
    if (status == NUCE_OK)
        status = nuce_jsonl_read(arguments.points, each_line, &m, &counts, &error);
    if (status == NUCE_OK && counts.torn > 0)
        status = nuce_error_set(&error, NUCE_BAD_INPUT, "%s: ends in the middle of a line",
                                arguments.points);
    nuce_jsonl_close(&m.writer);
    nuce_facts_destroy(m.facts);
    free(m.names);
    json_decref(m.hosts);
    if (status != NUCE_OK)
        nuce_error_print(&error, "nuce-model");
    return nuce_error_exit_status(status);
}

const struct nuce_model_command nuce_model_points_command = {
    .name = "points",
    .summary = "the points of a plan, recorded for the harness",
    .run = run_points,
};
