/* Modelling what a bundle's runs were of: nuce-model is started for all points at once, and for
 * those on a measured network once more for each set of hosts and file of that network: which ranks
 * of the file a run's were is found there as at the run. */
#include "bundle/remodel.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/command.h"
#include "launch/inputs.h"
#include "launch/points_file.h"
#include "launch/words.h"
#include "networks/words.h"
#include "support/allocate.h"
#include "support/jsonl.h"
#include "support/record.h"
#include "support/safe_file.h"
#include "support/text.h"

/* More than any plan of the papers takes; a plan that takes longer is told, not waited for. */
#define MODEL_LIMIT_S 3600

/* One start of nuce-model. */
struct remodel_start {
    const int64_t *points;
    int64_t count;
    const char *hosts,
        *networks;   /* of points on a measured network: --hosts, --networks; or NULL */
    const char *key; /* of that network; NULL: none */
};

static int is_on_measured(const json_t *params)
{
    const char *network = json_string_value(json_object_get(params, "network"));

    return network != NULL && strcmp(network, NUCE_NETWORK_MEASURED) == 0;
}

/* By what the model's record of a point is found; NULL: out of memory. A new string. */
static char *remodel_key(const char *point, const char *network)
{
    struct nuce_error ignored;

    return nuce_text_format(&ignored, "%s%s%s", point, network != NULL ? "\n" : "",
                            network != NULL ? network : "");
}

/* File and hosts of the measured network that a run was on; NULL: not known, or out of memory. A
 * new string. */
static char *network_key(const struct nuce_remodel *remodel, const json_t *run)
{
    const char *taken =
        json_string_value(json_object_get(json_object_get(run, "found"), "network_taken"));
    const char *job = json_string_value(json_object_get(run, "job"));
    const json_t *hosts = job != NULL ? json_object_get(remodel->jobs, job) : NULL;
    char *names = hosts != NULL ? json_dumps(hosts, JSON_COMPACT) : NULL, *key = NULL;
    struct nuce_error ignored;

    if (taken != NULL && names != NULL)
        key = nuce_text_format(&ignored, "%s\n%s", taken, names);
    free(names);
    return key;
}

/* A line of the model's records. */
struct taking {
    struct nuce_remodel *remodel;
    const char *key;
};

static nuce_status take_modelled(void *context, int64_t line, const char *text, size_t length,
                                 json_t *record, struct nuce_error *error)
{
    const struct taking *at = context;
    const char *kind = json_string_value(json_object_get(record, "record"));
    const char *point = json_string_value(json_object_get(record, "point"));
    char *key;
    int good;

    (void)line;
    (void)text;
    (void)length;
    if (kind == NULL || point == NULL || strcmp(kind, "run") != 0)
        return NUCE_OK;
    key = remodel_key(point, at->key);
    good = key != NULL && json_object_set(at->remodel->modelled, key, record) == 0;
    free(key);
    return good ? NUCE_OK
                : nuce_error_set(error, NUCE_FAILED, "out of memory for recomputed points");
}

static nuce_status run_model(const struct nuce_campaign *campaign, const char *points,
                             const char *records, const struct remodel_start *start,
                             struct nuce_error *error)
{
    static const char *const none[] = {NULL};
    const char *rest[] = {"--points",
                          points,
                          "--records",
                          records,
                          "--campaign",
                          campaign->name,
                          start->hosts != NULL ? "--hosts" : NULL,
                          start->hosts,
                          start->networks != NULL ? "--networks" : NULL,
                          start->networks};
    const struct nuce_words words = {.ops = &nuce_launcher_model,
                                     .command = none,
                                     .workload = campaign->points[0].workload,
                                     .ranks = 1,
                                     .rest = rest,
                                     .rest_count = sizeof rest / sizeof *rest};
    struct nuce_command_reply reply = {0};
    json_t *argv = NULL;
    char *complaint;

    if (nuce_words_make(&words, &argv, error) != NUCE_OK)
        return error->status;
    error->status = nuce_command_run(argv, MODEL_LIMIT_S, &reply, error);
    json_decref(argv);
    if (error->status == NUCE_OK && !nuce_command_succeeded(&reply)) {
        int is_bad = WIFEXITED(reply.status) &&
                     WEXITSTATUS(reply.status) == nuce_error_exit_status(NUCE_BAD_INPUT);

        complaint = nuce_command_complaint("nuce-model", &reply);
        (void)nuce_error_set(error, is_bad ? NUCE_BAD_INPUT : NUCE_FAILED, "campaigns/%s: %s",
                             campaign->name, complaint != NULL ? complaint : "nuce-model failed");
        free(complaint);
    }
    nuce_command_reply_fini(&reply);
    return error->status;
}

/* Its points by the model. */
static nuce_status remodel_run(struct nuce_remodel *remodel, const struct remodel_start *start,
                               struct nuce_error *error)
{
    size_t number = json_object_size(remodel->modelled);
    struct taking taking = {remodel, start->key};
    char *points, *records = NULL;
    struct nuce_jsonl_counts lines;

    if (start->count == 0)
        return NUCE_OK;
    points = nuce_text_format(error, "%s/%s.%zu.points", remodel->scratch, remodel->campaign->name,
                              number);
    if (points != NULL)
        records = nuce_text_format(error, "%s/%s.%zu.recomputed", remodel->scratch,
                                   remodel->campaign->name, number);
    if (records != NULL &&
        nuce_points_file_write(remodel->campaign, start->points, start->count, remodel->scratch,
                               strrchr(points, '/') + 1, error) == NUCE_OK &&
        run_model(remodel->campaign, points, records, start, error) == NUCE_OK)
        error->status =
            nuce_jsonl_read_sealed(records, NULL, take_modelled, &taking, &lines, error);
    free(points);
    free(records);
    return error->status;
}

/* Whether all files that the point names are in the campaign's folder. */
static int has_files(const struct nuce_campaign *campaign, const struct nuce_campaign_point *point)
{
    const char *name;
    json_t *value;
    int has_all = 1;

    json_object_foreach(json_object_get(point->line, "params"), name, value)
    {
        const char *path = json_string_value(value);
        int is_input = path != NULL && nuce_inputs_is_name(path);
        char *full;
        struct nuce_error ignored;

        if (path == NULL || (!is_input && path[0] != '/'))
            continue;
        full = is_input ? nuce_text_format(&ignored, "%s/%s", campaign->path, path) : NULL;
        has_all = has_all && full != NULL && access(full, R_OK) == 0;
        free(full);
    }
    return has_all;
}

/* All that are on no measured network. */
static nuce_status remodel_plain(struct nuce_remodel *remodel, struct nuce_error *error)
{
    const struct nuce_campaign *campaign = remodel->campaign;
    int64_t *points = nuce_allocate(campaign->count + 1, sizeof *points, error);
    struct remodel_start start = {.points = points};
    nuce_status status;

    for (int64_t i = 0; points != NULL && i < campaign->count; i++) {
        const struct nuce_campaign_point *point = &campaign->points[i];

        if (has_files(campaign, point) && !is_on_measured(json_object_get(point->line, "params")))
            points[start.count++] = i;
    }
    status = points != NULL ? remodel_run(remodel, &start, error) : error->status;
    free(points);
    return status;
}

/* Finding the measured networks of a campaign: file and hosts -> index of a point -> true. */
struct finding_networks {
    struct nuce_remodel *remodel;
    json_t *networks;
};

/* Notes the point of a run on a measured network. */
static nuce_status note_measured(struct finding_networks *at, const json_t *run,
                                 struct nuce_error *error)
{
    const char *point = json_string_value(json_object_get(run, "point"));
    char *key = network_key(at->remodel, run);
    json_t *points = key != NULL ? json_object_get(at->networks, key) : NULL;
    int good = 1;

    if (key != NULL && points == NULL)
        good = json_object_set_new(at->networks, key, json_object()) == 0;
    if (key != NULL && good)
        good = json_object_set_new(json_object_get(at->networks, key), point, json_true()) == 0;
    free(key);
    return good ? NUCE_OK : nuce_error_set(error, NUCE_FAILED, "out of memory for networks");
}

static nuce_status find_networks(void *context, const char *file, json_t *record,
                                 struct nuce_error *error)
{
    struct finding_networks *at = context;
    const char *kind = json_string_value(json_object_get(record, "record"));
    const char *job = json_string_value(json_object_get(record, "job"));
    json_t *hosts = json_object_get(json_object_get(record, "facts"), "hosts");

    (void)file;
    if (kind != NULL && job != NULL && strcmp(kind, "job") == 0 && json_is_array(hosts) &&
        json_object_set(at->remodel->jobs, job, hosts) != 0)
        return nuce_error_set(error, NUCE_FAILED, "out of memory for hosts");
    if (nuce_campaign_find_run(at->remodel->campaign, record) < 0 ||
        !is_on_measured(json_object_get(record, "params")))
        return NUCE_OK;
    return note_measured(at, record, error);
}

/* The folder of the campaign that has the copy of that file, "NAME@SHA-256\n..."; NULL: there is
 * none. A new string. */
static char *copy_folder_of(const struct nuce_campaign *campaign, const char *key)
{
    struct nuce_error ignored;
    char *taken = nuce_text_format(&ignored, "%.*s", (int)strcspn(key, "\n"), key);
    char *name = taken != NULL ? nuce_inputs_name_of_taken(taken) : NULL, *folder = NULL;

    if (name != NULL)
        folder = nuce_text_format(&ignored, "%s/%.*s", campaign->path,
                                  (int)(strrchr(name, '/') - name), name);
    free(name);
    free(taken);
    if (folder != NULL && access(folder, F_OK) == 0)
        return folder;
    free(folder);
    return NULL;
}

/* The points of plan with ids `of`, as far as their other files are there: indices in a new array.
 */
static int64_t *points_among(const struct nuce_campaign *campaign, json_t *of, int64_t *count,
                             struct nuce_error *error)
{
    int64_t *points = nuce_allocate((int64_t)json_object_size(of) + 1, sizeof *points, error);
    const char *id;
    json_t *value;

    *count = 0;
    json_object_foreach(of, id, value)
    {
        int64_t point = nuce_campaign_find(campaign, id);

        if (points != NULL && has_files(campaign, &campaign->points[point]))
            points[(*count)++] = point;
    }
    return points;
}

/* The points that ran on one of them. Those of a file that is not there are told by who misses
 * them. */
static nuce_status remodel_network(struct nuce_remodel *remodel, const char *key, json_t *of,
                                   struct nuce_error *error)
{
    const char *names = strchr(key, '\n') + 1;
    char *networks = copy_folder_of(remodel->campaign, key), *hosts;
    struct remodel_start start = {.networks = networks, .key = key};
    int64_t *points;
    nuce_status status;

    if (networks == NULL)
        return NUCE_OK;
    points = points_among(remodel->campaign, of, &start.count, error);
    hosts = nuce_text_format(error, "%s/hosts.json", remodel->scratch);
    start.points = points;
    start.hosts = hosts;
    status = points != NULL && hosts != NULL
                 ? nuce_safe_write(remodel->scratch, "hosts.json", names, strlen(names), error)
                 : error->status;
    if (status == NUCE_OK)
        status = remodel_run(remodel, &start, error);
    free(hosts);
    free(points);
    free(networks);
    return status;
}

static nuce_status remodel_measured(struct nuce_remodel *remodel, struct nuce_error *error)
{
    struct finding_networks at = {remodel, json_object()};
    nuce_status status =
        nuce_remodel_read(remodel->campaign, nuce_record_read_brief, find_networks, &at, error);
    const char *key;
    json_t *points;

    json_object_foreach(at.networks, key, points)
    {
        if (status == NUCE_OK)
            status = remodel_network(remodel, key, points, error);
    }
    json_decref(at.networks);
    return status;
}

nuce_status nuce_remodel_init(const struct nuce_campaign *campaign, const char *scratch,
                              struct nuce_remodel *out, struct nuce_error *error)
{
    *out = (struct nuce_remodel){
        .campaign = campaign, .scratch = scratch, .jobs = json_object(), .modelled = json_object()};
    if (remodel_plain(out, error) != NUCE_OK)
        return error->status;
    return remodel_measured(out, error);
}

void nuce_remodel_fini(struct nuce_remodel *remodel)
{
    json_decref(remodel->jobs);
    json_decref(remodel->modelled);
    *remodel = (struct nuce_remodel){.campaign = NULL};
}

const json_t *nuce_remodel_of(const struct nuce_remodel *remodel, const json_t *run)
{
    const char *point = json_string_value(json_object_get(run, "point"));
    char *network =
        is_on_measured(json_object_get(run, "params")) ? network_key(remodel, run) : NULL;
    char *key = remodel_key(point, network);
    const json_t *record = key != NULL ? json_object_get(remodel->modelled, key) : NULL;

    free(key);
    free(network);
    return record;
}

/* Hands a line of a record file on. */
struct handing {
    nuce_status (*each)(void *context, const char *file, json_t *record, struct nuce_error *error);
    void *context;
    const char *file;
};

static nuce_status hand_line(void *context, int64_t line, const char *text, size_t length,
                             json_t *record, struct nuce_error *error)
{
    const struct handing *at = context;

    (void)line;
    (void)text;
    (void)length;
    return at->each(at->context, at->file, record, error);
}

nuce_status nuce_remodel_read(const struct nuce_campaign *campaign,
                              json_t *(*parse)(const char *text, size_t length),
                              nuce_status (*each)(void *context, const char *file, json_t *record,
                                                  struct nuce_error *error),
                              void *context, struct nuce_error *error)
{
    char *folder = nuce_text_format(error, "%s/records", campaign->path);
    struct dirent **entries = NULL;
    int count = folder != NULL ? scandir(folder, &entries, NULL, alphasort) : -1;
    nuce_status status = folder != NULL ? NUCE_OK : error->status;

    for (int i = 0; i < count; i++) {
        struct handing at = {each, context, entries[i]->d_name};
        struct nuce_jsonl_counts lines;
        char *path = nuce_campaign_file(campaign, "records", at.file, "", error);

        if (path == NULL)
            status = error->status;
        else if (status == NUCE_OK && nuce_campaign_is_record_file(at.file))
            status = nuce_jsonl_read_sealed(path, parse, hand_line, &at, &lines, error);
        free(path);
        free(entries[i]);
    }
    free(entries);
    free(folder);
    return status;
}
