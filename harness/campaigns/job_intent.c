/* What a Slurm job is to do: which part of which submission it is, from the variables that Slurm
 * sets, and how its ranks are started, from jobs/NNNN.json, which was written when the job was
 * submitted. The job runs in the campaign's folder. */
#include "campaigns/job_intent.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/text.h"
#include "base/text_file.h"
#include "base/units.h"
#include "campaigns/launcher.h"
#include "campaigns/shell_variables.h"
#include "campaigns/submission.h"

/* A variable of digits, as Slurm sets them; `otherwise` is what it is where it is not set, NULL: it
 * must be. Digits alone, since they become parts of file names. */
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

/* jobs/NNNN.json, and whether there is a jobs/NNNN.hosts. The launcher's words borrow from the
 * description, which lives as long as the intent. What was read before a failure is the caller's to
 * free. */
static nuce_status intent_read_file(struct nuce_intent *intent, struct nuce_error *error)
{
    char *path = nuce_text_format("%s/jobs/%04d.json", intent->campaign, intent->number);
    json_error_t problem;
    json_t *words, *word;
    size_t i;

    error->status = NUCE_OK;
    intent->description = json_load_file(path, JSON_REJECT_DUPLICATES, &problem);
    words = json_object_get(intent->description, "launcher");
    intent->launcher = nuce_allocate((int64_t)json_array_size(words) + 1, sizeof *intent->launcher);
    if (intent->description == NULL)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s:%d:%d: %s", path,
                       problem.line > 0 ? problem.line : 1, problem.column > 0 ? problem.column : 1,
                       problem.text);
    else if (json_array_size(words) == 0)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s:1:1: launcher: expected a list of words", path);
    json_array_foreach(words, i, word)
    {
        intent->launcher[i] = json_string_value(word);
        if (intent->launcher[i] == NULL && error->status == NUCE_OK)
            nuce_error_set(error, NUCE_BAD_INPUT, "%s:1:1: launcher: word %zu is no text", path,
                           i + 1);
    }
    free(path);
    if (error->status != NUCE_OK)
        return error->status;
    intent->hosts = nuce_text_format("%s/jobs/%04d.hosts", intent->campaign, intent->number);
    if (access(intent->hosts, F_OK) != 0) {
        free(intent->hosts);
        intent->hosts = NULL;
    }
    return NUCE_OK;
}

nuce_status nuce_intent_read(const char *number, struct nuce_intent *out, struct nuce_error *error)
{
    struct nuce_intent intent = {0};
    char task[16];
    int64_t value;

    if (nuce_units_parse_count(number, &value, error) != NUCE_OK || value < 1 ||
        value > NUCE_SUBMISSIONS_MOST)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "'%s': expected the NUMBER of a submission, as in jobs/NUMBER.sh",
                              number);
    intent.number = (int)value;
    if (getcwd(intent.campaign, sizeof intent.campaign) == NULL)
        return nuce_error_set(error, NUCE_FAILED, "current folder: %s", strerror(errno));
    /* The part of the submission is that of the array's task, 0 without an array. */
    if (intent_digits("SLURM_JOB_ID", NULL, intent.job, sizeof intent.job, error) != NUCE_OK ||
        intent_digits("SLURM_RESTART_COUNT", "0", intent.restart, sizeof intent.restart, error) !=
            NUCE_OK ||
        intent_digits("SLURM_ARRAY_TASK_ID", "0", task, sizeof task, error) != NUCE_OK)
        return error->status;
    intent.task = (int)strtol(task, NULL, 10);
    snprintf(intent.part, sizeof intent.part, "%04d-%d", intent.number, intent.task);
    if (intent_read_file(&intent, error) != NUCE_OK) {
        nuce_intent_fini(&intent);
        return error->status;
    }
    *out = intent;
    return NUCE_OK;
}

void nuce_intent_fini(struct nuce_intent *intent)
{
    json_decref(intent->description);
    free(intent->launcher);
    free(intent->hosts);
    *intent = (struct nuce_intent){0};
}

/* Whether the job script, context, has the option: then the job's own variable holds it. Any option
 * that begins as this one does counts (--gpus-per-node for --gpus), and so does an abbreviation. */
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

/* The environment is set before any rank is started, since srun hands it on. */
nuce_status nuce_intent_apply(struct nuce_intent *intent, struct nuce_error *error)
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
