/* nuce-job: the batch step of a Slurm job. Starts the ranks, asks them in time to stop, and records
 * runs that die with them. The job script runs it in the campaign's folder.
 *
 * Order: the job's description; facts for the ranks' records; the part's lock; runs that an earlier
 * attempt of this job left unfinished (nuce_lost_settle); then the launcher's loop over the points
 * that still lack runs. It may be started any number of times for the same part, by Slurm's requeue
 * or by hand, and never measures a point again. Slurm's warning before the time limit comes as
 * SIGUSR1 (the script asks for it); the sample under way is then finished. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/command_line.h"
#include "base/data.h"
#include "base/hash.h"
#include "base/safe_file.h"
#include "base/text.h"
#include "base/text_file.h"
#include "base/units.h"
#include "campaigns/launcher.h"
#include "campaigns/lost.h"
#include "campaigns/queue.h"
#include "campaigns/script.h"
#include "campaigns/shell_variables.h"
#include "campaigns/submission.h"

/* The task of a submitted job (jobs/NNNN.json) and its identity: which part of which submission,
 * from the variables that Slurm sets. */
struct nuce_intent {
    char campaign[NUCE_PATH_BYTES]; /* absolute path of its folder */
    int number;                     /* of the submission */
    int task;                       /* of the array, 0 without one */
    char part[NUCE_PART_BYTES];     /* NNNN-K */
    char job[32], restart[16];      /* SLURM_JOB_ID and SLURM_RESTART_COUNT */
    json_t *description;            /* the file */
    const char **launcher;          /* words, NULL-ended; texts borrowed from description */
    char *hosts;                    /* path of NNNN.hosts, NULL: none */
    int in_step;                    /* started by hand in a step of the job */
};

/* A variable of digits, as Slurm sets it. `otherwise` is its value if it is not set; NULL: it must
 * be set. Digits only, because they become parts of file names. */
static nuce_status intent_digits(const char *name, const char *otherwise, char *out, size_t size,
                                 struct nuce_error *error)
{
    const char *text = getenv(name);

    if (text == NULL)
        text = otherwise;
    if (text == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s is not set: nuce-job runs in a Slurm job, which 'sbatch "
                              "jobs/NNNN.sh' starts",
                              name);
    if (*text == '\0' || strspn(text, "0123456789") != strlen(text) ||
        !nuce_text_copy(out, size, text))
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: '%s': expected a number", name, text);
    return NUCE_OK;
}

static void intent_fini(struct nuce_intent *intent)
{
    json_decref(intent->description);
    free(intent->launcher);
    free(intent->hosts);
    *intent = (struct nuce_intent){0};
}

/* Reads the intent of submission number, a string of digits, of the campaign in the current folder:
 * jobs/NNNN.json, and if there is one the path of jobs/NNNN.hosts. The identity of this job comes
 * from SLURM_JOB_ID, SLURM_RESTART_COUNT and SLURM_ARRAY_TASK_ID. NUCE_BAD_INPUT outside a Slurm
 * job. Freed with intent_fini. */
static nuce_status intent_read(const char *number, struct nuce_intent *out,
                               struct nuce_error *error)
{
    struct nuce_intent intent = {0};
    char task[16], *path;
    json_error_t problem;
    json_t *words, *word;
    int64_t value;
    size_t i;

    if (nuce_units_parse_count(number, &value, error) != NUCE_OK || value < 1 ||
        value > NUCE_SUBMISSIONS_MOST)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "'%s': expected the NUMBER of a submission, as in jobs/NUMBER.sh",
                              number);
    intent.number = (int)value;
    if (getcwd(intent.campaign, sizeof intent.campaign) == NULL)
        return nuce_error_set(error, NUCE_FAILED, "current folder: %s", strerror(errno));
    /* The part of the submission is the array's task, or 0 without an array. */
    if (intent_digits("SLURM_JOB_ID", NULL, intent.job, sizeof intent.job, error) != NUCE_OK ||
        intent_digits("SLURM_RESTART_COUNT", "0", intent.restart, sizeof intent.restart, error) !=
            NUCE_OK ||
        intent_digits("SLURM_ARRAY_TASK_ID", "0", task, sizeof task, error) != NUCE_OK)
        return error->status;
    intent.task = (int)strtol(task, NULL, 10);
    snprintf(intent.part, sizeof intent.part, "%04d-%d", intent.number, intent.task);
    error->status = NUCE_OK;
    path = nuce_text_format("%s/jobs/%04d.json", intent.campaign, intent.number);
    intent.description = json_load_file(path, JSON_REJECT_DUPLICATES, &problem);
    words = json_object_get(intent.description, "launcher");
    intent.launcher = nuce_allocate((int64_t)json_array_size(words) + 1, sizeof *intent.launcher);
    if (intent.description == NULL)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s:%d:%d: %s", path,
                       problem.line > 0 ? problem.line : 1, problem.column > 0 ? problem.column : 1,
                       problem.text);
    else if (json_array_size(words) == 0)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s:1:1: launcher: expected a list of words", path);
    json_array_foreach(words, i, word)
    {
        intent.launcher[i] = json_string_value(word);
        if (intent.launcher[i] == NULL && error->status == NUCE_OK)
            nuce_error_set(error, NUCE_BAD_INPUT, "%s:1:1: launcher: word %zu is not a text", path,
                           i + 1);
    }
    free(path);
    if (error->status != NUCE_OK) {
        intent_fini(&intent);
        return error->status;
    }
    intent.hosts = nuce_text_format("%s/jobs/%04d.hosts", intent.campaign, intent.number);
    if (access(intent.hosts, F_OK) != 0) {
        free(intent.hosts);
        intent.hosts = NULL;
    }
    *out = intent;
    return NUCE_OK;
}

/* Returns nonzero if the job script, context, has the option: the job's own variable then holds its
 * value. Any option that begins with this one counts (--gpus-per-node for --gpus), and so does an
 * abbreviation. */
static int script_asks(void *context, const char *name, const char *option)
{
    static const char directive[] = "#SBATCH ";

    (void)name;
    for (const char *line = context; option != NULL && line != NULL; line = strchr(line, '\n')) {
        size_t length;

        line += *line == '\n';
        if (strncmp(line, directive, strlen(directive)) != 0)
            continue;
        line += strlen(directive);
        line += *line == '"';
        if (strncmp(line, "--", 2) != 0)
            continue;
        length = strspn(line + 2, "abcdefghijklmnopqrstuvwxyz-");
        if (strncmp(line + 2, option, length < strlen(option) ? length : strlen(option)) == 0)
            return 1;
    }
    return 0;
}

/* Makes the environment of the processes started here. This happens before any rank starts, because
 * srun forwards it. Removes the variables of the shell that called sbatch, which Slurm forwards.
 * Sets those of the profile's `set`, and SLURM_HOSTFILE. */
static nuce_status intent_apply(struct nuce_intent *intent, struct nuce_error *error)
{
    json_t *set = json_object_get(intent->description, "set"), *value;
    char *path = nuce_text_format("%s/jobs/%04d.sh", intent->campaign, intent->number);
    char *script = NULL;
    const char *name;
    size_t length;

    if (nuce_text_read(path, &script, &length, error) == NUCE_OK)
        intent->in_step = nuce_shell_leave(NUCE_SHELL_SERVES, script_asks, script);
    free(script);
    free(path);
    if (script == NULL)
        return error->status;
    json_object_foreach(set, name, value)
    {
        if (!json_is_string(value) || setenv(name, json_string_value(value), 1) != 0)
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "%s/jobs/%04d.json: set: '%s': expected the name of a variable, "
                                  "and a text",
                                  intent->campaign, intent->number, name);
    }
    if (intent->hosts != NULL && setenv("SLURM_HOSTFILE", intent->hosts, 1) != 0)
        return nuce_error_set(error, NUCE_FAILED, "SLURM_HOSTFILE: %s", strerror(errno));
    return NUCE_OK;
}

/* Facts that the ranks cannot find out: the cluster's name and cabling, the profile's description
 * of it, and the job's identity. The ranks copy them from a file (--facts) into their job record.
 * "cluster" becomes part of the environment, which separates results; "launch" does not. */

/* The files of the profile's `describe`, as they are here and now; NULL without any. Name and
 * SHA-256 only: a change of the content matters, and the content may be long. */
static nuce_status describe_files(const struct nuce_intent *intent, json_t **out,
                                  struct nuce_error *error)
{
    const json_t *paths = json_object_get(intent->description, "describe"), *item;
    json_t *files = json_array();
    size_t i;

    error->status = NUCE_OK;
    json_array_foreach(paths, i, item)
    {
        const char *path = json_string_value(item);
        char hash[NUCE_HASH_BYTES];

        if (error->status != NUCE_OK)
            continue;
        if (path == NULL) {
            nuce_error_set(error, NUCE_BAD_INPUT, "describe: item %zu is not a text", i + 1);
        } else if (nuce_data_check_file(path, "a file that describes the machine", error) !=
                       NUCE_OK ||
                   nuce_hash_file(path, hash, error) != NUCE_OK) {
            nuce_error_prefix(error, "describe");
        } else {
            json_array_append_new(files,
                                  json_pack("{s:s, s:s}", "name", basename(path), "sha256", hash));
        }
    }
    if (error->status != NUCE_OK || json_array_size(files) == 0) {
        json_decref(files);
        files = NULL;
    }
    *out = files;
    return error->status;
}

/* A list of the profile that changes the environment of the ranks; borrowed, NULL if empty. */
static json_t *lines_of(const struct nuce_intent *intent, const char *name)
{
    json_t *lines = json_object_get(intent->description, name);

    return json_array_size(lines) > 0 ? lines : NULL;
}

/* BYTES of the first line `buffer BYTES bytes` in a described file, as slurm/virtual/cluster writes
 * it: the queue in front of a port, which drops packets beyond it. A new reference; NULL if no file
 * has such a line. */
static json_t *described_buffer(const struct nuce_intent *intent)
{
    const json_t *path;
    char *line = NULL;
    size_t i, capacity = 0;
    long long found = 0;

    json_array_foreach(json_object_get(intent->description, "describe"), i, path)
    {
        FILE *file = fopen(json_string_value(path), "r");

        while (file != NULL && found == 0 && getline(&line, &capacity, file) > 0) {
            long long bytes;
            int end = 0;

            if (sscanf(line, "buffer %18lld bytes%n", &bytes, &end) == 1 && bytes > 0 && end > 0 &&
                line[end + (int)strspn(line + end, "\n")] == '\0')
                found = bytes;
        }
        if (file != NULL)
            fclose(file);
    }
    free(line);
    return found > 0 ? json_integer(found) : NULL;
}

/* Writes the facts for the ranks' records (--facts) to launches/LABEL.facts.json; *path is a new
 * string. NUCE_BAD_INPUT: a file of the profile's `describe` cannot be read here. "cluster" holds
 * for the cluster, and is part of the environment that separates results. "launch" holds for this
 * job only and is not an environment. */
static nuce_status intent_write_facts(const struct nuce_intent *intent, const char *label,
                                      char **path, struct nuce_error *error)
{
    const char *cluster = getenv("SLURM_CLUSTER_NAME");
    json_t *files, *facts;
    char *text, *topology;

    if (describe_files(intent, &files, error) != NUCE_OK)
        return error->status;
    topology = nuce_queue_topology(NULL);
    facts = json_pack(
        "{s:{s:s?, s:s?, s:o*, s:o*, s:O*, s:O*}, s:{s:i, s:i, s:s, s:s, s:O?}}", "cluster", "name",
        cluster, "topology", topology, "files", files, "buffer_bytes", described_buffer(intent),
        "modules", lines_of(intent, "modules"), "prologue", lines_of(intent, "prologue"), "launch",
        "submission", intent->number, "task", intent->task, "job", intent->job, "restart",
        intent->restart, "name", json_object_get(intent->description, "name"));
    free(topology);
    if (facts == NULL)
        return nuce_error_set(error, NUCE_FAILED, "SLURM_CLUSTER_NAME: '%s': not valid UTF-8",
                              cluster);
    text = json_dumps(facts, JSON_INDENT(2) | JSON_SORT_KEYS);
    json_decref(facts);
    *path = nuce_text_format("%s/launches/%s.facts.json", intent->campaign, label);
    nuce_safe_write_path(*path, text, strlen(text), error);
    free(text);
    return error->status;
}

/* A point lost this many times more often than it ran well in one job, which Slurm restarts after
 * each loss of a node, may itself cause that. It is skipped, and the others are measured. A run
 * that was told to stop was not lost. */
#define MOST_LOST 3

/* Seconds for the ranks of a job's earlier attempt to end. */
#define PATIENCE_S 30

/* Runs the points of the part. The label of each record file holds the job and the attempt that
 * wrote it. Slurm shows a job that was asked to stop only as ended with an error, so a file notes
 * it for `nuce status`. If the note cannot be written, only that message is lost. Returns as
 * nuce_launcher_run does. */
static nuce_status run_part(const struct nuce_intent *intent, struct nuce_campaign *campaign,
                            struct nuce_error *error)
{
    char *label = nuce_text_format("%s-slurm-%s-%s", intent->part, intent->job, intent->restart);
    char *again = nuce_script_advice(campaign, "resume"), *facts = NULL;
    char *mark = nuce_campaign_file(campaign, "jobs", campaign->part, ".stopped");
    int stopped = 0;
    nuce_status status;
    struct nuce_launcher launcher;
    struct nuce_error ignored;

    status = intent_write_facts(intent, label, &facts, error);
    if (status == NUCE_OK)
        status =
            nuce_launcher_init(&launcher, &nuce_launcher_slurm, campaign, intent->launcher, error);
    if (status == NUCE_OK) {
        launcher.programs = json_string_value(json_object_get(intent->description, "programs"));
        launcher.facts = facts;
        launcher.hosts = intent->hosts;
        launcher.label = label;
        launcher.again = again;
        launcher.stopped = &stopped;
        launcher.in_step = intent->in_step;
        status = nuce_launcher_run(&launcher, campaign, error);
        nuce_launcher_fini(&launcher);
        if (stopped)
            nuce_safe_write_path(mark, "", 0, &ignored);
    }
    free(mark);
    free(facts);
    free(again);
    free(label);
    return status;
}

/* NUCE_OK also if the part was taken back before its job began: its points may be in another job by
 * now. A point with a bad run in an earlier attempt of this part gets no other; an interrupted one
 * does, and a lost one a limited number of times. NUCE_FAILED if a point of the part has no good
 * run in the end. */
static nuce_status job_serve(struct nuce_intent *intent, struct nuce_campaign *campaign,
                             struct nuce_error *error)
{
    char *is_void = nuce_campaign_file(campaign, "jobs", campaign->part, ".void");
    char *stopped = nuce_campaign_file(campaign, "jobs", campaign->part, ".stopped");
    int64_t settled = 0, bad = 0;

    error->status = NUCE_OK;
    if (access(is_void, F_OK) == 0) {
        printf("%s: its points were given to another job: nothing to do\n", campaign->part);
        goto done;
    }
    if (intent_apply(intent, error) != NUCE_OK ||
        nuce_lost_settle(campaign, campaign->part, "its job ended before it did", &settled,
                         error) != NUCE_OK)
        goto done;
    unlink(stopped); /* the note of the part's last start */
    for (int64_t i = 0; i < campaign->count; i++) {
        struct nuce_campaign_point *point = &campaign->points[i];

        point->attempted = nuce_campaign_is_missing(point) && point->status != NULL &&
                           (strcmp(point->status, "interrupted") != 0 ||
                            point->lost - nuce_campaign_good(point) >= MOST_LOST);
    }
    error->status = run_part(intent, campaign, error);
    if (error->status != NUCE_OK)
        goto done;
    for (int64_t i = 0; i < campaign->count; i++)
        bad += nuce_campaign_is_missing(&campaign->points[i]);
    printf("%s: %lld point%s, %lld without a good run\n", campaign->part,
           (long long)campaign->count, nuce_text_plural(campaign->count), (long long)bad);
    if (bad > 0)
        nuce_error_set(error, NUCE_FAILED, "%lld of %lld point%s without a good run",
                       (long long)bad, (long long)campaign->count,
                       nuce_text_plural(campaign->count));
done:
    free(stopped);
    free(is_void);
    return error->status;
}

int main(int argc, char **argv)
{
    const char *number = NULL;
    struct nuce_command_line line = {
        .about = "Runs the points of submission NUMBER of the campaign in the current folder, in a "
                 "Slurm job. The job script jobs/NUMBER.sh calls it; it can be called by hand in "
                 "an allocation.",
        .examples = NUCE_EXAMPLES({"nuce-job 1", "run submission 1 of the campaign in this folder"},
                                  {"sbatch jobs/0001.sh", "submit it again by hand"}),
        .operands = {.usage = "NUMBER",
                     .least = 1,
                     .most = 1,
                     .expected = "the NUMBER of a submission, as in jobs/NUMBER.sh",
                     .into = &number}};
    struct nuce_intent intent;
    struct nuce_campaign campaign;
    struct nuce_error error;
    nuce_status status;

    argp_program_version = "nuce-job " NUCE_VERSION;
    nuce_command_line_parse(&line, argc, argv);
    status = intent_read(number, &intent, &error);
    if (status == NUCE_OK) {
        /* Slurm may restart a job before the ranks of its first attempt have ended: these still
         * hold the part's lock. Tries once per second, PATIENCE_S times. */
        for (int tries = 0; tries <= PATIENCE_S && (tries == 0 || status == NUCE_FAILED); tries++) {
            if (tries > 0)
                sleep(1);
            status = nuce_campaign_open_part(intent.campaign, intent.part, &campaign, &error);
        }
        if (status == NUCE_OK) {
            status = job_serve(&intent, &campaign, &error);
            nuce_campaign_fini(&campaign);
        }
        intent_fini(&intent);
    }
    if (status != NUCE_OK)
        nuce_error_print(&error, "nuce-job");
    return nuce_error_exit_status(status);
}
