/* Modelling what a bundle's runs were of: nuce-model is started for all points at once, and for
 * those of which a launch found something, a measured network or weights, once more for each that
 * was found: a network's file and hosts, by which the ranks are found there as at the run.
 *
 * Order: what a launch can find, and the key of it; one start of nuce-model; points of which the
 * plan says everything; what launches found, from the records; asking for one run's model
 * (nuce_remodel_of). The program is started, as for a modelled campaign, and not called: a bundle
 * may say anything, and a program that fails on it is only told of. All files are written to the
 * scratch folder of the bundle. */
#include "bundle/remodel.h"

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
#include "support/folder.h"
#include "support/jsonl.h"
#include "support/record.h"
#include "support/safe_file.h"
#include "support/text.h"
#include "workloads/stencil_instance.h"

/* More than any plan of the papers takes; a plan that takes longer is told, not waited for. */
#define MODEL_LIMIT_S 3600

/* One start of nuce-model. points: indices of the campaign's, count of them; all members are
 * borrowed. */
struct remodel_start {
    const int64_t *points;
    int64_t count;
    const char *hosts,
        *networks;       /* of points on a measured network: --hosts, --networks; or NULL */
    const char *weights; /* of points whose weights were measured: --weights; or NULL */
    const char *key;     /* of what was found at the launch (found_at_launch); NULL: nothing */
};

/* Whether the parameter called name is that word. */
static int params_say(const json_t *params, const char *name, const char *word)
{
    const char *value = json_string_value(json_object_get(params, name));

    return value != NULL && strcmp(value, word) == 0;
}

/* The network of such a point is what nuce-calibrate links had found last on the hosts of its
 * launch. */
static int network_is_measured(const json_t *params)
{
    return params_say(params, "network", NUCE_NETWORK_MEASURED);
}

/* The weights of such a point are those that its run says it took. */
static int weights_are_measured(const json_t *params)
{
    return params_say(params, "weights", NUCE_WEIGHTS_MEASURED);
}

/* Whether the plan alone does not say what was run. */
static int is_found_at_launch(const json_t *params)
{
    return network_is_measured(params) || weights_are_measured(params);
}

/* By what the model's record of a point is found; NULL: out of memory. A new string. A point and,
 * where its launch found something, that. */
static char *remodel_key(const char *point, const char *launch)
{
    struct nuce_error ignored;

    return nuce_text_format(&ignored, "%s%s%s", point, launch != NULL ? "\n" : "",
                            launch != NULL ? launch : "");
}

/* What the launch of a run found that its point does not say: "network", with the "hosts" that it
 * is of, and "weights", each where it was measured; as compact JSON. NULL: the record does not say,
 * or out of memory. A new string. */
static char *found_at_launch(const struct nuce_remodel *remodel, const json_t *run)
{
    const json_t *params = json_object_get(run, "params"), *found = json_object_get(run, "found");
    const char *job = json_string_value(json_object_get(run, "job"));
    json_t *hosts = job != NULL ? json_object_get(remodel->jobs, job) : NULL;
    json_t *network = json_object_get(found, "network_taken");
    json_t *weights = json_object_get(found, "weights_taken"), *all = json_object();
    int good = all != NULL;
    char *key;

    if (network_is_measured(params))
        good = good && json_is_string(network) && hosts != NULL &&
               json_object_set(all, "network", network) == 0 &&
               json_object_set(all, "hosts", hosts) == 0;
    if (weights_are_measured(params))
        good = good && json_is_string(weights) && json_object_set(all, "weights", weights) == 0;
    key = good ? json_dumps(all, JSON_COMPACT | JSON_SORT_KEYS) : NULL;

    json_decref(all);
    return key;
}

/* A line of the model's records. */
struct taking {
    struct nuce_remodel *remodel;
    const char *key;
};

/* Of two records of a point the later stays, as they are alike. */
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

/* Starts nuce-model as a campaign that is modelled does, with its own plan and record file.
 * NUCE_BAD_INPUT where it says so of the points, since they are the bundle's. */
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
                          start->networks,
                          start->weights != NULL ? "--weights" : NULL,
                          start->weights};
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

/* Has nuce-model work out the start's points, and adds its records to remodel->modelled. Its files
 * get the start's number, since a campaign takes several starts. */
static nuce_status remodel_run(struct nuce_remodel *remodel, const struct remodel_start *start,
                               struct nuce_error *error)
{
    struct taking taking = {remodel, start->key};
    char *points, *records = NULL;
    struct nuce_jsonl_counts lines;

    if (start->count == 0)
        return NUCE_OK;
    remodel->starts++;
    points = nuce_text_format(error, "%s/%s.%d.points", remodel->scratch, remodel->campaign->name,
                              remodel->starts);
    if (points != NULL)
        records = nuce_text_format(error, "%s/%s.%d.recomputed", remodel->scratch,
                                   remodel->campaign->name, remodel->starts);
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

/* Whether all files that the point names are in the campaign's folder. A file with an absolute path
 * is not in the bundle, wherever it may be here, and so counts as missing. Words such as the names
 * of meshes that nuce ships are no files of the bundle. */
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

/* The points of which the plan says everything, at once. */
static nuce_status remodel_plain(struct nuce_remodel *remodel, struct nuce_error *error)
{
    const struct nuce_campaign *campaign = remodel->campaign;
    int64_t *points = nuce_allocate(campaign->count + 1, sizeof *points, error);
    struct remodel_start start = {.points = points};
    nuce_status status;

    for (int64_t i = 0; points != NULL && i < campaign->count; i++) {
        const struct nuce_campaign_point *point = &campaign->points[i];

        if (has_files(campaign, point) &&
            !is_found_at_launch(json_object_get(point->line, "params")))
            points[start.count++] = i;
    }
    status = points != NULL ? remodel_run(remodel, &start, error) : error->status;
    free(points);
    return status;
}

/* Finding what launches of a campaign found: found_at_launch -> id of a point -> true. */
struct finding_launches {
    struct nuce_remodel *remodel;
    json_t *launches;
};

/* Notes the point of a run that the plan does not say everything of. What cannot be keyed, as its
 * job's line is lost, is left out: nothing of it can be recomputed, and its runs are told as
 * skipped. */
static nuce_status note_launch(struct finding_launches *at, const json_t *run,
                               struct nuce_error *error)
{
    const char *point = json_string_value(json_object_get(run, "point"));
    char *key = found_at_launch(at->remodel, run);
    json_t *points = key != NULL ? json_object_get(at->launches, key) : NULL;
    int good = 1;

    if (key != NULL && points == NULL)
        good = json_object_set_new(at->launches, key, json_object()) == 0;
    if (key != NULL && good)
        good = json_object_set_new(json_object_get(at->launches, key), point, json_true()) == 0;
    free(key);
    return good ? NUCE_OK : nuce_error_set(error, NUCE_FAILED, "out of memory for launches");
}

/* A job's line comes before its runs and tells the hosts. */
static nuce_status find_launched(void *context, const char *file, json_t *record,
                                 struct nuce_error *error)
{
    struct finding_launches *at = context;
    const char *kind = json_string_value(json_object_get(record, "record"));
    const char *job = json_string_value(json_object_get(record, "job"));
    json_t *hosts = json_object_get(json_object_get(record, "facts"), "hosts");

    (void)file;
    if (kind != NULL && job != NULL && strcmp(kind, "job") == 0 && json_is_array(hosts) &&
        json_object_set(at->remodel->jobs, job, hosts) != 0)
        return nuce_error_set(error, NUCE_FAILED, "out of memory for hosts");
    if (nuce_campaign_find_run(at->remodel->campaign, record) < 0 ||
        !is_found_at_launch(json_object_get(record, "params")))
        return NUCE_OK;
    return note_launch(at, record, error);
}

/* The folder of the campaign that has the copy of the network taken, "NAME@SHA-256"; NULL: there is
 * none. A new string. */
static char *copy_folder_of(const struct nuce_campaign *campaign, const char *taken)
{
    struct nuce_error ignored;
    char *name = nuce_inputs_name_of_taken(taken), *folder = NULL;

    if (name != NULL)
        folder = nuce_text_format(&ignored, "%s/%.*s", campaign->path,
                                  (int)(strrchr(name, '/') - name), name);
    free(name);
    if (folder != NULL && access(folder, F_OK) == 0)
        return folder;
    free(folder);
    return NULL;
}

/* The points of plan with ids `of`, as far as their other files are there: indices in a new array.
 * Each id is found in the plan, since runs of this plan named it. */
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

/* Writes hosts for nuce-model: the path of the file, a new string. NULL with *error. */
static char *write_hosts_taken(const struct nuce_remodel *remodel, const json_t *hosts,
                               struct nuce_error *error)
{
    char *names = json_dumps(hosts, JSON_COMPACT), *path = NULL;

    if (names == NULL)
        (void)nuce_error_set(error, NUCE_FAILED, "out of memory for hosts");
    else if (nuce_safe_write(remodel->scratch, "hosts.json", names, strlen(names), error) ==
             NUCE_OK)
        path = nuce_text_format(error, "%s/hosts.json", remodel->scratch);
    free(names);
    return path;
}

/* The points that a launch ran which found this. Those of a file that is not there are told by who
 * misses them. Rank by rank the hosts of the job decide which links of a measured network are
 * meant. */
static nuce_status remodel_launch(struct nuce_remodel *remodel, const char *key, json_t *of,
                                  struct nuce_error *error)
{
    json_t *found = json_loads(key, 0, NULL);
    const char *taken = json_string_value(json_object_get(found, "network"));
    const json_t *hosts = json_object_get(found, "hosts");
    char *networks = taken != NULL ? copy_folder_of(remodel->campaign, taken) : NULL, *at = NULL;
    int64_t count = 0, *points = points_among(remodel->campaign, of, &count, error);
    nuce_status status = points != NULL ? NUCE_OK : error->status;

    if (networks != NULL && status == NUCE_OK) {
        at = write_hosts_taken(remodel, hosts, error);
        status = at != NULL ? NUCE_OK : error->status;
    }
    if (status == NUCE_OK && (taken == NULL || networks != NULL)) {
        const struct remodel_start start = {
            .points = points,
            .count = count,
            .hosts = at,
            .networks = networks,
            .weights = json_string_value(json_object_get(found, "weights")),
            .key = key};

        status = remodel_run(remodel, &start, error);
    }
    free(at);
    free(points);
    free(networks);
    json_decref(found);
    return status;
}

/* Reads the records once for what launches found, then models each of these. */
static nuce_status remodel_launches(struct nuce_remodel *remodel, struct nuce_error *error)
{
    struct finding_launches at = {remodel, json_object()};
    nuce_status status =
        nuce_remodel_read(remodel->campaign, nuce_record_read_brief, find_launched, &at, error);
    const char *key;
    json_t *points;

    json_object_foreach(at.launches, key, points)
    {
        if (status == NUCE_OK)
            status = remodel_launch(remodel, key, points, error);
    }
    json_decref(at.launches);
    return status;
}

nuce_status nuce_remodel_init(const struct nuce_campaign *campaign, const char *scratch,
                              struct nuce_remodel *out, struct nuce_error *error)
{
    *out = (struct nuce_remodel){
        .campaign = campaign, .scratch = scratch, .jobs = json_object(), .modelled = json_object()};
    if (remodel_plain(out, error) != NUCE_OK)
        return error->status;
    return remodel_launches(out, error);
}

void nuce_remodel_fini(struct nuce_remodel *remodel)
{
    json_decref(remodel->jobs);
    json_decref(remodel->modelled);
    *remodel = (struct nuce_remodel){.campaign = NULL};
}

/* NULL: nothing was modelled for that run: a file is missing, or its launch does not say what it
 * found. */
const json_t *nuce_remodel_of(const struct nuce_remodel *remodel, const json_t *run)
{
    const char *point = json_string_value(json_object_get(run, "point"));
    int is_found = is_found_at_launch(json_object_get(run, "params"));
    char *launch = is_found ? found_at_launch(remodel, run) : NULL;
    char *key = !is_found || launch != NULL ? remodel_key(point, launch) : NULL;
    const json_t *record = key != NULL ? json_object_get(remodel->modelled, key) : NULL;

    free(key);
    free(launch);
    return record;
}

/* Hands a line of a record file on. */
struct handing {
    nuce_status (*each)(void *context, const char *file, json_t *record, struct nuce_error *error);
    void *context;
    const char *file;
};

/* A line as nuce_remodel_read's caller wants it, with the name of its file. */
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
    struct nuce_folder records;
    nuce_status status = nuce_folder_read(&records, error, "%s/records", campaign->path);

    for (int i = 0; i < records.count && status == NUCE_OK; i++) {
        struct handing at = {each, context, records.entries[i]->d_name};
        struct nuce_jsonl_counts lines;
        char *path = nuce_campaign_file(campaign, "records", at.file, "", error);

        if (path == NULL)
            status = error->status;
        else if (nuce_campaign_is_record_file(at.file))
            status = nuce_jsonl_read_sealed(path, parse, hand_line, &at, &lines, error);
        free(path);
    }
    nuce_folder_fini(&records);
    return status;
}
