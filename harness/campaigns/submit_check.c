/* The checks before a submission is written: variables of sbatch, its program, paths, hosts,
 * programs for the nodes. All checks are on this machine; only a job can show if the nodes have the
 * same folders (slurm/job.sh reports it). They do not ask Slurm and write nothing. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "campaigns/queue.h"
#include "campaigns/script.h"
#include "campaigns/shell_variables.h"
#include "campaigns/submit.h"

/* A path in a job script is one line of UTF-8. what names the path in the message, which shows
 * unprintable bytes as "?". */
static nuce_status check_path(const char *what, const char *path, struct nuce_error *error)
{
    json_t *text = json_string(path);
    int good = text != NULL && !nuce_text_has_control(path);
    char shown[256];

    json_decref(text);
    if (good)
        return NUCE_OK;
    snprintf(shown, sizeof shown, "%s", path);
    for (char *c = shown; *c != '\0'; c++)
        *c = (char)(*c < ' ' || *c > '~' ? '?' : *c);
    return nuce_error_set(
        error, NUCE_BAD_INPUT,
        "%s '%s': a control character, or not UTF-8: expected a path that a job script can hold",
        what, shown);
}

/* NUCE_BAD_INPUT unless folder has an executable of that name. */
static nuce_status check_program(const struct nuce_profile *profile, const char *folder,
                                 const char *name, struct nuce_error *error)
{
    char *path = nuce_text_format("%s/%s", folder, name);

    error->status = NUCE_OK;
    if (access(path, X_OK) != 0)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "%s: %s: expected the programs for the nodes there (%s)", path,
                       strerror(errno),
                       profile->programs != NULL
                           ? "'programs' of the profile"
                           : "the folder of nuce; 'programs' of a profile names another");
    free(path);
    return error->status;
}

/* Input and output of the removal of variables. */
struct leaving {
    const json_t *environment; /* of the profile */
    char names[256];           /* of removed variables, as far as there is room */
    size_t length;
};

static int leaving_is_asked(void *context, const char *name, const char *option)
{
    struct leaving *leaving = context;
    json_t *pattern;
    size_t i;

    (void)option;
    json_array_foreach((json_t *)leaving->environment, i, pattern)
    {
        if (strcmp(json_string_value(pattern), name) == 0)
            return 1;
    }
    if (leaving->length < sizeof leaving->names)
        leaving->length += (size_t)snprintf(&leaving->names[leaving->length],
                                            sizeof leaving->names - leaving->length, "%s%s",
                                            leaving->length > 0 ? ", " : "", name);
    return 0;
}

void nuce_submit_leave_shell(const struct nuce_profile *profile,
                             void (*report)(void *context, const char *message), void *context)
{
    struct leaving leaving = {.environment = profile->environment};
    int in_job = getenv("SLURM_JOB_ID") != NULL;

    nuce_shell_leave(NUCE_SHELL_SUBMITS, leaving_is_asked, &leaving);
    if (!in_job && leaving.length > 0)
        nuce_text_report(report, context,
                         "%s%s: not handed on to jobs; a profile says how they run ('mpi', 'set', "
                         "'environment', options of sbatch)",
                         leaving.names, leaving.length < sizeof leaving.names ? "" : "...");
}

/* Reports the first mistake, because each has a remedy of its own. sbatch also takes options from
 * variables. Words on its command line win, but nuce gives the options of these variables not at
 * all or not always. The program of each workload in the plan must exist: without it every job
 * would fail. */
nuce_status nuce_submit_check(const struct nuce_profile *profile,
                              const struct nuce_campaign *campaign, struct nuce_error *error)
{
    static const char *const refused[][2] = {
        {"SBATCH_ARRAY_INX", "nuce sets --array itself"},
        {"SBATCH_CLUSTERS", "nuce asks one cluster about its jobs, that of SLURM_CLUSTERS"},
        {"SBATCH_WAIT", "sbatch would wait for the end of the job"},
    };
    const struct nuce_workload_ops *last = NULL;
    json_t *hosts;
    char *folder;
    int ranks = 0;

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (getenv(refused[i][0]) != NULL)
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "%s='%s' in the environment: %s: expected it to be unset",
                                  refused[i][0], getenv(refused[i][0]), refused[i][1]);
    }
    if (nuce_slurm_find(profile->via, "sbatch", error) != NUCE_OK ||
        check_path("the campaign's folder", campaign->path, error) != NUCE_OK)
        return error->status;
    for (int64_t i = 0; i < campaign->count; i++)
        ranks = campaign->points[i].ranks > ranks ? campaign->points[i].ranks : ranks;
    if (profile->hosts != NULL) {
        hosts = nuce_script_rank_hosts(profile->hosts, ranks, error);
        if (hosts == NULL)
            return error->status;
        json_decref(hosts);
    }
    folder = nuce_script_programs(profile, error);
    if (folder == NULL)
        return error->status;
    error->status = check_path("the folder of the programs", folder, error);
    if (error->status == NUCE_OK)
        error->status = check_program(profile, folder, "nuce-job", error);
    for (int64_t i = 0; i < campaign->count && error->status == NUCE_OK; i++) {
        if (campaign->points[i].workload != last)
            error->status =
                check_program(profile, folder, campaign->points[i].workload->program, error);
        last = campaign->points[i].workload;
    }
    free(folder);
    return error->status;
}
